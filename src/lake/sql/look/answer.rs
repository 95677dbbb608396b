//! Results that are made here.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, Int64Array, MapBuilder, RecordBatch, StringArray, StringBuilder, TimestampMillisecondArray,
};
use arrow::array::{BooleanArray, ListBuilder};
use arrow::datatypes::{Field, Schema};
use futures::StreamExt;

use crate::lake::sql::session::SqlRun;
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};

/// A column under its name.
pub(super) type Column = (&'static str, ArrayRef);

/// A result of these columns.
pub(super) fn columns(columns: Vec<Column>) -> Outcome<SqlRun> {
    let named = columns.into_iter().map(|(name, array)| (name.to_owned(), array)).collect();
    named_columns(named)
}

/// A result of columns whose names are the table's.
pub(super) fn named_columns(columns: Vec<(String, ArrayRef)>) -> Outcome<SqlRun> {
    let field = |(name, array): &(String, ArrayRef)| Field::new(name, array.data_type().clone(), true);
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays);
    let batch = batch.map_err(|e| Fault::read("query-failed", "The list cannot be made").because(e))?;
    Ok(SqlRun { schema, batches: futures::stream::iter([Ok(batch)]).boxed(), plan: None, after: None })
}

/// A result of texts.
pub(super) fn texts(names: &[&'static str], rows: &[Vec<Option<String>>]) -> Outcome<SqlRun> {
    let column = |at: usize| text(rows.iter().map(|row| row.get(at).cloned().flatten()));
    columns(names.iter().enumerate().map(|(at, name)| (*name, column(at))).collect())
}

pub(super) fn text(values: impl Iterator<Item = Option<String>>) -> ArrayRef {
    Arc::new(values.collect::<StringArray>())
}

pub(super) fn integer(values: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    Arc::new(values.map(|v| v.and_then(|v| i64::try_from(v).ok())).collect::<Int64Array>())
}

pub(super) fn boolean(values: impl Iterator<Item = Option<bool>>) -> ArrayRef {
    Arc::new(values.collect::<BooleanArray>())
}

pub(super) fn time(values: impl Iterator<Item = Option<Millis>>) -> ArrayRef {
    Arc::new(values.collect::<TimestampMillisecondArray>().with_timezone("UTC"))
}

pub(super) fn list<'a>(values: impl IntoIterator<Item = &'a String>) -> ArrayRef {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for value in values {
        builder.values().append_value(value);
    }
    builder.append(true);
    Arc::new(builder.finish())
}

/// Maps of texts, one a row.
pub(super) fn maps(rows: impl Iterator<Item = Option<Vec<(String, Option<String>)>>>) -> Outcome<ArrayRef> {
    let mut builder = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
    for row in rows {
        for (key, value) in row.iter().flatten() {
            builder.keys().append_value(key);
            builder.values().append_option(value.as_ref());
        }
        builder
            .append(row.is_some())
            .map_err(|e| Fault::read("query-failed", "The list cannot be made").because(e))?;
    }
    Ok(Arc::new(builder.finish()))
}
