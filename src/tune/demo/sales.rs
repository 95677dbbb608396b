//! `sales`: hundreds of small files over sixty days of appends, with deletes, an update and one
//! small compaction in between. This is the table whose layout is bad.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Decimal128Array, Int16Array, Int32Array, RecordBatch, StringArray};
use serde_json::{Value, json};

use super::columns::{batch, price, times};
use super::data::{self, DataFile};
use super::log::{LogWriter, NewCommit, NewTable};
use super::product::Product;
use super::random::Random;
use super::{DAY, FIRST_DAY, Part, part_name};
use crate::model::Outcome;
use crate::model::units::Millis;

/// Versions 0 to 59, a day each.
const VERSIONS: i64 = 60;
const DELETES: &[i64] = &[14, 28, 52];
const UPDATE: i64 = 36;
const COMPACTION: i64 = 30;
const CHECKPOINT: i64 = 50;

/// A line of an order; money in cents, discount in percent.
#[derive(Debug, Clone)]
struct Line {
    order: i32,
    detail: i32,
    carrier: Option<u64>,
    quantity: i16,
    product: i32,
    unit_price: i64,
    discount: i64,
    modified: Millis,
}

impl Line {
    fn total(&self) -> i64 {
        (i64::from(self.quantity) * self.unit_price * (100 - self.discount) + 50) / 100
    }

    fn carrier(&self) -> Option<String> {
        self.carrier.map(|c| format!("{:04X}-{:04X}-{:02X}", c & 0xffff, c >> 16 & 0xffff, c >> 32 & 0xff))
    }
}

struct Writer<'a> {
    log: LogWriter,
    lines: HashMap<String, Vec<Line>>,
    products: &'a [Product],
    random: &'a mut Random,
    next_order: i32,
    next_detail: i32,
}

pub fn write(table: &Path, products: &[Product], random: &mut Random) -> Outcome<Part> {
    let log = LogWriter::new(
        table,
        NewTable {
            id: random.uuid(),
            name: "sales",
            description: "Order lines, appended every evening in small batches",
            columns: &[
                ("SalesOrderID", "integer"),
                ("SalesOrderDetailID", "integer"),
                ("CarrierTrackingNumber", "string"),
                ("OrderQty", "short"),
                ("ProductID", "integer"),
                ("UnitPrice", "decimal(10,2)"),
                ("UnitPriceDiscount", "decimal(4,2)"),
                ("LineTotal", "decimal(12,2)"),
                ("ModifiedDate", "timestamp"),
            ],
            partition_columns: &[],
            created: FIRST_DAY,
        },
    );
    let lines = HashMap::new();
    let mut writer = Writer { log, lines, products, random, next_order: 43_659, next_detail: 1 };
    for day in 0..VERSIONS {
        let time = FIRST_DAY + day * DAY + writer.random.between(0, 900) * 1000;
        match day {
            COMPACTION => writer.compact(24, time)?,
            UPDATE => writer.update(time)?,
            _ if DELETES.contains(&day) => writer.delete(time)?,
            _ => writer.append(time, day % 14 == 13)?,
        }
        if day == CHECKPOINT {
            writer.log.checkpoint(time)?;
        }
    }
    Ok(Part::table("sales", &writer.log))
}

impl Writer<'_> {
    /// A day's batches; at the end of each second week one load is larger.
    fn append(&mut self, time: Millis, large: bool) -> Outcome<()> {
        let batches = self.random.between(6, 10);
        let mut added = Vec::new();
        for number in 0..batches {
            let spread = 1 << self.random.below(6);
            let rows = if large && number == 0 { 6_000 } else { self.random.between(10, 30) * spread };
            let lines = self.orders(rows, time);
            added.push(self.store(number, lines, time)?);
        }
        self.log.commit(NewCommit::append(time, added, "[]"))
    }

    fn orders(&mut self, rows: i64, time: Millis) -> Vec<Line> {
        let mut out = Vec::with_capacity(rows as usize);
        let mut left_of_order = 0;
        let mut carrier = None;
        for _ in 0..rows {
            if left_of_order == 0 {
                left_of_order = self.random.between(1, 8);
                self.next_order += 1;
                carrier = (self.random.below(3) > 0).then(|| self.random.next());
            }
            left_of_order -= 1;
            let product = self.random.pick(self.products);
            let quantity = self.random.between(1, 12) as i16;
            out.push(Line {
                order: self.next_order,
                detail: self.next_detail,
                carrier,
                quantity,
                product: product.id,
                unit_price: product.price,
                discount: if quantity > 10 { 5 } else { 0 },
                modified: time / 1000 * 1000 - self.random.between(0, 50_000) * 1000,
            });
            self.next_detail += 1;
        }
        out
    }

    fn store(&mut self, number: i64, lines: Vec<Line>, time: Millis) -> Outcome<DataFile> {
        let name = part_name(number as usize, self.random);
        let file = data::write(self.log.table(), &name, &rows(&lines)?, time)?;
        self.lines.insert(name, lines);
        Ok(file)
    }

    /// Copy on write: the files that hold a product's cheap lines are written again without them.
    fn delete(&mut self, time: Millis) -> Outcome<()> {
        let product = self.random.pick(self.products).id;
        let predicate = format!("(ProductID = {product} AND OrderQty = 1)");
        let (mut removed, mut added, mut deleted, mut copied) = (Vec::new(), Vec::new(), 0, 0);
        for path in self.paths(usize::MAX) {
            let lines = self.lines.get(&path).cloned().unwrap_or_default();
            let before = lines.len();
            let kept: Vec<Line> =
                lines.into_iter().filter(|l| l.product != product || l.quantity != 1).collect();
            if kept.len() == before {
                continue;
            }
            deleted += before - kept.len();
            copied += kept.len();
            removed.push(path);
            if !kept.is_empty() {
                added.push(self.store(added.len() as i64, kept, time)?);
            }
        }
        let metrics = json!({
            "numRemovedFiles": removed.len().to_string(),
            "numAddedFiles": added.len().to_string(),
            "numDeletedRows": deleted.to_string(),
            "numCopiedRows": copied.to_string(),
        });
        let parameters = json!({ "predicate": predicate });
        self.replace(time, "DELETE", (parameters, metrics), added, &removed, true)
    }

    /// One late shipment gets its tracking number.
    fn update(&mut self, time: Millis) -> Outcome<()> {
        let number = self.random.next();
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let (mut updated, mut copied) = (0, 0);
        let (mut order, mut predicate) = (None, String::new());
        for path in self.paths(6) {
            let mut lines = self.lines.get(&path).cloned().unwrap_or_default();
            if order.is_none() {
                order = lines.iter().find(|l| l.carrier.is_none()).map(|l| l.order);
                predicate = format!("(SalesOrderID = {})", order.unwrap_or_default());
            }
            let touched = lines.iter_mut().filter(|l| Some(l.order) == order);
            let count = touched.map(|l| l.carrier = Some(number)).count();
            if count > 0 {
                updated += count;
                copied += lines.len() - count;
                removed.push(path);
                added.push(self.store(added.len() as i64, lines, time)?);
            }
        }
        let metrics = json!({
            "numRemovedFiles": removed.len().to_string(),
            "numAddedFiles": added.len().to_string(),
            "numUpdatedRows": updated.to_string(),
            "numCopiedRows": copied.to_string(),
        });
        self.replace(time, "UPDATE", (json!({ "predicate": predicate }), metrics), added, &removed, true)
    }

    /// The oldest files become one.
    fn compact(&mut self, files: usize, time: Millis) -> Outcome<()> {
        let removed = self.paths(files);
        let lines: Vec<Line> = removed.iter().filter_map(|p| self.lines.get(p)).flatten().cloned().collect();
        let added = vec![self.store(0, lines, time)?];
        let metrics = json!({"numRemovedFiles": removed.len().to_string(), "numAddedFiles": "1"});
        let parameters = json!({"predicate": "[]", "zOrderBy": "[]"});
        self.replace(time, "OPTIMIZE", (parameters, metrics), added, &removed, false)
    }

    fn paths(&self, files: usize) -> Vec<String> {
        self.log.active.iter().take(files).map(|f| f.path.clone()).collect()
    }

    fn replace(
        &mut self,
        time: Millis,
        operation: &'static str,
        (parameters, metrics): (Value, Value),
        added: Vec<DataFile>,
        removed: &[String],
        data_change: bool,
    ) -> Outcome<()> {
        self.log.commit(NewCommit { time, operation, parameters, metrics, added, removed, data_change })
    }
}

fn rows(lines: &[Line]) -> Outcome<RecordBatch> {
    let ints = |of: fn(&Line) -> i32| -> ArrayRef {
        Arc::new(lines.iter().map(|l| Some(of(l))).collect::<Int32Array>())
    };
    let money =
        |of: fn(&Line) -> i64| -> Decimal128Array { lines.iter().map(|l| Some(i128::from(of(l)))).collect() };
    let carriers: StringArray = lines.iter().map(Line::carrier).collect();
    let quantities: Int16Array = lines.iter().map(|l| Some(l.quantity)).collect();
    batch([
        ("SalesOrderID", ints(|l| l.order)),
        ("SalesOrderDetailID", ints(|l| l.detail)),
        ("CarrierTrackingNumber", Arc::new(carriers)),
        ("OrderQty", Arc::new(quantities)),
        ("ProductID", ints(|l| l.product)),
        ("UnitPrice", price(money(|l| l.unit_price), 10)?),
        ("UnitPriceDiscount", price(money(|l| l.discount), 4)?),
        ("LineTotal", price(money(Line::total), 12)?),
        ("ModifiedDate", times(lines.iter().map(|l| l.modified))),
    ])
}
