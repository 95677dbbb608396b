//! Spans of time as table properties write them: `interval 7 days`.

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

/// Milliseconds of a calendar interval, such as `interval 1 week`, `30 days`, `interval 2 hours 30
/// minutes` (Spark's CalendarInterval without months and years, which Delta refuses for retention
/// properties). None if it is not of that form.
pub fn parse_interval(text: &str) -> Option<u64> {
    let lower = text.trim().to_ascii_lowercase();
    let rest = lower.strip_prefix("interval ").unwrap_or(&lower);
    let mut words = rest.split_whitespace();
    let mut sum: Option<u64> = None;
    while let Some(number) = words.next() {
        let number: u64 = number.trim_matches('\'').parse().ok()?;
        let unit = words.next()?.trim_matches('\'');
        let unit = match unit.strip_suffix('s').unwrap_or(unit) {
            "week" => 7 * DAY,
            "day" => DAY,
            "hour" => HOUR,
            "minute" => 60_000,
            "second" => 1000,
            "millisecond" => 1,
            _ => return None,
        };
        sum = Some(sum.unwrap_or(0).checked_add(number.checked_mul(unit)?)?);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals() {
        assert_eq!(parse_interval("interval 7 days"), Some(7 * DAY));
        assert_eq!(parse_interval("INTERVAL 1 week"), Some(7 * DAY));
        assert_eq!(parse_interval("interval 2 hours 30 minutes"), Some(150 * 60_000));
        assert_eq!(parse_interval("interval '0' hours"), Some(0));
        assert_eq!(parse_interval("interval 1 month"), None);
        assert_eq!(parse_interval("soon"), None);
        assert_eq!(parse_interval(""), None);
        assert_eq!(parse_interval("interval 99999999999999999999 days"), None);
    }
}
