//! From what is selected to all that is known of it: findings, footers, columns.

use super::App;
use super::ctx::Ctx;
use super::diagnosis::ColumnFigures;
use super::layer::Layer;
use super::layer::detail::DetailLayer;
use super::layer::finding::FindingLayer;
use super::layer::histogram::HistogramLayer;
use super::layer::sheet::{Sheet, SheetLayer};
use super::msg::{Job, JobEvent};
use super::pane::Pane;
use super::pane::files::Shown;
use super::pane::files::arrange::Band;
use super::pane::overview::Item;
use super::table::TableView;
use super::work::Work;
use crate::advice::Finding;
use crate::model::units::{bytes, count, percent};

impl App {
    /// Opens the selected finding, or shows the files of the selected bar.
    pub(crate) fn open_overview_item(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table_mut() else { return };
        match table.overview_item() {
            Some(Item::Finding(at)) => {
                let layer = table.findings().get(at).map(|f| table.finding_layer(f));
                self.layers.extend(layer.map(Layer::Finding));
            }
            Some(Item::Bar(at)) => {
                let by = table.overview.by;
                if let Some(bar) = table.bars().get(at) {
                    table.files_pane.set_band(None, Band { by, from: bar.from, to: bar.to }, ctx);
                    table.pane = Pane::Files;
                }
            }
            None => {}
        }
    }

    /// Shows the histogram of the files that are listed, or of the selected partition.
    pub(crate) fn open_histogram(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table() else { return };
        let target = table.summary.as_ref().and_then(|s| s.by_size.recommended);
        let (Some(target), pane) = (target, &table.files_pane) else { return };
        let (title, scope, shown) = match (table.pane, table.partitions.selected_values()) {
            (Pane::Partitions, Some(scope)) => {
                let title = table.partitions.selected_label().unwrap_or_default();
                (title, Some(scope), Shown { list: pane.shown.list.clone(), rows: None })
            }
            _ => {
                let title = if pane.is_narrowed() { "Listed files" } else { "All files" };
                (title.to_owned(), pane.scope.clone(), pane.shown.clone())
            }
        };
        let work = Work::Spread { shown, scope: scope.clone(), target };
        let layer = HistogramLayer::new(title, scope, work, ctx);
        self.layers.push(Layer::Histogram(Box::new(layer)));
    }

    /// Lists the files of the selected bar.
    pub(crate) fn show_bar(&mut self, ctx: &mut Ctx) {
        let Some(Layer::Histogram(layer)) = self.layers.last() else { return };
        let Some(band) = layer.band() else { return };
        let scope = layer.scope.clone();
        self.layers.pop();
        if let Some(table) = self.table_mut() {
            table.files_pane.set_band(scope, band, ctx);
            table.pane = Pane::Files;
        }
    }

    /// Opens the selected file's footer.
    pub(crate) fn open_footer(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table() else { return };
        let (Some(version), Some(file)) =
            (table.table.value.as_ref().map(|t| t.version), table.files_pane.selected())
        else {
            return;
        };
        let job = Job::Footer {
            location: table.location.clone(),
            version,
            path: file.path.to_owned(),
            size: file.size,
        };
        self.layers.push(SheetLayer::loading("Parquet footer".into(), "reading the footer", job, ctx));
    }

    /// Opens the sum of all footers; reads them only once a version.
    pub(crate) fn open_survey(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table() else { return };
        let layer = match (&table.survey, &table.table.value) {
            (Some(survey), _) => SheetLayer::ready(Sheet::survey(survey.clone())),
            (None, Some(t)) => {
                let job = Job::Survey { location: table.location.clone(), version: t.version };
                SheetLayer::loading("Parquet footers of the table".into(), "reading footers", job, ctx)
            }
            (None, None) => return,
        };
        self.layers.push(layer);
    }

    /// Works out the condition in the prompt.
    pub(crate) fn ask_prune(&mut self, ctx: &mut Ctx) {
        let Some((location, version)) = self.table().and_then(|t| {
            let version = t.table.value.as_ref()?.version;
            Some((t.location.clone(), version))
        }) else {
            return;
        };
        if let Some(Layer::Prune(layer)) = self.layers.last_mut() {
            layer.ask(&location, version, ctx);
        }
    }

    /// What the table keeps of an answer that a window waits for.
    pub(super) fn keep(&mut self, event: &JobEvent) {
        if let (JobEvent::Survey(survey), Some(table)) = (event, self.table_mut()) {
            table.survey = Some(survey.clone());
        }
    }
}

impl TableView {
    /// A finding with all that is behind it.
    pub fn finding_layer(&self, finding: &Finding) -> FindingLayer {
        FindingLayer::new(finding, self.summary.as_ref().map(|s| s.total.bytes))
    }

    /// The figures of a column over all files, by its path in the schema.
    pub fn column_figures(&self, path: &[String]) -> Option<&ColumnFigures> {
        self.diagnosis.value.as_ref()?.column(&path.join("."))
    }

    /// All that is known of the selected column.
    pub fn column_detail(&self) -> Option<DetailLayer> {
        let row = self.columns.selected()?;
        let mut d = row.detail();
        match self.column_figures(&row.path) {
            Some(figures) => describe(&mut d, figures, row.roles.contains(&"partition")),
            None if self.diagnosis.running() => d.row("statistics", "still being read"),
            None if row.roles.contains(&"partition") => {
                d.row("statistics", "not worked out yet; its values are those of the Partitions")
            }
            None if row.has_children => d.row("statistics", "none of its own; unfold it"),
            None => d.row("statistics", "none are kept for a column of this type"),
        }
        if let Some(size) = self.column_bytes(row.physical_path()) {
            d.heading("In the files");
            d.row("compressed", bytes(size));
            d.row("all figures", "P sums up the footers");
        }
        Some(d)
    }

    /// Compressed bytes of a column with all that is in it, from the footers that were read; their
    /// names are the physical ones.
    pub fn column_bytes(&self, physical: &[String]) -> Option<u64> {
        let survey = self.survey.as_ref()?;
        let path = physical.join(".");
        let inside = |p: &str| p == path || p.strip_prefix(&path).is_some_and(|rest| rest.starts_with('.'));
        let mut found = survey.columns.iter().filter(|c| inside(&c.path)).peekable();
        found.peek()?;
        Some(found.map(|c| c.compressed_size).fold(0, u64::saturating_add))
    }
}

/// The statistics, then how well they let files be skipped, each with what it means. The values of
/// a partition column are those that the log states for each file.
fn describe(d: &mut DetailLayer, f: &ColumnFigures, partition: bool) {
    let of_files = |n: u64| format!("{} of {} files, {}", count(n), count(f.files), percent(n, f.files));
    if partition {
        d.heading("Values of the partitions");
        d.row("of its type", of_files(f.stats_files));
    } else {
        d.heading("Statistics of the files");
        d.row("with statistics", of_files(f.stats_files));
    }
    d.row("nulls", f.nulls.map_or_else(|| "unknown: a file lacks the figure".into(), count));
    d.row("min", f.min.clone().unwrap_or_else(|| "unknown".into()));
    d.row("max", f.max.clone().unwrap_or_else(|| "unknown".into()));
    let c = &f.clustering;
    d.heading("Clustering");
    let figure = |v: Option<f64>| v.map_or_else(|| "unknown".into(), |v| format!("{v:.2}"));
    let share = |v: Option<f64>| v.map_or_else(|| "unknown".into(), |v| format!("~{}", share_text(v)));
    d.row("average depth", format!("{}: files that share a value; 1 is ideal", figure(c.avg_depth)));
    d.row("maximum depth", c.max_depth.map_or_else(|| "unknown".into(), count));
    d.row("overlaps", format!("{} other files on average", figure(c.overlaps)));
    d.row("constant files", format!("{} hold a single value", of_files(c.constant_files)));
    d.row("point read", format!("{} of the files for one value", share(c.point_read_share)));
    d.row("range read", format!("{} of the files for 1 % of the rows", share(c.range_read_share)));
    if c.unknown_files > 0 {
        d.warn("without bounds", format!("{} files: every query reads them", count(c.unknown_files)));
    }
}

/// A share from 0 to 1 in percent.
pub fn share_text(share: f64) -> String {
    percent((share.clamp(0.0, 1.0) * 1e6).round() as u64, 1_000_000)
}
