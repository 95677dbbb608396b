//! One column's bounds in all files.

use super::kind::StatKind;
use super::value::Scalar;

/// What is known of a column in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// Both bounds; each is a value of the file (`tightBounds`).
    Tight,
    /// Both bounds; the rows may not reach them (a deletion vector came later).
    Wide,
    /// Every row is null, or there is none: no value predicate can match.
    AllNull,
    /// No statistics, or not both bounds.
    #[default]
    Missing,
    /// There is something, but of another type, or damaged.
    Invalid,
    /// Both bounds, the smallest above the largest: engines that do not notice skip the file wrongly.
    Reversed,
}

impl Bound {
    pub fn is_known(self) -> bool {
        matches!(self, Bound::Tight | Bound::Wide)
    }

    /// Nothing can be said about the file's values.
    pub fn is_unknown(self) -> bool {
        matches!(self, Bound::Missing | Bound::Invalid | Bound::Reversed)
    }
}

/// The keys by file; entries of files without known bounds are placeholders.
#[derive(Debug, Clone)]
pub enum Values {
    Int {
        min: Vec<i64>,
        max: Vec<i64>,
    },
    Wide {
        min: Vec<i128>,
        max: Vec<i128>,
    },
    Text {
        bytes: Vec<u8>,
        /// Where each text ends in `bytes`: min of file 0, max of file 0, min of file 1, …
        ends: Vec<usize>,
    },
}

/// A column's statistics, by index in the file list.
#[derive(Debug, Clone)]
pub struct StatsColumn {
    /// Logical name; nested fields dotted.
    pub name: String,
    pub kind: StatKind,
    values: Values,
    bounds: Vec<Bound>,
    /// `u64::MAX` where unknown.
    nulls: Vec<u64>,
}

impl StatsColumn {
    pub fn new(name: impl Into<String>, kind: StatKind) -> Self {
        let values = match kind {
            StatKind::Decimal { .. } => Values::Wide { min: Vec::new(), max: Vec::new() },
            StatKind::Text => Values::Text { bytes: Vec::new(), ends: Vec::new() },
            _ => Values::Int { min: Vec::new(), max: Vec::new() },
        };
        StatsColumn { name: name.into(), kind, values, bounds: Vec::new(), nulls: Vec::new() }
    }

    /// Adds the next file. `bounds`: none if one is missing; an error if they cannot be read.
    /// `records`: the file's rows.
    pub fn push(
        &mut self,
        bounds: Result<Option<(Scalar, Scalar)>, ()>,
        tight: bool,
        nulls: Option<u64>,
        records: Option<u64>,
    ) {
        let nulls = nulls.filter(|n| records.is_none_or(|r| *n <= r));
        let all_null = records == Some(0) || (records.is_some() && nulls == records);
        let state = match bounds {
            Ok(Some((min, max))) if min <= max && self.store(&min, &max) => {
                if tight {
                    Bound::Tight
                } else {
                    Bound::Wide
                }
            }
            Ok(None) if all_null => Bound::AllNull,
            Ok(None) => Bound::Missing,
            Ok(Some((min, max))) if min > max && self.is_number(&min) && self.is_number(&max) => {
                Bound::Reversed
            }
            Ok(Some(_)) | Err(()) => Bound::Invalid,
        };
        if !state.is_known() {
            self.store_nothing();
        }
        self.bounds.push(state);
        self.nulls.push(nulls.unwrap_or(u64::MAX));
    }

    /// Adds the next file: it is null throughout, and it is not known how many rows that is.
    pub(super) fn push_all_null(&mut self) {
        self.store_nothing();
        self.bounds.push(Bound::AllNull);
        self.nulls.push(u64::MAX);
    }

    fn store(&mut self, low: &Scalar, high: &Scalar) -> bool {
        match (&mut self.values, low, high) {
            (Values::Int { min, max }, Scalar::Int(a), Scalar::Int(b)) => {
                min.push(*a);
                max.push(*b);
            }
            (Values::Wide { min, max }, Scalar::Wide(a), Scalar::Wide(b)) => {
                min.push(*a);
                max.push(*b);
            }
            (Values::Text { bytes, ends }, Scalar::Text(a), Scalar::Text(b)) => {
                for text in [a, b] {
                    bytes.extend_from_slice(text.as_bytes());
                    ends.push(bytes.len());
                }
            }
            _ => return false,
        }
        true
    }

    fn store_nothing(&mut self) {
        match &mut self.values {
            Values::Int { min, max } => {
                min.push(0);
                max.push(0);
            }
            Values::Wide { min, max } => {
                min.push(0);
                max.push(0);
            }
            Values::Text { bytes, ends } => ends.extend([bytes.len(); 2]),
        }
    }

    /// Adds the files of another part of the same column after those that are here.
    pub fn append(&mut self, other: StatsColumn) {
        match (&mut self.values, other.values) {
            (Values::Int { min, max }, Values::Int { min: a, max: b }) => {
                min.extend(a);
                max.extend(b);
            }
            (Values::Wide { min, max }, Values::Wide { min: a, max: b }) => {
                min.extend(a);
                max.extend(b);
            }
            (Values::Text { bytes, ends }, Values::Text { bytes: more, ends: e }) => {
                let base = bytes.len();
                bytes.extend(more);
                ends.extend(e.into_iter().map(|end| base + end));
            }
            // Parts of columns of different kinds: the other's files are unknown here.
            _ => {
                for _ in &other.bounds {
                    self.store_nothing();
                }
                self.bounds.extend(other.bounds.iter().map(|_| Bound::Invalid));
                self.nulls.extend(other.nulls);
                return;
            }
        }
        self.bounds.extend(other.bounds);
        self.nulls.extend(other.nulls);
    }

    /// Drops the files whose `keep` is false.
    pub(super) fn retain(&mut self, keep: &[bool]) {
        let kept = |i: usize| keep.get(i).copied().unwrap_or(true);
        match &mut self.values {
            Values::Int { min, max } => {
                pick(min, kept);
                pick(max, kept);
            }
            Values::Wide { min, max } => {
                pick(min, kept);
                pick(max, kept);
            }
            Values::Text { bytes, ends } => {
                let (old, old_ends) = (std::mem::take(bytes), std::mem::take(ends));
                let mut start = 0;
                for (i, end) in old_ends.into_iter().enumerate() {
                    if kept(i / 2) {
                        bytes.extend_from_slice(old.get(start..end).unwrap_or_default());
                        ends.push(bytes.len());
                    }
                    start = end;
                }
            }
        }
        pick(&mut self.bounds, kept);
        pick(&mut self.nulls, kept);
    }

    /// Files.
    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    pub fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    pub fn bound(&self, file: usize) -> Bound {
        self.bounds.get(file).copied().unwrap_or_default()
    }

    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Nulls of the column in the file; none if unknown.
    pub fn nulls(&self, file: usize) -> Option<u64> {
        self.nulls.get(file).copied().filter(|n| *n != u64::MAX)
    }

    /// The two texts of a file of a string column.
    pub fn texts(&self, file: usize) -> Option<(&[u8], &[u8])> {
        let Values::Text { bytes, ends } = &self.values else { return None };
        let (low, high) = (*ends.get(2 * file)?, *ends.get(2 * file + 1)?);
        let start = if file == 0 { 0 } else { *ends.get(2 * file - 1)? };
        Some((bytes.get(start..low)?, bytes.get(low..high)?))
    }

    /// Smallest value of the file as stated; none if unknown or all null.
    pub fn min(&self, file: usize) -> Option<Scalar> {
        self.stated(file).map(|(min, _)| min)
    }

    /// Largest value of the file as stated; for strings it may be an upper bound of a longer one.
    pub fn max(&self, file: usize) -> Option<Scalar> {
        self.stated(file).map(|(_, max)| max)
    }

    fn stated(&self, file: usize) -> Option<(Scalar, Scalar)> {
        if !self.bound(file).is_known() {
            return None;
        }
        match &self.values {
            Values::Int { min, max } => Some((Scalar::Int(*min.get(file)?), Scalar::Int(*max.get(file)?))),
            Values::Wide { min, max } => Some((Scalar::Wide(*min.get(file)?), Scalar::Wide(*max.get(file)?))),
            Values::Text { .. } => {
                let (a, b) = self.texts(file)?;
                let text = |t: &[u8]| Scalar::Text(String::from_utf8_lossy(t).into_owned());
                Some((text(a), text(b)))
            }
        }
    }

    /// The largest key that the file can hold. Timestamps in statistics are cut to milliseconds
    /// (protocol, "Per-file Statistics"), so a whole millisecond stands for all its microseconds.
    pub fn upper_int(&self, file: usize) -> Option<i64> {
        let Values::Int { max, .. } = &self.values else { return None };
        let max = *max.get(file)?;
        let cut = self.kind == StatKind::Timestamp && max % 1000 == 0;
        Some(if cut { max.saturating_add(999) } else { max })
    }

    /// Whether the file provably holds one value (and perhaps nulls).
    pub fn is_constant(&self, file: usize) -> bool {
        self.bound(file).is_known()
            && match &self.values {
                Values::Int { min, .. } => min.get(file).copied() == self.upper_int(file),
                Values::Wide { min, max } => min.get(file) == max.get(file),
                Values::Text { .. } => self.texts(file).is_some_and(|(a, b)| a == b),
            }
    }

    /// Whether a bound is of the column's type, and not NaN.
    fn is_number(&self, value: &Scalar) -> bool {
        match (&self.values, value) {
            (Values::Int { .. }, Scalar::Int(key)) => self.kind != StatKind::Double || *key != i64::MAX,
            (Values::Wide { .. }, Scalar::Wide(_)) | (Values::Text { .. }, Scalar::Text(_)) => true,
            _ => false,
        }
    }

    /// Files whose bounds are [`Bound::Reversed`].
    pub fn reversed_files(&self) -> u64 {
        self.bounds.iter().filter(|b| **b == Bound::Reversed).count() as u64
    }

    /// Files about whose values nothing is known.
    pub fn unknown_files(&self) -> u64 {
        self.bounds.iter().filter(|b| b.is_unknown()).count() as u64
    }

    /// Smallest and largest value over the files with known bounds; see [`Self::unknown_files`]
    /// for how many files could lie outside.
    pub fn range(&self) -> Option<(Scalar, Scalar)> {
        let files = || (0..self.len()).filter(|i| self.bound(*i).is_known());
        match &self.values {
            Values::Int { min, max } => {
                let low = files().filter_map(|i| min.get(i)).min()?;
                let high = files().filter_map(|i| max.get(i)).max()?;
                Some((Scalar::Int(*low), Scalar::Int(*high)))
            }
            Values::Wide { min, max } => {
                let low = files().filter_map(|i| min.get(i)).min()?;
                let high = files().filter_map(|i| max.get(i)).max()?;
                Some((Scalar::Wide(*low), Scalar::Wide(*high)))
            }
            Values::Text { .. } => {
                let low = files().filter_map(|i| self.texts(i)).map(|(a, _)| a).min()?;
                let high = files().filter_map(|i| self.texts(i)).map(|(_, b)| b).max()?;
                let text = |t: &[u8]| Scalar::Text(String::from_utf8_lossy(t).into_owned());
                Some((text(low), text(high)))
            }
        }
    }

    /// Files whose nulls are counted.
    pub fn files_with_nulls_known(&self) -> u64 {
        self.nulls.iter().filter(|n| **n != u64::MAX).count() as u64
    }

    /// Nulls over all files; none if a file lacks the figure.
    pub fn null_count(&self) -> Option<u64> {
        self.nulls.iter().try_fold(0u64, |sum, n| (*n != u64::MAX).then(|| sum.saturating_add(*n)))
    }
}

fn pick<T>(values: &mut Vec<T>, kept: impl Fn(usize) -> bool) {
    let mut at = 0;
    values.retain(|_| {
        at += 1;
        kept(at - 1)
    });
}

#[cfg(test)]
impl StatsColumn {
    /// A column of integer-like keys, for tests.
    pub(crate) fn of_ints(kind: StatKind, files: &[Option<(i64, i64)>]) -> Self {
        let mut column = StatsColumn::new("c", kind);
        for file in files {
            column.push(Ok(file.map(|(a, b)| (Scalar::Int(a), Scalar::Int(b)))), true, Some(0), Some(10));
        }
        column
    }
}
