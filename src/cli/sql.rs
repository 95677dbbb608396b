//! `deltop sql`: runs statements, one after another.

use super::args::SqlArgs;
use super::call::Call;
use super::output::{self, failed};
use super::rows::{RowForm, Rows, cancellable, plans_are_no_rows};
use super::{change, refuse_as_of, script};
use crate::lake::sql::{Origin, SqlChange, SqlSession, statements};
use crate::model::query_plan::QueryPlan;
use crate::model::table::AsOf;
use crate::model::text::clean;
use crate::model::{Fault, Outcome};
use crate::tune::Context;

/// A statement of the text.
struct Step {
    origin: Origin,
    sql: String,
    /// None for a query.
    change: Option<SqlChange>,
}

/// Runs each statement and writes its rows; stops at the first that fails. Places in faults count
/// from the start of the whole text.
///
/// A statement that changes a table prints its plan; with `--yes` and `--allow-writes` it runs.
pub async fn run(call: &mut Call<'_>, args: &SqlArgs) -> Outcome<()> {
    let steps = steps(&script::text(args)?)?;
    let form = RowForm::of(call.format, args.format)?;
    if args.explain {
        let session = SqlSession::with_limits(&call.place, call.as_of, call.query, call.watch).await?;
        return explain(call, &session, &steps, form).await;
    }
    may_change(call, args, form, &steps)?;
    if let ([Step { change: Some(change), .. }], RowForm::Json(_) | RowForm::Text) = (&steps[..], form) {
        let (place, as_of, limits) = (call.place.clone(), call.as_of, call.query);
        let session = SqlSession::with_limits(&place, as_of, limits, call.watch).await?;
        let mut ctx = change::context(call);
        ctx.place = cancellable(call.watch, session.table_of(change)).await??;
        let done = change::run(call, &change.change, ctx, args.yes && !change.dry_run).await;
        return done.map_err(in_sql);
    }
    run_all(call, args.yes, form, &steps).await
}

async fn run_all(call: &mut Call<'_>, yes: bool, form: RowForm, steps: &[Step]) -> Outcome<()> {
    let (place, as_of, limits, watch) = (call.place.clone(), call.as_of, call.query, call.watch);
    let open = async || SqlSession::with_limits(&place, as_of, limits, watch).await;
    let (ctx, ascii) = (change::context(call), call.ascii);
    let mut session = open().await?;
    let mut rows = Rows::new(form, steps.len(), call.out)?;
    for (at, step) in steps.iter().enumerate() {
        let work = async {
            let Some(change) = &step.change else {
                let run = cancellable(watch, session.run_at(&step.sql, step.origin)).await??;
                return rows.write(run, watch).await;
            };
            let place = cancellable(watch, session.table_of(change)).await??;
            let ctx = Context { place, ..ctx.clone() };
            let done = change::carry_out(&change.change, ctx, yes && !change.dry_run).await;
            let (view, done) = done.map_err(in_sql)?;
            rows.write_change(&view, done.as_ref(), ascii)?;
            if done.is_some() {
                // What follows sees the new version.
                session = open().await?;
            }
            Ok(())
        };
        if let Err(fault) = work.await {
            let fault = rows.broken_off(fault);
            return Err(if steps.len() > 1 { numbered(fault, at + 1) } else { fault });
        }
    }
    rows.end()
}

fn steps(text: &str) -> Outcome<Vec<Step>> {
    let all = statements(text)?;
    if all.is_empty() {
        return Err(Fault::usage("invalid-sql", "There is no SQL statement to run").hint("deltop sql --help"));
    }
    let several = all.len() > 1;
    let step = |(at, (range, sql)): (usize, (std::ops::Range<usize>, String))| {
        let origin = Origin::at(text, range.start);
        let change = SqlSession::change_at(&sql, origin);
        let change = change.map_err(|fault| if several { numbered(fault, at + 1) } else { fault })?;
        Ok(Step { origin, sql, change })
    };
    all.into_iter().enumerate().map(step).collect()
}

/// Whether the changes among the statements may be made, before the first one is.
fn may_change(call: &Call<'_>, args: &SqlArgs, form: RowForm, steps: &[Step]) -> Outcome<()> {
    let mut changes = steps.iter().filter_map(|s| s.change.as_ref()).peekable();
    if changes.peek().is_none() {
        return Ok(());
    }
    if matches!(form, RowForm::Csv | RowForm::Parquet) {
        return Err(plans_are_no_rows());
    }
    if call.as_of != AsOf::Latest {
        return Err(refuse_as_of());
    }
    if args.yes && changes.any(|c| !c.dry_run) { change::context(call).may_write() } else { Ok(()) }
}

/// Which files the queries would read, and how: a plan each, several as an array.
async fn explain(call: &mut Call<'_>, session: &SqlSession, all: &[Step], form: RowForm) -> Outcome<()> {
    let mut plans = Vec::with_capacity(all.len());
    for step in all {
        plans.push(cancellable(call.watch, session.explain_at(&step.sql, step.origin, false)).await??);
    }
    match (form, &plans[..]) {
        (RowForm::Json(format), [plan]) => output::object(call.out, format, plan.as_ref()),
        (RowForm::Json(format), several) => {
            output::array(call.out, format, several.iter().map(AsRef::as_ref))
        }
        (RowForm::Text, several) => several.iter().enumerate().try_for_each(|(at, plan)| {
            let gap = if at > 0 { "\n" } else { "" };
            call.out.write_all(format!("{gap}{}", in_lines(plan)).as_bytes()).map_err(failed)
        }),
        (RowForm::Csv | RowForm::Parquet, _) => Err(Fault::usage("usage", "--explain gives text or JSON")
            .hint("Leave --format out, or use --format json")),
    }
}

fn in_lines(plan: &QueryPlan) -> String {
    let reads = plan.reads();
    let tree = plan.tree();
    let lines = reads.iter().map(String::as_str).chain(["", "plan"]).map(|l| clean(l).into_owned());
    let tree = tree.iter().map(|l| format!("  {}", clean(l)));
    lines.chain(tree).map(|l| format!("{}\n", l.trim_end())).collect()
}

/// What the planners say to other subcommands, said of a statement.
fn in_sql(mut fault: Fault) -> Fault {
    const SAID: &[(&str, &str)] = &[
        ("The condition of --where", "The condition after WHERE"),
        ("confirm with --below-safe-retention", "use deltop vacuum with --retain and --below-safe-retention"),
        ("the --where predicate", "the condition after WHERE"),
        ("with --where", "with WHERE"),
    ];
    for text in [&mut fault.message, &mut fault.hint] {
        for (option, words) in SAID {
            *text = text.replace(option, words);
        }
    }
    fault
}

fn numbered(mut fault: Fault, number: usize) -> Fault {
    fault.message = format!("Statement {number}: {}", fault.message);
    fault
}
