//! The schema as a tree of fields.

use std::collections::HashSet;

use crate::app::layer::detail::DetailLayer;
use crate::app::scroll::Scroll;
use crate::model::schema::{DataType, Field};
use crate::model::table::Table;

/// A visible field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnRow {
    /// Names from the column down to this field; elements, keys and values of collections are
    /// named so.
    pub path: Vec<String>,
    pub type_name: String,
    pub nullable: bool,
    /// What the column is for, in words.
    pub roles: Vec<&'static str>,
    /// If it differs from the name.
    pub physical: Option<String>,
    pub field_id: Option<i64>,
    pub has_children: bool,
    pub unfolded: bool,
    facts: Vec<(String, String)>,
    physical_path: Vec<String>,
}

impl ColumnRow {
    pub fn name(&self) -> &str {
        self.path.last().map_or("", |n| n)
    }

    pub fn depth(&self) -> usize {
        self.path.len().saturating_sub(1)
    }

    /// Names in the files: those of columns are physical ones.
    pub fn physical_path(&self) -> &[String] {
        &self.physical_path
    }

    pub fn detail(&self) -> DetailLayer {
        let mut d = DetailLayer::new("Column");
        d.row("name", self.path.join("."));
        d.row("type", self.type_name.clone());
        d.row("nullable", if self.nullable { "yes" } else { "no" });
        if !self.roles.is_empty() {
            d.row("roles", self.roles.join(", "));
        }
        if let Some(name) = &self.physical {
            d.row("physical name", name.clone());
        }
        if let Some(id) = self.field_id {
            d.row("field id", id.to_string());
        }
        for (name, value) in &self.facts {
            d.row(name, value.clone());
        }
        d
    }
}

/// The tree's state.
#[derive(Debug, Default)]
pub struct ColumnsPane {
    pub scroll: Scroll,
    pub rows: Vec<ColumnRow>,
    unfolded: HashSet<Vec<String>>,
}

impl ColumnsPane {
    /// Lists the visible fields of the table's schema.
    pub fn set(&mut self, table: &Table) {
        let metadata = &table.metadata;
        let clustering = table.clustering_columns();
        let mut rows = Vec::new();
        for field in &metadata.schema {
            self.push_field(field, &[], &mut rows);
        }
        for row in &mut rows {
            let name = row.path.join(".");
            if row.depth() == 0 && metadata.partition_columns.contains(&name) {
                row.roles.insert(0, "partition");
            }
            if clustering.contains(&name) {
                row.roles.insert(0, "clustering");
            }
        }
        self.rows = rows;
        self.scroll.clamp(self.rows.len());
    }

    pub fn selected(&self) -> Option<&ColumnRow> {
        self.rows.get(self.scroll.selected)
    }

    /// Unfolds the selected field, or goes to its first part.
    pub fn unfold(&mut self, table: &Table) {
        match self.selected() {
            Some(row) if row.unfolded => self.scroll.selected += 1,
            Some(row) if row.has_children => self.toggle(table),
            _ => {}
        }
    }

    /// Folds the selected field, or goes to the field that it is part of.
    pub fn fold(&mut self, table: &Table) {
        let Some(row) = self.selected() else { return };
        if row.unfolded {
            return self.toggle(table);
        }
        let parent = row.path.get(..row.depth()).unwrap_or_default();
        if let Some(at) = self.rows.iter().position(|r| r.path == parent) {
            self.scroll.selected = at;
        }
    }

    pub fn toggle(&mut self, table: &Table) {
        let Some(path) = self.selected().filter(|r| r.has_children).map(|r| r.path.clone()) else { return };
        if !self.unfolded.remove(&path) {
            self.unfolded.insert(path);
        }
        self.set(table);
    }

    fn push_field(&self, field: &Field, parent: &[String], rows: &mut Vec<ColumnRow>) {
        let mut roles = Vec::new();
        let mut facts = Vec::new();
        if let Some(expression) = field.generation_expression() {
            roles.push("generated");
            facts.push(("generated as".to_owned(), expression.to_owned()));
        }
        if field.is_identity() {
            roles.push("identity");
        }
        if field.has_invariant() {
            roles.push("constraint");
        }
        let shown =
            |key: &str| key.starts_with("delta.columnMapping.") || key == "delta.generationExpression";
        for (key, value) in field.metadata.iter().filter(|(key, _)| !shown(key)) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            facts.push((key.clone(), text));
        }
        let path: Vec<String> = parent.iter().cloned().chain([field.name.clone()]).collect();
        let row = ColumnRow {
            type_name: field.data_type.to_string(),
            nullable: field.nullable,
            roles,
            physical: Some(field.physical_name().to_owned()).filter(|p| *p != field.name),
            field_id: field.field_id(),
            has_children: has_children(&field.data_type),
            unfolded: self.unfolded.contains(&path),
            facts,
            physical_path: physical(rows, parent, &[field.physical_name()]),
            path,
        };
        self.push_row(row, &field.data_type, rows);
    }

    /// An array's element, a map's key or value.
    fn push_part(
        &self,
        name: &str,
        data_type: &DataType,
        nullable: bool,
        parent: &[String],
        rows: &mut Vec<ColumnRow>,
    ) {
        let path: Vec<String> = parent.iter().cloned().chain([name.to_owned()]).collect();
        // Groups of parquet-format's nested types (LogicalTypes.md, "Nested Types").
        let in_file: &[&str] = match name {
            "element" => &["list", "element"],
            "key" => &["key_value", "key"],
            _ => &["key_value", "value"],
        };
        let row = ColumnRow {
            type_name: data_type.to_string(),
            nullable,
            roles: Vec::new(),
            physical: None,
            field_id: None,
            has_children: has_children(data_type),
            unfolded: self.unfolded.contains(&path),
            facts: Vec::new(),
            physical_path: physical(rows, parent, in_file),
            path,
        };
        self.push_row(row, data_type, rows);
    }

    fn push_row(&self, row: ColumnRow, data_type: &DataType, rows: &mut Vec<ColumnRow>) {
        let (unfolded, path) = (row.unfolded, row.path.clone());
        rows.push(row);
        if !unfolded {
            return;
        }
        match data_type {
            DataType::Struct(fields) => fields.iter().for_each(|f| self.push_field(f, &path, rows)),
            DataType::Array { element, contains_null } => {
                self.push_part("element", element, *contains_null, &path, rows);
            }
            DataType::Map { key, value, value_contains_null } => {
                self.push_part("key", key, false, &path, rows);
                self.push_part("value", value, *value_contains_null, &path, rows);
            }
            DataType::Primitive(_) | DataType::Unknown(_) => {}
        }
    }
}

/// The path in the files of a part of the field at `parent`, which is among the rows already.
fn physical(rows: &[ColumnRow], parent: &[String], names: &[&str]) -> Vec<String> {
    let above = rows.iter().rev().find(|r| r.path == parent).map(|r| r.physical_path.as_slice());
    above.unwrap_or_default().iter().cloned().chain(names.iter().map(|n| (*n).to_owned())).collect()
}

/// Collections of plain values say all in their type's name.
fn has_children(data_type: &DataType) -> bool {
    match data_type {
        DataType::Struct(_) => true,
        DataType::Array { element, .. } => has_children(element),
        DataType::Map { key, value, .. } => has_children(key) || has_children(value),
        DataType::Primitive(_) | DataType::Unknown(_) => false,
    }
}
