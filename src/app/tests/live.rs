//! New commits come by themselves, and nothing that one looks at jumps.

use super::*;
use crate::app::live::{NewFiles, News};
use crate::app::scroll::Motion;
use crate::app::summary::Summary;
use crate::model::files::{ChunkBuilder, FileList, NewFile};
use crate::model::partition::PartitionDict;
use crate::model::table::Metadata;

fn list(paths: &[&str]) -> FileList {
    let mut chunk = ChunkBuilder::new(true, 0);
    for (at, path) in paths.iter().enumerate() {
        chunk.push(NewFile { path, size: 1000 - at as u64, ..NewFile::default() });
    }
    let mut list = FileList::new(Arc::new(PartitionDict::new(Vec::new())), true, false);
    list.push_chunk(Arc::new(chunk.finish()));
    list
}

fn news(version: u64, paths: &[&str]) -> JobEvent {
    let list = Arc::new(list(paths));
    let summary = Arc::new(Summary::of(&list, &Metadata::default()));
    JobEvent::News(Box::new(News {
        table: Arc::new(Table { version, ..Table::default() }),
        files: Some(NewFiles { list, tombstones: None, warnings: Vec::new(), summary }),
        commits: vec![Commit { version, readable: true, ..Commit::default() }],
        replaced: false,
        doubled: Vec::new(),
    }))
}

fn is_follow(job: &Job) -> bool {
    matches!(job, Job::Follow { now: false, .. })
}

/// Version 39 with the files `a` to `e`, followed.
fn followed() -> Desk {
    let mut desk = Desk::at_table(AsOf::Latest);
    desk.app.table_mut().expect("a table").live.interval = 7;
    desk.open(39, 0);
    let id = desk.job(is_files).expect("reading of files");
    let files =
        JobEvent::Files { list: list(&["a", "b", "c", "d", "e"]), tombstones: None, warnings: Vec::new() };
    desk.answer_to(id, files);
    desk.findings();
    desk.commits(39, 30);
    desk
}

fn answer(desk: &mut Desk, event: JobEvent) {
    let id = desk.job(is_follow).expect("it is followed");
    let brings_files = event.closes();
    desk.answer_to(id, event);
    if brings_files {
        desk.findings();
    }
}

fn version(desk: &Desk) -> Option<u64> {
    desk.table().table.value.as_ref().map(|t| t.version)
}

#[test]
fn news_are_shown_and_the_next_ones_waited_for() {
    let mut desk = followed();
    assert_eq!(desk.jobs.len(), 1);
    answer(&mut desk, news(40, &["x", "a", "b", "c", "d", "e"]));
    assert_eq!((version(&desk), desk.table().history.commits().len()), (Some(40), 31));
    assert!(desk.table().summary_is_final());
    let next = Job::Follow { location: "/lake".into(), version: 40, interval: 7, now: false };
    assert_eq!(desk.jobs.iter().map(|(_, job)| job).collect::<Vec<_>>(), [&next]);
    assert_eq!(desk.note(), "", "nobody asked");
}

#[test]
fn selections_and_scroll_positions_stay() {
    let mut desk = followed();
    let view = desk.app.table_mut().expect("a table");
    view.history.scroll.page = 10;
    view.history.go(Motion::By(20));
    view.history.scroll.top = 15;
    view.files_pane.scroll.selected = 2;
    answer(&mut desk, news(40, &["x", "y", "b", "c", "d", "e"]));
    let view = desk.table();
    assert_eq!(view.history.selected().map(|c| c.version), Some(19));
    assert_eq!((view.history.scroll.selected, view.history.scroll.top), (21, 16));
    // `c` is where it was; a size of its own is what a file is known by, with its path.
    assert_eq!(view.files_pane.selected().map(|f| f.path), Some("b"), "another file has that place now");
    let mut desk = followed();
    desk.app.table_mut().expect("a table").files_pane.scroll.selected = 0;
    answer(&mut desk, news(40, &["a", "x"]));
    assert_eq!(desk.table().files_pane.selected().map(|f| f.path), Some("a"));
}

#[test]
fn the_selected_file_is_followed_through_a_sort() {
    let mut desk = followed();
    desk.keys("2o");
    desk.app.table_mut().expect("a table").files_pane.scroll.selected = 4;
    let same = |path: &str, size| {
        let mut chunk = ChunkBuilder::new(true, 0);
        chunk.push(NewFile { path: "0", size: 5, ..NewFile::default() });
        chunk.push(NewFile { path, size, ..NewFile::default() });
        let mut list = FileList::new(Arc::new(PartitionDict::new(Vec::new())), true, false);
        list.push_chunk(Arc::new(chunk.finish()));
        list
    };
    let JobEvent::News(mut event) = news(40, &[]) else { panic!("news") };
    event.files.iter_mut().for_each(|f| f.list = Arc::new(same("e", 996)));
    answer(&mut desk, JobEvent::News(event));
    assert_eq!(desk.table().files_pane.selected().map(|f| f.path), Some("e"));
}

#[test]
fn a_pause_stops_it_and_the_past_does_not_move() {
    let mut desk = followed();
    desk.keys("F");
    assert_eq!((desk.jobs.len(), desk.note()), (0, "Paused; F follows the table again"));
    desk.keys("F");
    assert_eq!((desk.jobs.len(), desk.note()), (1, "Following: a look every 7 s"));
    desk.keys("5jjv");
    desk.open(37, 2);
    desk.files();
    desk.commits(37, 30);
    assert_eq!(desk.job(is_follow), None);
    desk.keys("F");
    assert_eq!(desk.note(), "An older version does not move; L goes to the latest");
    desk.keys("L");
    desk.open(39, 0);
    desk.files();
    assert!(desk.job(is_follow).is_some());
}

#[test]
fn a_refresh_looks_at_once_and_reads_only_what_is_new() {
    let mut desk = followed();
    desk.keys("r");
    assert!(matches!(&desk.jobs[..], [(_, Job::Follow { version: 39, now: true, .. })]), "{:?}", desk.jobs);
    desk.answer(JobEvent::NoNews);
    assert_eq!(desk.note(), "Nothing new: still version 39");
    desk.findings();
    assert!(desk.job(is_follow).is_some());
    desk.keys("r");
    desk.answer(news(41, &["a"]));
    assert_eq!((desk.note(), version(&desk)), ("Version 39 → 41", Some(41)));
    desk.keys("r");
    desk.answer(JobEvent::Failed(Fault::read("unreadable", "gone")));
    assert!(desk.table().table.fault.is_some() && desk.job(is_follow).is_some());
    desk.keys("r");
    assert!(desk.job(|j| matches!(j, Job::Open { .. })).is_some(), "after a fault all is read");
}

#[test]
fn what_ails_the_store_is_told_and_forgotten() {
    let mut desk = followed();
    let fault = Fault::read("unreadable", "no route");
    answer(&mut desk, JobEvent::LookFailed(Some((fault.clone(), 14))));
    assert_eq!(desk.table().live.trouble, Some((fault, 14)));
    answer(&mut desk, JobEvent::LookFailed(None));
    assert_eq!((&desk.table().live.trouble, desk.jobs.len()), (&None, 1));
}

#[test]
fn small_files_are_remembered_version_by_version() {
    let mut desk = followed();
    answer(&mut desk, news(40, &["a", "b"]));
    answer(&mut desk, news(41, &["a", "b", "c", "d", "e", "f"]));
    let small = &desk.table().live.small;
    assert_eq!(
        small.iter().map(|s| (s.version, s.small, s.files)).collect::<Vec<_>>(),
        [(39, 5, 5), (40, 2, 2), (41, 6, 6)]
    );
}

#[test]
fn rates_are_those_of_the_last_minutes() {
    let mut desk = followed();
    let now = 1_779_843_492_000;
    update(&mut desk.app, Msg::Now(now));
    assert_eq!(desk.table().live.rates.map(|r| r.commits), Some(0));
    assert!(!desk.app.wants_clock(), "nothing changes with time");
    let JobEvent::News(mut event) = news(40, &["a"]) else { panic!("news") };
    for commit in &mut event.commits {
        (commit.timestamp, commit.added_files, commit.added_bytes) = (Some(now - 60_000), 20, 1000);
    }
    answer(&mut desk, JobEvent::News(event));
    let rates = desk.table().live.rates.expect("rates");
    assert_eq!((rates.commits, rates.added_files, rates.per_minute(rates.added_files)), (1, 20, 2.0));
    assert!(desk.app.wants_clock());
    update(&mut desk.app, Msg::Now(now + 11 * 60_000));
    assert_eq!(desk.table().live.rates.map(|r| r.commits), Some(0));
}

#[test]
fn leaving_ends_it() {
    let mut desk = followed();
    desk.keys("q");
    assert_eq!(desk.jobs.len(), 0);
}
