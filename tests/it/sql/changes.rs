//! Statements that change tables: through the library, and by the command line.

use super::*;
use crate::support::headless::{Demo, deltop};

#[test]
fn what_the_engine_carries_out_is_read_and_not_run_as_a_query() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    for text in [
        "OPTIMIZE sales WHERE region = 'north' ZORDER BY (id)",
        "VACUUM sales RETAIN 168 HOURS DRY RUN",
        "REORG TABLE sales APPLY (PURGE)",
    ] {
        let fault = session.fault(text);
        assert_eq!((fault.code, fault.exit_status()), ("read-only", 5), "{text}");
    }
    let fault = session.fault("OPTIMIZE sales\nZORDER BY id id2");
    assert_eq!(
        (fault.code, fault.message.as_str()),
        ("invalid-sql", "Invalid SQL at line 2, column 14, near \"id2\"")
    );
    assert_eq!(session.fault("vacuum sales retain soon").code, "invalid-sql");
    let path = lake.table("sales");
    for text in [
        "optimize dbo.sales",
        &format!("optimize '{}'", path.display()),
        &format!("vacuum delta.`{}`", path.display()),
    ] {
        let change = SqlSession::change(text).unwrap().unwrap();
        let place = runtime().block_on(session.0.table_of(&change)).unwrap();
        assert_eq!(place.name, "sales", "{text}");
    }
    let nowhere = SqlSession::change("optimize slaes").unwrap().unwrap();
    let fault = runtime().block_on(session.0.table_of(&nowhere)).err().unwrap();
    assert_eq!((fault.code, fault.hint.as_str()), ("unknown-table", "Did you mean sales?"));
}

/// Code, message and hint of the fault that a statement ends with.
fn told(session: &Session, text: &str) -> (&'static str, String, String) {
    let fault = session.fault(text);
    (fault.code, fault.message, fault.hint)
}

#[test]
fn what_cannot_be_run_yet_says_what_to_use_instead() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    for (text, hint) in [
        ("DELETE FROM sales WHERE id < 3", "SELECT count(*) FROM sales WHERE id < 3 tells"),
        ("delete from sales", ".delete()"),
        (
            "UPDATE sales SET amount = amount * 2, region = 'x' WHERE id = 1",
            "SELECT count(*) FROM sales WHERE id = 1",
        ),
        ("INSERT INTO sales SELECT * FROM sales WHERE id = 1", "mode=\"append\""),
        ("INSERT OVERWRITE TABLE sales VALUES (1, 2.0, 'x')", "mode=\"overwrite\""),
        (
            "MERGE INTO sales t USING sales s ON t.id = s.id WHEN MATCHED THEN UPDATE SET *",
            "SELECT count(*) FROM sales t JOIN sales s ON t.id = s.id tells",
        ),
        ("RESTORE TABLE sales TO VERSION AS OF 1", "VERSION AS OF 1 reads the rows of then; deltop undo"),
        ("ALTER TABLE sales ADD COLUMNS (note STRING COMMENT 'x', tags ARRAY<STRING>)", "add_columns"),
        (
            "ALTER TABLE sales SET TBLPROPERTIES ('delta.appendOnly' = 'true')",
            "{\"delta.appendOnly\": \"true\"}",
        ),
        ("ALTER TABLE sales RENAME COLUMN id TO key", "Spark"),
        ("CREATE SCHEMA IF NOT EXISTS crm", "A schema is a folder"),
        (
            "CREATE TABLE x (a INT, b STRUCT<c: INT, d: ARRAY<STRING>>) USING DELTA PARTITIONED BY (a)",
            "DeltaTable.create",
        ),
        ("CREATE TABLE IF NOT EXISTS x USING DELTA AS SELECT * FROM sales", "write_deltalake"),
        ("CREATE OR REPLACE TEMP VIEW v AS SELECT 1", "WITH name AS"),
        ("DROP TABLE sales", "delete the folder"),
        ("TRUNCATE TABLE sales", "VERSION AS OF"),
        ("ANALYZE TABLE sales COMPUTE STATISTICS", "deltop columns"),
    ] {
        let (code, message, said) = told(&session, text);
        assert_eq!(code, "unsupported-change", "{text}: {message}");
        assert!(said.contains(hint), "{text}: {said}");
    }
}

#[test]
fn mistakes_are_told_before_what_cannot_be_run() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    for (text, want, message, hint) in [
        ("DELETE FROM sales WHERE ammount < 3", "unknown-column", "line 1, column 25", "amount"),
        ("DELETE sales", "invalid-sql", "column 8, near \"sales\"", ""),
        ("UPDATE sales SET amont = 1", "unknown-column", "column 18", "amount"),
        ("UPDATE slaes SET amount = 1", "unknown-table", "slaes", "sales"),
        ("INSERT INTO sales SELECT nope FROM product", "unknown-column", "column 26", ""),
        ("INSERT INTO sales", "invalid-sql", "the end", ""),
        ("MERGE INTO sales USING nowhere ON 1 = 1 WHEN MATCHED THEN DELETE", "unknown-table", "nowhere", ""),
        ("RESTORE TABLE sales TO VERSION AS OF x", "invalid-sql", "near \"x\"", ""),
        ("RESTORE TABLE sales TO VERSION AS OF 3", "nothing-to-do", "version 3 already", ""),
        ("ALTER TABLE sales ADD COLUMNS (ID INT)", "column-exists", "\"ID\" already", ""),
        ("ALTER TABLE sales SET TBLPROPERTIES (delta.appendOnly)", "invalid-sql", "near \")\"", ""),
        ("CREATE TABLE sales (a INT)", "table-exists", "sales", "IF NOT EXISTS"),
        ("CREATE TABLE x (a INTT)", "invalid-sql", "near \"INTT\"", "INT"),
        ("CREATE TABLE x (a INT) USING parquet", "invalid-sql", "near \"parquet\"", ""),
        (
            "CREATE TABLE x (a INT) LOCATION 'lakehouse:/Tables/x'",
            "bad-location",
            "lakehouse:",
            "onelake.dfs.fabric",
        ),
        (
            "CREATE TABLE x (a INT) LOCATION 'abfss://@onelake.dfs.fabric.microsoft.com/x'",
            "bad-location",
            "abfss://@",
            "workspace",
        ),
        ("CONVERT TO DELTA csv.`x`", "unsupported-sql", "csv", "parquet"),
        ("CONVERT TO DELTA parquet.`sales`", "already-a-table", "sales", "SELECT * FROM delta.`sales`"),
        ("CONVERT TO DELTA parquet.`nowhere`", "not-found", "nowhere", ""),
    ] {
        let (code, said, hinted) = told(&session, text);
        assert_eq!(code, want, "{text}: {said}");
        assert!(said.contains(message), "{text}: {said}");
        assert!(hinted.contains(hint), "{text}: {hinted}");
    }
}

/// The hint holds the statement as it would be right.
#[test]
fn a_partition_column_that_is_not_there_shows_the_mended_statement() {
    let lake = Lake::new();
    let session = Session::open(&lake.path());
    for (text, mended) in [
        (
            "CREATE TABLE x (id BIGINT, name STRING) USING DELTA PARTITIONED BY (Year)",
            "CREATE TABLE x (id BIGINT, name STRING, Year INT) USING DELTA PARTITIONED BY (Year)",
        ),
        (
            "CREATE TABLE x (id BIGINT, Region STRING) USING DELTA PARTITIONED BY (Regio)",
            "PARTITIONED BY (Region)?",
        ),
        (
            "CREATE TABLE x USING DELTA PARTITIONED BY (year) AS SELECT id, current_date() AS d FROM sales",
            "AS SELECT *, year(d) AS year FROM (SELECT id, current_date() AS d FROM sales)",
        ),
        (
            "CREATE TABLE x PARTITIONED BY (place) AS SELECT * FROM sales",
            "partition by one of id, amount, region",
        ),
    ] {
        let (code, message, hint) = told(&session, text);
        assert_eq!(code, "unknown-column", "{text}: {message}");
        assert!(hint.contains(mended), "{text}: {hint}");
    }
    let (code, ..) = told(&session, "CREATE TABLE x (id INT) USING DELTA PARTITIONED BY (day DATE)");
    assert_eq!(code, "unsupported-change");
    assert_eq!(told(&session, "CREATE TABLE x (id INT) PARTITIONED BY (id)").0, "invalid-sql");
}

#[test]
fn a_name_for_a_table_elsewhere_holds_for_the_session() {
    let (lake, shop) = (Lake::new(), Shop::new());
    let session = Session::open(&lake.path());
    let at = shop.table();
    let text = format!("CREATE TABLE IF NOT EXISTS Mine USING DELTA LOCATION '{}'", at.display());
    assert!(session.rows(&text)[0]["result"].as_str().unwrap().contains("nothing was written"));
    assert_eq!(session.rows("select count(*) as n from MINE"), [json!({"n": 3})]);
    assert!(session.rows(&text)[0]["result"].as_str().unwrap().contains("is there already"));
    let other = format!("CREATE TABLE other (nope INT) USING DELTA LOCATION '{}'", at.display());
    let (code, _, hint) = told(&session, &other);
    assert_eq!(code, "table-exists");
    assert!(hint.contains("CREATE TABLE other USING DELTA LOCATION"), "{hint}");
}

#[test]
fn without_yes_a_change_shows_its_plan_and_with_it_runs() {
    let lake = Lake::new();
    let folder = lake.path();
    let at = folder.to_str().unwrap();
    let versions = || Session::open(&lake.table("sales")).rows("describe history t").len();
    let before = versions();
    let plan = deltop(&["sql", at, "OPTIMIZE sales", "--json"]).json();
    assert_eq!(plan["operation"], "optimize", "{plan}");
    assert!(plan.get("newVersion").is_none());
    let (status, code) = deltop(&["sql", at, "optimize sales", "--yes", "--json"]).error();
    assert_eq!((status, code.as_str()), (5, "read-only"));
    assert_eq!(versions(), before);
    let text = "select count(*) as n from sales; optimize sales; describe history sales limit 1; vacuum sales dry run";
    let all = deltop(&["sql", at, text, "--yes", "--allow-writes", "--json"]).json();
    assert_eq!(all[0], json!([{"n": 600}]));
    assert_eq!(all[1]["newVersion"], all[2][0]["version"], "{all}");
    assert_eq!(all[3]["operation"], "vacuum");
    assert!(all[3].get("newVersion").is_none(), "{all}");
    assert_eq!(versions(), before + 1);
}

#[test]
fn a_change_needs_text_or_json_and_the_newest_version() {
    let demo = Demo::shared();
    let at = demo.part("");
    for more in [["--format", "csv"], ["--as-of", "1"]] {
        let ran = deltop(&["sql", &at, "vacuum sales", more[0], more[1]]);
        assert_eq!(ran.status, 2, "{}", ran.stderr);
    }
    // A slip in a later statement is told before anything runs.
    let ran = deltop(&["sql", &at, "select 1; optimize sales zorder"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Statement 2: Invalid SQL at line 1, column 26"), "{}", ran.stderr);
    let text = deltop(&["sql", &at, "vacuum sales dry run"]).ok();
    assert!(text.starts_with("Vacuum   full"), "{text}");
}
