//! What the rules look at. Whatever was not read is none, and the rules that need it stay silent.

use std::sync::OnceLock;

use super::thresholds::Thresholds;
use crate::model::double_rewrite::DoubleRewrite;
use crate::model::evidence::{ColumnClustering, Evidence, Unreferenced};
use crate::model::files::FileList;
use crate::model::footer_summary::FooterSummary;
use crate::model::gate;
use crate::model::plan::{CompactOptions, Plan, Scope, compact, resize};
use crate::model::rollup::{Measures, PartitionTree};
use crate::model::stats::StatsTable;
use crate::model::table::{Table, Tombstones};
use crate::model::target::SizeTarget;

/// A table at one version, as far as it was read.
pub struct Facts<'a> {
    pub table: &'a Table,
    /// All active files.
    pub files: &'a FileList,
    pub limits: &'a Thresholds,
    pub sum: Measures,
    pub tree: PartitionTree,
    pub target: SizeTarget,
    pub tombstones: Option<Tombstones>,
    /// Statistics of `files`, in their order, for the columns that were asked for.
    pub stats: Option<&'a StatsTable>,
    /// Measures of columns already at hand; else those of the clustering columns come from `stats`.
    pub clustering: Option<&'a [ColumnClustering]>,
    pub footers: Option<&'a FooterSummary>,
    pub unreferenced: Option<Unreferenced>,
    /// From the history, if it was searched.
    pub double_rewrites: Option<&'a [DoubleRewrite]>,
    compaction: OnceLock<Plan>,
    resizing: OnceLock<Plan>,
}

impl<'a> Facts<'a> {
    /// What the log's state tells; the rest is added with `with_…`.
    pub fn new(table: &'a Table, files: &'a FileList, limits: &'a Thresholds) -> Self {
        let tree = PartitionTree::of(files);
        let sum = Measures::of(files);
        let target = limits.band(table, sum.bytes);
        Facts {
            table,
            files,
            limits,
            sum,
            tree,
            target,
            tombstones: None,
            stats: None,
            clustering: None,
            footers: None,
            unreferenced: None,
            double_rewrites: None,
            compaction: OnceLock::new(),
            resizing: OnceLock::new(),
        }
    }

    /// Everything that was gathered.
    pub fn of(evidence: &'a Evidence, limits: &'a Thresholds) -> Self {
        Facts::new(&evidence.table, &evidence.files, limits)
            .with_tombstones(evidence.tombstones)
            .with_stats(evidence.stats.as_deref())
            .with_clustering(evidence.clustering.as_deref())
            .with_footers(evidence.footers.as_ref().map(|f| &f.summary))
            .with_unreferenced(evidence.orphans.as_ref().map(|o| o.sum))
            .with_double_rewrites(evidence.history.as_ref().map(|h| &h.double_rewrites[..]))
    }

    #[must_use]
    pub fn with_tombstones(mut self, tombstones: Option<Tombstones>) -> Self {
        self.tombstones = tombstones;
        self
    }

    #[must_use]
    pub fn with_stats(mut self, stats: Option<&'a StatsTable>) -> Self {
        // Statistics of another list would tell lies about this one.
        self.stats = stats.filter(|s| s.len() == self.files.len());
        self
    }

    #[must_use]
    pub fn with_clustering(mut self, clustering: Option<&'a [ColumnClustering]>) -> Self {
        self.clustering = clustering;
        self
    }

    #[must_use]
    pub fn with_footers(mut self, footers: Option<&'a FooterSummary>) -> Self {
        self.footers = footers;
        self
    }

    #[must_use]
    pub fn with_unreferenced(mut self, unreferenced: Option<Unreferenced>) -> Self {
        self.unreferenced = unreferenced;
        self
    }

    #[must_use]
    pub fn with_double_rewrites(mut self, found: Option<&'a [DoubleRewrite]>) -> Self {
        self.double_rewrites = found;
        self
    }

    /// The compaction of the whole table to the target.
    pub fn compaction(&self) -> &Plan {
        self.compaction.get_or_init(|| {
            compact(self.files, &CompactOptions { target: self.target, scope: Scope::All, purge_above: None })
        })
    }

    /// The rewrite of the whole table to the target.
    pub fn resizing(&self) -> &Plan {
        self.resizing.get_or_init(|| resize(self.files, self.target, Scope::All))
    }

    /// A table property.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.table.metadata.configuration.get(name).map(String::as_str)
    }

    /// Features that keep this program from rewriting the table's data.
    pub fn blocking_features(&self) -> Vec<String> {
        self.features_against(gate::Action::Rewrite)
    }

    /// Features that keep this program from an action.
    pub(super) fn features_against(&self, action: gate::Action) -> Vec<String> {
        gate::refusals(action, self.table).into_iter().map(|r| r.feature).collect()
    }
}
