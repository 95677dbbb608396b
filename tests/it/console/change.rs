//! Statements that change a table, typed in the console.

use std::fs;

use crate::support::journey::Journey;
use crate::support::lake::Lake;

fn versions(lake: &Lake) -> usize {
    let log = fs::read_dir(lake.table("sales").join("_delta_log")).unwrap();
    log.filter(|e| e.as_ref().is_ok_and(|e| e.path().extension().is_some_and(|x| x == "json"))).count()
}

#[test]
fn optimize_leads_to_its_plan_the_question_and_the_task() {
    let lake = Lake::new();
    let j = Journey::writing(lake.table("sales").to_str().unwrap(), 120, 40);
    j.sees("600 rows").keys("6i<C-l>select count(*) as before from t<F5>").sees("before");
    j.keys("<C-l>OPTIMIZE sales WHERE region = 'south'<F5>").sees("Compact where region = 'south'");
    assert_eq!(versions(&lake), 4, "a plan touches nothing");
    // The result of before is still there.
    j.keys("<A-6>").sees("1 row").keys("<A-7>").sees("Compact where").keys("<Enter>").sees("Run this plan?");
    j.keys("<Enter>").sees("v4 latest");
    assert_eq!(versions(&lake), 5);
    let commit =
        fs::read_to_string(lake.table("sales").join("_delta_log/00000000000000000004.json")).unwrap();
    assert!(commit.contains("\"remove\"") && !commit.contains("region=north"), "{commit}");
    j.keys("<A-6>")
        .sees("OPTIMIZE sales")
        .keys("<C-l>select count(*) as n from sales<F5>")
        .sees("600")
        .keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn vacuum_and_reorg_too_and_read_only_shows_the_plan_alone() {
    let lake = Lake::new();
    let j = Journey::start(lake.table("sales").to_str().unwrap(), 120, 40);
    j.sees("600 rows").keys("6i<C-l>vacuum t retain 200 hours dry run<F5>").sees("Vacuum").sees("200 h");
    j.keys("<Enter>").sees("ead-only: start with --allow-writes");
    j.keys("<A-6>").sees("vacuum t retain").keys("<C-l>reorg table sales apply (purge)<F5>").sees("Purge");
    j.keys("<A-6>")
        .sees("reorg table")
        .keys("<C-l>optimize sales zorder by id id<F5>")
        .sees("line 1, column");
    let product = lake.table("product");
    j.keys("<C-l>").paste(&format!("vacuum delta.`{}`", product.display()));
    j.keys("<F5>").sees("The table on the screen is sales");
    j.keys("<C-l>delete from sales where id = 1<F5>")
        .sees("DELETE cannot be run here yet; nothing was changed")
        .keys("<Esc>q");
    assert_eq!(j.ends(), 0);
    assert_eq!(versions(&lake), 4);
}
