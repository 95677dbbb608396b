//! From a text to its statements and words, by sqlparser's tokenizer.

use std::ops::Range;

use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::dialect::{Spark, unescaped};
use crate::model::{Fault, Outcome};

pub(super) const DIALECT: Spark = Spark;

/// The tokens of a text, white space and comments included.
pub(super) fn tokens(text: &str) -> Outcome<Vec<TokenWithSpan>> {
    // Texts are taken as they stand: what a backslash means in them is decided here.
    let read = Tokenizer::new(&DIALECT, text).with_unescape(false).tokenize_with_location();
    let mut words = read.map_err(|e| {
        let Location { line, column } = e.location;
        Fault::usage("invalid-sql", format!("Invalid SQL at line {line}, column {column}"))
            .because(e.message)
            .hint("Close every quote and comment")
    })?;
    for word in &mut words {
        match &mut word.token {
            Token::SingleQuotedString(text) => *text = unescaped(text),
            Token::SingleQuotedRawStringLiteral(text) => {
                word.token = Token::SingleQuotedString(std::mem::take(text));
            }
            Token::Word(name) => {
                if let Some(quote) = name.quote_style {
                    name.value = name.value.replace(&format!("{quote}{quote}"), &quote.to_string());
                }
            }
            _ => {}
        }
    }
    Ok(words)
}

/// Where a statement stands in a text: lines and characters before it, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Origin {
    pub line: u64,
    pub column: u64,
}

impl Origin {
    /// The place at a byte of a text.
    pub fn at(text: &str, byte: usize) -> Origin {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
        Origin { line: before.matches('\n').count() as u64, column: line.chars().count() as u64 }
    }

    /// Has tokens of a statement be counted from the text's start.
    pub(super) fn shift(self, mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
        let shift = |place: &mut Location| {
            if place.line == 1 {
                place.column += self.column;
            }
            place.line += self.line;
        };
        for token in &mut tokens {
            shift(&mut token.span.start);
            shift(&mut token.span.end);
        }
        tokens
    }
}

/// Splits a text into its statements, by sqlparser's tokenizer, each with its byte range.
///
/// A `;` in a string, a quoted name or a comment does not split. White space and comments around a
/// statement are not part of it, and what holds nothing else is left out.
pub fn statements(text: &str) -> Outcome<Vec<(Range<usize>, String)>> {
    let places = Places::new(text);
    let mut out = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for token in tokens(text)? {
        match token.token {
            Token::SemiColon => out.extend(open.take()),
            Token::Whitespace(_) | Token::EOF => {}
            _ => {
                let (start, end) = (places.byte(token.span.start), places.byte(token.span.end));
                open = Some(open.map_or(start, |o| o.start)..end);
            }
        }
    }
    out.extend(open);
    Ok(out.into_iter().filter_map(|r| Some((r.clone(), text.get(r)?.to_owned()))).collect())
}

/// Byte offsets of the tokenizer's places, which count lines and characters from 1.
struct Places<'a> {
    text: &'a str,
    lines: Vec<usize>,
}

impl<'a> Places<'a> {
    fn new(text: &'a str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Places { text, lines: std::iter::once(0).chain(after_breaks).collect() }
    }

    fn byte(&self, place: Location) -> usize {
        let line = (place.line as usize).saturating_sub(1);
        let Some(start) = self.lines.get(line).copied() else { return self.text.len() };
        let rest = self.text.get(start..).unwrap_or("");
        let skip = (place.column as usize).saturating_sub(1);
        rest.char_indices().nth(skip).map_or(self.text.len(), |(at, _)| start + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        statements(text).unwrap().into_iter().map(|(_, s)| s).collect()
    }

    #[test]
    fn semicolons_in_strings_names_and_comments_do_not_split() {
        let text = "select ';' as \"a;b\" -- not; here\n from `x;y`;\n\n/* ; */ ;; select 2 /* end; */";
        assert_eq!(texts(text), ["select ';' as \"a;b\" -- not; here\n from `x;y`", "select 2"]);
    }

    #[test]
    fn ranges_are_bytes_also_after_wide_characters() {
        let text = "select 'ação 日本';\nselect\t'ü' ;";
        for (range, statement) in statements(text).unwrap() {
            assert_eq!(&text[range], statement);
        }
        assert_eq!(texts(text), ["select 'ação 日本'", "select\t'ü'"]);
    }

    #[test]
    fn nothing_is_no_statement() {
        assert!(texts("").is_empty());
        assert!(texts(" ; -- only this\n ;").is_empty());
    }

    #[test]
    fn an_open_string_is_an_error_with_its_place() {
        let fault = statements("select 1;\nselect 'open").unwrap_err();
        assert_eq!((fault.code, fault.exit_status()), ("invalid-sql", 2));
        assert!(fault.message.contains("line 2, column 8"), "{}", fault.message);
    }
}
