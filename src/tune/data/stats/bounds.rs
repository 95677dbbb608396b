//! Smallest and largest value of a column, and how the log writes them.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::{max, min};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, TimeUnit, TimestampMicrosecondType,
};
use serde_json::Value;

use crate::model::civil;
use crate::model::units::iso_time;

/// Characters of a text bound (Delta's `DATA_SKIPPING_STRING_PREFIX_LENGTH`).
const PREFIX: usize = 32;

/// Bounds by kind of type; none of booleans, binary, lists and maps, as other writers have it.
#[derive(Debug, Clone)]
pub enum Bounds {
    None,
    Integer(Option<(i64, i64)>),
    Date(Option<(i64, i64)>),
    /// Microseconds; whether the type has the UTC zone.
    Time(Option<(i64, i64)>, bool),
    /// Unscaled values; the scale.
    Decimal(Option<(i128, i128)>, i8),
    Float(Floats),
    /// Single precision, whose shortest decimal form differs.
    Single(Floats),
    Text(Option<(Vec<u8>, Vec<u8>)>),
}

/// NaN is larger than every number to Spark: a column with one has no bounds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Floats {
    ends: Option<(f64, f64)>,
    has_nan: bool,
}

impl Bounds {
    pub fn of(data_type: &DataType) -> Bounds {
        match data_type {
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Bounds::Integer(None),
            DataType::Date32 => Bounds::Date(None),
            DataType::Timestamp(TimeUnit::Microsecond, zone) => Bounds::Time(None, zone.is_some()),
            DataType::Decimal128(_, scale) => Bounds::Decimal(None, *scale),
            DataType::Float32 => Bounds::Single(Floats::default()),
            DataType::Float64 => Bounds::Float(Floats::default()),
            DataType::Utf8 | DataType::Utf8View => Bounds::Text(None),
            _ => Bounds::None,
        }
    }

    pub fn update(&mut self, array: &ArrayRef) {
        match (self, array.data_type()) {
            (Bounds::Integer(ends), DataType::Int8) => widen(ends, of::<Int8Type>(array)),
            (Bounds::Integer(ends), DataType::Int16) => widen(ends, of::<Int16Type>(array)),
            (Bounds::Integer(ends), DataType::Int32) => widen(ends, of::<Int32Type>(array)),
            (Bounds::Integer(ends), DataType::Int64) => widen(ends, of::<Int64Type>(array)),
            (Bounds::Date(ends), DataType::Date32) => widen(ends, of::<Date32Type>(array)),
            (Bounds::Time(ends, _), DataType::Timestamp(TimeUnit::Microsecond, _)) => {
                widen(ends, of::<TimestampMicrosecondType>(array));
            }
            (Bounds::Decimal(ends, _), DataType::Decimal128(..)) => {
                let values = array.as_primitive::<Decimal128Type>();
                widen(ends, min(values).zip(max(values)));
            }
            (Bounds::Float(floats), DataType::Float64) => {
                floats.take(array.as_primitive::<Float64Type>().iter().flatten());
            }
            (Bounds::Single(floats), DataType::Float32) => {
                floats.take(array.as_primitive::<Float32Type>().iter().flatten().map(f64::from));
            }
            (Bounds::Text(ends), DataType::Utf8) => texts(ends, array.as_string::<i32>().iter()),
            (Bounds::Text(ends), DataType::Utf8View) => texts(ends, array.as_string_view().iter()),
            _ => {}
        }
    }

    /// The bound as JSON; none if there is none.
    pub fn json(&self, upper: bool) -> Option<String> {
        let pick = |(low, high): (i64, i64)| if upper { high } else { low };
        Some(match self {
            Bounds::None => return None,
            Bounds::Integer(ends) => pick((*ends)?).to_string(),
            Bounds::Date(ends) => {
                let (year, month, day) = civil::civil_from_days(pick((*ends)?));
                if !(0..=9999).contains(&year) {
                    return None;
                }
                format!("\"{year:04}-{month:02}-{day:02}\"")
            }
            Bounds::Time(ends, utc) => {
                // Milliseconds, outwards: a reader may compare as if they were exact.
                let micros = pick((*ends)?);
                let millis = micros.div_euclid(1000) + i64::from(upper && micros.rem_euclid(1000) > 0);
                // Years of four digits only: others have signs that readers do not expect.
                let text = iso_time(millis).filter(|t| t.starts_with(|c: char| c.is_ascii_digit()))?;
                format!("\"{}\"", if *utc { &text } else { text.trim_end_matches('Z') })
            }
            Bounds::Decimal(ends, scale) => {
                let (low, high) = (*ends)?;
                decimal(if upper { high } else { low }, *scale)
            }
            Bounds::Float(floats) => {
                let value = floats.end(upper)?;
                Value::from(value).to_string()
            }
            Bounds::Single(floats) => (floats.end(upper)? as f32).to_string(),
            Bounds::Text(ends) => {
                let (low, high) = ends.as_ref()?;
                let text = std::str::from_utf8(if upper { high } else { low }).ok()?;
                Value::from(if upper { upper_prefix(text) } else { text.chars().take(PREFIX).collect() })
                    .to_string()
            }
        })
    }
}

fn of<T: ArrowPrimitiveType>(array: &ArrayRef) -> Option<(i64, i64)>
where
    T::Native: Into<i64>,
{
    let values = array.as_primitive::<T>();
    min(values).zip(max(values)).map(|(a, b)| (a.into(), b.into()))
}

fn widen<T: Ord + Copy>(ends: &mut Option<(T, T)>, more: Option<(T, T)>) {
    *ends = match (*ends, more) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    };
}

impl Floats {
    fn take(&mut self, values: impl Iterator<Item = f64>) {
        let (mut low, mut high, mut any) = (f64::INFINITY, f64::NEG_INFINITY, false);
        for value in values {
            any = true;
            self.has_nan |= value.is_nan();
            // NaN compares as neither.
            low = if value < low { value } else { low };
            high = if value > high { value } else { high };
        }
        if any {
            let (a, b) = self.ends.unwrap_or((low, high));
            self.ends = Some((a.min(low), b.max(high)));
        }
    }

    /// None for what JSON cannot hold. Zero as a bound has the sign that lies further out.
    fn end(&self, upper: bool) -> Option<f64> {
        let (low, high) = self.ends.filter(|_| !self.has_nan)?;
        let value = if upper { high } else { low };
        let value = if value == 0.0 { if upper { 0.0 } else { -0.0 } } else { value };
        value.is_finite().then_some(value)
    }
}

fn texts<'a>(ends: &mut Option<(Vec<u8>, Vec<u8>)>, values: impl Iterator<Item = Option<&'a str>>) {
    for value in values.flatten() {
        let value = value.as_bytes();
        match ends {
            None => *ends = Some((value.to_vec(), value.to_vec())),
            Some((low, high)) => {
                if value < low.as_slice() {
                    low.clear();
                    low.extend_from_slice(value);
                } else if value > high.as_slice() {
                    high.clear();
                    high.extend_from_slice(value);
                }
            }
        }
    }
}

/// A text of the first characters that no text with this beginning exceeds.
fn upper_prefix(text: &str) -> String {
    let mut chars = text.chars();
    let mut out: String = chars.by_ref().take(PREFIX).collect();
    for c in chars {
        out.push(char::MAX);
        if c != char::MAX {
            break;
        }
    }
    out
}

/// The exact digits: a JSON number of any length.
fn decimal(unscaled: i128, scale: i8) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let digits = unscaled.unsigned_abs().to_string();
    match usize::try_from(scale).unwrap_or(0) {
        0 => format!("{sign}{digits}"),
        scale => {
            let padded = format!("{digits:0>width$}", width = scale + 1);
            let (whole, fraction) = padded.split_at(padded.len() - scale);
            format!("{sign}{whole}.{fraction}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Float64Array, StringViewArray, TimestampMicrosecondArray};
    use std::sync::Arc;

    fn bounds(array: ArrayRef) -> (Option<String>, Option<String>) {
        let mut bounds = Bounds::of(array.data_type());
        bounds.update(&array);
        (bounds.json(false), bounds.json(true))
    }

    fn pair(low: &str, high: &str) -> (Option<String>, Option<String>) {
        (Some(low.into()), Some(high.into()))
    }

    #[test]
    fn long_texts_are_cut_outwards() {
        let long = "x".repeat(40);
        let cut = "x".repeat(32);
        let found = bounds(Arc::new(StringViewArray::from(vec!["a", &long])));
        assert_eq!(found, pair("\"a\"", &format!("\"{cut}\u{10ffff}\"")));
        assert_eq!(upper_prefix("short"), "short");
        let odd = format!("{cut}{}a", char::MAX);
        assert!(upper_prefix(&odd) > odd);
    }

    #[test]
    fn numbers_and_times() {
        assert_eq!(decimal(-5, 2), "-0.05");
        assert_eq!(decimal(12_345, 2), "123.45");
        assert_eq!(decimal(7, 0), "7");
        let times = TimestampMicrosecondArray::from(vec![-1, 1_001]).with_timezone("UTC");
        assert_eq!(
            bounds(Arc::new(times)),
            pair("\"1969-12-31T23:59:59.999Z\"", "\"1970-01-01T00:00:00.002Z\"")
        );
        let floats = |values: Vec<f64>| bounds(Arc::new(Float64Array::from(values)));
        assert_eq!(floats(vec![1.5, -2.0]), pair("-2.0", "1.5"));
        assert_eq!(floats(vec![0.0, -0.0]), pair("-0.0", "0.0"));
        assert_eq!(floats(vec![1.0, f64::NAN]), (None, None));
        assert_eq!(floats(vec![1.0, f64::INFINITY]), (Some("1.0".into()), None));
    }
}
