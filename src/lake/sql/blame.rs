//! Errors of the engine and of delta-rs as faults: what failed, why, what to do.

use std::error::Error;

use arrow::error::ArrowError;
use datafusion::common::{Column, DataFusionError, SchemaError};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};
use deltalake::DeltaTableError;
use parquet::errors::ParquetError;

use super::catalog::Lakehouse;
use super::fold::fold;
use crate::lake::place::Place;
use crate::model::Fault;

/// A table that cannot be opened for queries.
pub(super) fn table(place: &Place, error: DeltaTableError) -> Fault {
    let text = words(&error.to_string());
    Fault::read("unreadable-table", format!("Cannot read the table \"{}\"", place.name)).because(text)
}

/// A text that is no statement.
pub(super) fn syntax(_words: &[TokenWithSpan], error: &DataFusionError) -> Fault {
    Fault::usage("invalid-sql", "Invalid SQL").because(words(&error.to_string()))
}

/// A statement that cannot be planned, or a query that ended early.
pub(super) fn query(lakehouse: &Lakehouse, tokens: &[TokenWithSpan], error: &DataFusionError) -> Fault {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(e) = cause {
        if let Some(fault) = e.downcast_ref::<Fault>() {
            return fault.clone();
        }
        cause = e.source();
    }
    Fault::read("query-failed", "The query failed").because(format!("{} || {error:?}", words(&error.to_string())))
}

fn words(text: &str) -> String {
    text.trim().to_owned()
}
