//! What must hold of every plan: nothing is lost, nothing comes twice, and it ends.

use std::sync::Arc;

use proptest::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::*;
use crate::model::files::{ChunkBuilder, DeletionVector, FileList, NewFile};
use crate::model::partition::PartitionDict;
use crate::model::target::SizeTarget;

pub(super) const MIB: u64 = 1 << 20;

#[derive(Debug, Clone, Copy)]
pub(super) struct F {
    pub partition: u32,
    pub size: u64,
    pub rows: Option<u64>,
    pub deleted: Option<u64>,
}

pub(super) fn list(files: &[F]) -> FileList {
    let mut dict = PartitionDict::new(vec!["p".to_owned()]);
    let most = files.iter().map(|f| f.partition).max().unwrap_or(0);
    for p in 0..=most {
        dict.intern(&[Some(p.to_string().into())]);
    }
    let mut chunk = ChunkBuilder::new(true, files.len());
    for (i, f) in files.iter().enumerate() {
        let deletion_vector = f.deleted.map(|cardinality| DeletionVector {
            storage_type: "i".into(),
            path_or_inline_dv: "x".into(),
            offset: None,
            size_in_bytes: 1,
            cardinality,
        });
        let path = format!("f{i}");
        chunk.push(NewFile {
            path: &path,
            size: f.size,
            records: f.rows,
            partition: f.partition,
            deletion_vector,
            ..NewFile::default()
        });
    }
    let mut list = FileList::new(Arc::new(dict), true, false);
    list.push_chunk(Arc::new(chunk.finish()));
    list
}

fn equal(n: usize, size: u64) -> FileList {
    list(&vec![F { partition: 0, size, rows: Some(1000), deleted: None }; n])
}

fn target(target: u64) -> SizeTarget {
    SizeTarget { target, low: target / 2, high: target * 2, source: "test" }
}

fn plan_compact(list: &FileList, t: u64) -> Plan {
    compact(list, &CompactOptions { target: target(t), scope: Scope::All, purge_above: None })
}

fn to_n(list: &FileList, files: u64, per_partition: bool) -> crate::model::Outcome<Plan> {
    rewrite(
        list,
        &RewriteOptions { files, per_partition, scope: Scope::All, all: false, known: &FxHashMap::default() },
    )
}

/// The table after the plan.
fn apply(list: &FileList, plan: &Plan) -> Vec<F> {
    let gone: FxHashSet<u32> = plan.groups.iter().flat_map(|g| g.inputs.iter().copied()).collect();
    let stay = list.iter().enumerate().filter(|(i, _)| !gone.contains(&(*i as u32))).map(|(_, f)| F {
        partition: f.partition,
        size: f.size,
        rows: f.records,
        deleted: f.deletion_vector.map(|d| d.cardinality),
    });
    let new = plan.groups.iter().flat_map(|g| {
        g.outputs.iter().map(|o| F { partition: g.partition, size: o.bytes, rows: o.rows, deleted: None })
    });
    stay.chain(new).collect()
}

fn holds(list: &FileList, plan: &Plan) {
    let inputs: Vec<u32> = plan.groups.iter().flat_map(|g| g.inputs.iter().copied()).collect();
    let distinct: FxHashSet<u32> = inputs.iter().copied().collect();
    assert_eq!(inputs.len(), distinct.len(), "a file is in two groups");
    let left: u64 = plan.left_alone.iter().map(|l| l.files).sum();
    assert_eq!(plan.input_files() + left, list.len() as u64);
    let left_bytes: u64 = plan.left_alone.iter().map(|l| l.bytes).sum();
    assert_eq!(plan.input_bytes() + left_bytes, list.sizes().sum::<u64>());
    for group in &plan.groups {
        assert!(!group.outputs.is_empty() && !group.inputs.is_empty());
        let files: Vec<_> = group.inputs.iter().map(|i| list.get(*i as usize)).collect();
        assert!(files.iter().all(|f| f.partition == group.partition));
        let rows = files.iter().try_fold(0, |sum, f| f.live_records().map(|r| sum + r));
        assert_eq!(group.rows, rows);
        let written = group.outputs.iter().try_fold(0, |sum, o| o.rows.map(|r| sum + r));
        assert_eq!(written, rows, "rows are conserved");
        let bytes: u64 = group.outputs.iter().map(|o| o.bytes).sum();
        if files.iter().all(|f| f.deletion_vector.is_none()) {
            assert_eq!(bytes, group.bytes, "bytes are conserved");
        } else {
            assert!(bytes <= group.bytes);
        }
        let counts: Vec<u64> = group.outputs.iter().filter_map(|o| o.rows).collect();
        if let (Some(low), Some(high)) = (counts.iter().min(), counts.iter().max()) {
            assert!(high - low <= 1, "rows are balanced");
        }
    }
}

#[test]
fn the_fragmentation_tutorials_table() {
    // 3,338,144,372 bytes in 128 files of 26 MB: five fit into a file of at most 128 MiB.
    let mut files = vec![F { partition: 0, size: 26_079_252, rows: Some(10), deleted: None }; 128];
    files[0].size += 3_338_144_372 - 128 * 26_079_252;
    let plan = plan_compact(&list(&files), 128 * MIB);
    assert_eq!((plan.input_files(), plan.output_files(), plan.files_after()), (128, 26, 26));
    // Four files of 835 MB: six even parts each.
    let plan = resize(&equal(4, 834_536_093), target(128 * MIB), Scope::All);
    assert_eq!((plan.input_files(), plan.output_files()), (4, 24));
    // 16 files of 209 MB, or one of 5 MB: nothing.
    for list in [equal(16, 208_634_023), equal(1, 5_000_000)] {
        assert!(plan_compact(&list, 128 * MIB).is_empty());
        assert!(resize(&list, target(128 * MIB), Scope::All).is_empty());
    }
}

#[test]
fn no_small_remainder_is_left_behind() {
    let plan = plan_compact(&equal(26, 5 * MIB), 128 * MIB);
    // 25 fill a file; the last one joins it.
    assert_eq!((plan.input_files(), plan.output_files()), (26, 1));
}

#[test]
fn partitions_are_not_mixed_and_single_files_stay() {
    let files = [(0, 1), (0, 2), (1, 3), (2, 100), (2, 300)];
    let files = files.map(|(partition, mb)| F { partition, size: mb * MIB, rows: None, deleted: None });
    let plan = plan_compact(&list(&files), 128 * MIB);
    assert_eq!(plan.groups.len(), 1);
    assert_eq!((plan.groups[0].inputs.as_slice(), plan.input_rows()), (&[0u32, 1][..], None));
    let left: Vec<_> = plan.left_alone.iter().map(|l| (l.reason, l.files)).collect();
    use LeftReason::*;
    assert_eq!(left, [(FineSize, 1), (OnlySmallFile, 1), (TooLarge, 1)]);
}

#[test]
fn scope_and_purge() {
    let mut files = vec![F { partition: 0, size: 100 * MIB, rows: Some(100), deleted: None }; 4];
    files[1].deleted = Some(4);
    files[2].deleted = Some(6);
    files[3].deleted = Some(95);
    let all = list(&files);
    let options = CompactOptions { target: target(128 * MIB), scope: Scope::All, purge_above: Some(0.05) };
    let plan = compact(&all, &options);
    holds(&all, &plan);
    assert_eq!(plan.groups.iter().map(|g| g.inputs.clone()).collect::<Vec<_>>(), [vec![2], vec![3]]);
    assert_eq!(plan.groups[0].outputs, [Output { bytes: 94 * MIB, rows: Some(94) }]);
    let only: FxHashSet<u32> = [0, 1].into_iter().collect();
    let plan = compact(&all, &CompactOptions { scope: Scope::Files(&only), ..options });
    assert!(plan.is_empty());
    assert_eq!(plan.left_alone.last().map(|l| l.files), Some(2));
}

#[test]
fn a_second_run_finds_the_first_ones_choice() {
    // Equal partitions, numbered one way and the other.
    let part =
        |partition, files, rows| vec![F { partition, size: MIB, rows: Some(rows), deleted: None }; files];
    for (two, three) in [(0, 1), (1, 0)] {
        let list = list(&[part(two, 2, 150), part(three, 3, 100)].concat());
        assert!(to_n(&list, 5, false).unwrap().is_empty());
    }
    // As many files as wanted, but their rows are not even.
    let uneven = list(&[part(0, 1, 100), part(0, 1, 150)].concat());
    assert_eq!(to_n(&uneven, 2, false).unwrap().output_files(), 2);
}

#[test]
fn n_files_are_shared_out_by_rows() {
    // Bytes say otherwise.
    let files = [(0, 1800, 50), (1, 800, 150), (2, 400, 150)];
    let files =
        files.map(|(partition, rows, mb)| F { partition, size: mb * MIB, rows: Some(rows), deleted: None });
    let list = list(&files);
    let plan = to_n(&list, 6, false).unwrap();
    holds(&list, &plan);
    let outputs: Vec<_> = plan.groups.iter().map(|g| (g.partition, g.outputs.len())).collect();
    // The next file goes where a file has most rows; the partition that keeps its one is left alone.
    assert_eq!(outputs, [(0, 3), (1, 2)]);
    assert_eq!(plan.left_alone, [Left { reason: LeftReason::AlreadySo, files: 1, bytes: 150 * MIB }]);
    assert_eq!(plan.files_after(), 6);
    let code = |n, per| to_n(&list, n, per).err().map(|f| (f.code, f.exit_status()));
    assert_eq!(code(2, false), Some(("too-few-files", 2)));
    assert_eq!(code(0, true), Some(("bad-file-count", 2)));
    assert_eq!(code(3001, false), Some(("too-many-files", 2)));
    assert_eq!(code(401, true), Some(("too-many-files", 2)));
    assert_eq!(code(3000, false), None);
    let none = FxHashSet::default();
    let known = FxHashMap::default();
    let nothing = RewriteOptions {
        files: 1,
        per_partition: false,
        scope: Scope::Files(&none),
        all: false,
        known: &known,
    };
    assert_eq!(rewrite(&list, &nothing).err().map(|f| f.code), Some("nothing-to-rewrite"));
}

#[test]
fn the_report_has_the_contracts_keys() {
    let list = equal(4, MIB);
    let plan = plan_compact(&list, 128 * MIB);
    let table = crate::model::table::Table { name: "t".into(), version: 7, ..Default::default() };
    let estimate = estimate(&plan, &Machine { bytes_per_second: Some(4 * MIB), ..Machine::default() });
    let report = PlanReport::new(&plan, &table, &list, estimate, vec![], "deltop optimize t".into());
    let json = serde_json::to_value(&report).unwrap();
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "operation",
            "table",
            "version",
            "numInputFiles",
            "inputBytes",
            "inputRows",
            "numOutputFiles",
            "predictedSizes",
            "groups",
            "leftAlone",
            "memoryBytes",
            "diskBytes",
            "seconds",
            "risks",
            "command"
        ]
    );
    assert_eq!(json["groups"][0]["partitionValues"]["p"], "0");
    assert_eq!(json["groups"][0]["inputFiles"][3], "f3");
    // Four files and one more are opened, and one is written without columns that are known.
    assert_eq!((&json["seconds"], &json["diskBytes"]), (&2.3125.into(), &(4 * MIB + 600).into()));
}

fn any_file() -> impl Strategy<Value = F> {
    let rows = prop::option::weighted(0.9, 0u64..500);
    (0u32..4, 0u64..400, rows, prop::option::weighted(0.2, 0.0..=1.0f64)).prop_map(
        |(partition, size, rows, share)| F {
            partition,
            size,
            rows,
            deleted: share.map(|s| rows.map_or(3, |r| (r as f64 * s) as u64)),
        },
    )
}

proptest! {
    #[test]
    fn compaction_conserves_and_ends(files in prop::collection::vec(any_file(), 0..80), t in 2u64..200, purge in prop::option::of(0.0..1.0f64)) {
        let before = list(&files);
        let options = CompactOptions { target: target(t), scope: Scope::All, purge_above: purge };
        let plan = compact(&before, &options);
        holds(&before, &plan);
        prop_assert!(plan.output_files() <= plan.input_files());
        let after = list(&apply(&before, &plan));
        let again = compact(&after, &options);
        prop_assert!(again.is_empty(), "{:?}", again);
    }

    #[test]
    fn resizing_conserves_and_ends(files in prop::collection::vec(any_file(), 0..80), t in 2u64..200) {
        let before = list(&files);
        let plan = resize(&before, target(t), Scope::All);
        holds(&before, &plan);
        let after = list(&apply(&before, &plan));
        let again = resize(&after, target(t), Scope::All);
        holds(&after, &again);
        prop_assert!(again.is_empty(), "{:?}", again);
    }

    #[test]
    fn n_is_exact(files in prop::collection::vec(any_file(), 1..60), n in 1u64..100, per in any::<bool>()) {
        let before = list(&files);
        let parts = files.iter().map(|f| f.partition).collect::<FxHashSet<_>>().len() as u64;
        match to_n(&before, n, per) {
            Ok(plan) => {
                holds(&before, &plan);
                prop_assert_eq!(plan.files_after(), if per { n * parts } else { n });
            }
            Err(fault) => prop_assert_eq!(fault.exit_status(), 2),
        }
    }
}

#[test]
fn what_the_log_can_hardly_mean_is_not_planned() {
    let huge = list(&[F { partition: 0, size: u64::MAX >> 1, rows: None, deleted: None }]);
    let plan = resize(&huge, target(MIB), Scope::All);
    assert!(plan.is_empty());
    let left = Left { reason: LeftReason::TooManyParts, files: 1, bytes: u64::MAX >> 1 };
    assert_eq!(plan.left_alone, [left]);
    let code = |n, per| to_n(&huge, n, per).err().map(|f| f.code);
    assert_eq!(code(MOST_FILES + 1, false), Some("too-many-files"));
    assert_eq!(code(u64::MAX, true), Some("too-many-files"));
}

#[test]
fn rows_that_the_footers_tell_count() {
    let list = list(&[F { partition: 0, size: MIB, rows: None, deleted: None }]);
    let known = [(0, 2)].into_iter().collect();
    let options =
        RewriteOptions { files: 2, per_partition: false, scope: Scope::All, all: false, known: &known };
    let plan = rewrite(&list, &options).unwrap();
    assert_eq!(plan.groups[0].outputs.iter().map(|o| o.rows).collect::<Vec<_>>(), [Some(1), Some(1)]);
    let three = RewriteOptions { files: 3, ..options };
    assert_eq!(rewrite(&list, &three).unwrap_err().code, "too-many-files");
}

#[test]
fn each_file_by_itself() {
    let files = [None, Some(5), None].map(|deleted| F { partition: 0, size: 1, rows: Some(9), deleted });
    let list = list(&files);
    let inputs =
        |plan: &Plan| plan.groups.iter().map(|g| (g.inputs.clone(), g.outputs.len())).collect::<Vec<_>>();
    let purged = each(&list, Scope::All, true, false);
    assert_eq!(inputs(&purged), [(vec![1], 1)]);
    holds(&list, &purged);
    assert!(each(&list, Scope::All, false, false).is_empty());
    assert_eq!(each(&list, Scope::All, false, true).groups.len(), 3);
}
