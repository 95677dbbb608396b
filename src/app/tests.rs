//! Keys and answers of jobs, without a screen.

mod live;
mod many_files;

use std::sync::Arc;

use super::key::{Key, KeyCode};
use super::*;
use crate::model::Fault;
use crate::model::history::Commit;
use crate::model::lakehouse::{Entry, EntryKind};
use crate::model::table::{LogState, Table};

/// An app and the jobs that it waits for.
struct Desk {
    app: App,
    jobs: Vec<(JobId, Job)>,
}

impl Desk {
    /// At a table whose latest version is 39, seen as of `as_of`.
    fn at_table(as_of: AsOf) -> Desk {
        let mut desk = Desk::new(as_of);
        desk.answer(JobEvent::Looked(Found::Table));
        desk
    }

    fn new(as_of: AsOf) -> Desk {
        let startup = Startup {
            location: "/lake".into(),
            as_of,
            allow_writes: false,
            width: 80,
            height: 24,
            mouse: false,
            max_rows: 10,
            interval: 0,
        };
        let (app, effects) = App::new(startup);
        let mut desk = Desk { app, jobs: Vec::new() };
        desk.carry_out(effects);
        desk
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Start(id, job) => self.jobs.push((id, job)),
                Effect::Cancel(id) => self.jobs.retain(|(job, _)| *job != id),
                _ => {}
            }
        }
    }

    /// To the job that was started last.
    fn answer(&mut self, event: JobEvent) {
        let (id, _) = self.jobs.last().expect("a job").clone();
        self.answer_to(id, event);
    }

    fn answer_to(&mut self, id: JobId, event: JobEvent) {
        if event.closes() {
            self.jobs.retain(|(job, _)| *job != id);
        }
        let effects = update(&mut self.app, Msg::Job(id, event));
        self.carry_out(effects);
    }

    fn job(&self, wanted: fn(&Job) -> bool) -> Option<JobId> {
        self.jobs.iter().find(|(_, job)| wanted(job)).map(|(id, _)| *id)
    }

    fn open(&mut self, version: u64, newer_versions: u64) {
        let log = LogState { commits: version + 1, newer_versions, ..LogState::default() };
        let table = Table { version, log, ..Table::default() };
        let id = self.job(|j| matches!(j, Job::Open { .. })).expect("an opening");
        self.answer_to(id, JobEvent::Opened(Arc::new(table)));
    }

    fn files(&mut self) {
        let id = self.job(is_files).expect("reading of files");
        let list = crate::model::files::FileList::default();
        self.answer_to(id, JobEvent::Files { list, tombstones: None, warnings: Vec::new() });
        self.findings();
    }

    fn findings(&mut self) {
        let id = self.job(|j| matches!(j, Job::Diagnose { .. })).expect("a search for findings");
        self.answer_to(id, JobEvent::Failed(Fault::read("none", "None are looked for here")));
    }

    /// Commits from that version down, `n` of them.
    fn commits(&mut self, from: u64, n: u64) {
        let id = self.job(is_commits).expect("reading of commits");
        let commit = |version| Commit { version, readable: true, ..Commit::default() };
        let commits = (0..n).filter_map(|at| from.checked_sub(at)).map(commit).collect();
        self.answer_to(id, JobEvent::Commits(commits));
        self.answer_to(id, JobEvent::CommitsEnd(None));
    }

    fn keys(&mut self, keys: &str) {
        keys.chars().for_each(|c| self.key(Key::char(c)));
    }

    fn key(&mut self, key: Key) {
        let effects = update(&mut self.app, Msg::Key(key));
        self.carry_out(effects);
    }

    fn note(&self) -> &str {
        self.app.note.as_ref().map_or("", |n| &n.text)
    }

    fn table(&self) -> &TableView {
        self.app.table().expect("a table")
    }
}

fn is_sql(job: &Job) -> bool {
    matches!(job, Job::Sql { .. })
}

fn is_files(job: &Job) -> bool {
    matches!(job, Job::Files { .. })
}

fn is_commits(job: &Job) -> bool {
    matches!(job, Job::Commits { .. })
}

const ESC: Key = Key::new(KeyCode::Esc);
const F5: Key = Key::new(KeyCode::F(5));

/// At version 39 with everything read.
fn read() -> Desk {
    let mut desk = Desk::at_table(AsOf::Latest);
    desk.open(39, 0);
    desk.files();
    desk.commits(39, 100);
    desk
}

#[test]
fn a_query_is_run_on_the_version_shown_and_remembers_it() {
    let mut desk = read();
    desk.keys("6");
    desk.key(F5);
    assert!(matches!(desk.jobs.last(), Some((_, Job::Sql { version: Some(39), .. }))));
    desk.answer(JobEvent::SqlEnd { rows: 0, truncated: false, millis: 1 });
    desk.key(ESC);
    desk.keys("5jjv");
    desk.open(37, 2);
    let run = desk.table().sql.run.as_ref().expect("the result stays");
    assert_eq!(run.version, Some(39));
}

#[test]
fn ctrl_c_cancels_a_query_from_any_pane() {
    let mut desk = read();
    desk.keys("6");
    desk.key(F5);
    desk.key(ESC);
    desk.keys("2");
    desk.key(Key::ctrl('c'));
    assert_eq!((desk.job(is_sql), desk.note()), (None, "Query cancelled; F5 runs it again"));
    desk.key(Key::ctrl('c'));
    assert_eq!(desk.note(), "Nothing is running; q quits");
}

#[test]
fn the_version_on_the_screen_is_not_read_again() {
    let mut desk = read();
    desk.keys("6");
    desk.key(F5);
    desk.key(ESC);
    desk.keys("5v");
    assert_eq!(desk.note(), "Version 39 is shown already");
    assert!(desk.job(is_sql).is_some() && desk.jobs.len() == 1, "{:?}", desk.jobs);
}

#[test]
fn a_version_that_cannot_be_opened_leaves_the_one_on_the_screen() {
    let mut desk = read();
    desk.keys("5jjv");
    desk.open(37, 2);
    desk.files();
    desk.commits(37, 100);
    desk.keys("L");
    assert_eq!(desk.table().table.value.as_ref().map(|t| t.version), Some(37), "until it is open");
    desk.answer(JobEvent::Failed(Fault::read("bad-commit", "broken")));
    assert_eq!(desk.note(), "The latest version cannot be opened: broken");
    assert_eq!((desk.table().as_of, desk.table().table.fault.is_none()), (AsOf::Version(37), true));
    desk.keys("L");
    desk.key(Key::ctrl('c'));
    assert_eq!(desk.note(), "Cancelled; the version shown stays");
    assert!(desk.table().files.complete);
}

#[test]
fn a_broken_latest_version_offers_an_older_one() {
    let mut desk = Desk::at_table(AsOf::Latest);
    let name = format!("The commit {:020}.json cannot be read", 39);
    desk.answer(JobEvent::Failed(Fault::read("bad-commit", name)));
    desk.keys("6");
    desk.key(F5);
    assert_eq!(desk.note(), "The table could not be opened (see 1 Overview)");
    desk.key(ESC);
    desk.keys("1v");
    desk.open(38, 1);
    assert_eq!(desk.table().as_of, AsOf::Version(38));
    assert!(desk.job(is_commits).is_some());
}

#[test]
fn a_refresh_says_what_is_new() {
    let mut desk = read();
    desk.keys("r");
    desk.answer(JobEvent::NoNews);
    assert_eq!(desk.note(), "Nothing new: still version 39");
    // They had failed, so that they are looked for again.
    desk.findings();
    let mut past = Desk::at_table(AsOf::Version(1));
    past.open(1, 1);
    past.files();
    past.commits(1, 100);
    past.keys("r");
    past.open(1, 2);
    assert_eq!(past.note(), "1 new version; you look at v1");
    past.keys("r");
    past.open(1, 2);
    assert_eq!(past.note(), "Nothing new; you look at v1, 2 versions back");
}

#[test]
fn the_end_of_the_history_is_the_first_commit() {
    let mut desk = Desk::at_table(AsOf::Latest);
    desk.open(25_000, 0);
    desk.files();
    desk.commits(25_000, 100);
    desk.keys("5G");
    let mut next = 24_900;
    while desk.job(is_commits).is_some() {
        desk.commits(next, 10_000);
        next = next.saturating_sub(10_000);
    }
    assert_eq!(desk.table().history.selected().map(|c| c.version), Some(0));
}

#[test]
fn leaving_a_table_says_that_it_ends_the_query() {
    let mut desk = Desk::new(AsOf::Latest);
    let kind = EntryKind::Table { version: Some(39) };
    let entry = Entry { name: "t".into(), location: "/lake/t".into(), kind };
    desk.answer(JobEvent::Looked(Found::Folder(vec![entry])));
    desk.key(Key::new(KeyCode::Enter));
    desk.open(39, 0);
    desk.keys("6");
    desk.key(F5);
    desk.key(ESC);
    desk.key(ESC);
    assert_eq!((desk.note(), desk.jobs.len()), ("Query cancelled", 0));
}

#[test]
fn refusals_are_short() {
    let mut desk = read();
    desk.key(ESC);
    assert_eq!(desk.note(), "Already at the start; q quits");
    desk.keys("6");
    desk.app.table_mut().expect("a table").sql.paste("; -- nothing");
    desk.key(F5);
    assert_eq!(desk.note(), "No statement under the cursor");
}

/// What is typed ahead takes effect, or is refused for all to see.
#[test]
fn keys_before_the_table_is_open() {
    let mut desk = Desk::new(AsOf::Latest);
    desk.keys("3");
    assert_eq!(desk.note(), "It will open on Partitions");
    desk.keys("x");
    assert!(desk.note().starts_with("Still opening"), "{}", desk.note());
    desk.answer(JobEvent::Looked(Found::Table));
    assert_eq!(desk.app.table().map(|t| t.pane), Some(Pane::Partitions));
    desk.keys("w");
    assert_eq!(desk.note(), "The table is not open yet");
    // A folder of tables has no pane to be opened on, and the next table opens on its Overview.
    let mut desk = Desk::new(AsOf::Latest);
    desk.keys("3");
    let kind = EntryKind::Table { version: None };
    let entry = Entry { name: "a".into(), location: "/lake/a".into(), kind };
    desk.answer(JobEvent::Looked(Found::Folder(vec![entry])));
    desk.keys("3");
    assert_eq!(desk.note(), "Open a table first");
    desk.key(Key::new(KeyCode::Enter));
    assert_eq!(desk.app.table().map(|t| t.pane), Some(Pane::Overview));
}

/// The panes are reachable from whatever lies over one.
#[test]
fn panes_can_be_chosen_over_a_layer() {
    let mut desk = Desk::at_table(AsOf::Latest);
    desk.open(39, 0);
    for open in ["i", "?", "T"] {
        desk.keys(open);
        assert_eq!(desk.app.layers.len(), 1, "{open}");
        desk.keys("4");
        assert_eq!((desk.app.layers.len(), desk.app.table().map(|t| t.pane)), (0, Some(Pane::Columns)));
        desk.keys("1");
    }
    // While a condition is typed, digits are part of it.
    desk.keys("w4");
    assert!(matches!(desk.app.layers.last(), Some(Layer::Prune(p)) if p.input.text() == "4"));
}

#[test]
fn an_error_can_be_opened_in_full() {
    let mut desk = Desk::new(AsOf::Latest);
    let fault = Fault::read("missing", "Cannot look").because("x".repeat(3000)).hint("try elsewhere");
    desk.answer(JobEvent::Failed(fault));
    desk.keys("e");
    let Some(Layer::Detail(detail)) = desk.app.layers.last() else { panic!("no layer") };
    assert!(detail.to_text().contains(&"x".repeat(3000)) && detail.to_text().contains("code: missing"));
}
