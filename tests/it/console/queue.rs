//! Statements that wait for the one that runs, and several one after the other.

use crate::support::journey::Journey;
use crate::support::lake::Lake;

/// Some 10¹⁷ rows: it would run for years.
const LONG: &str =
    "select count(*) from t a, t b, t c, t d, t e, t f where a.id + b.id + c.id + d.id + e.id > f.id";

fn console(lake: &Lake, text: &str) -> Journey {
    let j = Journey::start(lake.table("sales").to_str().unwrap(), 120, 40);
    j.sees("600 rows").keys("6i<C-l>").paste(text);
    j
}

#[test]
fn what_is_run_meanwhile_waits_and_can_be_cleared() {
    let lake = Lake::new();
    let j = console(&lake, LONG);
    j.keys("<F5>")
        .sees("running")
        .keys("<C-l>select 40 + 2 as answer<F5>")
        .sees("1 waits for the running query");
    j.sees("1 queued, Alt-q clears").keys("<A-q>").sees("1 statement will not run").sees_no("queued");
    j.keys("<F5>").sees("1 queued").keys("<A-r>").sees("waits").sees("running").keys("<Esc>");
    // The end of the one is the start of the other.
    j.keys("<C-c>").sees("42").sees("1 row").sees_no("queued");
    j.keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn all_statements_run_one_after_the_other() {
    let lake = Lake::new();
    let j = console(&lake, "select 11 as one; -- a note\nselect 22 as two;\nselect 33 as three;\n");
    j.keys("<F6>").sees("33").sees("three").keys("<A-r>").sees("#1").sees("#2").sees("#3");
    j.keys("jj<Enter>").sees("one").sees_no("three  ").sees("11").keys("i<C-l>");
    j.keys("select 1 as one;\nselect nothing;\nselect 3 as three<F6>")
        .sees("1 statement after it did not run");
    j.sees("nothing").sees("failed at line 2");
    // Behind the last `;` one is in the statement before.
    j.keys("<C-l>select 5 as first;\nselect 6 as last;\n<F5>").sees("last").sees("  6").keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}
