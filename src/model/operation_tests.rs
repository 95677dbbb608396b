use proptest::prelude::*;
use serde_json::json;

use super::*;

fn words(operation: &str, parameters: Value) -> String {
    Operation::of(Some(operation), parameters.as_object()).words
}

#[test]
fn writes() {
    assert_eq!(
        words("WRITE", json!({"mode": "Append", "partitionBy": "[]", "statsOnLoad": false})),
        "append"
    );
    let overwrite = json!({"mode": "Overwrite", "predicate": "snapshot_date = '2024-02-11'", "partitionBy": "[\"snapshot_date\"]"});
    assert_eq!(
        words("WRITE", overwrite),
        "overwrite where snapshot_date = '2024-02-11', partitioned by snapshot_date"
    );
    let streaming = json!({"outputMode": "Append", "queryId": "e4a2", "epochId": 7});
    assert_eq!(words("STREAMING UPDATE", streaming), "append, epoch 7, query e4a2");
}

#[test]
fn conditions_lose_sparks_ids() {
    assert_eq!(words("DELETE", json!({"predicate": "[\"(`value` = 3)\"]"})), "where (`value` = 3)");
    assert_eq!(
        words("UPDATE", json!({"predicate": ["(id#480 < 50)", "x = 'a#1'"]})),
        "where (id < 50) AND x = 'a#1'"
    );
    assert_eq!(words("DELETE", json!({"predicate": "[]"})), "all rows");
    assert_eq!(words("DELETE", json!({})), "");
    let merge = json!({
        "predicate": "[\"(id#6739L = id#6741L)\"]",
        "matchedPredicates": "[{\"predicate\":\"(id#6739L = 1)\",\"actionType\":\"update\"},{\"actionType\":\"delete\"}]",
        "notMatchedPredicates": "[{\"actionType\":\"insert\"}]",
        "notMatchedBySourcePredicates": "[]", "clusterBy": "[]"});
    assert_eq!(
        words("MERGE", merge),
        "on (id = id), matched: update if (id = 1), delete, not matched: insert"
    );
}

#[test]
fn maintenance() {
    let optimize = json!({"predicate": "[\"d = '1'\"]", "zOrderBy": "[\"a\",\"b\"]", "auto": true, "clusterBy": "[]", "batchId": "0"});
    assert_eq!(words("OPTIMIZE", optimize), "automatic, where d = '1', Z-order by a, b");
    assert_eq!(words("OPTIMIZE", json!({"targetSize": "104857600"})), "target size 100 MiB");
    let start = json!({"retentionCheckEnabled": "false", "specifiedRetentionMillis": "0", "defaultRetentionMillis": 604800000});
    assert_eq!(words("VACUUM START", start), "retain 0 ms, safety check off");
    let default = json!({"retentionCheckEnabled": true, "defaultRetentionMillis": 604800000});
    assert_eq!(words("VACUUM START", default), "retain 7 d (default)");
    assert_eq!(words("VACUUM END", json!({"status": "COMPLETED"})), "completed");
    assert_eq!(words("RESTORE", json!({"version": 3, "timestamp": null})), "to version 3");
    assert_eq!(
        words("CLONE", json!({"source": "elsewhere", "isShallow": "true"})),
        "shallow, from elsewhere"
    );
    assert_eq!(words("CONVERT", json!({"numFiles": 14, "partitionedBy": "[]"})), "14 files");
}

#[test]
fn definitions() {
    let create = json!({"isManaged": "false", "description": null, "partitionBy": "[\"p\"]", "properties": "{\"delta.appendOnly\":\"true\"}"});
    assert_eq!(words("CREATE TABLE", create), "with delta.appendOnly = true, partitioned by p");
    let added = json!({"columns": "[{\"column\":{\"name\":\"c\",\"type\":\"long\",\"nullable\":true},\"position\":\"first\"}]"});
    assert_eq!(words("ADD COLUMNS", added), "c long first");
    assert_eq!(words("CHANGE COLUMN", json!({"column": "{\"name\":\"c\",\"type\":\"string\"}"})), "c string");
    assert_eq!(words("RENAME COLUMN", json!({"oldColumnPath": "a", "newColumnPath": "b"})), "a to b");
    assert_eq!(words("SET TBLPROPERTIES", json!({"properties": {"a": "1", "b": 2}})), "a = 1, b = 2");
    assert_eq!(words("UNSET TBLPROPERTIES", json!({"properties": "[\"a\"]", "ifExists": true})), "a");
    let upgrade =
        json!({"newProtocol": "{\"minReaderVersion\":1,\"minWriterVersion\":7,\"writerFeatures\":[\"x\"]}"});
    assert_eq!(words("UPGRADE PROTOCOL", upgrade), "reader 1, writer 7, writes x");
    assert_eq!(words("ADD CONSTRAINT", json!({"name": "n", "expr": "a > 0"})), "n: a > 0");
}

#[test]
fn whatever_else_is_shown_as_it_is() {
    let odd = json!({"n": 16, "nested": {"a": [1, null, "x"]}, "flag": true, "text": "{broken"});
    assert_eq!(words("Ação própria", odd), "n: 16, nested: a = [1,null,\"x\"], flag: true, text: {broken");
    let unsaid = Operation::of(None, None);
    assert_eq!((unsaid.kind, &*unsaid.name), (OperationKind::Unsaid, "(unsaid)"));
    assert_eq!(Operation::of(Some(" "), None).kind, OperationKind::Unsaid);
    assert_eq!(Operation::of(Some("write"), None).kind, OperationKind::Write);
}

#[test]
fn a_megabyte_is_cut() {
    let huge = json!({"predicate": "x".repeat(1 << 20), "other": "ü".repeat(1 << 20)});
    let operation = Operation::of(Some(&"W".repeat(1000)), huge.as_object());
    assert!(operation.words.chars().count() <= 400 && operation.name.chars().count() == 60);
    assert!(operation.name.ends_with('…'));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[\\PC]{0,12}".prop_map(Value::from),
        Just(Value::from("[{\"actionType\":\"update\",\"predicate\":7}]")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,4}", inner, 0..3)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_parameters_are_too_odd(
        operation in prop_oneof![
            Just("WRITE"), Just("MERGE"), Just("DELETE"), Just("OPTIMIZE"), Just("VACUUM START"), Just("CREATE TABLE"),
            Just("CLONE"), Just("CONVERT"), Just("ADD COLUMNS"), Just("UPGRADE PROTOCOL"), Just("RESTORE"), Just("?"),
        ],
        parameters in proptest::collection::btree_map(
            prop_oneof![
                Just("mode"), Just("predicate"), Just("matchedPredicates"), Just("zOrderBy"), Just("properties"),
                Just("columns"), Just("newProtocol"), Just("isShallow"), Just("version"), Just("x"),
            ],
            any_json(),
            0..6,
        ),
    ) {
        let map: Map<String, Value> = parameters.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        let got = Operation::of(Some(operation), Some(&map));
        prop_assert!(got.words.chars().count() <= 400);
        prop_assert_eq!(got.name, operation);
    }
}
