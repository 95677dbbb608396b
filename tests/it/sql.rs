//! Queries through the library: names, refusals, faults, and every shared table.

mod changes;
mod duckdb;
mod explain;
mod files;
mod functions;
mod looks;
mod numbers;
mod spark;
mod travel;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use deltalake::DeltaTableBuilder;
use deltop::lake::place::Place;
use deltop::lake::sql::{SqlSession, grid_columns, json_rows, statements};
use deltop::lake::watch::Watch;
use deltop::model::table::AsOf;
use deltop::model::{Fault, Outcome};
use futures::{StreamExt, TryStreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::headless::shared_tables;
use crate::support::lake::Lake;
use crate::support::runtime;

/// A session as of a version, with blocking calls.
struct Session(SqlSession);

impl Session {
    fn open(path: &Path) -> Self {
        Session::at(path, AsOf::Latest).unwrap()
    }

    fn at(path: &Path, as_of: AsOf) -> Outcome<Self> {
        let place = Place::parse(path.to_str().unwrap(), &Vec::new())?;
        runtime().block_on(SqlSession::open(&place, as_of, &Watch::default())).map(Session)
    }

    fn try_rows(&self, sql: &str) -> Outcome<Vec<Value>> {
        runtime().block_on(rows(&self.0, sql))
    }

    #[track_caller]
    fn rows(&self, sql: &str) -> Vec<Value> {
        self.try_rows(sql).unwrap_or_else(|fault| panic!("{sql}: {fault:?}"))
    }

    #[track_caller]
    fn fault(&self, sql: &str) -> Fault {
        self.try_rows(sql).expect_err(sql)
    }
}

async fn rows(session: &SqlSession, sql: &str) -> Outcome<Vec<Value>> {
    let mut run = session.run(sql).await?;
    let mut out = Vec::new();
    while let Some(batch) = run.batches.next().await {
        out.extend(json_rows(&batch?)?.into_iter().map(Value::Object));
    }
    Ok(out)
}

/// A folder with two tables: `Orders` (ID, productId, Note) and, below `dbo`, `Product` (id, Name).
/// Their columns differ in case on purpose.
struct Shop(TempDir);

impl Shop {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let ids = |ids: &[i64]| Arc::new(Int64Array::from(ids.to_vec())) as ArrayRef;
        let texts = |texts: Vec<Option<&str>>| Arc::new(StringArray::from(texts)) as ArrayRef;
        let orders = vec![
            ("ID", ids(&[1, 2, 3])),
            ("productId", ids(&[10, 10, 20])),
            ("Note", texts(vec![Some(""), None, Some("x\u{1b}[31m")])),
        ];
        let product = vec![("id", ids(&[1, 10])), ("Name", texts(vec![Some("cup"), Some("pot")]))];
        make(&folder.path().join("Orders"), orders);
        make(&folder.path().join("dbo/Product"), product);
        Shop(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn table(&self) -> PathBuf {
        self.path().join("Orders")
    }
}

fn make(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    fs::create_dir_all(path).unwrap();
    let url = url::Url::from_directory_path(path).unwrap();
    let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true)));
    let table = DeltaTableBuilder::from_url(url).unwrap().build().unwrap();
    runtime().block_on(table.write(vec![batch.unwrap()]).into_future()).unwrap();
}

#[test]
fn names_match_in_any_case_and_results_keep_the_spelling() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    assert_eq!(
        session.rows("SELECT * FROM ORDERS WHERE PRODUCTID = 20"),
        [json!({"ID": 3, "productId": 20, "Note": "x\u{1b}[31m"})]
    );
    let text =
        "select `Id`, \"PRODUCTID\" + 1 as Next, max(NOTE) from T group by id, productid order by 1 limit 1";
    let row = &session.rows(text)[0];
    assert_eq!(row.as_object().unwrap().keys().collect::<Vec<_>>(), ["Id", "Next", "max(Note)"]);
    assert_eq!((&row["Id"], &row["Next"]), (&json!(1), &json!(11)));
    assert_eq!(session.rows("select id, id from t where id = 1;"), [json!({"id": 1, "id_2": 1})]);
    let folder = Session::open(shop.path());
    assert_eq!(folder.rows("select count(*) as n from orders")[0]["n"], 3);
}

/// An inner name binds to the inner table first, whatever the case: `id` is Product's here. Bound
/// to the outer `ID` it would hold for each row.
#[test]
fn a_subquery_binds_names_to_its_own_tables_first() {
    let shop = Shop::new();
    let session = Session::open(shop.path());
    let inner = session.rows("select ID from orders where ID in (select ID from dbo.product) order by 1");
    assert_eq!(inner, [json!({"ID": 1})]);
    let outer = "select o.Id from Orders O where exists (select 1 from product p where p.ID = o.PRODUCTID) order by 1";
    assert_eq!(session.rows(outer), [json!({"Id": 1}), json!({"Id": 2})]);
}

#[test]
fn tables_of_a_folder_are_found_by_their_names() {
    let shop = Shop::new();
    let session = Session::open(shop.path());
    let join = "SELECT o.id, p.NAME FROM Orders o JOIN dbo.product p ON o.productid = p.id ORDER BY o.id";
    assert_eq!(session.rows(join), [json!({"id": 1, "NAME": "pot"}), json!({"id": 2, "NAME": "pot"})]);
    for name in ["product", "DBO.Product", "my_lakehouse.dbo.product", "`dbo`.\"PRODUCT\"", "my_db.product"] {
        assert_eq!(session.rows(&format!("select count(*) as n from {name}"))[0]["n"], 2, "{name}");
    }
    let tables = session.rows("show tables");
    let names: Vec<_> = tables.iter().map(|t| (&t["namespace"], &t["tableName"])).collect();
    assert_eq!(names, [(&Value::Null, &json!("Orders")), (&json!("dbo"), &json!("Product"))]);
    let columns = session.rows("describe table dbo.product");
    assert_eq!(columns[1], json!({"col_name": "Name", "data_type": "string", "comment": null}));
}

#[test]
fn a_table_joins_with_those_beside_it() {
    let shop = Shop::new();
    make(&shop.path().join("Stock"), vec![("Product", Arc::new(Int64Array::from(vec![10, 20])))]);
    fs::create_dir(shop.path().join("plain")).unwrap();
    let session = Session::open(&shop.table());
    let join = "select count(*) as n from t join stock s on t.productid = s.product where s.PRODUCT = 10";
    assert_eq!(session.rows(join), [json!({"n": 2})]);
    assert_eq!(session.rows("select * from STOCK limit 0"), [] as [Value; 0]);
    for name in ["plain", "nowhere", "dbo"] {
        assert_eq!(session.fault(&format!("select * from {name}")).code, "unknown-table", "{name}");
    }
}

/// The engine's reader stumbles over statistics that are no JSON; the rows are there all the same.
#[test]
fn damaged_statistics_stop_no_query() {
    let shop = Shop::new();
    let commit = shop.table().join("_delta_log/00000000000000000000.json");
    let text = fs::read_to_string(&commit).unwrap();
    let at = text.find(r#""stats":"{"#).unwrap();
    let end = at + text[at..].find(r#"}","#).unwrap();
    fs::write(&commit, format!(r#"{}"stats":"{{\"numRecords\":3,","#, &text[..at]) + &text[end + 3..])
        .unwrap();
    let session = Session::open(&shop.table());
    assert_eq!(session.rows("select count(*) as n from t"), [json!({"n": 3})]);
    assert_eq!(session.rows("select ID from t where PRODUCTID = 20"), [json!({"ID": 3})]);
    assert_eq!(session.rows("select sum(id) as s from t"), [json!({"s": 6})]);
}

#[test]
fn two_tables_of_one_name_need_their_schema() {
    let shop = Shop::new();
    make(&shop.path().join("crm/product"), vec![("id", Arc::new(Int64Array::from(vec![7])))]);
    let session = Session::open(shop.path());
    let fault = session.fault("select * from product");
    assert_eq!((fault.code, fault.exit_status()), ("ambiguous-table", 2));
    assert_eq!(session.rows("select * from crm.product"), [json!({"id": 7})]);
}

#[test]
fn changes_and_other_files_are_out_of_reach() {
    let shop = Shop::new();
    let secret = shop.path().join("secret.csv");
    fs::write(&secret, "a\n1\n").unwrap();
    let session = Session::open(&shop.table());
    let copied = shop.path().join("copy.parquet");
    for text in [
        "insert into t values (4, 40, 'n')",
        "insert overwrite t select * from t",
        "merge into t using t s on t.id = s.id when matched then delete",
        "truncate table t",
        "explain analyze insert into t select * from t",
        "with a as (select 1) delete from t",
        "update t set id = 1",
        "create table x as select * from t",
        "select * into x from t",
        "optimize t",
        "vacuum t retain 0 hours",
        &format!("copy t to '{}'", copied.display()),
    ] {
        let fault = session.fault(text);
        let expected = ["read-only", "unsupported-change"];
        assert!(expected.contains(&fault.code) && fault.exit_status() == 5, "{text}: {fault:?}");
    }
    for text in [
        format!("create external table x stored as csv location '{}'", secret.display()),
        format!("select * from '{}'", secret.display()),
        "select * from read_csv('x.csv')".into(),
    ] {
        assert_eq!(session.fault(&text).exit_status(), 2, "{text}");
    }
    assert!(!copied.exists());
    assert_eq!(session.rows("select count(*) as n from t")[0]["n"], 3);
}

#[test]
fn faults_say_where_and_what_else() {
    let shop = Shop::new();
    let session = Session::open(shop.path());
    let said = |sql: &str| {
        let fault = session.fault(sql);
        assert_eq!(fault.exit_status(), 2, "{sql}: {fault:?}");
        (fault.code, fault.message, fault.hint)
    };
    let told = said("select Nmae\nfrom product");
    let hint = "Did you mean Name?".to_owned();
    assert_eq!(told, ("unknown-column", "Unknown column \"Nmae\" at line 1, column 8".into(), hint));
    let (code, message, hint) = said("select 1 from\n Ordres");
    assert_eq!((code, hint.as_str()), ("unknown-table", "Did you mean Orders?"));
    assert_eq!(message, "Unknown table \"Ordres\" at line 2, column 2");
    let (code, message, _) = said("select 1 form product where");
    assert_eq!(code, "invalid-sql");
    assert!(message.contains("near \"product\""), "{message}");
    assert_eq!(said("select 1 +").1, "Invalid SQL at line 1, column 11, the end");
    assert_eq!(said("select nosuch(1)").0, "unknown-function");
    assert_eq!(said("select cast('x' as int)").0, "query-failed");
    assert_eq!(said("select id from orders o join product p on o.id = p.id").0, "ambiguous-column");
    assert_eq!(said("select * from orders tablesample (1 percent)").0, "unsupported-sql");
}

#[test]
fn plans_are_shown() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    for text in ["explain select * from t where ID > 1", "explain analyze select * from t where ID > 1"] {
        let rows = session.rows(text);
        assert!(rows.iter().any(|r| r["plan"].as_str().unwrap().contains("DeltaScan")), "{rows:?}");
    }
    let run = runtime().block_on(session.0.run("select cast(1 as decimal(10,2)) as d, [1] as a")).unwrap();
    let columns = grid_columns(&run.schema);
    assert_eq!(columns[0].data_type, "decimal(10,2)");
    assert!(columns[0].numeric && !columns[1].numeric);
}

/// 10^12 pairs take hours; dropping the run has to end them.
#[test]
fn a_condition_that_is_null_lets_no_row_through() {
    let lake = Lake::new();
    let session = Session::open(&lake.table("sales"));
    for never in ["id >= 0 and null", "id not in (5, null)", "id in (null)", "id >= 0 and 1 = null", "false"]
    {
        assert_eq!(
            session.rows(&format!("select count(*) as n from sales where {never}"))[0]["n"],
            0,
            "{never}"
        );
    }
    assert_eq!(session.rows("select count(*) as n from sales where id >= 0 or null")[0]["n"], 600);
}

#[test]
fn a_dropped_run_stops() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let text = "select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b \
                    where a.value % 7 = b.value % 11";
        let mut run = session.0.run(text).await.unwrap();
        let waited = tokio::time::timeout(Duration::from_millis(200), run.batches.next()).await;
        assert!(waited.is_err(), "the query is over already");
    });
    // Waits for tasks that still compute.
    runtime.shutdown_timeout(Duration::from_secs(30));
}

#[test]
fn versions_and_what_is_no_table() {
    let Some(tables) = shared_tables() else { return };
    // Rows of each version as delta-rs' Python package counts them.
    for (version, want) in [(0, 50), (2, 100), (6, 303)] {
        let session = Session::at(&tables.join("gen__produtos"), AsOf::Version(version)).unwrap();
        assert_eq!(session.rows("select count(*) as n from t")[0]["n"], want, "version {version}");
    }
    let late = Session::at(&tables.join("gen__produtos"), AsOf::Version(1_000)).unwrap();
    assert_eq!(late.fault("select 1 from t").exit_status(), 3);
    let fault = Session::at(&tables.join("gen__hive_folder"), AsOf::Latest).err().unwrap();
    assert_eq!((fault.code, fault.exit_status()), ("not-a-table", 3));
}

/// The figures are DuckDB's over the same files, those of the products also the generator's.
#[test]
fn a_join_equals_another_engine() {
    let Some(tables) = shared_tables() else { return };
    let session = Session::open(&tables.join("gen__sales"));
    let text = "select p.Name, sum(d.orderqty) as Qty, count(distinct d.SalesOrderID) as Orders, max(OrderDate) as Last
        from SalesOrderDetail d join product p on d.ProductID = p.ProductID
        group by p.name order by qty desc limit 2";
    assert_eq!(
        session.rows(text),
        [
            json!({"Name": "Mountain Frame 765", "Qty": 1214, "Orders": 183, "Last": "2024-01-20"}),
            json!({"Name": "HL Pedal 724", "Qty": 1209, "Orders": 196, "Last": "2024-01-20"}),
        ]
    );
    let filtered = "select count(*) as n, sum(OrderQty) as q from salesorderdetail d join product p
        on d.ProductID = p.ProductID where ListPrice > 1000 and date_part('year', OrderDate) = 2024";
    assert_eq!(session.rows(filtered), [json!({"n": 13645, "q": 82156})]);
}

#[test]
fn values_of_all_types() {
    let Some(tables) = shared_tables() else { return };
    let session = Session::open(&tables.join("dat__all_primitive_types"));
    assert_eq!(
        session.rows("select * from t where int64 = 1"),
        [json!({
            "utf8": "1", "int64": 1, "int32": 1, "int16": 1, "int8": 1, "float32": 1.0, "float64": 1.0,
            "bool": false, "binary": "AA==", "decimal": "11.000", "date32": "1970-01-02",
            "timestamp": "1970-01-01T01:00:00.000Z",
        })]
    );
}

/// Reader features that delta-rs' provider lacks (its `PROTOCOL.can_read_from_protocol`).
const LACKING: &[&str] = &["vacuumProtocolCheck", "typeWidening", "variantShredding"];

#[test]
fn every_shared_table_counts_its_rows_or_says_why_not() {
    let Some(tables) = shared_tables() else { return };
    let text = fs::read_to_string(tables.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let checks = expected["tables"].as_object().unwrap().clone().into_iter().map(|(name, table)| {
        let path = tables.join(&name);
        // A task of its own, so that tables are read side by side.
        runtime().spawn(async move {
            let wrong = check(&path, &table).await;
            wrong.into_iter().map(|w| format!("{name}: {w}")).collect::<Vec<_>>()
        })
    });
    let wrong: Vec<Vec<String>> =
        runtime().block_on(futures::stream::iter(checks).buffered(4).try_collect()).unwrap();
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} tables differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Rows that are read whole, besides counted from the log.
const READ_WHOLE: u64 = 60_000;

async fn check(path: &Path, table: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let want = table["num_rows"].as_u64();
    let count = on(path, "select count(*) as n from t").await.map(|rows| rows[0]["n"].as_u64());
    let open = table["open"].as_str().unwrap_or("folder");
    let refused = |fault: &Fault| fault.exit_status() == 4 && fault.code == "unsupported-feature";
    match (open, &count) {
        ("ok" | "refuse_write", Ok(n)) if want.is_some() && *n == want => {}
        ("ok" | "refuse_write", Err(fault)) if want.is_some() => {
            let named = LACKING.iter().any(|name| fault.message.contains(name));
            if !(refused(fault) && named) {
                wrong.push(format!("{fault:?}, want {want:?}"));
            }
        }
        ("ok" | "refuse_write", _) if want.is_none() => {}
        ("refuse_data", Err(fault)) if refused(fault) => {}
        ("catalog", Err(fault)) if refused(fault) => {}
        ("catalog" | "ambiguous", Ok(n)) if *n == want => {}
        ("must_fail" | "ambiguous", Err(fault)) if matches!(fault.exit_status(), 3 | 4) => {}
        ("folder", Err(fault)) if fault.code == "not-a-table" => {}
        (_, got) => wrong.push(format!("{open}: {got:?}, want {want:?}")),
    }
    if open == "ok" && count.is_ok() {
        wrong.extend(read_whole(path, table).await);
    }
    wrong
}

/// All rows come, or the fault names what is missing.
async fn read_whole(path: &Path, table: &Value) -> Option<String> {
    let traits = table["traits"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has = |name: &str| traits.iter().any(|t| t == name);
    // Links do not survive every copy of the tables.
    if has("symlinks") && !path.join("p=b").is_dir() {
        return None;
    }
    match (on(path, "select * from t").await, table["num_rows"].as_u64()) {
        (_, Some(n)) if n > READ_WHOLE => None,
        (Ok(rows), Some(n)) if rows.len() as u64 == n => None,
        (Err(fault), None) if fault.code == "missing-file" && fault.exit_status() == 3 => None,
        (Err(fault), _) => Some(format!("select *: {fault:?}")),
        (Ok(rows), want) => Some(format!("select *: {} rows, want {want:?}", rows.len())),
    }
}

async fn on(path: &Path, sql: &str) -> Outcome<Vec<Value>> {
    let place = Place::parse(path.to_str().unwrap(), &Vec::new())?;
    let session = SqlSession::open(&place, AsOf::Latest, &Watch::default()).await?;
    rows(&session, sql).await
}

#[test]
fn a_text_splits_into_statements_that_run() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    let text = "-- two\nselect ';' as a; /* ; */ select max(id) as m from t;";
    let answers: Vec<_> = statements(text).unwrap().iter().map(|(_, s)| session.rows(s)).collect();
    assert_eq!(answers, [[json!({"a": ";"})], [json!({"m": 3})]]);
}
