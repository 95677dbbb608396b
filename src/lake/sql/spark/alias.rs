//! `SELECT price * 2 AS twice, twice + 1`: a column of the list named in the same list, as Spark takes it
//! where no table has a column of that name.

use std::ops::ControlFlow;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Expr, Query, SelectItem, SetExpr, VisitMut, VisitorMut};

/// Puts the expression in the place of its name; false if no list has such a name before its use.
pub(in crate::lake::sql) fn resolve(statement: &mut Statement, name: &str) -> bool {
    match statement {
        Statement::Explain(explain) => resolve(&mut explain.statement, name),
        Statement::Statement(inner) => {
            let mut lists = Lists { name, changed: false };
            let _ = inner.visit(&mut lists);
            lists.changed
        }
        _ => false,
    }
}

struct Lists<'a> {
    name: &'a str,
    changed: bool,
}

impl VisitorMut for Lists<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let SetExpr::Select(select) = query.body.as_mut() else { return ControlFlow::Continue(()) };
        let mut meant: Option<Expr> = None;
        for item in &mut select.projection {
            let SelectItem::ExprWithAlias { expr, alias } = item else { continue };
            if let Some(meant) = &meant {
                let mut put = Put { name: self.name, meant, done: false };
                let _ = expr.visit(&mut put);
                self.changed |= put.done;
            }
            if alias.value == self.name {
                meant = Some(Expr::Nested(Box::new(expr.clone())));
            }
        }
        ControlFlow::Continue(())
    }
}

struct Put<'a> {
    name: &'a str,
    meant: &'a Expr,
    done: bool,
}

impl VisitorMut for Put<'_> {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if matches!(expr, Expr::Identifier(id) if id.value == self.name) {
            *expr = self.meant.clone();
            self.done = true;
        }
        ControlFlow::Continue(())
    }
}
