//! Each rule fires on the layout that it is for, and a healthy table gets nothing.

use std::sync::Arc;

pub(crate) mod every;

use super::*;
use crate::model::clustering::Clustering;
use crate::model::double_rewrite::{Damage, DoubleRewrite};
use crate::model::evidence::{ColumnClustering, Unreferenced};
use crate::model::files::{ChunkBuilder, DeletionVector, FileList, NewFile};
use crate::model::footer_summary::FooterSummary;
use crate::model::partition::PartitionDict;
use crate::model::schema::parse_schema;
use crate::model::stats::{StatsTable, wanted_columns};
use crate::model::table::{Domain, LogState, Metadata, Protocol, Table, Tombstones};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

fn table() -> Table {
    let schema = r#"{"type":"struct","fields":[{"name":"k","type":"long","nullable":true,"metadata":{}},
        {"name":"v","type":"string","nullable":true,"metadata":{}}]}"#;
    Table {
        location: "/data/t".into(),
        name: "t".into(),
        version: 3,
        protocol: Protocol { min_reader: 1, min_writer: 2, ..Protocol::default() },
        metadata: Metadata { schema: parse_schema(schema).unwrap(), ..Metadata::default() },
        log: LogState { commits: 4, first_commit: Some(0), bytes: 4000, ..LogState::default() },
        ..Table::default()
    }
}

fn vector(cardinality: u64) -> DeletionVector {
    DeletionVector {
        storage_type: "i".into(),
        path_or_inline_dv: "x".into(),
        offset: None,
        size_in_bytes: 1,
        cardinality,
    }
}

/// Files of these sizes, with a partition value each (or none for all).
fn files(sizes: &[(Option<&str>, u64)]) -> FileList {
    let columns = if sizes.iter().any(|(p, _)| p.is_some()) { vec!["p".to_owned()] } else { vec![] };
    let partitioned = !columns.is_empty();
    let mut dict = PartitionDict::new(columns);
    let mut chunk = ChunkBuilder::new(true, sizes.len());
    for (value, size) in sizes {
        let partition = if partitioned { dict.intern(&[value.map(Arc::from)]) } else { 0 };
        chunk.push(NewFile {
            path: "f",
            size: *size,
            records: Some(1_000_000),
            partition,
            ..NewFile::default()
        });
    }
    let mut list = FileList::new(Arc::new(dict), true, false);
    list.push_chunk(Arc::new(chunk.finish()));
    list
}

fn plain(n: usize, size: u64) -> FileList {
    files(&vec![(None, size); n])
}

fn ids(findings: &[Finding]) -> Vec<(&str, Severity)> {
    findings.iter().map(|f| (f.id, f.severity)).collect()
}

fn advice(table: &Table, list: &FileList) -> Vec<Finding> {
    advise(&Facts::new(table, list, &Thresholds::default()))
}

use Severity::{Critical, Info, Warning};

#[test]
fn the_fragmentation_tutorial() {
    let mut sizes = vec![(None, 26_079_252); 128];
    sizes[0].1 += 3_338_144_372 - 128 * 26_079_252;
    let found = advice(&table(), &files(&sizes));
    assert_eq!(ids(&found), [("small-files", Critical)]);
    let action = found[0].action.as_ref().unwrap();
    assert_eq!((action.target_files, action.target_file_size), (Some(26), Some(128 * MIB)));
    assert_eq!(action.command.as_deref(), Some("deltop optimize /data/t"));
    assert_eq!(found[0].title, "128 small files could be 26 files of about 122 MiB");
    assert_eq!(Grade::of(&found).letter, 'C');

    let found = advice(&table(), &plain(4, 834_536_093));
    assert_eq!(ids(&found), [("oversize-files", Warning)]);
    let action = found[0].action.as_ref().unwrap();
    assert_eq!((action.target_files, action.target_file_size), (Some(24), Some(128 * MIB)));
    assert_eq!(action.command.as_deref(), Some("deltop rewrite /data/t --target-size 128MiB"));

    assert!(advice(&table(), &plain(16, 208_634_023)).is_empty());
    assert!(advice(&table(), &plain(1, 5_000_000)).is_empty());
    assert!(advice(&table(), &plain(0, 0)).is_empty());
}

#[test]
fn a_healthy_table_gets_nothing() {
    let found = advice(&table(), &plain(25, 128 * MIB));
    assert_eq!(Grade::of(&found), Grade { letter: 'A', reasons: vec![] });
    // A small file alone in its partition is never small.
    let parts = ["a", "b", "c", "d", "e"].map(|p| (Some(p), MIB));
    assert!(advice(&table(), &files(&parts)).is_empty());
}

#[test]
fn small_files_by_degree() {
    let severity = |n| advice(&table(), &plain(n, MIB)).first().map(|f| f.severity);
    assert_eq!(
        [severity(4), severity(5), severity(50), severity(100)],
        [None, Some(Info), Some(Warning), Some(Critical)]
    );
    // Few small ones among many good ones.
    let mut mixed = vec![(None, 128 * MIB); 200];
    mixed.extend(vec![(None, MIB); 8]);
    assert!(advice(&table(), &files(&mixed)).is_empty());
}

#[test]
fn the_tables_own_target_and_the_readers() {
    let mut t = table();
    t.metadata.configuration.insert("delta.targetFileSize".into(), "32mb".into());
    let found = advice(&t, &plain(25, 128 * MIB));
    assert_eq!(
        found[0].action.as_ref().map(|a| (a.target_files, a.target_file_size)),
        Some((Some(100), Some(32 * MIB)))
    );
    let list = plain(20, 100 * MIB);
    let limits = Thresholds::of(Profile::Databricks);
    let found = advise(&Facts::new(&table(), &list, &limits));
    assert_eq!(
        found[0].action.as_ref().and_then(|a| a.command.as_deref()),
        Some("deltop rewrite /data/t --target-size 256MiB")
    );
    let list = plain(4, 834_536_093);
    assert!(advise(&Facts::new(&table(), &list, &Thresholds::of(Profile::FabricSql))).is_empty());
}

#[test]
fn file_counts() {
    let list = plain(1200, 80 * MIB);
    let found = advice(&table(), &list);
    assert_eq!(ids(&found), [("file-count", Info)]);
    assert!(found[0].action.is_none());
    let limits = Thresholds::of(Profile::DirectLake);
    let found = advise(&Facts::new(&table(), &list, &limits));
    assert_eq!(ids(&found), [("file-count", Critical)]);
    assert_eq!(found[0].evidence, "1,200 files, limit 1,000; 1,200,000,000 rows, limit 300,000,000");
}

#[test]
fn partitions() {
    let names: Vec<String> = (0..40).map(|i| format!("d{i}")).collect();
    let mut sizes: Vec<(Option<&str>, u64)> = names.iter().map(|n| (Some(n.as_str()), 3 * MIB)).collect();
    assert_eq!(ids(&advice(&table(), &files(&sizes))), [("over-partitioned", Warning)]);
    for s in &mut sizes {
        s.1 = 100 * MIB;
    }
    assert!(advice(&table(), &files(&sizes)).is_empty());
    sizes.extend(vec![(Some("d1"), 200 * MIB); 30]);
    assert_eq!(ids(&advice(&table(), &files(&sizes))), [("partition-skew", Info)]);
    let odd = [(Some("US"), 100 * MIB), (Some("us"), 100 * MIB), (Some("a%20b"), 100 * MIB)];
    let found = advice(&table(), &files(&odd));
    assert_eq!(ids(&found), [("partition-values", Info)]);
    assert!(found[0].title.starts_with("3 partition values"), "{found:?}");
    assert_eq!(ids(&advice(&table(), &plain(5000, 250 * MIB))), [("under-partitioned", Info)]);
}

#[test]
fn deleted_rows() {
    let mut chunk = ChunkBuilder::new(true, 10);
    for i in 0..10 {
        let deletion_vector = (i < 3).then(|| vector(if i < 2 { 400_000 } else { 10_000 }));
        chunk.push(NewFile {
            path: "f",
            size: 100 * MIB,
            records: Some(1_000_000),
            deletion_vector,
            ..NewFile::default()
        });
    }
    let mut list = FileList::new(Arc::new(PartitionDict::new(vec![])), true, false);
    list.push_chunk(Arc::new(chunk.finish()));
    let found = advice(&table(), &list);
    assert_eq!(ids(&found), [("deletion-vectors", Warning)]);
    assert_eq!(found[0].title, "2 files with more than 5.0 % of the rows deleted");
    assert!(
        found[0].evidence.contains("810,000 rows deleted (8.1 % of all); 200 MiB in the 2 files above 5.0 %"),
        "{found:?}"
    );
    // The two shrink to 60 MiB each and fit into one file.
    assert_eq!(found[0].action.as_ref().map(|a| a.target_files), Some(Some(9)));
}

#[test]
fn the_log() {
    let list = plain(25, 128 * MIB);
    let with = |change: &dyn Fn(&mut Table)| {
        let mut t = table();
        change(&mut t);
        advice(&t, &list).iter().map(|f| (f.id, f.severity)).collect::<Vec<_>>()
    };
    assert_eq!(with(&|t| t.version = 20), [("stale-checkpoint", Info)]);
    assert_eq!(with(&|t| t.version = 19), []);
    assert_eq!(
        with(&|t| {
            t.version = 150;
            t.log.last_checkpoint = Some(20)
        }),
        [("stale-checkpoint", Warning)]
    );
    assert_eq!(
        with(&|t| {
            t.version = 150;
            t.log.last_checkpoint = Some(145)
        }),
        []
    );
    let slow = |t: &mut Table| {
        t.version = 150;
        t.metadata.configuration.insert("delta.checkpointInterval".into(), "100".into());
    };
    assert_eq!(with(&slow), []);
    assert_eq!(with(&|t| t.log.commits = 6000), [("long-log", Info)]);
    assert_eq!(with(&|t| t.log.bytes = 4 * GIB), [("long-log", Warning)]);
    let set = |k: &'static str, v: &'static str| {
        move |t: &mut Table| {
            t.metadata.configuration.insert(k.into(), v.into());
        }
    };
    assert_eq!(
        with(&set("delta.deletedFileRetentionDuration", "interval 1 hours")),
        [("retention", Warning)]
    );
    assert_eq!(with(&set("delta.deletedFileRetentionDuration", "interval 60 days")), [("retention", Info)]);
    assert_eq!(with(&set("delta.logRetentionDuration", "interval 1 day")), [("retention", Info)]);
    assert_eq!(with(&set("delta.logRetentionDuration", "soon")), [("retention", Info)]);
    assert_eq!(with(&set("delta.deletedFileRetentionDuration", "interval 7 days")), []);
    assert_eq!(with(&|t| t.protocol.min_writer = 5), [("legacy-protocol", Info)]);
    let tracked = |t: &mut Table| {
        t.protocol = Protocol {
            min_reader: 1,
            min_writer: 7,
            reader_features: None,
            writer_features: Some(vec!["rowTracking".into()]),
        };
    };
    assert_eq!(with(&tracked), [("features-forbid-tuning", Info)]);
}

#[test]
fn what_only_a_deeper_look_tells() {
    let (t, list, limits) = (table(), plain(25, 128 * MIB), Thresholds::default());
    let facts = || Facts::new(&t, &list, &limits);
    let tombstones = Tombstones { files: 100, bytes: 10 * GIB, without_size: 1 };
    assert_eq!(ids(&advise(&facts().with_tombstones(Some(tombstones)))), [("tombstone-waste", Warning)]);
    let orphans = Unreferenced { files: 9, bytes: GIB, old_files: 0, old_bytes: 0 };
    assert!(advise(&facts().with_unreferenced(Some(orphans))).is_empty());
    let orphans = Unreferenced { old_files: 2, old_bytes: GIB, ..orphans };
    assert_eq!(ids(&advise(&facts().with_unreferenced(Some(orphans)))), [("unreferenced-files", Warning)]);
    let double = [DoubleRewrite {
        first_version: 1,
        second_version: 2,
        damage: Damage::Doubled,
        files: 10,
        rows: Some(1000),
        added_by_second: 1,
    }];
    let found = advise(&facts().with_double_rewrites(Some(&double)));
    assert_eq!(ids(&found), [("double-rewrite", Critical)]);
    assert_eq!(Grade::of(&found).letter, 'F');
    let footers = FooterSummary {
        files: 20,
        of_files: 25,
        row_group_rows: vec![50_000; 60],
        inner_row_group_rows: vec![50_000; 40],
        codecs: [("SNAPPY".to_owned(), 700), ("ZSTD".to_owned(), 300)].into(),
        v_order_files: 5,
        ..FooterSummary::default()
    };
    let found = advise(&facts().with_footers(Some(&footers)));
    assert_eq!(ids(&found), [("row-groups", Warning), ("v-order", Info), ("codec-mix", Info)]);
    assert!(found[0].evidence.contains("in a sample of 20 of 25 files"), "{found:?}");
}

#[test]
fn statistics_and_clustering() {
    let mut t = table();
    t.domains = vec![Domain {
        domain: "delta.clustering".into(),
        configuration: r#"{"clusteringColumns":[["k"]]}"#.into(),
    }];
    let (list, limits) = (plain(25, 128 * MIB), Thresholds::default());
    let of = |stats: &dyn Fn(usize) -> Option<String>| {
        let mut all = StatsTable::new(&wanted_columns(&t.metadata));
        (0..25).for_each(|i| all.push_json(stats(i).as_deref()));
        let found = advise(&Facts::new(&t, &list, &limits).with_stats(Some(&all)));
        found.iter().map(|f| (f.id, f.severity)).collect::<Vec<_>>()
    };
    let bounds = |a: usize, b: usize| {
        Some(format!(
            r#"{{"numRecords":9,"minValues":{{"k":{a},"v":"a"}},"maxValues":{{"k":{b},"v":"z"}},"nullCount":{{"k":0,"v":0}}}}"#
        ))
    };
    assert_eq!(of(&|i| bounds(10 * i, 10 * i + 9)), []);
    assert_eq!(of(&|_| bounds(0, 9)), [("poor-clustering", Warning)]);
    assert_eq!(
        of(&|i| if i < 3 { None } else { bounds(10 * i, 10 * i + 9) }),
        [("missing-statistics", Warning)]
    );
    assert_eq!(of(&|i| if i == 3 { None } else { bounds(10 * i, 10 * i + 9) }), []);
    // Statistics of another list are not used.
    let few = StatsTable::new(&wanted_columns(&t.metadata));
    assert!(Facts::new(&t, &list, &limits).with_stats(Some(&few)).stats.is_none());
}

#[test]
fn a_large_table_without_order() {
    let (t, list, limits) = (table(), plain(100, 128 * MIB), Thresholds::default());
    let column = |name: &str, share| ColumnClustering {
        column: name.into(),
        clustering: Clustering {
            avg_depth: Some(9.0),
            max_depth: Some(9),
            overlaps: Some(9.0),
            constant_files: 0,
            point_read_share: Some(share),
            range_read_share: Some(share),
            known_files: 100,
            all_null_files: 0,
            unknown_files: 0,
        },
    };
    let of = |columns: &[ColumnClustering]| {
        advise(&Facts::new(&t, &list, &limits).with_clustering(Some(columns)))
            .first()
            .map(|f| f.evidence.clone())
    };
    assert_eq!(of(&[column("a", 0.9), column("b", 0.02)]), None);
    assert_eq!(
        of(&[column("a", 0.9), column("b", 0.8)]).as_deref(),
        Some("share of files that a 1 % range reads, best first: b 80 %, a 90 %; 12.5 GiB in 100 files")
    );
}

#[test]
fn the_contracts_keys() {
    let json = serde_json::to_value(advice(&table(), &plain(128, 26 * MIB))).unwrap();
    let keys: Vec<&str> = json[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["id", "severity", "title", "evidence", "impact", "action", "source"]);
    let action: Vec<&str> = json[0]["action"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(action, ["command", "targetFiles", "targetFileSize", "instructions"]);
    assert_eq!(json[0]["severity"], "critical");
}

#[test]
fn thresholds_can_be_set_and_profiles_are_named() {
    let limits: Thresholds = serde_json::from_str(
        r#"{"small_files_saved": 1, "target": {"floor": 1, "ceiling": 2, "from": 3, "to": 4}}"#,
    )
    .unwrap();
    assert_eq!((limits.small_files_saved, limits.deleted_share, limits.target.at(9)), (1, 0.05, 2));
    assert!(serde_json::from_str::<Thresholds>(r#"{"smal_files": 1}"#).is_err());
    for profile in Profile::ALL {
        assert_eq!(profile.name().parse(), Ok(profile));
        assert_eq!(serde_json::to_value(profile).unwrap(), profile.name());
    }
    let mut ids: Vec<&str> = RULES.iter().map(|r| r.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), RULES.len());
}

#[test]
fn grades() {
    let of = |severities: &[Severity]| {
        let finding = |s: &Severity| Finding {
            id: "x",
            severity: *s,
            title: String::new(),
            evidence: String::new(),
            impact: String::new(),
            action: None,
            source: "",
        };
        Grade::of(&severities.iter().map(finding).collect::<Vec<_>>()).letter
    };
    assert_eq!([of(&[]), of(&[Info, Info]), of(&[Warning; 2]), of(&[Warning; 3])], ['A', 'A', 'B', 'C']);
    assert_eq!([of(&[Critical, Warning]), of(&[Critical; 2]), of(&[Critical; 3])], ['C', 'D', 'F']);
}

proptest::proptest! {
    #[test]
    fn any_layout_gets_advice_without_a_panic(sizes in proptest::collection::vec((0u8..5, proptest::prelude::any::<u64>()), 0..60), profile in 0usize..6) {
        let names = ["a", "b", "c", "", "d"];
        let sizes: Vec<_> = sizes.iter().map(|(p, s)| (Some(names[*p as usize]), *s >> 30)).collect();
        let (t, list) = (table(), files(&sizes));
        let limits = Thresholds::of(Profile::ALL[profile]);
        let facts = Facts::new(&t, &list, &limits);
        for finding in advise(&facts) {
            proptest::prop_assert!(!finding.evidence.is_empty() && !finding.impact.is_empty());
        }
        proptest::prop_assert!(facts.compaction().files_after() <= list.len() as u64);
    }
}
