//! Reading only: what is not a query or a look at names is refused before it is planned. So are
//! clauses that the engine would pass over without a word, which would make the result wrong.

use std::ops::ControlFlow;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{self, SetExpr, TableFactor, Visit, Visitor};

use crate::model::{Fault, Outcome};

/// Lets through queries, `EXPLAIN` of queries, `DESCRIBE` and `SHOW`.
pub(super) fn check(statement: &Statement) -> Outcome<()> {
    match statement {
        Statement::Explain(explain) => check(&explain.statement),
        Statement::CreateExternalTable(_) => Err(read_only("CREATE")),
        Statement::CopyTo(_) => Err(read_only("COPY")),
        Statement::Reset(_) => Err(no_settings()),
        Statement::Statement(inner) => check_inner(inner),
    }
}

fn check_inner(statement: &ast::Statement) -> Outcome<()> {
    use ast::Statement as S;
    match statement {
        S::Query(_) | S::Explain { .. } => {}
        S::ExplainTable { .. } | S::ShowColumns { .. } | S::ShowTables { .. } => return Ok(()),
        S::ShowFunctions { .. } | S::ShowVariable { .. } | S::ShowVariables { .. } => return Ok(()),
        S::Set(_) | S::Use(_) => return Err(no_settings()),
        other => {
            let text = other.to_string();
            return Err(read_only(text.split_whitespace().next().unwrap_or("This statement")));
        }
    }
    match statement.visit(&mut Inside) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(fault) => Err(fault),
    }
}

/// Finds changes inside a query (`WITH … INSERT`, `SELECT … INTO`), and clauses passed over.
struct Inside;

impl Visitor for Inside {
    type Break = Fault;

    fn pre_visit_query(&mut self, query: &ast::Query) -> ControlFlow<Fault> {
        match changes(&query.body) {
            Some(word) => ControlFlow::Break(read_only(word)),
            None if !query.locks.is_empty() => {
                let fault = Fault::usage("unsupported-sql", "FOR UPDATE and FOR SHARE lock nothing here");
                ControlFlow::Break(fault.hint("Leave the clause out"))
            }
            None => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_select(&mut self, select: &ast::Select) -> ControlFlow<Fault> {
        let (ast::GroupByExpr::All(modifiers) | ast::GroupByExpr::Expressions(_, modifiers)) =
            &select.group_by;
        if select.into.is_some() {
            return ControlFlow::Break(read_only("SELECT INTO"));
        }
        if let Some(modifier) = modifiers.first() {
            let fault =
                Fault::usage("unsupported-sql", format!("{modifier} is not supported after GROUP BY"));
            return ControlFlow::Break(
                fault.hint("GROUP BY ROLLUP (a, b), CUBE (a, b) or GROUPING SETS ((a, b), (a), ())"),
            );
        }
        if !select.connect_by.is_empty() {
            let fault = Fault::usage("unsupported-sql", "CONNECT BY is not supported in a query");
            return ControlFlow::Break(fault.hint("WITH RECURSIVE does the same"));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<Fault> {
        if matches!(factor, TableFactor::Pivot { .. } | TableFactor::Unpivot { .. }) {
            let fault = Fault::usage("unsupported-sql", "PIVOT and UNPIVOT are not supported in a query");
            return ControlFlow::Break(
                fault.hint("sum(x) FILTER (WHERE key = 'a') AS a, … with GROUP BY; or UNION ALL"),
            );
        }
        let TableFactor::Table { version, sample, partitions, json_path, with_hints, index_hints, .. } =
            factor
        else {
            return ControlFlow::Continue(());
        };
        let passed_over = [
            (version.is_some(), "The version of a table"),
            (sample.is_some(), "TABLESAMPLE"),
            (!partitions.is_empty(), "PARTITION of a table"),
            (json_path.is_some(), "A path into a table"),
            (!with_hints.is_empty() || !index_hints.is_empty(), "WITH (…) after a table"),
        ];
        match passed_over.iter().find(|(there, _)| *there) {
            Some((_, what)) => ControlFlow::Break(Fault::usage(
                "unsupported-sql",
                format!("{what} is not supported in a query"),
            )),
            None => ControlFlow::Continue(()),
        }
    }

    /// The engine compares with some of the rows where all are meant.
    fn pre_visit_expr(&mut self, expr: &ast::Expr) -> ControlFlow<Fault> {
        match expr {
            ast::Expr::AllOp { .. } => ControlFlow::Break(
                Fault::usage("unsupported-sql", "ALL (…) is not supported in a query")
                    .hint("Compare with (SELECT max(x) …) or (SELECT min(x) …)"),
            ),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_statement(&mut self, statement: &ast::Statement) -> ControlFlow<Fault> {
        match statement {
            ast::Statement::Query(_) | ast::Statement::Explain { .. } => ControlFlow::Continue(()),
            _ => ControlFlow::Break(read_only("A statement inside a query")),
        }
    }
}

fn changes(body: &SetExpr) -> Option<&'static str> {
    match body {
        SetExpr::Insert(_) => Some("INSERT"),
        SetExpr::Update(_) => Some("UPDATE"),
        SetExpr::Delete(_) => Some("DELETE"),
        SetExpr::Merge(_) => Some("MERGE"),
        SetExpr::SetOperation { left, right, .. } => changes(left).or_else(|| changes(right)),
        SetExpr::Query(_) | SetExpr::Select(_) | SetExpr::Values(_) | SetExpr::Table(_) => None,
    }
}

/// The fault for a change in the place of a query.
pub(super) fn read_only(what: &str) -> Fault {
    Fault::refused("read-only", format!("{what} changes data, and a query does not"))
        .because("Where a query stands, nothing is changed")
        .hint("OPTIMIZE, REORG and VACUUM by themselves show their plan, and run with --yes --allow-writes")
}

fn no_settings() -> Fault {
    Fault::usage("unsupported-sql", "Session settings cannot be changed here")
        .hint("Leave the statement out; limits of time and memory stand in the configuration")
}

#[cfg(test)]
mod tests {
    use datafusion::sql::parser::DFParserBuilder;

    use super::super::split::tokens;
    use super::*;

    fn verdict(text: &str) -> Outcome<()> {
        let tokens = tokens(text)?;
        let mut parser = DFParserBuilder::new(tokens).build().unwrap();
        check(&parser.parse_statement().unwrap())
    }

    /// The engine would leave them out of the plan, and the rows would be others.
    #[test]
    fn clauses_that_would_be_passed_over_are_refused() {
        for text in [
            "select k, sum(n) from t group by k with rollup",
            "select k, sum(n) from t group by k with cube",
            "select k, s from t group by k, s grouping sets ((k), (s))",
            "select k from t connect by k = 1",
            "select k from t for update",
        ] {
            assert_eq!(verdict(text).map_err(|f| f.code), Err("unsupported-sql"), "{text}");
        }
        assert_eq!(verdict("select k, sum(n) from t group by rollup (k)"), Ok(()));
        assert_eq!(verdict("select k, sum(n) from t group by grouping sets ((k), ())"), Ok(()));
    }

    #[test]
    fn queries_and_looks_pass() {
        for text in [
            "select 1",
            "with a as (select 1) select * from a union all values (2)",
            "explain analyze select 1",
            "describe t",
            "show tables",
            "select \"insert\" from t",
        ] {
            assert_eq!(verdict(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn a_sample_is_not_passed_over() {
        let fault = verdict("select * from (select * from t tablesample (10 percent)) x").unwrap_err();
        assert_eq!((fault.code, fault.exit_status()), ("unsupported-sql", 2));
    }

    #[test]
    fn changes_are_refused() {
        for text in [
            "insert into t values (1)",
            "explain insert into t values (1)",
            "with a as (select 1) insert into t select * from a",
            "select * into x from t",
            "delete from t",
            "create external table x stored as csv location '/etc/passwd'",
            "copy (select 1) to '/tmp/x.csv'",
            "drop table t",
        ] {
            let fault = verdict(text).unwrap_err();
            assert_eq!((fault.code, fault.exit_status()), ("read-only", 5), "{text}");
        }
    }
}
