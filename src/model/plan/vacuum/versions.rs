//! Which versions can be read before and after.

use rustc_hash::{FxHashMap, FxHashSet};

use super::paths::canonical;
use super::{Listed, LogVersion, VacuumInput};

/// The oldest readable version before and after; none where that cannot be told.
///
/// A version needs every file that it holds. A file removed by version r is in versions before r
/// only, so without it none below r can be relied on.
pub(super) fn readable(
    input: &VacuumInput<'_>,
    dead: &FxHashSet<String>,
    listed: Option<&FxHashMap<String, &Listed>>,
) -> (Option<u64>, Option<u64>) {
    let Some(LogVersion { version: first, timestamp: since }) = input.versions.first().copied() else {
        return (None, None);
    };
    let (mut before, mut after) = (Some(first), Some(first));
    for tombstone in input.tombstones {
        let path = canonical(&tombstone.path);
        let vector = tombstone.vector_file.as_deref().map(canonical);
        let all = || std::iter::once(&path).chain(&vector);
        let gone = listed.is_some_and(|l| all().any(|p| is_inside(p) && !l.contains_key(p)));
        if !gone && !all().any(|p| dead.contains(p)) {
            continue;
        }
        let from = match (tombstone.removed_in, tombstone.deleted_at) {
            (Some(version), _) => Some(version),
            // Removed before the oldest version that the log has: none of those held it.
            (None, Some(at)) if at < since => Some(first),
            _ => None,
        };
        after = after.zip(from).map(|(a, b)| a.max(b));
        if gone {
            before = before.zip(from).map(|(a, b)| a.max(b));
        }
    }
    (before.filter(|_| listed.is_some()), after)
}

fn is_inside(path: &str) -> bool {
    !path.starts_with('/') && !path.contains("://")
}
