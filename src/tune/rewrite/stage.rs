//! Writes the new files of one batch, and verifies them.

use std::sync::Arc;

use arrow::datatypes::{FieldRef, Schema, SchemaRef};
use futures::{StreamExt, TryStreamExt};
use parquet::basic::Compression;
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::input::Input;
use super::meter::Meter;
use super::order::{By, Sorter, sorted};
use super::paths::{encoded, file_name, folder};
use super::spread::{Work, spread};
use super::unit::{Made, Piece, Shared, Target, copy};
use super::verify::{compare, miscounted, read_back};
use crate::lake::footer::Locator;
use crate::lake::log::{OpenTable, store};
use crate::lake::watch::Watch;
use crate::model::change::{Order, Phase, Rewrite};
use crate::model::table::Table;
use crate::model::{Fault, Outcome};
use crate::tune::Context;
use crate::tune::data::batches::Reading;
use crate::tune::data::fit::find;
use crate::tune::data::layout::{Column, Mapping, columns};
use crate::tune::data::rows::RowSum;
use crate::tune::data::source::{Source, SourceFile};
use crate::tune::data::stats::{FileStats, Indexed};
use crate::tune::data::writer::{GROUP_ROWS, Style, Written, compression, suffix};
use crate::tune::staged::Staged;

/// Footers read at once.
const FOOTERS_AT_ONCE: usize = 16;
/// What a unit holds besides row groups, bytes: decoded batches on their way.
const UNIT_BYTES: u64 = 48 << 20;
/// Encoded row groups in the writer, bytes.
const GROUP_BYTES: (u64, u64) = (4 << 20, 128 << 20);

/// What staging works with.
pub struct Stage<'a> {
    pub ctx: &'a Context,
    pub open: &'a OpenTable,
    pub rewrite: &'a Rewrite,
    pub staged: &'a Staged,
    pub meter: &'a Arc<Meter>,
}

/// Inputs of one partition, and how many files take their place.
pub struct GroupOrder {
    pub inputs: Vec<Input>,
    pub outputs: usize,
}

/// A verified new file.
#[derive(Debug, Clone)]
pub struct NewFile {
    /// As the log writes it.
    pub path: String,
    pub partition_values: Map<String, Value>,
    pub written: Written,
}

/// A group whose sources were opened.
struct Group {
    order: GroupOrder,
    sources: Vec<Arc<Source>>,
    live: u64,
    columns: Vec<Column>,
    schema: SchemaRef,
    /// Paths of new files, decoded, and their places.
    paths: Vec<String>,
    targets: Vec<Target>,
    compression: Compression,
}

impl Stage<'_> {
    /// Writes and verifies; gives the new files and the rows verified.
    pub async fn run(&self, groups: Vec<GroupOrder>) -> Outcome<(Vec<NewFile>, u64)> {
        self.meter.phase(Phase::Rewriting);
        // Ends the other threads where one has failed.
        let stop = self.ctx.cancel.child_token();
        let table: &Table = &self.open.table;
        let mapping = Mapping::of(table)?;
        let sorts = self.rewrite.order != Order::Kept;
        let mut opened = Vec::with_capacity(groups.len());
        for order in groups {
            opened.push(self.open_group(order, mapping, !sorts).await?);
        }
        let (at_once, group_bytes) = self.budget(&opened);
        let sorter = if sorts { Some(Sorter::new(self.ctx.memory / 5 * 3)?) } else { None };
        let (mut work, mut of_group): (Vec<Work<Made>>, Vec<usize>) = (Vec::new(), Vec::new());
        for (at, group) in opened.iter().enumerate() {
            let style = Style {
                compression: group.compression,
                group_rows: self.rewrite.row_group_rows.unwrap_or(GROUP_ROWS).max(1),
                group_bytes,
            };
            let units = self.units(group, mapping, style, &stop, sorter.as_ref())?;
            of_group.extend(std::iter::repeat_n(at, units.len()));
            work.extend(units);
        }
        let made = spread(work, at_once, &stop).await;
        let made = made.map_err(|fault| self.cause(fault))?;
        let mut read = vec![RowSum::default(); opened.len()];
        let mut files: Vec<Vec<Written>> = vec![Vec::new(); opened.len()];
        for (at, made) in of_group.into_iter().zip(made) {
            read[at].add(made.read);
            files[at].extend(made.files);
        }
        self.verify(&opened, &read, &files, mapping, &stop).await?;
        let rows = read.iter().map(|r| r.rows).sum();
        let new = opened.into_iter().zip(files).flat_map(|(group, written)| {
            let values = common_values(&group.order.inputs);
            group.paths.into_iter().zip(written).map(move |(path, written)| NewFile {
                path: encoded(&path),
                partition_values: values.clone(),
                written,
            })
        });
        Ok((new.collect(), rows))
    }

    /// A thread that was told to stop says "cancelled", though nobody cancelled.
    fn cause(&self, fault: Fault) -> Fault {
        if fault.code == "cancelled" && !self.ctx.cancel.is_cancelled() {
            return Fault::new(
                crate::model::FaultKind::Change,
                "internal",
                "A rewriting thread stopped early",
            );
        }
        fault
    }

    async fn open_group(&self, order: GroupOrder, mapping: Mapping, views: bool) -> Outcome<Group> {
        let watch = self.ctx.watch();
        let locator = Locator::new(&self.ctx.place);
        let files: Vec<SourceFile> = order.inputs.iter().map(|i| i.file.clone()).collect();
        let opening = futures::stream::iter(files).map(|file| {
            let (locator, watch) = (&locator, &watch);
            async move { Source::open(&self.ctx.place, locator, file, views, watch).await.map(Arc::new) }
        });
        let opening = opening.buffered(FOOTERS_AT_ONCE).try_collect::<Vec<_>>();
        let sources: Vec<Arc<Source>> = store::cancellable(&watch, opening).await??;
        for (input, source) in order.inputs.iter().zip(&sources) {
            miscounted(&source.file.path, input.live, source.live())?;
        }
        let live: u64 = sources.iter().map(|s| s.live()).sum();
        let (columns, fields) = file_columns(&self.open.table, &sources, mapping, views)?;
        let schema = Arc::new(Schema::new(fields));
        let first_codec = sources
            .iter()
            .find_map(|s| s.meta.metadata().row_groups().first()?.columns().first().map(|c| c.compression()));
        let compression = compression(self.rewrite.codec, first_codec.unwrap_or(Compression::UNCOMPRESSED));
        let inputs: Vec<&str> = order.inputs.iter().map(|i| i.file.path.as_str()).collect();
        let values = common_values(&order.inputs);
        let folder = folder(&inputs, &values, &self.open.table.metadata, &new_id());
        let id = new_id();
        let name = |number: usize| {
            let name = file_name(number, &id, suffix(compression));
            if folder.is_empty() { name } else { format!("{folder}/{name}") }
        };
        let paths: Vec<String> = (0..order.outputs).map(name).collect();
        let places = self.staged.begin(&paths)?;
        let outputs = order.outputs.max(1) as u64;
        let share = |i: u64| live / outputs + u64::from(i < live % outputs);
        let targets = (0u64..).zip(places).map(|(i, path)| Target { path, rows: share(i) }).collect();
        Ok(Group { order, sources, live, columns, schema, paths, targets, compression })
    }

    /// Units at work at once, and bytes of a row group in the writer, so that all of it stays
    /// within the memory that was given.
    fn budget(&self, groups: &[Group]) -> (usize, u64) {
        // Files on this machine are read page by page, others a row group at a time.
        let held = |s: &Arc<Source>| if s.local.is_some() { 0 } else { s.largest_group() };
        let input = groups.iter().flat_map(|g| &g.sources).map(held).max().unwrap_or(0);
        let sorts = self.rewrite.order != Order::Kept;
        let memory = if sorts { self.ctx.memory / 5 * 2 } else { self.ctx.memory };
        let one = input + UNIT_BYTES + 2 * GROUP_BYTES.0;
        let at_once = (memory / one).clamp(1, self.ctx.threads.max(1) as u64);
        // The writer holds encoded pages, and dictionaries besides.
        let left = (memory / at_once).saturating_sub(input + UNIT_BYTES) / 2;
        (at_once as usize, left.clamp(GROUP_BYTES.0, GROUP_BYTES.1))
    }

    fn units(
        &self,
        group: &Group,
        mapping: Mapping,
        style: Style,
        stop: &CancellationToken,
        sorter: Option<&Sorter>,
    ) -> Outcome<Vec<Work<Made>>> {
        let metadata = &self.open.table.metadata;
        let fields: Vec<FieldRef> = group.schema.fields().iter().cloned().collect();
        let shared = Arc::new(Shared {
            place: self.ctx.place.clone(),
            schema: group.schema.clone(),
            mapping,
            stats: FileStats::new(&group.columns, &fields, &Indexed::of_table(&self.open.table), metadata),
            style,
            handle: Handle::current(),
            watch: Watch::new(stop.clone()),
            meter: self.meter.clone(),
        });
        let whole = group.sources.iter().map(|source| {
            let reading = Arc::new(Reading::new(source, &group.schema, mapping)?);
            Ok(Piece { source: source.clone(), reading, live: 0..source.live() })
        });
        let pieces: Vec<Piece> = whole.collect::<Outcome<_>>()?;
        if let Some(sorter) = sorter {
            let (by, sorter, targets) = (self.by(group)?, sorter.clone(), group.targets.clone());
            return Ok(vec![Box::new(move || sorted(&shared, pieces, &targets, &by, &sorter))]);
        }
        let mut from = 0;
        let units = group.targets.iter().map(|target| {
            let part = cut(&pieces, from..from + target.rows);
            from += target.rows;
            let (shared, target) = (shared.clone(), target.clone());
            let work: Work<Made> = Box::new(move || copy(&shared, &part, std::slice::from_ref(&target)));
            work
        });
        Ok(units.collect())
    }

    fn by(&self, group: &Group) -> Outcome<By> {
        let (names, curve) = match &self.rewrite.order {
            Order::ZOrder(names) => (names, true),
            Order::Sorted(names) => (names, false),
            Order::Kept => return Ok(By::Columns(Vec::new())),
        };
        let place = |name: &String| {
            let at = group.columns.iter().position(|c| c.name.eq_ignore_ascii_case(name));
            at.ok_or_else(|| {
                Fault::read("unknown-column", format!("No file has the column {name}"))
                    .because("rows can only be sorted by columns that data files hold")
            })
        };
        let places = names.iter().map(place).collect::<Outcome<Vec<usize>>>()?;
        Ok(if curve { By::Curve(places) } else { By::Columns(places) })
    }

    async fn verify(
        &self,
        groups: &[Group],
        read: &[RowSum],
        files: &[Vec<Written>],
        mapping: Mapping,
        stop: &CancellationToken,
    ) -> Outcome<()> {
        self.meter.phase(Phase::Verifying);
        let (mut work, mut of_group): (Vec<Work<RowSum>>, Vec<usize>) = (Vec::new(), Vec::new());
        for (at, (group, written)) in groups.iter().zip(files).enumerate() {
            // Views: whatever the rows were sorted as.
            let (_, fields) = file_columns(&self.open.table, &group.sources, mapping, true)?;
            let schema = Arc::new(Schema::new(fields));
            for (path, written) in group.paths.iter().zip(written) {
                let file = SourceFile { path: path.clone(), size: written.size, vector: None };
                let (place, schema) = (self.ctx.place.clone(), schema.clone());
                let (handle, watch) = (Handle::current(), Watch::new(stop.clone()));
                work.push(Box::new(move || read_back(&place, file, &schema, mapping, &handle, &watch)));
                of_group.push(at);
            }
        }
        let sums = spread(work, self.ctx.threads.max(1), stop).await.map_err(|fault| self.cause(fault))?;
        let mut written = vec![RowSum::default(); groups.len()];
        for (at, sum) in of_group.into_iter().zip(sums) {
            written[at].add(sum);
        }
        for ((group, read), written) in groups.iter().zip(read).zip(written) {
            let stated = group.order.inputs.iter().try_fold(0u64, |sum, i| Some(sum + i.live?));
            let name = group.paths.first().map_or("a group", String::as_str);
            if let Some(fault) = compare(name, stated.or(Some(group.live)), *read, written) {
                return Err(fault);
            }
        }
        Ok(())
    }
}

fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// The parts of the pieces that hold some of their rows, counted over all of them.
fn cut(pieces: &[Piece], rows: std::ops::Range<u64>) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut before = 0;
    for piece in pieces {
        let length = piece.live.end - piece.live.start;
        let (from, to) = (rows.start.max(before), rows.end.min(before + length));
        if from < to {
            out.push(Piece { live: from - before..to - before, ..piece.clone() });
        }
        before += length;
    }
    out
}

/// The columns of a group's new files and their fields: the table's data columns; partition columns
/// where all its files hold them; columns of types that only files know, as these files have them.
fn file_columns(
    table: &Table,
    sources: &[Arc<Source>],
    mapping: Mapping,
    views: bool,
) -> Outcome<(Vec<Column>, Vec<FieldRef>)> {
    let (mut out, mut fields) = (Vec::new(), Vec::new());
    for column in columns(table, mapping, views) {
        let probe = column.probe();
        let held = |s: &Arc<Source>| {
            let all = s.meta.schema().fields();
            find(all, &probe, mapping).map(|at| all[at].clone())
        };
        let field = match &column.field {
            Some(_) if column.is_partition && !sources.iter().all(|s| held(s).is_some()) => continue,
            Some(field) => field.clone(),
            None => {
                let mut found = sources.iter().filter_map(held);
                let Some(first) = found.next() else { continue };
                if let Some(other) = found.find(|f| f.data_type() != first.data_type()) {
                    return Err(Fault::read(
                        "schema-conflict",
                        format!("The files differ in the column {}", column.name),
                    )
                    .because(format!("{} and {}", first.data_type(), other.data_type())));
                }
                Arc::new(probe.clone().with_data_type(first.data_type().clone()))
            }
        };
        out.push(column);
        fields.push(field);
    }
    if fields.is_empty() {
        return Err(Fault::feature(
            "no-data-columns",
            "The table's files have no columns that can be copied",
        ));
    }
    Ok((out, fields))
}

/// The partition values of a group's files, which are the same in all of them.
fn common_values(inputs: &[Input]) -> Map<String, Value> {
    inputs.first().map(Input::partition_values).unwrap_or_default()
}
