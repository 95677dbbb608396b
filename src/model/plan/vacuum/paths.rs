//! Which paths a vacuum may think about at all.

use super::Listed;

/// A path with `.`, empty and `..` parts resolved; relative ones without a leading `./`. Absolute
/// paths and URLs stay recognisable as such. The text must be percent-decoded already.
pub fn canonical(path: &str) -> String {
    let (root, rest) = match path.find("://") {
        Some(at) => path.split_at(at + 3),
        None if path.starts_with('/') => ("/", path),
        None => ("", path),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}

/// The folder of change data (protocol, "Change Data Files").
const CHANGE_DATA: &str = "_change_data/";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A data file, a deletion vector file or a change-data file.
    Data,
    Hidden,
    Nested,
    Foreign,
    Outside,
}

/// What a canonical path is to a vacuum. `nested`: the folders of nested tables.
pub(super) fn kind_of(path: &str, nested: &[String]) -> Kind {
    if path.starts_with('/') || path.contains("://") || path == ".." || path.starts_with("../") {
        return Kind::Outside;
    }
    if nested.iter().any(|n| path.strip_prefix(n.as_str()).is_some_and(|rest| rest.starts_with('/'))) {
        return Kind::Nested;
    }
    // Change data lies in a folder of its own.
    let path = path.strip_prefix(CHANGE_DATA).unwrap_or(path);
    // A partition column may begin with `_`: `_day=1` is a partition, not a hidden folder.
    let (folders, name) = path.rsplit_once('/').map_or((None, path), |(f, n)| (Some(f), n));
    let hidden = |part: &str| part.starts_with('.') || (part.starts_with('_') && !part.contains('='));
    if folders.is_some_and(|f| f.split('/').any(hidden)) || name.starts_with(['.', '_']) {
        return Kind::Hidden;
    }
    let vector = name.starts_with("deletion_vector_") && name.ends_with(".bin");
    if vector || name.ends_with(".parquet") { Kind::Data } else { Kind::Foreign }
}

/// Folders below the table's that hold a `_delta_log` of their own.
pub(super) fn nested_tables(listing: &[Listed]) -> Vec<String> {
    let mut out: Vec<String> = listing
        .iter()
        .filter_map(|f| {
            let path = canonical(&f.path);
            let at = path
                .find("/_delta_log/")
                .or_else(|| path.ends_with("/_delta_log").then(|| path.len() - 11))?;
            path.get(..at).map(str::to_owned)
        })
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}
