//! Tables as of a version.

use super::*;
use crate::support::lake::Lake;

#[track_caller]
fn count(session: &Session, from: &str) -> Value {
    session.rows(&format!("select count(*) as n from {from}")).remove(0)["n"].take()
}

#[test]
fn every_form_of_time_travel() {
    let lake = Lake::new();
    for session in [Session::open(&lake.path()), Session::open(&lake.table("sales"))] {
        assert_eq!(count(&session, "sales"), 600);
        for from in [
            "sales version as of 0",
            "SALES VERSION AS OF 0 AS s",
            "sales FOR VERSION AS OF '0'",
            "sales@v0",
            "`sales`@v0",
            "dbo.sales@v0",
            "lake.dbo.sales VERSION AS OF 0",
        ] {
            assert_eq!(count(&session, from), 200, "{from}");
        }
        assert_eq!(count(&session, "sales version as of 1 where sales.id >= 100"), 200);
        let join =
            "select count(*) as n from sales new left anti join sales version as of 1 old on new.id = old.id";
        assert_eq!(session.rows(join)[0]["n"], 200);
        let late = session.fault("select 1 from sales version as of 9");
        assert_eq!((late.code, late.exit_status()), ("no-such-version", 3));
        let alias = session.fault("select count(*) from sales s version as of 1");
        assert!(alias.cause.contains("before the alias"), "{alias:?}");
        let wrong = session.fault("select *\nfrom sales version as of x");
        assert_eq!(wrong.message, "Invalid SQL at line 2, column 26, near \"x\"");
    }
}

#[test]
fn times_are_literals_or_computed() {
    let Some(tables) = shared_tables() else { return };
    let session = Session::open(&tables.join("gen__produtos"));
    let history = session.rows("describe history t");
    let at = |version: u64| {
        let row = history.iter().find(|r| r["version"] == version).unwrap();
        row["timestamp"].as_str().unwrap().to_owned()
    };
    let (first, last) = (at(0), at(2));
    assert_eq!(count(&session, &format!("t timestamp as of '{first}'")), 50);
    assert_eq!(count(&session, &format!("t timestamp as of '{last}'")), 100);
    assert_eq!(count(&session, &format!("t timestamp as of timestamp '{last}' + interval '0' second")), 100);
    assert_eq!(count(&session, "t timestamp as of current_timestamp()"), count(&session, "t"));
    assert_eq!(session.fault("select * from t timestamp as of '1999-01-01'").exit_status(), 3);
    assert_eq!(session.fault("select * from t timestamp as of 'soon'").code, "invalid-sql");
}
