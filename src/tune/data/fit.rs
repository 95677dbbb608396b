//! How a file's own columns become those of the new files: found by name or id, missing ones null,
//! narrower types widened, parts that the table no longer has left out.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray, RecordBatch, StructArray, new_null_array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, SchemaRef, TimeUnit};
use arrow::error::ArrowError;

use super::layout::{FIELD_ID, Mapping};

/// How one column comes about.
#[derive(Debug, Clone)]
enum Origin {
    /// The file has none: null in each row.
    Missing,
    /// The file's column at this place.
    At(usize, Step),
}

/// What is done to an array.
#[derive(Debug, Clone)]
enum Step {
    Same,
    Cast,
    Struct(Vec<Origin>),
    List(Box<Step>),
    Map(Box<Step>, Box<Step>),
}

/// From batches of one file to batches of the new files' schema.
#[derive(Debug, Clone)]
pub struct Fit {
    schema: SchemaRef,
    origins: Vec<Origin>,
}

impl Fit {
    /// `file`: the columns as they are read. The error says what does not fit.
    pub fn new(file: &Fields, schema: SchemaRef, mapping: Mapping) -> Result<Fit, String> {
        let origins = origins(file, schema.fields(), mapping)?;
        Ok(Fit { schema, origins })
    }

    pub fn apply(&self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let columns = self.origins.iter().zip(self.schema.fields());
        let columns =
            columns.map(|(origin, field)| origin.take(batch.columns(), field.data_type(), batch.num_rows()));
        let columns: Result<Vec<ArrayRef>, ArrowError> = columns.collect();
        let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(self.schema.clone(), columns?, &options)
    }
}

/// Where a wanted field stands among a file's fields.
pub fn find(file: &Fields, wanted: &Field, mapping: Mapping) -> Option<usize> {
    let id = |f: &Field| f.metadata().get(FIELD_ID).cloned();
    if mapping == Mapping::Id
        && let Some(wanted_id) = id(wanted)
        && file.iter().any(|f| id(f).is_some())
    {
        return file.iter().position(|f| id(f).is_some_and(|i| i == wanted_id));
    }
    let exact = file.iter().position(|f| f.name() == wanted.name());
    // Spark writes and reads names in any case.
    exact.or_else(|| {
        let mut alike = file.iter().enumerate().filter(|(_, f)| f.name().eq_ignore_ascii_case(wanted.name()));
        let first = alike.next()?;
        alike.next().is_none().then_some(first.0)
    })
}

fn origins(file: &Fields, wanted: &Fields, mapping: Mapping) -> Result<Vec<Origin>, String> {
    let origin = |field: &FieldRef| match find(file, field, mapping) {
        None => Ok(Origin::Missing),
        Some(at) => {
            let from = file[at].data_type();
            let step = step(from, field.data_type(), mapping).ok_or_else(|| {
                format!("its column {} is of type {from}, the table's is {}", field.name(), field.data_type())
            });
            step.map(|step| Origin::At(at, step))
        }
    };
    wanted.iter().map(origin).collect()
}

fn step(from: &DataType, to: &DataType, mapping: Mapping) -> Option<Step> {
    if from == to {
        return Some(Step::Same);
    }
    match (from, to) {
        (DataType::Struct(from), DataType::Struct(to)) => origins(from, to, mapping).ok().map(Step::Struct),
        (DataType::List(from), DataType::List(to)) => {
            step(from.data_type(), to.data_type(), mapping).map(|s| Step::List(Box::new(s)))
        }
        (DataType::Map(from, _), DataType::Map(to, _)) => {
            let ((from_key, from_value), (to_key, to_value)) = (entry(from)?, entry(to)?);
            let key = step(from_key.data_type(), to_key.data_type(), mapping)?;
            let value = step(from_value.data_type(), to_value.data_type(), mapping)?;
            Some(Step::Map(Box::new(key), Box::new(value)))
        }
        _ => widens(from, to).then_some(Step::Cast),
    }
}

fn entry(entries: &Field) -> Option<(&FieldRef, &FieldRef)> {
    match entries.data_type() {
        DataType::Struct(fields) if fields.len() == 2 => Some((&fields[0], &fields[1])),
        _ => None,
    }
}

/// Whether every value of `from` is one of `to` (protocol, "Type Widening"), or the two are forms
/// of one type. The cast fails where a value does not fit after all.
fn widens(from: &DataType, to: &DataType) -> bool {
    use DataType as T;
    let text = |t: &T| matches!(t, T::Utf8 | T::LargeUtf8 | T::Utf8View);
    let bytes = |t: &T| matches!(t, T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_));
    match (from, to) {
        (a, b) if (text(a) || bytes(a)) && (text(b) || bytes(b)) => true,
        (T::Int8 | T::Int16 | T::Int32 | T::UInt8 | T::UInt16, T::Int16 | T::Int32 | T::Int64) => true,
        // Files hold bytes and shorts as 32-bit integers, with or without a note.
        (T::Int32, T::Int8) | (T::UInt32, T::Int32 | T::Int64) | (T::UInt64, T::Int64) => true,
        (T::Int8 | T::Int16 | T::Int32, T::Float64) | (T::Float32, T::Float64) => true,
        (T::Int8 | T::Int16 | T::Int32 | T::Int64, T::Decimal128(..)) => true,
        (T::Decimal128(p, s), T::Decimal128(to_p, to_s)) => {
            to_s >= s && i16::from(*to_p) - i16::from(*to_s) >= i16::from(*p) - i16::from(*s)
        }
        (T::Date32, T::Timestamp(TimeUnit::Microsecond, None)) => true,
        // The zone is a note on how to show a time; the number counts from 1970 in UTC either way.
        (T::Timestamp(..), T::Timestamp(TimeUnit::Microsecond, _)) => true,
        _ => false,
    }
}

impl Origin {
    fn take(&self, columns: &[ArrayRef], to: &DataType, rows: usize) -> Result<ArrayRef, ArrowError> {
        match self {
            Origin::Missing => Ok(new_null_array(to, rows)),
            Origin::At(at, step) => match columns.get(*at) {
                Some(column) => step.apply(column, to),
                None => Err(ArrowError::SchemaError(format!("column {at} was not read"))),
            },
        }
    }
}

impl Step {
    fn apply(&self, array: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
        match (self, to) {
            (Step::Same, _) => Ok(array.clone()),
            (Step::Cast, _) => {
                let options = CastOptions { safe: false, ..CastOptions::default() };
                cast_with_options(array, to, &options)
            }
            (Step::Struct(origins), DataType::Struct(fields)) => {
                let from = array.as_struct();
                let parts = origins.iter().zip(fields);
                let parts = parts.map(|(o, field)| o.take(from.columns(), field.data_type(), from.len()));
                let parts: Result<Vec<ArrayRef>, ArrowError> = parts.collect();
                let nulls = from.nulls().cloned();
                let out = StructArray::try_new_with_length(fields.clone(), parts?, nulls, from.len())?;
                Ok(Arc::new(out))
            }
            (Step::List(step), DataType::List(field)) => {
                let from = array.as_list::<i32>();
                let values = step.apply(from.values(), field.data_type())?;
                let nulls = from.nulls().cloned();
                Ok(Arc::new(ListArray::try_new(field.clone(), from.offsets().clone(), values, nulls)?))
            }
            (Step::Map(key, value), DataType::Map(field, sorted)) => {
                let from = array.as_map();
                let DataType::Struct(fields) = field.data_type() else {
                    return Err(ArrowError::SchemaError("a map without entries".into()));
                };
                let keys = key.apply(from.keys(), fields[0].data_type())?;
                let values = value.apply(from.values(), fields[1].data_type())?;
                let entries = StructArray::try_new(fields.clone(), vec![keys, values], None)?;
                let (offsets, nulls) = (from.offsets().clone(), from.nulls().cloned());
                Ok(Arc::new(MapArray::try_new(field.clone(), offsets, entries, nulls, *sorted)?))
            }
            _ => Err(ArrowError::SchemaError(format!("cannot make {to} of {}", array.data_type()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int32Array, Int64Array, StringArray};
    use arrow::datatypes::Schema;

    fn schema(fields: Vec<Field>) -> SchemaRef {
        Arc::new(Schema::new(fields))
    }

    #[test]
    fn missing_is_null_and_narrow_is_widened() {
        let file =
            schema(vec![Field::new("gone", DataType::Utf8, true), Field::new("N", DataType::Int32, true)]);
        let batch = RecordBatch::try_new(
            file.clone(),
            vec![Arc::new(StringArray::from(vec!["x"])), Arc::new(Int32Array::from(vec![7]))],
        )
        .unwrap();
        let wanted =
            schema(vec![Field::new("n", DataType::Int64, true), Field::new("new", DataType::Utf8View, true)]);
        let fit = Fit::new(file.fields(), wanted, Mapping::None).unwrap();
        let out = fit.apply(&batch).unwrap();
        assert_eq!(out.column(0).as_ref(), &Int64Array::from(vec![7]) as &dyn Array);
        assert_eq!(out.column(1).null_count(), 1);
    }

    #[test]
    fn ids_win_over_names() {
        let with_id = |name: &str, id: &str| {
            Field::new(name, DataType::Int64, true)
                .with_metadata([(FIELD_ID.to_owned(), id.to_owned())].into_iter().collect())
        };
        let file = Fields::from(vec![with_id("b", "1"), with_id("a", "2")]);
        assert_eq!(find(&file, &with_id("a", "1"), Mapping::Id), Some(0));
        assert_eq!(find(&file, &with_id("a", "1"), Mapping::Name), Some(1));
        assert_eq!(find(&file, &with_id("a", "3"), Mapping::Id), None);
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let file = Fields::from(vec![Field::new("a", DataType::Utf8, true)]);
        let wanted = schema(vec![Field::new("a", DataType::Int64, true)]);
        let why = Fit::new(&file, wanted, Mapping::None).err().unwrap();
        assert!(why.contains("column a"), "{why}");
    }
}
