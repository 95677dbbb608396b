//! Floats, doubles and decimals: NaN, which no statistics know of, and numbers of several types side by
//! side. What is right is what Spark gives: NaN is above every number and equal to itself.

use arrow::array::{Float32Array, Float64Array};

use deltop::lake::sql::Origin;

use super::*;

/// Rows in two files: 1 to 3 with NaN beside 1.5, 4 and 5 with 7 and 8.
struct Nan(TempDir);

impl Nan {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("n");
        for (ids, xs) in
            [(vec![1, 2, 3], vec![Some(1.5), Some(f64::NAN), None]), (vec![4, 5], vec![Some(7.0), Some(8.0)])]
        {
            let floats = xs.iter().map(|x| x.map(|x| x as f32)).collect::<Float32Array>();
            make(
                &path,
                vec![
                    ("id", Arc::new(Int64Array::from(ids))),
                    ("x", Arc::new(Float64Array::from(xs))),
                    ("f", Arc::new(floats)),
                ],
            );
        }
        Nan(folder)
    }

    fn session(&self) -> Session {
        Session::open(&self.0.path().join("n"))
    }
}

#[track_caller]
fn ids(session: &Session, sql: &str) -> Vec<i64> {
    session.rows(sql).iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

#[test]
fn no_condition_loses_a_nan() {
    let nan = Nan::new();
    let session = nan.session();
    for column in ["x", "f"] {
        for (condition, want) in [
            ("@ > 5", vec![2, 4, 5]),
            ("@ > 100.5", vec![2]),
            ("@ >= 8e0", vec![2, 5]),
            ("100 < @", vec![2]),
            ("@ <> 1.5", vec![2, 4, 5]),
            ("@ = cast('NaN' as double)", vec![2]),
            ("not (@ <= 100)", vec![2]),
            ("@ not in (1.5, 7)", vec![2, 5]),
            ("@ not between 0 and 10", vec![2]),
            ("@ is distinct from 7", vec![1, 2, 3, 5]),
            ("isnan(@)", vec![2]),
            ("@ + 1 > 100", vec![2]),
            ("@ > 100 or id = 4", vec![2, 4]),
            ("@ > 100 and id < 3", vec![2]),
            ("@ < 5.5", vec![1]),
            ("@ in (1.5, 8.0)", vec![1, 5]),
            ("@ is null", vec![3]),
        ] {
            let condition = condition.replace('@', column);
            let found = ids(&session, &format!("select id from t where {condition} order by id"));
            assert_eq!(found, want, "{condition}");
        }
    }
}

/// A sort, a join and an aggregate find bounds while they run, and tell readers to skip by them.
#[test]
fn bounds_that_are_found_on_the_way_lose_no_nan_either() {
    let nan = Nan::new();
    let session = nan.session();
    assert_eq!(ids(&session, "select id from t order by x desc limit 1"), [2]);
    assert_eq!(ids(&session, "select id from t order by f desc limit 1"), [2]);
    let joined = "select a.id as id from t a join (select cast('NaN' as double) as y) b on a.x = b.y";
    assert_eq!(ids(&session, joined), [2]);
    assert_eq!(session.rows("select max(x) as m from t")[0]["m"], json!("NaN"));
    let plain = without_log(&nan.0.path().join("n"));
    let files = format!("select max(x) as m from parquet.`{}`", plain.path().display());
    assert_eq!(session.rows(&files)[0]["m"], json!("NaN"));
}

/// The data files of a table, as plain files.
fn without_log(table: &Path) -> TempDir {
    let plain = TempDir::new().unwrap();
    for file in std::fs::read_dir(table).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file()) {
        std::fs::copy(&file, plain.path().join(file.file_name().unwrap())).unwrap();
    }
    plain
}

/// Where a file's least and greatest value are the same, NaN is beside them all the same.
#[test]
fn a_nan_is_not_read_as_the_one_value_that_bounds_know() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("n");
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from(vec![1, 2]))),
        ("x", Arc::new(Float64Array::from(vec![1.5, f64::NAN]))),
    ];
    make(&path, columns);
    let (session, plain) = (Session::open(&path), without_log(&path));
    for query in [
        "select id, x from t where id < 3 order by id".to_owned(),
        "select id, x from t where x < 1.6 or id = 2 order by id".to_owned(),
        format!("select id, x from parquet.`{}` order by id", plain.path().display()),
    ] {
        let rows = session.rows(&query);
        assert_eq!((&rows[0]["x"], &rows[1]["x"]), (&json!(1.5), &json!("NaN")), "{query}");
    }
    assert_eq!(ids(&session, "select id from t where x < 7.5"), [1]);
}

/// Files that a condition leaves of the two.
#[test]
fn statistics_still_tell_what_they_know() {
    let nan = Nan::new();
    let session = nan.session();
    for (condition, files) in [
        ("x < 1.0", 0),
        ("x < 6.5", 1),
        ("f < 6.55", 1),
        ("f = 7.0", 1),
        ("x between 7.5 and 9.5", 1),
        ("x in (7.0, 8.0)", 1),
        ("x > 100.0", 2),
        ("x > 100.0 and x < 1e300", 0),
        ("x > 7.5 and not isnan(x)", 1),
        ("x > 100.0 and id > 3", 1),
        ("id > 3.5", 1),
        ("id < 0.5", 0),
        ("id between 3.5 and 9.5", 1),
        ("id = 5.0", 1),
    ] {
        let query = format!("select * from t where {condition}");
        let plan = runtime().block_on(session.0.explain_at(&query, Origin::default(), false)).unwrap();
        let scan = plan.scans.first().expect(condition);
        assert_eq!((scan.total.files, scan.after_statistics.files), (2, files), "{condition}");
    }
}

#[test]
fn doubles_stay_doubles_beside_decimals() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("d");
    let doubles = vec![1e-20, 2.0, 1e300, -3.0];
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from(vec![1, 2, 3, 4]))),
        ("d", Arc::new(Float64Array::from(doubles))),
    ];
    make(&path, columns);
    let session = Session::open(&path);
    for (condition, want) in [
        ("d > 0.0", vec![1, 2, 3]),
        ("0.0 < d", vec![1, 2, 3]),
        ("d between 0.0 and 1.5", vec![1]),
        ("d in (2.0, 2.5)", vec![2]),
        ("d in (select 2.0)", vec![2]),
        ("2.0 in (select d from t x where x.id = t.id)", vec![2]),
        ("d * 2.5 > 4.5", vec![2, 3]),
        ("coalesce(d, 0.5) = d", vec![1, 2, 3, 4]),
        ("greatest(d, 1.5) = 1.5", vec![1, 4]),
        ("nullif(d, 2.0) is null", vec![2]),
        ("case when id = 1 then 0.5 else d end > 1.5", vec![2, 3]),
        ("case d when 2.0 then true else false end", vec![2]),
        ("if(id = 1, 0.5, d) < 1.0", vec![1, 4]),
    ] {
        let found = ids(&session, &format!("select id from t where {condition} order by id"));
        assert_eq!(found, want, "{condition}");
    }
    let both = session.rows("select 1.5 as v union all select d from t where id < 3 order by v");
    assert_eq!(both.iter().map(|r| r["v"].as_f64().unwrap()).collect::<Vec<_>>(), [1e-20, 1.5, 2.0]);
}

/// A value that cannot be computed is no fault of a file.
#[test]
fn what_cannot_be_computed_blames_no_file() {
    let nan = Nan::new();
    let session = nan.session();
    for condition in ["cast(id * 1e30 as decimal(30,5)) > 1", "abs(id - 9223372036854775807 - 4) > 1"] {
        let fault = session.fault(&format!("select id from t where {condition}"));
        assert_eq!((fault.code, fault.exit_status()), ("query-failed", 2), "{condition}: {fault:?}");
        assert!(!fault.cause.contains("ArrowError"), "{}", fault.cause);
    }
}
