//! `deltop optimize`, `rewrite`, `undo`: the plan; with `--yes` and `--allow-writes` also the change.

pub(super) mod text;

use serde_json::Value;

use super::args::{ChangeArgs, CodecArg, LayoutArgs, OptimizeArgs, RewriteArgs, UndoArgs};
use super::call::Call;
use super::output::{self, failed};
use super::task_progress;
use crate::model::change::{Change, Codec, Done, Goal, Order, PlanView, Report, Rewrite, Scope};
use crate::model::plan::names_of;
use crate::model::{Fault, Outcome};
use crate::runtime::logging;
use crate::tune::{self, Context};

pub async fn optimize(call: &mut Call<'_>, args: &OptimizeArgs) -> Outcome<()> {
    let goal = Goal::Compact { target: args.target_size };
    let change = Change::Rewrite(layout(goal, &args.layout));
    let ctx = with_limits(context(call), &args.change);
    run(call, &change, ctx, args.change.yes).await
}

pub async fn rewrite(call: &mut Call<'_>, args: &RewriteArgs) -> Outcome<()> {
    let goal = match (args.files, args.target_size) {
        (Some(count), _) => Goal::Files { count, per_partition: args.per_partition },
        (None, Some(bytes)) => Goal::Size { bytes },
        (None, None) if args.each_file => Goal::Each,
        (None, None) => {
            return Err(Fault::usage("usage", "rewrite needs --files, --target-size or --each-file"));
        }
    };
    let change = Change::Rewrite(layout(goal, &args.layout));
    let ctx = with_limits(context(call), &args.change);
    run(call, &change, ctx, args.change.yes).await
}

pub async fn undo(call: &mut Call<'_>, args: &UndoArgs) -> Outcome<()> {
    let ctx = context(call);
    run(call, &Change::Undo { to_before: args.to_before }, ctx, args.yes).await
}

fn layout(goal: Goal, args: &LayoutArgs) -> Rewrite {
    let order = match (&args.sort_by, &args.zorder) {
        (None, None) => Order::Kept,
        (Some(names), None) => Order::Sorted(names_of(names)),
        (_, Some(names)) => Order::ZOrder(names_of(names)),
    };
    let codec = match args.codec {
        None | Some(CodecArg::Zstd) => Codec::Zstd,
        Some(CodecArg::Snappy) => Codec::Snappy,
        Some(CodecArg::Gzip) => Codec::Gzip,
        Some(CodecArg::Lz4) => Codec::Lz4,
        Some(CodecArg::Uncompressed) => Codec::Uncompressed,
        Some(CodecArg::Source) => Codec::Source,
    };
    Rewrite {
        goal,
        scope: args.condition.clone().map_or(Scope::Table, Scope::Where),
        order,
        codec,
        row_group_rows: args.row_group_rows,
        purge: args.purge,
        stats: args.stats,
        all: args.codec.is_some_and(|codec| codec != CodecArg::Source),
    }
}

/// The context of this call's change.
pub fn context(call: &Call<'_>) -> Context {
    let mut ctx = Context::new(call.place.clone());
    ctx.allow_writes = call.writes.allowed;
    ctx.memory = call.writes.memory.unwrap_or(ctx.memory);
    ctx.cancel = call.watch.cancel.clone();
    ctx.data_folder = logging::data_folder();
    ctx
}

fn with_limits(mut ctx: Context, args: &ChangeArgs) -> Context {
    ctx.memory = args.memory.unwrap_or(ctx.memory);
    ctx.batch_bytes = args.batch_bytes.unwrap_or(ctx.batch_bytes);
    ctx
}

/// Plans, shows the plan, and carries it out if that is asked for.
pub async fn run(call: &mut Call<'_>, change: &Change, ctx: Context, yes: bool) -> Outcome<()> {
    let (view, done) = carry_out(change, ctx, yes).await?;
    show(call, &view, done.as_ref())
}

/// Plans, and with `yes` carries the plan out.
pub async fn carry_out(change: &Change, mut ctx: Context, yes: bool) -> Outcome<(PlanView, Option<Done>)> {
    if yes {
        ctx.may_write()?;
    }
    let planned = tune::plan(change, &ctx).await?;
    let view = planned.view.clone();
    if !yes {
        return Ok((view, None));
    }
    let (progress, _line) = task_progress::attach();
    ctx.progress = progress;
    let done = tune::run(planned, &ctx).await?;
    Ok((view, Some(done)))
}

/// The plan, and what came of it.
fn show(call: &mut Call<'_>, view: &PlanView, done: Option<&Done>) -> Outcome<()> {
    if call.format.is_text() {
        return text::write(call.out, view, done, call.ascii).map_err(failed);
    }
    let value = json(&view.report, done)?;
    output::object(call.out, call.format, &value)
}

/// A plan, and what came of it, as the command line's JSON.
pub fn json(report: &Report, done: Option<&Done>) -> Outcome<Value> {
    let as_value = |e: serde_json::Error| failed(e.into());
    let mut value = serde_json::to_value(report).map_err(as_value)?;
    if let Some(done) = done {
        let more = serde_json::to_value(done).map_err(as_value)?;
        if let (Value::Object(out), Value::Object(more)) = (&mut value, more) {
            out.extend(more);
        }
    }
    Ok(value)
}
