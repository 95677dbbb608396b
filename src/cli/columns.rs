//! `deltop columns`: the schema, with the part that each column plays.

use std::io::{self, Write};

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use serde::Serialize;
use serde_json::Value;

use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, counted, table};
use crate::model::Outcome;
use crate::model::schema::Field;
use crate::model::table::Table;

/// An element of the contract's `columns` array. What takes a reading of statistics or footers is
/// null: this version does not compute it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    name: &'a str,
    physical_name: &'a str,
    #[serde(rename = "type")]
    data_type: String,
    nullable: bool,
    roles: Vec<&'static str>,
    stats_files: Option<u64>,
    null_count: Option<u64>,
    min: Option<Value>,
    max: Option<Value>,
    compressed_bytes: Option<u64>,
    clustering: Option<Value>,
}

pub async fn run(call: &mut Call<'_>) -> Outcome<()> {
    let open = call.table().await?;
    if call.format.is_text() {
        return write_text(call.out, &open.table).map_err(failed);
    }
    let clustering = open.table.clustering_columns();
    let answers = open.table.metadata.schema.iter().map(|field| Answer {
        name: &field.name,
        physical_name: field.physical_name(),
        data_type: field.data_type.to_string(),
        nullable: field.nullable,
        roles: roles(&open.table, field, &clustering),
        stats_files: None,
        null_count: None,
        min: None,
        max: None,
        compressed_bytes: None,
        clustering: None,
    });
    output::array(call.out, call.format, answers)
}

fn write_text(out: &mut dyn Write, of: &Table) -> io::Result<()> {
    let schema = &of.metadata.schema;
    writeln!(out, "{}", counted(schema.len() as u64, "column"))?;
    if let Some(problem) = &of.metadata.schema_problem {
        writeln!(out, "warning: {}", crate::model::text::clean(problem))?;
    }
    writeln!(out)?;
    let clustering = of.clustering_columns();
    let mapped = schema.iter().any(|f| f.physical_name() != f.name);
    let mut columns = vec![Column::left("name"), Column::left("type"), Column::left("null")];
    if mapped {
        columns.push(Column::left("physical name"));
    }
    columns.push(Column::left("role"));
    let rows = schema.iter().map(|field| {
        let nullable = if field.nullable { "yes" } else { "no" };
        let mut row = vec![field.name.clone(), field.data_type.to_string(), nullable.into()];
        if mapped {
            row.push(field.physical_name().to_owned());
        }
        row.push(roles(of, field, &clustering).join(", "));
        row
    });
    table(out, &columns, rows)
}

fn roles(of: &Table, field: &Field, clustering: &[String]) -> Vec<&'static str> {
    let metadata = &of.metadata;
    let is_clustering = |c: &String| {
        c == &field.name || c.strip_prefix(&field.name).is_some_and(|rest| rest.starts_with('.'))
    };
    let mut checks = metadata.configuration.iter().filter(|(key, _)| key.starts_with("delta.constraints."));
    let roles = [
        ("partition", metadata.partition_columns.contains(&field.name)),
        ("clustering", clustering.iter().any(is_clustering)),
        ("generated", field.generation_expression().is_some()),
        ("identity", field.is_identity()),
        ("constraint", field.has_invariant() || checks.any(|(_, sql)| names_column(sql, &field.name))),
    ];
    roles.into_iter().filter_map(|(role, holds)| holds.then_some(role)).collect()
}

/// Whether an SQL expression names the column; Delta's names do not depend on case.
fn names_column(sql: &str, column: &str) -> bool {
    let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize().unwrap_or_default();
    tokens.iter().any(|t| matches!(t, Token::Word(word) if word.value.eq_ignore_ascii_case(column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_name_columns_and_not_texts() {
        assert!(names_column("ID > 0 AND `a b` <> 'x'", "id"));
        assert!(names_column("ID > 0 AND `a b` <> 'x'", "a b"));
        assert!(!names_column("name <> 'id' AND idx > 1", "id"));
    }
}
