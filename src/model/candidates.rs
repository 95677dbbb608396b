//! Which columns would make good partition columns: how many values, how many bytes a value, and
//! whether that is a sensible size. From statistics only; what they cannot prove is said to be
//! unknown, and a query has to tell.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::candidate_sample::CandidateSample;
use super::civil::civil_from_days;
use super::files::FileList;
use super::stats::{Bound, StatKind, StatsColumn, Values};
use super::units;

const DAY_MICROS: i64 = 86_400_000_000;

/// What makes a partition column good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CandidateRules {
    /// Below this many bytes a partition is too fine (dynamic-partitions tutorial: ~64 MB).
    pub min_bytes: u64,
    /// From this many bytes a partition is as it should be (Delta, Databricks, Fabric docs: 1 GB).
    pub ideal_bytes: u64,
    /// More values than this are too many (tens to hundreds are usual).
    pub max_values: u64,
}

impl Default for CandidateRules {
    fn default() -> Self {
        CandidateRules { min_bytes: 64 << 20, ideal_bytes: 1 << 30, max_values: 1000 }
    }
}

/// What is made of the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transform {
    Value,
    Day,
    Month,
    Year,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// At least the ideal bytes a value.
    Good,
    /// Above the minimum, below the ideal.
    Acceptable,
    /// The statistics do not tell.
    Unknown,
    TooFine,
    TooMany,
    OneValue,
}

/// A column, or a part of a date, judged as a partition column.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    pub column: String,
    pub transform: Transform,
    /// Distinct values that provably occur; null is not counted.
    pub at_least: u64,
    /// No more than these can occur; none if the statistics set no limit. Equal to `at_least` if
    /// the number is exact.
    pub at_most: Option<u64>,
    /// Whether there are nulls, which make one more partition; none if that is unknown.
    pub nulls: Option<bool>,
    /// Bytes of the table over the most and over the fewest values possible.
    pub min_bytes_per_value: Option<u64>,
    pub max_bytes_per_value: Option<u64>,
    /// Files whose bounds are unknown.
    pub unknown_files: u64,
    pub verdict: Verdict,
    /// The rule behind the verdict, with its figures.
    pub rule: String,
    /// Rows that were looked at where the statistics do not tell; then the verdict is an estimate.
    pub sample: Option<CandidateSample>,
}

/// The candidates of one column: its values, or the days, months and years of a date or time.
/// None for floating-point columns. `column` must be of the files in `list`, in its order.
pub fn candidates(column: &StatsColumn, list: &FileList, rules: &CandidateRules) -> Vec<Candidate> {
    let transforms: &[Transform] = match column.kind {
        StatKind::Double | StatKind::Unordered => &[],
        StatKind::Date => &[Transform::Day, Transform::Month, Transform::Year],
        StatKind::Timestamp => &[Transform::Day, Transform::Month, Transform::Year],
        _ => &[Transform::Value],
    };
    transforms.iter().map(|t| judge(column, *t, list, rules)).collect()
}

fn judge(column: &StatsColumn, transform: Transform, list: &FileList, rules: &CandidateRules) -> Candidate {
    let bytes = list.sizes().fold(0u64, u64::saturating_add);
    let unknown_files = column.unknown_files() + list.len().saturating_sub(column.len()) as u64;
    let (at_least, mut at_most) = match column.values() {
        Values::Int { min, .. } => {
            let key = |v: i64| bucket(column.kind, transform, v);
            let low = |i: usize| min.get(i).map(|v| key(*v));
            let high = |i: usize| column.upper_int(i).map(key);
            counts(
                column,
                list,
                low,
                high,
                |_| true,
                Some(|a: &i64, b: &i64| i128::from(*b) - i128::from(*a)),
            )
        }
        Values::Wide { min, max } => {
            let (low, high) = (|i: usize| min.get(i).copied(), |i: usize| max.get(i).copied());
            let distance = |a: &i128, b: &i128| b.saturating_sub(*a);
            counts(column, list, low, high, |_| true, Some(distance))
        }
        Values::Text { .. } => {
            let low = |i: usize| column.texts(i).map(|(a, _)| a);
            let high = |i: usize| column.texts(i).map(|(_, b)| b);
            // Writers cut strings in statistics at 32 characters: longer ones are only bounds.
            counts(column, list, low, high, |v| v.len() < 32, None::<NoDistance>)
        }
    };
    if unknown_files > 0 {
        at_most = None;
    }
    let nulls = match (0..column.len()).any(|i| column.nulls(i).is_some_and(|n| n > 0)) {
        true => Some(true),
        false => (column.len() >= list.len() && column.null_count().is_some()).then_some(false),
    };
    let (verdict, rule) = verdict(bytes, at_least, at_most, rules);
    Candidate {
        column: column.name.clone(),
        transform,
        at_least,
        at_most,
        nulls,
        min_bytes_per_value: at_most.and_then(|n| bytes.checked_div(n)),
        max_bytes_per_value: bytes.checked_div(at_least),
        unknown_files,
        verdict,
        rule,
        sample: None,
    }
}

pub(super) fn bucket(kind: StatKind, transform: Transform, key: i64) -> i64 {
    if transform == Transform::Value {
        return key;
    }
    let days = if kind == StatKind::Timestamp { key.div_euclid(DAY_MICROS) } else { key };
    if transform == Transform::Day {
        return days;
    }
    let (year, month, _) = civil_from_days(days);
    if transform == Transform::Year { year } else { year.saturating_mul(12).saturating_add(i64::from(month)) }
}

/// Strings cannot be counted between two bounds.
type NoDistance = fn(&&[u8], &&[u8]) -> i128;

/// Distinct values: how many there are at least and at most. `exact`: whether a tight bound is a
/// value that occurs; `distance`: for types whose values can be counted between two bounds.
fn counts<K: Ord + std::hash::Hash + Clone, D: Fn(&K, &K) -> i128>(
    column: &StatsColumn,
    list: &FileList,
    low: impl Fn(usize) -> Option<K>,
    high: impl Fn(usize) -> Option<K>,
    exact: impl Fn(&K) -> bool,
    distance: Option<D>,
) -> (u64, Option<u64>) {
    let mut seen: FxHashSet<K> = FxHashSet::default();
    let mut constants: FxHashSet<K> = FxHashSet::default();
    let mut ranges: Vec<(K, K)> = Vec::new();
    // At most the values of files with one value, and a value a row of the others.
    let mut by_rows = Some(0u64);
    for (i, file) in list.iter().enumerate().take(column.len()) {
        if !column.bound(i).is_known() {
            continue;
        }
        let Some((a, b)) = low(i).zip(high(i)) else { continue };
        if column.bound(i) == Bound::Tight {
            seen.extend([&a, &b].into_iter().filter(|v| exact(v)).cloned());
        }
        if a == b {
            constants.insert(a.clone());
        } else {
            by_rows = by_rows.zip(file.records).map(|(sum, n)| sum.saturating_add(n));
        }
        ranges.push((a, b));
    }
    let by_rows = by_rows.map(|n| n.saturating_add(constants.len() as u64));
    let by_range = distance.map(|d| covered(ranges, d));
    let at_most = match (by_rows, by_range) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    (seen.len() as u64, at_most.map(|n| n.max(seen.len() as u64)))
}

/// Values that lie in at least one of the ranges.
fn covered<K: Ord>(mut ranges: Vec<(K, K)>, distance: impl Fn(&K, &K) -> i128) -> u64 {
    ranges.sort_unstable();
    let mut sum = 0i128;
    let mut open: Option<(K, K)> = None;
    for (a, b) in ranges {
        open = Some(match open {
            Some((from, to)) if a <= to => (from, to.max(b)),
            Some((from, to)) => {
                sum = sum.saturating_add(distance(&from, &to).saturating_add(1));
                (a, b)
            }
            None => (a, b),
        });
    }
    if let Some((from, to)) = open {
        sum = sum.saturating_add(distance(&from, &to).saturating_add(1));
    }
    u64::try_from(sum).unwrap_or(u64::MAX)
}

pub(super) fn verdict(
    bytes: u64,
    at_least: u64,
    at_most: Option<u64>,
    rules: &CandidateRules,
) -> (Verdict, String) {
    let per_most = bytes.checked_div(at_least).unwrap_or(bytes);
    if at_most.is_some_and(|n| n <= 1) {
        return (Verdict::OneValue, "every file holds the same value: nothing would be skipped".into());
    }
    if at_least > rules.max_values {
        let rule = format!("at least {} values; tens to hundreds are usual", units::count(at_least));
        return (Verdict::TooMany, rule);
    }
    if per_most < rules.min_bytes {
        let rule = format!(
            "at most {} a value; below {} is too fine",
            units::bytes(per_most),
            units::bytes(rules.min_bytes)
        );
        return (Verdict::TooFine, rule);
    }
    let Some(per_least) = at_most.filter(|n| *n <= rules.max_values).and_then(|n| bytes.checked_div(n))
    else {
        return (Verdict::Unknown, "the statistics do not tell the number of values; a query would".into());
    };
    let size = units::bytes(per_least);
    if per_least >= rules.ideal_bytes {
        (
            Verdict::Good,
            format!(
                "at least {size} a value on average; {} or more is ideal",
                units::bytes(rules.ideal_bytes)
            ),
        )
    } else if per_least >= rules.min_bytes {
        (
            Verdict::Acceptable,
            format!(
                "at least {size} a value on average; {} or more is ideal",
                units::bytes(rules.ideal_bytes)
            ),
        )
    } else {
        (
            Verdict::Unknown,
            format!("between {size} and {} a value; a query would tell", units::bytes(per_most)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::{ChunkBuilder, NewFile};
    use crate::model::stats::Scalar;
    use std::sync::Arc;

    const GIB: u64 = 1 << 30;

    fn list(files: usize, size: u64) -> FileList {
        let mut chunk = ChunkBuilder::new(true, files);
        for _ in 0..files {
            chunk.push(NewFile { path: "f", size, records: Some(1000), ..NewFile::default() });
        }
        let mut list = FileList::new(Arc::default(), true, false);
        list.push_chunk(Arc::new(chunk.finish()));
        list
    }

    fn of(kind: StatKind, files: &[Option<(i64, i64)>], size: u64) -> Vec<Candidate> {
        let column = StatsColumn::of_ints(kind, files);
        candidates(&column, &list(files.len(), size), &CandidateRules::default())
    }

    #[test]
    fn constant_files_give_exact_numbers() {
        let c = &of(StatKind::Long, &[Some((1, 1)), Some((1, 1)), Some((9, 9))], GIB)[0];
        assert_eq!((c.at_least, c.at_most, c.verdict), (2, Some(2), Verdict::Good));
        assert_eq!((c.min_bytes_per_value, c.nulls), (Some(3 * GIB / 2), Some(false)));
        assert_eq!(of(StatKind::Long, &[Some((4, 4)); 3], GIB)[0].verdict, Verdict::OneValue);
        assert_eq!(of(StatKind::Boolean, &[Some((0, 1)); 3], 64 << 20)[0].verdict, Verdict::Acceptable);
    }

    #[test]
    fn parts_of_dates() {
        // 2024-01-01 … 2024-12-31 in one file, 2025-01-01 … 2025-03-01 in another.
        let c = of(StatKind::Date, &[Some((19_723, 20_088)), Some((20_089, 20_148))], 10 * GIB);
        let figures: Vec<_> = c.iter().map(|c| (c.transform, c.at_least, c.at_most)).collect();
        use Transform::*;
        assert_eq!(figures, [(Day, 4, Some(426)), (Month, 4, Some(15)), (Year, 2, Some(2))]);
        assert_eq!(c[1].verdict, Verdict::Good);
        let micros = |d: i64| d * DAY_MICROS;
        let c = of(StatKind::Timestamp, &[Some((micros(0), micros(1) - 1000))], GIB);
        assert_eq!((c[0].at_least, c[0].at_most), (1, Some(1)));
    }

    #[test]
    fn what_is_not_proved_is_unknown() {
        let c = &of(StatKind::Long, &[Some((1, 1)), None], 10 * GIB)[0];
        assert_eq!(
            (c.at_most, c.verdict, c.unknown_files, c.nulls),
            (None, Verdict::Unknown, 1, Some(false))
        );
        let c = &of(StatKind::Long, &[Some((1, i64::MAX))], 10 * GIB)[0];
        assert_eq!((c.at_least, c.at_most, c.verdict), (2, Some(1000), Verdict::Unknown));
        let c = &of(StatKind::Long, &[Some((1, 900)), Some((1, 900))], 10 << 20)[0];
        assert_eq!(c.verdict, Verdict::TooFine);
        assert!(of(StatKind::Double, &[None], 1).is_empty());
        let mut column = StatsColumn::new("s", StatKind::Text);
        let long = "x".repeat(32);
        column.push(Ok(Some((Scalar::Text("a".into()), Scalar::Text(long)))), true, Some(1), Some(5));
        let c = &candidates(&column, &list(1, GIB), &CandidateRules::default())[0];
        assert_eq!((c.at_least, c.at_most, c.nulls), (1, Some(1000), Some(true)));
    }
}
