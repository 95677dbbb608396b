//! What the console's windows look like.

use std::sync::Arc;

use deltop::app::JobEvent;
use deltop::model::query_plan::{FileFate, Node, Pruned, QueryPlan, Scan, Share};

use crate::support::screen::{Screen, World, sales};

fn pictures(name: &str, world: fn() -> World, keys: &str) {
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
        let picture = Screen::new(world(), width, height).press(keys).picture();
        insta::assert_snapshot!(format!("console_{name}_{width}x{height}"), picture);
    }
}

/// A plan that ran: a join of two tables, one of them with a condition.
fn analyzed() -> World {
    let node = |depth, name: &str, detail: &str, rows, nanos, scan| Node {
        depth,
        name: name.into(),
        detail: detail.into(),
        rows: Some(rows),
        nanos: Some(nanos),
        metrics: vec![("output_batches".into(), "4".into())],
        scan,
        ..Node::default()
    };
    let fate = |path: &str, reason: Option<&'static str>| FileFate {
        path: path.into(),
        bytes: 9_000_000,
        kept: reason.is_none(),
        reason,
        row_groups: None,
    };
    let share = |files| Share { files, bytes: files * 9_000_000 };
    let sales = Scan {
        table: "dbo.sales".into(),
        version: Some(133),
        total: share(4),
        after_partitions: Some(share(2)),
        after_statistics: share(1),
        predicate: Some("year = 2024 AND amount > 900".into()),
        partition: Some("year=2024/month=6".into()),
        files: vec![
            fate("year=2024/month=6/part-00003.parquet", None),
            fate("year=2024/month=5/part-00002.parquet", Some("statistics")),
            fate("year=2023/month=1/part-00000.parquet", Some("partition")),
            fate("year=2023/month=2/part-00001.parquet", Some("partition")),
        ],
        row_groups: Some(Pruned { total: 8, pruned: 6 }),
        bytes_read: Some(1_234_567),
        ..Scan::default()
    };
    let product = Scan {
        table: "dbo.product".into(),
        version: Some(0),
        total: share(1),
        after_statistics: share(1),
        files: vec![fate("part-0.parquet", None)],
        ..Scan::default()
    };
    let mut plan = QueryPlan {
        scans: vec![sales, product],
        nodes: vec![
            node(0, "SortPreservingMergeExec", "[amount@1 DESC]", 3_610, 1_200_000, None),
            node(
                1,
                "HashJoinExec",
                "mode=CollectLeft, join_type=Inner, on=[(id, id)]",
                3_610,
                310_000_000,
                None,
            ),
            node(
                2,
                "DataSourceExec",
                "file_groups={1 group}, projection=[id, amount]",
                4_000,
                21_000_000,
                Some(0),
            ),
            node(2, "DataSourceExec", "file_groups={1 group}, projection=[id, name]", 150, 900_000, Some(1)),
        ],
        millis: Some(412),
        rows: Some(3_610),
    };
    plan.mark_slow();
    let events =
        vec![JobEvent::SqlPlan(Arc::new(plan)), JobEvent::SqlEnd { rows: 0, truncated: false, millis: 415 }];
    World { sql: events, ..sales_world() }
}

fn sales_world() -> World {
    sales()
}

#[test]
fn export_prompt() {
    pictures("export", sales, "6 F5 Esc E");
}

#[test]
fn plan_as_a_tree() {
    pictures("plan", analyzed, "6 F8 Esc");
    pictures("plan_files", analyzed, "6 F8 Esc g Enter");
    pictures("plan_step", analyzed, "6 F8 Esc Enter");
}

#[test]
fn runs_and_two_of_them() {
    pictures("runs", analyzed, "6 F8 F5 Alt-r");
    pictures("compare", analyzed, "6 F8 F5 Alt-r d");
}
