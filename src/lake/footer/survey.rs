//! Many footers: a few at a time, summed up as they arrive.

use futures::StreamExt;

use super::{Locator, pick, read, vectors};
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::files::FileList;
use crate::model::footer::Footer;
use crate::model::footer_totals::{FooterTotals, Problem, Sample, Stated};
use crate::model::progress::Progress;
use crate::model::{Fault, FaultKind, Outcome};

/// Files that are read at the same time: enough to hide a store's latency.
pub const CONCURRENCY: usize = 16;

/// The footers of a table summed up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Survey {
    pub totals: FooterTotals,
    /// None if every file was looked at.
    pub sample: Option<Sample>,
}

/// Reads the footers of the files with these indices in `files` and gives each to `take`, in the
/// order of arrival. Only cancellation ends it early; a file without a footer is a fault of its own.
pub async fn stream(
    place: &Place,
    files: &FileList,
    indices: &[usize],
    watch: &Watch,
    take: &mut (dyn FnMut(usize, Outcome<Footer>) + Send),
) -> Outcome<()> {
    stream_at(&Locator::new(place), files, indices, watch, take).await
}

async fn stream_at(
    locator: &Locator<'_>,
    files: &FileList,
    indices: &[usize],
    watch: &Watch,
    take: &mut (dyn FnMut(usize, Outcome<Footer>) + Send),
) -> Outcome<()> {
    let one = |index: usize| async move {
        let file = files.get(index);
        let footer = match locator.locate(file.path) {
            Ok((store, at)) => read(&store, &at, file.path, Some(file.size), watch).await,
            Err(fault) => Err(fault),
        };
        (index, footer)
    };
    let total = indices.len() as u64;
    let mut footers = futures::stream::iter(indices.iter().copied().filter(|i| *i < files.len()).map(one))
        .buffer_unordered(CONCURRENCY);
    let mut done = 0;
    while let Some((index, footer)) = footers.next().await {
        watch.check()?;
        take(index, footer);
        done += 1;
        watch.progress(Progress::new("reading footers", done, Some(total), "files"));
    }
    watch.check()
}

/// Sums up the footers of a table's files, of a sample where there are more than `limit`, compares
/// them with what the log says, and looks whether the files' deletion vectors are there.
/// Calls `grown` with the sum after each file, so that it can be shown while it grows.
pub async fn survey(
    place: &Place,
    files: &FileList,
    limit: Option<usize>,
    watch: &Watch,
    grown: &mut (dyn FnMut(&FooterTotals) + Send),
) -> Outcome<Survey> {
    let (indices, sample) = pick(files, limit);
    let mut totals = FooterTotals::default();
    let mut take = |index: usize, footer: Outcome<Footer>| {
        let file = files.get(index);
        let stated = Stated { bytes: file.size, rows: file.records };
        match footer {
            Ok(footer) => {
                totals.add(&footer);
                totals.compare(&footer, stated);
            }
            Err(fault) if fault.kind == FaultKind::Cancelled => return,
            Err(fault) => totals.failures.add(file.path, stated, problem(&fault)),
        }
        grown(&totals);
    };
    let locator = Locator::new(place);
    stream_at(&locator, files, &indices, watch, &mut take).await?;
    totals.vectors = vectors::look(&locator, files, &indices, watch).await?;
    Ok(Survey { totals, sample })
}

pub(super) fn problem(fault: &Fault) -> Problem {
    Problem { code: fault.code, reason: fault.to_string() }
}
