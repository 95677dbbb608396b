use proptest::prelude::*;
use serde_json::json;

use super::super::schema_diff::SchemaChangeKind;
use super::*;

const COMMIT: &str = r#"{"commitInfo":{"timestamp":5,"inCommitTimestamp":7,"operation":"DELETE","operationParameters":{"predicate":"[]"},"operationMetrics":{"numDeletedRows":"3"},"isBlindAppend":false}}
{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["deletionVectors"],"writerFeatures":["deletionVectors"]}}
{"metaData":{"id":"i","format":{"provider":"parquet"},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"a\",\"type\":\"long\"}]}","partitionColumns":["p"],"configuration":{"k":"v"},"createdTime":1}}
{"add":{"path":"p=a%20b/x","partitionValues":{"p":"a b","q":""},"size":10,"modificationTime":3,"dataChange":false,"stats":"{\"numRecords\":9}","deletionVector":{"storageType":"u","pathOrInlineDv":"v","offset":1,"sizeInBytes":4,"cardinality":2},"tags":{"t":null}}}
{"remove":{"path":"y","deletionTimestamp":4,"dataChange":true}}
{"cdc":{"path":"_change_data/z","partitionValues":{},"size":5,"dataChange":false}}
{"txn":{"appId":"app","version":"12"}}
{"domainMetadata":{"domain":"d","configuration":"{}","removed":true}}
{"wheel":{}}
{"wheel":{}}
"#;

#[test]
fn every_action_is_read() {
    let got = CommitActions::parse(COMMIT);
    assert!(got.problems.is_empty(), "{:?}", got.problems);
    let add = &got.added.kept[0];
    assert_eq!((&*add.path, add.size, add.live_records(), add.time), ("p=a b/x", Some(10), Some(7), Some(3)));
    assert_eq!(add.partition_values, [("p".into(), Some("a b".into())), ("q".into(), None)]);
    assert_eq!(
        (got.removed.without_size, got.removed.records(), got.removed.kept[0].time),
        (1, None, Some(4))
    );
    assert_eq!((got.cdc.bytes, got.txns[0].version, got.domains[0].removed), (5, 12, true));
    assert_eq!(got.others, [("wheel".to_owned(), 2)]);
    let meta = got.metadata_diff(None).unwrap();
    assert_eq!(meta.schema_changes[0].change, SchemaChangeKind::Added);
    assert_eq!(meta.property_changes.len(), 1);
    assert_eq!(got.protocol_diff(None).unwrap().len(), 3);
    let same = got.metadata.clone().unwrap();
    assert!(got.metadata_diff(Some(&same)).unwrap().is_empty());
}

#[test]
fn the_history_line_follows() {
    let line = CommitActions::parse(COMMIT).commit(4, Some(99), true);
    assert_eq!((line.version, line.timestamp, line.stated_timestamp), (4, Some(7), Some(5)));
    assert_eq!((line.added_files, line.removed_files, line.cdc_files), (1, 1, 1));
    assert_eq!((line.added_records, line.removed_records, line.removes_without_size), (Some(7), None, 1));
    assert_eq!((line.data_change, line.operation.as_deref()), (Some(true), Some("DELETE")));
    assert!(line.protocol_changed && line.metadata_changed && line.problem.is_none());
    let bare = CommitActions::parse(r#"{"txn":{"appId":"a","version":1}}"#).commit(0, Some(9), false);
    assert_eq!((bare.timestamp, bare.data_change, bare.added_records), (Some(9), None, Some(0)));
}

#[test]
fn damaged_files_are_read_as_far_as_they_go() {
    let cut = CommitActions::parse(&COMMIT[..COMMIT.len() - 8]);
    assert_eq!((cut.others[0].1, cut.problems.len()), (1, 1));
    assert!(cut.problems[0].contains("cut off"));
    let garbage = CommitActions::parse(
        "{\"add\":{\"path\":\"a\",\"size\":1}}\n\0garbage}\n{\"add\":{\"path\":\"b\",\"size\":2}}\n7\n",
    );
    assert_eq!((garbage.added.bytes, garbage.problems.len()), (3, 2));
    let empty = CommitActions::parse(" \n");
    assert_eq!(empty.problems, ["the commit file is empty"]);
    let odd =
        CommitActions::parse(r#"{"add":{"size":1},"remove":null,"cdc":3,"txn":{},"domainMetadata":{}}"#);
    assert_eq!((odd.problems.len(), odd.added.count), (4, 0));
    let no_schema = CommitActions::parse(r#"{"metaData":{"id":3,"schemaString":"["}}"#);
    assert_eq!((no_schema.metadata.map(|m| m.id).as_deref(), no_schema.problems.len()), (Some("3"), 1));
}

#[test]
fn pretty_printed_commits_are_read() {
    let pretty =
        serde_json::to_string_pretty(&json!({"add": {"path": "a", "size": "12", "dataChange": "true"}}))
            .unwrap();
    let got = CommitActions::parse(&format!("{pretty}\r\n{pretty}"));
    assert_eq!((got.added.count, got.added.bytes, got.problems.len()), (2, 24, 0));
}

proptest! {
    #[test]
    fn no_bytes_are_too_odd(at in 0usize..COMMIT.len(), byte in any::<char>(), cut in 0usize..COMMIT.len()) {
        let mut text: Vec<char> = COMMIT.chars().collect();
        text[at] = byte;
        text.truncate(cut.max(1));
        let text: String = text.into_iter().collect();
        let got = CommitActions::parse(&text);
        prop_assert!(got.added.count <= 1 && got.problems.len() <= 20);
        got.commit(1, None, true);
    }

    #[test]
    fn any_lines_end(text in "[\\PC\n{}\"]{0,200}") {
        CommitActions::parse(&text);
    }
}
