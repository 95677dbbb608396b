//! Queries: DataFusion over delta-rs's table provider.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use futures::stream::BoxStream;

use super::place::Place;
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::grid::{Grid, GridColumn};
use crate::model::table::AsOf;

/// A session over one table (named `t` and by its own name) or a lakehouse folder (all its tables by name).
pub struct SqlSession;

/// A statement that runs: its columns, then its rows as they come. Dropping it aborts the query.
pub struct SqlRun {
    pub schema: SchemaRef,
    pub batches: BoxStream<'static, Outcome<RecordBatch>>,
}

impl SqlSession {
    /// Registers the tables; loads none of them yet.
    pub async fn open(_place: &Place, _as_of: AsOf, _watch: &Watch) -> Outcome<SqlSession> {
        todo!()
    }

    /// Runs one statement. Statements that change data are refused here.
    pub async fn run(&self, _statement: &str) -> Outcome<SqlRun> {
        todo!()
    }
}

/// Splits a text into its statements, by sqlparser's tokenizer, each with its byte range.
pub fn statements(_text: &str) -> Outcome<Vec<(std::ops::Range<usize>, String)>> {
    todo!()
}

/// The columns of a result, with Spark's type names.
pub fn grid_columns(_schema: &SchemaRef) -> Vec<GridColumn> {
    todo!()
}

/// Appends a batch's rows to a grid as text.
pub fn append_rows(_grid: &mut Grid, _batch: &RecordBatch) {
    todo!()
}

/// A batch's rows as JSON objects, per the command-line contract (big integers and decimals as
/// strings, NaN and infinities as strings, binary as base64, nested values as JSON).
pub fn json_rows(_batch: &RecordBatch) -> Outcome<Vec<serde_json::Map<String, serde_json::Value>>> {
    todo!()
}
