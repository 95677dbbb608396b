//! Files and tables by their path.

use super::*;
use crate::support::lake::Lake;

#[test]
fn tables_by_their_path() {
    let lake = Lake::new();
    let session = Session::open(&lake.table("product"));
    let sales = lake.table("sales");
    let by_path = |text: &str| session.rows(&format!("select count(*) as n from {text}"))[0]["n"].clone();
    assert_eq!(by_path(&format!("delta.`{}`", sales.display())), 600);
    assert_eq!(by_path("delta.`sales` as s"), 600);
    assert_eq!(by_path("delta.`sales` version as of 0"), 200);
    assert_eq!(by_path("delta.`sales@v1`"), 400);
    assert_eq!(by_path(&format!("delta.`file://{}`", sales.display())), 600);
    let none = session.fault("select * from delta.`/nowhere/at/all`");
    assert_eq!(none.exit_status(), 3);
    let hint = session.fault("select * from delta.`abfss://@onelake.dfs.fabric.microsoft.com/x`");
    assert!(hint.cause.contains("before the @"), "{hint:?}");
    let hint = session.fault("select * from csv.`lakehouse:Files/x.csv`");
    assert_eq!((hint.code, hint.exit_status()), ("bad-location", 2));
}

#[test]
fn text_files_with_options() {
    let shop = Shop::new();
    let raw = shop.path().join("Raw Files");
    fs::create_dir(&raw).unwrap();
    fs::write(raw.join("a.csv"), "Id,Name,When\n1,Ação,2024-01-31\n2,,2024-02-01\n").unwrap();
    fs::write(raw.join("b.txt"), "1;x;\n2;y;7\n").unwrap();
    fs::write(raw.join("c.json"), "{\"a\":1,\"b\":{\"C\":\"x\"}}\n{\"a\":2}\n").unwrap();
    let session = Session::open(shop.path());
    assert_eq!(
        session.rows("select ID, name, year(when) as y from csv.`Raw Files/a.csv` order by id"),
        [json!({"ID": 1, "name": "Ação", "y": 2024}), json!({"ID": 2, "name": null, "y": 2024})]
    );
    assert_eq!(
        session.rows("select f.* from csv.`Raw Files/b.txt` with (header = false, sep = ';') as f"),
        [json!({"_c0": 1, "_c1": "x", "_c2": null}), json!({"_c0": 2, "_c1": "y", "_c2": 7})]
    );
    let typed = session.rows("describe csv.`Raw Files/a.csv`");
    assert_eq!(typed[2]["data_type"], "date");
    let texts = session.rows("select id from csv.`Raw Files/a.csv` with (inferSchema = 'false') limit 1");
    assert_eq!(texts, [json!({"id": "1"})]);
    assert_eq!(
        session.rows("select a, b.c from json.`Raw Files/c.json` order by a"),
        [json!({"a": 1, "c": "x"}), json!({"a": 2, "c": null})]
    );
    assert_eq!(
        session.fault("select * from csv.`Raw Files/a.csv` with (colour = red)").code,
        "unsupported-sql"
    );
    assert_eq!(session.fault("select * from orders with (header = true)").code, "unsupported-sql");
    assert_eq!(session.fault("select * from csv.`nothing.csv`").code, "not-found");
}

#[test]
fn parquet_folders_with_partitions() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    assert_eq!(session.rows("select count(*) as n from parquet.`raw`")[0]["n"], 10);
    assert_eq!(session.rows("select count(*) as n from parquet.`raw/a.parquet`")[0]["n"], 10);
    let Some(tables) = shared_tables() else { return };
    let hive = Session::open(&lake.path());
    let path = tables.join("gen__hive_folder");
    let rows = hive.rows(&format!("select count(*) as n from parquet.`{}`", path.display()));
    assert!(rows[0]["n"].as_u64().unwrap() > 0);
}

/// A Delta table's folder holds removed and rewritten files too: its rows are known to the log alone.
#[test]
fn the_files_of_a_delta_table_are_not_read_as_a_folder() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    let table = lake.table("sales");
    let (root, part) = (table.display().to_string(), table.join("region=north"));
    for folder in [root.clone(), part.display().to_string(), "sales".to_owned()] {
        for kind in ["parquet", "json"] {
            let fault = session.fault(&format!("select count(*) from {kind}.`{folder}`"));
            assert_eq!(fault.code, "delta-table", "{folder}");
            assert!(fault.hint.contains(&format!("delta.`{root}`")), "{folder}: {}", fault.hint);
        }
    }
    let all = session.fault(&format!("select count(*) from parquet.`{}`", table.parent().unwrap().display()));
    assert_eq!(all.code, "delta-table");
    let file = fs::read_dir(&part).unwrap().map(|e| e.unwrap().path());
    let file = file.into_iter().find(|p| p.extension().is_some_and(|e| e == "parquet")).unwrap();
    let rows = session.rows(&format!("select count(*) as n from parquet.`{}`", file.display()));
    assert!(rows[0]["n"].as_u64().unwrap() > 0);
}
