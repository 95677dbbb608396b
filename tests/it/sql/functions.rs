//! Spark's functions and spellings, one expression each. What is expected is what Spark's own
//! documentation gives for it.

use super::*;

/// The expressions that give something else, or fail.
fn differing(session: &Session, all: &[(&str, Value)]) -> Vec<String> {
    let one = |(expression, want): &(&str, Value)| {
        let got = session.try_rows(&format!("select {expression} as v"));
        match got {
            Ok(rows) if rows.len() == 1 && rows[0]["v"] == *want => None,
            Ok(rows) => Some(format!("{expression}: {rows:?}, not {want}")),
            Err(fault) => Some(format!("{expression}: {} {}", fault.message, fault.cause)),
        }
    };
    all.iter().filter_map(one).collect()
}

#[track_caller]
fn holds(all: &[(&str, Value)]) {
    let shop = Shop::new();
    let wrong = differing(&Session::open(&shop.table()), all);
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn texts_and_numbers_as_spark_spells_them() {
    holds(&[
        (r"'it\'s'", json!("it's")),
        (r"'a\\d'", json!("a\\d")),
        (r"'\d'", json!("\\d")),
        (r"r'a\nb'", json!("a\\nb")),
        (r"'100-200' rlike '\\d+-\d+'", json!(true)),
        ("1.5D", json!(1.5)),
        ("2D / 4", json!(0.5)),
        ("1.5BD", json!("1.5")),
        ("7Y + 1S + 1L", json!(9)),
        ("1e3", json!(1000.0)),
        ("'2' + 1", json!(3.0)),
        ("7 div 2", json!(3)),
        ("~ 0", json!(-1)),
        ("typeof(1.5)", json!("decimal(2,1)")),
        ("typeof('a')", json!("string")),
        ("typeof(array(date '2024-01-01'))", json!("array<date>")),
    ]);
}

#[test]
fn times() {
    holds(&[
        ("timestamp '2024-01-01 00:00:00' + interval 1 day 2 hours", json!("2024-01-02T02:00:00.000")),
        ("date '2024-01-31' + interval 1 month", json!("2024-02-29")),
        ("datediff(day, '2024-01-01', '2024-01-05')", json!(4)),
        ("timestampdiff(HOUR, timestamp'2024-01-01 00:00:00', timestamp'2024-01-02 01:30:00')", json!(25)),
        ("timestampdiff(MONTH, date '2024-01-31', date '2024-03-30')", json!(1)),
        ("dateadd(MONTH, 1, date'2024-01-31')", json!("2024-02-29")),
        ("timestampadd(HOUR, 8, timestamp'2022-02-11 20:30:00')", json!("2022-02-12T04:30:00.000")),
        ("extract(DAYOFWEEK FROM date '2019-08-12')", json!(2)),
        ("date_part('dow', date '2019-08-11')", json!(1)),
        ("cast(1704067200 as timestamp)", json!("2024-01-01T00:00:00.000")),
        ("cast(timestamp '2024-01-01 10:20:30.120' as string)", json!("2024-01-01 10:20:30.12")),
        ("concat('at ', timestamp '2024-01-01 10:20:30')", json!("at 2024-01-01 10:20:30")),
        ("date_format(date '2024-08-15', 'Q')", json!("3")),
        ("date_format(date '2024-08-15', concat('yyyy', '-MM'))", json!("2024-08")),
        (r"date_format(timestamp '2024-08-15 15:04:05', 'yyyy-MM-dd\'T\'HH:mm')", json!("2024-08-15T15:04")),
        ("make_timestamp(2014, 12, 28, 6, 30, 45.887)", json!("2014-12-28T06:30:45.887")),
        ("from_utc_timestamp('2016-08-31', 'Asia/Seoul')", json!("2016-08-31T09:00:00.000")),
        ("to_utc_timestamp('2016-08-31', 'Asia/Seoul')", json!("2016-08-30T15:00:00.000")),
        ("unix_millis(timestamp '1970-01-01 00:00:01')", json!(1000)),
        ("unix_micros(timestamp '2024-01-01 00:00:00.123456')", json!(1_704_067_200_123_456_i64)),
        ("timestamp_micros(1230219000123123)", json!("2008-12-25T15:30:00.123123")),
    ]);
}

#[test]
fn arrays_maps_and_structs() {
    holds(&[
        ("reverse(array(2, 1, 4, 3))", json!([3, 4, 1, 2])),
        ("reverse('Spark SQL')", json!("LQS krapS")),
        ("concat(array(1, 2), array(3))", json!([1, 2, 3])),
        ("concat(array(1), cast(null as array<int>))", Value::Null),
        ("concat_ws('-', 'x', array('a', null, 'b'), 1)", json!("x-a-b-1")),
        ("nvl(null, array('2'))", json!(["2"])),
        ("array_position(array(3, 2), 9)", json!(0)),
        ("array_remove(array(1, 2, 3, null, 3), 3)", json!([1, 2, null])),
        ("array_insert(array(1, 2, 4), 3, 3)", json!([1, 2, 3, 4])),
        ("get(array(1, 2, 3), 0)", json!(1)),
        ("try_element_at(array(1, 2), 5)", Value::Null),
        ("transform(array(1, 2, 3), x -> x + 1)", json!([2, 3, 4])),
        ("filter(array(1, 2, 3), x -> x % 2 = 1)", json!([1, 3])),
        ("exists(array(1, 2, 3), x -> x % 2 = 0)", json!(true)),
        ("forall(array(1, 2, 3), x -> x % 2 = 0)", json!(false)),
        ("forall(array(2, 4), x -> x % 2 = 0)", json!(true)),
        ("struct(1 as a, 'x' as b)", json!({"a": 1, "b": "x"})),
        ("struct(1 as a).a", json!(1)),
        ("named_struct('a', named_struct('b', 5)).a.b", json!(5)),
        (
            "to_json(named_struct('a', 1, 'b', cast(null as int), 'c', array(1.5, 2)))",
            json!("{\"a\":1,\"c\":[1.5,2.0]}"),
        ),
        ("to_json(map('k', 'v\"'))", json!("{\"k\":\"v\\\"\"}")),
        ("json_array_length('[1,2,3,4]')", json!(4)),
    ]);
}

#[test]
fn rounding() {
    holds(&[
        ("cast('NaN' as double) > 1.5", json!(true)),
        ("cast(2.5 as float) in (1.5, 2.5)", json!(true)),
        ("cast(1.5 as double) between 1.4 and 1.6", json!(true)),
        ("timestamp '2024-02-01 00:00:00' - timestamp '2024-01-01 00:00:00' > interval 10 days", json!(true)),
        (
            "timestamp '2024-01-02 00:00:00' - timestamp '2024-01-01 00:00:00' > interval 25 hours",
            json!(false),
        ),
        ("ceil(5)", json!(5)),
        ("ceil(-0.1)", json!("0")),
        ("floor(-0.1)", json!("-1")),
        ("ceil(cast(3.2 as double))", json!(4)),
        ("floor(cast(12345.67 as decimal(10,2)))", json!("12345")),
        ("ceil(3.1411, 3)", json!("3.142")),
        ("floor(3.1411, 3)", json!("3.141")),
        ("width_bucket(5.3, 0.2, 10.6, 5)", json!(3)),
        ("pmod(-7, 3)", json!(2)),
    ]);
}

#[test]
fn words() {
    holds(&[
        ("bin(13)", json!("1101")),
        ("bit_count(7)", json!(3)),
        ("conv('100', 2, 10)", json!("4")),
        ("conv('-10', 16, -10)", json!("-16")),
        ("crc32('Spark')", json!(1_557_323_817)),
        ("hex(17)", json!("11")),
        ("hex(unhex('1AFF'))", json!("1AFF")),
        ("decode(encode('abc', 'utf-8'), 'utf-8')", json!("abc")),
        ("decode(2, 1, 'a', 2, 'b', 'c')", json!("b")),
        ("decode(null, 1, 'a', null, 'n')", json!("n")),
        ("decode(3, 1, 'a')", Value::Null),
        ("elt(2, 'scala', 'java')", json!("java")),
        ("equal_null(1, null)", json!(false)),
        (
            "format_string('%05d|%-4s|%.2f|%,d|%%', 42, 'ab', 1.005, 1234567)",
            json!("00042|ab  |1.00|1,234,567|%"),
        ),
        ("printf('Hello %s', 'days')", json!("Hello days")),
        ("mask('abcd-EFGH-8765')", json!("xxxx-XXXX-nnnn")),
        ("length(unhex('1AFF00'))", json!(3)),
        ("length('é日')", json!(2)),
        ("soundex('Miller')", json!("M460")),
        ("soundex('Pfister')", json!("P236")),
        ("regexp_substr('Steven Jones and Stephen', 'Ste(v|ph)en')", json!("Steven")),
        ("regexp_substr('x', 'y')", Value::Null),
        ("url_encode('https://spark.apache.org')", json!("https%3A%2F%2Fspark.apache.org")),
        ("url_decode('https%3A%2F%2Fspark.apache.org')", json!("https://spark.apache.org")),
        ("parse_url('http://spark.apache.org/path?query=1', 'HOST')", json!("spark.apache.org")),
        ("parse_url('http://spark.apache.org/path?query=1', 'QUERY', 'query')", json!("1")),
        ("position('bar', 'foobarbar')", json!(4)),
        ("replace('ABCabc', 'abc')", json!("ABC")),
        ("trim(LEADING FROM '  x ')", json!("x ")),
        ("nullifzero(0)", Value::Null),
        ("zeroifnull(null)", json!(0)),
        ("'a' ilike 'A' and like('Spark', 'S%')", json!(true)),
    ]);
}

#[test]
fn queries_as_notebooks_have_them() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    let names = |sql: &str| session.rows(sql)[0].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names("select count(1), sum(ID), 'x', 1 from t"), ["count(1)", "sum(ID)", "x", "1"]);
    assert_eq!(names("select ID + 1, -ID from t"), ["ID + 1", "-ID"]);
    assert_eq!(names("select COUNT(*), max(id) from t"), ["count(*)", "max(ID)"]);
    assert_eq!(session.rows("select `count(1)` as n from (select count(1) from t)"), [json!({"n": 3})]);
    let twice = session.rows("select ID as key, key * 2 as twice, twice + 1 as more from t where ID = 2");
    assert_eq!(twice, [json!({"key": 2, "twice": 4, "more": 5})]);
    let distinct = session.rows("select distinct ID % 2 from t order by ID % 2");
    assert_eq!(distinct, [json!({"ID % 2": 0}), json!({"ID % 2": 1})]);
    let exploded = "select o.ID, v.x from orders o lateral view explode(array(ID, ID * 10)) v as x where v.x > 2 order by 1, 2";
    assert_eq!(
        session.rows(exploded),
        [
            json!({"ID": 1, "x": 10}),
            json!({"ID": 2, "x": 20}),
            json!({"ID": 3, "x": 3}),
            json!({"ID": 3, "x": 30})
        ]
    );
    assert_eq!(session.rows("select explode_outer(cast(null as array<int>))"), [json!({"col": null})]);
    let ordered = session.rows("select ID % 2 as k, count(*) as n from t group by all order by all");
    assert_eq!(ordered, [json!({"k": 0, "n": 1}), json!({"k": 1, "n": 2})]);
    let listed = session.rows("select listagg(ID, '-') within group (order by ID desc) as l from t");
    assert_eq!(listed, [json!({"l": "3-2-1"})]);
    assert_eq!(session.rows("select ID from t sort by ID desc limit 1"), [json!({"ID": 3})]);
    assert_eq!(session.rows("select collect_list(distinct productId % 10) as l from t"), [json!({"l": [0]})]);
    assert_eq!(
        session.rows("select percentile_approx(ID, array(0.0, 1.0), 100) as p from t"),
        [json!({"p": [1.0, 3.0]})]
    );
}

#[test]
fn faults_of_functions_name_function_and_types() {
    let shop = Shop::new();
    let session = Session::open(&shop.table());
    for (text, message, cause, hint) in [
        ("select conut(1) from t", "Unknown function \"conut\" at line 1, column 8", "", "count"),
        ("select year(1, 2)", "year takes 1 argument", "", ""),
        ("select upper(1, 2)", "Wrong arguments for upper", "upper(bigint, bigint)", "upper("),
        ("select sum(Note) from t", "Wrong arguments for sum", "string", ""),
        (
            "select Note, count(*) from t group by ID",
            "Column \"Note\" is neither grouped nor aggregated",
            "",
            "GROUP BY",
        ),
        ("select cast('x' as int)", "cannot be computed", "Cannot cast string 'x' to int", "TRY_CAST"),
        ("select * from t where Note = \"x\"", "Unknown column \"x\"", "", "single quotes: 'x'"),
        ("select * from t where Note", "Invalid SQL", "string", ""),
        ("select date_format(date '2024-01-01', 'GG')", "", "GG", ""),
        ("select * from (select ID from t) pivot (sum(ID) for ID in (1, 2))", "PIVOT", "", "FILTER"),
        ("show nosuch", "near \"nosuch\"", "TABLES, SCHEMAS", ""),
    ] {
        let fault = session.fault(text);
        assert_eq!(fault.exit_status(), 2, "{text}: {fault:?}");
        assert!(fault.message.contains(message), "{text}: {fault:?}");
        assert!(fault.cause.contains(cause), "{text}: {fault:?}");
        assert!(fault.hint.contains(hint), "{text}: {fault:?}");
        let all = format!("{fault:?}");
        assert!(!all.contains("Utf8") && !all.contains("Int64") && !all.contains("Span"), "{text}: {all}");
    }
}
