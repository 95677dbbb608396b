//! Places in a statement, and the words of error messages.

use std::fmt;

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

/// A place in a statement, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) line: u64,
    pub(super) column: u64,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl Spot {
    /// Reads `1, Column: 8`, the end of the parser's messages.
    pub(super) fn parse(text: &str) -> Option<Spot> {
        let (line, column) = text.split_once(", Column: ")?;
        Some(Spot { line: line.trim().parse().ok()?, column: column.trim().parse().ok()? })
    }

    /// Where the last word ends: the parser gives no place for an end that came too early.
    pub(super) fn after_last(tokens: &[TokenWithSpan]) -> Option<Spot> {
        let real =
            |t: &&TokenWithSpan| !matches!(t.token, Token::Whitespace(_) | Token::EOF | Token::SemiColon);
        let end = tokens.iter().rev().find(real)?.span.end;
        Some(Spot { line: end.line, column: end.column })
    }

    fn token(self, tokens: &[TokenWithSpan]) -> Option<&Token> {
        let is_here = |t: &&TokenWithSpan| {
            t.span.start.line == self.line
                && t.span.start.column == self.column
                && !matches!(t.token, Token::Whitespace(_) | Token::EOF)
        };
        tokens.iter().find(is_here).map(|t| &t.token)
    }

    /// Whether the word that starts here stands in `"`.
    pub(super) fn is_in_double_quotes(self, tokens: &[TokenWithSpan]) -> bool {
        matches!(self.token(tokens), Some(Token::Word(word)) if word.quote_style == Some('"'))
    }

    /// The word that starts here, as it was written.
    pub(super) fn word(self, tokens: &[TokenWithSpan]) -> Option<String> {
        Some(match self.token(tokens)? {
            Token::Word(word) => word.value.clone(),
            other => other.to_string(),
        })
    }

    /// ` at line 1, column 8, near "from"`
    pub(super) fn describe(self, tokens: &[TokenWithSpan]) -> String {
        match self.word(tokens) {
            Some(word) => format!(" at line {}, column {}, near \"{word}\"", self.line, self.column),
            None => format!(" at line {}, column {}, the end", self.line, self.column),
        }
    }
}

/// A message's first line: what follows is a back trace.
pub(super) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("").trim()
}

/// The engine's message without the layers that it names before the matter, on one line.
pub(super) fn without_wrapping(text: &str) -> String {
    const LAYERS: &[&str] = &[
        "Error during planning: ",
        "Execution error: ",
        "Internal error: ",
        "This feature is not implemented: ",
        "External error: ",
        "Schema error: ",
        "Arrow error: ",
        "Parquet error: ",
        "Kernel error: ",
        "Generic delta kernel error: ",
    ];
    // The engine asks to report what it takes for its own mistake; that is of no use here.
    let text = text.split("\nThis issue was likely caused by").next().unwrap_or(text);
    let mut rest = text;
    while let Some(next) = LAYERS.iter().find_map(|layer| rest.strip_prefix(layer)) {
        rest = next;
    }
    // Of what it cannot take the engine shows its own notes.
    let rest = match rest.find("span: Span(").and_then(|at| rest[..at].find([':', '{'])) {
        Some(end) => &rest[..end],
        None => rest,
    };
    let lines = rest.lines().map(str::trim).take_while(|line| !line.starts_with("0: "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::split::tokens;
    use super::*;

    #[test]
    fn places_have_their_word() {
        let tokens = tokens("select a\nfrom \"My T\"").unwrap();
        let spot = Spot::parse("2, Column: 6").unwrap();
        assert_eq!(spot.describe(&tokens), " at line 2, column 6, near \"My T\"");
        let end = Spot::after_last(&tokens).unwrap();
        assert_eq!(end.describe(&tokens), " at line 2, column 12, the end");
    }

    #[test]
    fn layers_are_peeled_off() {
        let text =
            "Error during planning: Internal error: no such thing.\nThis issue was likely caused by a bug";
        assert_eq!(without_wrapping(text), "no such thing.");
        assert_eq!(without_wrapping("Kernel error: bad\n   0: frame\n   1: frame"), "bad");
    }
}
