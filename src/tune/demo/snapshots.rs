//! `daily_snapshots`: the stock of each day in a partition of its own; some days were loaded twice.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Decimal128Array, Int32Array, RecordBatch};

use super::columns::{batch, price, times};
use super::data;
use super::log::{LogWriter, NewCommit, NewTable};
use super::product::Product;
use super::random::Random;
use super::stats::date;
use super::{DAY, FIRST_DAY, Part, part_name};
use crate::model::Outcome;

const DAYS: i64 = 45;
/// On each such day the load was repeated, so that its rows are there twice.
const REPEATED_EVERY: i64 = 9;

pub fn write(table: &Path, products: &[Product], random: &mut Random) -> Outcome<Part> {
    let mut log = LogWriter::new(
        table,
        NewTable {
            id: random.uuid(),
            name: "daily_snapshots",
            description: "Stock at the end of each day",
            columns: &[
                ("ProductID", "integer"),
                ("Quantity", "integer"),
                ("UnitCost", "decimal(10,2)"),
                ("LoadedAt", "timestamp"),
                ("snapshot_date", "date"),
            ],
            partition_columns: &["snapshot_date"],
            created: FIRST_DAY,
        },
    );
    let mut stock: Vec<i64> = products.iter().map(|_| random.between(20, 400)).collect();
    for day in 0..DAYS {
        let time = FIRST_DAY + day * DAY;
        let on_sale = (90 + day as usize).min(products.len());
        for quantity in &mut stock {
            *quantity = (*quantity + random.between(-15, 14)).max(0);
        }
        let rows = rows(&products[..on_sale], &stock, time)?;
        let snapshot = date((time / DAY) as i32);
        let loads = if day % REPEATED_EVERY == REPEATED_EVERY - 1 { 2 } else { 1 };
        for load in 0..loads {
            let time = time + load * 900_000;
            let path = format!("snapshot_date={snapshot}/{}", part_name(0, random));
            let mut file = data::write(table, &path, &rows, time)?;
            file.partition = Some(("snapshot_date", snapshot.clone()));
            log.commit(NewCommit::append(time, vec![file], "[\"snapshot_date\"]"))?;
        }
    }
    Ok(Part::table("daily_snapshots", &log))
}

fn rows(products: &[Product], stock: &[i64], time: i64) -> Outcome<RecordBatch> {
    let ids: ArrayRef = Arc::new(products.iter().map(|p| Some(p.id)).collect::<Int32Array>());
    let quantities: ArrayRef =
        Arc::new(stock.iter().take(products.len()).map(|q| Some(*q as i32)).collect::<Int32Array>());
    let costs: Decimal128Array = products.iter().map(|p| Some(i128::from(p.price * 6 / 10))).collect();
    batch([
        ("ProductID", ids),
        ("Quantity", quantities),
        ("UnitCost", price(costs, 10)?),
        ("LoadedAt", times(products.iter().map(|_| time))),
    ])
}
