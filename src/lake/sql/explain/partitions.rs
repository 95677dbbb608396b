//! What partition values alone say about a condition.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BooleanArray, StringArray, UInt64Array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::SchemaRef;
use datafusion::common::pruning::PruningStatistics;
use datafusion::common::{Column, DFSchema, Result, ScalarValue};
use datafusion::execution::SessionState;
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::utils::conjunction;
use datafusion::physical_optimizer::pruning::PruningPredicateBuilder;

use crate::model::partition::PartitionDict;

/// For each of the partitions whether it may hold rows for which all filters hold. True for all if
/// the filters cannot be judged.
pub(super) fn kept(
    state: &SessionState,
    schema: &SchemaRef,
    filters: &[Expr],
    dict: &PartitionDict,
) -> Vec<bool> {
    judge(state, schema, filters, dict).unwrap_or_else(|_| vec![true; dict.len()])
}

fn judge(
    state: &SessionState,
    schema: &SchemaRef,
    filters: &[Expr],
    dict: &PartitionDict,
) -> Result<Vec<bool>> {
    let Some(filter) = conjunction(filters.iter().cloned()) else { return Ok(vec![true; dict.len()]) };
    let columns = DFSchema::try_from(Arc::clone(schema))?;
    // Filters name their table; the schema does not.
    let plain = super::super::folded::without_table(&filter)?;
    let predicate = state.create_physical_expr(plain, &columns)?;
    let predicate =
        PruningPredicateBuilder::new().with_file_schema(Arc::clone(schema)).try_build(predicate)?;
    predicate.prune(&Values::new(schema, dict)?)
}

/// Each partition as a container whose least and greatest value are the same.
struct Values {
    columns: HashMap<String, ArrayRef>,
    len: usize,
}

impl Values {
    fn new(schema: &SchemaRef, dict: &PartitionDict) -> Result<Values> {
        let mut columns = HashMap::new();
        for (at, name) in dict.columns().iter().enumerate() {
            let Ok(field) = schema.field_with_name(name) else { continue };
            let value = |id: usize| dict.values(id as u32).get(at).and_then(|v| v.as_deref());
            let texts: StringArray = (0..dict.len()).map(value).collect();
            // A value that is not of its column's type is not known.
            let options = CastOptions { safe: true, ..CastOptions::default() };
            columns.insert(name.clone(), cast_with_options(&texts, field.data_type(), &options)?);
        }
        Ok(Values { columns, len: dict.len() })
    }
}

impl PruningStatistics for Values {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.columns.get(&column.name).cloned()
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.columns.get(&column.name).cloned()
    }

    fn num_containers(&self) -> usize {
        self.len
    }

    fn null_counts(&self, column: &Column) -> Option<ArrayRef> {
        let values = self.columns.get(&column.name)?;
        let nulls = (0..values.len()).map(|at| Some(u64::from(values.is_null(at))));
        Some(Arc::new(nulls.collect::<UInt64Array>()))
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        Some(Arc::new(UInt64Array::from(vec![1; self.len])))
    }

    fn contained(&self, _column: &Column, _values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}
