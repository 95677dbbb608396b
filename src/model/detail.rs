//! `DESCRIBE DETAIL` and more: the figures of a table in one value, for the Overview and for JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::features;
use super::files::FileList;
use super::gate;
use super::rollup::{Measures, median};
use super::table::{Table, Tombstones};
use super::units::iso_time;

/// The command-line contract's `detail` object; key order is that of the contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    pub format: String,
    pub id: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub location: String,
    pub version: u64,
    pub created_at: Option<String>,
    pub last_modified: Option<String>,
    pub partition_columns: Vec<String>,
    pub clustering_columns: Vec<String>,
    pub num_files: u64,
    pub size_in_bytes: u64,
    pub properties: BTreeMap<String, String>,
    pub min_reader_version: u32,
    pub min_writer_version: u32,
    pub table_features: Vec<String>,
    /// Live rows; null when a file lacks the figure.
    pub num_records: Option<u64>,
    pub num_deletion_vectors: u64,
    pub num_deleted_rows: u64,
    pub avg_file_size_in_bytes: Option<u64>,
    pub min_file_size_in_bytes: Option<u64>,
    #[serde(serialize_with = "whole_if_whole")]
    pub median_file_size_in_bytes: Option<f64>,
    pub max_file_size_in_bytes: Option<u64>,
    /// Combinations of partition values among active files; 0 for a table without partition columns.
    pub num_partitions: u64,
    pub tombstones: TombstoneFigures,
    pub log: LogFigures,
    pub features: BTreeMap<String, Support>,
    /// A to F once the advice has judged the table.
    pub grade: Option<String>,
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TombstoneFigures {
    pub num_files: u64,
    pub size_in_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogFigures {
    pub num_commits: u64,
    pub last_checkpoint_version: Option<u64>,
    pub commits_since_checkpoint: u64,
    pub size_in_bytes: u64,
}

/// What can be done here with a table that has a feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Support {
    /// Log, layout and footers are shown.
    pub read: bool,
    /// SQL queries return its rows.
    pub sql: bool,
    /// Its rows can be rewritten in other files; the other changes: [`gate`].
    pub write: bool,
}

impl Detail {
    /// `list` must hold all active files, with their records.
    pub fn new(table: &Table, list: &FileList, tombstones: Tombstones, more_warnings: &[String]) -> Self {
        let sum = Measures::of(list);
        let any = sum.files > 0;
        let metadata = &table.metadata;
        let table_features = table.protocol.features();
        let support = |name: &String| {
            let write = gate::refusal(gate::Action::Rewrite, name, table).is_none();
            (name.clone(), Support { read: true, sql: features::support(name).sql, write })
        };
        Detail {
            format: "delta".into(),
            id: metadata.id.clone(),
            name: metadata.name.clone(),
            description: metadata.description.clone(),
            location: table.location.clone(),
            version: table.version,
            created_at: metadata.created.and_then(iso_time),
            last_modified: table.modified.and_then(iso_time),
            partition_columns: metadata.partition_columns.clone(),
            clustering_columns: table.clustering_columns(),
            num_files: sum.files,
            size_in_bytes: sum.bytes,
            properties: metadata.configuration.clone(),
            min_reader_version: table.protocol.min_reader,
            min_writer_version: table.protocol.min_writer,
            features: table_features.iter().map(support).collect(),
            table_features,
            num_records: sum.rows(),
            num_deletion_vectors: sum.vectors,
            num_deleted_rows: sum.deleted_rows,
            avg_file_size_in_bytes: sum.average(),
            min_file_size_in_bytes: any.then_some(sum.min),
            median_file_size_in_bytes: median(list.sizes().collect()),
            max_file_size_in_bytes: any.then_some(sum.max),
            num_partitions: num_partitions(list),
            tombstones: TombstoneFigures { num_files: tombstones.files, size_in_bytes: tombstones.bytes },
            log: LogFigures {
                num_commits: table.log.commits,
                last_checkpoint_version: table.log.last_checkpoint,
                commits_since_checkpoint: table.log.commits_since_checkpoint(table.version),
                size_in_bytes: table.log.bytes,
            },
            grade: None,
            warnings: table.warnings.iter().chain(more_warnings).cloned().collect(),
        }
    }
}

/// Combinations of partition values that active files have; 0 without partition columns.
pub fn num_partitions(list: &FileList) -> u64 {
    if list.partitions.columns().is_empty() {
        return 0;
    }
    let mut used = vec![false; list.partitions.len()];
    for chunk in list.chunks() {
        for id in chunk.partitions() {
            if let Some(flag) = used.get_mut(*id as usize) {
                *flag = true;
            }
        }
    }
    used.into_iter().filter(|u| *u).count() as u64
}

fn whole_if_whole<S: serde::Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    match value {
        None => to.serialize_none(),
        Some(v) if v.fract() == 0.0 => to.serialize_u64(*v as u64),
        Some(v) => to.serialize_f64(*v),
    }
}
