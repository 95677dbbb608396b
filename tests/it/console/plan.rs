//! EXPLAIN as a tree to walk in, and two runs side by side.

use crate::support::journey::Journey;
use crate::support::lake::Lake;

fn console(lake: &Lake, text: &str) -> Journey {
    let j = Journey::start(lake.table("sales").to_str().unwrap(), 120, 40);
    j.sees("600 rows").keys("6i<C-l>").paste(text);
    j
}

#[test]
fn a_plan_is_walked_through_to_the_files_that_are_read_and_dropped() {
    let lake = Lake::new();
    let j = console(&lake, "select id, count(*) as n from sales where region = 'south' group by id");
    // The south has three of the four files.
    j.keys("<F7>").sees("reads only region=south: 3 of 4 files").sees("1 dropped").sees("AggregateExec");
    j.sees("How it would run").sees("sales · 3 files");
    j.keys("<Esc>g<Enter>").sees("What the query reads").sees("Read (3 files");
    j.sees("not: partition").sees("compacted.parquet").sees("part-2.parquet").keys("<Esc>");
    // Folded, the funnel goes; from one of its lines one gets to its head.
    j.keys("g ").sees_no("after partitions").sees("▸ sales").keys("l").sees("after partitions");
    j.keys("jjh h").sees_no("after partitions").keys("l");
    // The steps fold too: from the last one to what it is part of, and that folds.
    j.keys("G").keys("h ").sees_no("DataSourceExec").keys(" ").sees("DataSourceExec");
    j.keys("<Enter>").sees("what it does").keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn analyze_tells_rows_and_time_of_each_step() {
    let lake = Lake::new();
    let j = console(&lake, "select a.id from sales a join sales b on a.id = b.id order by 1");
    // Each of 300 ids is twice in the table: 300 × 2 × 2.
    j.keys("<F8>").sees("as it ran · 1,200 rows").sees("share").sees("1,200 rows in");
    j.keys("<Esc>G<Enter>").sees("rows given").sees("600").keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn two_runs_are_compared() {
    let lake = Lake::new();
    let j = console(&lake, "select * from sales order by id");
    j.keys("<F5>").sees("600 rows · v3");
    j.keys("<C-l>").paste("select * from sales where region = 'south' order by id");
    j.keys("<F5>")
        .sees("300 rows · v3")
        .keys("<A-r>")
        .sees("Runs of this session")
        .sees("4 files")
        .sees("3 files");
    j.keys("d").sees("Two runs").sees("−50 %").sees("−25 %").sees("differs").sees("SortExec");
    j.keys("y");
    j.waits_for_copies(1);
    let text = j.copied().remove(0);
    for line in ["\t#1\t#2\n", "rows\t600\t300\t−50 %\n", "files\t4\t3\t−25 %\n", "version\tv3\tv3\tsame\n"]
    {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    // The result of the first comes back.
    j.keys("<Esc>").sees_no("Two runs").keys("j<Enter>").sees("600 rows · v3").sees_no("Runs of this");
    j.keys("R").sees("Runs of this session").sees("#2").keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}
