//! Statements as notebooks have them: Spark's functions, types and names.

use super::*;
use crate::support::headless::Demo;

#[track_caller]
fn one(session: &Session, expression: &str) -> Value {
    session.rows(&format!("select {expression} as v")).remove(0)["v"].take()
}

#[test]
fn functions_mean_what_they_mean_in_spark() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    for (expression, want) in [
        ("year(date '2024-06-30')", json!(2024)),
        ("month('2024-06-30')", json!(6)),
        ("day(timestamp '2024-06-30 10:20:30')", json!(30)),
        ("dayofweek(date '2024-06-30')", json!(1)),
        ("weekday(date '2024-06-30')", json!(6)),
        ("dayofyear(date '2024-02-01')", json!(32)),
        ("quarter(date '2024-06-30')", json!(2)),
        ("weekofyear(date '2024-06-30')", json!(26)),
        ("hour(timestamp '2024-06-30 10:20:30')", json!(10)),
        ("second(timestamp '2024-06-30 10:20:30.9')", json!(30)),
        ("date_add(date '2024-02-28', 2)", json!("2024-03-01")),
        ("date_sub('2024-03-01', 1)", json!("2024-02-29")),
        ("datediff('2024-03-01', '2024-02-01')", json!(29)),
        ("add_months('2024-01-31', 1)", json!("2024-02-29")),
        ("add_months('2024-03-31', -1)", json!("2024-02-29")),
        ("last_day('2024-02-10')", json!("2024-02-29")),
        ("trunc('2024-08-15', 'MM')", json!("2024-08-01")),
        ("trunc('2024-08-15', 'quarter')", json!("2024-07-01")),
        ("date_trunc('MONTH', timestamp '2024-08-15 10:00:00')", json!("2024-08-01T00:00:00.000")),
        ("date_format(timestamp '2024-08-05 09:07:03', 'yyyy-MM-dd HH:mm')", json!("2024-08-05 09:07")),
        ("date_format(date '2024-08-05', 'd MMM yy')", json!("5 Aug 24")),
        ("to_date('05/08/2024', 'dd/MM/yyyy')", json!("2024-08-05")),
        ("unix_timestamp('1970-01-02 00:00:01')", json!(86_401)),
        ("from_unixtime(86401)", json!("1970-01-02 00:00:01")),
        ("concat('a', null, 'b')", Value::Null),
        ("concat('a', 1, '-', 2.5)", json!("a1-2.5")),
        ("concat_ws('-', 'a', null, 'b')", json!("a-b")),
        ("if(1 > 2, 'x', 'y')", json!("y")),
        ("nvl(null, 3)", json!(3)),
        ("isnull(null)", json!(true)),
        ("ucase('ab')", json!("AB")),
        ("len('é日')", json!(2)),
        ("locate('b', 'abc')", json!(2)),
        ("instr('abc', 'c')", json!(3)),
        ("regexp_replace('a1b22', '[0-9]+', '#')", json!("a#b#")),
        ("'abc' rlike '^a.c$'", json!(true)),
        ("cast('7' as long) + cast(1 as short)", json!(8)),
        ("int('12')", json!(12)),
        ("string(12)", json!("12")),
        ("size(array(1, 2, 3))", json!(3)),
        ("element_at(array(1, 2, 3), 2)", json!(2)),
        ("round(2.5)", json!(3.0)),
        ("substring('abcdef', 2, 3)", json!("bcd")),
        ("left('abc', 2) || right('abc', 1)", json!("abc")),
        ("try_divide(1, 0)", Value::Null),
        ("coalesce(null, null, 4)", json!(4)),
        ("mod(7, 3)", json!(1)),
    ] {
        assert_eq!(one(&session, expression), want, "{expression}");
    }
    assert!(one(&session, "datediff(current_date(), date_sub(current_date(), 365))") == 365);
    assert_eq!(one(&session, "year(current_timestamp()) >= 2024"), json!(true));
}

#[test]
fn aggregates_and_their_names() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    let text =
        "select productId, count_if(Note is not null), collect_set(productId) as s, first(productID) as f
        from Orders group by productid having count(*) > 1";
    assert_eq!(
        session.rows(text),
        [json!({"productId": 10, "count_if(Note IS NOT NULL)": 1, "s": [10], "f": 10})]
    );
    let rows = session.rows(
        "select year(date '2024-01-01'), ID from t where year(date '2024-01-01') = 2024 order by ID limit 1",
    );
    assert_eq!(rows, [json!({"year(DATE '2024-01-01')": 2024, "ID": 1})]);
    let exploded = session.rows("select explode(array(1, 2)) as x");
    assert_eq!(exploded, [json!({"x": 1}), json!({"x": 2})]);
}

/// What the tutorials on partitions, snapshots and fragmentation ask, over the demo's tables.
#[test]
fn tutorial_statements_run_as_written() {
    let demo = Demo::shared();
    let session = Session::open(Path::new(&demo.part("")));
    for text in [
        "SELECT p.Category, COUNT(DISTINCT s.ProductID) AS Products, SUM(s.LineTotal) AS Total
         FROM my_db.sales s INNER JOIN demo_rendimiento_delta.dbo.product p ON s.ProductID = p.ProductID
         GROUP BY p.Category ORDER BY Total DESC",
        "SELECT year(ModifiedDate) AS y, month(ModifiedDate) AS m, COUNT(*) AS n FROM sales
         GROUP BY year(ModifiedDate), month(ModifiedDate) ORDER BY y, m",
        "SELECT ProductID, count(*) AS dups FROM product GROUP BY ProductID HAVING count(*) > 1",
        "SELECT count(*) FROM sales WHERE ModifiedDate < date_sub(current_date(), 365)",
        "SELECT * FROM sales WHERE ModifiedDate >= '2024-01-01' LIMIT 10",
        "SELECT concat_ws('-', year(ModifiedDate), lpad(month(ModifiedDate), 2, '0')) AS ym, round(avg(LineTotal), 2) FROM sales GROUP BY 1 ORDER BY 1",
        "SELECT snapshot.* FROM (SELECT *, row_number() OVER (PARTITION BY ProductID ORDER BY ListPrice DESC) AS rn FROM product) snapshot WHERE rn = 1 LIMIT 5",
        "WITH latest AS (SELECT max(ModifiedDate) AS d FROM sales) SELECT s.* FROM sales s JOIN latest ON s.ModifiedDate = latest.d LIMIT 5",
        "SHOW TABLES",
        "SHOW TABLES IN my_db",
        "DESCRIBE sales",
        "DESCRIBE EXTENDED sales",
        "DESCRIBE DETAIL sales",
        "DESCRIBE HISTORY sales",
        "SHOW COLUMNS IN sales",
        "SHOW TBLPROPERTIES sales",
        "SHOW CREATE TABLE sales",
        "SHOW DATABASES",
        "EXPLAIN SELECT * FROM sales WHERE ModifiedDate = '2024-01-05'",
        "EXPLAIN EXTENDED SELECT count(*) FROM sales",
        "EXPLAIN ANALYZE SELECT sum(LineTotal) FROM sales WHERE ProductID < 10",
    ] {
        let rows = session.rows(text);
        assert!(!rows.is_empty() || text.contains("HAVING") || text.contains("WHERE"), "{text}");
    }
}
