//! One bound: from its JSON text to an ordered key, and back to words.

use std::borrow::Cow;

use super::kind::StatKind;
use crate::model::civil::{civil_from_days, days_from_civil};

/// A bound as an ordered key; which variant follows from the column's [`StatKind`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scalar {
    /// Booleans, integers, dates, timestamps, and doubles by [`double_key`].
    Int(i64),
    /// Decimals, unscaled.
    Wide(i128),
    Text(String),
}

/// An order-preserving integer for a double: −0 equals 0, NaN is above infinity (Spark's order).
pub fn double_key(value: f64) -> i64 {
    if value.is_nan() {
        return i64::MAX;
    }
    let bits = (value + 0.0).to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// The double of a [`double_key`].
pub fn double_from_key(key: i64) -> f64 {
    f64::from_bits((key ^ (((key >> 63) as u64) >> 1) as i64) as u64)
}

/// Reads the JSON text of one `minValues` (`upper` false) or `maxValues` (`upper` true) entry.
/// None if it is not of the column's type or does not fit; a bound that must be rounded is
/// rounded outwards.
pub fn parse_scalar(kind: StatKind, json: &str, upper: bool) -> Option<Scalar> {
    let json = json.trim();
    let quoted = json.starts_with('"');
    match kind {
        StatKind::Boolean => match json {
            "true" => Some(Scalar::Int(1)),
            "false" => Some(Scalar::Int(0)),
            _ => None,
        },
        StatKind::Long => json.parse().ok().map(Scalar::Int),
        StatKind::Double if quoted => named_double(&text(json)?),
        StatKind::Double => {
            let value: f64 = json.parse().ok()?;
            value.is_finite().then(|| Scalar::Int(double_key(value)))
        }
        StatKind::Decimal { scale } if quoted => decimal(&text(json)?, scale, upper),
        StatKind::Decimal { scale } => decimal(json, scale, upper),
        StatKind::Date if quoted => date(text(json)?.as_bytes()).map(Scalar::Int),
        StatKind::Timestamp if quoted => timestamp(text(json)?.trim(), upper).map(Scalar::Int),
        StatKind::Text if quoted => text(json).map(|t| Scalar::Text(t.into_owned())),
        StatKind::Date | StatKind::Timestamp | StatKind::Text | StatKind::Unordered => None,
    }
}

fn text(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains(['\\', '"']) {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str::<String>(json).ok().map(Cow::Owned)
}

fn named_double(name: &str) -> Option<Scalar> {
    let value = match name {
        "NaN" | "nan" => f64::NAN,
        "Infinity" | "+Infinity" | "inf" => f64::INFINITY,
        "-Infinity" | "-inf" => f64::NEG_INFINITY,
        // Some writers quote what their JSON library would not write as it is, such as -0.0.
        other => other.parse().ok().filter(|v: &f64| v.is_finite())?,
    };
    Some(Scalar::Int(double_key(value)))
}

/// `-12.5`, `1.25E+3` → unscaled; digits past the scale round down, or up for an upper bound.
fn decimal(number: &str, scale: u8, upper: bool) -> Option<Scalar> {
    let number = number.trim();
    let (negative, digits) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], digits[at + 1..].parse::<i64>().ok()?),
        None => (digits, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && part.is_empty() || exponent.abs() > 10_000 {
        return None;
    }
    // Digits that stay left of the unscaled value's decimal point.
    let keep = i64::try_from(whole.len()).ok()? + exponent + i64::from(scale);
    let mut unscaled: i128 = 0;
    let mut dropped = false;
    let mut seen: i64 = 0;
    for c in whole.bytes().chain(part.bytes()) {
        let digit = c.is_ascii_digit().then(|| i128::from(c - b'0'))?;
        if seen < keep {
            unscaled = unscaled.checked_mul(10)?.checked_add(digit)?;
        } else {
            dropped |= digit != 0;
        }
        seen += 1;
    }
    if unscaled != 0 {
        for _ in seen..keep {
            unscaled = unscaled.checked_mul(10)?;
        }
    }
    if dropped && negative != upper {
        unscaled = unscaled.checked_add(1)?;
    }
    Some(Scalar::Wide(if negative { -unscaled } else { unscaled }))
}

fn number(bytes: &[u8]) -> Option<i64> {
    if bytes.is_empty() || bytes.len() > 9 {
        return None;
    }
    bytes.iter().try_fold(0i64, |n, b| b.is_ascii_digit().then(|| n * 10 + i64::from(b - b'0')))
}

/// `2026-05-27`, also with a sign and more digits in the year.
fn date(text: &[u8]) -> Option<i64> {
    let (sign, text) = match text.first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let mut parts = text.split(|b| *b == b'-');
    let (year, month, day) = (number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?);
    if parts.next().is_some() {
        return None;
    }
    days_from_civil(sign * year, month as u32, day as u32)
}

/// `2026-05-27T00:58:12.123Z`, with a space for the `T`, an offset, or no zone at all; or a date
/// alone, its midnight, as files have it that are older than a widening from date.
fn timestamp(text: &str, upper: bool) -> Option<i64> {
    let bytes = text.as_bytes();
    let Some(at) = bytes.iter().position(|b| matches!(b, b'T' | b't' | b' ')) else {
        return date(bytes)?.checked_mul(86_400_000_000);
    };
    let days = date(&bytes[..at])?;
    let rest = &bytes[at + 1..];
    let zone = rest.iter().position(|b| matches!(b, b'Z' | b'z' | b'+' | b'-')).unwrap_or(rest.len());
    let offset_seconds = zone_offset(&rest[zone..])?;
    let (clock, fraction) = match rest[..zone].iter().position(|b| *b == b'.') {
        Some(dot) => (&rest[..dot], &rest[dot + 1..zone]),
        None => (&rest[..zone], &[][..]),
    };
    let mut parts = clock.split(|b| *b == b':');
    let (h, m) = (number(parts.next()?)?, number(parts.next()?)?);
    let s = parts.next().map_or(Some(0), number)?;
    if parts.next().is_some() || h > 23 || m > 59 || s > 59 {
        return None;
    }
    let seconds = days.checked_mul(86_400)?.checked_add(h * 3600 + m * 60 + s - offset_seconds)?;
    let (micros, inexact) = micros(fraction)?;
    seconds.checked_mul(1_000_000)?.checked_add(micros + i64::from(upper && inexact))
}

/// The fraction of a second in microseconds, and whether digits were dropped.
fn micros(fraction: &[u8]) -> Option<(i64, bool)> {
    if fraction.len() > 9 {
        return None;
    }
    let digits = fraction.get(..6).unwrap_or(fraction);
    let value = if digits.is_empty() { 0 } else { number(digits)? };
    let rest = fraction.get(6..).unwrap_or_default();
    let inexact = !rest.is_empty() && number(rest)? > 0;
    Some((value * 10i64.pow(6 - digits.len() as u32), inexact))
}

fn zone_offset(zone: &[u8]) -> Option<i64> {
    let sign = match zone.first() {
        None => return Some(0),
        Some(b'Z' | b'z') => return (zone.len() == 1).then_some(0),
        Some(b'-') => -1,
        Some(_) => 1,
    };
    let digits: Vec<u8> = zone[1..].iter().copied().filter(|b| *b != b':').collect();
    let (hours, minutes) = match digits.len() {
        2 => (number(&digits)?, 0),
        4 => (number(&digits[..2])?, number(&digits[2..])?),
        _ => return None,
    };
    (hours <= 18 && minutes <= 59).then_some(sign * (hours * 3600 + minutes * 60))
}

impl StatKind {
    /// A key in words, as Spark prints the value. Text is not cleaned for the terminal.
    pub fn show(self, value: &Scalar) -> String {
        match (self, value) {
            (StatKind::Boolean, Scalar::Int(b)) => (*b != 0).to_string(),
            (StatKind::Double, Scalar::Int(key)) => match double_from_key(*key) {
                v if v.is_nan() => "NaN".into(),
                v if v.is_infinite() => if v > 0.0 { "Infinity" } else { "-Infinity" }.into(),
                v if v != 0.0 && !(1e-6..1e17).contains(&v.abs()) => format!("{v:e}"),
                v => v.to_string(),
            },
            (StatKind::Date, Scalar::Int(days)) => show_date(*days),
            (StatKind::Timestamp, Scalar::Int(micros)) => {
                let (days, rest) = (micros.div_euclid(86_400_000_000), micros.rem_euclid(86_400_000_000));
                let (s, us) = (rest / 1_000_000, rest % 1_000_000);
                let fraction = if us % 1000 == 0 { format!("{:03}", us / 1000) } else { format!("{us:06}") };
                format!("{} {:02}:{:02}:{:02}.{fraction}", show_date(days), s / 3600, s / 60 % 60, s % 60)
            }
            (StatKind::Decimal { scale }, Scalar::Wide(v)) => show_decimal(*v, scale),
            (_, Scalar::Int(v)) => v.to_string(),
            (_, Scalar::Wide(v)) => v.to_string(),
            (_, Scalar::Text(t)) => t.clone(),
        }
    }
}

fn show_date(days: i64) -> String {
    let (y, m, d) = civil_from_days(days);
    format!("{y:04}-{m:02}-{d:02}")
}

fn show_decimal(value: i128, scale: u8) -> String {
    let scale = usize::from(scale);
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let sign = if value < 0 { "-" } else { "" };
    let (whole, part) = digits.split_at(digits.len() - scale);
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(kind: StatKind, json: &str) -> Option<i64> {
        match parse_scalar(kind, json, false)? {
            Scalar::Int(v) => Some(v),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn doubles_keep_their_order() {
        let order = [
            f64::NEG_INFINITY,
            f64::MIN,
            -1.0,
            -f64::MIN_POSITIVE,
            0.0,
            5e-324,
            1.0,
            f64::MAX,
            f64::INFINITY,
        ];
        let keys: Vec<i64> = order.iter().map(|v| double_key(*v)).collect();
        assert!(keys.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(double_key(-0.0), double_key(0.0));
        assert!(double_key(f64::NAN) > double_key(f64::INFINITY));
        assert!(order.iter().all(|v| double_from_key(double_key(*v)) == *v));
        assert!(double_from_key(double_key(f64::NAN)).is_nan());
    }

    #[test]
    fn times_and_dates() {
        assert_eq!(int(StatKind::Date, "\"1970-01-02\""), Some(1));
        assert_eq!(int(StatKind::Date, "\"0000-01-01\""), Some(-719_528));
        assert_eq!(int(StatKind::Date, "\"1970-01-32\""), None);
        assert_eq!(int(StatKind::Date, "19700102"), None);
        let ts = |s: &str| int(StatKind::Timestamp, &format!("\"{s}\""));
        assert_eq!(ts("1970-01-01T00:00:01.5Z"), Some(1_500_000));
        assert_eq!(ts("1970-01-01 01:00:00+01:00"), Some(0));
        assert_eq!(ts("1969-12-31T23:59:59.999999"), Some(-1));
        assert_eq!(ts("1970-01-01T00:00:00.000-0800"), Some(28_800_000_000));
        assert_eq!(ts("yesterday"), None);
        assert_eq!(ts("1970-01-02"), Some(86_400_000_000));
        let nanos = "\"1970-01-01T00:00:00.000000001Z\"";
        assert_eq!(parse_scalar(StatKind::Timestamp, nanos, true), Some(Scalar::Int(1)));
        assert_eq!(parse_scalar(StatKind::Timestamp, nanos, false), Some(Scalar::Int(0)));
    }

    #[test]
    fn decimals_round_outwards() {
        let kind = StatKind::Decimal { scale: 2 };
        let wide = |json, upper| match parse_scalar(kind, json, upper) {
            Some(Scalar::Wide(v)) => Some(v),
            _ => None,
        };
        assert_eq!(wide("12.5", false), Some(1250));
        assert_eq!(wide("-12.345", false), Some(-1235));
        assert_eq!(wide("-12.345", true), Some(-1234));
        assert_eq!(wide("12.345", true), Some(1235));
        assert_eq!(wide("1.2E+3", false), Some(120_000));
        assert_eq!(wide("125e-3", false), Some(12));
        assert_eq!(wide("\"7\"", false), Some(700));
        assert_eq!(wide("0e9999", false), Some(0));
        assert_eq!(wide("9e99", false), None);
        assert_eq!(wide("true", false), None);
        let big = StatKind::Decimal { scale: 0 };
        let digits = "99999999999999999999999999999999999999";
        assert_eq!(parse_scalar(big, digits, true), Some(Scalar::Wide(digits.parse().unwrap())));
        assert_eq!(kind.show(&Scalar::Wide(-5)), "-0.05");
    }

    #[test]
    fn other_types_are_unknown() {
        assert_eq!(int(StatKind::Long, "1.0"), None);
        assert_eq!(int(StatKind::Long, "\"1\""), None);
        assert_eq!(int(StatKind::Long, "9223372036854775808"), None);
        assert_eq!(int(StatKind::Double, "1e999"), None);
        assert_eq!(int(StatKind::Double, "\"NaN\""), Some(i64::MAX));
        assert_eq!(int(StatKind::Double, "\"-0.0\""), Some(0));
        assert_eq!(int(StatKind::Double, "\"x\""), None);
        assert_eq!(parse_scalar(StatKind::Text, "5", false), None);
        assert_eq!(parse_scalar(StatKind::Text, r#""a\u0041\"""#, false), Some(Scalar::Text("aA\"".into())));
        assert_eq!(int(StatKind::Boolean, "1"), None);
    }

    #[test]
    fn in_words() {
        assert_eq!(StatKind::Timestamp.show(&Scalar::Int(-1)), "1969-12-31 23:59:59.999999");
        assert_eq!(StatKind::Date.show(&Scalar::Int(20_000)), "2024-10-04");
        assert_eq!(StatKind::Double.show(&Scalar::Int(double_key(-1.5))), "-1.5");
    }
}
