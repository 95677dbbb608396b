//! How even partitions are, and in which order they come.

use serde_json::{Value, json};

use super::made::Made;
use crate::support::headless::deltop;

#[test]
fn skew_odd_values_and_orders() {
    let made = Made::new(&[("v", "long"), ("p", "string")], &["p"], &[]);
    let file = |p: Value, size: u64, rows: u64| {
        json!({"add": {"path": format!("{p}-{size}"), "partitionValues": {"p": p}, "size": size, "modificationTime": 0, "dataChange": true,
            "stats": format!(r#"{{"numRecords":{rows}}}"#)}})
    };
    made.commit(
        1,
        "WRITE",
        &[
            file(json!("us"), 1000, 9),
            file(json!("US"), 2000, 8),
            file(json!("de"), 90_000, 1),
            file(json!("de"), 10_000, 1),
            file(json!("__HIVE_DEFAULT_PARTITION__"), 3000, 7),
            file(Value::Null, 4000, 6),
        ],
    );
    let order = |more: &[&str]| {
        let rows = deltop(&[&["partitions", &made.path(), "--json"], more].concat()).json();
        rows.as_array()
            .unwrap()
            .iter()
            .map(|r| r["partitionValues"]["p"].as_str().unwrap_or("null").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(order(&[])[0], "null");
    assert_eq!(order(&["--sort", "bytes"])[..2], ["de", "null"]);
    assert_eq!(order(&["--sort", "rows"])[0], "us");
    assert_eq!(order(&["--sort", "rows", "--reverse"])[0], "de");
    assert_eq!(order(&["--sort", "smallest"])[0], "de");
    let text = deltop(&["partitions", &made.path(), "--sort", "bytes"]).ok();
    // Of 1000, 2000, 3000, 4000, 100000 bytes: median 3000; Gini 2·(1+4+9+16+500)/(5·110) − 6/5.
    assert!(text.contains("33.3 times as large; Gini 0.73"), "{text}");
    for odd in ["odd: p=null   no value", "odd: p=US   differs", "odd: p=us   differs", "taken as a value"] {
        assert!(text.contains(odd), "{odd}: {text}");
    }
    let findings = deltop(&["advise", &made.path(), "--json"]).json();
    assert!(findings.as_array().unwrap().iter().any(|f| f["id"] == "partition-values"), "{findings}");
}
