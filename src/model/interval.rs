//! Durations as Delta's table properties write them: `interval 30 days`, `interval 1 week 2 hours`.

use super::units::Millis;

const UNITS: &[(&str, i128)] = &[
    ("nanosecond", 1),
    ("microsecond", 1_000),
    ("millisecond", 1_000_000),
    ("second", 1_000_000_000),
    ("minute", 60_000_000_000),
    ("hour", 3_600_000_000_000),
    ("day", 86_400_000_000_000),
    ("week", 604_800_000_000_000),
];

/// Milliseconds of a `CalendarInterval` text, rounded down. The leading word `interval` may be
/// missing, case does not matter, several parts add up (Spark `DeltaConfigs.parseCalendarInterval`).
///
/// The error says what is wrong: months and years have no fixed length and are refused, as are
/// negative durations (`DeltaConfigs.isValidIntervalConfigValue`).
pub fn parse_interval(text: &str) -> Result<Millis, String> {
    let lower = text.trim().to_lowercase();
    let body = match lower.strip_prefix("interval") {
        Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => rest,
        _ => &lower,
    };
    let mut words = body.split_whitespace();
    let mut nanos: i128 = 0;
    let mut parts = 0;
    while let Some(number) = words.next() {
        let unit = words.next().ok_or_else(|| format!("\"{number}\" has no unit"))?;
        let name = unit.strip_suffix('s').unwrap_or(unit);
        if matches!(name, "month" | "year") {
            return Err(format!("a {name} has no fixed length; say it in days"));
        }
        let (_, size) = UNITS
            .iter()
            .find(|(n, _)| *n == name)
            .ok_or_else(|| format!("\"{unit}\" is not a unit of time"))?;
        nanos = amount(number, name, *size)
            .and_then(|n| nanos.checked_add(n))
            .ok_or_else(|| format!("\"{number}\" is not a number of {name}s"))?;
        parts += 1;
    }
    match Millis::try_from(nanos.div_euclid(1_000_000)) {
        _ if parts == 0 => Err("no duration is given".into()),
        _ if nanos < 0 => Err("the duration is negative".into()),
        Ok(millis) => Ok(millis),
        Err(_) => Err("the duration is too long".into()),
    }
}

/// Nanoseconds of `number` units; a fraction is allowed for seconds only, as in Spark.
fn amount(number: &str, unit: &str, size: i128) -> Option<i128> {
    if let Ok(whole) = number.parse::<i64>() {
        return i128::from(whole).checked_mul(size);
    }
    let (whole, fraction) = number.split_once('.').filter(|_| unit == "second")?;
    let digits = fraction.len();
    if digits == 0 || digits > 9 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let part = fraction.parse::<i128>().ok()? * 10i128.pow(9 - digits as u32);
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    let whole: i64 = if matches!(whole, "" | "-" | "+") { 0 } else { whole.parse().ok()? };
    Some(i128::from(whole) * size + sign * part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR: i64 = 3_600_000;

    #[test]
    fn intervals() {
        for (text, expected) in [
            ("interval 30 days", 720 * HOUR),
            ("INTERVAL 1 Week 2 hours", 170 * HOUR),
            ("7 days", 168 * HOUR),
            ("  interval   1 day  ", 24 * HOUR),
            ("interval 1.5 seconds", 1500),
            ("interval 0 seconds", 0),
            ("interval 999999 nanoseconds", 0),
            ("interval 2 days -1 day", 24 * HOUR),
        ] {
            assert_eq!(parse_interval(text), Ok(expected), "{text}");
        }
        for text in [
            "",
            "interval",
            "interval 30",
            "30",
            "interval 1 month",
            "1 years",
            "interval -1 days",
            "a week",
            "interval 1.5 days",
            "interval 1 fortnight",
            "intervals 1 day",
            "interval 9999999999999 weeks",
            "interval 99999999999999999999 days",
            "days 30",
            "interval 1. seconds",
        ] {
            assert!(parse_interval(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_an_interval_or_an_error(text in "(interval )?[-0-9. a-z]{0,30}") {
            if let Ok(millis) = parse_interval(&text) {
                prop_assert!(millis >= 0);
            }
        }

        #[test]
        fn whole_hours_are_exact(days in 0i64..100_000, hours in 0i64..100_000) {
            let text = format!("interval {days} days {hours} hours");
            prop_assert_eq!(parse_interval(&text), Ok((days * 24 + hours) * HOUR));
        }
    }
}
