//! Hours, days and weeks on a clock at a fixed distance from UTC.

use chrono::{DateTime, FixedOffset, Utc};

use super::history::Commit;
use super::units::Millis;

const HOUR: Millis = 3_600_000;
const DAY: Millis = 24 * HOUR;

/// A time zone without summer time, milliseconds east of UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Zone(Millis);

impl Zone {
    pub const UTC: Zone = Zone(0);

    /// Minutes east of UTC; none beyond a day.
    pub fn minutes_east(minutes: i32) -> Option<Zone> {
        (minutes.unsigned_abs() < 24 * 60).then_some(Zone(Millis::from(minutes) * 60_000))
    }

    /// `UTC`, `UTC+02:00`.
    pub fn name(self) -> String {
        let minutes = self.0.unsigned_abs() / 60_000;
        match self.0 {
            0 => "UTC".into(),
            east => {
                let sign = if east > 0 { '+' } else { '-' };
                format!("UTC{sign}{:02}:{:02}", minutes / 60, minutes % 60)
            }
        }
    }

    /// `2026-05-27 00:58:12` on this zone's clock; `?` outside the calendar.
    pub fn show(self, time: Millis) -> String {
        self.local(time).map_or_else(|| "?".into(), |t| t.format("%Y-%m-%d %H:%M:%S").to_string())
    }

    fn local(self, time: Millis) -> Option<DateTime<FixedOffset>> {
        let offset = FixedOffset::east_opt((self.0 / 1000) as i32)?;
        Some(DateTime::<Utc>::from_timestamp_millis(time)?.with_timezone(&offset))
    }
}

/// The length of a bar of a chart over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Span {
    Hour,
    Day,
    /// From Monday on (ISO 8601).
    Week,
}

impl Span {
    pub fn millis(self) -> Millis {
        match self {
            Span::Hour => HOUR,
            Span::Day => DAY,
            Span::Week => 7 * DAY,
        }
    }

    /// The start of the bar that `time` falls in.
    pub fn start(self, time: Millis, zone: Zone) -> Millis {
        // 1970-01-01 was a Thursday, three days after a Monday.
        let shift = if self == Span::Week { 3 * DAY } else { 0 } + zone.0;
        let at = i128::from(time) + i128::from(shift);
        let start = at.div_euclid(self.millis().into()) * i128::from(self.millis()) - i128::from(shift);
        Millis::try_from(start).unwrap_or(Millis::MIN)
    }

    /// The shortest span that shows `from` to `to` in at most `bars` bars; weeks if none does.
    pub fn fitting(from: Millis, to: Millis, bars: usize) -> Span {
        let length = i128::from(to) - i128::from(from);
        let fits = |span: &Span| length / i128::from(span.millis()) + 2 <= bars as i128;
        [Span::Hour, Span::Day].into_iter().find(fits).unwrap_or(Span::Week)
    }

    /// `2026-05-27 13:00` for hours, `2026-05-27` for days and for weeks (their Monday); `?`
    /// outside the calendar.
    pub fn label(self, start: Millis, zone: Zone) -> String {
        let format = if self == Span::Hour { "%Y-%m-%d %H:00" } else { "%Y-%m-%d" };
        zone.local(start).map_or_else(|| "?".into(), |t| t.format(format).to_string())
    }
}

const YEAR_2000: Millis = 946_684_800_000;

/// Whether a commit can have been made at `time`: not before 2000 (file times of copied or odd
/// stores say 1970 or year 1), and not more than a day after `now` (clocks differ, but not by more).
pub fn plausible(time: Millis, now: Millis) -> bool {
    time >= YEAR_2000 && time <= now.saturating_add(DAY)
}

/// Which of a commit's two times a chart goes by; where it is missing or impossible the other stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// [`Commit::timestamp`]: what time travel goes by.
    Version,
    /// [`Commit::stated_timestamp`]: when the writer says that it committed.
    Stated,
}

impl Clock {
    /// `Stated` for a table that was copied: most commits that have both times were written, by
    /// their file, more than a day after the writer says (and that is no impossible time). Else `Version`.
    pub fn best(commits: &[Commit]) -> Clock {
        let stated = |c: &Commit| c.stated_timestamp.filter(|t| *t >= YEAR_2000);
        let late = commits.iter().filter_map(|c| Some(c.timestamp?.saturating_sub(stated(c)?) > DAY));
        let (copied, own) =
            late.fold((0u64, 0u64), |(a, b), late| if late { (a + 1, b) } else { (a, b + 1) });
        if copied > own { Clock::Stated } else { Clock::Version }
    }

    /// The commit's time, if it has a [`plausible`] one.
    pub fn time(self, commit: &Commit, now: Millis) -> Option<Millis> {
        let (first, second) = match self {
            Clock::Version => (commit.timestamp, commit.stated_timestamp),
            Clock::Stated => (commit.stated_timestamp, commit.timestamp),
        };
        let sane = |time: Option<Millis>| time.filter(|t| plausible(*t, now));
        sane(first).or(sane(second))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// 2026-05-27 00:58:12 UTC, a Wednesday.
    const WEDNESDAY: Millis = 1_779_843_492_000;

    #[test]
    fn bars_start_where_the_local_clock_says() {
        let label = |span: Span, zone: Zone| span.label(span.start(WEDNESDAY, zone), zone);
        assert_eq!(label(Span::Hour, Zone::UTC), "2026-05-27 00:00");
        assert_eq!(label(Span::Day, Zone::UTC), "2026-05-27");
        assert_eq!(label(Span::Week, Zone::UTC), "2026-05-25");
        let west = Zone::minutes_east(-180).unwrap();
        assert_eq!(label(Span::Hour, west), "2026-05-26 21:00");
        assert_eq!(label(Span::Day, west), "2026-05-26");
        let india = Zone::minutes_east(330).unwrap();
        assert_eq!(label(Span::Hour, india), "2026-05-27 06:00");
        assert_eq!(Zone::minutes_east(1440), None);
        assert_eq!(Span::Day.label(Millis::MAX, Zone::UTC), "?");
    }

    #[test]
    fn zones_have_names() {
        let zone = |minutes| Zone::minutes_east(minutes).unwrap();
        assert_eq!(
            (Zone::UTC.name(), zone(120).name(), zone(-570).name()),
            ("UTC".into(), "UTC+02:00".into(), "UTC-09:30".into())
        );
        assert_eq!(zone(120).show(WEDNESDAY), "2026-05-27 02:58:12");
        assert_eq!(zone(120).show(Millis::MAX), "?");
    }

    #[test]
    fn spans_fit() {
        assert_eq!(Span::fitting(0, 10 * HOUR, 60), Span::Hour);
        assert_eq!(Span::fitting(0, 50 * DAY, 60), Span::Day);
        assert_eq!(Span::fitting(Millis::MIN, Millis::MAX, 60), Span::Week);
    }

    #[test]
    fn odd_times_are_not_plausible() {
        assert!(plausible(WEDNESDAY, WEDNESDAY) && plausible(WEDNESDAY + DAY, WEDNESDAY));
        for odd in [0, -62_135_596_800_000, Millis::MIN, Millis::MAX, WEDNESDAY + DAY + 1] {
            assert!(!plausible(odd, WEDNESDAY));
        }
    }

    #[test]
    fn a_copied_table_goes_by_what_its_writers_say() {
        let commit =
            |timestamp, stated_timestamp| Commit { timestamp, stated_timestamp, ..Commit::default() };
        let (old, now) = (Some(WEDNESDAY - 90 * DAY), Some(WEDNESDAY));
        let copied = [commit(now, old), commit(now, old), commit(now, now), commit(now, None)];
        assert_eq!(Clock::best(&copied), Clock::Stated);
        assert_eq!(Clock::best(&copied[1..]), Clock::Version);
        assert_eq!(Clock::Stated.time(&copied[0], WEDNESDAY), old);
        assert_eq!(Clock::Stated.time(&copied[3], WEDNESDAY), now);
        assert_eq!(Clock::Version.time(&commit(Some(0), old), WEDNESDAY), old);
        assert_eq!(Clock::Version.time(&commit(Some(0), Some(i64::MAX)), WEDNESDAY), None);
    }

    proptest! {
        #[test]
        fn a_time_lies_in_its_bar(time in -(1i64 << 50)..(1i64 << 50), minutes in -1439i32..1440) {
            let zone = Zone::minutes_east(minutes).unwrap();
            for span in [Span::Hour, Span::Day, Span::Week] {
                let start = span.start(time, zone);
                prop_assert!(start <= time && time < start + span.millis());
                prop_assert_eq!(span.start(start, zone), start);
                prop_assert_eq!(span.start(start - 1, zone), start - span.millis());
            }
        }
    }
}
