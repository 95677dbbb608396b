//! `SHOW CREATE TABLE t`: a statement that makes the same table elsewhere.

use super::{answer, split};
use crate::lake::sql::lakehouse::Lakehouse;
use crate::lake::sql::session::SqlRun;
use crate::model::schema::{DataType, Field};
use crate::model::table::Table;
use crate::model::{Fault, Outcome};

pub(super) async fn statement(lakehouse: &Lakehouse, name: &[String]) -> Outcome<SqlRun> {
    let (schema, table) = split(name);
    let entry = lakehouse.known_entry(schema, table).await?;
    if !entry.is_delta() {
        return Err(Fault::usage("not-a-table", "SHOW CREATE TABLE is for Delta tables"));
    }
    let open = entry.open().await?;
    let text = text(&entry.full_name(), &open.table);
    answer::texts(&["createtab_stmt"], &[vec![Some(text)]])
}

fn text(name: &str, table: &Table) -> String {
    let metadata = &table.metadata;
    let name: Vec<String> = name.split('.').map(quoted).collect();
    let columns: Vec<String> = metadata.schema.iter().map(|f| format!("  {}", column(f))).collect();
    let mut out = format!("CREATE TABLE {} (\n{})\nUSING delta\n", name.join("."), columns.join(",\n"));
    if !metadata.partition_columns.is_empty() {
        let names: Vec<String> = metadata.partition_columns.iter().map(|c| quoted(c)).collect();
        out.push_str(&format!("PARTITIONED BY ({})\n", names.join(", ")));
    }
    let clustering = table.clustering_columns();
    if !clustering.is_empty() {
        let names: Vec<String> = clustering.iter().map(|c| quoted(c)).collect();
        out.push_str(&format!("CLUSTER BY ({})\n", names.join(", ")));
    }
    if let Some(description) = &metadata.description {
        out.push_str(&format!("COMMENT {}\n", literal(description)));
    }
    out.push_str(&format!("LOCATION {}\n", literal(&table.location)));
    let set = metadata.configuration.iter().map(|(k, v)| format!("  {} = {}", literal(k), literal(v)));
    let versions = [
        ("delta.minReaderVersion", table.protocol.min_reader),
        ("delta.minWriterVersion", table.protocol.min_writer),
    ];
    let versions = versions.iter().map(|(k, v)| format!("  {} = '{v}'", literal(k)));
    let properties: Vec<String> = set.chain(versions).collect();
    out.push_str(&format!("TBLPROPERTIES (\n{})", properties.join(",\n")));
    out
}

fn column(field: &Field) -> String {
    let mut out = format!("{} {}", quoted(&field.name), type_text(&field.data_type));
    if let Some(expression) = field.generation_expression() {
        out.push_str(&format!(" GENERATED ALWAYS AS ({expression})"));
    }
    if !field.nullable {
        out.push_str(" NOT NULL");
    }
    if let Some(comment) = field.metadata.get("comment").and_then(|c| c.as_str()) {
        out.push_str(&format!(" COMMENT {}", literal(comment)));
    }
    out
}

/// As Spark's DDL writes types.
fn type_text(data_type: &DataType) -> String {
    match data_type {
        DataType::Primitive(name) => match name.as_str() {
            "long" => "BIGINT".into(),
            "integer" => "INT".into(),
            "short" => "SMALLINT".into(),
            "byte" => "TINYINT".into(),
            other => other.to_uppercase(),
        },
        DataType::Struct(fields) => {
            let field = |f: &Field| {
                let not_null = if f.nullable { "" } else { " NOT NULL" };
                format!("{}: {}{not_null}", quoted(&f.name), type_text(&f.data_type))
            };
            format!("STRUCT<{}>", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        DataType::Array { element, .. } => format!("ARRAY<{}>", type_text(element)),
        DataType::Map { key, value, .. } => format!("MAP<{}, {}>", type_text(key), type_text(value)),
        DataType::Unknown(text) => text.clone(),
    }
}

/// In back quotes where a bare word would not do.
fn quoted(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty();
    if plain { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_types() {
        assert_eq!(quoted("a_1"), "a_1");
        assert_eq!(quoted("a b`c"), "`a b``c`");
        let element = Box::new(DataType::Primitive("decimal(10,2)".into()));
        let array = DataType::Array { element, contains_null: true };
        let field =
            Field { name: "x y".into(), data_type: array, nullable: false, metadata: Default::default() };
        assert_eq!(column(&field), "`x y` ARRAY<DECIMAL(10,2)> NOT NULL");
    }
}
