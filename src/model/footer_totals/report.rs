//! The summary as JSON gives it.

use serde::Serialize;

use super::{Bin, CodecSum, ColumnSum, Drift, FooterTotals, Problem, Spread};

/// How the files were chosen where not all were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    pub num_files: u64,
    pub of_files: u64,
    pub of_bytes: u64,
    /// In words.
    pub method: &'static str,
}

/// The figures of all footers in one value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Null if every file was looked at; otherwise all figures are those of the sample.
    pub sample: Option<Sample>,
    pub num_files: u64,
    pub size_in_bytes: u64,
    /// Rows in the files, deleted ones included.
    pub num_rows: u64,
    pub num_row_groups: u64,
    pub v_order_files: u64,
    pub missing_files: u64,
    pub unreadable_files: u64,
    pub writers: Vec<Writer>,
    pub codecs: Vec<Codec>,
    pub row_group_rows: SpreadReport,
    pub row_group_bytes: SpreadReport,
    pub columns: Vec<ColumnReport>,
    pub num_schemas: u64,
    pub drift: Vec<Drift>,
    /// The first hundred files without a footer.
    pub problems: Vec<ProblemReport>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Writer {
    pub created_by: Option<String>,
    pub num_files: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Codec {
    pub codec: &'static str,
    #[serde(flatten)]
    pub sum: CodecSum,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpreadReport {
    pub min: Option<u64>,
    pub average: Option<u64>,
    pub max: Option<u64>,
    pub bins: Vec<Bin>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnReport {
    pub path: String,
    /// One, unless the files differ.
    pub types: Vec<String>,
    pub num_files: u64,
    pub chunks: u64,
    pub compressed_size: u64,
    pub uncompressed_size: u64,
    /// Uncompressed over compressed.
    pub ratio: Option<f64>,
    pub codecs: Vec<&'static str>,
    pub encodings: Vec<&'static str>,
    /// Null if a chunk lacks the figure.
    pub null_count: Option<u64>,
    pub chunks_with_min_max: u64,
    pub chunks_with_page_index: u64,
    pub chunks_with_bloom_filter: u64,
    pub chunks_with_dictionary: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemReport {
    pub path: String,
    #[serde(flatten)]
    pub problem: Problem,
}

impl FooterTotals {
    pub fn report(&self, sample: Option<Sample>) -> Report {
        let writer =
            |(name, files): (&Option<String>, &u64)| Writer { created_by: name.clone(), num_files: *files };
        let problem = |(path, problem): (&String, &Problem)| ProblemReport {
            path: path.clone(),
            problem: problem.clone(),
        };
        Report {
            sample,
            num_files: self.files,
            size_in_bytes: self.bytes,
            num_rows: self.rows,
            num_row_groups: self.row_groups,
            v_order_files: self.v_order_files,
            missing_files: self.missing(),
            unreadable_files: self.unreadable(),
            writers: self.writers.iter().map(writer).collect(),
            codecs: self.codecs.iter().map(|(codec, sum)| Codec { codec, sum: *sum }).collect(),
            row_group_rows: (&self.row_group_rows).into(),
            row_group_bytes: (&self.row_group_bytes).into(),
            columns: self.column_reports(),
            num_schemas: self.schemas.len() as u64,
            drift: self.drift(),
            problems: self.failures.problems.iter().map(problem).collect(),
        }
    }

    /// Every column that a schema names, also those without chunks; largest first.
    pub fn column_reports(&self) -> Vec<ColumnReport> {
        let mut uses = std::collections::BTreeMap::<&str, (u64, Vec<String>)>::new();
        for (schema, used) in &self.schemas {
            for leaf in schema.iter() {
                let (files, types) = uses.entry(&leaf.path).or_default();
                *files += used.files;
                let text = leaf.type_text();
                if !types.contains(&text) {
                    types.push(text);
                }
            }
        }
        let none = ColumnSum::default();
        let report = |(path, (files, types)): (&str, (u64, Vec<String>))| {
            ColumnReport::new(path, types, files, self.columns.get(path).unwrap_or(&none))
        };
        let mut columns: Vec<ColumnReport> = uses.into_iter().map(report).collect();
        columns.sort_by_key(|c| std::cmp::Reverse(c.compressed_size));
        columns
    }
}

impl ColumnReport {
    fn new(path: &str, types: Vec<String>, num_files: u64, sum: &ColumnSum) -> Self {
        ColumnReport {
            path: path.to_owned(),
            types,
            num_files,
            chunks: sum.chunks,
            compressed_size: sum.compressed,
            uncompressed_size: sum.uncompressed,
            ratio: sum.ratio(),
            codecs: sum.codecs.iter().copied().collect(),
            encodings: sum.encodings.iter().copied().collect(),
            null_count: sum.nulls(),
            chunks_with_min_max: sum.with_bounds,
            chunks_with_page_index: sum.with_page_index,
            chunks_with_bloom_filter: sum.with_bloom_filter,
            chunks_with_dictionary: sum.with_dictionary,
        }
    }
}

impl From<&Spread> for SpreadReport {
    fn from(spread: &Spread) -> Self {
        let any = spread.count > 0;
        SpreadReport {
            min: any.then_some(spread.min),
            average: spread.average(),
            max: any.then_some(spread.max),
            bins: spread.bins(),
        }
    }
}
