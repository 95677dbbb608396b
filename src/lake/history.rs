//! The commits of a log folder, newest first, each read on its own.

use super::log::OpenTable;
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::history::Commit;

/// Reads up to `limit` commits with versions at most `newest` (none: from the table's version
/// down), newest first. Calls `each` in that order as they come. Commits that cannot be read are
/// listed with their `problem`.
pub async fn commits(
    _table: &OpenTable,
    _newest: Option<u64>,
    _limit: usize,
    _watch: &Watch,
    _each: &mut (dyn FnMut(Commit) + Send),
) -> Outcome<()> {
    todo!()
}
