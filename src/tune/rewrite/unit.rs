//! A piece of work for one thread pair: one reads and hashes rows, the other writes them.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use object_store::path::Path;
use tokio::runtime::Handle;

use super::meter::Meter;
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::{Fault, FaultKind, Outcome};
use crate::tune::data::bad_file;
use crate::tune::data::batches::{Batches, Reading};
use crate::tune::data::layout::Mapping;
use crate::tune::data::rows::{RowSum, row_sum};
use crate::tune::data::source::Source;
use crate::tune::data::stats::FileStats;
use crate::tune::data::writer::{Style, Writer, Written};

/// Batches on their way from the reader to the writer.
const BETWEEN: usize = 2;

/// What all units of a group share.
pub struct Shared {
    pub place: Place,
    /// Of the rows on their way; files are written with it.
    pub schema: SchemaRef,
    pub mapping: Mapping,
    pub stats: FileStats,
    pub style: Style,
    pub handle: Handle,
    /// Cancelled by the person, or when another unit has failed.
    pub watch: Watch,
    pub meter: Arc<Meter>,
}

/// Some live rows of a file.
#[derive(Clone)]
pub struct Piece {
    pub source: Arc<Source>,
    pub reading: Arc<Reading>,
    pub live: Range<u64>,
}

/// A file to be written.
#[derive(Debug, Clone)]
pub struct Target {
    pub path: Path,
    pub rows: u64,
}

/// What came of a unit: the hash sum of the rows read, and the files, in the order of the targets.
pub struct Made {
    pub read: RowSum,
    pub files: Vec<Written>,
}

/// Reads all pieces in order and calls `each`; gives the hash sum of the rows.
pub fn read_pieces(
    shared: &Shared,
    pieces: &[Piece],
    mut each: impl FnMut(RecordBatch) -> Outcome<()>,
) -> Outcome<RowSum> {
    let mut sum = RowSum::default();
    for piece in pieces {
        let source = &piece.source;
        let mut batches =
            Batches::open(source, &piece.reading, piece.live.clone(), &shared.handle, &shared.watch)?;
        let live = source.live().max(1);
        while let Some(batch) = batches.next()? {
            sum.add(row_sum(&batch).map_err(|why| bad_file(&source.file.path, why))?);
            let rows = batch.num_rows() as u64;
            each(batch)?;
            shared.meter.bytes((u128::from(source.file.size) * u128::from(rows) / u128::from(live)) as u64);
        }
        if piece.live.end >= source.live() {
            shared.meter.file();
        }
    }
    Ok(sum)
}

/// Copies the rows of the pieces, in their order, to the targets.
pub fn copy(shared: &Shared, pieces: &[Piece], targets: &[Target]) -> Outcome<Made> {
    produce(shared, targets, |send| {
        read_pieces(shared, pieces, |batch| {
            // A writer that is gone has failed, and says so itself.
            send.send(batch).map_err(|_| Fault::cancelled())
        })
    })
}

/// Runs `read` on a thread of its own; what it sends is written to the targets.
pub fn produce(
    shared: &Shared,
    targets: &[Target],
    read: impl FnOnce(SyncSender<RecordBatch>) -> Outcome<RowSum> + Send,
) -> Outcome<Made> {
    let (send, receive) = sync_channel(BETWEEN);
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new()
            .name("deltop-read".into())
            .spawn_scoped(scope, || read(send))
            .map_err(|e| Fault::new(FaultKind::Change, "no-thread", "Cannot start a thread").because(e))?;
        let files = write_all(shared, targets, receive);
        let read = reader
            .join()
            .unwrap_or_else(|_| Err(Fault::new(FaultKind::Change, "internal", "A reading thread broke off")));
        match (read, files) {
            // The reader stops where the writer fails, and the other way round: the cause is what
            // is not a consequence.
            (Err(fault), Err(other)) if fault.code != "cancelled" || other.code == MISCOUNTED => Err(fault),
            (Err(fault), Ok(_)) => Err(fault),
            (_, Err(fault)) => Err(fault),
            (Ok(read), Ok(files)) => Ok(Made { read, files }),
        }
    })
}

fn write_all(shared: &Shared, targets: &[Target], rows: Receiver<RecordBatch>) -> Outcome<Vec<Written>> {
    let mut out = Vec::with_capacity(targets.len());
    let mut left: Option<RecordBatch> = None;
    for target in targets {
        let mut writer = Writer::create(
            &shared.place,
            &target.path,
            &shared.schema,
            shared.stats.clone(),
            shared.style,
            &shared.handle,
        )?;
        let mut wanted = target.rows;
        while wanted > 0 {
            shared.watch.check()?;
            let Some(batch) = left.take().or_else(|| rows.recv().ok()) else { break };
            let here = u64::min(wanted, batch.num_rows() as u64) as usize;
            writer.write(&batch.slice(0, here))?;
            wanted -= here as u64;
            if here < batch.num_rows() {
                left = Some(batch.slice(here, batch.num_rows() - here));
            }
        }
        let written = writer.finish()?;
        if written.rows != target.rows {
            return Err(miscounted("Fewer"));
        }
        out.push(written);
    }
    // More rows than planned would be lost: the sums would tell, but here it is known at once.
    if left.is_some() || rows.recv().is_ok() {
        return Err(miscounted("More"));
    }
    Ok(out)
}

const MISCOUNTED: &str = "verification-failed";

fn miscounted(how: &str) -> Fault {
    Fault::new(FaultKind::Change, MISCOUNTED, format!("{how} rows came than were counted"))
        .because("a file holds other rows than its footer and deletion vector say")
        .hint("Nothing was committed")
}
