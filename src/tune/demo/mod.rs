//! The demo lakehouse: a fragmented sales table, a product table, daily snapshots and a plain
//! parquet folder. The same bytes on every machine: a fixed seed, fixed times, no clock.

mod checkpoint;
mod columns;
mod data;
mod events;
mod folder;
mod log;
mod product;
mod random;
mod sales;
mod snapshots;
mod stats;

use std::path::Path;

use serde::Serialize;
use serde_json::json;

pub use folder::MARKER;

use crate::model::Outcome;
use crate::model::units::Millis;
use data::DataFile;
use log::{LogWriter, NewCommit};
use random::Random;

const SEED: u64 = 0x00de_1707;
const DAY: Millis = 86_400_000;
/// 1 April 2026, 20:00 UTC.
const FIRST_DAY: Millis = 1_775_073_600_000;
const PARTS: [&str; 4] = ["sales", "product", "daily_snapshots", "raw_events"];

/// A folder of the demo; the figures are those of the newest version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    pub name: &'static str,
    pub kind: PartKind,
    /// None for plain parquet.
    pub version: Option<u64>,
    #[serde(rename = "numFiles")]
    pub files: u64,
    #[serde(rename = "sizeInBytes")]
    pub bytes: u64,
    #[serde(rename = "numRecords")]
    pub rows: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PartKind {
    Table,
    Parquet,
}

impl Part {
    fn table(name: &'static str, log: &LogWriter) -> Self {
        Part {
            name,
            kind: PartKind::Table,
            version: Some(log.version()),
            files: log.active.len() as u64,
            bytes: log.active.iter().map(|f| f.size).sum(),
            rows: log.active.iter().map(|f| f.rows).sum(),
        }
    }
}

/// Writes the demo to `dir`: a folder that is new, empty, or an earlier demo, which it replaces.
/// Refuses any other; nothing but the demo's own four folders and its marker is touched.
pub fn make(dir: &Path) -> Outcome<Vec<Part>> {
    folder::prepare(dir, &PARTS)?;
    let mut random = Random::new(SEED);
    let mut products = product::catalogue(&mut random);
    let [sales, product, snapshots, events] = PARTS.map(|name| dir.join(name));
    Ok(vec![
        sales::write(&sales, &products, &mut random)?,
        snapshots::write(&snapshots, &products, &mut random)?,
        product::write(&product, &mut products, &mut random)?,
        events::write(&events, &mut random)?,
    ])
}

/// A data file's name as Spark forms it.
fn part_name(number: usize, random: &mut Random) -> String {
    format!("part-{number:05}-{}-c000.snappy.parquet", random.uuid())
}

impl<'a> NewCommit<'a> {
    /// An append of new files; `partition_by` is a JSON array as text, as Spark writes it.
    fn append(time: Millis, added: Vec<DataFile>, partition_by: &str) -> NewCommit<'a> {
        let rows: u64 = added.iter().map(|f| f.rows).sum();
        let bytes: u64 = added.iter().map(|f| f.size).sum();
        NewCommit {
            time,
            operation: "WRITE",
            parameters: json!({"mode": "Append", "partitionBy": partition_by}),
            metrics: json!({
                "numFiles": added.len().to_string(),
                "numOutputRows": rows.to_string(),
                "numOutputBytes": bytes.to_string(),
            }),
            added,
            removed: &[],
            data_change: true,
        }
    }
}
