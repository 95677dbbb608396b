//! The tables that a statement names, made ready for the engine: a stamped name keeps the plain one
//! as its alias, and the options of a file become a part of its name.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, ObjectName, ObjectNamePart, TableAlias, TableFactor, Value, VisitMut,
    VisitorMut,
};

use datafusion::sql::parser::Statement;

use super::file_format::{BETWEEN, FileKind};
use super::travel::unstamped;
use crate::model::{Fault, Outcome};

/// Makes all tables of a statement ready.
///
/// # Errors
/// `unsupported-sql` for options that are none, or that stand with a table that takes none.
pub(super) fn prepare(statement: &mut Statement) -> Outcome<()> {
    match statement {
        Statement::Explain(explain) => prepare(&mut explain.statement),
        Statement::Statement(inner) => match inner.visit(&mut Tables) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(fault) => Err(fault),
        },
        _ => Ok(()),
    }
}

struct Tables;

impl VisitorMut for Tables {
    type Break = Fault;

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<Fault> {
        let TableFactor::Table { name, alias, with_hints, args: None, .. } = factor else {
            return ControlFlow::Continue(());
        };
        if !with_hints.is_empty() {
            match options(name, with_hints) {
                Ok(text) => append(name, &text),
                Err(fault) => return ControlFlow::Break(fault),
            }
            with_hints.clear();
        }
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

/// `WITH (header = false, sep = ';')` in one spelling, as [`super::file_format`] reads it back.
fn options(name: &ObjectName, given: &[Expr]) -> Outcome<String> {
    let unsupported = |why: String| {
        Fault::usage("unsupported-sql", "WITH (…) after a table is not supported here").because(why)
    };
    let kind = match &name.0[..] {
        [ObjectNamePart::Identifier(first), _] => FileKind::parse(&first.value),
        _ => None,
    };
    if kind.is_none() {
        return Err(unsupported("only files take options, such as csv.`path` WITH (header = false)".into()));
    }
    let mut out = String::new();
    for option in given {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = option else {
            return Err(unsupported(format!("\"{option}\" is not of the form name = value")));
        };
        out.push_str(&format!("{BETWEEN}{}={}", plain(left), plain(right)));
    }
    Ok(out)
}

fn plain(expr: &Expr) -> String {
    match expr {
        Expr::Identifier(name) => name.value.clone(),
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) => text.clone(),
            other => other.to_string(),
        },
        other => other.to_string(),
    }
}

fn last(name: &mut ObjectName) -> Option<&mut Ident> {
    match name.0.last_mut()? {
        ObjectNamePart::Identifier(ident) => Some(ident),
        ObjectNamePart::Function(_) => None,
    }
}

fn append(name: &mut ObjectName, text: &str) {
    if let Some(last) = last(name) {
        last.value.push_str(text);
    }
}
