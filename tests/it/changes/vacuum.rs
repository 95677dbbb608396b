//! Vacuum: the preview is exactly what goes, and nothing goes that is not proved dead.

mod folder;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use deltop::lake::place::Place;
use deltop::model::change::{Change, Done, PlanView, Report, Vacuum};
use deltop::model::plan::vacuum::{Mode, VacuumReport};
use deltop::model::{FaultKind, Outcome};
use deltop::tune::{self, Context};
use serde_json::json;

use crate::support::headless::{deltop, shared_tables};
use crate::support::log::{Kind, LogBuilder, metadata, protocol};
use crate::support::{peer, runtime};
use folder::{DAY, Folder};

const FULL: Vacuum = Vacuum {
    mode: Mode::Full,
    retain_hours: None,
    below_safe_retention: false,
    include_never_referenced: false,
};

fn context(table: &Folder) -> Context {
    let place = Place::parse(table.path().to_str().unwrap(), &Vec::new()).unwrap();
    Context { allow_writes: true, ..Context::new(place) }
}

fn plan(ask: &Vacuum, ctx: &Context) -> Outcome<(VacuumReport, tune::Planned)> {
    let planned = runtime().block_on(tune::plan(&Change::Vacuum(ask.clone()), ctx))?;
    match &planned.view {
        PlanView { report: Report::Vacuum(report), destructive: true, .. } => Ok((report.clone(), planned)),
        other => panic!("{other:?}"),
    }
}

fn run(ask: &Vacuum, ctx: &Context) -> Outcome<Done> {
    let (_, planned) = plan(ask, ctx)?;
    runtime().block_on(tune::run(planned, ctx))
}

fn sizes(report: &VacuumReport) -> BTreeMap<String, u64> {
    report.files.iter().map(|f| (f.path.clone(), f.bytes.unwrap())).collect()
}

/// A folder with everything that a vacuum may meet.
fn everything() -> Folder {
    let table = Folder::new();
    table.commit(0, 40, &[table.protocol(), table.metadata(&[])]);
    for (path, uri) in [
        ("p=a b/x.parquet", "p=a%20b/x.parquet"),
        ("p=100%/y#1.parquet", "p=100%25/y%231.parquet"),
        ("p=a%20b/z.parquet", "p=a%2520b/z.parquet"),
        ("active.parquet", "./active.parquet"),
        ("young.parquet", "young.parquet"),
        ("back.parquet", "back.parquet"),
        ("vectored.parquet", "vectored.parquet"),
    ] {
        table.file(path, 39);
        table.append(0, &[json!({"add": table.add(path, uri)})]);
    }
    let old = |path: &str, days: i64| table.remove(path, days);
    table.commit(1, 30, &[
        old("p=a%20b/x.parquet", 30),
        old("p=100%25/y%231.parquet", 30),
        old("p=a%2520b/z.parquet", 30),
        old("back.parquet", 30),
        old("gone.parquet", 30),
        old("/mnt/other/table/far.parquet", 30),
        json!({"cdc": {"path": "_change_data/cdc-1.parquet", "partitionValues": {}, "size": 4, "dataChange": false}}),
    ]);
    // The vector is replaced: the file stays, the first vector's file goes.
    let (first, second) = ("^-aqEH.-t@S}K{vb[*k^", "vBn[lx{q8@P<9BNH/isA");
    table.commit(
        2,
        20,
        &[
            json!({"add": table.add("back.parquet", "back.parquet")}),
            json!({"remove": table.with_vector("vectored.parquet", first, 20)}),
            json!({"add": table.with_vector("vectored.parquet", second, 20)}),
        ],
    );
    table.file("deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin", 25);
    table.file("deletion_vector_61d16c75-6994-46b7-a15b-8b538852e50e.bin", 20);
    table.commit(3, 3, &[old("young.parquet", 3)]);
    for (path, days) in [
        ("_change_data/cdc-1.parquet", 30),
        ("orphan.parquet", 30),
        ("p=a b/orphan too.parquet", 30),
        ("fresh.parquet", 0),
        ("notes.txt", 300),
        ("_SUCCESS", 300),
        (".crc.parquet", 300),
        ("_hidden/x.parquet", 300),
        ("sub/table/_delta_log/00000000000000000000.json", 300),
        ("sub/table/theirs.parquet", 300),
        ("target/linked.parquet", 300),
    ] {
        table.file(path, days);
    }
    table.link("target", "p=link");
    table.link("orphan.parquet", "link.parquet");
    table
}

/// Computed from the folder and the log's text alone, by the words of the protocol and the contract.
fn expected(table: &Folder, never_referenced: bool) -> BTreeMap<String, u64> {
    let dead = [
        "p=a b/x.parquet",
        "p=100%/y#1.parquet",
        "p=a%20b/z.parquet",
        "_change_data/cdc-1.parquet",
        "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin",
    ];
    let orphans = ["p=a b/orphan too.parquet"];
    let all = dead.into_iter().chain(orphans.into_iter().filter(|_| never_referenced));
    all.map(|path| (path.to_owned(), fs::metadata(table.path().join(path)).unwrap().len())).collect()
}

#[test]
fn only_what_is_proved_dead_is_listed() {
    let table = everything();
    let before = table.tree();
    let ctx = context(&table);
    let (report, _) = plan(&FULL, &ctx).unwrap();
    assert_eq!(sizes(&report), expected(&table, false));
    assert_eq!(report.bytes, expected(&table, false).values().sum::<u64>());
    assert_eq!((report.num_files, report.never_referenced.num_files), (5, 1));
    let (all, _) = plan(&Vacuum { include_never_referenced: true, ..FULL }, &ctx).unwrap();
    assert_eq!(sizes(&all), expected(&table, true));
    // What the log itself names needs no listing.
    let (lite, _) = plan(&Vacuum { mode: Mode::Lite, ..FULL }, &ctx).unwrap();
    assert_eq!(sizes(&lite), expected(&table, false));
    // Version 0 is lost already (gone.parquet); those before version 2 are lost with the old vector.
    assert_eq!((report.oldest_version_before, report.oldest_version_after), (Some(1), Some(2)));
    assert_eq!(table.tree(), before, "a plan writes nothing");
}

/// The rule in other words: of all files, those that the log does not need. Foreign and nested ones,
/// links and what they lead to aside.
#[test]
fn the_preview_is_the_listing_minus_the_log() {
    let table = everything();
    let (report, _) = plan(&Vacuum { include_never_referenced: true, ..FULL }, &context(&table)).unwrap();
    let needed = table.needed_by_log(7);
    let spared = |path: &str| {
        path.starts_with("_delta_log")
            || path.starts_with("_hidden")
            || path.starts_with('.')
            || path.starts_with("sub/table")
            || path.starts_with("target/")
            || !(path.ends_with(".parquet") || path.ends_with(".bin"))
            // What link.parquet leads to, and what was written just now.
            || ["orphan.parquet", "link.parquet", "fresh.parquet"].contains(&path)
    };
    let left: BTreeSet<String> =
        table.tree().into_keys().filter(|p| !spared(p) && !needed.contains(p)).collect();
    assert_eq!(sizes(&report).into_keys().collect::<BTreeSet<_>>(), left);
}

#[test]
fn a_run_deletes_the_preview_and_nothing_else() {
    let table = everything();
    let before = table.tree();
    let doomed = expected(&table, true);
    let done = run(&Vacuum { include_never_referenced: true, ..FULL }, &context(&table)).unwrap();
    assert_eq!((done.num_files_removed, done.bytes_removed), (6, doomed.values().sum()));
    assert_eq!((done.new_version, done.notes.len()), (Some(5), 0));
    let after = table.tree();
    let gone: BTreeSet<_> = before.keys().filter(|p| !after.contains_key(*p)).cloned().collect();
    assert_eq!(gone, doomed.into_keys().collect());
    let new: Vec<_> = after.keys().filter(|p| !before.contains_key(*p)).cloned().collect();
    assert_eq!(new, ["_delta_log/00000000000000000004.json", "_delta_log/00000000000000000005.json"]);
    let (start, end) = (table.info(4), table.info(5));
    assert_eq!((&start["operation"], &end["operation"]), (&json!("VACUUM START"), &json!("VACUUM END")));
    assert_eq!(start["operationMetrics"]["numFilesToDelete"], 6);
    assert_eq!(start["operationParameters"]["defaultRetentionMillis"], 7 * DAY);
    assert_eq!(end["operationMetrics"]["numDeletedFiles"], 6);
    assert_eq!(end["operationParameters"], json!({"status": "COMPLETED"}));
    // Nothing is left to do, and nothing is written for that.
    let again = run(&FULL, &context(&table)).unwrap();
    assert_eq!((again.new_version, table.tree()), (None, after));
}

/// Between plan and deletion another writer brought a file back: it stays.
#[test]
fn a_file_that_is_needed_again_is_kept() {
    let table = everything();
    let ctx = context(&table);
    let (_, planned) = plan(&FULL, &ctx).unwrap();
    let readded = table.add("p=a b/x.parquet", "p=a%20b/x.parquet");
    table.commit(4, 0, &[json!({"add": readded})]);
    let done = runtime().block_on(tune::run(planned, &ctx)).unwrap();
    assert!(table.path().join("p=a b/x.parquet").exists());
    assert_eq!((done.num_files_removed, done.notes.len()), (4, 1));
}

#[test]
fn a_changed_table_is_planned_anew() {
    let table = everything();
    let ctx = context(&table);
    let (_, planned) = plan(&FULL, &ctx).unwrap();
    table.commit(4, 0, &[table.metadata(&[("delta.deletedFileRetentionDuration", "interval 60 days")])]);
    let before = table.tree();
    let fault = runtime().block_on(tune::run(planned, &ctx)).unwrap_err();
    assert_eq!(fault.exit_status(), 6, "{fault:?}");
    assert_eq!(table.tree(), before);
}

#[test]
fn refusals() {
    let table = everything();
    let ctx = context(&table);
    let refused = |ask: &Vacuum| plan(ask, &ctx).err().map(|f| (f.code, f.exit_status()));
    let short = Vacuum { retain_hours: Some(24), ..FULL };
    assert_eq!(refused(&short), Some(("retention-too-short", 5)));
    assert_eq!(refused(&Vacuum { below_safe_retention: true, ..short.clone() }), None);
    let readonly = Context { allow_writes: false, ..ctx.clone() };
    let (_, planned) = plan(&FULL, &readonly).unwrap();
    let fault = runtime().block_on(tune::run(planned, &readonly)).unwrap_err();
    assert_eq!((fault.code, fault.exit_status()), ("read-only", 5));
    // The table's own retention counts where it is longer.
    table.commit(4, 0, &[table.metadata(&[("delta.deletedFileRetentionDuration", "interval 35 days")])]);
    assert_eq!(refused(&Vacuum { retain_hours: Some(168), ..FULL }), Some(("retention-too-short", 5)));
    let (report, _) = plan(&FULL, &ctx).unwrap();
    assert_eq!((report.retention_hours, report.num_files), (35 * 24, 0));
    table.commit(5, 0, &[table.metadata(&[("delta.deletedFileRetentionDuration", "a while")])]);
    assert_eq!(refused(&FULL), Some(("bad-retention", 5)));
    table.commit(6, 0, &[table.metadata(&[]), table.protocol_with(&["vacuumProtocolCheck"])]);
    assert_eq!(refused(&FULL), None);
    table.commit(7, 0, &[table.protocol_with(&["vacuumProtocolCheck", "fancyWrites"])]);
    assert_eq!(refused(&FULL), Some(("unsupported-feature", 4)));
}

#[test]
fn clocks_that_differ_stop_it() {
    let table = everything();
    let ctx = context(&table);
    // Ours is behind: the log's newest file is from our future.
    let (_, planned) = plan(&FULL, &ctx).unwrap();
    let behind =
        Context { clock: Arc::new(|| chrono::Utc::now().timestamp_millis() - 30 * DAY), ..ctx.clone() };
    assert_eq!(plan(&FULL, &behind).err().map(|f| (f.code, f.exit_status())), Some(("clock-skew", 5)));
    // Ours is ahead: only the store can tell, which is asked before anything is deleted.
    let before = table.tree();
    let ahead =
        Context { clock: Arc::new(|| chrono::Utc::now().timestamp_millis() + 10 * DAY), ..ctx.clone() };
    let fault = runtime().block_on(tune::run(planned, &ahead)).unwrap_err();
    assert_eq!((fault.code, fault.exit_status()), ("clock-skew", 5));
    assert_eq!(table.tree(), before);
}

/// Active files by absolute paths, as after a shallow clone into the same folder, or by another name
/// of the folder.
#[test]
fn absolute_paths_protect_what_they_name() {
    let table = Folder::new();
    let root = table.path().to_str().unwrap().to_owned();
    table.commit(0, 40, &[table.protocol(), table.metadata(&[])]);
    for (path, uri) in [
        ("a.parquet", format!("file://{root}/a.parquet")),
        ("p=1/b.parquet", format!("{root}/p=1/b.parquet")),
        ("p=1/c.parquet", "s3://bucket/alias/p=1/c.parquet".into()),
        ("d.parquet", format!("{root}/d.parquet")),
    ] {
        table.file(path, 39);
        table.append(0, &[json!({"add": table.add(path, &uri)})]);
    }
    table.commit(1, 30, &[table.remove(&format!("{root}/d.parquet"), 30)]);
    let (report, _) = plan(&Vacuum { include_never_referenced: true, ..FULL }, &context(&table)).unwrap();
    assert_eq!(sizes(&report).into_keys().collect::<Vec<_>>(), ["d.parquet"]);
}

#[test]
fn a_cancelled_run_leaves_a_readable_table() {
    let table = everything();
    let needed = table.needed_by_log(0);
    let ctx = context(&table);
    let cancel = ctx.cancel.clone();
    let progress = Arc::new(move |task: deltop::model::change::TaskProgress| {
        if task.files_done > 0 {
            cancel.cancel();
        }
    });
    let fault = run(&FULL, &Context { progress, ..ctx }).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Cancelled);
    let left = table.tree();
    assert!(needed.iter().all(|path| left.contains_key(path)), "{left:?}");
    // Another run does the rest.
    assert!(run(&FULL, &context(&table)).is_ok());
    assert!(!expected_left(&table));
}

fn expected_left(table: &Folder) -> bool {
    let left = table.tree();
    ["p=a b/x.parquet", "_change_data/cdc-1.parquet"].iter().any(|path| left.contains_key(*path))
}

/// Tombstones are found in every kind of checkpoint, where the commits are gone.
#[test]
fn tombstones_of_all_checkpoints() {
    let remove =
        |path: &str| json!({"remove": {"path": path, "deletionTimestamp": 5, "dataChange": true, "size": 9}});
    let vector = json!({"storageType": "u", "pathOrInlineDv": "^-aqEH.-t@S}K{vb[*k^", "offset": 1, "sizeInBytes": 3, "cardinality": 1});
    let mut with_vector = remove("v.parquet");
    with_vector["remove"]["deletionVector"] = vector;
    let state = [protocol(), metadata(&[]), remove("a%20b.parquet"), remove("c.parquet"), with_vector];
    for kind in [Kind::Classic, Kind::Multi(2), Kind::V2Json(0), Kind::V2Json(2), Kind::V2Parquet(1)] {
        let log = LogBuilder::new();
        log.checkpoint(7, kind, &state);
        log.commit(8, &[remove("d.parquet"), remove("c.parquet")]);
        let watch = deltop::lake::watch::Watch::default();
        let traces = runtime().block_on(async {
            let table = deltop::lake::log::OpenTable::open(&log.place(), Default::default(), &watch).await?;
            table.traces(&watch).await
        });
        let mut found: Vec<_> = traces
            .unwrap()
            .tombstones
            .into_iter()
            .map(|t| (t.path, t.deleted_at, t.removed_in, t.vector_file.is_some()))
            .collect();
        found.sort();
        let found: Vec<_> = found.iter().map(|(p, at, v, dv)| (p.as_str(), *at, *v, *dv)).collect();
        let at = Some(5);
        let wanted = [
            ("a b.parquet", at, None, false),
            ("c.parquet", at, Some(8), false),
            ("d.parquet", at, Some(8), false),
            ("v.parquet", at, None, true),
        ];
        assert_eq!(found, wanted, "{kind:?}");
    }
}

/// Every shared table: planning works or is refused by name, and never dooms a file in use.
#[test]
fn no_shared_table_loses_a_file_in_use() {
    let Some(shared) = shared_tables() else { return };
    let ask =
        Vacuum { retain_hours: Some(0), below_safe_retention: true, include_never_referenced: true, ..FULL };
    let (mut planned, mut doomed) = (0, 0);
    for entry in fs::read_dir(&shared).unwrap() {
        let path = entry.unwrap().path();
        if !path.join("_delta_log").is_dir() {
            continue;
        }
        let place = Place::parse(path.to_str().unwrap(), &Vec::new()).unwrap();
        let found = plan(&ask, &Context::new(place.clone()));
        let Ok((report, _)) = found else { continue };
        let watch = deltop::lake::watch::Watch::default();
        let files = runtime().block_on(async {
            let table = deltop::lake::log::OpenTable::open(&place, Default::default(), &watch).await?;
            table.files(Default::default(), &watch).await
        });
        let in_use: BTreeSet<String> = files.unwrap().list.iter().map(|f| f.path.to_owned()).collect();
        planned += 1;
        doomed += report.num_files;
        for file in &report.files {
            assert!(!in_use.contains(&file.path), "{}: {}", path.display(), file.path);
            assert!(path.join(&file.path).is_file(), "{}: {}", path.display(), file.path);
        }
    }
    assert!(planned > 120 && doomed > 100, "{planned} tables, {doomed} files");
}

#[test]
fn headless() {
    let table = everything();
    let at = table.path().to_str().unwrap();
    let before = table.tree();
    let text = deltop(&["vacuum", at, "--full"]).ok();
    assert!(text.contains("5 files, ") && text.contains("--yes --allow-writes"), "{text}");
    let report = deltop(&["vacuum", at, "--full", "--json"]).json();
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let contract = [
        "operation",
        "retentionHours",
        "mode",
        "numFiles",
        "bytes",
        "partitions",
        "neverReferenced",
        "oldestVersionBefore",
        "oldestVersionAfter",
        "files",
    ];
    assert_eq!(keys[..contract.len()], contract);
    let error = |args: &[&str]| deltop(&[&["vacuum", at, "--json"], args].concat()).error();
    assert_eq!(error(&["--yes"]), (5, "read-only".into()));
    assert_eq!(error(&["--retain", "1"]), (5, "retention-too-short".into()));
    assert_eq!(error(&["--include-never-referenced"]).0, 2);
    assert_eq!(error(&["--as-of", "1"]).0, 2);
    assert_eq!(table.tree(), before);
    let done = deltop(&["vacuum", at, "--full", "--yes", "--allow-writes", "--json"]).json();
    assert_eq!(
        (&done["numFiles"], &done["numFilesRemoved"], &done["newVersion"]),
        (&json!(5), &json!(5), &json!(5))
    );
    assert_eq!(table.tree().len(), before.len() - 5 + 2);
}

/// Where delta-rs looks at the same tombstones, it finds the same files; and it reads what we leave.
#[test]
fn a_peer_agrees() {
    let Some(python) = peer::python() else { return };
    let table = Folder::new();
    peer::run(
        python,
        table.path(),
        "
write_deltalake(t, rows(100, 0, lambda i: f'a b/{i % 3}%'), partition_by=['p'])
for i in range(1, 4):
    write_deltalake(t, rows(100, i * 100, lambda i: f'a b/{i % 3}%'), mode='append')
DeltaTable(t).delete('id < 50')
DeltaTable(t).optimize.compact()
",
    );
    let theirs = peer::run(
        python,
        table.path(),
        "
say(DeltaTable(t).vacuum(retention_hours=0, dry_run=True, enforce_retention_duration=False))
",
    );
    let theirs: BTreeSet<String> = serde_json::from_value(theirs).unwrap();
    let ask = Vacuum { mode: Mode::Lite, retain_hours: Some(0), below_safe_retention: true, ..FULL };
    let ctx = context(&table);
    let (report, planned) = plan(&ask, &ctx).unwrap();
    assert_eq!(sizes(&report).into_keys().collect::<BTreeSet<_>>(), theirs);
    assert!(report.num_files >= 12, "{report:?}");
    let before = peer::ids(python, table.path());
    let done = runtime().block_on(tune::run(planned, &ctx)).unwrap();
    assert_eq!(done.num_files_removed, report.num_files);
    assert_eq!(peer::ids(python, table.path()), before);
    let history = peer::run(python, table.path(), "say([h['operation'] for h in DeltaTable(t).history(2)])");
    assert_eq!(history, json!(["VACUUM END", "VACUUM START"]));
    // Its full dry run names removed files whether they are there or not: none of them is.
    let script = "say(DeltaTable(t).vacuum(0, dry_run=True, enforce_retention_duration=False, full=True))";
    let left: Vec<String> = serde_json::from_value(peer::run(python, table.path(), script)).unwrap();
    assert!(left.iter().all(|path| !table.path().join(path).exists()), "{left:?}");
}
