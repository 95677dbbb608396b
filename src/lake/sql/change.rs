//! Statements that change a table, in Delta's words, as what the change engine takes.

use datafusion::sql::sqlparser::tokenizer::TokenWithSpan;

use super::cursor::{Cursor, Name};
use crate::model::Outcome;
use crate::model::change::{Change, Codec, Goal, Order, Rewrite, Scope, Vacuum};
use crate::model::plan::vacuum::Mode;

/// A statement that changes a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlChange {
    /// The table's name as it was written, with its qualifiers.
    pub table: Vec<String>,
    /// The statement's first word, in capitals.
    pub verb: &'static str,
    pub change: Change,
    /// Only the plan is wanted (`VACUUM … DRY RUN`).
    pub dry_run: bool,
}

/// Reads such a statement; none if it is another one.
///
/// # Errors
/// `invalid-sql` with the place.
pub(super) fn parse(words: &[TokenWithSpan]) -> Outcome<Option<SqlChange>> {
    let mut c = Cursor::new(words);
    let found = if c.eat(&["OPTIMIZE"]) {
        optimize(&mut c)?
    } else if c.eat(&["REORG", "TABLE"]) || c.eat(&["REORG"]) {
        reorg(&mut c)?
    } else if c.eat(&["VACUUM"]) {
        vacuum(&mut c)?
    } else {
        return Ok(None);
    };
    c.end("the end of the statement")?;
    Ok(Some(found))
}

/// `OPTIMIZE t [FULL] [WHERE predicate] [ZORDER BY (a, b)]`
fn optimize(c: &mut Cursor<'_>) -> Outcome<SqlChange> {
    let table = c.table()?;
    let scope = scope(c, &[&["ZORDER"]])?;
    let order = if c.eat(&["ZORDER", "BY"]) { Order::ZOrder(columns(c)?) } else { Order::Kept };
    Ok(rewrite(table, "OPTIMIZE", scope, order, false))
}

/// `REORG TABLE t [WHERE predicate] APPLY (PURGE)`
fn reorg(c: &mut Cursor<'_>) -> Outcome<SqlChange> {
    let table = c.table()?;
    let scope = scope(c, &[&["APPLY"]])?;
    if !c.eat(&["APPLY"]) {
        return Err(c.expected("APPLY (PURGE)"));
    }
    let names = c.names_in_brackets("PURGE")?;
    if !matches!(&names[..], [one] if one.eq_ignore_ascii_case("PURGE")) {
        return Err(c.expected("APPLY (PURGE)"));
    }
    let mut purge = rewrite(table, "REORG", scope, Order::Kept, true);
    if let Change::Rewrite(rewrite) = &mut purge.change {
        rewrite.goal = Goal::Each;
    }
    Ok(purge)
}

fn rewrite(table: Name, verb: &'static str, scope: Scope, order: Order, purge: bool) -> SqlChange {
    let change = Change::Rewrite(Rewrite {
        goal: Goal::Compact { target: None },
        scope,
        order,
        codec: Codec::default(),
        row_group_rows: None,
        purge,
        stats: false,
        all: false,
    });
    SqlChange { table, verb, change, dry_run: false }
}

fn scope(c: &mut Cursor<'_>, ends: &[&[&str]]) -> Outcome<Scope> {
    if !c.eat(&["WHERE"]) {
        return Ok(Scope::Table);
    }
    let predicate = c.text_until(ends);
    if predicate.is_empty() {
        Err(c.expected("a condition on partition columns"))
    } else {
        Ok(Scope::Where(predicate))
    }
}

/// `(a, b)`; Spark takes them without brackets too.
fn columns(c: &mut Cursor<'_>) -> Outcome<Vec<String>> {
    use datafusion::sql::sqlparser::tokenizer::Token;
    if c.peek() == Some(&Token::LParen) {
        return c.names_in_brackets("a column");
    }
    let mut out = Vec::new();
    loop {
        out.push(c.word().ok_or_else(|| c.expected("a column"))?);
        if !c.eat_sign(&Token::Comma) {
            return Ok(out);
        }
    }
}

/// `VACUUM t [FULL | LITE] [RETAIN n HOURS] [DRY RUN]`
fn vacuum(c: &mut Cursor<'_>) -> Outcome<SqlChange> {
    let table = c.table()?;
    let (mut mode, mut retain_hours, mut dry_run) = (None, None, false);
    while !c.at_end() {
        if mode.is_none() && c.eat(&["FULL"]) {
            mode = Some(Mode::Full);
        } else if mode.is_none() && c.eat(&["LITE"]) {
            mode = Some(Mode::Lite);
        } else if retain_hours.is_none() && c.eat(&["RETAIN"]) {
            retain_hours = Some(hours(c)?);
        } else if !dry_run && c.eat(&["DRY", "RUN"]) {
            dry_run = true;
        } else {
            return Err(c.expected("FULL, LITE, RETAIN n HOURS or DRY RUN"));
        }
    }
    let change = Change::Vacuum(Vacuum {
        // As Spark's VACUUM, which lists the table's folder.
        mode: mode.unwrap_or(Mode::Full),
        retain_hours,
        below_safe_retention: false,
        include_never_referenced: false,
    });
    Ok(SqlChange { table, verb: "VACUUM", change, dry_run })
}

fn hours(c: &mut Cursor<'_>) -> Outcome<u64> {
    let number = c.integer("a number of hours, such as RETAIN 168 HOURS")?;
    if c.eat(&["DAYS"]) || c.eat(&["DAY"]) {
        return Ok(number.saturating_mul(24));
    }
    if c.eat(&["HOURS"]) || c.eat(&["HOUR"]) { Ok(number) } else { Err(c.expected("HOURS")) }
}

#[cfg(test)]
mod tests {
    use super::super::split::tokens;
    use super::*;

    fn change(text: &str) -> SqlChange {
        parse(&tokens(text).unwrap()).unwrap().unwrap_or_else(|| panic!("{text}"))
    }

    fn fault(text: &str) -> String {
        let fault = parse(&tokens(text).unwrap()).unwrap_err();
        format!("{}: {}", fault.message, fault.cause)
    }

    #[test]
    fn optimize_with_scope_and_order() {
        let found = change("optimize dbo.sales where year = 2024 and (month in (1, 2)) zorder by (a, `B c`)");
        assert_eq!((found.verb, found.table), ("OPTIMIZE", vec!["dbo".to_owned(), "sales".to_owned()]));
        let Change::Rewrite(rewrite) = found.change else { panic!() };
        assert_eq!(rewrite.scope, Scope::Where("year = 2024 and (month in (1, 2))".into()));
        assert_eq!(rewrite.order, Order::ZOrder(vec!["a".into(), "B c".into()]));
        assert_eq!(rewrite.goal, Goal::Compact { target: None });
    }

    #[test]
    fn vacuum_in_any_order() {
        let found = change("VACUUM t DRY RUN RETAIN 7 DAYS;");
        assert!(found.dry_run);
        let Change::Vacuum(vacuum) = found.change else { panic!() };
        assert_eq!((vacuum.mode, vacuum.retain_hours), (Mode::Full, Some(168)));
        let Change::Vacuum(lite) = change("vacuum t lite").change else { panic!() };
        assert_eq!((lite.mode, lite.retain_hours), (Mode::Lite, None));
    }

    #[test]
    fn reorg_purges() {
        let Change::Rewrite(rewrite) = change("REORG TABLE t APPLY (PURGE)").change else { panic!() };
        assert!(rewrite.purge && rewrite.goal == Goal::Each);
    }

    #[test]
    fn slips_are_told_with_their_place() {
        assert!(
            fault("optimize t zorder by ()").contains("line 1, column 23, near \")\": expected a column")
        );
        assert!(fault("vacuum t retain many hours").contains("near \"many\""));
        assert!(fault("vacuum t retain 5").contains("the end: expected HOURS"));
        assert!(fault("optimize t where zorder by (a)").contains("expected a condition"));
        assert!(fault("vacuum t quickly").contains("expected FULL, LITE"));
        assert!(fault("optimize").contains("expected a table"));
    }
}
