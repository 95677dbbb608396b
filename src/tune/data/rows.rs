//! A hash of each whole row, summed up: what was written is compared with what was read, row by
//! row but in any order (safety contract, point 4).
//!
//! Values are hashed by what they are, not by how an array holds them: text by its bytes whether
//! plain or a view, lists by their elements. 128 bits: that two different sets of rows have one
//! sum by chance is out of the question.

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, TimeUnit, TimestampMicrosecondType,
};

/// Rows and the wrapping sum of their hashes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowSum {
    pub rows: u64,
    pub sum: u128,
}

impl RowSum {
    pub fn add(&mut self, other: RowSum) {
        self.rows += other.rows;
        self.sum = self.sum.wrapping_add(other.sum);
    }
}

/// An odd number with its bits well mixed, for multiplication modulo 2^128.
const FACTOR: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;
const START: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
/// Stands for null; no value of 64 bits looks like it.
const NULL: u128 = 0xD1B5_4A32_D192_ED03_8CB9_2BA7_2F3D_8DD7;

fn mix(state: u128, word: u128) -> u128 {
    let product = (state ^ word).wrapping_mul(FACTOR);
    product ^ (product >> 67)
}

/// Sums up a batch's rows. The error names a type that cannot be hashed.
pub fn row_sum(batch: &RecordBatch) -> Result<RowSum, String> {
    let mut states = vec![START; batch.num_rows()];
    for column in batch.columns() {
        absorb(column, &mut states)?;
    }
    // A last round, so that the last column counts as much as the first.
    let sum = states.iter().fold(0u128, |sum, s| sum.wrapping_add(mix(*s, s >> 64)));
    Ok(RowSum { rows: batch.num_rows() as u64, sum })
}

/// Lets each row's state take in the row's value.
fn absorb(array: &ArrayRef, states: &mut [u128]) -> Result<(), String> {
    match array.data_type() {
        DataType::Int8 => numbers::<Int8Type>(array, states, |v| v as u64),
        DataType::Int16 => numbers::<Int16Type>(array, states, |v| v as u64),
        DataType::Int32 => numbers::<Int32Type>(array, states, |v| v as u64),
        DataType::Int64 => numbers::<Int64Type>(array, states, |v| v as u64),
        DataType::Float32 => numbers::<Float32Type>(array, states, |v| u64::from(v.to_bits())),
        DataType::Float64 => numbers::<Float64Type>(array, states, f64::to_bits),
        DataType::Date32 => numbers::<Date32Type>(array, states, |v| v as u64),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            numbers::<TimestampMicrosecondType>(array, states, |v| v as u64);
        }
        DataType::Decimal128(..) => {
            let values = array.as_primitive::<Decimal128Type>();
            each(array, states, |i| values.value(i) as u128);
        }
        DataType::Boolean => {
            let values = array.as_boolean();
            each(array, states, |i| u128::from(values.value(i)));
        }
        DataType::Utf8 => texts(array, states, |i| array.as_string::<i32>().value(i).as_bytes()),
        DataType::Binary => texts(array, states, |i| array.as_binary::<i32>().value(i)),
        DataType::Utf8View => {
            let values = array.as_string_view();
            texts(array, states, |i| values.value(i).as_bytes());
        }
        DataType::BinaryView => {
            let values = array.as_binary_view();
            texts(array, states, |i| values.value(i));
        }
        DataType::FixedSizeBinary(_) => texts(array, states, |i| array.as_fixed_size_binary().value(i)),
        DataType::Struct(_) => {
            let values = array.as_struct();
            let mut inner = vec![START; values.len()];
            for column in values.columns() {
                absorb(column, &mut inner)?;
            }
            // What stands below a null struct does not count.
            each(array, states, |i| inner[i]);
        }
        DataType::List(_) => {
            let values = array.as_list::<i32>();
            let (first, last) = ends(values.offsets());
            let elements = hashes(&values.values().slice(first, last - first))?;
            lists(array, values.offsets(), first, &elements, states);
        }
        DataType::Map(..) => {
            let values = array.as_map();
            let (first, last) = ends(values.offsets());
            let entries: ArrayRef = std::sync::Arc::new(values.entries().slice(first, last - first));
            let elements = hashes(&entries)?;
            lists(array, values.offsets(), first, &elements, states);
        }
        other => return Err(format!("rows with a column of type {other} cannot be verified")),
    }
    Ok(())
}

fn hashes(array: &ArrayRef) -> Result<Vec<u128>, String> {
    let mut states = vec![START; array.len()];
    absorb(array, &mut states)?;
    Ok(states)
}

fn ends(offsets: &[i32]) -> (usize, usize) {
    let at = |o: Option<&i32>| o.map_or(0, |o| *o as usize);
    (at(offsets.first()), at(offsets.last()))
}

/// `first` is the offset of the first of `elements`.
fn lists(array: &ArrayRef, offsets: &[i32], first: usize, elements: &[u128], states: &mut [u128]) {
    each(array, states, |i| {
        let range = offsets[i] as usize - first..offsets[i + 1] as usize - first;
        let length = range.len() as u128;
        elements[range].iter().fold(mix(START, length), |state, e| mix(state, *e))
    });
}

fn each(array: &ArrayRef, states: &mut [u128], word: impl Fn(usize) -> u128) {
    match array.nulls().filter(|n| n.null_count() > 0) {
        None => states.iter_mut().enumerate().for_each(|(i, s)| *s = mix(*s, word(i))),
        Some(nulls) => states
            .iter_mut()
            .enumerate()
            .for_each(|(i, s)| *s = mix(*s, if nulls.is_valid(i) { word(i) } else { NULL })),
    }
}

fn numbers<T: ArrowPrimitiveType>(array: &ArrayRef, states: &mut [u128], bits: impl Fn(T::Native) -> u64) {
    let values = array.as_primitive::<T>();
    match array.nulls().filter(|n| n.null_count() > 0) {
        None => {
            for (state, value) in states.iter_mut().zip(values.values()) {
                *state = mix(*state, u128::from(bits(*value)));
            }
        }
        Some(_) => each(array, states, |i| u128::from(bits(values.value(i)))),
    }
}

fn texts<'a>(array: &ArrayRef, states: &mut [u128], bytes: impl Fn(usize) -> &'a [u8]) {
    each(array, states, |i| hash_bytes(bytes(i)));
}

fn hash_bytes(bytes: &[u8]) -> u128 {
    let tail = |part: &[u8]| {
        let mut word = [0u8; 16];
        word[..part.len()].copy_from_slice(part);
        u128::from_le_bytes(word)
    };
    // Up to 12 bytes the text and its length fit one word.
    if bytes.len() <= 12 {
        return tail(bytes) | (bytes.len() as u128) << 96;
    }
    let state = mix(START, bytes.len() as u128);
    bytes.chunks(16).fold(state, |state, part| mix(state, tail(part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int64Array, ListArray, StringArray, StringViewArray, StructArray};
    use arrow::datatypes::Field;
    use std::sync::Arc;

    fn sum(columns: Vec<ArrayRef>) -> u128 {
        let columns = columns.into_iter().enumerate().map(|(i, c)| (format!("c{i}"), c, true));
        row_sum(&RecordBatch::try_from_iter_with_nullable(columns).unwrap()).unwrap().sum
    }

    fn numbers(values: &[Option<i64>]) -> ArrayRef {
        Arc::new(Int64Array::from(values.to_vec()))
    }

    fn texts(values: &[&str]) -> ArrayRef {
        Arc::new(StringArray::from(values.to_vec()))
    }

    #[test]
    fn the_order_of_rows_does_not_matter_and_everything_else_does() {
        let base = sum(vec![numbers(&[Some(1), Some(2)]), texts(&["a", "b"])]);
        assert_eq!(base, sum(vec![numbers(&[Some(2), Some(1)]), texts(&["b", "a"])]));
        for other in [
            sum(vec![numbers(&[Some(1), Some(2)]), texts(&["b", "a"])]),
            sum(vec![texts(&["a", "b"]), numbers(&[Some(1), Some(2)])]),
            sum(vec![numbers(&[Some(1), None]), texts(&["a", "b"])]),
            sum(vec![numbers(&[Some(1), Some(0)]), texts(&["a", "b"])]),
            sum(vec![numbers(&[Some(1), Some(2)]), texts(&["a", ""])]),
            sum(vec![numbers(&[Some(1), Some(2)]), texts(&["a", "b\0"])]),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn how_an_array_holds_its_values_does_not_matter() {
        let words = ["", "short", "exactly 12 b", "rather more than twelve bytes"];
        let view: ArrayRef = Arc::new(StringViewArray::from(words.to_vec()));
        assert_eq!(sum(vec![texts(&words)]), sum(vec![view]));
        let long = texts(&["skipped", "short", "exactly 12 b", "x"]).slice(1, 2);
        assert_eq!(sum(vec![texts(&words[1..3])]), sum(vec![long]));
    }

    #[test]
    fn lists_and_structs() {
        let list = |rows: Vec<Option<Vec<Option<i64>>>>| -> ArrayRef {
            Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(rows))
        };
        let whole = list(vec![Some(vec![Some(9)]), Some(vec![Some(1), None]), None, Some(vec![])]);
        let same = list(vec![Some(vec![Some(1), None]), None, Some(vec![])]);
        assert_eq!(sum(vec![whole.slice(1, 3)]), sum(vec![same.clone()]));
        assert_ne!(sum(vec![same]), sum(vec![list(vec![Some(vec![Some(1)]), None, Some(vec![None])])]));
        // Below a null struct anything may stand.
        let of = |below: i64| -> ArrayRef {
            let fields = vec![Field::new("a", DataType::Int64, true)].into();
            let nulls = arrow::buffer::NullBuffer::from(vec![false]);
            Arc::new(StructArray::new(fields, vec![numbers(&[Some(below)])], Some(nulls)))
        };
        assert_eq!(sum(vec![of(1)]), sum(vec![of(2)]));
    }
}
