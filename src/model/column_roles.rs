//! What a column is used for.

use serde::Serialize;

use super::schema::Field;
use super::table::Table;

/// A part that a column plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Partition,
    Clustering,
    /// Its value is computed from other columns.
    Generated,
    Identity,
    /// An invariant or a CHECK constraint speaks of it.
    Constraint,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::Partition => "partition",
            Role::Clustering => "clustering",
            Role::Generated => "generated",
            Role::Identity => "identity",
            Role::Constraint => "constraint",
        }
    }
}

/// The parts that a top-level column plays; `clustering`: the table's clustering columns.
pub fn roles(of: &Table, field: &Field, clustering: &[String]) -> Vec<Role> {
    let metadata = &of.metadata;
    let is_clustering = |c: &String| {
        c == &field.name || c.strip_prefix(&field.name).is_some_and(|rest| rest.starts_with('.'))
    };
    let mut checks = metadata.configuration.iter().filter(|(key, _)| key.starts_with("delta.constraints."));
    let roles = [
        (Role::Partition, metadata.partition_columns.contains(&field.name)),
        (Role::Clustering, clustering.iter().any(is_clustering)),
        (Role::Generated, field.generation_expression().is_some()),
        (Role::Identity, field.is_identity()),
        (Role::Constraint, field.has_invariant() || checks.any(|(_, sql)| names_column(sql, &field.name))),
    ];
    roles.into_iter().filter_map(|(role, holds)| holds.then_some(role)).collect()
}

/// Whether an SQL expression names the column: as a word, or in backticks. Delta's names do not depend
/// on case; what is in quotes is text (Spark SQL, "Identifiers", "Literals").
pub(super) fn names_column(sql: &str, column: &str) -> bool {
    let mut rest = sql.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if matches!(first, '\'' | '"' | '`') {
            let end = rest[1..].find(first).map_or(rest.len(), |at| at + 2);
            if first == '`' && rest[1..end].trim_end_matches('`').eq_ignore_ascii_case(column) {
                return true;
            }
            end
        } else if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            if rest[..end].to_lowercase() == column.to_lowercase() {
                return true;
            }
            end
        } else {
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_name_columns_and_not_texts() {
        assert!(names_column("ID > 0 AND `a b` <> 'x'", "id"));
        assert!(names_column("ID > 0 AND `a b` <> 'x'", "a b"));
        assert!(!names_column("name <> 'id' AND idx > 1", "id"));
        assert!(names_column("name <> 'it''s' AND id > 1", "id"));
        assert!(names_column("größe > 0", "Größe"));
        assert!(!names_column("x = 'unclosed id", "id"));
        assert!(!names_column("`unclosed id", "id"));
    }
}
