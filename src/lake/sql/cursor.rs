//! A way through the words of a statement that the SQL parser does not know.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::words::Spot;
use crate::model::{Fault, Outcome};

/// A name with its qualifiers: `table`, `schema.table`, `catalog.schema.table`.
pub(super) type Name = Vec<String>;

/// The words, without white space and comments, and where one is in them.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    all: &'a [TokenWithSpan],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(all: &'a [TokenWithSpan]) -> Self {
        Cursor::after(all, 0)
    }

    /// From a word on.
    pub(super) fn after(all: &'a [TokenWithSpan], at: usize) -> Self {
        let mut cursor = Cursor { all, at };
        cursor.skip_blanks();
        cursor
    }

    fn skip_blanks(&mut self) {
        let blank =
            |t: &TokenWithSpan| matches!(t.token, Token::Whitespace(_) | Token::EOF | Token::SemiColon);
        while self.all.get(self.at).is_some_and(blank) {
            self.at += 1;
        }
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.all.get(self.at).map(|t| &t.token)
    }

    pub(super) fn next(&mut self) -> Option<&'a Token> {
        let token = self.peek()?;
        self.at += 1;
        self.skip_blanks();
        Some(token)
    }

    pub(super) fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// Whether the next words are these keywords.
    pub(super) fn sees(&self, words: &[&str]) -> bool {
        self.clone().eat(words)
    }

    /// Passes over these keywords; if not all of them come next, over none.
    pub(super) fn eat(&mut self, words: &[&str]) -> bool {
        let mut ahead = self.clone();
        let all = words.iter().all(|word| match ahead.next() {
            Some(Token::Word(w)) => w.quote_style.is_none() && w.value.eq_ignore_ascii_case(word),
            _ => false,
        });
        if all {
            *self = ahead;
        }
        all
    }

    /// Passes over a sign.
    pub(super) fn eat_sign(&mut self, sign: &Token) -> bool {
        let there = self.peek() == Some(sign);
        if there {
            self.next();
        }
        there
    }

    /// The word that is next, quoted or not.
    pub(super) fn word(&mut self) -> Option<String> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.next();
                Some(word.value.clone())
            }
            _ => None,
        }
    }

    /// `a.b.c`, with a stamp if there is one.
    ///
    /// # Errors
    /// `invalid-sql` with the place, if there is none.
    pub(super) fn name(&mut self, what: &str) -> Outcome<Name> {
        let mut out = vec![self.word().ok_or_else(|| self.expected(what))?];
        while self.eat_sign(&Token::Period) {
            out.push(self.word().ok_or_else(|| self.expected(what))?);
        }
        if out.len() > 3 {
            return Err(self.expected("a name of at most three parts"));
        }
        Ok(out)
    }

    /// A table: its name, or its path in quotes, which means the same as ``delta.`path` ``.
    ///
    /// # Errors
    /// Those of [`Cursor::name`].
    pub(super) fn table(&mut self) -> Outcome<Name> {
        match self.text() {
            Some(path) => Ok(vec!["delta".into(), path]),
            None => self.name("a table"),
        }
    }

    /// A whole number.
    pub(super) fn integer(&mut self, what: &str) -> Outcome<u64> {
        let number = match self.peek() {
            Some(Token::Number(text, _)) => text.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected(what))?;
        self.next();
        Ok(number)
    }

    /// A text in quotes.
    pub(super) fn text(&mut self) -> Option<String> {
        match self.peek() {
            Some(Token::SingleQuotedString(text) | Token::DoubleQuotedString(text)) => {
                self.next();
                Some(text.clone())
            }
            _ => None,
        }
    }

    /// `(a, b)`
    pub(super) fn names_in_brackets(&mut self, what: &str) -> Outcome<Vec<String>> {
        if !self.eat_sign(&Token::LParen) {
            return Err(self.expected("("));
        }
        let mut out = Vec::new();
        loop {
            out.push(self.word().ok_or_else(|| self.expected(what))?);
            if self.eat_sign(&Token::RParen) {
                return Ok(out);
            }
            if !self.eat_sign(&Token::Comma) {
                return Err(self.expected(", or )"));
            }
        }
    }

    /// The words up to the first of these keywords that stands outside of brackets, as they were
    /// written.
    pub(super) fn text_until(&mut self, ends: &[&[&str]]) -> String {
        as_text(self.words_until(ends))
    }

    /// As [`Cursor::text_until`], as words.
    pub(super) fn words_until(&mut self, ends: &[&[&str]]) -> &'a [TokenWithSpan] {
        let from = self.at;
        let mut depth = 0usize;
        while let Some(token) = self.peek() {
            if depth == 0 && ends.iter().any(|words| self.sees(words)) {
                break;
            }
            match token {
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.next();
        }
        self.all.get(from..self.at).unwrap_or_default()
    }

    /// Passes over `(…)`, whatever is in it; gives what is in it.
    ///
    /// # Errors
    /// `invalid-sql` with the place, if there is no such thing.
    pub(super) fn brackets(&mut self) -> Outcome<&'a [TokenWithSpan]> {
        if !self.eat_sign(&Token::LParen) {
            return Err(self.expected("("));
        }
        let (from, mut depth) = (self.at, 1usize);
        loop {
            let at = self.at;
            match self.next() {
                Some(Token::LParen) => depth += 1,
                Some(Token::RParen) if depth == 1 => {
                    return Ok(self.all.get(from..at).unwrap_or_default());
                }
                Some(Token::RParen) => depth -= 1,
                Some(_) => {}
                None => return Err(self.expected(")")),
            }
        }
    }

    /// Everything from here, the words as they are.
    pub(super) fn rest(&self) -> &'a [TokenWithSpan] {
        self.all.get(self.at..).unwrap_or_default()
    }

    /// Nothing must follow.
    pub(super) fn end(&self, what: &str) -> Outcome<()> {
        if self.at_end() { Ok(()) } else { Err(self.expected(what)) }
    }

    /// The fault for something else than what must come here.
    pub(super) fn expected(&self, what: &str) -> Fault {
        let spot = match self.all.get(self.at) {
            Some(t) => Some(Spot { line: t.span.start.line, column: t.span.start.column }),
            None => Spot::after_last(self.all),
        };
        let place = spot.map(|s| s.describe(self.all)).unwrap_or_default();
        Fault::usage("invalid-sql", format!("Invalid SQL{place}")).because(format!("expected {what}"))
    }
}

/// Words as they were written.
pub(super) fn as_text(words: &[TokenWithSpan]) -> String {
    let blank = |t: &Token| matches!(t, Token::EOF | Token::SemiColon);
    let written = |t: &TokenWithSpan| match &t.token {
        Token::SingleQuotedString(text) => format!("'{}'", text.replace('\'', "''")),
        other => other.to_string(),
    };
    let text: String = words.iter().filter(|t| !blank(&t.token)).map(written).collect();
    text.trim().to_owned()
}
