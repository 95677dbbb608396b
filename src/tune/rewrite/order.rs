//! Rows in another order: sorted by columns, or along a Z-order curve. Sorting spills to disk where
//! memory is short; whole rows move, so that nothing of them can come apart.

use std::fmt;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::compute::SortOptions;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use datafusion::prelude::SessionConfig;
use futures::StreamExt;

use super::unit::{Made, Piece, Shared, Target, produce, read_pieces};
use super::zorder::ZKey;
use crate::lake::log::store;
use crate::model::{Fault, FaultKind, Outcome};
use crate::tune::data::rows::RowSum;

/// Sorts everything that a change sorts, within one budget of memory.
#[derive(Clone)]
pub struct Sorter(Arc<RuntimeEnv>);

impl Sorter {
    /// `memory` in bytes.
    pub fn new(memory: u64) -> Outcome<Sorter> {
        let pool = FairSpillPool::new(usize::try_from(memory).unwrap_or(usize::MAX));
        let built = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(pool)).build_arc();
        built.map(Sorter).map_err(|e| failed(&e))
    }
}

/// By what rows are sorted.
#[derive(Clone)]
pub enum By {
    /// Places in the schema, the first one counts most.
    Columns(Vec<usize>),
    /// The curve's key is made when the columns' values were sampled.
    Curve(Vec<usize>),
}

/// Writes the rows of the pieces to the targets in the new order.
pub fn sorted(
    shared: &Arc<Shared>,
    pieces: Vec<Piece>,
    targets: &[Target],
    by: &By,
    sorter: &Sorter,
) -> Outcome<Made> {
    let (key, columns) = match by {
        By::Columns(columns) => (None, columns.clone()),
        By::Curve(columns) => {
            let key = ZKey::sample(shared, &pieces, columns)?;
            (Some(Arc::new(key)), vec![shared.schema.fields().len()])
        }
    };
    produce(shared, targets, |send| {
        let rows = Rows {
            schema: key.as_ref().map_or_else(|| shared.schema.clone(), |k| k.schema()),
            pieces,
            shared: shared.clone(),
            key,
            outcome: Arc::default(),
        };
        let outcome = rows.outcome.clone();
        let pumped = shared.handle.block_on(pump(shared, rows, &columns, sorter, &send));
        // What went wrong while reading is the cause of what the sort says.
        match outcome.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(Err(fault)) => Err(fault),
            Some(Ok(sum)) => pumped.map(|()| sum),
            None => pumped.and_then(|()| Err(failed(&"it did not read its input to the end"))),
        }
    })
}

async fn pump(
    shared: &Shared,
    rows: Rows,
    columns: &[usize],
    sorter: &Sorter,
    send: &SyncSender<RecordBatch>,
) -> Outcome<()> {
    let schema = rows.schema.clone();
    let options = SortOptions { descending: false, nulls_first: true };
    let by = columns.iter().filter_map(|at| {
        let field = schema.fields().get(*at)?;
        Some(PhysicalSortExpr { expr: Arc::new(Column::new(field.name(), *at)), options })
    });
    let ordering = LexOrdering::new(by).ok_or_else(|| failed(&"no column to sort by"))?;
    let table = StreamingTableExec::try_new(schema, vec![Arc::new(rows)], None, [], false, None)
        .map_err(|e| failed(&e))?;
    let sort = SortExec::new(ordering, Arc::new(table));
    let context =
        TaskContext::default().with_runtime(sorter.0.clone()).with_session_config(SessionConfig::new());
    let mut stream = sort.execute(0, Arc::new(context)).map_err(|e| failed(&e))?;
    while let Some(batch) = store::cancellable(&shared.watch, stream.next()).await? {
        let batch = batch.map_err(|e| failed(&e))?;
        // The writer's thread is another one; this thread may block.
        send.send(batch).map_err(|_| Fault::cancelled())?;
    }
    Ok(())
}

fn failed(why: &dyn fmt::Display) -> Fault {
    Fault::new(FaultKind::Change, "sort-failed", "The rows could not be sorted")
        .because(why)
        .hint("Nothing was committed. More memory (--memory), or space for temporary files, may help")
}

/// The rows of the pieces as the engine's input.
struct Rows {
    schema: SchemaRef,
    pieces: Vec<Piece>,
    shared: Arc<Shared>,
    key: Option<Arc<ZKey>>,
    outcome: Arc<Mutex<Option<Outcome<RowSum>>>>,
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rows of {} pieces", self.pieces.len())
    }
}

impl PartitionStream for Rows {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut builder = RecordBatchReceiverStreamBuilder::new(self.schema.clone(), 2);
        let send = builder.tx();
        let (shared, pieces) = (self.shared.clone(), self.pieces.clone());
        let (key, outcome) = (self.key.clone(), self.outcome.clone());
        builder.spawn_blocking(move || {
            let read = read_pieces(&shared, &pieces, |batch| {
                let batch = match &key {
                    Some(key) => key.append(&batch)?,
                    None => batch,
                };
                send.blocking_send(Ok(batch)).map_err(|_| Fault::cancelled())
            });
            let failure = read.as_ref().err().map(|f| DataFusionError::Execution(f.to_string()));
            *outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
            failure.map_or(Ok(()), Err)
        });
        builder.build()
    }
}
