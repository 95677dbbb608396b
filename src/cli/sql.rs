//! `deltop sql`: runs statements, one after another.

use super::args::SqlArgs;
use super::call::Call;
use super::output::{self, failed};
use super::rows::{RowForm, Rows, cancellable};
use super::script;
use crate::lake::sql::{Origin, SqlSession, statements};
use crate::model::query_plan::QueryPlan;
use crate::model::text::clean;
use crate::model::{Fault, Outcome};

/// Runs each statement and writes its rows; stops at the first that fails. Places in faults count
/// from the start of the whole text.
pub async fn run(call: &mut Call<'_>, args: &SqlArgs) -> Outcome<()> {
    let text = script::text(args)?;
    let all = statements(&text)?;
    if all.is_empty() {
        return Err(Fault::usage("invalid-sql", "There is no SQL statement to run").hint("deltop sql --help"));
    }
    let all: Vec<(Origin, &str)> =
        all.iter().map(|(range, sql)| (Origin::at(&text, range.start), sql.as_str())).collect();
    let form = RowForm::of(call.format, args.format)?;
    let session = SqlSession::with_limits(&call.place, call.as_of, call.query, call.watch).await?;
    if args.explain {
        return explain(call, &session, &all, form).await;
    }
    let mut rows = Rows::new(form, all.len(), call.out)?;
    for (at, (origin, sql)) in all.iter().enumerate() {
        let work = async {
            let run = cancellable(call.watch, session.run_at(sql, *origin)).await??;
            rows.write(run, call.watch).await
        };
        if let Err(fault) = work.await {
            let fault = rows.broken_off(fault);
            return Err(if all.len() > 1 { numbered(fault, at + 1) } else { fault });
        }
    }
    rows.end()
}

/// Which files the queries would read, and how: a plan each, several as an array.
async fn explain(
    call: &mut Call<'_>,
    session: &SqlSession,
    all: &[(Origin, &str)],
    form: RowForm,
) -> Outcome<()> {
    let mut plans = Vec::with_capacity(all.len());
    for (origin, sql) in all {
        plans.push(cancellable(call.watch, session.explain_at(sql, *origin, false)).await??);
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

fn numbered(mut fault: Fault, number: usize) -> Fault {
    fault.message = format!("Statement {number}: {}", fault.message);
    fault
}
