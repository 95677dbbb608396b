//! Tables as of a version: `t VERSION AS OF 3`, `t TIMESTAMP AS OF '2026-05-27'`, `t@v3`.
//!
//! All forms become one: a name with a stamp (`t@v3`, `t@2026-05-27 10:00:00`), which the catalog
//! takes apart again. The parser knows none of them, so this is done with the words.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::split::DIALECT;
use super::words::Spot;
use crate::model::table::AsOf;
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};

/// A clause found in a statement.
pub(super) struct Clause {
    /// The last word of the table's name.
    name: usize,
    /// The first word of the clause, and the first one after it.
    from: usize,
    end: usize,
    pub(super) when: When,
}

/// Which version a clause means.
#[derive(Debug, PartialEq)]
pub(super) enum When {
    At(AsOf),
    /// The words of an expression, such as `current_date() - INTERVAL 1 DAY`.
    Computed(Vec<TokenWithSpan>),
}

/// The first clause of a statement.
///
/// # Errors
/// `invalid-sql` with the place, for a version that is no number or a time that is none.
pub(super) fn find(words: &[TokenWithSpan]) -> Outcome<Option<Clause>> {
    let real: Vec<usize> = (0..words.len()).filter(|at| !is_blank(&words[*at].token)).collect();
    let word = |at: usize| real.get(at).map_or("", |i| keyword(&words[*i].token));
    let is = |at: usize, text: &str| word(at).eq_ignore_ascii_case(text);
    for at in 1..real.len() {
        if !(is(at + 1, "AS") && is(at + 2, "OF")) {
            continue;
        }
        let by_version = is(at, "VERSION") || is(at, "SYSTEM_VERSION");
        let by_time = is(at, "TIMESTAMP") || is(at, "SYSTEM_TIME");
        let from = if is(at - 1, "FOR") { at - 1 } else { at };
        let Some(name) = from.checked_sub(1).map(|n| real[n]) else { continue };
        if !(by_version || by_time) || !ends_a_name(&words[name].token) {
            continue;
        }
        if from.checked_sub(2).is_some_and(|before| names(&words[real[before]].token)) {
            let wanted = "the version before the alias, such as sales VERSION AS OF 3 s";
            return Err(expected(words, Some(name), wanted));
        }
        let value = real.get(at + 3).copied();
        let (when, end) = if by_version { version(words, value)? } else { time(words, value)? };
        return Ok(Some(Clause { name, from: real[from], end, when }));
    }
    Ok(None)
}

/// The statement with the clause as a stamp on the table's name.
pub(super) fn stamp(words: &[TokenWithSpan], clause: &Clause, as_of: AsOf) -> Vec<TokenWithSpan> {
    let mut out = words.to_vec();
    if let Some(TokenWithSpan { token: Token::Word(word), .. }) = out.get_mut(clause.name) {
        word.value = stamped(&word.value, as_of);
        word.quote_style = Some('`');
        word.keyword = Keyword::NoKeyword;
    }
    out.drain(clause.from..clause.end);
    out
}

/// `` `my table`@v3 `` as one word; the tokenizer sees two where the name is quoted.
pub(super) fn join(words: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(words.len());
    for next in words {
        if let (Some(TokenWithSpan { token: Token::Word(name), .. }), Token::Word(stamp)) =
            (out.last_mut(), &next.token)
            && name.quote_style.is_some()
            && stamp.quote_style.is_none()
            && stamp.value.starts_with('@')
        {
            name.value.push_str(&stamp.value);
            continue;
        }
        out.push(next);
    }
    out
}

/// The name with a stamp.
fn stamped(name: &str, as_of: AsOf) -> String {
    match as_of {
        AsOf::Latest => name.to_owned(),
        AsOf::Version(version) => format!("{name}@v{version}"),
        AsOf::Time(time) => format!("{name}@{}", instant(time)),
    }
}

/// To the millisecond, and without letters: names are folded.
fn instant(time: Millis) -> String {
    chrono::DateTime::from_timestamp_millis(time)
        .map_or_else(String::new, |t| t.format("%Y-%m-%d %H:%M:%S%.3f").to_string())
}

/// A name and its stamp: `@v3`, `@20260527100000000` (Delta's form) or `@2026-05-27 10:00:00`.
pub(super) fn unstamped(name: &str) -> Option<(&str, AsOf)> {
    let (base, stamp) = name.rsplit_once('@').filter(|(base, _)| !base.is_empty())?;
    if let Some(version) = stamp.strip_prefix(['v', 'V']) {
        return Some((base, AsOf::Version(version.parse().ok()?)));
    }
    if stamp.len() == 17 && stamp.bytes().all(|b| b.is_ascii_digit()) {
        let (seconds, millis) = stamp.split_at(14);
        let time = chrono::NaiveDateTime::parse_from_str(seconds, "%Y%m%d%H%M%S").ok()?;
        let millis: i64 = millis.parse().ok()?;
        return Some((base, AsOf::Time(time.and_utc().timestamp_millis() + millis)));
    }
    match stamp.parse().ok()? {
        time @ AsOf::Time(_) => Some((base, time)),
        _ => None,
    }
}

fn version(words: &[TokenWithSpan], at: Option<usize>) -> Outcome<(When, usize)> {
    let text = at.and_then(|at| match &words[at].token {
        Token::Number(text, _) | Token::SingleQuotedString(text) => Some(text),
        _ => None,
    });
    match (text.and_then(|t| t.parse().ok()), at) {
        (Some(version), Some(at)) => Ok((When::At(AsOf::Version(version)), at + 1)),
        _ => Err(expected(words, at, "a version number, such as VERSION AS OF 3")),
    }
}

fn time(words: &[TokenWithSpan], at: Option<usize>) -> Outcome<(When, usize)> {
    const WANTED: &str = "a time, such as TIMESTAMP AS OF '2026-05-27 10:00:00'";
    let Some(start) = at else { return Err(expected(words, at, WANTED)) };
    let rest = words.get(start..).unwrap_or_default();
    let mut parser = Parser::new(&DIALECT).with_tokens_with_locations(rest.to_vec());
    if parser.parse_expr().is_err() {
        return Err(expected(words, at, WANTED));
    }
    // The parser stands after the expression, perhaps after the white space behind it.
    let mut end = start + parser.index().min(rest.len());
    while end > start + 1 && is_blank(&words[end - 1].token) {
        end -= 1;
    }
    if let (1, Token::SingleQuotedString(text)) = (end - start, &words[start].token) {
        return match text.parse() {
            Ok(AsOf::Time(time)) => Ok((When::At(AsOf::Time(time)), end)),
            _ => Err(expected(words, at, WANTED)),
        };
    }
    Ok((When::Computed(words[start..end].to_vec()), end))
}

fn expected(words: &[TokenWithSpan], at: Option<usize>, what: &str) -> Fault {
    let start = at.and_then(|at| words.get(at)).map(|t| t.span.start);
    let spot = start.map(|s| Spot { line: s.line, column: s.column }).or_else(|| Spot::after_last(words));
    let place = spot.map(|s| s.describe(words)).unwrap_or_default();
    Fault::usage("invalid-sql", format!("Invalid SQL{place}")).because(format!("expected {what}"))
}

/// Whether what follows this word is an alias: it is `AS`, or a name itself.
fn names(token: &Token) -> bool {
    let Token::Word(Word { quote_style, keyword, .. }) = token else { return false };
    quote_style.is_some() || matches!(keyword, Keyword::AS | Keyword::NoKeyword)
}

/// Whether a table's name can end with this word: in `SELECT timestamp AS of` none does.
fn ends_a_name(token: &Token) -> bool {
    let Token::Word(Word { quote_style, keyword, .. }) = token else { return false };
    quote_style.is_some()
        || !matches!(keyword, Keyword::SELECT | Keyword::DISTINCT | Keyword::ALL | Keyword::BY)
}

fn keyword(token: &Token) -> &str {
    match token {
        Token::Word(word) if word.quote_style.is_none() => &word.value,
        _ => "",
    }
}

fn is_blank(token: &Token) -> bool {
    matches!(token, Token::Whitespace(_) | Token::EOF)
}

#[cfg(test)]
mod tests {
    use super::super::split::tokens;
    use super::*;

    fn rewritten(text: &str) -> String {
        let mut words = join(tokens(text).unwrap());
        while let Some(clause) = find(&words).unwrap() {
            let as_of = match &clause.when {
                When::At(as_of) => *as_of,
                When::Computed(_) => AsOf::Time(0),
            };
            words = stamp(&words, &clause, as_of);
        }
        let text: String = words.iter().map(|t| t.token.to_string()).collect();
        text.replace("EOF", "").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn clauses_become_stamps() {
        assert_eq!(rewritten("select * from a.t version as of 3 x"), "select * from a.`t@v3` x");
        assert_eq!(
            rewritten("select * from t FOR TIMESTAMP AS OF '2026-05-27' where a"),
            "select * from `t@2026-05-27 00:00:00.000` where a"
        );
        assert_eq!(
            rewritten(
                "select 1 from t timestamp as of current_date() - interval '1' day join u version as of '2' on 1=1"
            ),
            "select 1 from `t@1970-01-01 00:00:00.000` join `u@v2` on 1=1"
        );
        assert_eq!(rewritten("select timestamp as of from t"), "select timestamp as of from t");
        assert_eq!(rewritten("select * from `my t`@v1"), "select * from `my t@v1`");
    }

    #[test]
    fn stamps_are_read_back() {
        assert_eq!(unstamped("t@v12"), Some(("t", AsOf::Version(12))));
        assert_eq!(unstamped("t@20260527100000250"), unstamped("t@2026-05-27 10:00:00.250"));
        assert!(unstamped("t@2026-05-27 10:00:00.250").is_some());
        for name in ["t", "@v1", "a@b.c", "t@vx", "t@7"] {
            assert_eq!(unstamped(name), None, "{name}");
        }
    }

    #[test]
    fn what_is_no_version_is_told_with_its_place() {
        let fault = find(&tokens("select * from t version as of x").unwrap()).err().unwrap();
        assert_eq!(fault.message, "Invalid SQL at line 1, column 31, near \"x\"");
        assert!(find(&tokens("select * from t timestamp as of 'soon'").unwrap()).is_err());
    }
}
