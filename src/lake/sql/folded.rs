//! A table whose column names are folded to lower case.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::datatypes::{Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Column, Result};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::expressions::Column as PhysicalColumn;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::projection::ProjectionExec;

use super::boundary::Boundary;
use super::bounds;
use super::explain::ScanLog;
use super::fold::{Spellings, fold};
use super::pushdown::{never_holds, settled, skipping, trusted};

/// The inner table under folded names.
#[derive(Debug)]
pub(super) struct Folded {
    /// Unlike any other's.
    number: u64,
    inner: Arc<dyn TableProvider>,
    schema: SchemaRef,
    spellings: Spellings,
}

impl Folded {
    /// Two columns that differ in case alone (no valid table has such) keep their spelling but for
    /// the first.
    pub(super) fn new(inner: Arc<dyn TableProvider>) -> Self {
        let own = inner.schema();
        let mut spellings = Spellings::new();
        let mut fields: Vec<Arc<Field>> = Vec::with_capacity(own.fields().len());
        for field in own.fields() {
            let folded = fold(field.name());
            let name = if spellings.contains_key(&folded) { field.name().clone() } else { folded };
            fields.push(Arc::new(field.as_ref().clone().with_name(&name)));
            spellings.insert(name, field.name().clone());
        }
        let schema = Arc::new(Schema::new_with_metadata(fields, own.metadata().clone()));
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        Folded { number: NUMBER.fetch_add(1, Ordering::Relaxed), inner, schema, spellings }
    }

    /// What the table is told apart by in the notes of scans.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Folded name → the table's own.
    pub(super) fn spellings(&self) -> &Spellings {
        &self.spellings
    }

    /// The schema with the table's own names.
    pub(super) fn own_schema(&self) -> SchemaRef {
        self.inner.schema()
    }

    /// The expression over the inner table's columns.
    fn unfold(&self, expr: &Expr) -> Result<Expr> {
        let unfolded = expr.clone().transform(|e| match e {
            Expr::Column(column) => match self.spellings.get(&column.name) {
                Some(own) if *own != column.name => {
                    Ok(Transformed::yes(Expr::Column(Column::new(column.relation, own))))
                }
                _ => Ok(Transformed::no(Expr::Column(column))),
            },
            other => Ok(Transformed::no(other)),
        })?;
        Ok(unfolded.data)
    }
}

/// The expression with its columns' names alone.
pub(super) fn without_table(expr: &Expr) -> Result<Expr> {
    let plain = expr.clone().transform(|e| match e {
        Expr::Column(column) if column.relation.is_some() => {
            Ok(Transformed::yes(Expr::Column(Column::new_unqualified(column.name))))
        }
        other => Ok(Transformed::no(other)),
    })?;
    Ok(plain.data)
}

#[async_trait]
impl TableProvider for Folded {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        // delta-rs' provider takes a condition that is NULL, and names no column, for one that holds.
        if filters.iter().cloned().map(settled).any(|filter| never_holds(&filter)) {
            let schema = match projection {
                Some(columns) => Arc::new(self.schema.project(columns)?),
                None => Arc::clone(&self.schema),
            };
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let filters = filters.iter().map(|f| self.unfold(f).map(settled)).collect::<Result<Vec<_>>>()?;
        let own = self.inner.schema();
        let pushed = skipping(&filters, &own);
        // A limit is of rows for which all conditions hold.
        let limit = limit.filter(|_| pushed.len() == filters.len());
        let plan = self.inner.scan(state, projection, &pushed, limit).await?;
        let plan = Boundary::where_needed(bounds::of_floats_are_estimates(plan)?);
        if let Some(log) = state.config().get_extension::<ScanLog>() {
            log.note(self.number, self.inner.schema(), &filters, &plan);
        }
        let own = plan.schema();
        let all: Vec<usize> = (0..self.schema.fields().len()).collect();
        let wanted = projection.unwrap_or(&all);
        let names = wanted.iter().filter_map(|i| self.schema.fields().get(*i)).map(|f| f.name());
        let pairs: Vec<_> = own.fields().iter().zip(names).collect();
        if pairs.iter().all(|(field, name)| field.name() == *name) {
            return Ok(plan);
        }
        let renamed = pairs.into_iter().enumerate().map(|(i, (field, name))| {
            (Arc::new(PhysicalColumn::new(field.name(), i)) as Arc<_>, name.clone())
        });
        Ok(Arc::new(ProjectionExec::try_new(renamed.collect::<Vec<(Arc<_>, String)>>(), plan)?))
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let own = filters.iter().map(|f| self.unfold(f)).collect::<Result<Vec<_>>>()?;
        let says = self.inner.supports_filters_pushdown(&own.iter().collect::<Vec<_>>())?;
        Ok(filters.iter().zip(says).map(|(filter, says)| trusted(filter, &self.schema, says)).collect())
    }
}
