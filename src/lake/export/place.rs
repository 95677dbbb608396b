//! Where an export goes, from what a person typed.

use std::path::{Path, PathBuf};

use crate::model::{Fault, Outcome};

/// The path from the root; `~/` is the home folder, other paths are of the working folder.
///
/// # Errors
/// `usage` for an empty path and for an address of a store; `inside-a-table` (refused) within the folder
/// of a Delta table, whose log a stray file could damage.
pub fn destination(typed: &str) -> Outcome<PathBuf> {
    let typed = typed.trim();
    let wrong = |why: &str| {
        Fault::usage("usage", "The result cannot be written there")
            .because(why)
            .hint("Name a file of this machine, such as ~/result.csv")
    };
    if typed.trim_end_matches('/').is_empty() {
        return Err(wrong("no name is given"));
    }
    if typed.contains("://") {
        return Err(wrong("it is an address, not a path of this machine"));
    }
    let home = directories::BaseDirs::new();
    let path = match (typed.strip_prefix("~/"), &home) {
        (Some(rest), Some(home)) => home.home_dir().join(rest),
        _ => PathBuf::from(typed),
    };
    let path = std::path::absolute(&path).map_err(|e| wrong(&e.to_string()))?;
    if path.file_name().is_none() {
        return Err(wrong("no name is given"));
    }
    // Without a slash at the end, so that the last part is a name.
    let path = path.components().collect::<PathBuf>();
    match table_around(&path) {
        Some(table) => {
            Err(Fault::refused("inside-a-table", "The result is not written into a table's folder")
                .because(format!("{} is a Delta table", table.display()))
                .hint("Name a file outside of it"))
        }
        None => Ok(path),
    }
}

/// The table's folder that a path is in, links followed.
fn table_around(path: &Path) -> Option<PathBuf> {
    let folder = std::fs::canonicalize(parent(path)).unwrap_or_else(|_| parent(path).to_owned());
    folder.ancestors().find(|a| a.join("_delta_log").is_dir()).map(Path::to_owned)
}

/// The folder that holds it.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_what_is_none() {
        let table = tempfile::tempdir().unwrap();
        let at = |below: &str| destination(table.path().join(below).to_str().unwrap()).map_err(|f| f.code);
        assert!(at("x.csv").is_ok());
        std::fs::create_dir(table.path().join("_delta_log")).unwrap();
        for inside in ["x.csv", "_delta_log/00000000000000000003.json", "p=1/x.parquet", "new/"] {
            assert_eq!(at(inside), Err("inside-a-table"), "{inside}");
        }
        assert_eq!(destination(" /tmp/a/b.csv "), Ok(PathBuf::from("/tmp/a/b.csv")));
        assert_eq!(destination("/tmp/table/"), Ok(PathBuf::from("/tmp/table")));
        assert!(destination("x.csv").is_ok_and(|p| p.is_absolute()));
        assert!(destination("~/x.csv").is_ok_and(|p| !p.starts_with("~") && p.is_absolute()));
        for wrong in ["", "  ", "/", "s3://bucket/x.csv", ".."] {
            assert!(destination(wrong).is_err(), "{wrong:?}");
        }
    }
}
