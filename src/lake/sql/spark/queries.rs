//! Parts of a query that Spark has and the engine lacks, or has otherwise: names of columns,
//! `LATERAL VIEW`, `SORT BY`, `DISTINCT` with an order by expressions.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Distinct, Expr, GroupByExpr, Ident, LateralView, ObjectNamePart, OrderBy, OrderByExpr, OrderByKind,
    OrderByOptions, Query, Select, SelectItem, SetExpr, TableAlias, TableFactor, Value, VisitMut, VisitorMut,
};

use super::query;

/// Goes through all queries of a statement, the outer ones first.
pub(super) struct Queries;

impl VisitorMut for Queries {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if let SetExpr::Select(select) = query.body.as_mut() {
            for view in exploded(select) {
                let _ = query.order_by.visit(&mut view.clone());
            }
            if let Some(order) = sorted(select)
                && query.order_by.is_none()
            {
                query.order_by = Some(order);
            }
            if let Some(order) = &mut query.order_by {
                by_all_places(select, order);
                by_place(select, order);
            }
        }
        name_as_written(&mut query.body);
        ControlFlow::Continue(())
    }
}

/// Calls a column without a name as it is written, as Spark does: `count(1)`, not the engine's
/// `count(Int64(1))`. Queries around it find it by that name.
fn name_as_written(body: &mut SetExpr) {
    match body {
        SetExpr::SetOperation { left, .. } => name_as_written(left),
        SetExpr::Select(select) => {
            for item in &mut select.projection {
                let SelectItem::UnnamedExpr(expr) = item else { continue };
                if let Some(name) = header(expr) {
                    let alias = Ident::with_quote('"', name);
                    *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
                }
            }
        }
        _ => {}
    }
}

/// None for a column, which has its own name.
fn header(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => None,
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            other => Some(other.to_string()),
        },
        Expr::Function(f) if matches!(f.name.to_string().as_str(), "explode" | "explode_outer") => {
            Some("col".into())
        }
        other => Some(other.to_string().replace(" // ", " div ")),
    }
}

/// `FROM t LATERAL VIEW explode(a) v AS x` as `FROM (SELECT *, explode(a) AS x FROM t) AS t`. Over several
/// relations it stays, and the engine says that it lacks it.
fn exploded(select: &mut Select) -> Vec<Bare> {
    let mut done = Vec::new();
    let [from] = &mut select.from[..] else { return done };
    if !from.joins.is_empty() {
        return done;
    }
    for view in std::mem::take(&mut select.lateral_views) {
        let Some(name) = name_of(&from.relation) else {
            select.lateral_views.push(view);
            return done;
        };
        let Some(inner) = with_column(&from.relation, &view) else {
            select.lateral_views.push(view);
            return done;
        };
        from.relation = TableFactor::Derived {
            lateral: false,
            subquery: Box::new(inner),
            alias: Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None }),
            sample: None,
        };
        if let Some(ObjectNamePart::Identifier(view_name)) = view.lateral_view_name.0.last() {
            let mut bare = Bare(view_name.value.clone());
            let _ = select.projection.visit(&mut bare);
            let _ = select.selection.visit(&mut bare);
            let _ = select.having.visit(&mut bare);
            if let GroupByExpr::Expressions(all, _) = &mut select.group_by {
                let _ = all.visit(&mut bare);
            }
            done.push(bare);
        }
    }
    done
}

fn name_of(relation: &TableFactor) -> Option<Ident> {
    match relation {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(alias.name.clone())
        }
        TableFactor::Table { name, .. } => match name.0.last()? {
            ObjectNamePart::Identifier(name) => Some(name.clone()),
            ObjectNamePart::Function(_) => None,
        },
        _ => None,
    }
}

fn with_column(relation: &TableFactor, view: &LateralView) -> Option<Query> {
    let column = view.lateral_col_alias.first().map_or_else(|| Ident::new("col"), Ident::clone);
    let mut inner = query("SELECT *, x AS y FROM z")?;
    let SetExpr::Select(select) = inner.body.as_mut() else { return None };
    let mut expr = view.lateral_view.clone();
    if let (true, Expr::Function(f)) = (view.outer, &mut expr)
        && f.name.to_string() == "explode"
    {
        f.name = vec![Ident::new("explode_outer")].into();
    }
    *select.projection.get_mut(1)? = SelectItem::ExprWithAlias { expr, alias: column };
    select.from.first_mut()?.relation = relation.clone();
    Some(inner)
}

/// Takes a view's name away from its columns.
#[derive(Clone)]
struct Bare(String);

impl VisitorMut for Bare {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::CompoundIdentifier(names) = expr
            && names.len() > 1
            && names.first().is_some_and(|n| n.value == self.0)
        {
            names.remove(0);
            if let [only] = &names[..] {
                *expr = Expr::Identifier(only.clone());
            }
        }
        ControlFlow::Continue(())
    }
}

/// `SORT BY` and `CLUSTER BY` order what a partition holds; an order of all rows is one of these.
fn sorted(select: &mut Select) -> Option<OrderBy> {
    let mut by = std::mem::take(&mut select.sort_by);
    let clusters = std::mem::take(&mut select.cluster_by).into_iter();
    by.extend(clusters.map(|expr| OrderByExpr { expr, options: OrderByOptions::default(), with_fill: None }));
    select.distribute_by.clear();
    (!by.is_empty()).then_some(OrderBy { kind: OrderByKind::Expressions(by), interpolate: None })
}

/// `ORDER BY ALL`: by each column in its turn.
fn by_all_places(select: &Select, order: &mut OrderBy) {
    let OrderByKind::All(options) = order.kind else { return };
    if !select.projection.iter().all(is_plain) {
        return;
    }
    let place = |n: usize| OrderByExpr {
        expr: Expr::Value(Value::Number(n.to_string(), false).into()),
        options,
        with_fill: None,
    };
    order.kind = OrderByKind::Expressions((1..=select.projection.len()).map(place).collect());
}

fn is_plain(item: &SelectItem) -> bool {
    matches!(item, SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. })
}

/// `SELECT DISTINCT year(d) … ORDER BY year(d)`: by the column's place, which the engine wants here.
fn by_place(select: &Select, order: &mut OrderBy) {
    let OrderByKind::Expressions(all) = &mut order.kind else { return };
    if !matches!(select.distinct, Some(Distinct::Distinct)) {
        return;
    }
    if !select.projection.iter().all(is_plain) {
        return;
    }
    for by in all {
        let place = select.projection.iter().position(|item| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => *expr == by.expr,
            _ => false,
        });
        let is_column = matches!(by.expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_));
        if let (Some(place), false) = (place, is_column) {
            by.expr = Expr::Value(Value::Number((place + 1).to_string(), false).into());
        }
    }
}
