//! What can stand at a location.

/// What a look at a location found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A folder with a `_delta_log`.
    Table,
    /// A folder whose sub-folders hold tables (also one level of schemas down, such as `dbo/…`).
    Folder(Vec<Entry>),
    /// A folder with parquet files, directly or in `k=v` folders, but no log.
    ParquetFolder { files: u64, bytes: u64 },
    /// A single parquet file.
    ParquetFile { bytes: u64 },
    /// It exists, but holds none of these.
    Other { holds: String },
}

/// A sub-folder of a lakehouse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path relative to the folder, decoded, such as `dbo/sales`.
    pub name: String,
    /// What to open; relative names are joined by the reader.
    pub location: String,
    pub kind: EntryKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// With the newest version among its commit files, if the listing told.
    Table { version: Option<u64> },
    /// No `_delta_log`; what it holds in words, such as `12 parquet files`.
    Unidentified { holds: String },
}
