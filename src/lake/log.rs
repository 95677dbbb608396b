//! The log at one version: table state at once, files on demand.

use std::sync::Arc;

use super::place::Place;
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::files::FileList;
use crate::model::table::{AsOf, Table, Tombstones};

/// Which optional columns of the file list to read; path, size, time, partition, vector always come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Want {
    /// `numRecords` of each file.
    pub records: bool,
    pub tags: bool,
    /// Count the remove actions.
    pub tombstones: bool,
}

/// A table opened at one version: its log folder was listed; protocol, metadata, transactions
/// and domains were read.
#[derive(Clone)]
pub struct OpenTable {
    pub place: Place,
    pub table: Arc<Table>,
}

/// All files of the version.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub list: FileList,
    /// None if not asked for.
    pub tombstones: Option<Tombstones>,
    /// What was got over while reading, beyond [`Table::warnings`].
    pub warnings: Vec<String>,
}

impl OpenTable {
    /// Lists the log and reads everything but the files.
    pub async fn open(_place: &Place, _as_of: AsOf, _watch: &Watch) -> Outcome<OpenTable> {
        todo!()
    }

    /// Reads the active files, streaming partial lists to `watch`.
    pub async fn files(&self, _want: Want, _watch: &Watch) -> Outcome<Files> {
        todo!()
    }
}
