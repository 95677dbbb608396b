//! Whether the files with deletion vectors are there: without its vector no reader can take a file.

use std::collections::BTreeMap;

use futures::StreamExt;

use super::survey::problem;
use super::{CONCURRENCY, Locator};
use crate::lake::log::store;
use crate::lake::watch::Watch;
use crate::model::files::FileList;
use crate::model::footer_totals::{Failures, Stated};
use crate::model::{FaultKind, Outcome};

/// Looks for the vectors of the files with these indices: one request for each file that holds any.
/// Failures are counted by vector file; bytes and rows are those of the data files that need it.
pub(super) async fn look(
    locator: &Locator<'_>,
    files: &FileList,
    indices: &[usize],
    watch: &Watch,
) -> Outcome<Failures> {
    let mut needed: BTreeMap<String, Vec<Stated>> = BTreeMap::new();
    for file in indices.iter().filter(|i| **i < files.len()).map(|i| files.get(*i)) {
        if let Some(path) = file.deletion_vector.and_then(|vector| vector.file()) {
            needed.entry(path).or_default().push(Stated { bytes: file.size, rows: file.records });
        }
    }
    let one = |(path, by): (String, Vec<Stated>)| async move {
        let found = match locator.locate(&path) {
            Ok((store, at)) => store::size(&store, &at, watch).await.map(drop),
            Err(fault) => Err(fault),
        };
        (path, by, found)
    };
    let mut failures = Failures::default();
    let mut looks = futures::stream::iter(needed.into_iter().map(one)).buffer_unordered(CONCURRENCY);
    while let Some((path, by, found)) = looks.next().await {
        watch.check()?;
        match found {
            Err(fault) if fault.kind != FaultKind::Cancelled => {
                let bytes = by.iter().fold(0u64, |sum, s| sum.saturating_add(s.bytes));
                let rows = by.iter().try_fold(0u64, |sum, s| s.rows.map(|r| sum.saturating_add(r)));
                failures.add(&path, Stated { bytes, rows }, problem(&fault));
            }
            _ => {}
        }
    }
    watch.check()?;
    Ok(failures)
}
