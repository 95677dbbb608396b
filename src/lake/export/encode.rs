//! Rows in each of the forms that are one file.

use std::io::Write;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::{NewFile, ParquetRows, cannot_write};
use crate::lake::sql::{append_rows, csv_record, json_rows};
use crate::model::Outcome;
use crate::model::export::Form;
use crate::model::grid::Grid;

/// Writes batches one after the other; a row group of Parquet is held in memory at a time.
pub enum Encoder {
    Csv(NewFile),
    /// And whether a row was written.
    Json(NewFile, bool),
    Ndjson(NewFile),
    Parquet(Box<ParquetRows<NewFile>>, std::path::PathBuf),
}

impl Encoder {
    /// Writes what comes before the rows.
    ///
    /// # Errors
    /// `cannot-write`, as all of them.
    pub fn new(mut file: NewFile, form: Form, schema: &SchemaRef) -> Outcome<Encoder> {
        match form {
            Form::Csv => {
                let names: Vec<_> = schema.fields().iter().map(|f| Some(f.name().clone())).collect();
                put(&mut file, csv_record(&names).as_bytes())?;
                Ok(Encoder::Csv(file))
            }
            Form::Json => {
                put(&mut file, b"[")?;
                Ok(Encoder::Json(file, false))
            }
            Form::Ndjson => Ok(Encoder::Ndjson(file)),
            Form::Parquet | Form::Delta => {
                let path = file.path().to_owned();
                let rows = ParquetRows::new(file, schema).map_err(|e| cannot_write(&path, e))?;
                Ok(Encoder::Parquet(Box::new(rows), path))
            }
        }
    }

    pub fn write(&mut self, batch: &RecordBatch) -> Outcome<()> {
        match self {
            Encoder::Csv(file) => {
                let mut grid = Grid::default();
                append_rows(&mut grid, batch);
                grid.rows.iter().try_for_each(|row| put(file, csv_record(row).as_bytes()))
            }
            Encoder::Json(file, any) => json_rows(batch)?.iter().try_for_each(|row| {
                put(file, if *any { b",\n" } else { b"\n" })?;
                *any = true;
                json(file, row)
            }),
            Encoder::Ndjson(file) => json_rows(batch)?.iter().try_for_each(|row| {
                json(file, row)?;
                put(file, b"\n")
            }),
            Encoder::Parquet(rows, path) => rows.write(batch).map_err(|e| cannot_write(path, e)),
        }
    }

    /// Bytes written so far.
    pub fn bytes(&self) -> u64 {
        match self {
            Encoder::Csv(file) | Encoder::Json(file, _) | Encoder::Ndjson(file) => file.bytes(),
            Encoder::Parquet(rows, _) => rows.bytes(),
        }
    }

    /// Writes what comes after the rows.
    pub fn end(self) -> Outcome<NewFile> {
        match self {
            Encoder::Csv(file) | Encoder::Ndjson(file) => Ok(file),
            Encoder::Json(mut file, any) => {
                put(&mut file, if any { b"\n]\n" } else { b"]\n" })?;
                Ok(file)
            }
            Encoder::Parquet(rows, path) => rows.end().map_err(|e| cannot_write(&path, e)),
        }
    }
}

fn put(file: &mut NewFile, bytes: &[u8]) -> Outcome<()> {
    file.write_all(bytes).map_err(|e| cannot_write(file.path(), e))
}

fn json(file: &mut NewFile, row: &serde_json::Map<String, serde_json::Value>) -> Outcome<()> {
    serde_json::to_writer(&mut *file, row).map_err(|e| cannot_write(file.path(), std::io::Error::from(e)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Int64Array, StringArray};
    use arrow::datatypes::{DataType, Field, Schema};

    use super::*;

    fn batch() -> RecordBatch {
        let schema = Schema::new(vec![
            Field::new("n", DataType::Int64, true),
            Field::new("a, b", DataType::Utf8, true),
        ]);
        let n = Int64Array::from(vec![Some(1), None, Some(3)]);
        let s = StringArray::from(vec![Some(""), None, Some("x\"\n")]);
        RecordBatch::try_new(Arc::new(schema), vec![Arc::new(n), Arc::new(s)]).unwrap()
    }

    fn written(form: Form, batches: usize) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut encoder =
            Encoder::new(NewFile::create(&path, false).unwrap(), form, &batch().schema()).unwrap();
        (0..batches).for_each(|_| encoder.write(&batch()).unwrap());
        encoder.end().unwrap().keep().unwrap();
        std::fs::read(path).unwrap()
    }

    #[test]
    fn csv_tells_null_from_the_empty_text() {
        let text = String::from_utf8(written(Form::Csv, 1)).unwrap();
        assert_eq!(text, "n,\"a, b\"\n1,\"\"\n,\n3,\"x\"\"\n\"\n");
    }

    #[test]
    fn json_is_one_value_and_ndjson_one_a_line() {
        let rows = |bytes: &[u8]| serde_json::from_slice::<Vec<serde_json::Value>>(bytes).unwrap();
        assert_eq!(rows(&written(Form::Json, 2)).len(), 6);
        assert!(rows(&written(Form::Json, 0)).is_empty());
        let lines = String::from_utf8(written(Form::Ndjson, 1)).unwrap();
        let second: serde_json::Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
        assert_eq!(second, serde_json::json!({"n": null, "a, b": null}));
        assert_eq!(lines.lines().count(), 3);
    }

    #[test]
    fn parquet_holds_the_rows() {
        let bytes = bytes::Bytes::from(written(Form::Parquet, 2));
        let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap();
        assert_eq!(reader.metadata().file_metadata().num_rows(), 6);
    }
}
