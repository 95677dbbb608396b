//! `deltop advise` and `deltop check`: what is wrong with a table, and what mends it.

mod text;

use super::args::{AdviseArgs, CheckArgs};
use super::call::Call;
use super::output::{self, failed};
use crate::advice::{Facts, Finding, Severity, advise};
use crate::lake::evidence::{Footers, What};
use crate::model::Outcome;
use crate::model::evidence::Evidence;

/// The exit status of a check with findings.
const FOUND: u8 = 1;

pub async fn run(call: &mut Call<'_>, args: &AdviseArgs) -> Outcome<()> {
    let (found, findings) = judge(call, args).await?;
    write(call, &found, &findings, None)
}

/// Gives the exit status: 1 with findings of at least the severity that was asked for.
pub async fn check(call: &mut Call<'_>, args: &CheckArgs) -> Outcome<u8> {
    let (found, mut findings) = judge(call, &args.advise).await?;
    findings.retain(|f| f.severity >= args.fail_on);
    write(call, &found, &findings, Some(args.fail_on))?;
    Ok(if findings.is_empty() { 0 } else { FOUND })
}

async fn judge(call: &Call<'_>, args: &AdviseArgs) -> Outcome<(Evidence, Vec<Finding>)> {
    let mut what = What { orphans: args.orphans, ..What::standard() };
    match args.footers {
        Some(0) => what.footers = Footers::None,
        Some(most) => what.footers = Footers::AtMost(most),
        None => {}
    }
    let found = call.evidence(&what).await?;
    let findings = advise(&Facts::of(&found, &call.limits));
    Ok((found, findings))
}

/// `only`: findings below this severity were left out.
fn write(call: &mut Call<'_>, found: &Evidence, findings: &[Finding], only: Option<Severity>) -> Outcome<()> {
    if !call.format.is_text() {
        return output::array(call.out, call.format, findings);
    }
    let report = text::Report { found, findings, only, profile: call.profile, ascii: call.ascii };
    text::write(call.out, &report).map_err(failed)
}
