//! Values of a result: as JSON by the command line's contract, and as text for people.

mod json;
mod spark;
mod text;
mod time;

pub use json::json_rows;
pub use text::{append_rows, csv_record, grid_columns};

pub(super) use json::value as json_value;
pub(super) use spark::type_name;
pub(super) use text::cell as text_of;

use arrow::array::{Array, ArrayRef, DictionaryArray};
use arrow::datatypes::ArrowDictionaryKeyType;
use arrow::downcast_dictionary_array;

/// The values array and the row in it that a dictionary's row stands for; none for other arrays.
fn through_dictionary(array: &dyn Array, row: usize) -> Option<(&ArrayRef, Option<usize>)> {
    fn key<K: ArrowDictionaryKeyType>(d: &DictionaryArray<K>, row: usize) -> (&ArrayRef, Option<usize>) {
        (d.values(), d.key(row))
    }
    downcast_dictionary_array!(
        array => Some(key(array, row)),
        _ => None
    )
}
