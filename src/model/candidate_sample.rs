//! Values that a sample of rows holds, where statistics do not tell how many a column has.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::candidates::{Candidate, CandidateRules, Transform, Verdict, bucket, verdict};
use super::stats::StatKind;
use super::units;

/// What a sample says of a candidate. All of it is an estimate but `values`, which do occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CandidateSample {
    /// Rows looked at, those with null left out, and the files that they are of.
    pub num_rows: u64,
    pub num_files: u64,
    /// Distinct values among them.
    pub values: u64,
    /// Distinct values of the whole table, as far as the sample lets one guess.
    pub estimated_values: u64,
}

/// The values of one column in the rows of a sample.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampledValues {
    /// Of a date or time: the values are days since 1970. Else hashes of the values.
    pub days: bool,
    pub files: u64,
    /// How often each value occurs.
    pub counts: FxHashMap<i64, u64>,
}

impl SampledValues {
    /// `total_rows`: of the table, if that is known.
    fn of(&self, transform: Transform, total_rows: Option<u64>) -> Option<CandidateSample> {
        if (transform != Transform::Value) != self.days {
            return None;
        }
        let mut counts: FxHashMap<i64, u64> = FxHashMap::default();
        for (key, n) in &self.counts {
            *counts.entry(bucket(StatKind::Date, transform, *key)).or_default() += n;
        }
        let rows: u64 = counts.values().sum();
        let once = counts.values().filter(|n| **n == 1).count() as u64;
        let values = counts.len() as u64;
        Some(CandidateSample {
            num_rows: rows,
            num_files: self.files,
            values,
            estimated_values: estimated(values, once, rows, total_rows.unwrap_or(rows).max(rows)),
        })
    }
}

/// The guaranteed-error estimator (Charikar, Chaudhuri, Motwani, Narasayya: "Towards Estimation Error
/// Guarantees for Distinct Values", PODS 2000): values seen more than once are all that there are of
/// their kind, those seen once stand for √(N ÷ n) each.
fn estimated(values: u64, once: u64, rows: u64, total_rows: u64) -> u64 {
    if rows == 0 {
        return 0;
    }
    let scale = (total_rows as f64 / rows as f64).sqrt();
    let about = (once as f64).mul_add(scale, (values - once) as f64).round();
    (about as u64).clamp(values, total_rows.max(values))
}

impl Candidate {
    /// Judges by a sample what the statistics leave open. `bytes`, `rows`: of the table.
    pub fn sampled(
        &mut self,
        sampled: &SampledValues,
        bytes: u64,
        rows: Option<u64>,
        rules: &CandidateRules,
    ) {
        let found = sampled.of(self.transform, rows).filter(|s| s.num_rows > 0);
        let Some(found) = found.filter(|_| self.verdict == Verdict::Unknown) else { return };
        // What was seen does occur; what the statistics prove still holds.
        self.at_least = self.at_least.max(found.values);
        let within = |n: u64| self.at_most.map_or(n, |most| n.min(most)).max(self.at_least);
        let about = within(found.estimated_values);
        self.max_bytes_per_value = bytes.checked_div(self.at_least);
        self.sample = Some(CandidateSample { estimated_values: about, ..found });
        let (judged, rule) = verdict(bytes, about, Some(about), rules);
        let of =
            format!("~ by {} rows of {} files", units::count(found.num_rows), units::count(found.num_files));
        (self.verdict, self.rule) = match judged {
            // A value that was not met may still occur.
            Verdict::OneValue => (Verdict::OneValue, format!("one value in all rows looked at ({of})")),
            other => (other, format!("{rule} ({of})")),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::candidates::candidates;
    use crate::model::files::{ChunkBuilder, FileList, NewFile};
    use crate::model::stats::StatsColumn;

    const GIB: u64 = 1 << 30;

    fn values(days: bool, counts: &[(i64, u64)]) -> SampledValues {
        SampledValues { days, files: 2, counts: counts.iter().copied().collect() }
    }

    #[test]
    fn values_seen_once_stand_for_more() {
        assert_eq!(estimated(10, 0, 1000, 1_000_000), 10);
        assert_eq!(estimated(10, 4, 100, 10_000), 46);
        assert_eq!(estimated(100, 100, 100, 10_000), 1000);
        assert_eq!(estimated(100, 100, 100, 100), 100);
        assert_eq!(estimated(0, 0, 0, 9), 0);
    }

    #[test]
    fn what_statistics_leave_open_is_judged_by_a_sample() {
        let column = StatsColumn::of_ints(StatKind::Long, &[Some((1, i64::MAX)); 2]);
        let mut chunk = ChunkBuilder::new(true, 2);
        (0..2)
            .for_each(|_| chunk.push(NewFile { size: 10 * GIB, records: Some(1000), ..NewFile::default() }));
        let mut list = FileList::new(Arc::default(), true, false);
        list.push_chunk(Arc::new(chunk.finish()));
        let rules = CandidateRules::default();
        let judged = |sampled: &SampledValues| {
            let mut c = candidates(&column, &list, &rules).remove(0);
            assert_eq!(c.verdict, Verdict::Unknown);
            c.sampled(sampled, 20 * GIB, Some(2000), &rules);
            c
        };
        let c = judged(&values(false, &[(7, 50), (8, 50), (9, 100)]));
        assert_eq!(
            (c.verdict, c.at_least, c.sample.map(|s| s.estimated_values)),
            (Verdict::Good, 3, Some(3))
        );
        assert!(c.rule.ends_with("(~ by 200 rows of 2 files)"), "{}", c.rule);
        assert_eq!(judged(&values(false, &[(7, 200)])).verdict, Verdict::Good);
        let many: Vec<(i64, u64)> = (0..1500).map(|v| (v, 1)).collect();
        assert_eq!(judged(&values(false, &many)).verdict, Verdict::TooMany);
        // Nothing was looked at, or values of another kind.
        assert_eq!(judged(&values(false, &[])).sample, None);
        assert_eq!(judged(&values(true, &[(7, 1)])).sample, None);
    }

    #[test]
    fn days_make_months_and_years() {
        let days = values(true, &[(0, 2), (1, 2), (31, 2), (365, 2)]);
        let distinct = |t| days.of(t, None).map(|s| s.values);
        assert_eq!(
            [distinct(Transform::Day), distinct(Transform::Month), distinct(Transform::Year)],
            [Some(4), Some(3), Some(2)]
        );
        assert_eq!(distinct(Transform::Value), None);
    }
}
