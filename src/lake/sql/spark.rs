//! Spark's functions that the engine lacks or knows by another name or meaning, each as a template
//! over the engine's own.

mod calendar;
mod casts;
mod format;
mod operators;
mod rows;
mod special;
mod text;

use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::logical_expr::ScalarUDF;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    self, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectNamePart,
    SelectItem, SetExpr, TimezoneInfo, Value, VisitMut, VisitorMut,
};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

pub(super) use casts::SecondsOfTimes;
pub(super) use operators::SparkOperators;

use super::split::DIALECT;

/// Name, least and most arguments, and what it stands for; `$1` is the first argument, `$*` all.
type Row = (&'static str, usize, usize, &'static str);

/// Days are counted through whole numbers: dates have no addition of their own in the engine.
const FUNCTIONS: &[Row] = &[
    ("year", 1, 1, "CAST(date_part('year', $1) AS INT)"),
    ("quarter", 1, 1, "CAST(date_part('quarter', $1) AS INT)"),
    ("month", 1, 1, "CAST(date_part('month', $1) AS INT)"),
    ("weekofyear", 1, 1, "CAST(date_part('week', $1) AS INT)"),
    ("day", 1, 1, "CAST(date_part('day', $1) AS INT)"),
    ("dayofmonth", 1, 1, "CAST(date_part('day', $1) AS INT)"),
    ("dayofyear", 1, 1, "CAST(date_part('doy', $1) AS INT)"),
    // From 1 for Sunday; the engine counts from 0.
    ("dayofweek", 1, 1, "CAST(date_part('dow', $1) AS INT) + 1"),
    // From 0 for Monday.
    ("weekday", 1, 1, "(CAST(date_part('dow', $1) AS INT) + 6) % 7"),
    ("hour", 1, 1, "CAST(date_part('hour', $1) AS INT)"),
    ("minute", 1, 1, "CAST(date_part('minute', $1) AS INT)"),
    ("second", 1, 1, "CAST(floor(date_part('second', $1)) AS INT)"),
    ("date_add", 2, 2, "CAST(CAST(CAST($1 AS DATE) AS INT) + CAST($2 AS INT) AS DATE)"),
    ("dateadd", 2, 2, "CAST(CAST(CAST($1 AS DATE) AS INT) + CAST($2 AS INT) AS DATE)"),
    ("date_sub", 2, 2, "CAST(CAST(CAST($1 AS DATE) AS INT) - CAST($2 AS INT) AS DATE)"),
    ("datediff", 2, 2, "CAST(CAST($1 AS DATE) AS INT) - CAST(CAST($2 AS DATE) AS INT)"),
    ("date_diff", 2, 2, "CAST(CAST($1 AS DATE) AS INT) - CAST(CAST($2 AS DATE) AS INT)"),
    (
        "last_day",
        1,
        1,
        "CAST(date_trunc('month', CAST($1 AS DATE)) + INTERVAL '1 month' - INTERVAL '1 day' AS DATE)",
    ),
    ("unix_date", 1, 1, "CAST(CAST($1 AS DATE) AS INT)"),
    ("unix_timestamp", 0, 0, "CAST(floor(date_part('epoch', now())) AS BIGINT)"),
    ("unix_timestamp", 1, 1, "CAST(floor(date_part('epoch', CAST($1 AS TIMESTAMP))) AS BIGINT)"),
    ("curdate", 0, 0, "current_date()"),
    ("getdate", 0, 0, "now()"),
    // Spark's gives NULL if any argument is.
    ("concat", 1, 64, "||"),
    ("log", 1, 1, "ln($1)"),
    ("log1p", 1, 1, "ln(1 + ($1))"),
    ("expm1", 1, 1, "exp($1) - 1"),
    ("e", 0, 0, "exp(1)"),
    ("hypot", 2, 2, "sqrt(($1) * ($1) + ($2) * ($2))"),
    ("rint", 1, 1, "bround($1)"),
    ("negative", 1, 1, "-($1)"),
    ("positive", 1, 1, "($1)"),
    ("pmod", 2, 2, "CASE WHEN ($1) % ($2) < 0 THEN (($1) % ($2) + ($2)) % ($2) ELSE ($1) % ($2) END"),
    ("shiftleft", 2, 2, "($1) << ($2)"),
    ("shiftright", 2, 2, "($1) >> ($2)"),
    ("base64", 1, 1, "encode($1, 'base64pad')"),
    ("unbase64", 1, 1, "decode(rtrim($1, '='), 'base64')"),
    ("sha", 1, 1, "sha1($1)"),
    ("char", 1, 1, "chr($1)"),
    ("startswith", 2, 2, "starts_with($1, $2)"),
    ("endswith", 2, 2, "ends_with($1, $2)"),
    ("space", 1, 1, "repeat(' ', $1)"),
    ("sort_array", 1, 1, "array_sort($1, 'ASC', 'NULLS FIRST')"),
    ("array_size", 1, 1, "CAST(array_length($1) AS INT)"),
    ("array_prepend", 2, 2, "array_prepend($2, $1)"),
    ("slice", 3, 3, "array_slice($1, $2, ($2) + ($3) - 1)"),
    ("map_contains_key", 2, 2, "array_has(map_keys($1), $2)"),
    ("map_from_arrays", 2, 2, "map($1, $2)"),
    ("max_by", 2, 2, "first_value($1 ORDER BY $2 DESC) FILTER (WHERE ($2) IS NOT NULL)"),
    ("min_by", 2, 2, "first_value($1 ORDER BY $2) FILTER (WHERE ($2) IS NOT NULL)"),
    ("percentile", 2, 2, "percentile_cont($1, $2)"),
    ("every", 1, 1, "bool_and($1)"),
    ("dayname", 1, 1, "to_char(CAST($1 AS DATE), '%a')"),
    ("monthname", 1, 1, "to_char(CAST($1 AS DATE), '%b')"),
    ("timestamp_seconds", 1, 1, "to_timestamp_seconds($1)"),
    ("timestamp_millis", 1, 1, "to_timestamp_millis($1)"),
    ("date_from_unix_date", 1, 1, "CAST(CAST($1 AS INT) AS DATE)"),
    ("unix_seconds", 1, 1, "CAST(floor(date_part('epoch', CAST($1 AS TIMESTAMP))) AS BIGINT)"),
    ("to_unix_timestamp", 1, 1, "CAST(floor(date_part('epoch', CAST($1 AS TIMESTAMP))) AS BIGINT)"),
    ("localtimestamp", 0, 0, "now()"),
    ("binary", 1, 1, "CAST($1 AS BYTEA)"),
    ("ucase", 1, 1, "upper($1)"),
    ("lcase", 1, 1, "lower($1)"),
    ("locate", 2, 2, "strpos($2, $1)"),
    ("charindex", 2, 2, "strpos($2, $1)"),
    ("len", 1, 1, "character_length($1)"),
    ("regexp_replace", 3, 3, "regexp_replace($1, $2, $3, 'g')"),
    ("regexp", 2, 2, "regexp_like($1, $2)"),
    ("rlike", 2, 2, "regexp_like($1, $2)"),
    ("if", 3, 3, "CASE WHEN $1 THEN $2 ELSE $3 END"),
    ("iff", 3, 3, "CASE WHEN $1 THEN $2 ELSE $3 END"),
    ("isnull", 1, 1, "($1) IS NULL"),
    ("isnotnull", 1, 1, "($1) IS NOT NULL"),
    ("int", 1, 1, "CAST($1 AS INT)"),
    ("bigint", 1, 1, "CAST($1 AS BIGINT)"),
    ("smallint", 1, 1, "CAST($1 AS SMALLINT)"),
    ("tinyint", 1, 1, "CAST($1 AS TINYINT)"),
    ("double", 1, 1, "CAST($1 AS DOUBLE)"),
    ("float", 1, 1, "CAST($1 AS REAL)"),
    ("string", 1, 1, "CAST($1 AS STRING)"),
    ("boolean", 1, 1, "CAST($1 AS BOOLEAN)"),
    ("date", 1, 1, "CAST($1 AS DATE)"),
    ("timestamp", 1, 1, "CAST($1 AS TIMESTAMP)"),
    ("size", 1, 1, "cardinality($1)"),
    ("element_at", 2, 2, "array_element($1, $2)"),
    ("explode", 1, 1, "unnest($1)"),
    ("array", 0, 64, "make_array($*)"),
    ("collect_list", 1, 1, "array_agg($1) FILTER (WHERE ($1) IS NOT NULL)"),
    ("collect_set", 1, 1, "array_agg(DISTINCT $1) FILTER (WHERE ($1) IS NOT NULL)"),
    ("approx_count_distinct", 1, 1, "approx_distinct($1)"),
    ("percentile_approx", 2, 2, "approx_percentile_cont($1, $2)"),
    ("approx_percentile", 2, 2, "approx_percentile_cont($1, $2)"),
    ("count_if", 1, 1, "count(CASE WHEN $1 THEN 1 END)"),
    ("first", 1, 1, "first_value($1)"),
    ("last", 1, 1, "last_value($1)"),
    ("any_value", 1, 1, "first_value($1)"),
    ("some", 1, 1, "bool_or($1)"),
    ("std", 1, 1, "stddev($1)"),
    ("variance", 1, 1, "var_samp($1)"),
    ("typeof", 1, 1, "arrow_typeof($1)"),
    ("rand", 0, 0, "random()"),
    ("ceiling", 1, 1, "ceil($1)"),
    ("sign", 1, 1, "signum($1)"),
    ("mod", 2, 2, "($1) % ($2)"),
    ("try_divide", 2, 2, "CASE WHEN ($2) = 0 THEN NULL ELSE CAST($1 AS DOUBLE) / ($2) END"),
];

/// All names, for completion.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    let named = FUNCTIONS.iter().map(|row| row.0).chain(format::NAMES.iter().copied());
    named.chain(special::NAMES.iter().copied()).chain(computed().map(|row| row.name))
}

fn computed() -> impl Iterator<Item = &'static rows::RowFunction> {
    text::FUNCTIONS.iter().chain(calendar::FUNCTIONS)
}

/// The functions that are computed here.
pub(super) fn functions() -> Vec<Arc<ScalarUDF>> {
    computed().map(|row| Arc::new(rows::udf(row))).collect()
}

/// Least and most arguments of a function that is a template; none if it is none.
pub(super) fn arity(name: &str) -> Option<(usize, usize)> {
    let all: Vec<_> = FUNCTIONS.iter().filter(|row| row.0 == name).collect();
    Some((all.iter().map(|row| row.1).min()?, all.iter().map(|row| row.2).max()?))
}

/// `a DIV b` in the parser's words; as the name of a column or a function `div` stays.
pub(super) fn with_div(mut words: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let is_blank = |t: &Token| matches!(t, Token::Whitespace(_));
    for at in 0..words.len() {
        let is_div = matches!(&words[at].token, Token::Word(w) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case("div"));
        let before = words[..at].iter().rev().find(|t| !is_blank(&t.token));
        let after = words[at + 1..].iter().find(|t| !is_blank(&t.token));
        let ends = |t: &TokenWithSpan| match &t.token {
            Token::Number(..) | Token::RParen | Token::RBracket => true,
            Token::Word(w) => w.keyword == Keyword::NoKeyword || w.quote_style.is_some(),
            _ => false,
        };
        let starts = |t: &TokenWithSpan| match &t.token {
            Token::Number(..) | Token::LParen | Token::Minus => true,
            Token::Word(w) => w.keyword == Keyword::NoKeyword || w.quote_style.is_some(),
            _ => false,
        };
        if is_div && before.is_some_and(ends) && after.is_some_and(starts) {
            words[at].token = Token::DuckIntDiv;
        }
    }
    words
}

/// Puts the engine's functions in the place of Spark's, and its types in that of Spark's.
pub(super) fn translate(statement: &mut Statement) {
    match statement {
        Statement::Explain(explain) => translate(&mut explain.statement),
        Statement::Statement(inner) => {
            if let ast::Statement::Query(query) = inner.as_mut() {
                name_as_written(&mut query.body);
            }
            // Nothing breaks it off.
            let _ = inner.visit(&mut Functions);
        }
        _ => {}
    }
}

/// A column whose expression is about to change is called as it was written.
fn name_as_written(body: &mut SetExpr) {
    match body {
        SetExpr::Query(query) => name_as_written(&mut query.body),
        SetExpr::SetOperation { left, .. } => name_as_written(left),
        SetExpr::Select(select) => {
            for item in &mut select.projection {
                let SelectItem::UnnamedExpr(expr) = item else { continue };
                let mut changed = expr.clone();
                let _ = changed.visit(&mut Functions);
                if changed != *expr {
                    let alias = Ident::with_quote('"', expr.to_string());
                    *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
                }
            }
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
    let arguments = plain_arguments(function)?;
    let known = format::translate(&name, &arguments).or_else(|| special::translate(&name, &arguments));
    if known.is_some() {
        return known;
    }
    let fits = |row: &&Row| row.0 == name && (row.1..=row.2).contains(&arguments.len());
    let (_, _, _, template) = FUNCTIONS.iter().find(fits)?;
    if *template == "||" {
        return joined(&arguments);
    }
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

/// `a || b || c`, each as text.
fn joined(arguments: &[Expr]) -> Option<Expr> {
    let mut texts = arguments.iter().map(|a| match a {
        Expr::Value(v) if matches!(v.value, Value::SingleQuotedString(_)) => Some(a.clone()),
        other => filled("CAST($1 AS STRING)", std::slice::from_ref(other)),
    });
    let first = texts.next()??;
    texts.try_fold(first, |before, next| {
        Some(Expr::BinaryOp {
            left: Box::new(before),
            op: ast::BinaryOperator::StringConcat,
            right: Box::new(next?),
        })
    })
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
                (0..(*most).min(3)).map(|n| Expr::Identifier(Ident::new(format!("a{n}")))).collect();
            if *template != "||" {
                let filled = filled(template, &arguments).unwrap_or_else(|| panic!("{name}: {template}"));
                assert!(!filled.to_string().contains('$'), "{name}: {filled}");
            }
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
            "SELECT CAST(a AS STRING) || '-' || CAST(b AS STRING) AS c, CAST(a AS BIGINT) AS l FROM t"
        );
        assert_eq!(translated("select count(distinct a) from t"), "SELECT count(DISTINCT a) FROM t");
        assert_eq!(
            translated("select first(a) over (order by b) as f, if(a - 1 > 0, 1, 2) as i from t"),
            "SELECT first_value(a) OVER (ORDER BY b) AS f, CASE WHEN (a - 1 > 0) THEN 1 ELSE 2 END AS i FROM t"
        );
    }
}
