//! Rewrites of the small lakehouse: what is written, and what is refused.

use std::fs;

use deltop::model::change::{Change, Codec, Goal, Order, Phase, Scope};
use deltop::tune::{self, Context};
use serde_json::{Value, json};

use super::{change, commits, context, data_files, last_commit, rows, to, to_files};
use crate::support::lake::Lake;
use crate::support::runtime;

fn actions<'a>(commit: &'a [Value], kind: &str) -> Vec<&'a Value> {
    commit.iter().map(|a| &a[kind]).filter(|a| !a.is_null()).collect()
}

/// To so many files, also where a partition has its number already.
fn anew(count: u64) -> deltop::model::change::Rewrite {
    deltop::model::change::Rewrite { all: true, ..to_files(count) }
}

#[test]
fn to_exactly_n_files_with_the_same_rows() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    let before = rows(&table).unwrap();
    // 300 rows in each region: 5 files are 2 and 3, or 3 and 2.
    let done = change(&ctx, Change::Rewrite(anew(5))).unwrap();
    assert_eq!((done.num_files_added, done.num_files_removed, done.rows_verified), (5, 4, Some(600)));
    assert_eq!(done.new_version, Some(4));
    assert_eq!(rows(&table).unwrap(), before);
    let commit = last_commit(&table);
    let info = &commit[0]["commitInfo"];
    assert_eq!(info["operation"], "OPTIMIZE");
    assert_eq!(info["operationMetrics"]["numAddedFiles"], "5");
    assert!(info["engineInfo"].as_str().unwrap().starts_with("deltop/"));
    let counts: Vec<u64> = actions(&commit, "add")
        .iter()
        .map(|add| {
            assert_eq!(add["dataChange"], false);
            let stats: Value = serde_json::from_str(add["stats"].as_str().unwrap()).unwrap();
            assert_eq!(stats["nullCount"]["id"], 0);
            let region = add["partitionValues"]["region"].as_str().unwrap();
            assert!(add["path"].as_str().unwrap().starts_with(&format!("region={region}/part-")));
            stats["numRecords"].as_u64().unwrap()
        })
        .collect();
    // Balanced within a row.
    assert!(counts.iter().all(|n| [100, 150].contains(n)), "{counts:?}");
    for remove in actions(&commit, "remove") {
        assert_eq!(remove["dataChange"], false);
        assert!(remove["size"].as_u64().unwrap() > 0 && remove["partitionValues"]["region"].is_string());
    }
    // No journal and no staged file is left.
    assert!(fs::read_dir(lake.home().join("journal")).unwrap().next().is_none());
    // The same once more: nothing to do.
    let again = change(&ctx, Change::Rewrite(to_files(5))).unwrap();
    assert_eq!((again.new_version, again.num_files_added), (None, 0));
}

#[test]
fn optimize_is_idempotent() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    let before = rows(&table).unwrap();
    let done = change(&ctx, Change::Rewrite(to(Goal::Compact { target: None }))).unwrap();
    // Only the south has more than one file.
    assert_eq!((done.num_files_added, done.num_files_removed), (1, 3));
    let again = change(&ctx, Change::Rewrite(to(Goal::Compact { target: None }))).unwrap();
    assert_eq!(again.new_version, None);
    assert_eq!(rows(&table).unwrap(), before);
}

#[test]
fn every_goal_is_reached_in_one_run() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    let before = rows(&table).unwrap();
    let snappy = deltop::model::change::Rewrite { codec: Codec::Snappy, all: true, ..to_files(4) };
    let groups = deltop::model::change::Rewrite { row_group_rows: Some(30), ..to_files(4) };
    let sizes = [2_000, 4_000, 40_000].map(|bytes| to(Goal::Size { bytes }));
    let goals = [to_files(7), to_files(4), snappy, groups];
    let per_partition = to(Goal::Files { count: 2, per_partition: true });
    for goal in goals.into_iter().chain([per_partition]).chain(sizes) {
        change(&ctx, Change::Rewrite(goal.clone())).unwrap();
        let again = change(&ctx, Change::Rewrite(goal.clone())).unwrap();
        assert_eq!(again.new_version, None, "{goal:?}");
        assert_eq!(rows(&table).unwrap(), before);
    }
}

#[test]
fn files_without_statistics_get_them() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    let before = rows(&table).unwrap();
    // One file as wanted, but the log states nothing but its rows.
    let north = Scope::Where("region = 'north'".to_owned());
    let one = deltop::model::change::Rewrite { scope: north, ..to_files(1) };
    assert_eq!(change(&ctx, Change::Rewrite(one.clone())).unwrap().new_version, None);
    let wish = deltop::model::change::Rewrite { stats: true, ..one };
    let done = change(&ctx, Change::Rewrite(wish.clone())).unwrap();
    assert_eq!((done.num_files_added, done.num_files_removed), (1, 1));
    for add in actions(&last_commit(&table), "add") {
        let stats: Value = serde_json::from_str(add["stats"].as_str().unwrap()).unwrap();
        assert!(stats["minValues"]["id"].is_i64() && stats["maxValues"]["amount"].is_number(), "{stats}");
    }
    assert_eq!(rows(&table).unwrap(), before);
    assert_eq!(change(&ctx, Change::Rewrite(wish)).unwrap().new_version, None);
}

#[test]
fn sorted_and_z_ordered() {
    for order in [Order::Sorted(vec!["AMOUNT".into()]), Order::ZOrder(vec!["amount".into(), "id".into()])] {
        let lake = Lake::new();
        let table = lake.table("sales");
        let ctx = context(&table, &lake.home());
        let before = rows(&table).unwrap();
        let mut wish = to_files(6);
        wish.order = order.clone();
        let done = change(&ctx, Change::Rewrite(wish)).unwrap();
        assert_eq!((done.num_files_added, done.rows_verified), (6, Some(600)));
        assert_eq!(rows(&table).unwrap(), before);
        if matches!(order, Order::Sorted(_)) {
            // 300 rows, amounts 0 to 99 three times each: three files of a region do not overlap.
            let commit = last_commit(&table);
            let mut ends: Vec<(String, f64, f64)> = actions(&commit, "add")
                .iter()
                .map(|add| {
                    let stats: Value = serde_json::from_str(add["stats"].as_str().unwrap()).unwrap();
                    let end = |part: &str| stats[part]["amount"].as_f64().unwrap();
                    let region = add["partitionValues"]["region"].as_str().unwrap().to_owned();
                    (region, end("minValues"), end("maxValues"))
                })
                .collect();
            ends.sort_by(|a, b| (&a.0, a.1).partial_cmp(&(&b.0, b.1)).unwrap());
            for pair in ends.windows(2).filter(|w| w[0].0 == w[1].0) {
                assert!(pair[0].2 <= pair[1].1, "{ends:?}");
            }
        }
    }
}

#[test]
fn another_codec_and_row_groups() {
    let lake = Lake::new();
    let table = lake.table("product");
    let ctx = context(&table, &lake.home());
    let mut wish = to_files(1);
    wish.codec = Codec::Snappy;
    wish.row_group_rows = Some(4);
    wish.all = true;
    assert_eq!(change(&ctx, Change::Rewrite(wish)).unwrap().num_files_added, 1);
    let new = data_files(&table).into_iter().find(|p| p.starts_with("part-00000-")).unwrap();
    assert!(new.ends_with(".snappy.parquet"), "{new}");
    let file = fs::File::open(table.join(new)).unwrap();
    let reader = parquet::file::serialized_reader::SerializedFileReader::new(file).unwrap();
    use parquet::file::reader::FileReader;
    let rows: Vec<i64> = reader.metadata().row_groups().iter().map(|g| g.num_rows()).collect();
    assert_eq!(rows, [4, 4, 2]);
    let codec = reader.metadata().row_group(0).column(0).compression();
    assert_eq!(codec, parquet::basic::Compression::SNAPPY);
    let arrow = reader.metadata().file_metadata().key_value_metadata();
    assert!(arrow.is_none_or(|kv| kv.iter().all(|kv| kv.key != "ARROW:schema")));
}

#[test]
fn nothing_is_written_without_leave() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let mut ctx = context(&table, &lake.home());
    ctx.allow_writes = false;
    let files = data_files(&table);
    let fault = change(&ctx, Change::Rewrite(to_files(2))).err().unwrap();
    assert_eq!((fault.exit_status(), fault.code), (5, "read-only"));
    assert_eq!((data_files(&table), commits(&table).len()), (files, 4));
}

#[test]
fn what_cannot_be_is_a_usage_error() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    let code = |wish| change(&ctx, Change::Rewrite(wish)).err().map(|f| (f.exit_status(), f.code));
    assert_eq!(code(to_files(1)), Some((2, "too-few-files")));
    assert_eq!(code(to_files(1000)), Some((2, "too-many-files")));
    let mut wish = to_files(2);
    wish.order = Order::Sorted(vec!["region".into()]);
    assert_eq!(code(wish.clone()), Some((2, "bad-sort-column")));
    wish.order = Order::ZOrder(vec!["wheel".into()]);
    assert_eq!(code(wish), Some((2, "bad-sort-column")));
}

#[test]
fn features_that_would_be_damaged_are_refused_by_name() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let protocol = json!({"protocol": {"minReaderVersion": 1, "minWriterVersion": 7,
        "writerFeatures": ["rowTracking", "domainMetadata"]}});
    fs::write(table.join("_delta_log/00000000000000000004.json"), protocol.to_string()).unwrap();
    let ctx = context(&table, &lake.home());
    let fault = change(&ctx, Change::Rewrite(to_files(2))).err().unwrap();
    assert_eq!(fault.exit_status(), 4);
    assert!(fault.message.contains("rowTracking"), "{}", fault.message);
}

/// The faults that stop a rewrite leave the table as it was, and nothing staged.
#[track_caller]
fn fails_cleanly(lake: &Lake, ctx: &Context, status: &[u8]) {
    let table = lake.table("sales");
    let (files, versions) = (data_files(&table), commits(&table).len());
    let fault = change(ctx, Change::Rewrite(anew(2))).err().unwrap();
    assert!(status.contains(&fault.exit_status()), "{fault:?}");
    assert_eq!(data_files(&table), files);
    assert_eq!(commits(&table).len(), versions);
    assert!(fs::read_dir(lake.home().join("journal")).unwrap().next().is_none());
}

#[test]
fn a_damaged_or_missing_input_stops_it() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    let victim = table.join("region=south/part-1.parquet");
    let good = fs::read(&victim).unwrap();
    let mut bad = good.clone();
    bad[4..200].fill(0xff);
    fs::write(&victim, bad).unwrap();
    fails_cleanly(&lake, &ctx, &[3, 7]);
    fs::remove_file(&victim).unwrap();
    fails_cleanly(&lake, &ctx, &[3]);
    fs::write(&victim, good).unwrap();
    assert_eq!(change(&ctx, Change::Rewrite(anew(2))).unwrap().num_files_added, 2);
}

#[test]
fn a_row_count_that_the_log_states_wrongly_stops_it() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let path = &commits(&table)[1];
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text.replacen(r#"\"numRecords\":100"#, r#"\"numRecords\":99"#, 2)).unwrap();
    let ctx = context(&table, &lake.home());
    let fault = change(&ctx, Change::Rewrite(anew(2))).err().unwrap();
    assert!(fault.code == "wrong-row-count" && fault.cause.contains("the log says 99"), "{fault:?}");
    fails_cleanly(&lake, &ctx, &[7]);
}

#[test]
fn cancelling_while_rewriting_leaves_nothing() {
    let lake = Lake::new();
    let mut ctx = context(&lake.table("sales"), &lake.home());
    let cancel = ctx.cancel.clone();
    ctx.progress = std::sync::Arc::new(move |progress| {
        if progress.phase == Phase::Rewriting {
            cancel.cancel();
        }
    });
    fails_cleanly(&lake, &ctx, &[130]);
}

#[test]
fn finished_batches_stay() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let mut ctx = context(&table, &lake.home());
    ctx.batch_bytes = 1;
    let before = rows(&table).unwrap();
    let done = change(&ctx, Change::Rewrite(to_files(4))).unwrap();
    // A commit for each region.
    assert_eq!(done.new_version, Some(5));
    assert_eq!(rows(&table).unwrap(), before);
    let cancel = ctx.cancel.clone();
    ctx.progress = std::sync::Arc::new(move |progress| {
        if progress.batches_done == 1 {
            cancel.cancel();
        }
    });
    let fault = change(&ctx, Change::Rewrite(to_files(2))).err().unwrap();
    assert_eq!(fault.exit_status(), 130);
    assert_eq!(commits(&table).len(), 7);
    assert!(fault.hint.contains("1 of 2 batches"), "{}", fault.hint);
    assert_eq!(rows(&table).unwrap(), before);
}

#[test]
fn in_commit_timestamps_go_on_rising() {
    let lake = Lake::new();
    let table = lake.table("product");
    // In the year 2100: later than any clock.
    let later = 4_102_444_800_000i64;
    let protocol = json!({"minReaderVersion": 1, "minWriterVersion": 7,
        "writerFeatures": ["inCommitTimestamp", "appendOnly", "invariants"]});
    let first = fs::read_to_string(&commits(&table)[0]).unwrap();
    let mut metadata: Value = first
        .lines()
        .map(|l| serde_json::from_str::<Value>(l).unwrap())
        .find(|l| !l["metaData"].is_null())
        .unwrap();
    metadata["metaData"]["configuration"] = json!({"delta.enableInCommitTimestamps": "true"});
    let info = json!({"commitInfo": {"inCommitTimestamp": later, "operation": "SET TBLPROPERTIES"}});
    let text = format!("{info}\n{}\n{metadata}\n", json!({"protocol": protocol}));
    fs::write(table.join("_delta_log/00000000000000000001.json"), text).unwrap();
    let ctx = context(&table, &lake.home());
    change(&ctx, Change::Rewrite(to_files(2))).unwrap();
    assert_eq!(last_commit(&table)[0]["commitInfo"]["inCommitTimestamp"], later + 1);
}

#[test]
fn a_plan_shows_what_will_be_and_touches_nothing() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    let files = data_files(&table);
    let wish = Change::Rewrite(anew(3));
    let planned = runtime().block_on(tune::plan(&wish, &ctx)).unwrap();
    let count = |of: &deltop::model::histogram::Histogram| of.buckets.iter().map(|b| b.files).sum::<u64>();
    assert_eq!(count(planned.view.before.as_ref().unwrap()), 4);
    assert_eq!(count(planned.view.after.as_ref().unwrap()), 3);
    let report = serde_json::to_value(&planned.view.report).unwrap();
    assert_eq!(report["numOutputFiles"], 3);
    assert!(report["command"].as_str().unwrap().contains("sales --files 3"));
    assert_eq!(data_files(&table), files);
    assert!(!lake.home().join("journal").exists());
}
