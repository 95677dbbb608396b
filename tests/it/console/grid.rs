//! What can be done with a result's rows, and with the text of a query.

use std::fs;

use crate::support::journey::Journey;
use crate::support::lake::Lake;

fn console(lake: &Lake, text: &str) -> Journey {
    let j = Journey::start(lake.table("sales").to_str().unwrap(), 120, 40);
    j.sees("600 rows").keys("6i<C-l>").paste(text);
    j
}

#[test]
fn marked_rows_are_copied_and_nested_values_unfold() {
    let lake = Lake::new();
    let query = "select id, named_struct('city', 'Łódź', 'tags', array('x', null)) as address, '' as e, \
        cast(null as string) as nothing from t where region = 'north' order by id limit 5";
    let j = console(&lake, query);
    j.keys("<F5>").sees("5 rows").keys("<Esc>j  ").sees("2 marked").keys("Y");
    j.waits_for_copies(1);
    // Sorted the other way, they come in the order of the screen.
    j.keys("oo").sees("id ▼").keys("Y");
    j.waits_for_copies(2);
    j.keys("u").sees_no("marked").keys("gY");
    j.waits_for_copies(3);
    let row = |id: u8| format!("{id}\t{{\"city\":\"Łódź\",\"tags\":[\"x\",null]}}\t\t");
    assert_eq!(j.copied(), [format!("{}\n{}", row(1), row(2)), format!("{}\n{}", row(2), row(1)), row(4)]);
    j.keys("<Enter>").sees("address.city").sees("address.tags[0]").sees("address.tags[1]");
    j.sees("\"\" (empty text)").sees("NULL").keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn a_text_goes_through_format_undo_and_the_list_of_saved_ones() {
    let lake = Lake::new();
    let j = console(&lake, "select id from t where id=1; select region from t");
    j.keys("<A-f>")
        .sees("WHERE id = 1;")
        .keys("<C-u>")
        .sees("where id=1; select")
        .keys("<C-r>")
        .sees("WHERE id = 1;");
    // The cursor is still in the second statement.
    j.keys("<F5>").sees("600 rows · v3").sees("region").keys("<A-s>").sees("Saved; Alt-h lists it first");
    j.keys("<A-h>").sees("★ SELECT region FROM t").keys("<Esc>");
    j.keys("<C-l>select nonsense(id) from t<F5>").sees("failed").sees("nonsense").keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}

/// What is typed is kept within a second, so that a crash loses nothing.
#[test]
fn a_draft_is_kept_while_one_types() {
    let lake = Lake::new();
    let j = console(&lake, "select 'unfinished");
    j.waits_for_draft("select 'unfinished");
    j.keys("<Esc>q");
    assert_eq!(j.ends(), 0);
    assert!(fs::read_dir(lake.home()).unwrap().next().is_none());
}
