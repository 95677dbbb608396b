//! `SELECT a, a`: the engine wants each column of a list to have a name of its own, Spark does not.

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{self, Ident, Query, SelectItem, SetExpr};

/// Gives items of the outermost select list that stand there again an alias.
pub(super) fn name_apart(statement: &mut Statement) {
    match statement {
        Statement::Explain(explain) => name_apart(&mut explain.statement),
        Statement::Statement(inner) => {
            if let ast::Statement::Query(query) = inner.as_mut() {
                in_query(query);
            }
        }
        _ => {}
    }
}

fn in_query(query: &mut Query) {
    match query.body.as_mut() {
        SetExpr::Query(inner) => in_query(inner),
        SetExpr::Select(select) => in_list(&mut select.projection),
        _ => {}
    }
}

fn in_list(items: &mut [SelectItem]) {
    let mut seen: Vec<String> = Vec::with_capacity(items.len());
    let mut names: Vec<String> = Vec::new();
    for item in items {
        if let SelectItem::ExprWithAlias { alias, .. } = item {
            let before = names.iter().filter(|n| **n == alias.value).count();
            names.push(alias.value.clone());
            if before > 0 {
                alias.value = format!("{}_{}", alias.value, before + 1);
            }
        }
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        let text = expr.to_string();
        let before = seen.iter().filter(|s| **s == text).count();
        if before > 0 {
            let alias = Ident::new(format!("{text}_{}", before + 1));
            *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
        }
        seen.push(text);
    }
}
