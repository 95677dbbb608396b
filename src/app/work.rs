//! Pure work that may take longer than a frame: over a million files even a sum does.

use std::sync::Arc;

use super::msg::JobEvent;
use super::pane::files::Shown;
use super::pane::files::arrange::{Narrow, Sort, arrange};
use super::summary::Summary;
use crate::model::Fault;
use crate::model::files::FileList;
use crate::model::histogram::Histogram;
use crate::model::partition::PartitionValues;
use crate::model::table::Table;
use crate::model::target::SizeTarget;

/// Lists up to this length are worked on at once: that stays far below a frame's time.
pub const SMALL: usize = 20_000;

/// What to compute. Holds shared data only, so it is cheap to pass around.
#[derive(Debug, Clone)]
pub enum Work {
    Summarise {
        list: Arc<FileList>,
        table: Arc<Table>,
    },
    Arrange {
        list: Arc<FileList>,
        sort: Sort,
        narrow: Narrow,
    },
    /// How the shown files are spread, or those of them whose partition starts with `scope`.
    Spread {
        shown: Shown,
        scope: Option<PartitionValues>,
        target: SizeTarget,
    },
}

/// Some files by size and by rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    pub by_size: Histogram,
    pub by_rows: Histogram,
}

impl Work {
    /// Whether it may run inside an update.
    pub fn is_small(&self) -> bool {
        let files = match self {
            Work::Summarise { list, .. } | Work::Arrange { list, .. } => list.len(),
            Work::Spread { shown, .. } => shown.len(),
        };
        files <= SMALL
    }

    /// Does the work. `cancelled` is asked now and then; the answer to a cancelled job is of no use.
    pub fn run(&self, cancelled: &dyn Fn() -> bool) -> JobEvent {
        match self {
            Work::Summarise { list, table } => {
                JobEvent::Summary(Arc::new(Summary::of(list, &table.metadata)))
            }
            Work::Arrange { list, sort, narrow } => match arrange(list, *sort, narrow, cancelled) {
                Some(rows) => JobEvent::Arranged(rows),
                None => JobEvent::Failed(Fault::cancelled()),
            },
            Work::Spread { shown, scope, target } => {
                let partitions = &shown.list.partitions;
                let inside = |partition: u32| match scope {
                    Some(scope) => partitions.values(partition).starts_with(scope),
                    None => true,
                };
                let all = (0..shown.len()).filter_map(|at| shown.get(at));
                let files = all.filter(|f| inside(f.partition));
                let by_size = Histogram::of_sizes(files.clone(), *target);
                JobEvent::Spread(Arc::new(Spread { by_size, by_rows: Histogram::of_rows(files) }))
            }
        }
    }
}

/// Lists are compared by identity: equal ones that are not the same count as different.
impl PartialEq for Work {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Work::Summarise { list: a, table: s }, Work::Summarise { list: b, table: t }) => {
                Arc::ptr_eq(a, b) && Arc::ptr_eq(s, t)
            }
            (
                Work::Arrange { list: a, sort: s, narrow: f },
                Work::Arrange { list: b, sort: t, narrow: g },
            ) => Arc::ptr_eq(a, b) && s == t && f == g,
            (
                Work::Spread { shown: a, scope: s, target: t },
                Work::Spread { shown: b, scope: u, target: v },
            ) => Arc::ptr_eq(&a.list, &b.list) && a.rows == b.rows && s == u && t == v,
            _ => false,
        }
    }
}

impl Eq for Work {}
