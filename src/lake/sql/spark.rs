//! Spark's functions that the engine lacks or knows by another name or meaning, each as a template
//! over the engine's own.

mod alias;
mod calendar;
mod casts;
mod compare;
mod format;
mod operators;
mod queries;
mod rows;
mod special;
mod spelling;
mod templates;
mod text;
mod typed;
mod units;
mod wording;
mod written;

use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::logical_expr::ScalarUDF;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    self, AccessExpr, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, Ident, ObjectNamePart, Query, TimezoneInfo, Value, VisitMut, VisitorMut,
};
use datafusion::sql::sqlparser::parser::Parser;

pub(super) use alias::resolve;
pub(super) use casts::SecondsOfTimes;
pub(super) use operators::SparkOperators;
pub(super) use wording::worded;

use self::templates::{FUNCTIONS, Row};
use super::split::DIALECT;

/// All names, for completion.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    let named = FUNCTIONS.iter().map(|row| row.0).chain(format::NAMES.iter().copied());
    let named = named.chain(special::NAMES.iter().copied()).chain(typed::NAMES.iter().copied());
    named.chain(computed().map(|row| row.name).filter(|name| !name.ends_with("_by_pattern")))
}

fn computed() -> impl Iterator<Item = &'static rows::RowFunction> {
    text::FUNCTIONS.iter().chain(calendar::FUNCTIONS).chain(spelling::FUNCTIONS)
}

/// The functions that are computed here.
pub(super) fn functions() -> Vec<Arc<ScalarUDF>> {
    computed().map(rows::udf).chain(typed::functions()).map(Arc::new).collect()
}

/// Least and most arguments of a function that is a template; none if it is none.
pub(super) fn arity(name: &str) -> Option<(usize, usize)> {
    let all: Vec<_> = FUNCTIONS.iter().filter(|row| row.0 == name).collect();
    Some((all.iter().map(|row| row.1).min()?, all.iter().map(|row| row.2).max()?))
}

/// Puts the engine's functions in the place of Spark's, and its types in that of Spark's.
pub(super) fn translate(statement: &mut Statement) {
    match statement {
        Statement::Explain(explain) => translate(&mut explain.statement),
        Statement::Statement(inner) => {
            // Nothing breaks these off.
            let _ = inner.visit(&mut queries::Queries);
            let _ = inner.visit(&mut Functions);
        }
        _ => {}
    }
}

struct Functions;

impl VisitorMut for Functions {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(function) => {
                if let Some(other) = other(function) {
                    *expr = other;
                }
            }
            Expr::Cast { data_type, .. } => rename(data_type),
            // The engine takes the name of a field as a text here.
            Expr::CompoundFieldAccess { access_chain, .. } => {
                for access in access_chain {
                    if let AccessExpr::Dot(Expr::Identifier(name)) = access {
                        let name = Value::SingleQuotedString(name.value.clone());
                        *access = AccessExpr::Dot(Expr::Value(name.into()));
                    }
                }
            }
            Expr::Ceil { expr: of, field: ast::CeilFloorKind::Scale(digits) } => {
                if let Some(other) = to_digits("ceil", of, &digits.value) {
                    *expr = other;
                }
            }
            Expr::Floor { expr: of, field: ast::CeilFloorKind::Scale(digits) } => {
                if let Some(other) = to_digits("floor", of, &digits.value) {
                    *expr = other;
                }
            }
            Expr::Extract { field, expr: of, .. } => {
                if let Some(template) = units::weekday(&field.to_string())
                    && let Some(other) = filled(template, std::slice::from_ref(of))
                {
                    *expr = other;
                }
            }
            Expr::UnaryOp { op: ast::UnaryOperator::BitwiseNot, expr: of } => {
                if let Some(other) = filled("-1 - ($1)", std::slice::from_ref(of)) {
                    *expr = other;
                }
            }
            Expr::Struct { values, fields } if fields.is_empty() => {
                if let Some(other) = special::structure(values) {
                    *expr = other;
                }
            }
            Expr::TypedString(literal) => rename(&mut literal.data_type),
            Expr::Substring { expr: text, substring_from: Some(from), substring_for, .. } => {
                let mut arguments = vec![(**text).clone(), (**from).clone()];
                arguments.extend(substring_for.as_deref().cloned());
                if let Some(other) = special::substring(&arguments) {
                    *expr = other;
                }
            }
            Expr::Value(value) => {
                // Written with an exponent, a number is a double.
                if let Value::Number(text, _) = &value.value
                    && text.contains(['e', 'E'])
                    && let Some(double) = filled(&format!("CAST('{text}' AS DOUBLE)"), &[])
                {
                    *expr = double;
                }
            }
            Expr::RLike { negated, expr: text, pattern, .. } => {
                let like = filled("regexp_like($1, $2)", &[(**text).clone(), (**pattern).clone()]);
                if let Some(like) = like {
                    *expr = if *negated {
                        Expr::UnaryOp { op: ast::UnaryOperator::Not, expr: Box::new(like) }
                    } else {
                        like
                    };
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// `ceil(x, 2)`: a decimal with so many digits.
fn to_digits(function: &str, of: &Expr, digits: &Value) -> Option<Expr> {
    let Value::Number(digits, _) = digits else { return None };
    let digits: u32 = digits.parse().ok().filter(|d| *d <= 18)?;
    let unit = 10_u64.pow(digits);
    let template = format!("CAST({function}(($1) * {unit}) AS DECIMAL(38,{digits})) / {unit}");
    filled(&format!("CAST({template} AS DECIMAL(38,{digits}))"), std::slice::from_ref(of))
}

/// Spark's names of types that the engine knows by SQL's. Its times have microseconds, which reach
/// from year 1 to 9999; the engine's nanoseconds do not.
fn rename(data_type: &mut DataType) {
    let known = match &*data_type {
        DataType::Timestamp(None, zone) => DataType::Timestamp(Some(6), *zone),
        DataType::TimestampNtz { .. } => DataType::Timestamp(Some(6), TimezoneInfo::None),
        DataType::Binary(None) => DataType::Bytea,
        DataType::Custom(name, arguments) if arguments.is_empty() => {
            match name.to_string().to_ascii_lowercase().as_str() {
                "long" => DataType::BigInt(None),
                "short" => DataType::SmallInt(None),
                "byte" => DataType::TinyInt(None),
                _ => return,
            }
        }
        _ => return,
    };
    *data_type = known;
}

/// What a call stands for; none if the engine has the function itself.
fn other(function: &Function) -> Option<Expr> {
    let name = match &function.name.0[..] {
        [ObjectNamePart::Identifier(name)] => name.value.to_ascii_lowercase(),
        _ => return None,
    };
    if name == "count" {
        return count_of_several(function);
    }
    if matches!(name.as_str(), "listagg" | "string_agg") {
        return joined_in_order(function);
    }
    if matches!(name.as_str(), "collect_list" | "collect_set" | "array_agg")
        && let FunctionArguments::List(list) = &function.args
        && list.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct)
    {
        let template = "array_agg(DISTINCT $1) FILTER (WHERE ($1) IS NOT NULL)";
        return filled(template, &unnamed(list)?);
    }
    let arguments = plain_arguments(function)?;
    let known = format::translate(&name, &arguments).or_else(|| special::translate(&name, &arguments));
    if known.is_some() {
        return known;
    }
    let fits = |row: &&Row| row.0 == name && (row.1..=row.2).contains(&arguments.len());
    let (_, _, _, template) = FUNCTIONS.iter().find(fits)?;
    let mut out = filled(template, &arguments)?;
    // A window or a filter of the call goes on with what takes its place.
    if let Expr::Function(inner) = &mut out {
        inner.over = inner.over.take().or_else(|| function.over.clone());
        if let Some(filter) = &function.filter {
            inner.filter = Some(filter.clone());
        }
        inner.null_treatment = function.null_treatment.or(inner.null_treatment);
    } else if function.over.is_some() || function.filter.is_some() {
        return None;
    }
    Some(out)
}

/// `count(DISTINCT a, b)`: tuples without a NULL.
fn count_of_several(function: &Function) -> Option<Expr> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let distinct = list.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct);
    if !distinct || list.args.len() < 2 || function.over.is_some() || function.filter.is_some() {
        return None;
    }
    let arguments = unnamed(list)?;
    let places = 1..=arguments.len();
    let fields: Vec<String> = places.clone().map(|n| format!("'c{n}', ${n}")).collect();
    let present: Vec<String> = places.map(|n| format!("(${n}) IS NOT NULL")).collect();
    let template = format!(
        "count(DISTINCT named_struct({})) FILTER (WHERE {})",
        fields.join(", "),
        present.join(" AND ")
    );
    filled(&template, &arguments)
}

/// `listagg(x, ',') WITHIN GROUP (ORDER BY y)` in the engine's form.
fn joined_in_order(function: &Function) -> Option<Expr> {
    let mut out = function.clone();
    out.name = vec![Ident::new("string_agg")].into();
    let order = std::mem::take(&mut out.within_group);
    let FunctionArguments::List(list) = &mut out.args else { return None };
    if list.args.len() == 1 {
        let nothing = Expr::Value(Value::SingleQuotedString(String::new()).into());
        list.args.push(FunctionArg::Unnamed(FunctionArgExpr::Expr(nothing)));
    }
    if !order.is_empty() {
        list.clauses.push(FunctionArgumentClause::OrderBy(order));
    }
    Some(Expr::Function(out))
}

/// The arguments of a call without names, DISTINCT and the like.
fn plain_arguments(function: &Function) -> Option<Vec<Expr>> {
    let list = match &function.args {
        FunctionArguments::List(list) => list,
        FunctionArguments::None | FunctionArguments::Subquery(_) => return None,
    };
    if list.duplicate_treatment.is_some() || !list.clauses.is_empty() {
        return None;
    }
    unnamed(list)
}

fn unnamed(list: &ast::FunctionArgumentList) -> Option<Vec<Expr>> {
    let expr = |argument: &FunctionArg| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    };
    list.args.iter().map(expr).collect()
}

/// The template with the arguments in the place of `$1`, `$2`, …
pub(super) fn filled(template: &str, arguments: &[Expr]) -> Option<Expr> {
    let all = (1..=arguments.len()).map(|n| format!("${n}")).collect::<Vec<_>>().join(", ");
    let text = template.replace("$*", &all);
    let mut parser = Parser::new(&DIALECT).try_with_sql(&text).ok()?;
    let mut expr = parser.parse_expr().ok()?;
    let _ = expr.visit(&mut Fill(arguments));
    Some(expr)
}

/// A query of these words.
fn query(text: &str) -> Option<Query> {
    let mut parser = Parser::new(&DIALECT).try_with_sql(text).ok()?;
    parser.parse_query().ok().map(|query| *query)
}

struct Fill<'a>(&'a [Expr]);

impl VisitorMut for Fill<'_> {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let Expr::Value(value) = &*expr else { return ControlFlow::Continue(()) };
        let Value::Placeholder(name) = &value.value else { return ControlFlow::Continue(()) };
        let number = name.trim_start_matches('$').parse::<usize>().ok();
        if let Some(argument) = number.and_then(|n| self.0.get(n.checked_sub(1)?)) {
            *expr = match argument {
                Expr::BinaryOp { .. } | Expr::UnaryOp { .. } => Expr::Nested(Box::new(argument.clone())),
                other => other.clone(),
            };
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::parser::DFParserBuilder;

    use super::*;

    fn translated(text: &str) -> String {
        let mut statement = DFParserBuilder::new(text).build().unwrap().parse_statement().unwrap();
        translate(&mut statement);
        statement.to_string()
    }

    #[test]
    fn every_template_is_an_expression() {
        for (name, least, most, template) in FUNCTIONS {
            assert!(least <= most, "{name}");
            let arguments: Vec<Expr> =
                (0..(*most).min(6)).map(|n| Expr::Identifier(Ident::new(format!("a{n}")))).collect();
            let filled = filled(template, &arguments).unwrap_or_else(|| panic!("{name}: {template}"));
            assert!(!filled.to_string().contains('$'), "{name}: {filled}");
        }
    }

    #[test]
    fn calls_change_and_keep_their_name() {
        assert_eq!(
            translated("select year(d) from t where d >= date_sub(current_date(), 365) group by year(d)"),
            "SELECT CAST(date_part('year', d) AS INT) AS \"year(d)\" FROM t WHERE d >= CAST(CAST(CAST(current_date() AS DATE) AS INT) - CAST(365 AS INT) AS DATE) GROUP BY CAST(date_part('year', d) AS INT)"
        );
        assert_eq!(
            translated("select concat(a, '-', b) as c, cast(a as long) as l from t"),
            "SELECT concat(a, '-', b) AS c, CAST(a AS BIGINT) AS l FROM t"
        );
        assert_eq!(
            translated("select count(distinct a) from t"),
            "SELECT count(DISTINCT a) AS \"count(DISTINCT a)\" FROM t"
        );
        assert_eq!(
            translated("select first(a) over (order by b) as f, if(a - 1 > 0, 1, 2) as i from t"),
            "SELECT first_value(a) OVER (ORDER BY b) AS f, CASE WHEN (a - 1 > 0) THEN 1 ELSE 2 END AS i FROM t"
        );
    }
}
