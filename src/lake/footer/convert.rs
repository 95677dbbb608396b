//! From the parquet crate's metadata to this program's footer.

use std::collections::BTreeMap;
use std::sync::Arc;

use parquet::basic::{CompressionCodec, Encoding};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
    ParquetStatisticsPolicy, RowGroupMetaData,
};

use super::schema::{check_maps, leaf};
use super::{bounds, depth, mend};
use crate::model::footer::{Chunk, Footer, Leaf, RowGroup};

/// Reads the bytes of a footer. The error says what is wrong with it.
pub(super) fn parse(bytes: &[u8], path: &str, file_size: u64) -> Result<Footer, String> {
    footer(&metadata(bytes)?, path, file_size)
}

/// A footer's bytes as the parquet crate has them, checked as far as its other users rely on.
pub(super) fn metadata(bytes: &[u8]) -> Result<ParquetMetaData, String> {
    if !depth::is_tolerable(bytes) {
        return Err(format!("its schema nests deeper than {} levels", depth::DEEPEST));
    }
    let metadata = decode(bytes).map_err(|e| e.to_string())?;
    check_maps(metadata.file_metadata().schema())?;
    Ok(metadata)
}

/// What this program does not show is skipped, so that it cannot be a reason to refuse a footer;
/// nor can fields that are not the format's own. Where the statistics are damaged, the rest counts
/// all the same.
fn decode(bytes: &[u8]) -> Result<ParquetMetaData, ParquetError> {
    let lean = ParquetMetaDataOptions::new()
        .with_encoding_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll);
    let error = match ParquetMetaDataReader::decode_metadata_with_options(bytes, Some(&lean)) {
        Ok(metadata) => return Ok(metadata),
        Err(error) => error,
    };
    let mended = mend::without_foreign_fields(bytes);
    let bytes = mended.as_deref().unwrap_or(bytes);
    let leaner = lean.clone().with_column_stats_policy(ParquetStatisticsPolicy::SkipAll);
    let mut retries = [lean, leaner].into_iter();
    let again = |options| ParquetMetaDataReader::decode_metadata_with_options(bytes, Some(&options)).ok();
    retries.find_map(again).ok_or(error)
}

fn footer(metadata: &ParquetMetaData, path: &str, file_size: u64) -> Result<Footer, String> {
    let file = metadata.file_metadata();
    let leaves: Vec<Arc<Leaf>> = file.schema_descr().columns().iter().map(|c| Arc::new(leaf(c))).collect();
    let pairs = file.key_value_metadata().into_iter().flatten();
    let key_value_metadata: BTreeMap<_, _> = pairs.map(|p| (p.key.clone(), p.value.clone())).collect();
    let bounds = bounds::Rules::new(file);
    let mut row_groups = Vec::with_capacity(metadata.num_row_groups());
    for (at, group) in metadata.row_groups().iter().enumerate() {
        row_groups.push(row_group(group, &leaves, &bounds).map_err(|why| format!("row group {at}: {why}"))?);
    }
    let mut schema = leaves;
    schema.sort();
    Ok(Footer {
        path: path.to_owned(),
        size_in_bytes: file_size,
        num_rows: amount("number of rows", file.num_rows())?,
        created_by: file.created_by().map(str::to_owned),
        v_order: Footer::says_v_order(&key_value_metadata),
        key_value_metadata,
        row_groups,
        schema: schema.into(),
    })
}

fn row_group(
    group: &RowGroupMetaData,
    leaves: &[Arc<Leaf>],
    bounds: &bounds::Rules,
) -> Result<RowGroup, String> {
    if group.num_columns() != leaves.len() {
        return Err(format!("{} column chunks for {} columns", group.num_columns(), leaves.len()));
    }
    let mut columns = Vec::with_capacity(leaves.len());
    for (at, (column, leaf)) in group.columns().iter().zip(leaves).enumerate() {
        let found = chunk(column, leaf, bounds.of(at, column));
        columns.push(found.map_err(|why| format!("column {}: {why}", leaf.path))?);
    }
    Ok(RowGroup {
        num_rows: amount("number of rows", group.num_rows())?,
        total_byte_size: amount("byte size", group.total_byte_size())?,
        // The format's own total is optional; the chunks always state theirs.
        compressed_size: columns.iter().fold(0, |sum: u64, c: &Chunk| sum.saturating_add(c.compressed_size)),
        columns,
    })
}

fn chunk(column: &ColumnChunkMetaData, leaf: &Arc<Leaf>, bounds: bounds::Pair) -> Result<Chunk, String> {
    let encodings: Vec<Encoding> = column.encodings().collect();
    // Some writers leave the dictionary's offset out or at zero; the encodings tell it too.
    let by_encoding = |e: &Encoding| matches!(name(*e), "RLE_DICTIONARY" | "PLAIN_DICTIONARY");
    let bounds::Pair { min, max } = bounds;
    Ok(Chunk {
        leaf: leaf.clone(),
        codec: codec(column.compression_codec()),
        has_dictionary: column.dictionary_page_offset().is_some_and(|at| at > 0)
            || encodings.iter().any(by_encoding),
        encodings: encodings.into_iter().map(name).collect(),
        compressed_size: amount("compressed size", column.compressed_size())?,
        uncompressed_size: amount("uncompressed size", column.uncompressed_size())?,
        null_count: column.statistics().and_then(|s| s.null_count_opt()),
        min_exact: min.as_ref().map(|m| m.1),
        max_exact: max.as_ref().map(|m| m.1),
        min: min.map(|m| m.0),
        max: max.map(|m| m.0),
        has_page_index: column.column_index_offset().is_some() && column.offset_index_offset().is_some(),
        has_bloom_filter: column.bloom_filter_offset().is_some(),
    })
}

/// A figure that the format stores signed though it cannot be negative.
fn amount(what: &str, value: i64) -> Result<u64, String> {
    u64::try_from(value).map_err(|_| format!("the {what} is negative ({value})"))
}

fn codec(codec: CompressionCodec) -> &'static str {
    match codec {
        CompressionCodec::UNCOMPRESSED => "UNCOMPRESSED",
        CompressionCodec::SNAPPY => "SNAPPY",
        CompressionCodec::GZIP => "GZIP",
        CompressionCodec::LZO => "LZO",
        CompressionCodec::BROTLI => "BROTLI",
        CompressionCodec::LZ4 => "LZ4",
        CompressionCodec::ZSTD => "ZSTD",
        CompressionCodec::LZ4_RAW => "LZ4_RAW",
    }
}

#[expect(deprecated, reason = "files have it, whatever writers should do")]
fn name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::PLAIN => "PLAIN",
        Encoding::PLAIN_DICTIONARY => "PLAIN_DICTIONARY",
        Encoding::RLE => "RLE",
        Encoding::BIT_PACKED => "BIT_PACKED",
        Encoding::DELTA_BINARY_PACKED => "DELTA_BINARY_PACKED",
        Encoding::DELTA_LENGTH_BYTE_ARRAY => "DELTA_LENGTH_BYTE_ARRAY",
        Encoding::DELTA_BYTE_ARRAY => "DELTA_BYTE_ARRAY",
        Encoding::RLE_DICTIONARY => "RLE_DICTIONARY",
        Encoding::BYTE_STREAM_SPLIT => "BYTE_STREAM_SPLIT",
    }
}
