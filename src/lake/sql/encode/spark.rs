//! Type names as Spark writes them.

use arrow::datatypes::{DataType, Fields};

/// `bigint`, `decimal(10,2)`, `array<struct<a:int>>`; types that Spark lacks by their nearest word.
pub(crate) fn type_name(data_type: &DataType) -> String {
    use DataType as D;
    let plain = match data_type {
        D::Null => "void",
        D::Boolean => "boolean",
        D::Int8 => "tinyint",
        D::Int16 => "smallint",
        D::Int32 => "int",
        D::Int64 => "bigint",
        D::UInt8 => "tinyint unsigned",
        D::UInt16 => "smallint unsigned",
        D::UInt32 => "int unsigned",
        D::UInt64 => "bigint unsigned",
        D::Float16 => "half",
        D::Float32 => "float",
        D::Float64 => "double",
        D::Utf8 | D::LargeUtf8 | D::Utf8View => "string",
        D::Binary | D::LargeBinary | D::BinaryView | D::FixedSizeBinary(_) => "binary",
        D::Date32 | D::Date64 => "date",
        D::Timestamp(_, Some(_)) => "timestamp",
        D::Timestamp(_, None) => "timestamp_ntz",
        D::Time32(_) | D::Time64(_) => "time",
        D::Duration(_) | D::Interval(_) => "interval",
        D::Decimal32(p, s) | D::Decimal64(p, s) | D::Decimal128(p, s) | D::Decimal256(p, s) => {
            return format!("decimal({p},{s})");
        }
        D::List(f) | D::LargeList(f) | D::ListView(f) | D::LargeListView(f) | D::FixedSizeList(f, _) => {
            return format!("array<{}>", type_name(f.data_type()));
        }
        D::Struct(fields) => return format!("struct<{}>", field_names(fields)),
        D::Map(entries, _) => return map_name(entries.data_type()),
        D::Dictionary(_, value) => return type_name(value),
        D::RunEndEncoded(_, values) => return type_name(values.data_type()),
        other => return other.to_string().to_lowercase(),
    };
    plain.into()
}

fn field_names(fields: &Fields) -> String {
    let one =
        |f: &std::sync::Arc<arrow::datatypes::Field>| format!("{}:{}", f.name(), type_name(f.data_type()));
    fields.iter().map(one).collect::<Vec<_>>().join(",")
}

fn map_name(entries: &DataType) -> String {
    match entries {
        DataType::Struct(fields) => match &fields[..] {
            [key, value] => format!("map<{},{}>", type_name(key.data_type()), type_name(value.data_type())),
            _ => "map".into(),
        },
        _ => "map".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::datatypes::{Field, TimeUnit};

    use super::*;

    #[test]
    fn spark_names() {
        let item = Field::new_list_field(DataType::Utf8View, true);
        let list = DataType::List(Arc::new(item));
        assert_eq!(type_name(&list), "array<string>");
        let fields = Fields::from(vec![Field::new("a", DataType::Int32, true), Field::new("b", list, true)]);
        assert_eq!(type_name(&DataType::Struct(fields)), "struct<a:int,b:array<string>>");
        let entries = Fields::from(vec![
            Field::new("key", DataType::Utf8, false),
            Field::new("value", DataType::Decimal128(10, 2), true),
        ]);
        let map = DataType::Map(Arc::new(Field::new("entries", DataType::Struct(entries), false)), false);
        assert_eq!(type_name(&map), "map<string,decimal(10,2)>");
        assert_eq!(type_name(&DataType::Timestamp(TimeUnit::Microsecond, None)), "timestamp_ntz");
        let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Date32));
        assert_eq!(type_name(&dictionary), "date");
    }
}
