//! Bounds of columns made by hand.

use std::sync::Arc;

use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::file::statistics::ValueStatistics;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::SchemaDescriptor;

use super::*;

/// The rule of a single column, whose definition is in parquet's schema language.
fn rule(column: &str, order: Option<ColumnOrder>) -> Rule {
    let schema = parse_message_type(&format!("message m {{ {column}; }}")).unwrap();
    let column = SchemaDescriptor::new(Arc::new(schema)).column(0);
    let own = ColumnOrder::TYPE_DEFINED_ORDER(column.sort_order());
    Rule::new(&column, order.unwrap_or(own))
}

fn shown(column: &str, statistics: &Statistics) -> Option<(String, String)> {
    let pair = rule(column, None).read(statistics)?;
    Some((pair.min?.0.to_string(), pair.max?.0.to_string()))
}

fn both(min: &str, max: &str) -> Option<(String, String)> {
    Some((min.into(), max.into()))
}

fn bytes(min: &[u8], max: &[u8], deprecated: bool) -> Statistics {
    let of = |b: &[u8]| Some(ByteArray::from(b.to_vec()));
    Statistics::ByteArray(ValueStatistics::new(of(min), of(max), None, Some(0), deprecated))
}

fn int32(min: i32, max: i32) -> Statistics {
    Statistics::int32(Some(min), Some(max), None, Some(0), false)
}

fn int64(min: i64, max: i64) -> Statistics {
    Statistics::int64(Some(min), Some(max), None, Some(0), false)
}

#[test]
fn values_are_written_by_their_type() {
    assert_eq!(shown("required int32 a", &int32(-1, 2)), both("-1", "2"));
    assert_eq!(shown("required int32 a (INTEGER(32,false))", &int32(1, -1)), both("1", "4294967295"));
    assert_eq!(shown("required int32 a (DATE)", &int32(0, 1)), both("1970-01-01", "1970-01-02"));
    assert_eq!(shown("required int32 a (DECIMAL(9,2))", &int32(-5, 123)), both("-0.05", "1.23"));
    assert_eq!(shown("required int64 a (DECIMAL(18,0))", &int64(-5, 7)), both("-5", "7"));
    assert_eq!(
        shown("required int64 a (TIMESTAMP(MICROS,true))", &int64(0, 1)),
        both("1970-01-01T00:00:00.000000Z", "1970-01-01T00:00:00.000001Z")
    );
    assert_eq!(
        shown("required int64 a (TIMESTAMP_MILLIS)", &int64(0, 1)),
        both("1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.001Z")
    );
    assert_eq!(
        shown("required boolean a", &Statistics::boolean(Some(false), Some(true), None, None, false)),
        both("false", "true")
    );
    assert_eq!(
        shown("required float a", &Statistics::float(Some(0.1), Some(f32::INFINITY), None, None, false)),
        both("0.1", "Infinity")
    );
    assert_eq!(shown("required binary a (UTF8)", &bytes(b"a", "ü".as_bytes(), false)), both("a", "ü"));
    assert_eq!(shown("required binary a", &bytes(&[1], &[255], false)), both("AQ==", "/w=="));
    assert_eq!(
        shown("required binary a (DECIMAL(5,1))", &bytes(&[0xff, 0x00], &[0x01], false)),
        both("-25.6", "0.1")
    );
    let half = |b: [u8; 2]| Some(FixedLenByteArray::from(b.to_vec()));
    let halves = ValueStatistics::new(half([0, 0x3c]), half([0, 0x40]), None, None, false);
    assert_eq!(
        shown("required fixed_len_byte_array(2) a (FLOAT16)", &Statistics::FixedLenByteArray(halves)),
        both("1.0", "2.0")
    );
}

#[test]
fn what_cannot_be_right_is_left_out() {
    assert_eq!(shown("required int32 a", &int32(2, 1)), None);
    assert_eq!(shown("required int32 a (INTEGER(32,false))", &int32(-1, 1)), None);
    assert_eq!(
        shown("required double a", &Statistics::double(Some(f64::NAN), Some(1.0), None, None, false)),
        None
    );
    assert_eq!(shown("required binary a (UTF8)", &bytes(b"a", &[0xff, 0xfe], false)), None);
    assert_eq!(shown("required binary a (UTF8)", &bytes(b"b", b"a", false)), None);
    assert_eq!(shown("required binary a (DECIMAL(5,1))", &bytes(&[0x01], &[0xff, 0x00], false)), None);
    assert_eq!(shown("required fixed_len_byte_array(12) a (INTERVAL)", &bytes(b"a", b"b", false)), None);
    // Statistics of another physical type than the column's.
    assert_eq!(
        shown("required binary a (UTF8)", &Statistics::double(Some(0.0), Some(1.0), None, None, false)),
        None
    );
}

#[test]
fn older_statistics_hold_only_where_signed_comparison_is_right() {
    let old = |min, max| Statistics::int32(Some(min), Some(max), None, None, true);
    assert_eq!(shown("required int32 a", &old(-1, 1)), both("-1", "1"));
    assert_eq!(shown("required int32 a (INTEGER(32,false))", &old(0, 1)), None);
    assert_eq!(shown("required binary a (UTF8)", &bytes(b"a", b"b", true)), None);
    let undefined = Some(ColumnOrder::UNDEFINED);
    assert!(rule("required int32 a", undefined).read(&int32(0, 1)).is_some());
    assert!(rule("required binary a (UTF8)", undefined).read(&bytes(b"a", b"b", false)).is_none());
    assert!(rule("required int32 a", Some(ColumnOrder::UNKNOWN)).read(&int32(0, 1)).is_none());
}

#[test]
fn one_bound_may_stand_alone() {
    let only_max = Statistics::int32(None, Some(3), None, None, false);
    let pair = rule("required int32 a", None).read(&only_max).unwrap();
    assert!(pair.min.is_none());
    assert_eq!(pair.max, Some((Bound::Int(3), true)));
}
