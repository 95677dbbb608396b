//! The columns of file actions in a parquet checkpoint, as arrays of known types.

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, MapArray, StringArray, StructArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};

use crate::lake::log::key::VectorId;
use crate::model::files::DeletionVector;

/// A column of the struct by name, as strings; binary and other string types are converted.
pub fn strings(of: &StructArray, name: &str) -> Result<Option<StringArray>, String> {
    of.column_by_name(name).map(|column| as_strings(column, name)).transpose()
}

fn as_strings(column: &ArrayRef, name: &str) -> Result<StringArray, String> {
    let column = converted(column, &DataType::Utf8, name)?;
    column.as_string_opt::<i32>().cloned().ok_or_else(|| format!("{name} is not text"))
}

/// A column of the struct by name, as 64-bit integers.
pub fn integers(of: &StructArray, name: &str) -> Result<Option<Int64Array>, String> {
    let Some(column) = of.column_by_name(name) else {
        return Ok(None);
    };
    let column = converted(column, &DataType::Int64, name)?;
    Ok(column.as_primitive_opt::<Int64Type>().cloned())
}

fn converted(column: &ArrayRef, to: &DataType, name: &str) -> Result<ArrayRef, String> {
    if column.data_type() == to {
        return Ok(column.clone());
    }
    cast(column, to).map_err(|e| format!("{name} is of type {}: {e}", column.data_type()))
}

/// A map from strings to strings.
pub struct Texts {
    map: MapArray,
    keys: StringArray,
    values: StringArray,
}

impl Texts {
    pub fn of(parent: &StructArray, name: &str) -> Result<Option<Texts>, String> {
        let Some(column) = parent.column_by_name(name) else {
            return Ok(None);
        };
        let map = column.as_map_opt().ok_or_else(|| format!("{name} is not a map"))?.clone();
        let keys = as_strings(map.keys(), name)?;
        let values = as_strings(map.values(), name)?;
        Ok(Some(Texts { map, keys, values }))
    }

    /// The entries of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (&str, Option<&str>)> + Clone {
        let offsets = self.map.value_offsets();
        let (start, end) = if self.map.is_valid(row) { (offsets[row], offsets[row + 1]) } else { (0, 0) };
        (start as usize..end as usize)
            .map(|i| (self.keys.value(i), self.values.is_valid(i).then(|| self.values.value(i))))
    }

    /// Whether two rows have the very same entries in the same order.
    pub fn same(&self, a: usize, b: usize) -> bool {
        self.row(a).eq(self.row(b))
    }
}

/// Deletion vectors.
pub struct Vectors {
    all: StructArray,
    storage_type: StringArray,
    path_or_inline: StringArray,
    offset: Option<Int64Array>,
    size: Option<Int64Array>,
    cardinality: Option<Int64Array>,
}

impl Vectors {
    /// None if no row has one.
    pub fn of(action: &StructArray) -> Result<Option<Vectors>, String> {
        let Some(all) = action.column_by_name("deletionVector").and_then(|c| c.as_struct_opt()) else {
            return Ok(None);
        };
        if all.null_count() == all.len() {
            return Ok(None);
        }
        let text = |name: &str| strings(all, name)?.ok_or_else(|| format!("deletionVector lacks {name}"));
        Ok(Some(Vectors {
            storage_type: text("storageType")?,
            path_or_inline: text("pathOrInlineDv")?,
            offset: integers(all, "offset")?,
            size: integers(all, "sizeInBytes")?,
            cardinality: integers(all, "cardinality")?,
            all: all.clone(),
        }))
    }

    pub fn id(&self, row: usize) -> Option<VectorId<'_>> {
        // Some writers fill the struct with nulls instead of leaving it out.
        let there = self.all.is_valid(row) && self.storage_type.is_valid(row);
        there.then(|| VectorId {
            storage_type: self.storage_type.value(row),
            path_or_inline: if self.path_or_inline.is_valid(row) {
                self.path_or_inline.value(row)
            } else {
                ""
            },
            offset: number(self.offset.as_ref(), row),
        })
    }

    pub fn get(&self, row: usize) -> Option<DeletionVector> {
        let id = self.id(row)?;
        Some(DeletionVector {
            storage_type: id.storage_type.to_owned(),
            path_or_inline_dv: id.path_or_inline.to_owned(),
            offset: id.offset,
            size_in_bytes: number(self.size.as_ref(), row).unwrap_or(0),
            cardinality: number(self.cardinality.as_ref(), row)
                .and_then(|n| u64::try_from(n).ok())
                .unwrap_or(0),
        })
    }
}

pub fn number(column: Option<&Int64Array>, row: usize) -> Option<i64> {
    column.filter(|c| c.is_valid(row)).map(|c| c.value(row))
}
