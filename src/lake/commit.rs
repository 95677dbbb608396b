//! One commit of a table with all its actions.

use super::log::{Log, TailFile, store};
use super::watch::Watch;
use crate::model::actions::CommitActions;
use crate::model::commit_view::CommitView;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// Reads a commit; and, if it changes metadata or protocol, those of the version before.
///
/// Faults: `no-such-commit`, those of the store.
pub async fn commit(log: &Log, version: u64, watch: &Watch) -> Outcome<CommitView> {
    let file = log.listing().commit(version).ok_or_else(|| {
        Fault::read("no-such-commit", format!("Commit {version} is not in the log"))
            .because("its file was cleaned up, or never was there")
    })?;
    let path = TailFile::commit(version, file.size).path(log.folder());
    let bytes = store::get_whole(&log.place.store, &path, file.size, watch).await?;
    let actions = store::blocking(move || CommitActions::parse(&String::from_utf8_lossy(&bytes))).await?;
    let before = match version.checked_sub(1).filter(|_| CommitView::needs_before(version, &actions)) {
        Some(earlier) => match log.open(AsOf::Version(earlier), watch).await {
            Ok(before) => Ok(Some(before)),
            Err(fault) if fault == Fault::cancelled() => return Err(fault),
            Err(fault) => Err(format!("version {earlier} cannot be read: {fault}")),
        },
        None => Ok(None),
    };
    let before = match &before {
        Ok(open) => Ok(open.as_ref().map(|open| &*open.table)),
        Err(why) => Err(why.clone()),
    };
    Ok(CommitView::new(version, actions, before))
}
