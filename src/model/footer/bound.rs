//! A minimum or maximum from statistics as a value that people read.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use chrono::{DateTime, Days, NaiveDate, NaiveTime};
use serde::{Serialize, Serializer};

/// A value of a bound. In JSON: integers beyond 2^53 and infinities are strings, all else as it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    Bool(bool),
    Int(i64),
    UInt(u64),
    /// Never NaN: such bounds say nothing and are left out.
    Float(f64),
    /// Strings, and what is written as one: dates, times, decimals, UUIDs, binary in base64.
    Text(String),
}

/// The unit of a time or timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    Millis,
    Micros,
    Nanos,
}

impl TimeUnit {
    /// Units in a second, and the decimal places that show one.
    fn scale(self) -> (i64, usize) {
        match self {
            TimeUnit::Millis => (1_000, 3),
            TimeUnit::Micros => (1_000_000, 6),
            TimeUnit::Nanos => (1_000_000_000, 9),
        }
    }
}

impl Bound {
    /// `2026-05-27`; the number of days where the calendar ends.
    pub fn date(days_since_1970: i32) -> Bound {
        let days = Days::new(u64::from(days_since_1970.unsigned_abs()));
        let epoch = NaiveDate::default();
        let date =
            if days_since_1970 < 0 { epoch.checked_sub_days(days) } else { epoch.checked_add_days(days) };
        date.map_or(Bound::Int(days_since_1970.into()), |d| Bound::Text(d.to_string()))
    }

    /// `2026-05-27T10:00:00.000Z` with as many decimals as the unit has; without `Z` for local
    /// times; the bare number where the calendar ends.
    pub fn timestamp(value: i64, unit: TimeUnit, utc: bool) -> Bound {
        let (per_second, digits) = unit.scale();
        let (seconds, part) = (value.div_euclid(per_second), value.rem_euclid(per_second));
        match DateTime::from_timestamp(seconds, 0) {
            None => Bound::Int(value),
            Some(time) => {
                let zone = if utc { "Z" } else { "" };
                Bound::Text(format!("{}.{part:0digits$}{zone}", time.format("%Y-%m-%dT%H:%M:%S")))
            }
        }
    }

    /// `10:00:00.000`; the bare number beyond a day.
    pub fn time(value: i64, unit: TimeUnit) -> Bound {
        let (per_second, digits) = unit.scale();
        let (seconds, part) = (value.div_euclid(per_second), value.rem_euclid(per_second));
        let time =
            u32::try_from(seconds).ok().and_then(|s| NaiveTime::from_num_seconds_from_midnight_opt(s, 0));
        time.map_or(Bound::Int(value), |t| Bound::Text(format!("{}.{part:0digits$}", t.format("%H:%M:%S"))))
    }

    /// A decimal of the unscaled value `big_endian` (two's complement) with `scale` decimals.
    pub fn decimal(big_endian: &[u8], scale: u32) -> Bound {
        let negative = big_endian.first().is_some_and(|b| b & 0x80 != 0);
        let mut digits = decimal_digits(&magnitude(big_endian, negative));
        let scale = scale as usize;
        if scale > 0 {
            if digits.len() <= scale {
                digits.insert_str(0, &"0".repeat(scale + 1 - digits.len()));
            }
            digits.insert(digits.len() - scale, '.');
        }
        if negative {
            digits.insert(0, '-');
        }
        Bound::Text(digits)
    }

    /// Bytes without a meaning: base64.
    pub fn binary(bytes: &[u8]) -> Bound {
        Bound::Text(BASE64.encode(bytes))
    }

    /// `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`; other lengths than 16 bytes as binary.
    pub fn uuid(bytes: &[u8]) -> Bound {
        if bytes.len() != 16 {
            return Bound::binary(bytes);
        }
        let mut text = String::with_capacity(36);
        for (at, byte) in bytes.iter().enumerate() {
            if matches!(at, 4 | 6 | 8 | 10) {
                text.push('-');
            }
            text.push_str(&format!("{byte:02x}"));
        }
        Bound::Text(text)
    }
}

/// The absolute value of a two's complement number, big-endian.
fn magnitude(big_endian: &[u8], negative: bool) -> Vec<u8> {
    let mut bytes = big_endian.to_vec();
    if negative {
        bytes.iter_mut().for_each(|b| *b = !*b);
        for byte in bytes.iter_mut().rev() {
            let (sum, carry) = byte.overflowing_add(1);
            *byte = sum;
            if !carry {
                break;
            }
        }
    }
    bytes
}

/// An unsigned big-endian number in decimal digits: repeated division, so that no width is too much.
fn decimal_digits(big_endian: &[u8]) -> String {
    const BASE: u64 = 1_000_000_000;
    let mut limbs: Vec<u64> = Vec::new();
    for byte in big_endian {
        let mut carry = u64::from(*byte);
        for limb in &mut limbs {
            let value = *limb * 256 + carry;
            *limb = value % BASE;
            carry = value / BASE;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut text = limbs.last().copied().unwrap_or(0).to_string();
    for limb in limbs.iter().rev().skip(1) {
        text.push_str(&format!("{limb:09}"));
    }
    text
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Bool(v) => write!(f, "{v}"),
            Bound::Int(v) => write!(f, "{v}"),
            Bound::UInt(v) => write!(f, "{v}"),
            Bound::Float(v) if v.is_infinite() => {
                f.write_str(if *v > 0.0 { "Infinity" } else { "-Infinity" })
            }
            Bound::Float(v) => write!(f, "{v:?}"),
            Bound::Text(v) => f.write_str(v),
        }
    }
}

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        const SAFE: u64 = 1 << 53;
        match self {
            Bound::Bool(v) => to.serialize_bool(*v),
            Bound::Int(v) if v.unsigned_abs() <= SAFE => to.serialize_i64(*v),
            Bound::UInt(v) if *v <= SAFE => to.serialize_u64(*v),
            Bound::Float(v) if v.is_finite() => to.serialize_f64(*v),
            other => to.collect_str(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bound: Bound) -> String {
        bound.to_string()
    }

    #[test]
    fn dates_and_times() {
        assert_eq!(text(Bound::date(0)), "1970-01-01");
        assert_eq!(text(Bound::date(-719_162)), "0001-01-01");
        assert_eq!(Bound::date(i32::MAX), Bound::Int(i32::MAX.into()));
        assert_eq!(Bound::date(i32::MIN), Bound::Int(i32::MIN.into()));
        let at = |v, unit, utc| text(Bound::timestamp(v, unit, utc));
        assert_eq!(at(-1, TimeUnit::Millis, true), "1969-12-31T23:59:59.999Z");
        assert_eq!(at(1, TimeUnit::Micros, false), "1970-01-01T00:00:00.000001");
        assert_eq!(at(i64::MIN, TimeUnit::Nanos, true), "1677-09-21T00:12:43.145224192Z");
        assert_eq!(Bound::timestamp(i64::MAX, TimeUnit::Millis, true), Bound::Int(i64::MAX));
        assert_eq!(text(Bound::time(86_399_999, TimeUnit::Millis)), "23:59:59.999");
        assert_eq!(Bound::time(86_400_000, TimeUnit::Millis), Bound::Int(86_400_000));
        assert_eq!(Bound::time(-1, TimeUnit::Micros), Bound::Int(-1));
    }

    #[test]
    fn decimals_of_any_width() {
        let of = |bytes: &[u8], scale| text(Bound::decimal(bytes, scale));
        assert_eq!(of(&[], 2), "0.00");
        assert_eq!(of(&[0xff], 2), "-0.01");
        assert_eq!(of(&[0x80], 0), "-128");
        assert_eq!(of(&12_345_i32.to_be_bytes(), 2), "123.45");
        assert_eq!(of(&i64::MIN.to_be_bytes(), 4), "-922337203685477.5808");
        assert_eq!(of(&i128::MIN.to_be_bytes(), 38), "-1.70141183460469231731687303715884105728");
        assert_eq!(of(&i128::MAX.to_be_bytes(), 0), i128::MAX.to_string());
        assert_eq!(of(&[0x0f; 20], 0), "85970684548876642247275578395075471744466620175");
    }

    #[test]
    fn json_keeps_what_numbers_cannot_hold() {
        let json = |b: Bound| serde_json::to_string(&b).unwrap();
        assert_eq!(json(Bound::Int(-5)), "-5");
        assert_eq!(json(Bound::Int(1 << 53)), "9007199254740992");
        assert_eq!(json(Bound::Int(i64::MIN)), "\"-9223372036854775808\"");
        assert_eq!(json(Bound::UInt(u64::MAX)), "\"18446744073709551615\"");
        assert_eq!(json(Bound::Float(f64::NEG_INFINITY)), "\"-Infinity\"");
        assert_eq!(json(Bound::Float(1.0)), "1.0");
        assert_eq!(json(Bound::binary(&[1, 2])), "\"AQI=\"");
        assert_eq!(text(Bound::uuid(&[0x12; 16])), "12121212-1212-1212-1212-121212121212");
        assert_eq!(text(Bound::uuid(&[1])), "AQ==");
    }
}
