//! One parquet data file, and what the log says of it.

use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use arrow::array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::folder::failed;
use super::stats;
use crate::model::units::Millis;
use crate::model::{Fault, FaultKind, Outcome};

/// A data file as its add action describes it.
#[derive(Debug, Clone)]
pub struct DataFile {
    /// Relative to the table.
    pub path: String,
    /// Column and value, for a partitioned table.
    pub partition: Option<(&'static str, String)>,
    /// Bytes.
    pub size: u64,
    pub rows: u64,
    pub modified: Millis,
    /// The statistics as the JSON text that the log holds.
    pub stats: String,
}

/// Writes rows to `table/path`; the file's time is `modified`.
pub fn write(table: &Path, path: &str, batch: &RecordBatch, modified: Millis) -> Outcome<DataFile> {
    let bytes = encode(batch)?;
    put(&table.join(path), &bytes, modified)?;
    Ok(DataFile {
        path: path.to_owned(),
        partition: None,
        size: bytes.len() as u64,
        rows: batch.num_rows() as u64,
        modified,
        stats: stats::of(batch),
    })
}

/// A parquet file in memory.
pub fn encode(batch: &RecordBatch) -> Outcome<Vec<u8>> {
    let failed = |e| Fault::new(FaultKind::Change, "cannot-write", "Cannot encode parquet").because(e);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let mut writer =
        ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).map_err(failed)?;
    writer.write(batch).map_err(failed)?;
    writer.into_inner().map_err(failed)
}

/// Writes a file with its folders and sets its time, so that history and retention look real.
pub fn put(path: &Path, bytes: &[u8], modified: Millis) -> Outcome<()> {
    let write = || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, bytes)?;
        let time = UNIX_EPOCH + Duration::from_millis(modified.max(0) as u64);
        fs::File::options().write(true).open(path)?.set_modified(time)
    };
    write().map_err(|e| failed(path, e))
}
