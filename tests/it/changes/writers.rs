//! Other writers at the same time: deltop commits second and notices.

use std::fs;

use deltop::model::change::Change;
use deltop::tune;
use serde_json::json;

use super::{change, commits, context, rows, to_files};
use crate::support::lake::Lake;
use crate::support::runtime;

/// Puts another writer's commit between deltop's plan and its run.
fn with_commit_between(action: serde_json::Value) -> (Lake, Result<(), (u8, &'static str)>) {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    let outcome = runtime().block_on(async {
        let planned = tune::plan(&Change::Rewrite(to_files(2)), &ctx).await.unwrap();
        let next = table.join(format!("_delta_log/{:020}.json", 4));
        fs::write(next, format!("{action}\n")).unwrap();
        tune::run(planned, &ctx).await
    });
    (lake, outcome.map(|_| ()).map_err(|f| (f.exit_status(), f.code)))
}

#[test]
fn a_removed_input_is_a_conflict_even_without_a_change_of_data() {
    for data_change in [true, false] {
        let remove = json!({"remove": {"path": "region=south/part-1.parquet", "dataChange": data_change}});
        let (lake, outcome) = with_commit_between(remove);
        assert_eq!(outcome, Err((6, "conflict")));
        assert_eq!(commits(&lake.table("sales")).len(), 5);
    }
}

#[test]
fn appends_do_not_matter() {
    let add = json!({"add": {"path": "region=south/part-9.parquet", "partitionValues": {"region": "south"},
        "size": 1, "modificationTime": 1, "dataChange": true}});
    let (lake, outcome) = with_commit_between(add);
    assert_eq!(outcome, Ok(()));
    assert_eq!(commits(&lake.table("sales")).len(), 6);
}

#[test]
fn changed_metadata_is_a_conflict() {
    let (_, outcome) = with_commit_between(json!({"domainMetadata": {"domain": "d", "configuration": "{}"}}));
    assert_eq!(outcome, Err((6, "conflict")));
}

#[test]
fn many_rewrites_at_once_lose_and_double_nothing() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let before = rows(&table).unwrap();
    for round in 0..5 {
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let run = |files: u64| {
                let ctx = context(&table, &lake.home());
                move || change(&ctx, Change::Rewrite(to_files(files))).map_err(|f| f.exit_status())
            };
            let threads: Vec<_> = (0..3).map(|i| scope.spawn(run(2 + (round + i) % 3))).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(outcomes.iter().any(Result::is_ok), "{outcomes:?}");
        assert!(outcomes.iter().all(|o| matches!(o, Ok(_) | Err(6))), "{outcomes:?}");
        assert_eq!(rows(&table).unwrap(), before, "round {round}: {outcomes:?}");
    }
}
