//! SHOW and DESCRIBE.

use super::*;
use crate::support::lake::Lake;

#[test]
fn names_and_columns() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    let names = |sql: &str| session.rows(sql).iter().map(|r| r["tableName"].clone()).collect::<Vec<_>>();
    assert_eq!(names("show tables"), ["product", "sales"]);
    assert_eq!(names("show tables in any_db like 's*'"), ["sales"]);
    let columns = session.rows("SHOW COLUMNS IN sales");
    assert_eq!(
        columns,
        [json!({"col_name": "id"}), json!({"col_name": "amount"}), json!({"col_name": "region"})]
    );
    let rows = session.rows("show partitions sales");
    assert_eq!(rows, [json!({"region": "north"}), json!({"region": "south"})]);
    assert_eq!(session.fault("show partitions product").code, "not-partitioned");
    assert_eq!(session.fault("describe slaes").hint, "Did you mean sales?");
    let extended = session.rows("describe extended sales");
    assert!(extended.iter().any(|r| r["col_name"] == "# Partition Information"));
    let location = extended.iter().find(|r| r["col_name"] == "Location").unwrap();
    assert_eq!(location["data_type"], lake.table("sales").display().to_string());
}

#[test]
fn detail_and_history_have_sparks_columns_and_types() {
    let lake = Lake::new();
    let session = Session::open(&lake.table("sales"));
    let detail = session.rows("describe detail t").remove(0);
    assert_eq!((&detail["format"], &detail["numFiles"]), (&json!("delta"), &json!(4)));
    assert_eq!(detail["partitionColumns"], json!(["region"]));
    assert_eq!(detail["properties"], json!({}));
    let history = session.rows("describe history sales limit 2");
    assert_eq!(history.iter().map(|r| r["version"].clone()).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(history[0]["operation"], "OPTIMIZE");
    let run = runtime().block_on(session.0.run("describe detail t")).unwrap();
    let types: Vec<String> = grid_columns(&run.schema).into_iter().map(|c| c.data_type).collect();
    assert_eq!(
        types[5..12],
        [
            "timestamp",
            "timestamp",
            "array<string>",
            "array<string>",
            "bigint",
            "bigint",
            "map<string,string>"
        ]
    );
}

#[test]
fn properties_and_the_statement_that_makes_the_table() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    let all = session.rows("show tblproperties sales");
    assert!(all.contains(&json!({"key": "delta.minReaderVersion", "value": "1"})), "{all:?}");
    let one = session.rows("show tblproperties sales ('no.such')");
    assert_eq!(one[0]["value"], "Table sales does not have property: no.such");
    let text = session.rows("show create table sales")[0]["createtab_stmt"].as_str().unwrap().to_owned();
    let start = "CREATE TABLE sales (\n  id BIGINT,\n  amount DOUBLE,\n  region STRING)\nUSING delta\nPARTITIONED BY (region)\nLOCATION '";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn a_schema_that_is_not_there_is_named() {
    let shop = Shop::new();
    let session = Session::open(shop.path());
    let fault = session.fault("show tables in nosuch");
    assert_eq!((fault.code, fault.message.as_str()), ("unknown-schema", "Unknown schema \"nosuch\""));
    assert_eq!(fault.hint, "Schemas: dbo");
    assert_eq!(session.rows("show views"), [] as [Value; 0]);
    let at = shop.table();
    assert_eq!(session.rows(&format!("describe detail '{}'", at.display()))[0]["format"], "delta");
    assert_eq!(session.rows(&format!("describe history delta.`{}`", at.display()))[0]["version"], 0);
}

#[test]
fn further_looks() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    let one = |text: &str| session.rows(text).remove(0);
    assert_eq!(one("show current schema"), json!({"catalog": "lakehouse", "namespace": "default"}));
    assert_eq!(one("show catalogs"), json!({"catalog": "lakehouse"}));
    assert_eq!(one("describe database my_db")["info_value"], "my_db");
    assert!(one("USE my_db")["result"].as_str().unwrap().contains("nothing was switched"));
    assert_eq!(session.rows("show columns in sales in my_db").len(), 3);
    assert_eq!(
        session.rows("describe query select id, cast(amount as decimal(10,2)) as a from sales"),
        [
            json!({"col_name": "id", "data_type": "bigint", "comment": null}),
            json!({"col_name": "a", "data_type": "decimal(10,2)", "comment": null})
        ]
    );
    let path = lake.table("sales");
    for text in ["describe detail '{}'", "describe detail delta.`{}`", "describe history '{}' limit 1"] {
        let rows = session.rows(&text.replace("{}", path.to_str().unwrap()));
        assert_eq!(rows.len(), 1, "{text}");
    }
    let fault = session.fault("SHOW nosuch");
    assert_eq!(
        (fault.code, fault.message.as_str()),
        ("invalid-sql", "Invalid SQL at line 1, column 6, near \"nosuch\"")
    );
    assert!(session.fault("set spark.sql.x = 1").hint.contains("Leave the statement out"));
}

#[test]
fn a_condition_is_shown_as_it_is_written() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    let rows = session.rows("explain select * from sales where region = 'north' and id > 5");
    let reads = rows[0]["plan"].as_str().unwrap();
    assert!(reads.contains("region = 'north'") && reads.contains("id > 5"), "{reads}");
    assert!(!reads.contains("Utf8") && !reads.contains("Int64"), "{reads}");
}
