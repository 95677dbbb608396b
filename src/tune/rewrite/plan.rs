//! From what is asked for to the exact plan and what is shown of it.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Exact, reencode, rows, written};
use crate::lake::filter::Filter;
use crate::lake::log::{OpenTable, Want};
use crate::model::change::{Change, Codec, Goal, Order, PlanView, Report, Rewrite, Scope};
use crate::model::files::{ChunkBuilder, FileList, NewFile};
use crate::model::gate::{self, Action};
use crate::model::histogram::Histogram;
use crate::model::plan::{
    CompactOptions, Machine, Plan, PlanReport, RewriteOptions, Scope as PlanScope, apart, compact, each,
    estimate, name_list, resize_and_purge, rewrite, shell_word, size_word, without_settled,
};
use crate::model::schema::DataType;
use crate::model::table::{AsOf, Table};
use crate::model::target::{SizeTarget, size_target};
use crate::model::units::{bytes, count};
use crate::model::{self, Fault, Outcome};
use crate::tune::{Context, Planned};

/// Opens the table at its newest version and plans. Nothing is written.
pub async fn plan(change: &Rewrite, ctx: &Context) -> Outcome<Planned> {
    let watch = ctx.watch();
    let open = OpenTable::open(&ctx.place, AsOf::Latest, &watch).await?;
    let table = open.table.clone();
    gate::check(Action::Rewrite, &table)?;
    readable_schema(&table)?;
    check_order(&table, &change.order)?;
    let files = open.files(Want { records: true, tags: true, ..Want::default() }, &watch).await?;
    let list = files.list;
    let target = target(change, &table, &list);
    let to_size = matches!(change.goal, Goal::Compact { .. } | Goal::Size { .. });
    let within = |scope: PlanScope<'_>| {
        let held = list.iter().enumerate().filter(|(i, f)| scope.holds(*i as u32, f.partition));
        Ok(held.map(|(i, _)| i).collect::<Vec<_>>())
    };
    let known = match change.goal {
        Goal::Files { .. } => {
            rows::stated_nowhere(&list, &with_scope(change, &table, &list, within)?, ctx).await?
        }
        _ => FxHashMap::default(),
    };
    let fine = match reencode::is_asked(change) && change.order == Order::Kept {
        false => None,
        true => {
            let within = with_scope(change, &table, &list, within)?;
            Some(reencode::fine(change, &open, &list, &within, ctx).await?)
        }
    };
    let plan = with_scope(change, &table, &list, |scope| {
        let mut plan = planned(change, &list, target, scope, &known)?;
        if to_size && change.order == Order::Kept {
            plan = without_settled(plan, &list, target.target);
        }
        Ok(match &fine {
            Some(fine) => model::plan::reencode(plan, &list, scope, fine),
            None => plan,
        })
    })?;
    let sorts = change.order != Order::Kept;
    let kinds = written::kinds(&open, &list, &plan, ctx).await?;
    let alone = sorts || change.purge || reencode::is_asked(change);
    let plan = apart(plan, &list, &kinds, !to_size, alone)?;
    let machine = Machine {
        parallel: ctx.threads as u64,
        sorts,
        bytes_per_second: super::rate::read(ctx),
        columns: model::stats::wanted_columns(&table.metadata).len() as u64,
        ..Machine::default()
    };
    let mut estimate = estimate(&plan, &machine);
    estimate.memory_bytes = estimate.memory_bytes.min(ctx.memory);
    let mut risks = risks(&plan, &open, sorts, estimate.disk_bytes);
    if !plan.is_empty() {
        risks.extend(super::doubled::check(&open, &list, &plan, ctx).await?);
    }
    let command = command(change, &ctx.place.display);
    let report = PlanReport::new(&plan, &table, &list, estimate, risks, command);
    let view = PlanView {
        change: Change::Rewrite(change.clone()),
        report: Report::Rewrite(report),
        before: Some(Histogram::by_size(&list, target)),
        after: Some(Histogram::by_size(&after(&list, &plan), target)),
        empty: plan.is_empty(),
        destructive: false,
    };
    let exact = Exact { open, list, plan, rewrite: change.clone(), target: to_size.then_some(target.target) };
    Ok(Planned::new(view, crate::tune::Exact::Rewrite(Box::new(exact))))
}

fn target(change: &Rewrite, table: &Table, list: &FileList) -> SizeTarget {
    let total = list.iter().map(|f| f.size).fold(0, u64::saturating_add);
    let asked = match change.goal {
        Goal::Compact { target } => target,
        Goal::Size { bytes } => Some(bytes),
        Goal::Files { .. } | Goal::Each => None,
    };
    match asked {
        Some(bytes) => {
            let target = bytes.max(1);
            SizeTarget { target, low: target / 2, high: target.saturating_mul(2), source: "asked for" }
        }
        None => size_target(&table.metadata, total),
    }
}

fn planned(
    change: &Rewrite,
    list: &FileList,
    target: SizeTarget,
    scope: PlanScope<'_>,
    known: &FxHashMap<u32, u64>,
) -> Outcome<Plan> {
    let all = change.order != Order::Kept;
    match change.goal {
        Goal::Files { count, per_partition } => {
            rewrite(list, &RewriteOptions { files: count, per_partition, scope, all, known })
        }
        Goal::Each => Ok(each(list, scope, change.purge, all)),
        Goal::Compact { .. } | Goal::Size { .. } if all => {
            // Everything in scope, to about the target.
            let mut sizes = std::collections::BTreeMap::<u32, u64>::new();
            for (index, file) in (0u32..).zip(list.iter()) {
                let inside = match scope {
                    PlanScope::All => true,
                    PlanScope::Partitions(ids) => ids.contains(&file.partition),
                    PlanScope::Files(files) => files.contains(&index),
                };
                if inside {
                    let sum = sizes.entry(file.partition).or_default();
                    *sum = sum.saturating_add(file.size);
                }
            }
            let parts = |bytes: &u64| (bytes.saturating_add(target.target / 2) / target.target).max(1);
            let files = sizes.values().map(parts).sum();
            if sizes.is_empty() {
                return Ok(compact(list, &CompactOptions { target, scope, purge_above: None }));
            }
            rewrite(list, &RewriteOptions { files, per_partition: false, scope, all: true, known })
        }
        Goal::Compact { .. } => {
            let purge_above = change.purge.then_some(0.0);
            Ok(compact(list, &CompactOptions { target, scope, purge_above }))
        }
        Goal::Size { .. } => Ok(resize_and_purge(list, target, scope, change.purge)),
    }
}

/// Calls `plan` with the scope in the planner's terms.
fn with_scope<T>(
    change: &Rewrite,
    table: &Table,
    list: &FileList,
    plan: impl FnOnce(PlanScope<'_>) -> Outcome<T>,
) -> Outcome<T> {
    match &change.scope {
        Scope::Table => plan(PlanScope::All),
        Scope::Where(text) => {
            let chosen: FxHashSet<u32> =
                Filter::parse(text, &table.metadata)?.matching(list)?.into_iter().collect();
            plan(PlanScope::Files(&chosen))
        }
        Scope::Files(paths) => {
            let wanted: FxHashSet<&str> = paths.iter().map(String::as_str).collect();
            let found = (0u32..).zip(list.iter()).filter(|(_, f)| wanted.contains(f.path));
            let chosen: FxHashSet<u32> = found.map(|(i, _)| i).collect();
            if chosen.len() < wanted.len() {
                return Err(Fault::new(
                    crate::model::FaultKind::Conflict,
                    "files-gone",
                    "Some of the files are not in the table any more",
                )
                .because("another writer removed them")
                .hint("Look at the table as it is now, and choose again"));
            }
            plan(PlanScope::Files(&chosen))
        }
        Scope::Partitions(partitions) => {
            let dict = &list.partitions;
            let names = dict.columns();
            let matches = |id: u32, wanted: &Vec<(String, Option<String>)>| {
                wanted.iter().all(|(name, value)| {
                    let at = names.iter().position(|n| n == name);
                    let held = at.and_then(|at| dict.values(id).get(at)).map(|v| v.as_deref());
                    held == Some(value.as_deref())
                })
            };
            let ids = 0..u32::try_from(dict.len()).unwrap_or(u32::MAX);
            let chosen: FxHashSet<u32> =
                ids.filter(|id| partitions.iter().any(|p| matches(*id, p))).collect();
            plan(PlanScope::Partitions(&chosen))
        }
    }
}

fn readable_schema(table: &Table) -> Outcome<()> {
    match &table.metadata.schema_problem {
        None => Ok(()),
        Some(problem) => Err(Fault::read("bad-schema", "The table's schema cannot be read").because(problem)),
    }
}

/// Columns to sort by must be simple columns that the files hold.
fn check_order(table: &Table, order: &Order) -> Outcome<()> {
    let names = match order {
        Order::Kept => return Ok(()),
        Order::Sorted(names) | Order::ZOrder(names) => names,
    };
    if names.is_empty() {
        return Err(Fault::usage("no-column", "There is no column to sort by"));
    }
    for name in names {
        let fields = &table.metadata.schema;
        let field = fields.iter().find(|f| f.name.eq_ignore_ascii_case(name));
        let why = match field {
            None => "the table has no such column".to_owned(),
            Some(f) if table.metadata.partition_columns.contains(&f.name) => {
                "it is a partition column: within a file it has one value".to_owned()
            }
            Some(f) if !matches!(f.data_type, DataType::Primitive(_)) => {
                format!("it is of type {}", f.data_type)
            }
            Some(_) => continue,
        };
        let known: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
        return Err(Fault::usage("bad-sort-column", format!("Cannot sort by {name}"))
            .because(why)
            .hint(format!("The columns are {}", known.join(", "))));
    }
    Ok(())
}

/// The file list as it would be.
fn after(list: &FileList, plan: &Plan) -> FileList {
    let gone: FxHashSet<u32> = plan.groups.iter().flat_map(|g| g.inputs.iter().copied()).collect();
    let mut chunk = ChunkBuilder::new(true, 0);
    for (_, file) in (0u32..).zip(list.iter()).filter(|(i, _)| !gone.contains(i)) {
        chunk.push(NewFile {
            size: file.size,
            records: file.live_records(),
            partition: file.partition,
            ..NewFile::default()
        });
    }
    for group in &plan.groups {
        for output in &group.outputs {
            let (size, records) = (output.bytes, output.rows);
            chunk.push(NewFile { size, records, partition: group.partition, ..NewFile::default() });
        }
    }
    let mut out = FileList::new(list.partitions.clone(), true, false);
    out.push_chunk(Arc::new(chunk.finish()));
    out
}

fn risks(plan: &Plan, open: &OpenTable, sorts: bool, new_bytes: u64) -> Vec<String> {
    let mut out = Vec::new();
    if plan.is_empty() {
        return out;
    }
    out.push(format!("The old files stay until a vacuum: storage grows by ~{}", bytes(new_bytes)));
    if sorts {
        out.push("Rows change their order; what does not fit into memory is sorted on disk".to_owned());
    }
    if let Some(free) = super::space::free(&open.place)
        && free < new_bytes.saturating_add(new_bytes / 20)
    {
        out.push(format!("The disk has {} free; that may not be enough", bytes(free)));
    }
    let unknown = plan.groups.iter().filter(|g| g.rows.is_none()).count();
    if unknown > 0 {
        out.push(format!(
            "Files of {} groups state no row count: theirs comes from the footers",
            count(unknown as u64)
        ));
    }
    out
}

/// The command that asks for the same.
pub fn command(change: &Rewrite, location: &str) -> String {
    let mut words: Vec<String> = vec!["deltop".into()];
    let place = shell_word(location);
    match change.goal {
        Goal::Compact { target } => {
            words.extend(["optimize".into(), place]);
            words.extend(target.into_iter().flat_map(|t| ["--target-size".into(), size_word(t)]));
        }
        Goal::Files { count, per_partition } => {
            words.extend(["rewrite".into(), place, "--files".into(), count.to_string()]);
            words.extend(per_partition.then(|| "--per-partition".into()));
        }
        Goal::Each => words.extend(["rewrite".into(), place, "--each-file".into()]),
        Goal::Size { bytes } => {
            words.extend(["rewrite".into(), place, "--target-size".into(), size_word(bytes)]);
        }
    }
    match &change.order {
        Order::Kept => {}
        Order::Sorted(names) => words.extend(["--sort-by".into(), shell_word(&name_list(names))]),
        Order::ZOrder(names) => words.extend(["--zorder".into(), shell_word(&name_list(names))]),
    }
    if let Some(text) = condition(&change.scope) {
        words.extend(["--where".into(), shell_word(&text)]);
    }
    let codec = match change.codec {
        Codec::Zstd if change.all => Some("zstd"),
        Codec::Zstd => None,
        Codec::Snappy => Some("snappy"),
        Codec::Gzip => Some("gzip"),
        Codec::Lz4 => Some("lz4"),
        Codec::Uncompressed => Some("uncompressed"),
        Codec::Source => Some("source"),
    };
    words.extend(codec.into_iter().flat_map(|c| ["--codec".into(), c.into()]));
    words.extend(change.row_group_rows.into_iter().flat_map(|n| ["--row-group-rows".into(), n.to_string()]));
    words.extend(change.purge.then(|| "--purge".into()));
    words.extend(change.stats.then(|| "--stats".into()));
    words.join(" ")
}

/// A scope as an SQL condition; none for the whole table.
fn condition(scope: &Scope) -> Option<String> {
    let text = |value: &str| format!("'{}'", value.replace('\'', "''"));
    let name = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    Some(match scope {
        Scope::Table => return None,
        Scope::Where(text) => text.clone(),
        Scope::Files(paths) => {
            let paths: Vec<String> = paths.iter().map(|p| text(p)).collect();
            format!("path in ({})", paths.join(", "))
        }
        Scope::Partitions(partitions) => {
            let one = |partition: &Vec<(String, Option<String>)>| {
                let parts = partition.iter().map(|(column, value)| match value {
                    Some(value) => format!("{} = {}", name(column), text(value)),
                    None => format!("{} is null", name(column)),
                });
                parts.collect::<Vec<_>>().join(" and ")
            };
            partitions.iter().map(one).collect::<Vec<_>>().join(" or ")
        }
    })
}
