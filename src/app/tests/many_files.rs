//! What takes longer than a frame with a long list is a job, and its place says so until it is done.

use super::*;
use crate::app::layer::histogram::HistogramLayer;
use crate::app::work::{SMALL, Work};
use crate::model::files::{ChunkBuilder, FileList, NewFile};
use crate::model::partition::PartitionDict;

fn list(files: usize) -> FileList {
    let mut chunk = ChunkBuilder::new(true, files);
    for n in 0..files as u64 {
        chunk.push(NewFile { path: &n.to_string(), size: 1 << 20, records: Some(n), ..NewFile::default() });
    }
    let mut list = FileList::new(Arc::new(PartitionDict::new(Vec::new())), true, false);
    list.push_chunk(Arc::new(chunk.finish()));
    list
}

/// Carries out all pure work that was started.
fn compute(desk: &mut Desk) {
    while let Some((id, Job::Compute(work))) =
        desk.jobs.iter().find(|(_, job)| matches!(job, Job::Compute(_))).cloned()
    {
        desk.answer_to(id, work.run(&|| false));
    }
}

fn histogram(desk: &Desk) -> &HistogramLayer {
    let Some(Layer::Histogram(layer)) = desk.app.layers.last() else { panic!("no histogram is open") };
    layer
}

fn at_files(files: usize) -> Desk {
    let mut desk = Desk::at_table(AsOf::Latest);
    desk.open(39, 0);
    let id = desk.job(is_files).expect("reading of files");
    let list = list(files);
    desk.answer_to(id, JobEvent::Files { list, tombstones: None, warnings: Vec::new() });
    compute(&mut desk);
    desk.keys("2b");
    desk
}

#[test]
fn a_long_lists_histogram_is_counted_by_a_job() {
    let mut desk = at_files(SMALL + 1);
    assert!(histogram(&desk).shown().is_none());
    assert!(desk.app.something_runs());
    assert!(desk.job(|j| matches!(j, Job::Compute(Work::Spread { .. }))).is_some());
    compute(&mut desk);
    let files: u64 = histogram(&desk).bars().iter().map(|b| b.files).sum();
    assert_eq!(files, SMALL as u64 + 1);
}

#[test]
fn leaving_a_histogram_ends_its_job() {
    let mut desk = at_files(SMALL + 1);
    desk.key(Key::new(KeyCode::Esc));
    desk.key(Key::new(KeyCode::Esc));
    assert!(!matches!(desk.app.layers.last(), Some(Layer::Histogram(_))));
    assert_eq!(desk.job(|j| matches!(j, Job::Compute(_))), None);
}

#[test]
fn a_short_lists_histogram_is_there_at_once() {
    let desk = at_files(3);
    let files: u64 = histogram(&desk).bars().iter().map(|b| b.files).sum();
    assert_eq!(files, 3);
    let unread = desk.job(|j| matches!(j, Job::Compute(_)));
    assert_eq!(unread, None);
}
