//! Statements as notebooks have them: Spark's functions, types and names.

use super::*;
use crate::support::headless::Demo;
use crate::support::lake::Lake;

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
        ("round(2.5)", json!("3")),
        ("7 / 2", json!(3.5)),
        ("7 div 2", json!(3)),
        ("-7 DIV 2", json!(-3)),
        ("1 / 0", Value::Null),
        ("5 % 0", Value::Null),
        ("cast(10 as decimal(10,2)) / 3", json!("3.333333")),
        ("cast(1 as double) / 0", Value::Null),
        ("1e3", json!(1000.0)),
        ("concat_ws('-', array('a', 'b'), 'c')", json!("a-b-c")),
        ("substr('abcdef', -3)", json!("def")),
        ("substring('abcdef', -3, 2)", json!("de")),
        ("substring('abcdef', 0, 2)", json!("ab")),
        ("substr(20240131, 1, 4)", json!("2024")),
        ("round(log(20), 4)", json!(2.9957)),
        ("log(2, 8)", json!(3.0)),
        ("cast(timestamp '2024-01-01 00:00:00' as bigint)", json!(1_704_067_200)),
        ("cast(timestamp '1969-12-31 23:59:59.5' as bigint)", json!(-1)),
        ("timestamp '9999-12-31 23:59:59'", json!("9999-12-31T23:59:59.000")),
        ("array(1, 2, 3)[0]", json!(1)),
        ("array(1, 2, 3)[-1]", Value::Null),
        ("array(1, 2, 3)[3]", Value::Null),
        ("map('a', 1)['a']", json!(1)),
        ("element_at(map('a', 1), 'a')", json!(1)),
        (
            "cast(12345678901234567890123456789012345678 as decimal(38,0))",
            json!("12345678901234567890123456789012345678"),
        ),
        ("split('a,b,,', ',')", json!(["a", "b", "", ""])),
        ("split('oneAtwoBthreeC', '[ABC]', 2)", json!(["one", "twoBthreeC"])),
        ("split('a,b', ',')[1]", json!("b")),
        ("regexp_extract('100-200', '(\\d+)-(\\d+)', 1)", json!("100")),
        ("regexp_extract('x', '(\\d+)')", json!("")),
        ("regexp_extract_all('1-2, 3-4', '(\\d+)-(\\d+)', 2)", json!(["2", "4"])),
        ("hex(17)", json!("11")),
        ("hex('Spark SQL')", json!("537061726B2053514C")),
        ("cast(unhex('537061726B2053514C') as string)", json!("Spark SQL")),
        ("unhex('xy')", Value::Null),
        ("sha2('Spark', 256)", json!("529bc3b07127ecb7e53a4dcf1991d9152c24537d919178022b2c42657f79a26b")),
        ("sha1('Spark')", json!("85f5955f4b27a9a4c2aab6ffe5d7189fc298b92c")),
        ("md5('Spark')", json!("8cde774d6f7333752ed72cacddb05126")),
        ("base64('Spark SQL')", json!("U3BhcmsgU1FM")),
        ("cast(unbase64('U3BhcmsgU1FM') as string)", json!("Spark SQL")),
        ("pmod(-10, 3)", json!(2)),
        ("next_day('2015-01-14', 'TU')", json!("2015-01-20")),
        ("months_between('1997-02-28 10:30:00', '1996-10-30')", json!(3.94959677)),
        ("sequence(1, 5)", json!([1, 2, 3, 4, 5])),
        ("sequence(5, 1)", json!([5, 4, 3, 2, 1])),
        ("sort_array(array('b', 'd', null, 'c', 'a'), true)", json!([null, "a", "b", "c", "d"])),
        ("sort_array(array(3, 1, 2), false)", json!([3, 2, 1])),
        ("array_contains(array(1, 2, 3), 2)", json!(true)),
        ("map_keys(map('a', 1))", json!(["a"])),
        ("struct(1, 'a')", json!({"col1": 1, "col2": "a"})),
        ("named_struct('a', 1)", json!({"a": 1})),
        ("get_json_object('{\"a\":{\"b\":[1,\"x\"]}}', '$.a.b[1]')", json!("x")),
        ("get_json_object('{\"a\":1}', '$.b')", Value::Null),
        ("initcap('sPark sql')", json!("Spark Sql")),
        ("locate('bar', 'foobarbar', 5)", json!(7)),
        ("format_number(12332.123456, 4)", json!("12,332.1235")),
        ("format_number(-1234567, 0)", json!("-1,234,567")),
        ("bround(2.5, 0)", json!(2.0)),
        ("shiftleft(2, 1)", json!(4)),
        ("unix_timestamp('2016-04-08', 'yyyy-MM-dd')", json!(1_460_073_600)),
        ("date_trunc('MM', timestamp '2015-03-05 09:32:05')", json!("2015-03-01T00:00:00.000")),
        ("cast('abc' as binary)", json!("YWJj")),
        ("cast('2024-01-01' as timestamp_ntz)", json!("2024-01-01T00:00:00.000")),
        ("nvl2(null, 2, 1)", json!(1)),
        ("slice(array(1, 2, 3, 4), 2, 2)", json!([2, 3])),
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

#[test]
fn nulls_come_first_upwards_and_last_downwards() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    let ids = |order: &str| -> Vec<i64> {
        let rows = session.rows(&format!("select ID from t order by {order}"));
        rows.iter().map(|r| r["ID"].as_i64().unwrap()).collect()
    };
    assert_eq!(ids("Note"), [2, 1, 3]);
    assert_eq!(ids("Note desc"), [3, 1, 2]);
    assert_eq!(ids("Note nulls last"), [1, 3, 2]);
    let ranked = session.rows("select ID, row_number() over (order by Note) as n from t order by ID");
    assert_eq!(ranked[1], json!({"ID": 2, "n": 1}));
}

#[test]
fn aggregates_of_spark() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    for (expression, want) in [
        ("max_by(Note, ID)", json!("x\u{1b}[31m")),
        ("min_by(ID, productId)", json!(1)),
        ("percentile(ID, 0.5)", json!(2.0)),
        ("sum(ID) / count(*)", json!(2.0)),
        ("first(Note, true)", json!("")),
        ("count(distinct productId, Note is null)", json!(3)),
    ] {
        assert_eq!(one(&session, &format!("(select {expression} from t)")), want, "{expression}");
    }
    let fault = session.fault("select year() from t");
    assert_eq!(
        (fault.code, fault.message.as_str()),
        ("invalid-sql", "year takes 1 argument at line 1, column 8")
    );
    let all = session.rows("select productId, count(*) as n from t group by all order by 1");
    assert_eq!(all, [json!({"productId": 10, "n": 2}), json!({"productId": 20, "n": 1})]);
    assert_eq!(
        session.rows("select * except (Note) from t where ID = 1"),
        [json!({"ID": 1, "productId": 10})]
    );
    let latest = "select ID from t qualify row_number() over (partition by productId order by ID desc) = 1 order by ID";
    assert_eq!(session.rows(latest), [json!({"ID": 2}), json!({"ID": 3})]);
}

/// Conditions that the table's provider takes for true where they are NULL, and a limit over rows that
/// come from the log alone.
#[test]
fn a_partition_column_gives_no_row_too_many() {
    let lake = Lake::new();
    let session = Session::open(&lake.table("sales"));
    let count = |condition: &str| {
        let rows =
            session.rows(&format!("select count(*) as n, count(amount) as m from t where {condition}"));
        assert_eq!(rows[0]["n"], rows[0]["m"], "{condition}");
        rows[0]["n"].as_u64().unwrap()
    };
    let north = count("region = 'north'");
    assert!(north > 0 && north < count("true"));
    for condition in [
        "region in ('north', null)",
        "region = 'north' or null",
        "coalesce(region = 'north', true)",
        "case when region = 'north' then true end",
        "if(region = 'south', null, true)",
        "not (region = 'south' or id is null)",
    ] {
        assert_eq!(count(condition), north, "{condition}");
    }
    for condition in
        ["region = 'north' and null", "region not in ('east', null)", "(region = 'north') is null"]
    {
        assert_eq!(count(condition), 0, "{condition}");
    }
    for text in [
        "select region from t limit 1",
        "select region from t where region = 'south' limit 1",
        "select 1 from t limit 1",
    ] {
        assert_eq!(session.rows(text).len(), 1, "{text}");
    }
    assert_eq!(session.rows("select region from t limit 3 offset 2").len(), 3);
    assert_eq!(session.fault("select * from t where id >= all (select id from t)").code, "unsupported-sql");
}
