//! What a vacuum is planned from: the log, and what is in the table's folder.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::lake::folder;
use crate::lake::log::{OpenTable, Traces, Want};
use crate::lake::own_paths::OwnPaths;
use crate::model::change::Vacuum;
use crate::model::gate;
use crate::model::plan::vacuum::{Listed, Mode, VacuumInput, VacuumPlan, vacuum};
use crate::model::retention::Retention;
use crate::model::table::{AsOf, Table};
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};
use crate::tune::Context;
use crate::tune::journal::{self, table_key};

const HOUR: i64 = 3_600_000;

/// The newest version's view of which files are needed.
pub struct Known {
    pub table: OpenTable,
    traces: Traces,
    /// Paths of active files and of their deletion vectors.
    in_use: FxHashSet<String>,
    /// The table's own retention, hours, rounded up.
    table_hours: u64,
}

impl Known {
    /// Opens the newest version and reads what its log knows of files.
    ///
    /// # Errors
    /// A feature that forbids vacuum, before files are read; a retention property that cannot be
    /// read; those of reading the log.
    pub async fn newest(ctx: &Context) -> Outcome<Known> {
        let watch = ctx.watch();
        let table = OpenTable::open(&ctx.place, AsOf::Latest, &watch).await?;
        gate::check(gate::Action::Vacuum, &table.table)?;
        let table_hours = retention_hours(&table.table)?;
        let traces = table.traces(&watch).await?;
        let files = table.files(Want::default(), &watch).await?;
        let own = OwnPaths::of(&ctx.place);
        let traces = own.traces(traces);
        let mut in_use = own.in_use(&files.list);
        // A change that is still at work will refer to its new files.
        if let Some(data_folder) = &ctx.data_folder {
            let journals = journal::of_table(data_folder, &table_key(&ctx.place));
            in_use.extend(journals.into_iter().filter(|j| j.in_use).flat_map(|j| j.staged));
        }
        Ok(Known { table, traces, in_use, table_hours })
    }

    /// What is in the folder: in lite mode at least of the files that the log names.
    pub async fn listing(&self, mode: Mode, ctx: &Context) -> Outcome<Vec<Listed>> {
        if mode == Mode::Full {
            return folder::list(&ctx.place, &ctx.watch()).await;
        }
        let removed = self.traces.tombstones.iter().flat_map(|t| [Some(&t.path), t.vector_file.as_ref()]);
        let changes = self.traces.change_files.iter().map(|c| &c.path);
        let inside = |path: &&String| !path.starts_with('/') && !path.contains("://");
        let named: BTreeSet<String> = removed.flatten().chain(changes).filter(inside).cloned().collect();
        folder::look_for(&ctx.place, &named, &ctx.watch()).await
    }

    /// Judges the listed files as of `now`. `store_now`: the store's own clock, if it is known.
    ///
    /// # Errors
    /// Those of [`vacuum`].
    pub fn judge(
        &self,
        ask: &Vacuum,
        listing: &[Listed],
        now: Millis,
        store_now: Option<Millis>,
    ) -> Outcome<VacuumPlan> {
        vacuum(&VacuumInput {
            mode: ask.mode,
            retention_hours: ask.retain_hours.unwrap_or(self.table_hours),
            table_retention_hours: self.table_hours,
            below_safe_retention: ask.below_safe_retention,
            include_never_referenced: ask.include_never_referenced,
            now,
            // A log file from our future shows that the clocks differ, even if the store's is not known.
            store_now: store_now.or(self.traces.newest_file.filter(|newest| *newest > now)),
            tombstones: &self.traces.tombstones,
            change_files: &self.traces.change_files,
            in_use: &self.in_use,
            listing: Some(listing),
            once_referenced: Some(&self.traces.once_referenced),
            versions: &self.traces.versions,
        })
    }

    /// The retention that the table asks for, milliseconds.
    pub fn table_retention(&self) -> i64 {
        i64::try_from(self.table_hours).unwrap_or(i64::MAX).saturating_mul(HOUR)
    }
}

fn retention_hours(table: &Table) -> Outcome<u64> {
    let setting = Retention::of(&table.metadata.configuration).deleted_files;
    match setting.problem {
        Some(problem) => Err(Fault::refused("bad-retention", "The table's own retention is not known")
            .because(problem)
            .hint("Set delta.deletedFileRetentionDuration to something like \"interval 7 days\"")),
        None => Ok(u64::try_from(setting.value).unwrap_or(0).div_ceil(HOUR as u64)),
    }
}
