//! Scripted keys through the real event loop on real tables.

use deltop::app::msg::Keepsake;
use deltop::runtime::input::Input;
use serde_json::{Value, json};

use crate::support::headless::Demo;
use crate::support::journey::Journey;
use crate::support::lake::Lake;

#[test]
fn from_the_lakehouse_through_every_pane_to_a_query() {
    let lake = Lake::new();
    let j = Journey::start(lake.path().to_str().unwrap(), 100, 30);
    j.sees("product").sees("sales").sees("raw");
    j.keys("j<Enter>").sees("Overview").sees("600 rows");
    j.keys("2").sees("compacted.parquet").sees("part-2.parquet");
    j.keys("/south").sees_no("compacted.parquet").sees("part-0.parquet").keys("<Enter><Esc>");
    j.sees("compacted.parquet").keys("y");
    j.waits_for_copies(1);
    assert_eq!(j.copied(), ["region=north/compacted.parquet"]);
    j.keys("3").sees("north").sees("south");
    j.keys("5").sees("OPTIMIZE").sees("WRITE");
    j.keys("6i").keys("<C-l>");
    j.keys("select region, sum(amount) as total from t group by region order by region<F5>");
    j.sees("14850").keys("<Esc>").keys("q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn the_console_completes_explains_and_remembers() {
    let lake = Lake::new();
    let j = Journey::start(lake.table("sales").to_str().unwrap(), 110, 32);
    j.sees("600 rows").keys("6i<C-l>selec<Tab> * from sa<Tab> where reg<Tab>").sees("region");
    j.keys("<Enter> = <Tab>").sees("'north'").keys("<Enter><F5>").sees("300 rows");
    j.keys("<Esc>oo/299<Enter>").sees("299");
    j.keys("i<C-l>explain select * from sales where region = 'south'<F5>").sees("reads only region=south");
    j.keys("<Esc><Enter>").sees("What the query reads").sees("not: partition").keys("<Esc>");
    j.keys("H").sees("find:").keys("north<Enter>").sees("region = 'north'");
    j.keys("<Esc>q");
    let ran = |k: &Keepsake| matches!(k, Keepsake::Ran(text) if text == "SELECT * from sales where region = 'north'");
    assert_eq!(j.kept().iter().filter(|k| ran(k)).count(), 1, "{:?}", j.kept());
    assert_eq!(j.ends(), 0);
}

#[test]
fn through_the_history_and_back() {
    let demo = Demo::shared();
    let j = Journey::start(&demo.part("daily_snapshots"), 100, 40);
    j.sees("Overview").keys("5").sees("v49 down to v0");
    j.keys("<Enter>").sees("1 file added").keys("<Esc>");
    j.keys(" j d").sees("v47 → v49").sees("the rows changed").keys("<Esc>u");
    j.keys("t")
        .sees("appends, one every")
        .keys("R")
        .sees("oldest by log")
        .keys("f")
        .sees("all data files are there");
    // A query on the daily snapshots, run in the console.
    j.keys("D")
        .sees("Snapshot date: snapshot_date")
        .keys("s")
        .sees("snapshot_day")
        .keys("<F5>")
        .sees("num_rows");
    j.keys("<Esc>5<Esc>gjv").sees("THE PAST: version 48").keys("L").sees("v49 latest").keys("q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn a_place_without_tables_says_so() {
    let lake = Lake::new();
    let j = Journey::start(lake.home().to_str().unwrap(), 80, 24);
    j.sees("no Delta table here").keys("q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn a_wrong_query_leaves_the_screen_working() {
    let lake = Lake::new();
    let j = Journey::start(lake.table("product").to_str().unwrap(), 100, 30);
    j.sees("10 rows").keys("6i<C-l>select nothing from t<F5>").sees("nothing");
    j.keys("<Esc>1").sees("Overview").keys("q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn the_end_does_not_wait_for_a_query() {
    let lake = Lake::new();
    let j = Journey::start(lake.table("sales").to_str().unwrap(), 100, 30);
    // Some 10¹⁷ rows: it would run for years.
    let query =
        "select count(*) from t a, t b, t c, t d, t e, t f where a.id + b.id + c.id + d.id + e.id > f.id";
    j.sees("600 rows").keys("6i<C-l>").keys(query).keys("<F5>").sees("running");
    j.input(Input::End(143));
    assert_eq!(j.ends(), 143);
}

#[test]
fn suspending_draws_everything_again() {
    let lake = Lake::new();
    let j = Journey::start(lake.table("sales").to_str().unwrap(), 80, 24);
    j.sees("Overview").keys("<C-z>").waits_until_suspended(1);
    j.input(Input::Suspend).waits_until_suspended(2);
    j.input(Input::Continued).keys("2").sees("compacted.parquet").keys("q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn new_commits_come_by_themselves() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let j = Journey::following(table.to_str().unwrap(), 120, 40, 1);
    j.sees("v3 latest").sees("600 rows").sees("live 1s");
    let add = |path: &str| json!({"add": {"path": path, "partitionValues": {"region": "south"}, "size": 5, "modificationTime": 0, "dataChange": true, "stats": "{\"numRecords\":50}"}});
    let remove = |path: &str| json!({"remove": {"path": path, "deletionTimestamp": 0, "dataChange": false}});
    let commit = |version: u64, operation: &str, actions: &[Value]| {
        let info = json!({"commitInfo": {"operation": operation, "timestamp": 0}});
        let text: String = std::iter::once(&info).chain(actions).map(|a| format!("{a}\n")).collect();
        let name = table.join(format!("_delta_log/{version:020}.json"));
        // As writers do: a commit is there whole, or not at all.
        std::fs::write(name.with_extension("tmp"), text).unwrap();
        std::fs::rename(name.with_extension("tmp"), name).unwrap();
    };
    commit(4, "WRITE", &[add("region=south/new.parquet")]);
    j.sees("v4 latest").sees("650 rows").keys("2").sees("new.parquet");
    j.keys("5").sees("a minute").keys("F").sees("paused");
    commit(5, "MERGE", &[add("region=south/more.parquet")]);
    j.keys("r").sees("Version 4 → 5").sees("MERGE").sees("paused");
    j.keys("F").sees("live 1s");
    // The north's first file went with version 3.
    commit(6, "OPTIMIZE", &[remove("region=north/part-0.parquet"), add("region=south/again.parquet")]);
    j.sees("v6 latest").keys("1").sees("double-rewrite").sees("versions 3 and 6");
    j.keys("q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn from_the_findings_to_a_column_chunk() {
    let lake = Lake::new();
    let j = Journey::writing(lake.table("sales").to_str().unwrap(), 120, 40);
    j.sees("600 rows").sees("writes allowed").sees("Grade");
    j.keys("2").sees("compacted.parquet").keys("<Enter>").sees("row group").sees("rows in 1 row group");
    j.keys("<Enter>").sees("Row group 0").sees("amount").keys("<Enter>").sees("Column chunk");
    j.keys("<Esc><Esc><Esc>P").sees("4 files, all of them").sees("codecs");
    j.keys("<Esc>4").sees("depth").sees("amount");
    j.keys("T").sees("No task was started").keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}
