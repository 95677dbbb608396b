//! EXPLAIN: what a query reads, from the plan that really runs.

use deltop::lake::sql::Origin;
use deltop::model::query_plan::QueryPlan;

use super::*;
use crate::support::lake::Lake;

fn plan(session: &Session, sql: &str, analyze: bool) -> Arc<QueryPlan> {
    runtime()
        .block_on(session.0.explain_at(sql, Origin::default(), analyze))
        .unwrap_or_else(|f| panic!("{sql}: {f:?}"))
}

#[test]
fn partitions_drop_files_and_say_so() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    let plan = plan(&session, "select sum(amount) from sales where REGION = 'north'", false);
    let scan = &plan.scans[0];
    assert_eq!((scan.table.as_str(), scan.version), ("sales", Some(3)));
    assert_eq!(
        (scan.total.files, scan.after_partitions.unwrap().files, scan.after_statistics.files),
        (4, 1, 1)
    );
    assert_eq!(scan.partition.as_deref(), Some("region=north"));
    let fates: Vec<_> = scan.files.iter().map(|f| (f.kept, f.reason)).collect();
    assert_eq!(fates.iter().filter(|f| **f == (false, Some("partition"))).count(), 3);
    assert!(
        scan.sentence().starts_with("sales v3: reads only region=north: 1 of 4 files"),
        "{}",
        scan.sentence()
    );
    assert!(scan.predicate.as_deref().unwrap().contains("region"), "{scan:?}");
    assert_eq!(plan.millis, None);
}

#[test]
fn statistics_drop_files_too() {
    let Some(tables) = shared_tables() else { return };
    let session = Session::open(&tables.join("gen__sales"));
    let plan = plan(&session, "select * from salesorderdetail where SalesOrderID = 1", false);
    let scan = &plan.scans[0];
    assert!(scan.after_statistics.files < scan.total.files, "{:?}", scan.stages());
    assert!(scan.files.iter().all(|f| f.kept != (f.reason == Some("statistics"))));
}

#[test]
fn analyze_tells_rows_and_time_of_each_step() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    let plan = plan(
        &session,
        "select s.region, count(*) from sales s join product p on s.id = p.product_id group by 1",
        true,
    );
    assert_eq!(plan.rows, Some(2));
    assert_eq!(plan.scans.len(), 2);
    assert!(plan.millis.is_some());
    let reader = plan.nodes.iter().find(|n| n.name == "DeltaScanExec").unwrap();
    assert!(reader.rows.is_some(), "{plan:?}");
    assert!(
        plan.scans.iter().all(|s| s.bytes_read.unwrap() > 0 && s.row_groups.is_some()),
        "{:?}",
        plan.scans
    );
    let rows = session.rows("explain select * from sales");
    let kinds: Vec<_> = rows.iter().map(|r| r["plan_type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["reads", "physical_plan", "logical_plan"]);
    assert!(rows[0]["plan"].as_str().unwrap().starts_with("sales v3: reads all of 4 files"));
}

#[test]
fn counting_reads_no_file() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    let plan = plan(&session, "select count(*) from sales", false);
    assert!(plan.scans[0].from_log, "{plan:?}");
    assert!(plan.scans[0].sentence().ends_with("no data file is read"));
}
