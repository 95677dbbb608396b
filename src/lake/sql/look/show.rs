//! `SHOW …`

use super::{answer, split};
use crate::lake::log::Want;
use crate::lake::sql::engine::SCHEMA;
use crate::lake::sql::entry::Entry;
use crate::lake::sql::fold::fold;
use crate::lake::sql::lakehouse::Lakehouse;
use crate::lake::sql::session::SqlRun;
use crate::lake::watch::Watch;
use crate::model::partition::compare_tuples;
use crate::model::{Fault, Outcome};

pub(super) fn tables(
    lakehouse: &Lakehouse,
    schema: Option<&String>,
    pattern: Option<&str>,
) -> Outcome<SqlRun> {
    let row = |e: &std::sync::Arc<Entry>| {
        vec![e.schema.clone(), e.names.first().cloned(), Some("false".to_owned())]
    };
    let fits =
        |e: &&std::sync::Arc<Entry>| pattern.is_none_or(|p| e.names.first().is_some_and(|n| like(n, p)));
    let schema = schema.map_or(SCHEMA, String::as_str);
    known_schema(lakehouse, schema)?;
    let mut rows: Vec<_> = lakehouse.entries(&fold(schema)).filter(fits).map(row).collect();
    rows.sort();
    answer::texts(&["namespace", "tableName", "isTemporary"], &rows)
}

/// Where there are no schemas at all, any name means the open location.
///
/// # Errors
/// `unknown-schema` with those that there are.
pub(super) fn known_schema(lakehouse: &Lakehouse, schema: &str) -> Outcome<()> {
    let known = lakehouse.schemas();
    let has_schemas = known.iter().any(|s| s != SCHEMA);
    if has_schemas && schema != SCHEMA && !known.iter().any(|s| fold(s) == fold(schema)) {
        return Err(Fault::usage("unknown-schema", format!("Unknown schema \"{schema}\""))
            .hint(format!("Schemas: {}", known.join(", "))));
    }
    Ok(())
}

/// `DESCRIBE SCHEMA s`
pub(super) fn schema(lakehouse: &Lakehouse, name: &[String]) -> Outcome<SqlRun> {
    let schema = name.last().map_or(SCHEMA, String::as_str);
    known_schema(lakehouse, schema)?;
    let below = lakehouse.schemas().into_iter().find(|s| s != SCHEMA && fold(s) == fold(schema));
    let place = below.map_or_else(|| lakehouse.place().clone(), |s| lakehouse.place().child(&s));
    let row = |name: &str, value: String| vec![Some(name.to_owned()), Some(value)];
    answer::texts(
        &["info_name", "info_value"],
        &[row("Namespace Name", schema.to_owned()), row("Location", place.display)],
    )
}

/// Spark's patterns: `*` is anything, `|` stands between alternatives, in any case.
fn like(name: &str, pattern: &str) -> bool {
    let name = fold(name);
    pattern.split('|').any(|one| {
        let one = fold(one);
        let mut parts = one.split('*');
        let first = parts.next().unwrap_or("");
        let Some(mut rest) = name.strip_prefix(first) else { return false };
        let parts: Vec<&str> = parts.collect();
        let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
        for part in middle {
            match rest.split_once(part) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last)
    })
}

pub(super) fn schemas(lakehouse: &Lakehouse) -> Outcome<SqlRun> {
    let rows: Vec<_> = lakehouse.schemas().into_iter().map(|name| vec![Some(name)]).collect();
    answer::texts(&["namespace"], &rows)
}

pub(super) async fn columns(lakehouse: &Lakehouse, name: &[String]) -> Outcome<SqlRun> {
    let (schema, table) = split(name);
    let found = lakehouse.known_table(schema, table).await?.own_schema();
    let rows: Vec<_> = found.fields().iter().map(|f| vec![Some(f.name().clone())]).collect();
    answer::texts(&["col_name"], &rows)
}

/// A column for each partition column, as Databricks' has it; in the order of the partition tree.
pub(super) async fn partitions(lakehouse: &Lakehouse, name: &[String]) -> Outcome<SqlRun> {
    let (schema, table) = split(name);
    let entry = lakehouse.known_entry(schema, table).await?;
    let open = entry.open().await?;
    if open.table.metadata.partition_columns.is_empty() {
        return Err(Fault::usage(
            "not-partitioned",
            format!("The table \"{}\" has no partitions", open.table.name),
        )
        .hint("DESCRIBE DETAIL shows the partition columns of a table"));
    }
    let files = open.files(Want::default(), &Watch::default()).await?;
    let dict = &files.list.partitions;
    let mut used = vec![false; dict.len()];
    for chunk in files.list.chunks() {
        for id in chunk.partitions() {
            if let Some(flag) = used.get_mut(*id as usize) {
                *flag = true;
            }
        }
    }
    let mut tuples: Vec<_> =
        (0..dict.len() as u32).filter(|id| used[*id as usize]).map(|id| dict.values(id)).collect();
    tuples.sort_by(|a, b| compare_tuples(a, b));
    let column =
        |at: usize| answer::text(tuples.iter().map(|t| t.get(at).cloned().flatten().map(|v| v.to_string())));
    let named = dict.columns().iter().enumerate().map(|(at, name)| (name.clone(), column(at)));
    answer::named_columns(named.collect())
}

pub(super) async fn properties(lakehouse: &Lakehouse, name: &[String], key: Option<&str>) -> Outcome<SqlRun> {
    let (schema, table) = split(name);
    let entry = lakehouse.known_entry(schema, table).await?;
    let open = entry.open().await?;
    let protocol = &open.table.protocol;
    let mut all = open.table.metadata.configuration.clone();
    all.insert("delta.minReaderVersion".into(), protocol.min_reader.to_string());
    all.insert("delta.minWriterVersion".into(), protocol.min_writer.to_string());
    let row = |(key, value): (String, String)| vec![Some(key), Some(value)];
    let rows: Vec<_> = match key {
        None => all.into_iter().map(row).collect(),
        Some(key) => {
            let missing = || format!("Table {} does not have property: {key}", open.table.name);
            vec![row((key.to_owned(), all.get(key).cloned().unwrap_or_else(missing)))]
        }
    };
    answer::texts(&["key", "value"], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (name, pattern, fits) in [
            ("sales", "s*", true),
            ("sales", "*les", true),
            ("sales", "S*L*S", true),
            ("sales", "sales", true),
            ("sales", "sale", false),
            ("sales", "x*|sal*", true),
            ("sales", "*x*", false),
        ] {
            assert_eq!(like(name, pattern), fits, "{name} {pattern}");
        }
    }
}
