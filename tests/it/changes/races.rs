//! Several writers at once: no row is lost, none is doubled, and appends are kept.

use std::path::Path;

use serde_json::json;

use super::support::{Held, Running, Table, rounds, start};
use crate::support::headless::deltop;
use crate::support::peer;

/// What a peer does between our plan and our commit, what it leaves of the ids, and how our change
/// must end.
struct Meddling {
    script: &'static str,
    ids: fn() -> Vec<i64>,
    status: i32,
}

const MEDDLINGS: [Meddling; 6] = [
    Meddling {
        script: "write_deltalake(t, rows(50, 5000, lambda i: 'a 1'), mode='append')",
        ids: || (0..1200).chain(5000..5050).collect(),
        status: 0,
    },
    Meddling { script: "DeltaTable(t).delete('id < 250')", ids: || (250..1200).collect(), status: 6 },
    Meddling {
        script: "DeltaTable(t).delete(\"p = 'a 1'\")",
        ids: || (0..1200).step_by(2).collect(),
        status: 6,
    },
    Meddling {
        script: "
DeltaTable(t).merge(rows(300, 1000, lambda i: f'a {i % 2}'), 'target.id = source.id', 'source', 'target') \\
    .when_matched_update_all().when_not_matched_insert_all().execute()
",
        ids: || (0..1300).collect(),
        status: 6,
    },
    Meddling { script: "DeltaTable(t).optimize.compact()", ids: || (0..1200).collect(), status: 6 },
    Meddling {
        script: "write_deltalake(t, rows(7, 0, lambda i: 'a 1'), mode='overwrite')",
        ids: || (0..7).collect(),
        status: 6,
    },
];

const CHANGES: [&[&str]; 3] =
    [&["rewrite", "--files", "4"], &["optimize"], &["rewrite", "--target-size", "1MB"]];

fn on<'a>(change: &[&'a str], table: &'a Table) -> Vec<&'a str> {
    let mut args = change.to_vec();
    args.insert(1, table.at());
    args
}

#[test]
fn others_that_commit_first_keep_their_work() {
    let Some(python) = peer::python() else { return };
    for round in 0..rounds(MEDDLINGS.len()) {
        let meddling = &MEDDLINGS[round % MEDDLINGS.len()];
        let change = CHANGES[round % CHANGES.len()];
        let table = Table::small(python);
        let held = Held::at_commit(&table, &on(change, &table));
        peer::run(python, table.path(), meddling.script);
        let before = table.tree();
        let status = held.release();
        let what = format!("{change:?} against {}", meddling.script);
        assert_eq!(status, meddling.status, "{what}");
        assert_eq!(peer::ids(python, table.path()), (meddling.ids)(), "{what}");
        if status != 0 {
            let left: Vec<_> = table.tree().into_keys().collect();
            assert!(left.iter().all(|path| before.contains_key(path)), "{what}: {left:?}");
            assert!(staged_are_gone(&table), "{what}");
        }
    }
}

/// No file is left that no version refers to.
fn staged_are_gone(table: &Table) -> bool {
    let ask = ["vacuum", table.at(), "--full", "--retain", "0", "--below-safe-retention", "--json"];
    deltop(&ask).json()["neverReferenced"]["numFiles"] == 0
}

#[test]
fn rewrites_of_the_same_files_at_once() {
    let Some(python) = peer::python() else { return };
    for _ in 0..rounds(3) {
        let table = Table::small(python);
        let mut all: Vec<Running> = (0..4).map(|i| start(&on(CHANGES[i % 2], &table))).collect();
        let statuses: Vec<i32> = all.iter_mut().map(Running::status).collect();
        assert!(statuses.iter().all(|s| [0, 6].contains(s)), "{statuses:?}");
        assert!(statuses.contains(&0), "{statuses:?}");
        assert_eq!(peer::ids(python, table.path()), (0..1200).collect::<Vec<_>>());
        assert!(staged_are_gone(&table));
        // Whoever lost has nothing left behind, so that one more is as good as the first.
        assert_eq!(start(&on(CHANGES[0], &table)).status(), 0);
        assert_eq!(table.active(), 4);
    }
}

/// A vacuum between two commits of others: it never takes what they brought back.
#[test]
fn a_vacuum_against_a_restore() {
    let Some(python) = peer::python() else { return };
    let table = Table::small(python);
    peer::run(python, table.path(), "DeltaTable(t).optimize.compact()");
    let ask = ["vacuum", table.at(), "--full", "--retain", "0", "--below-safe-retention"];
    let held = Held::at_commit(&table, &ask);
    peer::run(python, table.path(), "DeltaTable(t).restore(5)");
    let status = held.release();
    assert!([0, 6].contains(&status), "{status}");
    assert_eq!(peer::ids(python, table.path()), (0..1200).collect::<Vec<_>>());
}

/// The other commits second, with a plan from before, and does not see ours: that is told and
/// repaired.
#[test]
fn a_peer_that_doubles_rows_is_found_out() {
    let Some(python) = peer::python() else { return };
    let table = Table::small(python);
    let stale = peer::started(
        python,
        table.path(),
        "
stale = DeltaTable(t)
say('ready')
sys.stdin.readline()
stale.optimize.compact()
say('done')
",
    );
    let mut stale = Conversation::new(stale);
    stale.hear("ready");
    assert_eq!(start(&on(CHANGES[0], &table)).status(), 0);
    stale.say("go");
    stale.hear("done");
    assert_eq!(peer::ids(python, table.path()).len(), 2400);
    let found = deltop(&["advise", table.at(), "--json"]).json();
    assert!(found.as_array().unwrap().iter().any(|f| f["id"] == "double-rewrite"), "{found}");
    let done = deltop(&["repair", table.at(), "--yes", "--allow-writes", "--json"]).json();
    assert_eq!(done["operation"], json!("repair"));
    assert_eq!(peer::ids(python, table.path()), (0..1200).collect::<Vec<_>>());
}

/// Lines to and from a script.
struct Conversation {
    child: std::process::Child,
    answers: std::io::BufReader<std::process::ChildStdout>,
}

impl Conversation {
    fn new(mut child: std::process::Child) -> Self {
        let answers = std::io::BufReader::new(child.stdout.take().unwrap());
        Conversation { child, answers }
    }

    #[track_caller]
    fn hear(&mut self, wanted: &str) {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut self.answers, &mut line).unwrap();
        assert_eq!(line.trim(), format!("{wanted:?}"));
    }

    fn say(&mut self, text: &str) {
        use std::io::Write;
        writeln!(self.child.stdin.as_mut().unwrap(), "{text}").unwrap();
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Held at its commit while others append again and again: it gets in, at some later version.
#[test]
fn appends_do_not_starve_a_change() {
    let Some(python) = peer::python() else { return };
    let table = Table::small(python);
    let held = Held::at_commit(&table, &on(CHANGES[0], &table));
    peer::run(
        python,
        table.path(),
        "
for i in range(20):
    write_deltalake(t, rows(1, 9000 + i, lambda i: 'a 1'), mode='append')
",
    );
    assert_eq!(held.release(), 0);
    assert_eq!(peer::ids(python, table.path()).len(), 1220);
    assert_eq!(table.active(), 24);
    assert!(Path::new(table.at()).join("_delta_log/00000000000000000026.json").is_file());
}
