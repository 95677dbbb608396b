//! Numbers as people read them: bytes, counts, rates, durations, times.

use chrono::{DateTime, SecondsFormat, Utc};

/// Bytes in binary units with three significant digits, such as `3.11 GiB`; whole bytes below 1 KiB.
pub fn bytes(n: u64) -> String {
    let mut unit = 1u64;
    // 1023.95 KiB would print as "1024 KiB"; it steps up to where rounding brings it.
    while unit < 1 << 60 && n as f64 / unit as f64 >= 1023.5 {
        unit <<= 10;
    }
    let value = n as f64 / unit as f64;
    let digits = match value {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    if unit == 1 {
        return format!("{} B", count(n));
    }
    let format = humansize::BINARY.decimal_places(digits).decimal_zeroes(digits);
    humansize::format_size(n.max(unit), format)
}

/// A count with a thin grouping of thousands: `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

/// A count in at most six characters: `9,999`, `1.30 G`, `12.4 M`; for places where exactness has no room.
pub fn short_count(n: u64) -> String {
    if n < 10_000 {
        return count(n);
    }
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 999.5 && unit < 6 {
        value /= 1000.0;
        unit += 1;
    }
    let digits = if value < 9.995 {
        2
    } else if value < 99.95 {
        1
    } else {
        0
    };
    format!("{value:.digits$} {}", ["", "k", "M", "G", "T", "P", "E"][unit])
}

/// How many times as much: `1.0x`, `>100x`. What is divided by next to nothing says no more than that.
pub fn times(ratio: f64) -> String {
    if ratio.is_finite() && ratio < 99.95 { format!("{ratio:.1}x") } else { ">100x".into() }
}

/// Milliseconds since 1970 (UTC), the unit of times in the Delta log.
pub type Millis = i64;

/// ISO 8601 in UTC with milliseconds, as JSON output gives times; `None` outside the calendar.
pub fn iso_time(ms: Millis) -> Option<String> {
    DateTime::<Utc>::from_timestamp_millis(ms).map(|t| t.to_rfc3339_opts(SecondsFormat::Millis, true))
}

/// [`iso_time`] for `#[serde(serialize_with)]`: null outside the calendar.
pub fn serialize_iso<S: serde::Serializer>(ms: &Millis, to: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&iso_time(*ms), to)
}

/// `2026-05-27 00:58:12` in UTC, for tables on the screen; `?` outside the calendar.
pub fn screen_time(ms: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(ms)
        .map_or_else(|| "?".into(), |t| t.format("%Y-%m-%d %H:%M:%S").to_string())
}

/// As [`screen_time`] with milliseconds, for output that people copy times from.
pub fn exact_time(ms: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(ms)
        .map_or_else(|| "?".into(), |t| t.format("%Y-%m-%d %H:%M:%S%.3f").to_string())
}

/// A duration in at most two units: `340 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
pub fn duration(ms: u64) -> String {
    let s = ms / 1000;
    match ms {
        0..=999 => format!("{ms} ms"),
        1_000..=59_949 => format!("{:.1} s", ms as f64 / 1000.0),
        59_950..=3_599_999 => two(s / 60, "min", s % 60, "s"),
        3_600_000..=86_399_999 => two(s / 3600, "h", s % 3600 / 60, "min"),
        _ => two(s / 86_400, "d", s % 86_400 / 3600, "h"),
    }
}

fn two(a: u64, a_unit: &str, b: u64, b_unit: &str) -> String {
    if b == 0 { format!("{a} {a_unit}") } else { format!("{a} {a_unit} {b} {b_unit}") }
}

/// A share as percent with a sensible number of digits: `0 %`, `0.7 %`, `42 %`; never rounds a part to nothing or to all.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".into();
    }
    let p = part as f64 * 100.0 / whole as f64;
    match p {
        _ if part == 0 => "0 %".into(),
        _ if part == whole => "100 %".into(),
        _ if p < 0.1 => "<0.1 %".into(),
        _ if p < 10.0 => format!("{p:.1} %"),
        _ if p >= 99.5 => ">99 %".into(),
        _ => format!("{p:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_three_digits() {
        for (n, s) in [
            (0, "0 B"),
            (1023, "1,023 B"),
            (1024, "1.00 KiB"),
            (26_079_253, "24.9 MiB"),
            (3_338_144_372, "3.11 GiB"),
            (1024 * 1024 - 1, "1.00 MiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(bytes(n), s);
        }
    }

    #[test]
    fn counts() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(
            (times(1.04), times(99.9), times(1784.0)),
            ("1.0x".into(), "99.9x".into(), ">100x".into())
        );
        assert_eq!((times(f64::INFINITY), times(f64::NAN)), (">100x".into(), ">100x".into()));
        assert_eq!(short_count(9_999), "9,999");
        assert_eq!(short_count(1_300_000_000), "1.30 G");
        assert_eq!(short_count(999_950), "1.00 M");
    }

    #[test]
    fn durations_and_shares() {
        assert_eq!(duration(340), "340 ms");
        assert_eq!(duration(59_949), "59.9 s");
        assert_eq!(duration(200_000), "3 min 20 s");
        assert_eq!(duration(7_500_000), "2 h 5 min");
        assert_eq!(percent(1, 10_000), "<0.1 %");
        assert_eq!(percent(9_999, 10_000), ">99 %");
        assert_eq!(percent(3, 412), "0.7 %");
        assert_eq!(percent(0, 0), "–");
    }

    #[test]
    fn times_outside_the_calendar_are_unknown() {
        assert_eq!(iso_time(0).as_deref(), Some("1970-01-01T00:00:00.000Z"));
        assert_eq!(iso_time(i64::MAX), None);
        assert_eq!(screen_time(i64::MIN), "?");
    }
}
