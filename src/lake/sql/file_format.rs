//! Files that a statement names by their path, with Spark's options: ``csv.`path` WITH (sep = ';')``.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;

use crate::model::{Fault, Outcome};

/// Stands between a path and its options, and between those.
pub(super) const BETWEEN: &str = " | ";

/// What the word before the path says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Delta,
    Parquet,
    Csv,
    Json,
}

impl FileKind {
    pub(super) fn parse(word: &str) -> Option<FileKind> {
        Some(match word.to_ascii_lowercase().as_str() {
            "delta" => FileKind::Delta,
            "parquet" => FileKind::Parquet,
            "csv" => FileKind::Csv,
            "json" => FileKind::Json,
            _ => return None,
        })
    }

    /// How such files end.
    pub(super) fn extension(self) -> &'static str {
        match self {
            FileKind::Delta | FileKind::Parquet => ".parquet",
            FileKind::Csv => ".csv",
            FileKind::Json => ".json",
        }
    }
}

/// How to read text files. Unlike Spark's, the defaults take the first line as the header and find
/// the types out: whoever looks at a file wants both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileOptions {
    header: bool,
    infer: bool,
    separator: u8,
    quote: u8,
    escape: Option<u8>,
    comment: Option<u8>,
    /// A value can hold line breaks (CSV); the file is one array (JSON).
    multi_line: bool,
}

impl Default for FileOptions {
    fn default() -> Self {
        FileOptions {
            header: true,
            infer: true,
            separator: b',',
            quote: b'"',
            escape: None,
            comment: None,
            multi_line: false,
        }
    }
}

/// Splits a table's name into path and options.
///
/// # Errors
/// `unsupported-sql` for an option or a value that is not known.
pub(super) fn split(name: &str) -> Outcome<(&str, FileOptions)> {
    let mut parts = name.split(BETWEEN);
    let path = parts.next().unwrap_or(name);
    let mut options = FileOptions::default();
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        options.set(key, value).ok_or_else(|| {
            Fault::usage("unsupported-sql", format!("The option {key} = '{value}' is not supported")).hint(
                "header, inferSchema, multiLine (true or false); sep, quote, escape, comment (one character)",
            )
        })?;
    }
    Ok((path, options))
}

impl FileOptions {
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let flag = || value.to_ascii_lowercase().parse::<bool>().ok();
        let character = || match value {
            "\\t" => Some(b'\t'),
            _ => value.as_bytes().first().copied().filter(|b| value.len() == 1 && b.is_ascii()),
        };
        match key.to_ascii_lowercase().as_str() {
            "header" => self.header = flag()?,
            "inferschema" => self.infer = flag()?,
            "multiline" => self.multi_line = flag()?,
            "sep" | "delimiter" => self.separator = character()?,
            "quote" => self.quote = character()?,
            "escape" => self.escape = Some(character()?),
            "comment" => self.comment = Some(character()?),
            _ => return None,
        }
        Some(())
    }

    /// The engine's reader.
    pub(super) fn format(&self, kind: FileKind) -> Arc<dyn FileFormat> {
        match kind {
            FileKind::Delta | FileKind::Parquet => Arc::new(ParquetFormat::default()),
            FileKind::Json => Arc::new(JsonFormat::default().with_newline_delimited(!self.multi_line)),
            FileKind::Csv => {
                let format = CsvFormat::default()
                    .with_has_header(self.header)
                    .with_delimiter(self.separator)
                    .with_quote(self.quote)
                    .with_escape(self.escape)
                    .with_comment(self.comment)
                    .with_newlines_in_values(self.multi_line);
                Arc::new(format)
            }
        }
    }

    /// The schema that was found, under Spark's names where the file has none, and of strings where
    /// types are not to be found out.
    pub(super) fn adjusted(&self, kind: FileKind, found: SchemaRef) -> SchemaRef {
        if kind != FileKind::Csv || (self.header && self.infer) {
            return found;
        }
        let field = |(at, field): (usize, &Arc<Field>)| {
            let name = if self.header { field.name().clone() } else { format!("_c{at}") };
            let data_type = if self.infer { field.data_type().clone() } else { DataType::Utf8 };
            Field::new(name, data_type, true)
        };
        Arc::new(Schema::new(found.fields().iter().enumerate().map(field).collect::<Vec<_>>()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_or_refused() {
        let (path, options) = split("/a b/x.csv | header=false | sep=;").unwrap();
        assert_eq!(path, "/a b/x.csv");
        let want = FileOptions { header: false, separator: b';', ..FileOptions::default() };
        assert_eq!(options, want);
        assert_eq!(split("x | sep=\\t").unwrap().1.separator, b'\t');
        for wrong in ["x | sep=ab", "x | colour=red", "x | header=maybe", "x | header", "x | nullValue=NA"] {
            assert_eq!(split(wrong).unwrap_err().code, "unsupported-sql", "{wrong}");
        }
    }
}
