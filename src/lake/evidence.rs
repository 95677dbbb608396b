//! Gathers what is known of a table, for the advice and the panes alike.

use std::collections::HashSet;
use std::sync::Arc;

use futures::{StreamExt, TryStreamExt};

use super::footer::survey;
use super::history_search;
use super::log::{OpenTable, Want, store};
use super::orphans;
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::clustering::Clustering;
use crate::model::evidence::{ColumnClustering, Evidence, FooterEvidence};
use crate::model::files::FileList;
use crate::model::progress::Progress;
use crate::model::stats::{
    StatsColumn, StatsTable, WantedColumn, indexed_columns, partition_columns, wanted_columns,
};
use crate::model::table::Table;

/// Files up to which [`Footers::IfFew`] reads all of them.
pub const FEW_FILES: usize = 100;
/// Commits that the standard look searches.
pub const COMMITS: usize = 1000;
/// Figures (files times columns) that are kept at most, some 25 bytes each.
const MOST_FIGURES: u64 = 16 << 20;
/// Columns that are read however many files there are.
const FEWEST_COLUMNS: usize = 4;

/// What to look for besides files and tombstones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct What {
    pub columns: Columns,
    pub footers: Footers,
    /// Newest commits to search for double rewrites and for what operations wrote; 0 for none.
    pub commits: usize,
    /// List the table's folder for files that the table does not know.
    pub orphans: bool,
}

/// Whose statistics and clustering to look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Columns {
    #[default]
    None,
    /// The clustering columns, and those that should have statistics
    /// ([`indexed_columns`]).
    Indexed,
    All,
    /// Logical names; nested fields dotted.
    Named(Vec<String>),
}

/// Which footers to read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Footers {
    #[default]
    None,
    /// All, if the table has no more than [`FEW_FILES`] files.
    IfFew,
    /// All, or an even sample of so many.
    AtMost(usize),
}

impl Footers {
    /// How many of so many files to look at.
    pub fn of(self, files: usize) -> usize {
        match self {
            Footers::None => 0,
            Footers::IfFew if files > FEW_FILES => 0,
            Footers::IfFew => files,
            Footers::AtMost(most) => most.min(files),
        }
    }

    /// By a number that a person gave: 0 for none, nothing for [`Footers::IfFew`].
    pub fn asked(most: Option<usize>) -> Self {
        match most {
            None => Footers::IfFew,
            Some(0) => Footers::None,
            Some(most) => Footers::AtMost(most),
        }
    }
}

impl What {
    /// What the grade goes by: the same wherever a table is judged.
    pub fn standard() -> Self {
        What { columns: Columns::Indexed, footers: Footers::IfFew, commits: COMMITS, orphans: false }
    }
}

/// Reads files, tombstones and whatever else `what` asks for.
///
/// Faults: those of [`OpenTable::files`]. A data file without a footer is no fault, it is counted.
pub async fn gather(table: &OpenTable, what: &What, watch: &Watch) -> Outcome<Evidence> {
    let (columns, left_out) = chosen(&table.table, &what.columns);
    let want = Want { records: true, tombstones: true, ..Want::default() };
    let (files, stats) = table.files_with_stats(want, &columns, watch).await?;
    let stats = (what.columns != Columns::None).then(|| Arc::new(stats));
    let (mut partition_columns, mut clustering) = (Arc::default(), None);
    if let Some(stats) = &stats {
        partition_columns = partitions(table.table.clone(), files.list.clone()).await?;
        clustering = Some(measure(stats.clone(), Arc::clone(&partition_columns), watch).await?);
    }
    let history = match what.commits {
        0 => None,
        limit => Some(Arc::new(history_search::search(table, limit, watch).await?)),
    };
    let orphans = match what.orphans {
        true => Some(Arc::new(orphans::find(table, watch).await?)),
        false => None,
    };
    let footers = footers(table, &files.list, what.footers, watch).await?;
    Ok(Evidence {
        table: table.table.clone(),
        files: files.list,
        tombstones: files.tombstones,
        warnings: files.warnings,
        stats,
        partition_columns,
        columns_left_out: left_out,
        clustering,
        footers,
        history,
        orphans,
    })
}

/// The columns to read, and how many of those that were asked for would take too much memory.
/// Clustering columns come first, then the schema's order.
fn chosen(table: &Table, asked: &Columns) -> (Vec<WantedColumn>, u64) {
    let keys = table.clustering_columns();
    let names: Option<HashSet<String>> = match asked {
        Columns::None => return (Vec::new(), 0),
        Columns::All => None,
        Columns::Indexed => Some(indexed_columns(&table.metadata).into_iter().chain(keys.clone()).collect()),
        Columns::Named(names) => Some(names.iter().cloned().collect()),
    };
    let mut columns = wanted_columns(&table.metadata);
    columns.retain(|c| names.as_ref().is_none_or(|n| n.contains(&c.name)));
    if *asked == Columns::Indexed {
        // The advice goes by bounds.
        columns.retain(|c| c.kind.is_ordered());
    }
    let place = |c: &WantedColumn| keys.iter().position(|k| *k == c.name).unwrap_or(keys.len());
    columns.sort_by_key(place);
    // Without a statement, by the log's size: no add action takes less than 100 bytes.
    let files = table.stated.map_or(table.log.bytes / 100, |s| s.files).max(1);
    let most = usize::try_from(MOST_FIGURES / files).unwrap_or(usize::MAX).max(FEWEST_COLUMNS);
    let left_out = columns.len().saturating_sub(most) as u64;
    columns.truncate(most);
    (columns, left_out)
}

async fn partitions(table: Arc<Table>, files: FileList) -> Outcome<Arc<[StatsColumn]>> {
    if table.metadata.partition_columns.is_empty() {
        return Ok(Arc::default());
    }
    store::blocking(move || partition_columns(&table.metadata, &files).into()).await
}

/// Measures the columns, several at the same time.
async fn measure(
    stats: Arc<StatsTable>,
    partitions: Arc<[StatsColumn]>,
    watch: &Watch,
) -> Outcome<Arc<[ColumnClustering]>> {
    let ordered: Vec<usize> = stats
        .columns
        .iter()
        .chain(partitions.iter())
        .enumerate()
        .filter_map(|(at, column)| column.kind.is_ordered().then_some(at))
        .collect();
    let total = ordered.len();
    let at_once = std::thread::available_parallelism().map_or(2, |n| n.get().clamp(1, 8));
    let one = |(done, at): (usize, usize)| {
        let (stats, partitions, watch) = (stats.clone(), partitions.clone(), watch.clone());
        async move {
            watch.check()?;
            watch.progress(Progress::new("measuring columns", done as u64, Some(total as u64), "columns"));
            let measured = store::blocking(move || {
                let column = stats.columns.iter().chain(partitions.iter()).nth(at)?;
                Some(ColumnClustering { column: column.name.clone(), clustering: Clustering::of(column) })
            });
            store::cancellable(&watch, measured).await?
        }
    };
    let measured: Vec<_> = futures::stream::iter(ordered.into_iter().enumerate())
        .map(one)
        .buffered(at_once)
        .try_collect()
        .await?;
    Ok(measured.into_iter().flatten().collect())
}

async fn footers(
    table: &OpenTable,
    files: &FileList,
    asked: Footers,
    watch: &Watch,
) -> Outcome<Option<Arc<FooterEvidence>>> {
    let limit = match asked {
        Footers::None => return Ok(None),
        Footers::IfFew if files.len() > FEW_FILES => return Ok(None),
        Footers::IfFew => None,
        Footers::AtMost(most) => Some(most),
    };
    let survey = survey(&table.place, files, limit, watch, &mut |_| {}).await?;
    let summary = survey.totals.summary(files.len() as u64);
    Ok(Some(Arc::new(FooterEvidence { totals: survey.totals, sample: survey.sample, summary })))
}
