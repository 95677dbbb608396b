//! Months and weekdays.

use arrow::datatypes::DataType;
use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime};
use datafusion::common::{Result, exec_err};

use super::format::chrono_pattern;
use super::rows::{Kind, Out, Patterns, RowFunction};

pub(super) const FUNCTIONS: &[RowFunction] = &[
    RowFunction { name: "add_months", least: 2, most: 2, gives: Kind::Date, of: add_months },
    RowFunction { name: "next_day", least: 2, most: 2, gives: Kind::Date, of: next_day },
    RowFunction { name: "months_between", least: 2, most: 3, gives: Kind::Double, of: months_between },
    // What stands for `date_format` and `to_date` where the pattern is not known while planning, or
    // has letters that the engine's patterns lack.
    RowFunction { name: "time_by_pattern", least: 2, most: 2, gives: Kind::Text, of: time_by_pattern },
    RowFunction { name: "date_by_pattern", least: 2, most: 2, gives: Kind::Date, of: date_by_pattern },
];

fn time(text: &str) -> Option<NaiveDateTime> {
    let text = text.trim_end_matches('Z');
    let date = || text.get(..10).unwrap_or(text).parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0);
    text.replacen(' ', "T", 1).parse().ok().or_else(date)
}

fn days(date: NaiveDate) -> Option<Out> {
    let epoch = NaiveDate::from_ymd_opt(1970, 1, 1)?;
    i32::try_from((date - epoch).num_days()).ok().map(Out::Date)
}

/// The same day so many months later; the month's last one if it has no such day.
fn add_months(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let Ok(months) = row[1].parse::<i32>() else { return exec_err!("\"{}\" is no number of months", row[1]) };
    let Some(date) = time(row[0]).map(|t| t.date()) else { return Ok(None) };
    let by = Months::new(months.unsigned_abs());
    let there = if months < 0 { date.checked_sub_months(by) } else { date.checked_add_months(by) };
    Ok(there.and_then(days))
}

/// The first such weekday after the date; NULL for what is no weekday.
fn next_day(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    const NAMES: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
    let start: String = row[1].chars().take(2).collect::<String>().to_uppercase();
    let wanted = NAMES.iter().position(|name| *name == start);
    let (Some(wanted), Some(date)) = (wanted, time(row[0]).map(|t| t.date())) else { return Ok(None) };
    let now = date.weekday().num_days_from_monday() as usize;
    let step = (wanted + 6 - now) % 7 + 1;
    Ok(date.checked_add_days(Days::new(step as u64)).and_then(days))
}

/// Whole if both are on the same day of the month, or both on its last; else a month has 31 days.
/// To eight digits, as Spark's.
fn months_between(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let (Some(later), Some(earlier)) = (time(row[0]), time(row[1])) else { return Ok(None) };
    let month = |t: NaiveDateTime| f64::from(t.year() * 12 + t.month() as i32);
    let is_last = |t: NaiveDateTime| t.date().succ_opt().is_some_and(|next| next.month() != t.month());
    let months = month(later) - month(earlier);
    if later.day() == earlier.day() || (is_last(later) && is_last(earlier)) {
        return Ok(Some(Out::Double(months)));
    }
    let seconds = |t: NaiveDateTime| (t - t.date().and_time(chrono::NaiveTime::MIN)).num_seconds() as f64;
    let days =
        f64::from(later.day()) - f64::from(earlier.day()) + (seconds(later) - seconds(earlier)) / 86_400.0;
    let exact = months + days / 31.0;
    let raw = row.get(2).is_some_and(|t| *t == "false");
    Ok(Some(Out::Double(if raw { exact } else { (exact * 1e8).round() / 1e8 })))
}

/// Patterns are those of [`chrono_pattern`], and `Q` for the quarter.
fn time_by_pattern(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let Some(time) = time(row[0]) else { return Ok(None) };
    let quarter = (time.month0() / 3 + 1).to_string();
    // The quarter's number is a text of its own in the pattern.
    let pattern = row[1].replace("QQ", &format!("'0{quarter}'")).replace('Q', &format!("'{quarter}'"));
    match chrono_pattern(&pattern) {
        Some(pattern) => Ok(Some(Out::Text(time.format(&pattern).to_string()))),
        None => unknown(row[1]),
    }
}

/// NULL for a text that is not of the pattern.
fn date_by_pattern(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let Some(pattern) = chrono_pattern(row[1]) else { return unknown(row[1]) };
    let date = NaiveDate::parse_from_str(row[0], &pattern).ok();
    let date = date.or_else(|| NaiveDateTime::parse_from_str(row[0], &pattern).ok().map(|t| t.date()));
    Ok(date.and_then(days))
}

fn unknown(pattern: &str) -> Result<Option<Out>> {
    exec_err!(
        "the pattern \"{pattern}\" has letters that are not known here; yyyy, MM, dd, HH, mm, ss, SSS, E and a are"
    )
}
