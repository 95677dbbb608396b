//! Layouts whose depths are computed by hand, and columns with odd statistics.

use serde_json::{Value, json};

use super::made::{Made, add};
use crate::support::headless::deltop;

/// A table of one `long` column with these ranges, one a file.
fn ranges(files: &[(i64, i64)]) -> Made {
    let made = Made::new(&[("k", "long")], &[], &[]);
    let actions: Vec<Value> = files
        .iter()
        .enumerate()
        .map(|(i, (min, max))| {
            let stats = json!({"numRecords": 10, "minValues": {"k": min}, "maxValues": {"k": max}, "nullCount": {"k": i}});
            add(&format!("{i}.parquet"), 1000, &stats)
        })
        .collect();
    made.commit(1, "WRITE", &actions);
    made
}

fn column(made: &Made, at: usize) -> Value {
    deltop(&["columns", &made.path(), "--json"]).json()[at].clone()
}

#[test]
fn depths_by_hand() {
    // Two pairs meet, the last stands alone: depths 2, 2, 2, 1; others met 1, 2, 1, 0.
    let apart = column(&ranges(&[(0, 9), (5, 14), (10, 19), (100, 100)]), 0);
    let c = &apart["clustering"];
    assert_eq!((&c["avgDepth"], &c["maxDepth"], &c["overlaps"]), (&json!(1.75), &json!(2), &json!(1.0)));
    assert_eq!(c["constantFiles"], 1);
    assert_eq!((&apart["min"], &apart["max"]), (&json!(0), &json!(100)));
    assert_eq!(
        (&apart["nullCount"], &apart["statsFiles"], &apart["unknownFiles"]),
        (&json!(6), &json!(4), &json!(0))
    );

    // All the same range: everything is read.
    let same = column(&ranges(&[(0, 9); 5]), 0);
    let c = &same["clustering"];
    assert_eq!((&c["avgDepth"], &c["maxDepth"], &c["overlaps"]), (&json!(5.0), &json!(5), &json!(4.0)));
    assert_eq!((&c["pointReadShare"], &c["rangeReadShare"]), (&json!(1.0), &json!(1.0)));

    // Perfectly sorted: a value is in one of ten files.
    let sorted: Vec<(i64, i64)> = (0..10).map(|i| (i * 10, i * 10 + 9)).collect();
    let c = column(&ranges(&sorted), 0)["clustering"].clone();
    assert_eq!((&c["avgDepth"], &c["maxDepth"], &c["overlaps"]), (&json!(1.0), &json!(1), &json!(0.0)));
    assert!((c["pointReadShare"].as_f64().unwrap() - 0.1).abs() < 1e-9, "{c}");
}

#[test]
fn odd_statistics_are_unknown_and_counted() {
    let made = Made::new(
        &[
            ("n", "long"),
            ("d", "double"),
            ("t", "timestamp"),
            ("m", "decimal(38,2)"),
            ("s", "string"),
            ("b", "binary"),
        ],
        &[],
        &[],
    );
    let whole = json!({"numRecords": 5, "minValues": {"n": -9223372036854775808i64, "d": -0.5, "t": "0001-01-01T00:00:00.000Z", "m": -999, "s": "a"},
        "maxValues": {"n": 9223372036854775807i64, "d": "Infinity", "t": "9999-12-31T23:59:59.999Z", "m": 12.5, "s": "b"}, "nullCount": {"n": 0, "d": 1, "t": 0, "m": 0, "s": 0, "b": 2}});
    made.commit(1, "WRITE", &[add("a", 1000, &whole)]);
    let columns = deltop(&["columns", &made.path(), "--json"]).json();
    let edges: Vec<(&Value, &Value)> =
        columns.as_array().unwrap().iter().map(|c| (&c["min"], &c["max"])).collect();
    let expected = [
        (json!("-9223372036854775808"), json!("9223372036854775807")),
        (json!(-0.5), json!("Infinity")),
        (json!("0001-01-01T00:00:00.000Z"), json!("9999-12-31T23:59:59.999Z")),
        (json!("-999.00"), json!("12.50")),
        (json!("a"), json!("b")),
        (Value::Null, Value::Null),
    ];
    assert_eq!(edges, expected.iter().map(|(a, b)| (a, b)).collect::<Vec<_>>());

    let odd = [
        Some(r#"{"numRecords":5,"minValues":{"n":"7","d":"NaN","t":12,"m":"x","s":1},"maxValues":{"n":9,"d":"NaN","t":13,"m":1,"s":2}}"#.to_owned()),
        Some(r#"{"numRecords":5,"minValues":{"n":9,"s":"z"},"maxValues":{"n":7,"s":"a"}}"#.to_owned()),
        Some(r#"{"numRecords":5,"minValues":{"n":9"#.to_owned()),
        Some("[]".to_owned()),
        None,
    ];
    let actions: Vec<Value> = odd.into_iter().enumerate().map(|(i, stats)| {
        json!({"add": {"path": format!("odd{i}"), "partitionValues": {}, "size": 1000, "modificationTime": 0, "dataChange": true, "stats": stats}})
    }).collect();
    made.commit(2, "WRITE", &actions);
    let columns = deltop(&["columns", &made.path(), "--json"]).json();
    for (at, unknown) in [(0, 5), (1, 4), (2, 5), (3, 5), (4, 5)] {
        let c = &columns[at];
        assert_eq!((&c["unknownFiles"], &c["statsFiles"]), (&json!(unknown), &json!(6 - unknown)), "{c}");
        assert_eq!(
            (&c["min"], &c["max"], &c["nullCount"]),
            (&Value::Null, &Value::Null, &Value::Null),
            "{c}"
        );
        assert_eq!(c["clustering"]["unknownFiles"], unknown);
    }
    assert_eq!(deltop(&["advise", &made.path()]).status, 0);
}

#[test]
fn partition_columns_have_figures_too() {
    let made = Made::new(&[("v", "long"), ("day", "date")], &["day"], &[]);
    let file = |path: &str, day: Value| {
        json!({"add": {"path": path, "partitionValues": {"day": day}, "size": 1000, "modificationTime": 0, "dataChange": true,
            "stats": r#"{"numRecords":4,"nullCount":{"v":4}}"#}})
    };
    made.commit(
        1,
        "WRITE",
        &[file("a", json!("2026-04-02")), file("b", json!("2026-04-01")), file("c", Value::Null)],
    );
    let columns = deltop(&["columns", &made.path(), "--json"]).json();
    let (v, day) = (&columns[0], &columns[1]);
    assert_eq!(
        (&day["min"], &day["max"], &day["nullCount"]),
        (&json!("2026-04-01"), &json!("2026-04-02"), &json!(4))
    );
    assert_eq!((&day["roles"], &day["statsFiles"]), (&json!(["partition"]), &json!(3)));
    assert_eq!((&v["min"], &v["nullCount"], &v["statsFiles"]), (&Value::Null, &json!(12), &json!(3)));
    assert_eq!(v["clustering"]["allNullFiles"], 3);
}

#[test]
fn candidates_are_ranked_with_their_rule() {
    let made = Made::new(&[("day", "date"), ("id", "long")], &[], &[]);
    let actions: Vec<Value> = (1..=20)
        .map(|i| {
            let day = format!("2026-04-{i:02}");
            let stats = json!({"numRecords": 1_000_000, "minValues": {"day": day, "id": i * 1_000_000}, "maxValues": {"day": day, "id": i * 1_000_000 + 999_999},
                "nullCount": {"day": 0, "id": 0}});
            add(&format!("{i}.parquet"), 200 << 20, &stats)
        })
        .collect();
    made.commit(1, "WRITE", &actions);
    let found = deltop(&["columns", &made.path(), "--candidates", "--json"]).json();
    let of = |column: &str, transform: &str| {
        found
            .as_array()
            .unwrap()
            .iter()
            .find(|c| c["column"] == column && c["transform"] == transform)
            .unwrap()
            .clone()
    };
    let day = of("day", "day");
    assert_eq!(
        (&day["atLeast"], &day["atMost"], &day["verdict"]),
        (&json!(20), &json!(20), &json!("acceptable"))
    );
    assert_eq!((&day["minBytesPerValue"], &day["nulls"]), (&json!(200 << 20), &json!(false)));
    assert_eq!(of("day", "month")["verdict"], "one-value");
    // Forty values are certain, twenty million possible.
    let id = of("id", "value");
    assert_eq!(
        (&id["atLeast"], &id["atMost"], &id["verdict"]),
        (&json!(40), &json!(20_000_000), &json!("unknown"))
    );
    assert_eq!(found[0], day);
}

/// What the table is partitioned by needs no advice; the screen and the command agree.
#[test]
fn a_partition_column_is_no_candidate() {
    let columns = [("id", "long"), ("country", "string")];
    let made = Made::new(&columns, &["country"], &[]);
    let stats =
        json!({"numRecords": 10, "minValues": {"id": 1}, "maxValues": {"id": 1}, "nullCount": {"id": 0}});
    let mut action = add("country=BR/1.parquet", 200 << 20, &stats);
    action["add"]["partitionValues"] = json!({"country": "BR"});
    made.commit(1, "WRITE", &[action]);
    let found = deltop(&["columns", &made.path(), "--candidates", "--json"]).json();
    let names: Vec<&str> = found.as_array().unwrap().iter().map(|c| c["column"].as_str().unwrap()).collect();
    assert_eq!(names, ["id"]);
}
