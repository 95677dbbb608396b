//! One new file: written row group by row group, its statistics gathered on the way.

use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use object_store::path::Path;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use tokio::runtime::Handle;

use super::cannot_write;
use super::sink::Sink;
use super::stats::FileStats;
use crate::lake::place::Place;
use crate::model::Outcome;
use crate::model::change::Codec;

/// How new files are laid out inside.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub compression: Compression,
    /// Rows of a row group at most.
    pub group_rows: u64,
    /// Encoded bytes of a row group at most: what the writer holds in memory.
    pub group_bytes: u64,
}

/// Rows of a row group unless asked otherwise: large enough for readers that like long ones
/// (Fabric docs, Direct Lake: 1 to 16 million), small enough to be held in memory.
pub const GROUP_ROWS: u64 = 1 << 20;

/// The codec as parquet has it; `source`: that of the input files.
pub fn compression(codec: Codec, source: Compression) -> Compression {
    match codec {
        // Level 3 is what Spark and zstd itself take.
        Codec::Zstd => Compression::ZSTD(ZstdLevel::try_new(3).unwrap_or_default()),
        Codec::Snappy => Compression::SNAPPY,
        Codec::Gzip => Compression::GZIP(GzipLevel::default()),
        Codec::Lz4 => Compression::LZ4_RAW,
        Codec::Uncompressed => Compression::UNCOMPRESSED,
        Codec::Source => match source {
            // Levels are not written down in a file.
            Compression::ZSTD(_) => compression(Codec::Zstd, source),
            // Hadoop's framing of LZ4 is deprecated (parquet format, "Compression").
            Compression::LZ4 | Compression::LZO => Compression::LZ4_RAW,
            other => other,
        },
    }
}

/// The word for a codec in file names, as Spark has it: `.zstd`, or nothing.
pub fn suffix(compression: Compression) -> &'static str {
    match compression {
        Compression::ZSTD(_) => ".zstd",
        Compression::SNAPPY => ".snappy",
        Compression::GZIP(_) => ".gz",
        Compression::LZ4 | Compression::LZ4_RAW => ".lz4",
        Compression::BROTLI(_) => ".brotli",
        _ => "",
    }
}

/// A file that was written.
#[derive(Debug, Clone)]
pub struct Written {
    pub rows: u64,
    /// Bytes.
    pub size: u64,
    /// The text of `add.stats`.
    pub stats: String,
}

/// Writes a file on a thread that may block.
pub struct Writer {
    shown: String,
    schema: SchemaRef,
    inner: Option<ArrowWriter<Sink>>,
    stats: FileStats,
    rows: u64,
}

impl Writer {
    /// Fault `cannot-write`.
    pub fn create(
        place: &Place,
        path: &Path,
        schema: &SchemaRef,
        stats: FileStats,
        style: Style,
        handle: &Handle,
    ) -> Outcome<Writer> {
        // A local store's paths count from the root folder, without its slash.
        let shown = if place.is_local() { format!("/{path}") } else { path.to_string() };
        let sink = Sink::create(place, path, handle).map_err(|e| cannot_write(&shown, e))?;
        let properties = WriterProperties::builder()
            .set_compression(style.compression)
            .set_created_by(concat!("deltop version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_max_row_group_row_count(Some(usize::try_from(style.group_rows).unwrap_or(usize::MAX)))
            .set_max_row_group_bytes(Some(usize::try_from(style.group_bytes).unwrap_or(usize::MAX)))
            .build();
        // The arrow schema would tell readers of views, which are our own affair.
        let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let inner = ArrowWriter::try_new_with_options(sink, schema.clone(), options)
            .map_err(|e| cannot_write(&shown, e))?;
        Ok(Writer { shown, schema: schema.clone(), inner: Some(inner), stats, rows: 0 })
    }

    /// The batch's first columns, as many as the file has, are written.
    pub fn write(&mut self, batch: &RecordBatch) -> Outcome<()> {
        let Some(inner) = &mut self.inner else {
            return Err(cannot_write(&self.shown, "it has ended"));
        };
        let columns = self.schema.fields().len();
        let own = if batch.num_columns() == columns {
            batch.clone()
        } else {
            let keep: Vec<usize> = (0..columns).collect();
            batch.project(&keep).map_err(|e| cannot_write(&self.shown, e))?
        };
        self.stats.update(&own);
        self.rows += own.num_rows() as u64;
        inner.write(&own).map_err(|e| cannot_write(&self.shown, e))
    }

    /// Ends the file. Fault `cannot-write`.
    pub fn finish(mut self) -> Outcome<Written> {
        let bad = |e: &dyn std::fmt::Display| cannot_write(&self.shown, e);
        let Some(inner) = self.inner.take() else { return Err(bad(&"it has ended")) };
        let sink = inner.into_inner().map_err(|e| bad(&e))?;
        let size = sink.finish().map_err(|e| bad(&e))?;
        Ok(Written { rows: self.rows, size, stats: self.stats.json() })
    }
}
