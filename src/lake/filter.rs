//! `--where`: an SQL condition over the file list.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, RecordBatch, StringArray, TimestampMillisecondArray, UInt64Array,
};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::common::{DFSchema, SchemaError};
use datafusion::error::DataFusionError;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::model::files::FileList;
use crate::model::schema;
use crate::model::table::Metadata;
use crate::model::{Fault, Outcome};

/// The column of the rows in a file.
pub const RECORDS: &str = "numRecords";

const OF_EVERY_FILE: [&str; 4] = ["path", "sizeInBytes", RECORDS, "modificationTime"];

/// A condition on files. Names are compared in any case, as Spark does.
pub struct Filter {
    schema: SchemaRef,
    condition: Arc<dyn PhysicalExpr>,
    /// Folded names of the columns that the condition names.
    names: Vec<String>,
    hint: String,
}

impl Filter {
    pub fn parse(text: &str, metadata: &Metadata) -> Outcome<Self> {
        let hint = hint(metadata);
        let bad = |e: DataFusionError| invalid(e.strip_backtrace(), &hint);
        let schema = Arc::new(Schema::new(fields(metadata)));
        let columns = DFSchema::try_from(Arc::clone(&schema)).map_err(bad)?;
        let context = SessionContext::new();
        let expression = context.parse_sql_expr(&fold(text, &hint)?, &columns);
        let expression = expression.map_err(|e| match unknown(&e, metadata) {
            Some(cause) => invalid(cause, &hint),
            None => bad(e),
        })?;
        if expression.is_volatile() {
            return Err(invalid("It is another each time that it is asked", &hint));
        }
        let names = expression.column_refs().into_iter().map(|c| c.name.clone()).collect();
        let condition = context.create_physical_expr(expression, &columns).map_err(bad)?;
        if condition.data_type(&schema).map_err(bad)? != DataType::Boolean {
            return Err(invalid("It is not a condition that holds or does not hold", &hint));
        }
        Ok(Filter { schema, condition, names, hint })
    }

    /// Whether the condition names the column.
    pub fn uses(&self, column: &str) -> bool {
        self.names.contains(&column.to_lowercase())
    }

    /// The files for which the condition holds, as indexes in the list; unknown is no.
    pub fn matching(&self, list: &FileList) -> Outcome<Vec<u32>> {
        let bad = |e: DataFusionError| invalid(e.strip_backtrace(), &self.hint);
        let mut out = Vec::new();
        for range in list.ranges() {
            let first = range.start;
            let batch = self.batch(list, range).map_err(|e| bad(e.into()))?;
            let holds = self.condition.evaluate(&batch).map_err(bad)?;
            let holds = holds.into_array(batch.num_rows()).map_err(bad)?;
            let holds = holds.as_boolean();
            let rows = (0..holds.len()).filter(|row| holds.is_valid(*row) && holds.value(*row));
            out.extend(rows.map(|row| (first + row) as u32));
        }
        Ok(out)
    }

    fn batch(
        &self,
        list: &FileList,
        range: std::ops::Range<usize>,
    ) -> Result<RecordBatch, arrow::error::ArrowError> {
        let files = || range.clone().map(|at| list.get(at));
        let paths: StringArray = files().map(|f| Some(f.path)).collect();
        let sizes: UInt64Array = files().map(|f| Some(f.size)).collect();
        let records: UInt64Array = files().map(|f| f.records).collect();
        let times: TimestampMillisecondArray = files().map(|f| Some(f.modified)).collect();
        let mut arrays: Vec<ArrayRef> =
            vec![Arc::new(paths), Arc::new(sizes), Arc::new(records), Arc::new(times.with_timezone("UTC"))];
        for field in self.schema.fields().iter().skip(OF_EVERY_FILE.len()) {
            let at = list.partitions.columns().iter().position(|c| c.to_lowercase() == *field.name());
            let value = |id: u32| list.partitions.values(id).get(at?)?.as_deref();
            let values: StringArray = files().map(|f| value(f.partition)).collect();
            // A value that is not of its column's type is null here.
            let options = CastOptions { safe: true, ..CastOptions::default() };
            arrays.push(cast_with_options(&values, field.data_type(), &options)?);
        }
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

/// The columns of the file list, under folded names; a partition column that is named like one
/// of the file's own is left out.
fn fields(metadata: &Metadata) -> Vec<Field> {
    let time = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    let types = [DataType::Utf8, DataType::UInt64, DataType::UInt64, time];
    let own = OF_EVERY_FILE.iter().zip(types).map(|(name, t)| Field::new(name.to_lowercase(), t, true));
    let mut fields: Vec<Field> = own.collect();
    for name in &metadata.partition_columns {
        let folded = name.to_lowercase();
        if fields.iter().all(|f| *f.name() != folded) {
            fields.push(Field::new(folded, arrow_type(metadata, name), true));
        }
    }
    fields
}

/// The Arrow type of a partition column; text where the log names no simple type.
fn arrow_type(metadata: &Metadata, column: &str) -> DataType {
    let Some(schema::DataType::Primitive(name)) = metadata.column(column).map(|f| &f.data_type) else {
        return DataType::Utf8;
    };
    match name.as_str() {
        "byte" => DataType::Int8,
        "short" => DataType::Int16,
        "integer" => DataType::Int32,
        "long" => DataType::Int64,
        "float" => DataType::Float32,
        "double" => DataType::Float64,
        "boolean" => DataType::Boolean,
        "date" => DataType::Date32,
        "timestamp" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        "timestamp_ntz" => DataType::Timestamp(TimeUnit::Microsecond, None),
        other => decimal(other).unwrap_or(DataType::Utf8),
    }
}

fn decimal(name: &str) -> Option<DataType> {
    let (precision, scale) = name.strip_prefix("decimal(")?.strip_suffix(')')?.split_once(',')?;
    let precision = precision.trim().parse().ok().filter(|p| (1..=38).contains(p))?;
    let scale = scale.trim().parse().ok().filter(|s| (0..=38).contains(s))?;
    Some(DataType::Decimal128(precision, scale))
}

/// The text with all names in lower case.
fn fold(text: &str, hint: &str) -> Outcome<String> {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().map_err(|e| invalid(e, hint))?;
    let folded = tokens.into_iter().map(|token| match token {
        Token::Word(mut word) => {
            word.value = word.value.to_lowercase();
            Token::Word(word).to_string()
        }
        other => other.to_string(),
    });
    Ok(folded.collect())
}

/// What there is to say of a name that the file list has not.
fn unknown(error: &DataFusionError, metadata: &Metadata) -> Option<String> {
    let DataFusionError::SchemaError(schema, _) = error.find_root() else { return None };
    let SchemaError::FieldNotFound { field, .. } = schema.as_ref() else { return None };
    let own = metadata.schema.iter().find(|f| f.name.to_lowercase() == field.name);
    Some(match own {
        Some(column) => format!("{} is not a partition column", column.name),
        None => format!("Unknown column \"{}\"", field.name),
    })
}

fn invalid(cause: impl std::fmt::Display, hint: &str) -> Fault {
    Fault::usage("invalid-predicate", "The condition of --where cannot be used").because(cause).hint(hint)
}

fn hint(metadata: &Metadata) -> String {
    let names = OF_EVERY_FILE.iter().copied().chain(metadata.partition_columns.iter().map(String::as_str));
    format!("It may name {}", names.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::{ChunkBuilder, NewFile};
    use crate::model::partition::PartitionDict;
    use crate::model::schema::Field;

    fn metadata() -> Metadata {
        let data_type = schema::DataType::Primitive("date".into());
        let day = Field { name: "Day".into(), data_type, nullable: true, metadata: Default::default() };
        Metadata { schema: vec![day], partition_columns: vec!["Day".into()], ..Metadata::default() }
    }

    fn list() -> FileList {
        let mut dict = PartitionDict::new(vec!["Day".to_owned()]);
        let days = ["2026-04-01", "2026-04-02", "never"].map(|d| dict.intern(&[Some(d.into())]));
        let mut chunk = ChunkBuilder::new(true, 3);
        for (at, partition) in days.into_iter().enumerate() {
            let size = 100 * at as u64;
            let records = (at > 0).then_some(at as u64);
            chunk.push(NewFile { path: "a", size, records, partition, ..NewFile::default() });
        }
        let mut list = FileList::new(Arc::new(dict), true, false);
        list.push_chunk(Arc::new(chunk.finish()));
        list
    }

    fn matching(condition: &str) -> Vec<u32> {
        Filter::parse(condition, &metadata()).unwrap().matching(&list()).unwrap()
    }

    #[test]
    fn conditions_select_files() {
        assert_eq!(matching("sizeInBytes >= 100"), [1, 2]);
        assert_eq!(matching("SIZEINBYTES < 200 and `day` > '2026-04-01'"), [1]);
        assert_eq!(matching("\"Day\" = date '2026-04-01'"), [0]);
        assert_eq!(matching("day is null"), [2]);
        assert_eq!(matching("numRecords < 2"), [1]);
        assert_eq!(matching("path like 'A%'"), [0u32; 0]);
        assert_eq!(matching("modificationTime < '1970-01-02'"), [0, 1, 2]);
    }

    #[test]
    fn only_what_is_named_is_read() {
        assert!(Filter::parse("numrecords > 1", &metadata()).unwrap().uses(RECORDS));
        assert!(!Filter::parse("path = 'numRecords'", &metadata()).unwrap().uses(RECORDS));
    }

    #[test]
    fn mistakes_are_usage_errors() {
        for text in ["size >", "wheel = 1", "sizeInBytes", "path = 'x", "sum(sizeInBytes) > 1", ""] {
            let fault = Filter::parse(text, &metadata()).err().unwrap_or_else(|| panic!("{text} is taken"));
            assert_eq!((fault.exit_status(), fault.code), (2, "invalid-predicate"), "{text}");
            assert!(fault.hint.contains("Day"));
        }
        let mut metadata = metadata();
        let field = |name: &str| Field { name: name.into(), ..metadata.schema[0].clone() };
        let fields = [field("Note")];
        metadata.schema.extend(fields);
        let cause = |text: &str| Filter::parse(text, &metadata).err().unwrap().cause;
        assert_eq!(cause("NOTE = 3"), "Note is not a partition column");
        assert_eq!(cause("wheel = 3"), "Unknown column \"wheel\"");
    }
}
