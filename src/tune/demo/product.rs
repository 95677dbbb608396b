//! `product`: a small dimension table, written, appended to and updated.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Decimal128Array, Int32Array, RecordBatch, StringArray};
use serde_json::json;

use super::columns::{batch, price};
use super::data;
use super::log::{LogWriter, NewCommit, NewTable};
use super::random::Random;
use super::{DAY, FIRST_DAY, Part, part_name};
use crate::model::Outcome;

const GOODS: &[(&str, &str, i64, i64)] = &[
    ("Road Frame", "Components", 33_700, 143_100),
    ("Mountain Frame", "Components", 24_800, 136_400),
    ("Touring Bike", "Bikes", 74_200, 238_400),
    ("City Bike", "Bikes", 54_000, 159_900),
    ("Helmet", "Accessories", 3_400, 9_900),
    ("Jersey", "Clothing", 4_900, 5_400),
    ("Gloves", "Clothing", 2_400, 3_800),
    ("Chain", "Components", 2_000, 4_500),
    ("Pump", "Accessories", 1_900, 2_500),
    ("Saddle", "Components", 2_700, 5_200),
];
const COLOURS: &[Option<&str>] = &[Some("Black"), Some("Red"), Some("Silver"), Some("Blue"), None];

/// A product; prices in cents.
#[derive(Debug, Clone)]
pub struct Product {
    pub id: i32,
    name: String,
    category: &'static str,
    colour: Option<&'static str>,
    pub price: i64,
}

/// All products that are ever sold.
pub fn catalogue(random: &mut Random) -> Vec<Product> {
    (680..830)
        .map(|id| {
            let (kind, category, low, high) = *random.pick(GOODS);
            let colour = *random.pick(COLOURS);
            let size = random.between(38, 62);
            let name = match colour {
                Some(colour) => format!("{kind} {colour}, {size}"),
                None => format!("{kind}, {size}"),
            };
            Product { id, name, category, colour, price: random.between(low, high) }
        })
        .collect()
}

/// Three versions: the first products, later ones, and a new price for all helmets.
pub fn write(table: &Path, catalogue: &mut [Product], random: &mut Random) -> Outcome<Part> {
    let mut log = LogWriter::new(
        table,
        NewTable {
            id: random.uuid(),
            name: "product",
            description: "What the demo shop sells",
            columns: &[
                ("ProductID", "integer"),
                ("Name", "string"),
                ("Category", "string"),
                ("Color", "string"),
                ("ListPrice", "decimal(10,2)"),
            ],
            partition_columns: &[],
            created: FIRST_DAY,
        },
    );
    let (first, later) = catalogue.split_at_mut(120);
    append(&mut log, first, FIRST_DAY, random)?;
    append(&mut log, later, FIRST_DAY + 20 * DAY, random)?;

    let old = log.active[0].path.clone();
    let accessories = first.iter_mut().filter(|p| p.category == "Accessories");
    let updated = accessories.map(|p| p.price += p.price / 20).count();
    let time = FIRST_DAY + 41 * DAY;
    let file = data::write(table, &part_name(0, random), &rows(first)?, time)?;
    log.commit(NewCommit {
        time,
        operation: "UPDATE",
        parameters: json!({"predicate": "(Category = 'Accessories')"}),
        metrics: json!({
            "numRemovedFiles": "1",
            "numAddedFiles": "1",
            "numUpdatedRows": updated.to_string(),
            "numCopiedRows": (first.len() - updated).to_string(),
        }),
        added: vec![file],
        removed: &[old],
        data_change: true,
    })?;
    Ok(Part::table("product", &log))
}

fn append(log: &mut LogWriter, products: &[Product], time: i64, random: &mut Random) -> Outcome<()> {
    let file = data::write(log.table(), &part_name(0, random), &rows(products)?, time)?;
    log.commit(NewCommit::append(time, vec![file], "[]"))
}

fn rows(products: &[Product]) -> Outcome<RecordBatch> {
    let ids: Int32Array = products.iter().map(|p| Some(p.id)).collect();
    let names: StringArray = products.iter().map(|p| Some(p.name.as_str())).collect();
    let categories: StringArray = products.iter().map(|p| Some(p.category)).collect();
    let colours: StringArray = products.iter().map(|p| p.colour).collect();
    let prices: Decimal128Array = products.iter().map(|p| Some(i128::from(p.price))).collect();
    let columns: [(&str, ArrayRef); 5] = [
        ("ProductID", Arc::new(ids)),
        ("Name", Arc::new(names)),
        ("Category", Arc::new(categories)),
        ("Color", Arc::new(colours)),
        ("ListPrice", price(prices, 10)?),
    ];
    batch(columns)
}
