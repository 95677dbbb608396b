//! Spark's spellings that the parser does not know, word by word: `a DIV b`, `1.5D`,
//! `INTERVAL 1 DAY 2 HOURS`, `trim(LEADING FROM x)`, `exists(array, x -> …)`.

use datafusion::sql::sqlparser::ast::Ident;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Word};

/// The statement in the parser's spelling. Places stay.
pub(in crate::lake::sql) fn worded(words: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut words = with_suffixes(words);
    with_div(&mut words);
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        out.push(word.clone());
        if is_word(word, "interval") {
            if let Some((text, end)) = interval(&words, at) {
                out.push(spaced(&words[at], Token::SingleQuotedString(text)));
                at = end;
            }
        } else if is_word(word, "exists") || is_word(word, "filter") {
            if is_call_with_lambda(&words, at)
                && let Some(last) = out.last_mut()
            {
                let name = if is_word(word, "exists") { "array_any_match" } else { "array_filter" };
                last.token = plain(name);
            }
        } else if is_word(word, "leading") || is_word(word, "trailing") || is_word(word, "both") {
            let from = next(&words, at).filter(|n| is_word(&words[*n], "from"));
            if from.is_some() && before(&words, at - 1).is_some_and(|b| words[b].token == Token::LParen) {
                out.push(spaced(word, Token::SingleQuotedString(" ".into())));
            }
        }
    }
    out
}

fn plain(name: &str) -> Token {
    let Ident { value, quote_style, .. } = Ident::new(name);
    Token::Word(Word { value, quote_style, keyword: Keyword::NoKeyword })
}

/// At the place of another word.
fn spaced(place: &TokenWithSpan, token: Token) -> TokenWithSpan {
    TokenWithSpan { token, span: place.span }
}

fn is_word(word: &TokenWithSpan, text: &str) -> bool {
    matches!(&word.token, Token::Word(w) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(text))
}

fn is_blank(token: &Token) -> bool {
    matches!(token, Token::Whitespace(_))
}

/// The first word from a place on.
fn next(words: &[TokenWithSpan], at: usize) -> Option<usize> {
    (at..words.len()).find(|n| !is_blank(&words[*n].token))
}

/// The last word before a place.
fn before(words: &[TokenWithSpan], at: usize) -> Option<usize> {
    (0..at).rev().find(|n| !is_blank(&words[*n].token))
}

/// `1.5D` is a double, `1.5BD` a decimal, `7Y` and `7S` small numbers.
fn with_suffixes(words: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(words.len());
    for word in words {
        let (Token::Word(w), Some(last)) = (&word.token, out.last_mut()) else {
            out.push(word);
            continue;
        };
        let touches = last.span.end == word.span.start && w.quote_style.is_none();
        match (&mut last.token, w.value.to_ascii_uppercase().as_str()) {
            (Token::Number(digits, false), "D" | "F") if touches => digits.push_str("e0"),
            (Token::Number(..), "BD" | "Y" | "S" | "L") if touches => {}
            _ => {
                out.push(word);
                continue;
            }
        }
        last.span.end = word.span.end;
    }
    out
}

/// `a DIV b`; as the name of a column or a function `div` stays.
fn with_div(words: &mut [TokenWithSpan]) {
    let ends = |t: &Token| match t {
        Token::Number(..) | Token::RParen | Token::RBracket => true,
        Token::Word(w) => w.keyword == Keyword::NoKeyword || w.quote_style.is_some(),
        _ => false,
    };
    let starts = |t: &Token| match t {
        Token::Number(..) | Token::LParen | Token::Minus => true,
        Token::Word(w) => w.keyword == Keyword::NoKeyword || w.quote_style.is_some(),
        _ => false,
    };
    for at in 0..words.len() {
        if is_word(&words[at], "div")
            && before(words, at).is_some_and(|n| ends(&words[n].token))
            && next(words, at + 1).is_some_and(|n| starts(&words[n].token))
        {
            words[at].token = Token::DuckIntDiv;
        }
    }
}

/// Of `1 DAY 2 HOURS` the text, and where it ends; none if it is one pair only, which the parser
/// knows.
fn interval(words: &[TokenWithSpan], at: usize) -> Option<(String, usize)> {
    const UNITS: &[&str] =
        &["year", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"];
    let (mut text, mut pairs, mut end) = (String::new(), 0, at);
    let mut from = at;
    while let Some(mut n) = next(words, from) {
        let sign = if words[n].token == Token::Minus { "-" } else { "" };
        if !sign.is_empty() {
            let Some(after) = next(words, n + 1) else { break };
            n = after;
        }
        let number = match &words[n].token {
            Token::Number(digits, _) => digits,
            Token::SingleQuotedString(digits) if digits.trim().parse::<f64>().is_ok() => digits,
            _ => break,
        };
        let Some(unit) = next(words, n + 1) else { break };
        let Token::Word(w) = &words[unit].token else { break };
        let name = w.value.to_ascii_lowercase();
        if !UNITS.contains(&name.trim_end_matches('s')) {
            break;
        }
        text.push_str(&format!("{}{sign}{} {name}", if pairs > 0 { " " } else { "" }, number.trim()));
        pairs += 1;
        (from, end) = (unit + 1, unit + 1);
    }
    (pairs > 1).then_some((text, end))
}

/// Whether a bracket follows with `->` among its arguments.
fn is_call_with_lambda(words: &[TokenWithSpan], at: usize) -> bool {
    let Some(open) = next(words, at).filter(|n| words[*n].token == Token::LParen) else { return false };
    let mut depth = 0;
    for word in &words[open..] {
        match word.token {
            Token::LParen => depth += 1,
            Token::RParen if depth == 1 => return false,
            Token::RParen => depth -= 1,
            Token::Arrow if depth == 1 => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::super::split::tokens;
    use super::*;

    #[test]
    fn spellings() {
        for (text, want) in [
            ("select a div 2, div(a, b), div from t", "select a // 2, div(a, b), div from t"),
            ("select 1.5D, 1.5 d, 2BD, 7Y, 7 y", "select 1.5e0, 1.5 d, 2, 7, 7 y"),
            ("x + interval 1 day 2 hours", "x + interval'1 day 2 hours'"),
            ("x + interval 1 day", "x + interval 1 day"),
            ("x - INTERVAL '1' day -3 minutes as y", "x - INTERVAL'1 day -3 minutes' as y"),
            ("trim(both from a)", "trim(both' ' from a)"),
            ("trim(both 'x' from a)", "trim(both 'x' from a)"),
            ("exists(a, x -> x > 1)", "array_any_match(a, x -> x > 1)"),
            ("exists (select f(x -> 1))", "exists (select f(x -> 1))"),
            ("count(*) filter (where x)", "count(*) filter (where x)"),
        ] {
            let words = worded(tokens(text).unwrap());
            let got: String = words.iter().map(|t| t.token.to_string()).collect();
            assert_eq!(got.replace("EOF", ""), want);
        }
    }
}
