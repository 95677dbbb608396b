//! What a vacuum is planned from: the log, and what is in the table's folder.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::lake::folder;
use crate::lake::footer::Locator;
use crate::lake::log::{OpenTable, Traces, Want};
use crate::lake::place::Place;
use crate::model::change::Vacuum;
use crate::model::gate;
use crate::model::plan::vacuum::{Listed, Mode, VacuumInput, VacuumPlan, vacuum};
use crate::model::retention::Retention;
use crate::model::table::{AsOf, Table};
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};
use crate::tune::Context;

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
        let own = Own::of(&ctx.place);
        let traces = own.traces(traces);
        let mut in_use = FxHashSet::default();
        for file in files.list.iter() {
            let vector = file.deletion_vector.and_then(|v| v.file());
            for path in std::iter::once(file.path).chain(vector.as_deref()) {
                protect(&mut in_use, own.path(path));
            }
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

/// Marks a file as used. An absolute path that is not known to lie in the table may still do so by
/// another name of it (a link, another spelling of the store): whatever it ends like is used too.
fn protect(in_use: &mut FxHashSet<String>, path: String) {
    if path.starts_with('/') || path.contains("://") {
        let ends = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
        in_use.extend(ends.filter(|end| !end.is_empty()).map(str::to_owned));
    }
    in_use.insert(path);
}

/// Recognises the table's own files in absolute paths.
struct Own<'a> {
    place: &'a Place,
    locator: Locator<'a>,
}

impl<'a> Own<'a> {
    fn of(place: &'a Place) -> Self {
        Own { place, locator: Locator::new(place) }
    }

    /// Relative to the table where that is so.
    fn path(&self, path: &str) -> String {
        if !path.starts_with('/') && !path.contains(":/") {
            return path.to_owned();
        }
        match self.locator.locate(path) {
            Ok((store, at)) if Arc::ptr_eq(&store, &self.place.store) => {
                folder::relative(&self.place.root, &at).unwrap_or_else(|| path.to_owned())
            }
            _ => match path.strip_prefix("file:") {
                Some(rest) if rest.starts_with('/') => format!("/{}", rest.trim_start_matches('/')),
                _ => path.to_owned(),
            },
        }
    }

    fn traces(&self, mut traces: Traces) -> Traces {
        for tombstone in &mut traces.tombstones {
            tombstone.path = self.path(&tombstone.path);
            tombstone.vector_file = tombstone.vector_file.as_deref().map(|v| self.path(v));
        }
        for change in &mut traces.change_files {
            change.path = self.path(&change.path);
        }
        traces.once_referenced = traces.once_referenced.iter().map(|p| self.path(p)).collect();
        traces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_recognised() {
        let dir = tempfile::tempdir().unwrap();
        let place = Place::parse(&dir.path().display().to_string(), &Vec::new()).unwrap();
        let root = dir.path().canonicalize().unwrap().display().to_string();
        let own = Own::of(&place);
        assert_eq!(own.path(&format!("{root}/p=1/a b.parquet")), "p=1/a b.parquet");
        assert_eq!(own.path(&format!("file://{root}/x.parquet")), "x.parquet");
        assert_eq!(own.path(&format!("file:{root}/x.parquet")), "x.parquet");
        assert_eq!(own.path("file:/elsewhere/x.parquet"), "/elsewhere/x.parquet");
        assert_eq!(own.path("p=a:b/x.parquet"), "p=a:b/x.parquet");
        let mut in_use = FxHashSet::default();
        protect(&mut in_use, "/mnt/alias/table/p=1/x.parquet".into());
        assert!(in_use.contains("p=1/x.parquet") && in_use.contains("x.parquet"));
    }
}
