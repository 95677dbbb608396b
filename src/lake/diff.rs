//! What changed between two versions of a table.

use super::history::commits;
use super::log::{OpenTable, Want, store};
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::diff::{Diff, Side, data_changed};
use crate::model::diff_rows::{Compared, RowChanges};
use crate::model::history::Commit;
use crate::model::table::AsOf;

/// Compares the table as of `from` with itself as of `to`, by one listing of the log.
///
/// Faults: those of [`OpenTable::open`] and [`OpenTable::files`].
pub async fn diff(table: &OpenTable, from: AsOf, to: AsOf, watch: &Watch) -> Outcome<Compared> {
    let (from, to) = (table.at(from, watch).await?, table.at(to, watch).await?);
    let want = Want { records: true, ..Want::default() };
    let before = from.files(want, watch).await?;
    let after = to.files(want, watch).await?;
    let between = between(&from, &to, watch).await?;
    let (a, b) = (from.table.version, to.table.version);
    let changed = data_changed(&between, a, b);
    let rows = RowChanges::of(&between, a, b);
    let compare = move || {
        let (old, new) = (&before.list, &after.list);
        Diff::between(Side { table: &from.table, files: old }, Side { table: &to.table, files: new }, changed)
    };
    Ok(Compared { diff: store::blocking(compare).await?, rows })
}

/// The commits after the older and up to the newer version.
async fn between(from: &OpenTable, to: &OpenTable, watch: &Watch) -> Outcome<Vec<Commit>> {
    let (low, newer) = if from.table.version <= to.table.version { (from, to) } else { (to, from) };
    let (low, high) = (low.table.version, newer.table.version);
    let mut out = Vec::new();
    let most = usize::try_from(high - low).unwrap_or(usize::MAX);
    commits(newer, Some(high), most, watch, &mut |commit| {
        // Where commits are missing, as many reach further back.
        if commit.version > low {
            out.push(slim(commit));
        }
    })
    .await?;
    Ok(out)
}

/// Without the texts that no sum needs, so that a long history takes little memory.
pub(super) fn slim(mut commit: Commit) -> Commit {
    if let Some(parameters) = &mut commit.operation_parameters {
        parameters.retain(|key, _| key == "mode");
    }
    if let Some(metrics) = &mut commit.operation_metrics {
        metrics.retain(|_, value| value.is_number() || value.as_str().is_some_and(|s| s.len() <= 20));
    }
    (commit.user_metadata, commit.engine_info) = (None, None);
    commit
}
