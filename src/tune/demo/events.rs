//! `raw_events`: hive-style parquet folders without a log, so not a table.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};

use super::columns::{batch, times};
use super::data;
use super::random::Random;
use super::stats::date;
use super::{DAY, FIRST_DAY, Part, PartKind};
use crate::model::Outcome;

const DAYS: i64 = 14;
const FILES_A_DAY: i64 = 2;
const KINDS: &[&str] = &["view", "view", "view", "basket", "order", "return"];

pub fn write(folder: &Path, random: &mut Random) -> Outcome<Part> {
    let mut part =
        Part { name: "raw_events", kind: PartKind::Parquet, version: None, files: 0, bytes: 0, rows: 0 };
    for day in 0..DAYS {
        let time = FIRST_DAY + day * DAY;
        for number in 0..FILES_A_DAY {
            let path = format!("event_date={}/part-{number:05}.snappy.parquet", date((time / DAY) as i32));
            let first_id = (day * FILES_A_DAY + number) * 1000;
            let file = data::write(folder, &path, &rows(first_id, time, random)?, time)?;
            part.files += 1;
            part.bytes += file.size;
            part.rows += file.rows;
        }
    }
    Ok(part)
}

fn rows(first_id: i64, time: i64, random: &mut Random) -> Outcome<RecordBatch> {
    let count = random.between(120, 300);
    let kinds: StringArray = (0..count).map(|_| Some(*random.pick(KINDS))).collect();
    let customers: Int32Array = (0..count).map(|_| Some(random.between(11_000, 19_000) as i32)).collect();
    let amounts: Float64Array = (0..count)
        .map(|_| (random.below(4) > 0).then(|| random.between(100, 90_000) as f64 / 100.0))
        .collect();
    let ids: Int64Array = (0..count).map(|i| Some(first_id + i)).collect();
    batch([
        ("event_id", Arc::new(ids)),
        ("event_type", Arc::new(kinds)),
        ("customer_id", Arc::new(customers)),
        ("amount", Arc::new(amounts)),
        ("occurred_at", times((0..count).map(|_| time + random.between(0, 3_599) * 1000))),
    ])
}
