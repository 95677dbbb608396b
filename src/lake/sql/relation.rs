//! The tables that a statement names, made ready for the engine: a stamped name keeps the plain one
//! as its alias, and the options of a file become a part of its name.

use std::ops::ControlFlow;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Ident, ObjectName, ObjectNamePart, TableAlias, TableFactor, VisitMut, VisitorMut,
};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::cursor::Cursor;
use super::file_format::{BETWEEN, FileKind};
use super::travel::unstamped;
use crate::model::Outcome;

/// ``csv.`path` WITH (header = false, sep = ';')`` as one name, which [`super::file_format`] takes
/// apart again.
///
/// # Errors
/// `invalid-sql` with the place, for options that are not of the form `name = value`.
pub(super) fn with_options(words: &[TokenWithSpan]) -> Outcome<Vec<TokenWithSpan>> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(next) = words.get(at) {
        at += 1;
        let is_path =
            is_kind_and_period(&out) && matches!(&next.token, Token::Word(w) if w.quote_style.is_some());
        out.push(next.clone());
        let mut c = Cursor::after(words, at);
        if !(is_path && c.eat(&["WITH"]) && c.eat_sign(&Token::LParen)) {
            continue;
        }
        let mut options = String::new();
        loop {
            let name = c
                .text()
                .or_else(|| c.word())
                .ok_or_else(|| c.expected("an option, such as header = true"))?;
            // Spark's form has no sign between the two.
            c.eat_sign(&Token::Eq);
            let value = value(&mut c).ok_or_else(|| c.expected("the option's value"))?;
            options.push_str(&format!("{BETWEEN}{name}={value}"));
            if c.eat_sign(&Token::RParen) {
                break;
            }
            if !c.eat_sign(&Token::Comma) {
                return Err(c.expected(", or )"));
            }
        }
        if let Some(TokenWithSpan { token: Token::Word(path), .. }) = out.last_mut() {
            path.value.push_str(&options);
        }
        at = words.len() - c.rest().len();
        // What follows stays apart from the name.
        out.push(TokenWithSpan::wrap(Token::Whitespace(
            datafusion::sql::sqlparser::tokenizer::Whitespace::Space,
        )));
    }
    Ok(out)
}

/// Whether the words end with ``csv.`` or another kind of file.
fn is_kind_and_period(words: &[TokenWithSpan]) -> bool {
    let Some((Token::Period, Token::Word(kind))) =
        words.len().checked_sub(2).map(|at| (&words[at + 1].token, &words[at].token))
    else {
        return false;
    };
    kind.quote_style.is_none() && FileKind::parse(&kind.value).is_some()
}

fn value(c: &mut Cursor<'_>) -> Option<String> {
    if let Some(Token::Number(number, _)) = c.peek() {
        c.next();
        return Some(number.clone());
    }
    c.text().or_else(|| c.word())
}

/// Gives stamped names their alias.
pub(super) fn prepare(statement: &mut Statement) {
    match statement {
        Statement::Explain(explain) => prepare(&mut explain.statement),
        Statement::Statement(inner) => {
            // Nothing breaks it off.
            let _ = inner.visit(&mut Tables);
        }
        _ => {}
    }
}

struct Tables;

impl VisitorMut for Tables {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        let TableFactor::Table { name, alias, args: None, .. } = factor else {
            return ControlFlow::Continue(());
        };
        let plain = last(name).and_then(|l| unstamped(&l.value)).map(|(base, _)| base.to_owned());
        if let (Some(plain), None) = (plain, &alias) {
            // Of a path, what a table at that place would be called.
            let plain = plain.trim_end_matches('/').rsplit('/').next().unwrap_or(&plain).to_owned();
            let name = Ident::with_quote('`', plain);
            *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
        }
        ControlFlow::Continue(())
    }
}

fn last(name: &mut ObjectName) -> Option<&mut Ident> {
    match name.0.last_mut()? {
        ObjectNamePart::Identifier(ident) => Some(ident),
        ObjectNamePart::Function(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::split::tokens;
    use super::*;

    fn joined(text: &str) -> Outcome<String> {
        let words = with_options(&tokens(text).unwrap())?;
        Ok(words.iter().map(|t| t.token.to_string()).collect::<String>().replace("EOF", ""))
    }

    #[test]
    fn options_become_a_part_of_the_name() {
        assert_eq!(
            joined("select * from csv.`a b.csv` WITH (header = false, 'sep' ';') as f").unwrap(),
            "select * from csv.`a b.csv | header=false | sep=;` as f"
        );
        assert_eq!(
            joined("with x as (select 1) select * from x").unwrap(),
            "with x as (select 1) select * from x"
        );
        assert_eq!(joined("select csv.`a` from t").unwrap(), "select csv.`a` from t");
        let fault = joined("select * from csv.`x` with (header false").unwrap_err();
        assert_eq!(fault.cause, "expected , or )");
    }
}
