//! The way into the log: put-if-absent, with our own check of every commit since the plan's version
//! (safety contract, point 5), so that no other writer's work is lost or doubled.
//!
//! ```text
//! info    commitInfo, with in-commit timestamps
//! check   what others committed meanwhile
//! present whether the files that it adds are there
//! send    one attempt, and what became of it
//! hold    a pause between staging and commit, for tests
//! ```

mod check;
mod hold;
mod info;
mod present;
mod send;

use object_store::path::Path;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use crate::lake::log::key::{comparable, comparable_decoded};
use crate::lake::log::{OpenTable, commit_name};
use crate::model::change::{Phase, TaskProgress};
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};
use crate::tune::Context;
use check::{Met, Others};
use send::Sent;

/// The code of the fault that leaves open whether the commit is in the log: whoever gets it must
/// keep what the commit refers to.
pub const UNCLEAR: &str = "commit-unclear";

/// Attempts where the store fails without saying more.
const ATTEMPTS: u32 = 5;

/// What other commits must not have done since the version that a change was planned from.
#[derive(Debug, Clone, Default)]
pub struct Guards {
    /// Removed or replaced one of these files; paths in the form of `comparable`.
    pub files: FxHashSet<String>,
    /// Changed protocol, metadata or a domain's metadata.
    pub metadata: bool,
}

impl Guards {
    /// Guards these files (paths as they stand in the log) and the metadata.
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        Guards { files: paths.into_iter().map(comparable).collect(), metadata: true }
    }

    /// As [`Guards::of`], of paths that are decoded already.
    pub fn of_decoded<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        Guards { files: paths.into_iter().map(comparable_decoded).collect(), metadata: true }
    }
}

/// A commit to be made.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The version that it was planned from.
    pub read_version: u64,
    /// That version's in-commit timestamp, if the table has them enabled.
    pub in_commit: Option<Millis>,
    /// `commitInfo.operation`, as Spark names it.
    pub operation: &'static str,
    pub parameters: Map<String, Value>,
    pub metrics: Map<String, Value>,
    /// Our own part of commitInfo (under `deltop`): which task this commit belongs to.
    pub task: Map<String, Value>,
    /// The other actions, a line of JSON each.
    pub actions: Vec<String>,
    pub guards: Guards,
}

impl Proposal {
    /// A commit on top of an opened table; actions, parameters and guards are still empty.
    pub fn on(table: &OpenTable, operation: &'static str) -> Self {
        let enabled = table.table.metadata.is_on("delta.enableInCommitTimestamps");
        Proposal {
            read_version: table.table.version,
            in_commit: enabled.then(|| table.table.modified.unwrap_or_default()),
            operation,
            parameters: Map::new(),
            metrics: Map::new(),
            task: Map::new(),
            actions: Vec::new(),
            guards: Guards::default(),
        }
    }
}

/// A commit that is in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    pub version: u64,
    /// Others' commits between the plan's version and this one.
    pub others: u64,
}

/// Looks at what others committed since the plan's version, without committing.
///
/// # Errors
/// `conflict` if the plan no longer holds; those of reading others' commits.
pub async fn still_holds(ctx: &Context, proposal: &Proposal) -> Outcome<()> {
    let log = ctx.place.root.clone().join("_delta_log");
    match Others::new(proposal, None).catch_up(ctx, &log).await? {
        Met::Nothing { .. } | Met::Ours { .. } => Ok(()),
        Met::Conflict(fault) => Err(fault),
    }
}

/// Commits.
///
/// Cancelling stops it before an attempt, never during one. Progress tells `Committing` and
/// `others` that got in between.
///
/// # Errors
/// `conflict` (kind conflict: nothing was committed), `commit-failed` (kind change: nothing was
/// committed), [`UNCLEAR`] (kind change: not known), `cancelled`, those of reading others' commits.
pub async fn commit(ctx: &Context, proposal: Proposal) -> Outcome<Committed> {
    let ctx = ctx.clone();
    // A task of its own: dropping whoever waits for it does not break an attempt off.
    let task = tokio::spawn(async move { attempt_all(&ctx, &proposal).await });
    task.await.map_err(|e| unclear("the committing task broke off").because(e))?
}

async fn attempt_all(ctx: &Context, proposal: &Proposal) -> Outcome<Committed> {
    hold::wait(ctx).await?;
    (ctx.progress)(TaskProgress { phase: Phase::Committing, ..TaskProgress::default() });
    let log = ctx.place.root.clone().join("_delta_log");
    let id = uuid::Uuid::new_v4().to_string();
    let mut others = Others::new(proposal, Some(&id));
    // Once an attempt is in doubt, it is found out what became of it, whoever cancels.
    let steady = Context { cancel: tokio_util::sync::CancellationToken::new(), ..ctx.clone() };
    let mut doubt: Option<Doubt> = None;
    let mut failures = 0;
    loop {
        let ctx = if doubt.is_some() { &steady } else { ctx };
        let step = attempt(ctx, proposal, &log, &id, &mut others).await;
        // Another writer has that version now: what was on its way to it comes to nothing.
        doubt.take_if(|d| d.version < others.next());
        let why = match step {
            Ok(Attempt::Committed(version)) => {
                return Ok(Committed { version, others: version - proposal.read_version - 1 });
            }
            Ok(Attempt::Taken) => continue,
            Ok(Attempt::NotThere(why)) => why,
            Ok(Attempt::InDoubt(new)) => doubt.insert(new).why.clone(),
            Err(fault) if doubt.is_none() => return Err(fault),
            Err(fault) => fault.to_string(),
        };
        failures += 1;
        if failures >= ATTEMPTS {
            return Err(match doubt {
                Some(_) => {
                    unclear("the store failed, and does not tell whether it took the commit").because(why)
                }
                None => failed(&why),
            });
        }
        tokio::time::sleep(std::time::Duration::from_millis(50 << failures)).await;
    }
}

/// An attempt of which it is not known whether the store took it, or will.
struct Doubt {
    version: u64,
    why: String,
}

enum Attempt {
    Committed(u64),
    Taken,
    NotThere(String),
    InDoubt(Doubt),
}

async fn attempt(
    ctx: &Context,
    proposal: &Proposal,
    log: &Path,
    id: &str,
    others: &mut Others<'_>,
) -> Outcome<Attempt> {
    ctx.check()?;
    let version = match others.catch_up(ctx, log).await? {
        Met::Nothing { next } => next,
        Met::Ours { version } => return Ok(Attempt::Committed(version)),
        Met::Conflict(fault) => return Err(fault),
    };
    present::check(ctx, &proposal.actions).await?;
    let bytes = info::commit_file(proposal, id, ctx.now(), others.last_in_commit());
    let path = log.clone().join(commit_name(version));
    match send::send(ctx, &path, bytes, id).await {
        Sent::Ours => Ok(Attempt::Committed(version)),
        Sent::Taken => Ok(Attempt::Taken),
        Sent::NotThere(why) => Ok(Attempt::NotThere(why)),
        Sent::InDoubt(why) => Ok(Attempt::InDoubt(Doubt { version, why })),
        Sent::Refused(fault) => Err(fault),
    }
}

fn failed(why: &str) -> Fault {
    Fault::new(crate::model::FaultKind::Change, "commit-failed", "The commit could not be written")
        .because(why.to_owned())
        .hint("Nothing was committed. Check the rights, the space and the connection, then run it again")
}

fn unclear(what: &str) -> Fault {
    Fault::new(
        crate::model::FaultKind::Change,
        UNCLEAR,
        format!("It is not known whether the change was committed: {what}"),
    )
    .hint("The new files were kept. Look at the table's history before you run it again")
}
