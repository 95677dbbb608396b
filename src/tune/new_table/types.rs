//! The types of a query's result as those of a Delta table (protocol, "Schema Serialization
//! Format"), and as what its files hold.

use arrow::datatypes::{DataType, Field, Fields, TimeUnit};
use serde_json::{Value, json};

use crate::model::{Fault, Outcome};
use crate::tune::data::layout::{list_of, map_of};

/// A type twice: in the log's words, and as it is written.
pub struct Typed {
    pub log: Value,
    pub file: DataType,
}

/// Characters that Spark refuses in names of columns without column mapping
/// (Delta docs, "Column mapping").
const NOT_IN_NAMES: [char; 10] = [' ', ',', ';', '{', '}', '(', ')', '\n', '\t', '='];

/// The column's name, if a Delta table without column mapping may have it.
///
/// # Errors
/// `usage`, with the name.
pub fn name(name: &str, before: &[Field]) -> Outcome<()> {
    let wrong = |why: &str| {
        Fault::usage("column-name", format!("A Delta table cannot have a column \"{name}\""))
            .because(why)
            .hint("Give the column a name in the query, such as count(*) AS n")
    };
    if name.is_empty() || name.contains(NOT_IN_NAMES) {
        return Err(wrong("names hold no blanks and none of ,;{}()="));
    }
    if before.iter().any(|f| f.name().to_lowercase() == name.to_lowercase()) {
        return Err(wrong("another column has that name, whatever its case"));
    }
    Ok(())
}

/// None for types that Delta has not. Whole numbers without sign become the next larger ones;
/// times are kept to the microsecond.
pub fn of(data_type: &DataType) -> Option<Typed> {
    let plain = |name: &str, file: DataType| Some(Typed { log: Value::from(name), file });
    match data_type {
        DataType::Boolean => plain("boolean", DataType::Boolean),
        DataType::Int8 => plain("byte", DataType::Int8),
        DataType::Int16 | DataType::UInt8 => plain("short", DataType::Int16),
        DataType::Int32 | DataType::UInt16 => plain("integer", DataType::Int32),
        DataType::Int64 | DataType::UInt32 => plain("long", DataType::Int64),
        DataType::UInt64 => plain("decimal(20,0)", DataType::Decimal128(20, 0)),
        DataType::Float16 | DataType::Float32 => plain("float", DataType::Float32),
        DataType::Float64 => plain("double", DataType::Float64),
        DataType::Decimal32(p, s)
        | DataType::Decimal64(p, s)
        | DataType::Decimal128(p, s)
        | DataType::Decimal256(p, s)
            if *p <= 38 && *s >= 0 && *s as u8 <= *p =>
        {
            plain(&format!("decimal({p},{s})"), DataType::Decimal128(*p, *s))
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => plain("string", DataType::Utf8),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            plain("binary", DataType::Binary)
        }
        DataType::Date32 | DataType::Date64 => plain("date", DataType::Date32),
        DataType::Timestamp(_, Some(_)) => {
            plain("timestamp", DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())))
        }
        DataType::Timestamp(_, None) => {
            plain("timestamp_ntz", DataType::Timestamp(TimeUnit::Microsecond, None))
        }
        DataType::Dictionary(_, values) => of(values),
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::FixedSizeList(field, _) => {
            let element = of(field.data_type())?;
            let log = json!({"type": "array", "elementType": element.log, "containsNull": true});
            Some(Typed { log, file: list_of(element.file) })
        }
        DataType::Map(entries, _) => {
            let DataType::Struct(parts) = entries.data_type() else { return None };
            let [key, value] = &parts[..] else { return None };
            let (key, value) = (of(key.data_type())?, of(value.data_type())?);
            let log = json!({
                "type": "map",
                "keyType": key.log,
                "valueType": value.log,
                "valueContainsNull": true,
            });
            Some(Typed { log, file: map_of(key.file, value.file) })
        }
        DataType::Struct(parts) => {
            let typed: Option<Vec<(String, Typed)>> =
                parts.iter().map(|f| Some((f.name().clone(), of(f.data_type())?))).collect();
            let (mut logs, mut files) = (Vec::new(), Vec::new());
            for (name, part) in typed? {
                logs.push(field(&name, &part.log));
                files.push(Field::new(name, part.file, true));
            }
            let log = json!({"type": "struct", "fields": logs});
            Some(Typed { log, file: DataType::Struct(Fields::from(files)) })
        }
        _ => None,
    }
}

/// A field of a schema in the log.
pub fn field(name: &str, data_type: &Value) -> Value {
    json!({"name": name, "type": data_type, "nullable": true, "metadata": {}})
}

/// Whether a column holds times without a zone, which a table must announce.
pub fn without_zone(data_type: &DataType) -> bool {
    match data_type {
        DataType::Timestamp(_, zone) => zone.is_none(),
        DataType::List(field) | DataType::Map(field, _) => without_zone(field.data_type()),
        DataType::Struct(parts) => parts.iter().any(|f| without_zone(f.data_type())),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_in_both_forms() {
        let log = |data_type: &DataType| of(data_type).map(|t| t.log.to_string().replace('"', ""));
        assert_eq!(log(&DataType::Utf8View).as_deref(), Some("string"));
        assert_eq!(log(&DataType::UInt64).as_deref(), Some("decimal(20,0)"));
        assert_eq!(log(&DataType::Decimal256(60, 2)), None);
        assert_eq!(log(&DataType::Null), None);
        let nanos = DataType::Timestamp(TimeUnit::Nanosecond, None);
        assert_eq!(log(&nanos).as_deref(), Some("timestamp_ntz"));
        let list = DataType::new_list(nanos, true);
        assert!(of(&list).is_some_and(|t| without_zone(&t.file)));
        assert!(!without_zone(&DataType::Timestamp(TimeUnit::Second, Some("UTC".into()))));
    }

    #[test]
    fn names_that_spark_takes() {
        let before = [Field::new("Id", DataType::Int64, true)];
        assert!(name("größe", &before).is_ok());
        for wrong in ["", "count(*)", "a b", "id"] {
            assert_eq!(name(wrong, &before).unwrap_err().code, "column-name", "{wrong:?}");
        }
    }
}
