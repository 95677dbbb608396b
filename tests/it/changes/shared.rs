//! Every shared table that may be rewritten holds the same rows afterwards.

use deltop::lake::log::{OpenTable, Want};
use deltop::lake::place::Place;
use deltop::lake::watch::Watch;
use deltop::model::change::{Change, Codec};
use deltop::model::table::AsOf;
use serde_json::Value;

use super::{change, context, copy, rows, to_files};
use crate::support::headless::shared_tables;
use crate::support::runtime;

/// Larger ones take long without telling more.
const MOST_FILES: u64 = 60;

#[test]
fn every_shared_table_keeps_its_rows() {
    let Some(tables) = shared_tables() else { return };
    let text = std::fs::read_to_string(tables.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let expected = expected.get("tables").unwrap_or(&expected);
    let mut done = 0;
    let mut wrong = Vec::new();
    for (name, table) in expected.as_object().unwrap() {
        let source = tables.join(name);
        let few = table["num_files"].as_u64().is_some_and(|n| (1..=MOST_FILES).contains(&n));
        if !few || table["num_rows"].as_u64().is_none() || !source.join("_delta_log").is_dir() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let copied = folder.path().join("t");
        copy(&source, &copied);
        // Its null partition is written in two ways, which stay apart.
        let apart = u64::from(name.as_str() == "made__special_partitions");
        let files = table["num_partitions"].as_u64().unwrap_or(1).max(1) + apart;
        let mut wish = to_files(files);
        // A codec that none of them has, so that each file is rewritten.
        wish.codec = Codec::Gzip;
        wish.all = true;
        wish.purge = true;
        let before = rows(&copied);
        let ctx = context(&copied, folder.path());
        match change(&ctx, Change::Rewrite(wish)) {
            Ok(report) => {
                done += 1;
                if report.rows_verified != table["num_rows"].as_u64() {
                    wrong.push(format!("{name}: {:?} rows verified", report.rows_verified));
                }
                if active_files(&copied) != files {
                    wrong.push(format!("{name}: {} files instead of {files}", active_files(&copied)));
                }
                // Some tables are beyond the engine that compares; its verdict counts where it has one.
                match (before, rows(&copied)) {
                    (Ok(before), Ok(after)) if before != after => wrong.push(format!("{name}: other rows")),
                    (Ok(_), Err(fault)) => wrong.push(format!("{name}: unreadable, {fault}")),
                    _ => {}
                }
            }
            // Refused by its features, damaged or absent: then it is as it was.
            Err(fault) if matches!(fault.exit_status(), 3 | 4) => {
                if before.is_ok() && rows(&copied).ok() != before.ok() {
                    wrong.push(format!("{name}: changed though refused"));
                }
            }
            Err(fault) => wrong.push(format!("{name}: {fault:?}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(done > 60, "only {done} tables were rewritten");
}

fn active_files(table: &std::path::Path) -> u64 {
    let place = Place::parse(table.to_str().unwrap(), &Vec::new()).unwrap();
    runtime().block_on(async {
        let watch = Watch::default();
        let open = OpenTable::open(&place, AsOf::Latest, &watch).await.unwrap();
        open.files(Want::default(), &watch).await.unwrap().list.len() as u64
    })
}

/// Its log states no rows: they are counted before they are shared out, so that no file is empty.
#[test]
fn rows_that_the_log_does_not_state_are_counted_first() {
    let Some(tables) = shared_tables() else { return };
    let folder = tempfile::tempdir().unwrap();
    let copied = folder.path().join("t");
    copy(&tables.join("delta-rs__delta-0.8.0-null-partition"), &copied);
    let ctx = context(&copied, folder.path());
    let fault = change(&ctx, Change::Rewrite(to_files(5))).unwrap_err();
    assert_eq!((fault.code, fault.exit_status()), ("too-many-files", 2));
    assert!(fault.cause.contains("holds 2 rows"), "{fault}");
}
