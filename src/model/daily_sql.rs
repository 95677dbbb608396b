//! Queries for tables of daily snapshots, as text: rows per day, duplicates per key and day, rows
//! past retention.

use chrono::{DateTime, Days, NaiveDate};

use super::schema::{DataType, Field};
use super::table::Metadata;
use super::units::Millis;

/// How identifiers are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `"a"`.
    DataFusion,
    /// `` `a` ``.
    Spark,
}

impl Dialect {
    /// The identifier in quotes, with quotes inside it doubled.
    pub fn quote(self, name: &str) -> String {
        let mark = if self == Dialect::DataFusion { '"' } else { '`' };
        let doubled = name.replace(mark, &format!("{mark}{mark}"));
        format!("{mark}{doubled}{mark}")
    }
}

/// A column that holds each row's snapshot date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DateForm {
    Date,
    Timestamp,
    TimestampNtz,
    /// `2026-05-27` as text.
    Text,
    /// `20260527` as a number.
    Number,
}

fn form(field: &Field) -> Option<DateForm> {
    let DataType::Primitive(name) = &field.data_type else { return None };
    match name.as_str() {
        "date" => Some(DateForm::Date),
        "timestamp" => Some(DateForm::Timestamp),
        "timestamp_ntz" => Some(DateForm::TimestampNtz),
        "string" => Some(DateForm::Text),
        "integer" | "long" => Some(DateForm::Number),
        _ => None,
    }
}

/// The partition column that is most likely each row's snapshot date: a date, then a timestamp, then
/// text or a whole number whose name says `snapshot`, `date`, `day` or is `dt` or `ds`. None if
/// there is none.
pub fn snapshot_column(metadata: &Metadata) -> Option<&Field> {
    let named = |f: &Field| {
        let name = f.name.to_lowercase();
        ["snapshot", "date", "day"].iter().any(|w| name.contains(w)) || matches!(name.as_str(), "dt" | "ds")
    };
    let rank = |f: &Field| match form(f)? {
        DateForm::Date => Some(0),
        DateForm::Timestamp | DateForm::TimestampNtz => Some(1),
        DateForm::Text | DateForm::Number => named(f).then_some(2),
    };
    let columns = metadata.partition_columns.iter().filter_map(|name| metadata.column(name));
    columns.filter_map(|f| Some((rank(f)?, f))).min_by_key(|(rank, _)| *rank).map(|(_, f)| f)
}

/// Columns that look like keys, in the schema's order: names that end in `id`, `key` or `code`.
/// A guess to start from; the user edits the query.
pub fn key_columns(metadata: &Metadata) -> Vec<&str> {
    let looks = |f: &&Field| {
        let name = f.name.to_lowercase();
        !metadata.partition_columns.contains(&f.name)
            && ["id", "key", "code"].iter().any(|w| name.ends_with(w))
    };
    metadata.schema.iter().filter(looks).map(|f| f.name.as_str()).collect()
}

/// Templates for one table and its snapshot column.
#[derive(Debug, Clone)]
pub struct DailySql {
    dialect: Dialect,
    table: String,
    column: String,
    /// The day of a row.
    day: String,
    form: DateForm,
}

impl DailySql {
    /// `table`: its name as the session knows it, unquoted; `lakehouse.table` is one name to be
    /// given in `parts`. None if the column is of a type that holds no date.
    pub fn new(dialect: Dialect, table: &[&str], column: &Field) -> Option<Self> {
        let form = form(column)?;
        let quoted = dialect.quote(&column.name);
        let day = match form {
            DateForm::Timestamp | DateForm::TimestampNtz => format!("CAST({quoted} AS DATE)"),
            _ => quoted.clone(),
        };
        let table = table.iter().map(|part| dialect.quote(part)).collect::<Vec<_>>().join(".");
        Some(DailySql { dialect, table, column: quoted, day, form })
    }

    /// How many rows each day has.
    pub fn rows_per_day(&self) -> String {
        let DailySql { table, day, .. } = self;
        format!(
            "SELECT {day} AS snapshot_day, count(*) AS num_rows\nFROM {table}\nGROUP BY {day}\nORDER BY snapshot_day DESC"
        )
    }

    /// Keys that a day has more than once, the most frequent first. None without keys.
    pub fn duplicates(&self, keys: &[&str]) -> Option<String> {
        if keys.is_empty() {
            return None;
        }
        let DailySql { table, day, .. } = self;
        let keys = keys.iter().map(|k| self.dialect.quote(k)).collect::<Vec<_>>().join(", ");
        Some(format!(
            "SELECT {day} AS snapshot_day, {keys}, count(*) AS copies\nFROM {table}\nGROUP BY {day}, {keys}\nHAVING count(*) > 1\nORDER BY copies DESC, snapshot_day DESC\nLIMIT 1000"
        ))
    }

    /// The condition that holds for rows of days before the last `days` days; today counts as one
    /// of them. None outside the calendar.
    pub fn past_retention(&self, days: u32, now: Millis) -> Option<String> {
        let today = DateTime::from_timestamp_millis(now)?.date_naive();
        let first_kept = today.checked_sub_days(Days::new(u64::from(days.saturating_sub(1))))?;
        let DailySql { column, .. } = self;
        Some(format!("{column} < {}", literal(self.form, first_kept)))
    }

    /// How many rows each day past retention has.
    pub fn rows_past_retention(&self, days: u32, now: Millis) -> Option<String> {
        let filter = self.past_retention(days, now)?;
        let DailySql { table, day, .. } = self;
        Some(format!(
            "SELECT {day} AS snapshot_day, count(*) AS num_rows\nFROM {table}\nWHERE {filter}\nGROUP BY {day}\nORDER BY snapshot_day"
        ))
    }
}

fn literal(form: DateForm, day: NaiveDate) -> String {
    match form {
        DateForm::Date => format!("DATE '{day}'"),
        DateForm::Timestamp | DateForm::TimestampNtz => format!("TIMESTAMP '{day} 00:00:00'"),
        DateForm::Text => format!("'{day}'"),
        DateForm::Number => day.format("%Y%m%d").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::schema::parse_schema;
    use super::*;

    /// 2026-05-27 00:58:12 UTC.
    const NOW: Millis = 1_779_843_492_000;

    fn field(name: &str, data_type: &str) -> Field {
        Field {
            name: name.into(),
            data_type: DataType::Primitive(data_type.into()),
            nullable: true,
            metadata: serde_json::Map::new(),
        }
    }

    #[test]
    fn the_snapshot_column_is_found() {
        let text = r#"{"type":"struct","fields":[{"name":"ProductID","type":"long"},{"name":"region","type":"string"},
            {"name":"dt","type":"string"},{"name":"at","type":"timestamp"},{"name":"d","type":"date"},{"name":"PriceCode","type":"string"}]}"#;
        let of = |partitions: &[&str]| Metadata {
            schema: parse_schema(text).unwrap(),
            partition_columns: partitions.iter().map(|p| (*p).to_owned()).collect(),
            ..Metadata::default()
        };
        let name = |partitions: &[&str]| snapshot_column(&of(partitions)).map(|f| f.name.clone());
        assert_eq!(name(&["region", "dt", "at", "d"]).as_deref(), Some("d"));
        assert_eq!(name(&["dt", "at"]).as_deref(), Some("at"));
        assert_eq!(name(&["region", "dt"]).as_deref(), Some("dt"));
        assert_eq!(name(&["region"]), None);
        assert_eq!(name(&["missing"]), None);
        assert_eq!(key_columns(&of(&["dt"])), ["ProductID", "PriceCode"]);
    }

    #[test]
    fn templates() {
        let sql = DailySql::new(Dialect::DataFusion, &["t"], &field("snapshot_date", "date")).unwrap();
        assert_eq!(
            sql.rows_per_day(),
            "SELECT \"snapshot_date\" AS snapshot_day, count(*) AS num_rows\nFROM \"t\"\nGROUP BY \"snapshot_date\"\nORDER BY snapshot_day DESC"
        );
        assert_eq!(sql.past_retention(30, NOW).as_deref(), Some("\"snapshot_date\" < DATE '2026-04-28'"));
        assert_eq!(sql.past_retention(1, NOW).as_deref(), Some("\"snapshot_date\" < DATE '2026-05-27'"));
        assert_eq!(sql.duplicates(&[]), None);
        assert!(
            sql.duplicates(&["a", "b\"c"])
                .unwrap()
                .contains("GROUP BY \"snapshot_date\", \"a\", \"b\"\"c\"\nHAVING")
        );
        let text = DailySql::new(Dialect::Spark, &["dbo", "t"], &field("d`s", "string")).unwrap();
        assert_eq!(text.past_retention(8, NOW).as_deref(), Some("`d``s` < '2026-05-20'"));
        assert!(
            text.rows_past_retention(8, NOW).unwrap().contains("FROM `dbo`.`t`\nWHERE `d``s` < '2026-05-20'")
        );
        let number = DailySql::new(Dialect::Spark, &["t"], &field("day", "integer")).unwrap();
        assert_eq!(number.past_retention(8, NOW).as_deref(), Some("`day` < 20260520"));
        let time = DailySql::new(Dialect::Spark, &["t"], &field("at", "timestamp")).unwrap();
        assert!(time.rows_per_day().contains("GROUP BY CAST(`at` AS DATE)"));
        assert!(DailySql::new(Dialect::Spark, &["t"], &field("x", "double")).is_none());
        assert_eq!(time.past_retention(8, Millis::MAX), None);
        assert_eq!(time.past_retention(u32::MAX, NOW), None);
    }

    proptest! {
        #[test]
        fn a_quoted_name_is_one_identifier(name in ".{0,20}") {
            for (dialect, mark) in [(Dialect::DataFusion, '"'), (Dialect::Spark, '`')] {
                let quoted = dialect.quote(&name);
                let inner = &quoted[1..quoted.len() - 1];
                prop_assert_eq!(inner.replace(&format!("{mark}{mark}"), &mark.to_string()), name.as_str());
                prop_assert_eq!(inner.matches(mark).count() % 2, 0);
            }
        }
    }
}
