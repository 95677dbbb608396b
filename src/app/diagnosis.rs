//! What is wrong with a table and how its columns lie, as the panes show it.

use crate::advice::{Facts, Finding, Grade, advise};
use crate::model::candidates::{Candidate, candidates};
use crate::model::clustering::Clustering;
use crate::model::stats::{StatsColumn, partition_columns};
use crate::model::units;

/// The findings and the figures behind them, of one version.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    pub version: u64,
    /// The most severe first; none for a healthy table.
    pub findings: Vec<Finding>,
    pub grade: Grade,
    /// The columns that can have statistics, in the schema's order (none if no statistics were read),
    /// then the partition columns, whose values the log states for each file.
    pub columns: Vec<ColumnFigures>,
    /// Partition columns that the table could have.
    pub candidates: Vec<Candidate>,
    /// What was not looked at, in words: such findings may be missing.
    pub unknown: Vec<String>,
}

/// A column's statistics over all files.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnFigures {
    /// Logical name; nested fields dotted.
    pub column: String,
    /// Active files, and those about whose values the statistics tell something; of a type without an
    /// order, those whose nulls are counted.
    pub files: u64,
    pub stats_files: u64,
    /// None if a file lacks the figure.
    pub nulls: Option<u64>,
    /// Over the files with bounds; strings may be cut.
    pub min: Option<String>,
    pub max: Option<String>,
    pub clustering: Clustering,
}

impl Diagnosis {
    /// From what was gathered. Takes long for many files and columns: not for the screen's thread.
    pub fn of(facts: &Facts<'_>) -> Self {
        let findings = advise(facts);
        let columns = facts.stats.map(|s| s.columns.as_slice()).unwrap_or_default();
        let partitions = partition_columns(&facts.table.metadata, facts.files);
        let mut unknown = Vec::new();
        if facts.stats.is_none() {
            unknown.push("statistics".to_owned());
        }
        match facts.footers {
            None if facts.files.is_empty() => {}
            None => unknown.push("data files".to_owned()),
            Some(f) if f.is_sample() => {
                unknown.push(format!("data files beyond a sample of {}", units::count(f.looked_at())));
            }
            Some(_) => {}
        }
        if facts.unreferenced.is_none() {
            unknown.push("files not in the log".to_owned());
        }
        Diagnosis {
            version: facts.table.version,
            grade: Grade::of(&findings),
            columns: columns.iter().chain(&partitions).map(|c| ColumnFigures::of(c, facts)).collect(),
            candidates: columns
                .iter()
                .flat_map(|c| candidates(c, facts.files, &facts.limits.candidates))
                .collect(),
            findings,
            unknown,
        }
    }

    pub fn column(&self, name: &str) -> Option<&ColumnFigures> {
        self.columns.iter().find(|c| c.column == name)
    }
}

impl ColumnFigures {
    fn of(column: &StatsColumn, facts: &Facts<'_>) -> Self {
        let known = facts.clustering.unwrap_or_default().iter().find(|c| c.column == column.name);
        // Files whose bounds are unknown may lie outside.
        let range = column.range().filter(|_| column.unknown_files() == 0);
        let show = |value| column.kind.show(value);
        ColumnFigures {
            column: column.name.clone(),
            files: facts.sum.files,
            stats_files: match column.kind.is_ordered() {
                true => (column.len() as u64).saturating_sub(column.unknown_files()),
                false => column.files_with_nulls_known(),
            },
            nulls: column.null_count(),
            min: range.as_ref().map(|(min, _)| show(min)),
            max: range.as_ref().map(|(_, max)| show(max)),
            clustering: known.map_or_else(|| Clustering::of(column), |c| c.clustering.clone()),
        }
    }
}
