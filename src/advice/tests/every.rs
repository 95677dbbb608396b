//! A finding of every rule, and of every form that its action can take.

use super::*;
use crate::model::footer_totals::{Differences, Failures, Problem, Stated};

/// Findings of all rules. The table's name has to be quoted in a shell.
pub(crate) fn every_finding() -> Vec<Finding> {
    let mut out = sound();
    out.extend(damaged());
    out.extend(owned_by_another_engine());
    out
}

fn quoted() -> Table {
    Table { location: "/data/it's a `table` \"x\"".into(), ..table() }
}

fn with(change: impl Fn(&mut Table)) -> Table {
    let mut t = quoted();
    change(&mut t);
    t
}

fn property(key: &str, value: &str) -> Table {
    with(|t| drop(t.metadata.configuration.insert(key.into(), value.into())))
}

fn judged(table: &Table, list: &FileList, footers: &FooterSummary) -> Vec<Finding> {
    judged_by(Profile::Spark, table, list, footers)
}

fn judged_by(profile: Profile, table: &Table, list: &FileList, footers: &FooterSummary) -> Vec<Finding> {
    let limits = Thresholds::of(profile);
    let column = ColumnClustering {
        column: "k".into(),
        clustering: Clustering {
            avg_depth: Some(9.0),
            max_depth: Some(9),
            overlaps: Some(99.0),
            constant_files: 0,
            point_read_share: Some(0.9),
            range_read_share: Some(0.9),
            known_files: 100,
            all_null_files: 0,
            unknown_files: 0,
        },
    };
    let mut stats = StatsTable::new(&wanted_columns(&table.metadata));
    (0..list.len()).for_each(|_| stats.push_json(None));
    let double = |damage| DoubleRewrite {
        first_version: 1,
        second_version: 2,
        damage,
        files: 10,
        rows: Some(1000),
        added_by_second: 1,
    };
    let tombstones = Tombstones { files: 1000, bytes: 100 * GIB, without_size: 1 };
    let orphans = Unreferenced { files: 9, bytes: GIB, old_files: 2, old_bytes: GIB };
    [Damage::Doubled, Damage::Survived]
        .into_iter()
        .flat_map(|damage| {
            let (double, columns) = ([double(damage)], [column.clone()]);
            let facts = Facts::new(table, list, &limits)
                .with_footers(Some(footers))
                .with_stats(Some(&stats))
                .with_clustering(Some(&columns))
                .with_tombstones(Some(tombstones))
                .with_unreferenced(Some(orphans))
                .with_double_rewrites(Some(&double));
            advise(&facts)
        })
        .collect()
}

fn footers(files: u64) -> FooterSummary {
    FooterSummary {
        files,
        of_files: files,
        row_group_rows: vec![50_000; 60],
        inner_row_group_rows: vec![50_000; 40],
        codecs: [("SNAPPY".to_owned(), 700), ("UNCOMPRESSED".to_owned(), 300)].into(),
        v_order_files: 5,
        ..FooterSummary::default()
    }
}

fn sound() -> Vec<Finding> {
    let clustered = with(|t| {
        t.domains = vec![Domain {
            domain: "delta.clustering".into(),
            configuration: r#"{"clusteringColumns":[["k"]]}"#.into(),
        }];
    });
    let names: Vec<String> = (0..40).map(|i| format!("d{i}")).collect();
    let fine: Vec<(Option<&str>, u64)> = names.iter().map(|n| (Some(n.as_str()), 3 * MIB)).collect();
    let mut skewed: Vec<(Option<&str>, u64)> = names.iter().map(|n| (Some(n.as_str()), 100 * MIB)).collect();
    skewed.extend(vec![(Some("D1"), 200 * MIB); 30]);
    let long = |checkpoint: Option<u64>| {
        with(|t| {
            t.version = 5000;
            t.log.commits = 6000;
            t.log.last_checkpoint = checkpoint;
        })
    };
    let mut chunk = ChunkBuilder::new(true, 2);
    for _ in 0..2 {
        let deletion_vector = Some(vector(400_000));
        chunk.push(NewFile {
            path: "f",
            size: 100 * MIB,
            records: Some(1_000_000),
            deletion_vector,
            ..NewFile::default()
        });
    }
    let mut deleted = FileList::new(Arc::new(PartitionDict::new(vec![])), true, false);
    deleted.push_chunk(Arc::new(chunk.finish()));
    let files = "delta.deletedFileRetentionDuration";
    let cases = [
        (quoted(), plain(128, 26 * MIB)),
        (quoted(), plain(4, 900 * MIB)),
        (clustered, plain(25, 128 * MIB)),
        (quoted(), self::files(&fine)),
        (quoted(), self::files(&skewed)),
        (quoted(), plain(5000, 250 * MIB)),
        (long(None), plain(25, 128 * MIB)),
        (long(Some(4000)), deleted),
        (property(files, "interval 1 hours"), plain(25, 128 * MIB)),
        (property(files, "interval 60 days"), plain(25, 128 * MIB)),
        (property("delta.logRetentionDuration", "interval 1 day"), plain(25, 128 * MIB)),
        (property("delta.logRetentionDuration", "soon"), plain(25, 128 * MIB)),
        (with(|t| t.protocol.min_writer = 5), plain(25, 128 * MIB)),
    ];
    let mut out: Vec<Finding> =
        cases.iter().flat_map(|(t, list)| judged(t, list, &footers(list.len() as u64))).collect();
    out.extend(judged_by(Profile::DirectLake, &quoted(), &plain(1200, 80 * MIB), &footers(1200)));
    out
}

fn failing(code: &'static str) -> FooterSummary {
    let mut failures = Failures::default();
    failures.add("a.parquet", Stated { bytes: 9, rows: Some(3) }, Problem { code, reason: "gone".into() });
    FooterSummary { files: 127, of_files: 128, failures, ..footers(128) }
}

fn damaged() -> Vec<Finding> {
    let mut wrong = Differences::default();
    wrong.add("a.parquet", 10, 12);
    let wrong = FooterSummary { wrong_rows: wrong, ..footers(128) };
    let vectors = FooterSummary { vectors: failing("not-found").failures, ..footers(128) };
    [failing("not-found"), failing("truncated"), failing("permission-denied"), vectors, wrong]
        .iter()
        .flat_map(|footers| judged(&quoted(), &plain(128, 26 * MIB), footers))
        .collect()
}

fn owned_by_another_engine() -> Vec<Finding> {
    let tracked = with(|t| {
        t.protocol = Protocol {
            min_reader: 1,
            min_writer: 7,
            reader_features: None,
            writer_features: Some(vec!["rowTracking".into(), "unheardOf".into()]),
        };
    });
    judged(&tracked, &plain(128, 26 * MIB), &footers(128))
}

#[test]
fn every_rule_has_a_finding_here() {
    let found = every_finding();
    let lacking: Vec<&str> =
        RULES.iter().map(|r| r.id).filter(|id| !found.iter().any(|f| f.id == *id)).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
    for action in found.iter().filter_map(|f| f.action.as_ref()) {
        assert!(action.command.is_some() != action.instructions.is_some(), "{action:?}");
        assert!(!action.instructions.as_ref().is_some_and(|i| i.contains("deltop")), "{action:?}");
    }
}

#[test]
fn nothing_is_to_be_rewritten_or_deleted_while_files_are_broken() {
    for (id, found) in [
        ("missing-files", judged(&quoted(), &plain(128, 26 * MIB), &failing("not-found"))),
        ("unreadable-files", judged(&quoted(), &plain(128, 26 * MIB), &failing("bad-footer"))),
    ] {
        let commands: Vec<&str> =
            found.iter().filter_map(|f| f.action.as_ref()?.command.as_deref()).collect();
        assert!(commands.iter().all(|c| c.starts_with("deltop repair ")), "{commands:?}");
        let small = found.iter().find(|f| f.id == "small-files").unwrap().action.as_ref().unwrap();
        assert!(small.text().contains(id), "{small:?}");
        // What it would come to is still told.
        assert_eq!(small.target_files, Some(32));
        assert_eq!(Grade::of(&found).letter, 'F');
    }
}

#[test]
fn broken_files_are_told_as_far_as_they_were_looked_for() {
    let (t, list, limits) = (table(), plain(128, 26 * MIB), Thresholds::default());
    let of = |footers: &FooterSummary| {
        let found = advise(&Facts::new(&t, &list, &limits).with_footers(Some(footers)));
        (found[0].id, found[0].severity, found[0].title.clone(), found[0].evidence.clone())
    };
    let one = failing("not-found");
    let (id, severity, title, evidence) = of(&one);
    assert_eq!((id, severity, &*title), ("missing-files", Critical, "1 of 128 data files are not there"));
    assert_eq!(evidence, "looked at 128 of 128 data files; not found: a.parquet (9 B, 3 rows by the log)");
    let sample = FooterSummary { files: 9, of_files: 1280, ..one };
    let (_, _, title, evidence) = of(&sample);
    assert_eq!(title, "1 data file is not there, of 10 looked at");
    assert!(evidence.starts_with("looked at ~ 10 of 1,280 data files; "), "{evidence}");
    assert!(evidence.ends_with("; ~128 in the whole table"), "{evidence}");
    let (id, severity, title, _) = of(&failing("truncated"));
    assert_eq!((id, severity, &*title), ("unreadable-files", Critical, "1 data file cannot be read"));
    let denied = failing("permission-denied");
    let found = advise(&Facts::new(&t, &list, &limits).with_footers(Some(&denied)));
    assert!(ids(&found).contains(&("unreadable-files", Warning)), "{found:?}");
}
