//! Which version to try when one cannot be opened.

use serde::Serialize;

use super::{Fault, FaultKind};

/// The newest version that the log names cannot be opened, so an older one is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unreadable {
    pub version: u64,
    pub reason: String,
}

impl Unreadable {
    /// A sentence that also names the version shown instead.
    pub fn says(&self, shown: u64) -> String {
        format!("Version {} cannot be read: {}. This is up to version {shown}", self.version, self.reason)
    }
}

/// A version that can probably be opened: the newest that the hint names, else the one before the
/// commit that cannot be read.
pub fn readable_version(fault: &Fault) -> Option<u64> {
    if fault.kind != FaultKind::Read {
        return None;
    }
    let named = |mark: &str| number(fault.hint.split_once(mark)?.1);
    let named = ["(up to ", "Oldest version available: ", "--as-of "].into_iter().find_map(named);
    named.or_else(|| broken_commit(&fault.message)?.checked_sub(1))
}

fn number(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The version of a commit file that the text names: twenty digits and `.json`.
fn broken_commit(text: &str) -> Option<u64> {
    let name = text.split_whitespace().find_map(|word| word.strip_suffix(".json"))?;
    let digits = name.rsplit('/').next().filter(|d| d.len() == 20)?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_that_may_open() {
        let hinted =
            |hint: &str| readable_version(&Fault::read("x", "Version 9 cannot be rebuilt").hint(hint));
        assert_eq!(hinted("Oldest version available: 3 (up to 7)"), Some(7));
        assert_eq!(hinted("Oldest version available: 3"), Some(3));
        assert_eq!(hinted("Use `--as-of 12` or leave it out"), Some(12));
        assert_eq!(hinted("An earlier version may still open: add `--as-of` with its number"), None);
        let commit = |n: u64| Fault::read("bad-commit", format!("The commit {n:020}.json cannot be read"));
        assert_eq!(readable_version(&commit(39)), Some(38));
        assert_eq!(readable_version(&commit(0)), None);
        assert_eq!(readable_version(&Fault::cancelled().hint("--as-of 3")), None);
    }
}
