//! What others committed since the plan's version, and whether the plan still holds.

use object_store::path::Path;
use object_store::{Error as StoreError, ObjectStoreExt};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Guards, Proposal};
use crate::lake::log::key::comparable;
use crate::lake::log::{commit_name, parse_lines, store};
use crate::model::units::Millis;
use crate::model::{Fault, FaultKind, Outcome};
use crate::tune::Context;

/// An action as far as it matters here.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Line<'a> {
    #[serde(borrow)]
    add: Option<FileAction<'a>>,
    #[serde(borrow)]
    remove: Option<FileAction<'a>>,
    #[serde(borrow)]
    meta_data: Option<&'a RawValue>,
    #[serde(borrow)]
    protocol: Option<&'a RawValue>,
    #[serde(borrow)]
    domain_metadata: Option<&'a RawValue>,
    commit_info: Option<Info>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileAction<'a> {
    #[serde(borrow)]
    path: std::borrow::Cow<'a, str>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Info {
    in_commit_timestamp: Option<i64>,
    txn_id: Option<String>,
}

pub enum Met {
    /// Nothing that stands against the commit; `next` is the first version that is free.
    Nothing {
        next: u64,
    },
    /// Our own commit, whose answer was lost.
    Ours {
        version: u64,
    },
    Conflict(Fault),
}

/// The commits since the plan's version, each looked at once.
pub struct Others<'a> {
    guards: &'a Guards,
    /// Our commit's own id; none if nothing was sent.
    id: Option<&'a str>,
    next: u64,
    in_commit: Option<Millis>,
}

/// What is in a commit.
#[derive(Debug, PartialEq, Eq)]
enum Held {
    Ours,
    Against(String),
    Nothing,
}

impl<'a> Others<'a> {
    pub fn new(proposal: &'a Proposal, id: Option<&'a str>) -> Self {
        let next = proposal.read_version + 1;
        Others { guards: &proposal.guards, id, next, in_commit: proposal.in_commit }
    }

    /// The first version that has not been looked at.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The in-commit timestamp of the newest version looked at, if the table has them.
    pub fn last_in_commit(&self) -> Option<Millis> {
        self.in_commit
    }

    /// Looks at all commits that have come since the last call.
    pub async fn catch_up(&mut self, ctx: &Context, log: &Path) -> Outcome<Met> {
        loop {
            let path = log.clone().join(commit_name(self.next));
            let read = async { ctx.place.store.get(&path).await?.bytes().await };
            let bytes = match store::cancellable(&ctx.watch(), read).await? {
                Ok(bytes) => bytes,
                Err(StoreError::NotFound { .. }) => return Ok(Met::Nothing { next: self.next }),
                Err(e) => return Err(store::fault(&path, e)),
            };
            let version = self.next;
            self.next += 1;
            match self.look(&bytes) {
                Held::Nothing => {}
                Held::Ours => return Ok(Met::Ours { version }),
                Held::Against(what) => return Ok(Met::Conflict(conflict(version, &what))),
            }
        }
    }

    fn look(&mut self, bytes: &[u8]) -> Held {
        let (lines, bad) = parse_lines::<Line<'_>>(bytes, &[]);
        let mut ids = lines.iter().filter_map(|line| line.commit_info.as_ref()?.txn_id.as_deref());
        if self.id.is_some_and(|id| ids.any(|other| other == id)) {
            return Held::Ours;
        }
        if let Some(bad) = bad {
            return Held::Against(format!("its line {} cannot be read ({})", bad.line, bad.why));
        }
        let mut found = None;
        for line in &lines {
            if let Some(time) = line.commit_info.as_ref().and_then(|i| i.in_commit_timestamp) {
                self.in_commit = self.in_commit.map(|last| last.max(time));
            }
            let touched = |action: &Option<FileAction<'_>>| {
                let path = action.as_ref().map(|a| comparable(&a.path))?;
                self.guards.files.contains(&path).then_some(path)
            };
            let what = if let Some(path) = touched(&line.remove) {
                Some(format!("it removed {path}, which this change reads"))
            } else if let Some(path) = touched(&line.add) {
                Some(format!("it changed {path}, which this change reads"))
            } else if self.guards.metadata && line.protocol.is_some() {
                Some("it changed the table's protocol".to_owned())
            } else if self.guards.metadata && line.meta_data.is_some() {
                Some("it changed the table's metadata".to_owned())
            } else if self.guards.metadata && line.domain_metadata.is_some() {
                Some("it changed a metadata domain".to_owned())
            } else {
                None
            };
            found = found.or(what);
        }
        found.map_or(Held::Nothing, Held::Against)
    }
}

fn conflict(version: u64, what: &str) -> Fault {
    Fault::new(
        FaultKind::Conflict,
        "conflict",
        format!("Version {version}, by another writer, stands against this change"),
    )
    .because(what.to_owned())
    .hint("Nothing was committed. Run it again: it is planned anew from the table as it is now")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(paths: &[&str], commit: &str) -> Option<String> {
        let guards = Guards::of(paths.iter().copied());
        let mut others = Others { guards: &guards, id: Some("mine"), next: 1, in_commit: None };
        match others.look(commit.as_bytes()) {
            Held::Against(what) => Some(what),
            Held::Nothing => None,
            Held::Ours => Some("ours".into()),
        }
    }

    #[test]
    fn a_commit_of_ours_that_came_late_is_no_conflict() {
        let late = "{\"commitInfo\":{\"txnId\":\"mine\"}}\n{\"remove\":{\"path\":\"a\"}}\n";
        assert_eq!(against(&["a"], late).as_deref(), Some("ours"));
        let other = late.replace("mine", "other");
        assert!(against(&["a"], &other).is_some_and(|what| what.contains("removed a")));
    }

    #[test]
    fn what_stands_against_a_rewrite() {
        let inputs = ["p=a b/x.parquet", "y%20z.parquet"];
        for commit in [
            r#"{"remove":{"path":"p=a%20b/x.parquet","dataChange":false}}"#,
            r#"{"remove":{"path":"y%20z.parquet","dataChange":true}}"#,
            r#"{"add":{"path":"y z.parquet","deletionVector":{"storageType":"u"}}}"#,
            r#"{"metaData":{"id":"x"}}"#,
            r#"{"protocol":{"minReaderVersion":1}}"#,
            r#"{"domainMetadata":{"domain":"d"}}"#,
            r#"{"add":{"pa"#,
        ] {
            assert!(against(&inputs, commit).is_some(), "{commit}");
        }
        let fine = "{\"commitInfo\":{\"operation\":\"WRITE\"}}\n{\"txn\":{\"appId\":\"a\",\"version\":1}}\n{\"add\":{\"path\":\"new.parquet\"}}\n{\"remove\":{\"path\":\"other.parquet\"}}\n";
        assert_eq!(against(&inputs, fine), None);
    }

    #[test]
    fn in_commit_timestamps_are_followed() {
        let guards = Guards::default();
        let mut others = Others { guards: &guards, id: None, next: 1, in_commit: Some(5) };
        others.look(br#"{"commitInfo":{"inCommitTimestamp":9}}"#);
        others.look(br#"{"commitInfo":{"inCommitTimestamp":7}}"#);
        assert_eq!(others.last_in_commit(), Some(9));
    }
}
