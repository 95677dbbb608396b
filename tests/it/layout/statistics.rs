//! The same statistics, whether they come from commits or from a checkpoint's text or typed columns.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use arrow::json::ReaderBuilder;
use deltop::lake::log::{OpenTable, Want};
use deltop::lake::watch::Watch;
use deltop::model::stats::{Bound, Scalar, StatsTable, wanted_columns};
use deltop::model::table::AsOf;
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

use crate::support::log::LogBuilder;
use crate::support::runtime;

const COLUMNS: [(&str, &str); 8] = [
    ("n", "integer"),
    ("l", "long"),
    ("x", "double"),
    ("m", "decimal(12,2)"),
    ("d", "date"),
    ("t", "timestamp"),
    ("s", "string"),
    ("b", "boolean"),
];

fn metadata() -> Value {
    let field =
        |name: &str, kind: Value| json!({"name": name, "type": kind, "nullable": true, "metadata": {}});
    let mut fields: Vec<Value> = COLUMNS.iter().map(|(n, k)| field(n, json!(k))).collect();
    fields.push(field("o", json!({"type": "struct", "fields": [field("i", json!("long"))]})));
    let schema = json!({"type": "struct", "fields": fields});
    json!({"metaData": {"id": "x", "format": {"provider": "parquet", "options": {}}, "schemaString": schema.to_string(),
        "partitionColumns": [], "configuration": {}, "createdTime": 0}})
}

fn protocol() -> Value {
    json!({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}})
}

/// The statistics of file `i`; some lack figures, some have none.
fn stats(i: i64) -> Option<Value> {
    if i % 7 == 3 {
        return None;
    }
    let side = |n: i64| {
        json!({"n": n, "l": n * 1_000_000_007, "x": n as f64 / 4.0, "m": format!("{n}.25").parse::<f64>().unwrap(),
        "d": format!("2026-01-{:02}", n % 28 + 1), "t": format!("2026-01-01T00:00:{:02}.123Z", n % 60), "s": format!("s{n:04}"), "b": n % 2 == 0, "o": {"i": -n}})
    };
    let mut all = json!({"numRecords": 10 + i, "minValues": side(i), "maxValues": side(i), "nullCount": {"n": 0, "l": i % 3, "o": {"i": 1}}});
    all["maxValues"]["o"]["i"] = json!(i);
    all["maxValues"]["b"] = json!(true);
    if i % 5 == 0 {
        all["minValues"].as_object_mut().unwrap().remove("s");
        all["tightBounds"] = json!(false);
    }
    Some(all)
}

fn add(i: i64) -> Value {
    json!({"path": format!("f{i}.parquet"), "partitionValues": {}, "size": 100, "modificationTime": 0, "dataChange": true,
        "stats": stats(i).map(|s| s.to_string())})
}

/// A checkpoint of these files with statistics as text, typed, or both.
fn checkpoint(files: &[i64], text: bool, typed: bool) -> Vec<u8> {
    let leaf = |name: &str, kind: DataType| Field::new(name, kind, true);
    let group = |name: &str, fields: Vec<Field>| Field::new(name, DataType::Struct(fields.into()), true);
    let sides = |name: &str| {
        group(
            name,
            vec![
                leaf("n", DataType::Int32),
                leaf("l", DataType::Int64),
                leaf("x", DataType::Float64),
                leaf("m", DataType::Decimal128(12, 2)),
                leaf("d", DataType::Date32),
                leaf("t", DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))),
                leaf("s", DataType::Utf8),
                leaf("b", DataType::Boolean),
                group("o", vec![leaf("i", DataType::Int64)]),
            ],
        )
    };
    let counts = group(
        "nullCount",
        vec![
            leaf("n", DataType::Int64),
            leaf("l", DataType::Int64),
            group("o", vec![leaf("i", DataType::Int64)]),
        ],
    );
    let entries = Field::new(
        "key_value",
        DataType::Struct(
            vec![Field::new("key", DataType::Utf8, false), leaf("value", DataType::Utf8)].into(),
        ),
        false,
    );
    let map = |name: &str| leaf(name, DataType::Map(Arc::new(entries.clone()), false));
    let mut columns = vec![
        leaf("path", DataType::Utf8),
        map("partitionValues"),
        leaf("size", DataType::Int64),
        leaf("modificationTime", DataType::Int64),
        leaf("dataChange", DataType::Boolean),
    ];
    if text {
        columns.push(leaf("stats", DataType::Utf8));
    }
    if typed {
        columns.push(group(
            "stats_parsed",
            vec![
                leaf("numRecords", DataType::Int64),
                leaf("tightBounds", DataType::Boolean),
                sides("minValues"),
                sides("maxValues"),
                counts,
            ],
        ));
    }
    let list = |name: &str| leaf(name, DataType::List(Arc::new(leaf("element", DataType::Utf8))));
    let schema = Arc::new(Schema::new(vec![
        group("add", columns),
        group(
            "metaData",
            vec![
                leaf("id", DataType::Utf8),
                leaf("schemaString", DataType::Utf8),
                list("partitionColumns"),
                leaf("createdTime", DataType::Int64),
            ],
        ),
        group(
            "protocol",
            vec![leaf("minReaderVersion", DataType::Int32), leaf("minWriterVersion", DataType::Int32)],
        ),
    ]));
    let mut rows = vec![protocol(), metadata()];
    for i in files {
        let mut row = add(*i);
        if typed {
            row["stats_parsed"] = stats(*i).unwrap_or_default();
        }
        rows.push(json!({"add": row}));
    }
    let mut decoder = ReaderBuilder::new(schema.clone()).build_decoder().unwrap();
    decoder.serialize(&rows).unwrap();
    let properties =
        parquet::file::properties::WriterProperties::builder().set_max_row_group_row_count(Some(7)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties)).unwrap();
    writer.write(&decoder.flush().unwrap().unwrap()).unwrap();
    writer.into_inner().unwrap()
}

fn read(log: &LogBuilder) -> (Vec<String>, StatsTable) {
    runtime().block_on(async {
        let watch = Watch::default();
        let open = OpenTable::open(&log.place(), AsOf::Latest, &watch).await.unwrap();
        let columns = wanted_columns(&open.table.metadata);
        let want = Want { records: true, ..Want::default() };
        let (files, stats) = open.files_with_stats(want, &columns, &watch).await.unwrap();
        assert_eq!(files.list.len(), stats.len());
        assert!(stats.columns.iter().all(|c| c.len() == stats.len()));
        (files.list.iter().map(|f| f.path.to_owned()).collect(), stats)
    })
}

/// What is known of a column in a file: its bounds, and its nulls.
type Figure = (Bound, Option<Scalar>, Option<Scalar>, Option<u64>);

/// What is known of each file, by path.
fn figures(log: &LogBuilder) -> Vec<(String, Vec<Figure>)> {
    let (paths, stats) = read(log);
    let mut out: Vec<_> = paths
        .into_iter()
        .enumerate()
        .map(|(i, path)| {
            (path, stats.columns.iter().map(|c| (c.bound(i), c.min(i), c.max(i), c.nulls(i))).collect())
        })
        .collect();
    out.sort_by(|a: &(String, _), b| a.0.cmp(&b.0));
    out
}

#[test]
fn commits_and_checkpoints_tell_the_same() {
    let files: Vec<i64> = (0..40).collect();
    let commits = LogBuilder::new();
    let mut first = vec![protocol(), metadata()];
    first.extend(files.iter().map(|i| json!({"add": add(*i)})));
    commits.commit(0, &first);
    let expected = figures(&commits);
    assert_eq!(expected.len(), 40);
    let (_, all) = &expected[1];
    assert_eq!(all[0], (Bound::Tight, Some(Scalar::Int(1)), Some(Scalar::Int(1)), Some(0)));
    for (text, typed) in [(true, false), (false, true), (true, true)] {
        let log = LogBuilder::new();
        log.commit(0, &first);
        log.put("00000000000000000000.checkpoint.parquet", checkpoint(&files, text, typed));
        assert_eq!(figures(&log), expected, "text {text}, typed {typed}");
    }
}

#[test]
fn what_later_commits_say_comes_first() {
    let files: Vec<i64> = (0..20).collect();
    let log = LogBuilder::new();
    log.put("00000000000000000004.checkpoint.parquet", checkpoint(&files, true, true));
    let mut changed = add(5);
    changed["stats"] = json!(r#"{"numRecords":1,"minValues":{"n":-77},"maxValues":{"n":-70}}"#);
    log.commit(
        5,
        &[
            json!({"add": changed}),
            json!({"remove": {"path": "f6.parquet", "dataChange": true}}),
            json!({"add": add(30)}),
        ],
    );
    log.commit(6, &[json!({"remove": {"path": "f30.parquet", "dataChange": true}}), json!({"add": add(32)})]);
    let (paths, stats) = read(&log);
    assert_eq!(paths.len(), 20);
    let at = |path: &str| paths.iter().position(|p| p == path);
    assert_eq!((at("f6.parquet"), at("f30.parquet")), (None, None));
    let n = stats.column("n").unwrap();
    assert_eq!(n.min(at("f5.parquet").unwrap()), Some(Scalar::Int(-77)));
    for i in [0, 1, 2, 4, 7, 19, 32] {
        assert_eq!(n.min(at(&format!("f{i}.parquet")).unwrap()), Some(Scalar::Int(i)), "f{i}");
    }
    assert_eq!(n.bound(at("f3.parquet").unwrap()), Bound::Missing);
}

#[test]
fn a_checkpoint_with_other_types_is_unknown_and_no_fault() {
    let log = LogBuilder::new();
    let files: Vec<i64> = (0..5).collect();
    log.put("00000000000000000001.checkpoint.parquet", checkpoint(&files, false, true));
    // Since then n is text, s a number.
    let changed = metadata()
        .to_string()
        .replace(r#"\"name\":\"n\",\"type\":\"integer\""#, r#"\"name\":\"n\",\"type\":\"string\""#)
        .replace(r#"\"name\":\"s\",\"type\":\"string\""#, r#"\"name\":\"s\",\"type\":\"long\""#);
    assert_ne!(changed, metadata().to_string());
    log.commit(2, &[serde_json::from_str(&changed).unwrap()]);
    let (_, stats) = read(&log);
    assert_eq!(stats.column("n").unwrap().unknown_files(), 5);
    assert_eq!(stats.column("s").unwrap().unknown_files(), 5);
    assert!(stats.column("l").unwrap().unknown_files() < 5);
}
