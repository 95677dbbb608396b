//! The Z-order curve: each column's value becomes its rank among the values of a sample, the ranks'
//! bits are interleaved, and rows are sorted by the outcome. Ranks make columns of any type and any
//! distribution count alike.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, UInt64Array};
use arrow::compute::{cast, concat};
use arrow::datatypes::{DataType, Field, Float32Type, Float64Type, Int64Type, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use arrow::row::{RowConverter, SortField};

use super::unit::{Piece, Shared};
use crate::model::{Fault, FaultKind, Outcome};
use crate::tune::data::batches::{Batches, Reading};

/// Files looked at, places in each, rows at each place: enough for even ranks, little to read.
const FILES: usize = 48;
const PLACES: u64 = 6;
const ROWS: u64 = 1024;
/// Ranks of a column, in bits: 4,096 ranks tell files and row groups apart.
const BITS: u32 = 12;

/// How a row's place on the curve is found.
pub struct ZKey {
    schema: SchemaRef,
    columns: Vec<(usize, Ranks)>,
    bits: u32,
}

/// Upper ends of the ranks, ascending.
enum Ranks {
    Numbers(Vec<u64>),
    /// Of other types: values in the engine's comparable row format.
    Bytes(RowConverter, Vec<Box<[u8]>>),
}

impl ZKey {
    /// Learns the ranks from a sample of the rows.
    pub fn sample(shared: &Shared, pieces: &[Piece], columns: &[usize]) -> Outcome<ZKey> {
        let bits = BITS.min(64 / u32::try_from(columns.len()).unwrap_or(64).max(1)).max(1);
        let projected = shared.schema.project(columns).map_err(failed)?;
        let values = sampled(shared, pieces, &Arc::new(projected))?;
        let mut out = Vec::with_capacity(columns.len());
        for (at, values) in columns.iter().zip(values) {
            out.push((*at, Ranks::of(&values, bits)?));
        }
        let taken = |name: &str| shared.schema.fields().iter().any(|f| f.name() == name);
        let mut name = "zorder".to_owned();
        while taken(&name) {
            name.push('_');
        }
        let mut fields: Vec<Arc<Field>> = shared.schema.fields().iter().cloned().collect();
        fields.push(Arc::new(Field::new(name, DataType::UInt64, false)));
        Ok(ZKey { schema: Arc::new(Schema::new(fields)), columns: out, bits })
    }

    /// The rows' schema with the key behind.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// The batch with each row's key.
    pub fn append(&self, batch: &RecordBatch) -> Outcome<RecordBatch> {
        let mut keys = vec![0u64; batch.num_rows()];
        let mut ranks = Vec::with_capacity(self.columns.len());
        for (at, column) in &self.columns {
            ranks.push(column.ranks(batch.column(*at))?);
        }
        for (row, key) in keys.iter_mut().enumerate() {
            for bit in (0..self.bits).rev() {
                for column in &ranks {
                    *key = *key << 1 | u64::from(column[row] >> bit & 1);
                }
            }
        }
        let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
        columns.push(Arc::new(UInt64Array::from(keys)));
        RecordBatch::try_new(self.schema.clone(), columns).map_err(failed)
    }
}

/// Sampled values of each column of the schema.
fn sampled(shared: &Shared, pieces: &[Piece], schema: &SchemaRef) -> Outcome<Vec<ArrayRef>> {
    let step = pieces.len().div_ceil(FILES).max(1);
    let mut parts: Vec<RecordBatch> = vec![RecordBatch::new_empty(schema.clone())];
    for piece in pieces.iter().step_by(step) {
        let reading = Reading::new(&piece.source, schema, shared.mapping)?;
        let rows = piece.live.end - piece.live.start;
        let stride = (rows / PLACES).max(ROWS);
        let mut from = piece.live.start;
        while from < piece.live.end {
            let live = from..(from + ROWS).min(piece.live.end);
            let mut batches = Batches::open(&piece.source, &reading, live, &shared.handle, &shared.watch)?;
            while let Some(batch) = batches.next()? {
                parts.push(batch);
            }
            from += stride;
        }
    }
    let column = |at: usize| {
        let arrays: Vec<&dyn Array> = parts.iter().map(|b| b.column(at).as_ref()).collect();
        concat(&arrays).map_err(failed)
    };
    (0..schema.fields().len()).map(column).collect()
}

impl Ranks {
    fn of(sample: &ArrayRef, bits: u32) -> Outcome<Ranks> {
        if let Some(mut values) = numbers(sample) {
            values.sort_unstable();
            return Ok(Ranks::Numbers(quantiles(values, bits)));
        }
        let converter =
            RowConverter::new(vec![SortField::new(sample.data_type().clone())]).map_err(failed)?;
        let rows = converter.convert_columns(std::slice::from_ref(sample)).map_err(failed)?;
        let mut values: Vec<Box<[u8]>> = rows.iter().map(|row| row.as_ref().into()).collect();
        values.sort_unstable();
        Ok(Ranks::Bytes(converter, quantiles(values, bits)))
    }

    fn ranks(&self, array: &ArrayRef) -> Outcome<Vec<u32>> {
        match self {
            Ranks::Numbers(ends) => {
                let values = numbers(array).ok_or_else(|| failed("a column has changed its type"))?;
                Ok(values.iter().map(|v| ends.partition_point(|end| end < v) as u32).collect())
            }
            Ranks::Bytes(converter, ends) => {
                let rows = converter.convert_columns(std::slice::from_ref(array)).map_err(failed)?;
                let rank = |row: &[u8]| ends.partition_point(|end| end.as_ref() < row) as u32;
                Ok(rows.iter().map(|row| rank(row.as_ref())).collect())
            }
        }
    }
}

/// At most 2^bits - 1 values that divide the sample evenly; equal ones once.
fn quantiles<T: PartialEq + Clone>(sorted: Vec<T>, bits: u32) -> Vec<T> {
    let most = (1usize << bits) - 1;
    let mut ends: Vec<T> = if sorted.len() <= most {
        sorted
    } else {
        (1..=most).map(|i| sorted[i * sorted.len() / (most + 1)].clone()).collect()
    };
    ends.dedup();
    ends
}

/// Numbers and times as integers of the same order, null lowest; none for other types.
fn numbers(array: &ArrayRef) -> Option<Vec<u64>> {
    /// Moves signed integers into the order of unsigned ones; null takes the lowest place.
    fn up(value: i64) -> u64 {
        ((value as u64) ^ (1 << 63)).max(1)
    }
    /// The total order of IEEE 754.
    fn float(value: f64) -> i64 {
        let bits = value.to_bits() as i64;
        bits ^ (((bits >> 63) as u64) >> 1) as i64
    }
    match array.data_type() {
        DataType::Float64 => {
            let values = array.as_primitive::<Float64Type>().iter();
            Some(values.map(|v| v.map_or(0, |v| up(float(v)))).collect())
        }
        DataType::Float32 => {
            let values = array.as_primitive::<Float32Type>().iter();
            Some(values.map(|v| v.map_or(0, |v| up(float(f64::from(v))))).collect())
        }
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Date32
        | DataType::Timestamp(..) => {
            let whole = match array.data_type() {
                DataType::Date32 => cast(&cast(array, &DataType::Int32).ok()?, &DataType::Int64).ok()?,
                _ => cast(array, &DataType::Int64).ok()?,
            };
            let values = whole.as_primitive::<Int64Type>().iter();
            Some(values.map(|v| v.map_or(0, up)).collect())
        }
        _ => None,
    }
}

fn failed(why: impl std::fmt::Display) -> Fault {
    Fault::new(FaultKind::Change, "sort-failed", "The rows could not be ordered")
        .because(why)
        .hint("Nothing was committed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Float64Array, Int64Array};

    #[test]
    fn numbers_keep_their_order() {
        let ints: ArrayRef =
            Arc::new(Int64Array::from(vec![None, Some(i64::MIN), Some(-1), Some(0), Some(7)]));
        let floats: ArrayRef = Arc::new(Float64Array::from(vec![
            None,
            Some(f64::NEG_INFINITY),
            Some(-1.5),
            Some(0.0),
            Some(2.0),
        ]));
        for array in [ints, floats] {
            let keys = numbers(&array).unwrap();
            assert!(keys.is_sorted() && keys[0] == 0, "{keys:?}");
        }
    }

    #[test]
    fn ranks_are_even() {
        let ends = quantiles((0..100_000u64).collect(), 4);
        assert_eq!(ends.len(), 15);
        let sizes: Vec<u64> = ends.windows(2).map(|w| w[1] - w[0]).collect();
        assert!(sizes.iter().all(|s| s.abs_diff(6250) <= 1), "{sizes:?}");
        assert_eq!(quantiles(vec![1, 1, 2], 4), [1, 2]);
    }
}
