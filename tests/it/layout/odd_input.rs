//! Statistics that no writer should write: every command answers, and what is not known is counted as
//! such.

use serde_json::{Value, json};

use super::made::{Made, add};
use crate::support::headless::deltop;

const COLUMNS: [(&str, &str); 6] = [
    ("x", "double"),
    ("f", "float"),
    ("m", "decimal(38,10)"),
    ("t", "timestamp"),
    ("d", "date"),
    ("n", "long"),
];

/// A file of which the log has these statistics, as text.
fn table(stats: &str) -> Made {
    let made = Made::new(&COLUMNS, &[], &[]);
    let mut odd = add("odd.parquet", 1000, &json!({}));
    odd["add"]["stats"] = json!(stats);
    let sound = json!({"numRecords": 10,
        "minValues": {"x": 1.5, "f": 1.5, "m": 1.5, "t": "2026-01-01T00:00:00.000Z", "d": "2026-01-01", "n": 1},
        "maxValues": {"x": 2.5, "f": 2.5, "m": 2.5, "t": "2026-01-02T00:00:00.000Z", "d": "2026-01-02", "n": 2},
        "nullCount": {"x": 0, "f": 0, "m": 0, "t": 0, "d": 0, "n": 0}});
    made.commit(1, "WRITE", &[odd, add("sound.parquet", 1000, &sound)]);
    made
}

/// Of one column: files without a known range, smallest and largest value.
fn column(made: &Made, name: &str) -> (u64, Value, Value) {
    let all = deltop(&["columns", &made.path(), "--json"]).json();
    let c = all.as_array().unwrap().iter().find(|c| c["name"] == name).unwrap().clone();
    (c["unknownFiles"].as_u64().unwrap(), c["min"].clone(), c["max"].clone())
}

fn bounds(name: &str, low: &str, high: &str) -> String {
    format!(
        r#"{{"numRecords":10,"minValues":{{"{name}":{low}}},"maxValues":{{"{name}":{high}}},"nullCount":{{"{name}":0}}}}"#
    )
}

#[test]
fn every_command_answers_whatever_the_statistics_are() {
    let odd = [
        "",
        "null",
        "[]",
        "7",
        "{",
        r#"{"numRecords":10,"minValues":{"x":1"#,
        r#"{"numRecords":-1}"#,
        r#"{"numRecords":1e300,"nullCount":{"x":-4}}"#,
        r#"{"numRecords":18446744073709551615,"nullCount":{"x":18446744073709551615}}"#,
        r#"{"numRecords":"10","minValues":7,"maxValues":[],"nullCount":"none"}"#,
        r#"{"numRecords":10,"minValues":{"x":{"y":1},"n":[1]},"maxValues":{"x":null,"n":true}}"#,
        &bounds("x", "NaN", "NaN"),
        &bounds("x", "1e999", "-1e999"),
        &bounds("m", "1e38", "99999999999999999999999999999999999999999"),
        &bounds("t", "\"292278-01-01T00:00:00Z\"", "\"-290308-12-21T19:59:06Z\""),
        &bounds("d", "\"9999-99-99\"", "\"0000-00-00\""),
        &bounds("n", "9223372036854775808", "-9223372036854775809"),
    ];
    for stats in odd {
        let made = table(stats);
        let path = made.path();
        for args in [
            &["detail", &path][..],
            &["files", &path],
            &["columns", &path],
            &["columns", &path, "--candidates"],
            &["advise", &path],
            &["histogram", &path, "--by", "rows"],
            &["partitions", &path],
            &["prune", &path, "x > 1 and n < 5"],
        ] {
            for form in [&["--json"][..], &[]] {
                let ran = deltop(&[args, form].concat());
                assert_eq!(ran.status, 0, "{stats} {args:?}: {}{}", ran.stdout, ran.stderr);
            }
        }
        // Nothing of the odd file's x is known, so nothing is said of the table's.
        assert_eq!(column(&made, "x"), (1, Value::Null, Value::Null), "{stats}");
    }
}

#[test]
fn values_at_the_edges_are_kept() {
    let of = |name: &str, low: &str, high: &str| column(&table(&bounds(name, low, high)), name);
    let known = |low: Value, high: Value| (0, low, high);
    assert_eq!(of("x", "\"-Infinity\"", "\"Infinity\""), known(json!("-Infinity"), json!("Infinity")));
    assert_eq!(of("x", "1", "\"NaN\""), known(json!(1.0), json!("NaN")));
    assert_eq!(
        of("x", "-1.7976931348623157e308", "1.7976931348623157e308"),
        known(json!(f64::MIN), json!(f64::MAX))
    );
    let (unknown, low, high) =
        of("m", "-9999999999999999999999999999.9999999999", "9999999999999999999999999999.9999999999");
    assert_eq!(unknown, 0);
    assert_eq!(
        (low, high),
        (json!("-9999999999999999999999999999.9999999999"), json!("9999999999999999999999999999.9999999999"))
    );
    assert_eq!(
        of("t", "\"0001-01-01T00:00:00.000Z\"", "\"9999-12-31T23:59:59.999999Z\""),
        known(json!("0001-01-01T00:00:00.000Z"), json!("9999-12-31T23:59:59.999999Z"))
    );
    assert_eq!(of("d", "\"0001-01-01\"", "\"9999-12-31\""), known(json!("0001-01-01"), json!("9999-12-31")));
    assert_eq!(
        of("n", "-9223372036854775808", "9223372036854775807"),
        known(json!("-9223372036854775808"), json!("9223372036854775807"))
    );
    // Smallest above largest: unknown, with the count.
    assert_eq!(of("n", "5", "4"), (1, Value::Null, Value::Null));
}
