//! Bounds in JSON, by the command line's contract.

use serde_json::Value;

use super::kind::StatKind;
use super::value::{Scalar, double_from_key};

/// Beyond it (2^53), many readers of JSON lose digits.
const EXACT: i64 = 1 << 53;

impl StatKind {
    /// A bound as JSON: integers beyond 2^53 and decimals are strings, so are NaN and infinities; times
    /// are ISO 8601. `utc`: the column is a `timestamp`, not a local time.
    pub fn json(self, value: &Scalar, utc: bool) -> Value {
        match (self, value) {
            (StatKind::Boolean, Scalar::Int(b)) => (*b != 0).into(),
            (StatKind::Long, Scalar::Int(n)) if (-EXACT..=EXACT).contains(n) => (*n).into(),
            (StatKind::Double, Scalar::Int(key)) => match double_from_key(*key) {
                number if number.is_finite() => number.into(),
                _ => self.show(value).into(),
            },
            (StatKind::Timestamp, _) => {
                let zone = if utc { "Z" } else { "" };
                format!("{}{zone}", self.show(value).replacen(' ', "T", 1)).into()
            }
            _ => self.show(value).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::stats::double_key;
    use serde_json::json;

    #[test]
    fn values_keep_all_their_digits() {
        let int = |kind: StatKind, n: i64| kind.json(&Scalar::Int(n), true);
        assert_eq!(int(StatKind::Long, EXACT), json!(9_007_199_254_740_992i64));
        assert_eq!(int(StatKind::Long, EXACT + 1), json!("9007199254740993"));
        assert_eq!(int(StatKind::Long, i64::MIN), json!("-9223372036854775808"));
        assert_eq!(int(StatKind::Double, double_key(-2.5)), json!(-2.5));
        assert_eq!(int(StatKind::Double, double_key(f64::NAN)), json!("NaN"));
        assert_eq!(int(StatKind::Boolean, 1), json!(true));
        assert_eq!(int(StatKind::Date, 1), json!("1970-01-02"));
        assert_eq!(int(StatKind::Timestamp, 1_001), json!("1970-01-01T00:00:00.001001Z"));
        assert_eq!(StatKind::Timestamp.json(&Scalar::Int(0), false), json!("1970-01-01T00:00:00.000"));
        assert_eq!(StatKind::Decimal { scale: 1 }.json(&Scalar::Wide(-5), false), json!("-0.5"));
    }
}
