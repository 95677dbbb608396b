//! Files of a table's folder that its log does not name.

use rustc_hash::FxHashSet;

use super::paths::{Kind, canonical, kind_of, nested_tables};
use super::{Listed, Tombstone};
use crate::model::evidence::{Orphan, Orphans};
use crate::model::units::Millis;

/// At most so many are kept by name; all are counted.
const KEPT: usize = 1000;

/// Data files, deletion vectors and change data in a listing that are neither in `in_use` nor removed
/// ones still on record. Hidden files, those of nested tables, links and other kinds are passed over,
/// as a vacuum does. `old_before`: files older than this are surely not part of a write under way.
pub fn unknown_files<'a>(
    listing: &[Listed],
    in_use: &FxHashSet<String>,
    tombstones: &'a [Tombstone],
    others: impl IntoIterator<Item = &'a str>,
    old_before: Millis,
) -> Orphans {
    let nested = nested_tables(listing);
    let removed = tombstones.iter().flat_map(|t| [Some(t.path.as_str()), t.vector_file.as_deref()]).flatten();
    let mut known: FxHashSet<String> = removed.chain(others).map(canonical).collect();
    known.extend(in_use.iter().map(|p| canonical(p)));
    let mut out = Orphans::default();
    for file in listing.iter().filter(|f| !f.is_link) {
        let path = canonical(&file.path);
        if kind_of(&path, &nested) != Kind::Data || known.contains(&path) {
            continue;
        }
        let is_old = file.modified < old_before;
        out.sum.files += 1;
        out.sum.bytes = out.sum.bytes.saturating_add(file.size);
        if is_old {
            out.sum.old_files += 1;
            out.sum.old_bytes = out.sum.old_bytes.saturating_add(file.size);
        }
        out.files.push(Orphan { path, size: file.size, modified: file.modified, is_old });
    }
    out.files.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.path.cmp(&b.path)));
    out.files.truncate(KEPT);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::evidence::Unreferenced;

    #[test]
    fn only_what_the_log_does_not_name() {
        let file = |path: &str, size, modified| Listed { path: path.into(), size, modified, is_link: false };
        let listing = [
            file("a.parquet", 1, 0),
            file("p=1/b.parquet", 2, 0),
            file("gone.parquet", 4, 0),
            file("old.parquet", 8, 0),
            file("p=1/young.parquet", 16, 99),
            file("_hidden/x.parquet", 32, 0),
            file("notes.txt", 64, 0),
            file("inner/_delta_log/0.json", 1, 0),
            file("inner/y.parquet", 128, 0),
            Listed { is_link: true, ..file("link.parquet", 1, 0) },
        ];
        let in_use = ["a.parquet", "./p=1/b.parquet"].map(str::to_owned).into_iter().collect();
        let tombstone = Tombstone {
            path: "gone.parquet".into(),
            deleted_at: None,
            size: None,
            removed_in: None,
            vector_file: None,
        };
        let found = unknown_files(&listing, &in_use, &[tombstone], [], 50);
        let names: Vec<(&str, bool)> = found.files.iter().map(|f| (f.path.as_str(), f.is_old)).collect();
        assert_eq!(names, [("p=1/young.parquet", false), ("old.parquet", true)]);
        assert_eq!(found.sum, Unreferenced { files: 2, bytes: 24, old_files: 1, old_bytes: 8 });
    }
}
