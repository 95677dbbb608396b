//! The files that a plan looks at, by partition.

use rustc_hash::FxHashSet;

use super::{LeftReason, Output, Plan};
use crate::model::files::{FileList, FileRef};

/// Which files a change may touch.
#[derive(Debug, Clone, Copy, Default)]
pub enum Scope<'a> {
    #[default]
    All,
    /// Ids in the list's partition dictionary.
    Partitions(&'a FxHashSet<u32>),
    /// Indexes in the file list.
    Files(&'a FxHashSet<u32>),
}

impl Scope<'_> {
    /// Whether the file with this index, in this partition, may be touched.
    pub fn holds(&self, index: u32, partition: u32) -> bool {
        match self {
            Scope::All => true,
            Scope::Partitions(ids) => ids.contains(&partition),
            Scope::Files(files) => files.contains(&index),
        }
    }
}

/// A file as the planners see it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input {
    pub index: u32,
    /// Bytes as it is.
    pub size: u64,
    /// Bytes that its live rows would take: its size less the deleted rows' share.
    pub live: u64,
    /// Live rows.
    pub rows: Option<u64>,
    /// Share of its rows that are deleted; none if it has a deletion vector but unknown rows.
    pub deleted: Option<f64>,
}

impl Input {
    pub fn of(index: u32, file: &FileRef<'_>) -> Self {
        let rows = file.live_records();
        let mut input = Input { index, size: file.size, live: file.size, rows, deleted: Some(0.0) };
        if file.deletion_vector.is_some() {
            input.deleted = None;
            if let (Some(all), Some(live)) = (file.records.filter(|n| *n > 0), rows) {
                input.live = (u128::from(file.size) * u128::from(live) / u128::from(all)) as u64;
                input.deleted = Some(1.0 - live as f64 / all as f64);
            }
        }
        input
    }

    pub fn has_vector(&self) -> bool {
        self.deleted != Some(0.0)
    }
}

/// The files in scope of each partition that has any, in the order of partition ids and of the
/// list; those out of scope are noted in `plan`.
pub(super) fn by_partition(list: &FileList, scope: Scope<'_>, plan: &mut Plan) -> Vec<(u32, Vec<Input>)> {
    let mut parts: Vec<Vec<Input>> = vec![Vec::new(); list.partitions.len()];
    let (mut files, mut bytes) = (0u64, 0u64);
    for (index, file) in list.iter().enumerate() {
        let index = index as u32;
        if !scope.holds(index, file.partition) {
            files += 1;
            bytes = bytes.saturating_add(file.size);
            continue;
        }
        let at = file.partition as usize;
        if at >= parts.len() {
            parts.resize(at + 1, Vec::new());
        }
        parts[at].push(Input::of(index, &file));
    }
    plan.leave(LeftReason::OutOfScope, files, bytes);
    (0u32..).zip(parts).filter(|(_, files)| !files.is_empty()).collect()
}

/// Sums of a set of inputs.
pub(super) struct Sums {
    pub size: u64,
    pub live: u64,
    pub rows: Option<u64>,
}

impl Sums {
    pub fn of(inputs: &[Input]) -> Self {
        let add = |of: fn(&Input) -> u64| inputs.iter().map(of).fold(0, u64::saturating_add);
        let rows = inputs.iter().try_fold(0u64, |sum, i| i.rows.map(|r| sum.saturating_add(r)));
        Sums { size: add(|i| i.size), live: add(|i| i.live), rows }
    }
}

/// `n` files that share `bytes` and `rows` evenly: rows differ by at most one, bytes go with them.
pub(super) fn even_outputs(bytes: u64, rows: Option<u64>, n: u64) -> Vec<Output> {
    let share = |total: u64, upto: u64, of: u64| u128::from(total) * u128::from(upto) / u128::from(of.max(1));
    (0..n)
        .map(|i| {
            let rows_here = rows.map(|r| r / n + u64::from(i < r % n));
            // By rows where they are known, so that each output's bytes match its rows.
            let (from, to, of) = match rows.filter(|r| *r > 0) {
                Some(r) => {
                    let before = |i: u64| i * (r / n) + i.min(r % n);
                    (before(i), before(i + 1), r)
                }
                None => (i, i + 1, n),
            };
            Output { bytes: (share(bytes, to, of) - share(bytes, from, of)) as u64, rows: rows_here }
        })
        .collect()
}
