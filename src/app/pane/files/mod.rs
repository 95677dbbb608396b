//! The files: a list of any length, of which only the visible part is looked at.

pub mod arrange;

use std::sync::Arc;

use arrange::{Band, Finder, Narrow, Sort, SortBy};

use crate::app::ctx::Ctx;
use crate::app::layer::detail::DetailLayer;
use crate::app::msg::{Job, JobEvent, JobId};
use crate::app::scroll::Scroll;
use crate::app::work::Work;
use crate::model::files::{FileList, FileRef};
use crate::model::partition::PartitionValues;
use crate::model::units;

/// A list and the order in which it is shown; the indexes belong to this very list.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    pub list: Arc<FileList>,
    /// None: all files, in the log's order.
    pub rows: Option<Arc<[u32]>>,
}

impl Shown {
    pub fn len(&self) -> usize {
        self.rows.as_ref().map_or(self.list.len(), |rows| rows.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a file is shown, if it is.
    fn place(&self, file: FileRef<'_>) -> Option<usize> {
        let row = self.list.find(file)?;
        match &self.rows {
            Some(rows) => rows.iter().position(|r| *r as usize == row),
            None => Some(row),
        }
    }

    /// The file in this place.
    pub fn get(&self, at: usize) -> Option<FileRef<'_>> {
        let row = match &self.rows {
            Some(rows) => *rows.get(at)? as usize,
            None => at,
        };
        (row < self.list.len()).then(|| self.list.get(row))
    }
}

/// The list's state.
#[derive(Debug, Default)]
pub struct FilesPane {
    pub scroll: Scroll,
    pub sort: Sort,
    pub filter: String,
    /// Only files of the partitions that start with these values.
    pub scope: Option<PartitionValues>,
    /// Only files of this bar of a histogram.
    pub band: Option<Band>,
    pub shown: Shown,
    /// The filter that was taken away last.
    last_filter: String,
    /// The newest list; it differs from the shown one while that is still being sorted.
    latest: Arc<FileList>,
    arranging: Option<(JobId, Arc<FileList>)>,
    /// What is shown next is another list in the same order: the selected file stays selected.
    same_order: bool,
}

impl FilesPane {
    /// A list that is longer or more recent than the one before.
    pub fn set_list(&mut self, list: Arc<FileList>, complete: bool, ctx: &mut Ctx) {
        self.latest = list;
        // A growing list is sorted anew only when it has doubled, so that all of it together
        // costs little more than the last time.
        let grown = self.latest.len() >= 2 * self.shown.list.len();
        // While a list streams in, the first row means the first one, whichever that is.
        self.same_order = complete || self.scroll.selected > 0;
        if complete || self.in_log_order() || (grown && self.arranging.is_none()) {
            self.arrange(ctx);
        }
    }

    pub fn set_sort(&mut self, sort: Sort, ctx: &mut Ctx) {
        self.sort = sort;
        self.scroll.selected = 0;
        self.same_order = false;
        self.arrange(ctx);
    }

    pub fn sort_by_column(&mut self, column: usize, ctx: &mut Ctx) {
        if let Some(by) = SortBy::ALL.get(column) {
            self.set_sort(self.sort.toggle(*by), ctx);
        }
    }

    pub fn set_filter(&mut self, filter: &str, ctx: &mut Ctx) {
        if self.filter != filter {
            self.filter = filter.to_owned();
            self.scroll.selected = 0;
            self.same_order = false;
            self.arrange(ctx);
        }
    }

    /// Only files of partitions that start with these values, whatever was filtered before.
    pub fn set_scope(&mut self, scope: PartitionValues, ctx: &mut Ctx) {
        self.filter.clear();
        (self.scope, self.band) = (Some(scope), None);
        self.scroll.selected = 0;
        self.arrange(ctx);
    }

    /// Only files of a bar of a histogram, and of a partition if one is given, whatever was filtered before.
    pub fn set_band(&mut self, scope: Option<PartitionValues>, band: Band, ctx: &mut Ctx) {
        self.filter.clear();
        (self.scope, self.band) = (scope, Some(band));
        self.scroll.selected = 0;
        self.same_order = false;
        self.arrange(ctx);
    }

    pub fn is_narrowed(&self) -> bool {
        !self.filter.is_empty() || self.scope.is_some() || self.band.is_some()
    }

    /// Takes the filter away, then the partition or the bar.
    pub fn widen(&mut self, ctx: &mut Ctx) {
        if self.filter.is_empty() {
            (self.scope, self.band) = (None, None);
        } else {
            self.last_filter = std::mem::take(&mut self.filter);
        }
        self.arrange(ctx);
    }

    /// The files that are listed.
    pub fn files(&self) -> impl Iterator<Item = FileRef<'_>> + Clone {
        (0..self.shown.len()).filter_map(|at| self.shown.get(at))
    }

    /// Goes to the next file that the filter finds (the last one, if it was taken away), around the
    /// end; says whether there is another one.
    pub fn find(&mut self, forward: bool) -> bool {
        let len = self.shown.len();
        let text = if self.filter.is_empty() { &self.last_filter } else { &self.filter };
        let finder = Finder::new(text, &self.shown.list);
        let at = self.scroll.selected;
        let step = |n: usize| if forward { (at + n) % len } else { (at + len - n) % len };
        let found = (1..len).map(step).find(|at| self.shown.get(*at).is_some_and(|f| finder.finds(&f)));
        self.scroll.selected = found.unwrap_or(at);
        found.is_some()
    }

    /// Whether there is a filter to look for.
    pub fn can_find(&self) -> bool {
        !self.filter.trim().is_empty() || !self.last_filter.trim().is_empty()
    }

    /// Whether a sort or a filter is still at work.
    pub fn is_arranging(&self) -> bool {
        self.arranging.is_some()
    }

    pub fn stop(&mut self, ctx: &mut Ctx) {
        if let Some((id, _)) = self.arranging.take() {
            ctx.cancel(id);
        }
    }

    /// Takes the answer to its own job; says whether it was that.
    pub fn answer(&mut self, id: JobId, event: &JobEvent, ctx: &mut Ctx) -> bool {
        let Some((_, list)) = self.arranging.take_if(|(job, _)| *job == id) else {
            return false;
        };
        if let JobEvent::Arranged(rows) = event {
            let stale = !Arc::ptr_eq(&list, &self.latest) && self.latest.len() >= 2 * list.len();
            self.show(list, Some(rows.clone()));
            if stale {
                self.arrange(ctx);
            }
        }
        true
    }

    fn in_log_order(&self) -> bool {
        self.sort == Sort::default()
            && self.filter.trim().is_empty()
            && self.scope.is_none()
            && self.band.is_none()
    }

    fn arrange(&mut self, ctx: &mut Ctx) {
        self.stop(ctx);
        let list = self.latest.clone();
        if self.in_log_order() {
            return self.show(list, None);
        }
        let narrow = Narrow { text: self.filter.clone(), scope: self.scope.clone(), band: self.band };
        let work = Work::Arrange { list: list.clone(), sort: self.sort, narrow };
        if !work.is_small() {
            self.arranging = Some((ctx.start(Job::Compute(work)), list));
        } else if let JobEvent::Arranged(rows) = work.run(&|| false) {
            self.show(list, Some(rows));
        }
    }

    fn show(&mut self, list: Arc<FileList>, rows: Option<Arc<[u32]>>) {
        let before = std::mem::replace(&mut self.shown, Shown { list, rows });
        if self.same_order && !Arc::ptr_eq(&before.list, &self.shown.list) {
            let place = before.get(self.scroll.selected).and_then(|file| self.shown.place(file));
            if let Some(at) = place {
                self.scroll.move_to(at);
            }
        }
        self.scroll.clamp(self.shown.len());
    }

    pub fn selected(&self) -> Option<FileRef<'_>> {
        self.shown.get(self.scroll.selected)
    }

    /// All that the log says of the selected file.
    pub fn detail(&self) -> Option<DetailLayer> {
        let file = self.selected()?;
        let list = &self.shown.list;
        let mut d = DetailLayer::new("File");
        d.row("path", file.path);
        d.row("size", format!("{} ({} bytes)", units::bytes(file.size), units::count(file.size)));
        let rows = |n: Option<u64>| n.map_or_else(|| "unknown".to_owned(), units::count);
        d.row("rows", rows(file.live_records()));
        if let (Some(n), Some(per)) =
            (file.live_records(), file.size.checked_div(file.live_records().unwrap_or(0)))
        {
            d.row("bytes a row", format!("{} over {} rows", units::bytes(per), units::short_count(n)));
        }
        d.row("modified", format!("{} UTC", units::screen_time(file.modified)));
        for (column, value) in list.partitions.columns().iter().zip(list.partitions.values(file.partition)) {
            d.value(&format!("partition {column}"), value.as_deref());
        }
        match file.deletion_vector {
            None => d.row("deletion vector", "none"),
            Some(dv) => {
                let before = rows(file.records);
                d.row(
                    "deletion vector",
                    format!("{} of {before} rows deleted", units::count(dv.cardinality)),
                );
                let kind = match dv.storage_type.as_str() {
                    "u" => "in a file beside the table's",
                    "p" => "in a file at an absolute path",
                    "i" => "inline in the log",
                    other => other,
                };
                let size = units::bytes(u64::try_from(dv.size_in_bytes).unwrap_or(0));
                d.row("kept", format!("{kind}, {size}"));
                d.row("vector id", dv.unique_id());
            }
        }
        for (key, value) in file.tags.into_iter().flatten() {
            d.value(&format!("tag {key}"), value.as_deref());
        }
        Some(d)
    }
}
