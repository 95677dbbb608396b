use super::*;

const DAY: i64 = 24 * HOUR_MS;
const NOW: Millis = 100 * DAY;

fn listed(path: &str, age_days: i64) -> Listed {
    Listed { path: path.into(), size: 10, modified: NOW - age_days * DAY, is_link: false }
}

fn tombstone(path: &str, age_days: Option<i64>, removed_in: Option<u64>) -> Tombstone {
    let deleted_at = age_days.map(|d| NOW - d * DAY);
    Tombstone { path: path.into(), deleted_at, size: Some(7), removed_in, vector_file: None }
}

fn input<'a>(
    tombstones: &'a [Tombstone],
    listing: Option<&'a [Listed]>,
    in_use: &'a FxHashSet<String>,
    versions: &'a [LogVersion],
) -> VacuumInput<'a> {
    VacuumInput {
        mode: if listing.is_some() { Mode::Full } else { Mode::Lite },
        retention_hours: 168,
        table_retention_hours: 168,
        below_safe_retention: false,
        include_never_referenced: false,
        now: NOW,
        store_now: None,
        tombstones,
        change_files: &[],
        in_use,
        listing,
        once_referenced: None,
        versions,
    }
}

fn set(paths: &[&str]) -> FxHashSet<String> {
    paths.iter().map(|p| (*p).to_owned()).collect()
}

fn doomed(plan: &VacuumPlan) -> Vec<(&str, DeleteReason)> {
    plan.files.iter().map(|f| (f.path.as_str(), f.reason)).collect()
}

fn versions() -> Vec<LogVersion> {
    (0..10).map(|v| LogVersion { version: v, timestamp: NOW - (50 - v as i64 * 5) * DAY }).collect()
}

#[test]
fn only_what_is_proved_dead_goes() {
    let tombstones = [
        tombstone("old.parquet", Some(20), Some(6)),
        tombstone("./p=1//young.parquet", Some(3), Some(9)),
        tombstone("back.parquet", Some(30), Some(4)),
        tombstone("timeless.parquet", None, None),
        tombstone("gone.parquet", Some(40), Some(2)),
        tombstone("/elsewhere/x.parquet", Some(40), Some(1)),
    ];
    let listing = [
        listed("old.parquet", 60),
        listed("p=1/young.parquet", 60),
        listed("back.parquet", 60),
        listed("timeless.parquet", 60),
        listed("active.parquet", 60),
        listed("_delta_log/0.json", 60),
        listed("_delta_index/i.parquet", 60),
        listed(".hidden.parquet", 60),
        listed("_day=1/orphan.parquet", 60),
        listed("sub/_delta_log/0.json", 60),
        listed("sub/theirs.parquet", 60),
        listed("notes.txt", 60),
        listed("once.parquet", 60),
        listed("fresh.parquet", 1),
        Listed { is_link: true, ..listed("link.parquet", 60) },
    ];
    let in_use = set(&["active.parquet", "back.parquet"]);
    let once = set(&["once.parquet"]);
    let versions = versions();
    let mut input = input(&tombstones, Some(&listing), &in_use, &versions);
    input.once_referenced = Some(&once);
    let plan = vacuum(&input).unwrap();
    use DeleteReason::*;
    assert_eq!(doomed(&plan), [("old.parquet", Tombstone), ("once.parquet", Unused)]);
    assert_eq!((plan.bytes(), plan.never_referenced), (20, (1, 10)));
    assert_eq!((plan.oldest_before, plan.oldest_after), (Some(2), Some(6)));
    use KeepReason::{Foreign, Hidden, InUse, Link, NestedTable, Outside, UnknownAge, WithinRetention};
    assert_eq!(
        plan.kept,
        [
            (InUse, 2),
            (WithinRetention, 2),
            (UnknownAge, 1),
            (Hidden, 3),
            (NestedTable, 2),
            (Link, 1),
            (Foreign, 1),
            (Outside, 1),
            (KeepReason::NeverReferenced, 1)
        ]
    );
    input.include_never_referenced = true;
    let plan = vacuum(&input).unwrap();
    assert!(doomed(&plan).contains(&("_day=1/orphan.parquet", NeverReferenced)));
}

#[test]
fn lite_goes_by_the_log_alone() {
    let mut old = tombstone("a.parquet", Some(20), Some(6));
    old.vector_file = Some("deletion_vector_1.bin".into());
    let tombstones = [old, tombstone("kept.parquet", Some(20), None)];
    let in_use = set(&["kept.parquet"]);
    let versions = versions();
    let plan = vacuum(&input(&tombstones, None, &in_use, &versions)).unwrap();
    use DeleteReason::*;
    assert_eq!(doomed(&plan), [("a.parquet", Tombstone), ("deletion_vector_1.bin", DeletionVector)]);
    // Whether older versions are readable now is not known without a listing.
    assert_eq!((plan.oldest_before, plan.oldest_after), (None, Some(6)));
    assert_eq!((plan.bytes(), plan.files[1].bytes), (7, None));
    let json = serde_json::to_value(VacuumReport::from(&plan)).unwrap();
    assert_eq!(json["numFiles"], 2);
    assert_eq!(json["mode"], "lite");
    assert_eq!(json["files"][1]["reason"], "deletion-vector");
}

#[test]
fn versions_are_unknown_without_the_removing_commit() {
    let (in_use, versions) = (set(&[]), versions());
    let after = |age| {
        let tombstones = [tombstone("a.parquet", Some(age), None)];
        vacuum(&input(&tombstones, None, &in_use, &versions)).unwrap().oldest_after
    };
    assert_eq!((after(20), after(51)), (None, Some(0)));
}

#[test]
fn a_path_removed_twice_counts_by_the_last_time() {
    let tombstones = [tombstone("a.parquet", Some(20), Some(3)), tombstone("a.parquet", Some(1), Some(9))];
    let in_use = set(&[]);
    assert!(vacuum(&input(&tombstones, None, &in_use, &[])).unwrap().files.is_empty());
}

#[test]
fn what_is_unsafe_is_refused() {
    let (tombstones, in_use) = ([], set(&[]));
    let refused = |change: &dyn Fn(&mut VacuumInput<'_>)| {
        let mut i = input(&tombstones, None, &in_use, &[]);
        change(&mut i);
        vacuum(&i).err().map(|f| f.code)
    };
    assert_eq!(refused(&|_| {}), None);
    assert_eq!(refused(&|i| i.retention_hours = 1), Some("retention-too-short"));
    assert_eq!(refused(&|i| i.table_retention_hours = 720), Some("retention-too-short"));
    assert_eq!(refused(&|i| i.store_now = Some(NOW - 6 * 60_000)), Some("clock-skew"));
    assert_eq!(refused(&|i| i.mode = Mode::Full), Some("no-listing"));
    assert_eq!(
        refused(&|i| {
            i.retention_hours = 0;
            i.below_safe_retention = true;
        }),
        None
    );
}

#[test]
fn paths_are_compared_canonical() {
    for (path, plain) in [
        ("./a//b", "a/b"),
        ("a/./c/../b", "a/b"),
        ("/x/../y", "/y"),
        ("../a", "../a"),
        ("s3://b//k", "s3://b/k"),
    ] {
        assert_eq!(canonical(path), plain);
    }
}

#[test]
fn change_data_goes_like_removed_files() {
    let change = |path: &str, age: i64| ChangeFile {
        path: format!("_change_data/{path}"),
        size: Some(5),
        written_at: NOW - age * DAY,
    };
    let changes = [change("p=1/cdc-old.parquet", 30), change("cdc-new.parquet", 2)];
    let listing = [
        listed("_change_data/p=1/cdc-old.parquet", 30),
        listed("_change_data/cdc-new.parquet", 2),
        listed("_change_data/cdc-stray.parquet", 30),
        listed("_change_data/_x/cdc.parquet", 30),
    ];
    let (none, versions) = (set(&[]), versions());
    for mode in [Mode::Lite, Mode::Full] {
        let mut input = input(&[], Some(&listing), &none, &versions);
        (input.mode, input.change_files) = (mode, &changes);
        let plan = vacuum(&input).unwrap();
        assert_eq!(doomed(&plan), [("_change_data/p=1/cdc-old.parquet", DeleteReason::ChangeData)]);
        assert_eq!(plan.oldest_after, Some(0), "no version of the table needs change data");
        assert_eq!(plan.never_referenced.0, u64::from(mode == Mode::Full));
    }
}
