use std::sync::Arc;

use proptest::prelude::*;

use super::super::files::{ChunkBuilder, DeletionVector, NewFile};
use super::super::partition::PartitionDict;
use super::*;

type Row = (&'static str, u64, Option<u64>, Option<(&'static str, u64)>, Option<&'static str>);

fn vector(id: &str, cardinality: u64) -> DeletionVector {
    DeletionVector {
        storage_type: "u".into(),
        path_or_inline_dv: id.into(),
        offset: Some(1),
        size_in_bytes: 8,
        cardinality,
    }
}

/// Files of (path, size, records, vector, partition value), two to a chunk.
fn list(rows: &[Row], partitioned: bool) -> FileList {
    let columns = if partitioned { vec!["p".to_owned()] } else { vec![] };
    let mut dict = PartitionDict::new(columns);
    let mut chunks = Vec::new();
    for pair in rows.chunks(2) {
        let mut chunk = ChunkBuilder::new(true, 2);
        for (path, size, records, dv, value) in pair {
            let partition = if partitioned { dict.intern(&[value.map(Arc::from)]) } else { 0 };
            let deletion_vector = dv.map(|(id, n)| vector(id, n));
            chunk.push(NewFile {
                path,
                size: *size,
                records: *records,
                partition,
                deletion_vector,
                ..NewFile::default()
            });
        }
        chunks.push(chunk.finish());
    }
    let mut out = FileList::new(Arc::new(dict), true, false);
    chunks.into_iter().for_each(|c| out.push_chunk(Arc::new(c)));
    out
}

fn diff(a: &FileList, b: &FileList, data_changed: Option<bool>) -> Diff {
    let (old, new) = (Table { version: 1, ..Table::default() }, Table { version: 4, ..Table::default() });
    Diff::between(Side { table: &old, files: a }, Side { table: &new, files: b }, data_changed)
}

fn sum(files: u64, bytes: u64, records: Option<u64>) -> Sum {
    Sum { files, bytes, records }
}

#[test]
fn files_are_added_removed_or_unchanged() {
    let a = list(&[("x", 10, Some(1), None, None), ("y", 20, Some(2), None, None)], false);
    let b = list(&[("y", 20, Some(2), None, None), ("z", 5, None, None, None)], false);
    let d = diff(&a, &b, Some(true));
    assert_eq!(
        (d.added, d.removed, d.unchanged),
        (sum(1, 5, None), sum(1, 10, Some(1)), sum(1, 20, Some(2)))
    );
    assert_eq!((d.layout_only, d.net_records(), d.partitions.len()), (Some(false), None, 0));
    assert_eq!((d.from, d.to, d.num_records), (1, 4, (Some(3), None)));
}

#[test]
fn a_new_vector_is_a_removed_and_an_added_file() {
    let a = list(&[("x", 10, Some(9), None, None), ("y", 10, Some(9), Some(("v", 1)), None)], false);
    let b =
        list(&[("x", 10, Some(9), Some(("w", 2)), None), ("y", 10, Some(9), Some(("v2", 4)), None)], false);
    let d = diff(&a, &b, Some(true));
    assert_eq!((d.added, d.removed), (sum(2, 20, Some(12)), sum(2, 20, Some(17))));
    let expected = VectorsChanged { files: 2, deleted_records_before: 1, deleted_records_after: 6 };
    assert_eq!(d.vectors_changed, expected);
}

#[test]
fn compaction_is_layout_only() {
    let a = list(&[("x", 10, Some(1), None, None), ("y", 20, Some(2), None, None)], false);
    let b = list(&[("z", 25, Some(3), None, None)], false);
    assert_eq!(diff(&a, &b, Some(false)).layout_only, Some(true));
    assert_eq!(diff(&a, &b, None).layout_only, None);
    assert_eq!(diff(&a, &a, None).layout_only, Some(true));
    let fewer = list(&[("z", 25, Some(2), None, None)], false);
    assert_eq!(diff(&a, &fewer, Some(false)).layout_only, Some(false));
    let unknown = list(&[("z", 25, None, None, None)], false);
    assert_eq!(diff(&a, &unknown, Some(false)).layout_only, None);
}

#[test]
fn partitions_meet_by_their_values() {
    let a = list(
        &[
            ("a", 1, Some(1), None, Some("1")),
            ("b", 1, Some(1), None, None),
            ("c", 1, Some(1), None, Some("2")),
        ],
        true,
    );
    let b = list(&[("c", 1, Some(1), None, Some("2")), ("d", 1, Some(1), None, None)], true);
    let d = diff(&a, &b, None);
    let shown: Vec<_> = d
        .partitions
        .iter()
        .map(|p| (p.partition_values[0].1.as_deref(), p.added.files, p.removed.files))
        .collect();
    assert_eq!(shown, [(None, 1, 1), (Some("1"), 0, 1)]);
    // Partitioned anew: the same file, but no partition in common.
    let e = list(&[("a", 1, Some(1), None, None), ("e", 1, Some(1), None, None)], false);
    let anew = diff(&a, &e, None);
    assert_eq!(anew.unchanged.files, 1);
    let values = |p: &PartitionDiff| p.partition_values.first().map(|(_, value)| value.clone());
    let shown: Vec<_> = anew
        .partitions
        .iter()
        .map(|p| (values(p), p.added.files, p.removed.files, p.unchanged.files))
        .collect();
    let (null, two) = (Some(None), Some(Some(Arc::from("2"))));
    assert_eq!(shown, [(None, 1, 0, 1), (null, 0, 1, 0), (two, 0, 1, 0)], "all files are in some part");
}

#[test]
fn the_json_is_that_of_the_contract() {
    let a = list(&[("x", 10, Some(1), None, Some("1"))], true);
    let json = serde_json::to_value(diff(&a, &list(&[], true), None)).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    let contract = [
        "from",
        "to",
        "added",
        "removed",
        "unchanged",
        "layoutOnly",
        "schemaChanges",
        "propertyChanges",
        "protocolChanges",
        "partitions",
    ];
    assert_eq!(keys[..contract.len()], contract);
    assert_eq!(json["removed"], serde_json::json!({"files": 1, "bytes": 10, "records": 1}));
    assert_eq!(json["partitions"][0]["partitionValues"], serde_json::json!({"p": "1"}));
    assert_eq!(json["numRecords"], serde_json::json!({"from": 1, "to": 0}));
}

#[test]
fn whether_data_changed_needs_every_commit() {
    let commit = |version, data_change| Commit { version, data_change, ..Commit::default() };
    let some = [commit(4, Some(false)), commit(3, None), commit(2, Some(false)), commit(1, Some(true))];
    assert_eq!(data_changed(&some, 1, 4), Some(false));
    assert_eq!(data_changed(&some, 4, 1), Some(false));
    assert_eq!(data_changed(&some, 0, 4), Some(true));
    assert_eq!(data_changed(&some[..2], 1, 4), None);
    assert_eq!(data_changed(&some, 4, 4), Some(false));
    let broken = [Commit { incomplete: true, ..commit(1, None) }];
    assert_eq!(data_changed(&broken, 0, 1), None);
}

#[test]
fn the_overlay_holds_every_size() {
    let sizes = [0, 4095, 4096, 16383, 16384, u64::MAX];
    let rows: Vec<Row> = sizes.iter().map(|s| ("f", *s, None, None, None)).collect();
    let buckets = overlay(&list(&rows, false), &FileList::default());
    assert_eq!(
        buckets[..3].iter().map(|b| (b.from, b.files_before)).collect::<Vec<_>>(),
        [(0, 2), (4096, 2), (16384, 1)]
    );
    assert_eq!(buckets.last().map(|b| (b.to, b.files_before)), Some((None, 1)));
    assert!(overlay(&FileList::default(), &FileList::default()).is_empty());
}

proptest! {
    #[test]
    fn files_bytes_and_rows_are_conserved(
        a in proptest::collection::btree_map(0u8..60, 0u8..3, 0..40),
        b in proptest::collection::btree_map(0u8..60, 0u8..3, 0..40),
    ) {
        const NAMES: [&str; 3] = ["u", "v", "w"];
        let paths: Vec<String> = (0..60).map(|n| format!("f{n}")).collect();
        let make = |files: &std::collections::BTreeMap<u8, u8>| {
            let mut dict = PartitionDict::new(vec!["p".to_owned()]);
            let mut chunk = ChunkBuilder::new(true, 8);
            for (n, dv) in files {
                let partition = dict.intern(&[Some(Arc::from(NAMES[*n as usize % 3]))]);
                let deletion_vector = (*dv > 0).then(|| vector(NAMES[*dv as usize], 0));
                let path = &paths[*n as usize];
                let (size, records) = (u64::from(*n) * 1000, Some(u64::from(*n)));
                chunk.push(NewFile { path, size, records, partition, deletion_vector, ..NewFile::default() });
            }
            let mut list = FileList::new(Arc::new(dict), true, false);
            list.push_chunk(Arc::new(chunk.finish()));
            list
        };
        let (x, y) = (make(&a), make(&b));
        let d = diff(&x, &y, None);
        prop_assert_eq!(d.added.files + d.unchanged.files, b.len() as u64);
        prop_assert_eq!(d.removed.files + d.unchanged.files, a.len() as u64);
        prop_assert_eq!(d.num_records.0, Some(a.keys().map(|n| u64::from(*n)).sum::<u64>()));
        prop_assert_eq!(d.added.bytes + d.unchanged.bytes, y.sizes().sum::<u64>());
        let per: u64 = d.partitions.iter().map(|p| p.added.files).sum();
        prop_assert_eq!(per, d.added.files);
        let bars: u64 = d.histogram.iter().map(|b| b.files_after).sum();
        prop_assert_eq!(bars, y.len() as u64);
        let back = diff(&y, &x, None);
        prop_assert_eq!((back.added.files, back.removed.files), (d.removed.files, d.added.files));
        prop_assert_eq!(back.vectors_changed.files, d.vectors_changed.files);
    }
}
