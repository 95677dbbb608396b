//! Undo takes a rewrite back, and only that.

use super::support::{Table, start};
use crate::support::headless::deltop;
use crate::support::peer;

fn rewrite(table: &Table) {
    assert_eq!(start(&["rewrite", table.at(), "--files", "2"]).status(), 0);
    assert_eq!(table.active(), 2);
}

#[test]
fn appends_of_others_stay() {
    let Some(python) = peer::python() else { return };
    let table = Table::small(python);
    rewrite(&table);
    peer::run(
        python,
        table.path(),
        "
for i in range(3):
    write_deltalake(t, rows(10, 5000 + 10 * i, lambda i: 'a 1'), mode='append')
",
    );
    let done = deltop(&["undo", table.at(), "--yes", "--allow-writes", "--json"]).json();
    assert_eq!((&done["numFilesRestored"], &done["numFilesRemoved"]), (&12.into(), &2.into()));
    assert_eq!(table.active(), 15);
    assert_eq!(peer::ids(python, table.path()), (0..1200).chain(5000..5030).collect::<Vec<_>>());
    // It was taken back once; there is no other rewrite.
    assert_eq!(deltop(&["undo", table.at(), "--json"]).error(), (5, "nothing-to-undo".into()));
}

#[test]
fn what_was_changed_since_is_not_taken_back() {
    let Some(python) = peer::python() else { return };
    for (script, ids) in [
        ("DeltaTable(t).delete('id < 10')", (10..1200).collect::<Vec<i64>>()),
        ("DeltaTable(t).optimize.compact(); DeltaTable(t).delete('id >= 1190')", (0..1190).collect()),
    ] {
        let table = Table::small(python);
        rewrite(&table);
        peer::run(python, table.path(), script);
        let before = table.tree();
        assert_eq!(deltop(&["undo", table.at(), "--json"]).error(), (5, "cannot-undo".into()), "{script}");
        assert_eq!(table.tree(), before);
        assert_eq!(peer::ids(python, table.path()), ids);
    }
}

#[test]
fn inputs_that_were_vacuumed_are_not_brought_back() {
    let Some(python) = peer::python() else { return };
    let table = Table::small(python);
    rewrite(&table);
    let vacuum = ["vacuum", table.at(), "--retain", "0", "--below-safe-retention"];
    assert_eq!(start(&vacuum).status(), 0);
    assert_eq!(table.data_files().len(), 2);
    assert_eq!(deltop(&["undo", table.at(), "--json"]).error(), (5, "cannot-undo".into()));
    assert_eq!(peer::ids(python, table.path()), (0..1200).collect::<Vec<_>>());
}
