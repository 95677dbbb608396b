//! The limit: only decompressing and decoding the needed columns of a checkpoint, by one thread.
//! The arrays are kept, as whoever wants to show or sort the files must keep them.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use arrow::array::{Array, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

/// Prints seconds and the number of rows with a path.
pub fn read(log: &Path) {
    let mut files = parquet_files(&log.join("_delta_log"));
    files.extend(parquet_files(&log.join("_delta_log/_sidecars")));
    files.sort();
    let start = Instant::now();
    let batches: Vec<RecordBatch> = files.iter().flat_map(|file| columns(file)).collect();
    let files = |batch: &RecordBatch| {
        let add = batch.column_by_name("add").map(|add| add.len() - add.null_count());
        add.unwrap_or(0)
    };
    let rows: usize = batches.iter().map(files).sum();
    if rows > 0 {
        println!("{} {rows}", start.elapsed().as_secs_f64());
    }
}

fn parquet_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    entries.filter(|p| p.extension().is_some_and(|e| e == "parquet")).collect()
}

fn columns(file: &Path) -> Vec<RecordBatch> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let file = File::open(file).expect("a checkpoint's file");
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).expect("a footer");
    let wanted = |path: &[String]| match path {
        [add, name] if add == "add" => matches!(name.as_str(), "path" | "size" | "modificationTime"),
        [add, group, ..] if add == "add" => matches!(group.as_str(), "partitionValues" | "deletionVector"),
        _ => false,
    };
    let schema = builder.parquet_schema();
    let leaves = schema.columns().iter().enumerate().filter(|(_, c)| wanted(c.path().parts()));
    let mask = ProjectionMask::leaves(schema, leaves.map(|(at, _)| at).collect::<Vec<_>>());
    let reader = builder.with_projection(mask).with_batch_size(8192).build().expect("a reader");
    reader.map(|batch| batch.expect("a batch")).collect()
}
