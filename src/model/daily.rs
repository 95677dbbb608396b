//! The history by hour, day or week: which versions, and what rows and bytes came and went.

use serde::Serialize;

use super::calendar::{Span, Zone};
use super::trends::Trends;

/// An hour, a day or a week in which the table changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Period {
    /// Its start by the zone's clock: `2026-05-27`, with hours `2026-05-27 13:00`.
    pub period: String,
    pub first_version: u64,
    pub last_version: u64,
    pub num_commits: u64,
    pub num_added_files: u64,
    pub num_removed_files: u64,
    pub added_bytes: u64,
    /// None if a remove states no size.
    pub removed_bytes: Option<u64>,
    /// None if an added file lacks the figure. Rows that were only copied count as added and removed.
    pub added_records: Option<u64>,
    /// None if a removed file lacks the figure.
    pub removed_records: Option<u64>,
    /// The table at its last version; none if unknown.
    pub num_files: Option<u64>,
    pub size_in_bytes: Option<u64>,
    pub num_records: Option<u64>,
}

/// The periods with commits, newest first, at most `most` of them. Commits without a possible time
/// are in none ([`Trends::without_time`] counts them).
pub fn periods(trends: &Trends, span: Span, zone: Zone, most: usize) -> Vec<Period> {
    let slots = trends.filled_slots(span, zone).into_values().rev();
    let periods = slots.filter_map(|slot| {
        let (first_version, last_version) = slot.versions?;
        Some(Period {
            period: span.label(slot.start, zone),
            first_version,
            last_version,
            num_commits: slot.commits,
            num_added_files: slot.added_files,
            num_removed_files: slot.removed_files,
            added_bytes: slot.added_bytes,
            removed_bytes: slot.removed_bytes,
            added_records: slot.added_rows,
            removed_records: slot.removed_rows,
            num_files: slot.level.files,
            size_in_bytes: slot.level.bytes,
            num_records: slot.level.rows,
        })
    });
    periods.take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::super::history::Commit;
    use super::*;

    #[test]
    fn days_of_a_table_of_daily_snapshots() {
        // 2026-05-25 23:30 UTC and on, twice a day.
        let commits: Vec<Commit> = (0..6)
            .map(|v| Commit {
                version: v,
                timestamp: Some(1_779_751_800_000 + v as i64 * 43_200_000),
                added_files: 1,
                added_bytes: 100,
                added_records: Some(10),
                data_change: Some(true),
                ..Commit::default()
            })
            .collect();
        let trends = Trends::of(&commits, &[], &[], 1_800_000_000_000);
        let got = periods(&trends, Span::Day, Zone::UTC, 10);
        let shown: Vec<_> = got
            .iter()
            .map(|d| (&*d.period, d.first_version, d.last_version, d.added_records, d.num_records))
            .collect();
        assert_eq!(
            shown,
            [
                ("2026-05-28", 5, 5, Some(10), Some(60)),
                ("2026-05-27", 3, 4, Some(20), Some(50)),
                ("2026-05-26", 1, 2, Some(20), Some(30)),
                ("2026-05-25", 0, 0, Some(10), Some(10)),
            ]
        );
        let east = Zone::minutes_east(60).unwrap();
        assert_eq!(periods(&trends, Span::Day, east, 1)[0].period, "2026-05-28");
        assert_eq!(periods(&trends, Span::Day, east, 10).len(), 3);
        let json = serde_json::to_value(&got[0]).unwrap();
        assert_eq!(json["removedRecords"], 0);
    }
}
