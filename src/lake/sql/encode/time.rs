//! Dates and times as ISO 8601 writes them.

use arrow::datatypes::TimeUnit;
use chrono::{DateTime, NaiveDate, NaiveDateTime, Timelike};

/// What stands between date and time, and whether trailing zeros of the fraction stay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `2024-01-31T10:00:00.000`
    Iso,
    /// `2024-01-31 10:00:00`
    People,
}

/// `2024-01-31`; a number of days that no calendar has stays a number.
pub(super) fn date(days: i64) -> String {
    let epoch = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap_or_default();
    let step = chrono::TimeDelta::try_days(days);
    step.and_then(|d| epoch.checked_add_signed(d)).map_or_else(|| days.to_string(), |d| d.to_string())
}

/// A timestamp in UTC, without a zone mark; a time that no calendar has stays a number.
pub(super) fn timestamp(value: i64, unit: TimeUnit, style: Style) -> String {
    let per_second: i64 = match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    };
    let nanos = value.rem_euclid(per_second) * (1_000_000_000 / per_second);
    let time = DateTime::from_timestamp(value.div_euclid(per_second), nanos as u32);
    time.map_or_else(|| value.to_string(), |t| date_time(t.naive_utc(), style))
}

fn date_time(time: NaiveDateTime, style: Style) -> String {
    let between = if style == Style::Iso { 'T' } else { ' ' };
    let seconds = time.format("%H:%M:%S");
    format!("{}{between}{seconds}{}", time.date(), fraction(time.nanosecond(), style))
}

/// Nanoseconds of a second as `.123`, with three, six or nine digits.
fn fraction(nanos: u32, style: Style) -> String {
    match (nanos, style) {
        (0, Style::People) => String::new(),
        (n, _) if n % 1_000_000 == 0 => format!(".{:03}", n / 1_000_000),
        (n, _) if n % 1_000 == 0 => format!(".{:06}", n / 1_000),
        (n, _) => format!(".{n:09}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_have_the_digits_they_need() {
        let of = |v, u, s| timestamp(v, u, s);
        assert_eq!(of(0, TimeUnit::Second, Style::Iso), "1970-01-01T00:00:00.000");
        assert_eq!(of(-1, TimeUnit::Microsecond, Style::Iso), "1969-12-31T23:59:59.999999");
        assert_eq!(of(1, TimeUnit::Nanosecond, Style::People), "1970-01-01 00:00:00.000000001");
        assert_eq!(of(1_500, TimeUnit::Millisecond, Style::People), "1970-01-01 00:00:01.500");
        assert_eq!(of(i64::MAX, TimeUnit::Second, Style::Iso), i64::MAX.to_string());
    }

    #[test]
    fn dates_far_out() {
        assert_eq!(date(19_753), "2024-01-31");
        assert_eq!(date(-719_162), "0001-01-01");
        assert_eq!(date(i64::MAX), i64::MAX.to_string());
    }
}
