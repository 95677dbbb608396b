//! `kill -9` at any moment: the table holds the same rows, what is left behind is found, and the
//! change can be made again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::support::{Held, Running, Table, rounds, start, start_with, wait_for};
use crate::support::headless::deltop;
use crate::support::peer;

const REWRITE: [&str; 3] = ["rewrite", "--files", "3"];

fn rewrite(table: &Table) -> [&str; 4] {
    [REWRITE[0], table.at(), REWRITE[1], REWRITE[2]]
}

/// The rows are all there, the change can be made again, and nothing is left for ever.
fn check(table: &Table, python: &std::path::Path, ids: &[i64], when: &str) {
    assert_eq!(peer::ids(python, table.path()), ids, "{when}");
    let cleaned = deltop(&["clean-staged", table.at(), "--yes", "--allow-writes"]);
    assert_eq!(cleaned.status, 0, "{when}: {}", cleaned.stderr);
    let ask = ["vacuum", table.at(), "--full", "--retain", "0", "--below-safe-retention", "--json"];
    assert_eq!(deltop(&ask).json()["neverReferenced"]["numFiles"], 0, "{when}");
}

/// At moments that are told by what is in the folder: so many new files, or the commit.
#[test]
fn a_rewrite_killed_at_any_moment() {
    let Some(python) = peer::python() else { return };
    let ids: Vec<i64> = (0..800_000).collect();
    for moment in 0..rounds(4) {
        let table = Table::large(python);
        let before: BTreeSet<PathBuf> = table.tree().into_keys().collect();
        let mut change = start(&rewrite(&table));
        let new = || table.tree().keys().filter(|path| !before.contains(*path)).count();
        // Not at once, since then it has hardly begun: some time after the k-th new file.
        let (files, spins) = (moment % 5, (moment / 5) * 50);
        wait_for(&mut change.0, "new files", || new() >= files);
        (0..spins).for_each(|_| _ = new());
        change.signal(libc::SIGKILL);
        change.end();
        check(&table, python, &ids, &format!("killed after {files} new files"));
        assert_eq!(start(&rewrite(&table)).status(), 0);
        assert_eq!(table.active(), 3);
    }
}

#[test]
fn a_rewrite_killed_just_before_its_commit() {
    let Some(python) = peer::python() else { return };
    let table = Table::small(python);
    let commits = table.commits();
    let mut held = Held::at_commit(&table, &rewrite(&table));
    assert!(table.data_files().len() > 12, "there are staged files");
    held.change.signal(libc::SIGKILL);
    held.change.end();
    assert_eq!(table.commits(), commits);
    check(&table, python, &(0..1200).collect::<Vec<_>>(), "killed before its commit");
    assert_eq!(table.data_files().len(), 12);
}

/// In batches of one group: a prefix of them is committed, each whole.
#[test]
fn batches_that_were_committed_stay() {
    let Some(python) = peer::python() else { return };
    let table = Table::small(python);
    let commits = table.commits();
    let args = ["rewrite", table.at(), "--files", "1", "--per-partition", "--batch-bytes", "1"];
    let mut change = start(&args);
    wait_for(&mut change.0, "the first commit", || table.commits() > commits);
    change.signal(libc::SIGKILL);
    change.end();
    check(&table, python, &(0..1200).collect::<Vec<_>>(), "killed after a batch");
    assert!([2, 7].contains(&table.active()), "{}", table.active());
}

#[test]
fn a_vacuum_killed_at_any_moment() {
    let Some(python) = peer::python() else { return };
    let ids: Vec<i64> = (0..300).collect();
    for moment in 0..rounds(3) {
        let table = Table::littered(python);
        let files = table.data_files().len();
        let args = ["vacuum", table.at(), "--full", "--retain", "0", "--below-safe-retention"];
        let mut change: Running = start_with(&args, |_| {});
        let gone = moment * 90 % 300;
        wait_for(&mut change.0, "deletions", || table.data_files().len() + gone <= files);
        change.signal(libc::SIGKILL);
        change.end();
        assert_eq!(peer::ids(python, table.path()), ids, "killed after {gone} deletions");
        assert_eq!(start(&args).status(), 0);
        assert_eq!(table.data_files().len(), table.active());
    }
}
