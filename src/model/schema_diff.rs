//! What changed between two schemas, column by column and in nested fields.

use serde::Serialize;
use serde_json::Value;

use super::schema::{DataType, Field};

/// The kinds of change to a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SchemaChangeKind {
    Added,
    Dropped,
    Renamed,
    /// Another type (type widening, or a replaced table).
    Type,
    /// `nullable` of a field, `containsNull` of an array, `valueContainsNull` of a map.
    Nullability,
    Comment,
    /// Any other entry of the field's metadata: default value, generation expression, …
    Metadata,
    /// The fields that stayed come in another order.
    Reordered,
}

/// One change to one column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaChange {
    pub change: SchemaChangeKind,
    /// The dotted path in the newer schema (in the older one if it was dropped); `element`, `key`
    /// and `value` stand for the parts of arrays and maps. Empty for the table's own fields.
    pub column: String,
    /// Before: a type, `nullable` or `not null`, a comment, a name, `key=value`.
    pub from: Option<String>,
    pub to: Option<String>,
}

/// All changes from `old` to `new`, in the order of the new schema, dropped columns last.
///
/// Columns are the same if their ids are (`delta.columnMapping.id`, where both have one), else if
/// their physical names are, else if their names differ in case only: so a rename under column
/// mapping is a rename, and switching column mapping on changes nothing.
pub fn schema_changes(old: &[Field], new: &[Field]) -> Vec<SchemaChange> {
    let mut out = Vec::new();
    fields(old, new, "", &mut out);
    out
}

fn fields(old: &[Field], new: &[Field], parent: &str, out: &mut Vec<SchemaChange>) {
    let matches = pair(old, new);
    for (field, before) in new.iter().zip(&matches) {
        let path = join(parent, &field.name);
        match before {
            Some(at) => one(&old[*at], field, path, out),
            None => push(out, SchemaChangeKind::Added, path, None, Some(with_null(field))),
        }
    }
    let kept: Vec<usize> = matches.iter().flatten().copied().collect();
    if !kept.is_sorted() {
        let mut before = kept.clone();
        before.sort_unstable();
        let names = |order: &[usize], from: &dyn Fn(usize) -> String| {
            Some(order.iter().map(|at| from(*at)).collect::<Vec<_>>().join(", "))
        };
        let name = |at: usize| old[at].name.clone();
        push(out, SchemaChangeKind::Reordered, parent.into(), names(&before, &name), names(&kept, &name));
    }
    for (at, field) in old.iter().enumerate() {
        if !kept.contains(&at) {
            push(out, SchemaChangeKind::Dropped, join(parent, &field.name), Some(with_null(field)), None);
        }
    }
}

/// For each new field the index of the old one that it is; no old field is taken twice.
fn pair(old: &[Field], new: &[Field]) -> Vec<Option<usize>> {
    let mut taken = vec![false; old.len()];
    let mut out = vec![None; new.len()];
    let rules: [fn(&Field, &Field) -> bool; 3] = [
        |a, b| a.field_id().is_some() && a.field_id() == b.field_id(),
        |a, b| (a.field_id().is_none() || b.field_id().is_none()) && a.physical_name() == b.physical_name(),
        |a, b| {
            (a.field_id().is_none() || b.field_id().is_none())
                && a.name.to_lowercase() == b.name.to_lowercase()
        },
    ];
    for same in rules {
        for (field, slot) in new.iter().zip(out.iter_mut()).filter(|(_, slot)| slot.is_none()) {
            let at = old.iter().enumerate().position(|(at, before)| !taken[at] && same(before, field));
            if let Some(at) = at {
                taken[at] = true;
                *slot = Some(at);
            }
        }
    }
    out
}

fn one(old: &Field, new: &Field, path: String, out: &mut Vec<SchemaChange>) {
    if old.name != new.name {
        let (from, to) = (Some(old.name.clone()), Some(new.name.clone()));
        push(out, SchemaChangeKind::Renamed, path.clone(), from, to);
    }
    nullability(old.nullable, new.nullable, &path, out);
    types(&old.data_type, &new.data_type, &path, out);
    let comment = |f: &Field| f.metadata.get("comment").map(text);
    if comment(old) != comment(new) {
        push(out, SchemaChangeKind::Comment, path.clone(), comment(old), comment(new));
    }
    let keys = old.metadata.keys().chain(new.metadata.keys().filter(|k| !old.metadata.contains_key(*k)));
    for key in keys.filter(|k| *k != "comment" && !k.starts_with("delta.columnMapping.")) {
        let (before, after) = (old.metadata.get(key), new.metadata.get(key));
        if before != after {
            let show = |v: Option<&Value>| v.map(|v| format!("{key}={}", text(v)));
            push(out, SchemaChangeKind::Metadata, path.clone(), show(before), show(after));
        }
    }
}

fn types(old: &DataType, new: &DataType, path: &str, out: &mut Vec<SchemaChange>) {
    match (old, new) {
        (DataType::Struct(a), DataType::Struct(b)) => fields(a, b, path, out),
        (
            DataType::Array { element: a, contains_null: x },
            DataType::Array { element: b, contains_null: y },
        ) => {
            let path = join(path, "element");
            nullability(*x, *y, &path, out);
            types(a, b, &path, out);
        }
        (
            DataType::Map { key: k, value: v, value_contains_null: x },
            DataType::Map { key: l, value: w, value_contains_null: y },
        ) => {
            types(k, l, &join(path, "key"), out);
            let path = join(path, "value");
            nullability(*x, *y, &path, out);
            types(v, w, &path, out);
        }
        (a, b) if a == b => {}
        (a, b) => {
            push(out, SchemaChangeKind::Type, path.into(), Some(a.to_string()), Some(b.to_string()));
        }
    }
}

fn nullability(old: bool, new: bool, path: &str, out: &mut Vec<SchemaChange>) {
    let word = |nullable| Some(if nullable { "nullable" } else { "not null" }.to_owned());
    if old != new {
        push(out, SchemaChangeKind::Nullability, path.into(), word(old), word(new));
    }
}

fn with_null(field: &Field) -> String {
    let null = if field.nullable { "" } else { " not null" };
    format!("{}{null}", field.data_type)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}

fn push(
    out: &mut Vec<SchemaChange>,
    change: SchemaChangeKind,
    column: String,
    from: Option<String>,
    to: Option<String>,
) {
    out.push(SchemaChange { change, column, from, to });
}

#[cfg(test)]
mod tests {
    use super::super::schema::parse_schema;
    use super::*;

    fn schema(fields: &str) -> Vec<Field> {
        parse_schema(&format!(r#"{{"type":"struct","fields":[{fields}]}}"#)).unwrap()
    }

    fn changes(old: &str, new: &str) -> Vec<String> {
        let show = |c: SchemaChange| {
            let part = |t: Option<String>| t.unwrap_or("-".into());
            format!("{:?} {}: {} > {}", c.change, c.column, part(c.from), part(c.to))
        };
        schema_changes(&schema(old), &schema(new)).into_iter().map(show).collect()
    }

    #[test]
    fn columns_come_and_go() {
        let old = r#"{"name":"a","type":"long","nullable":true,"metadata":{}},{"name":"b","type":"integer"}"#;
        let new = r#"{"name":"b","type":"long","nullable":false,"metadata":{"comment":"n"}},{"name":"c","type":"date"}"#;
        assert_eq!(
            changes(old, new),
            [
                "Nullability b: nullable > not null",
                "Type b: integer > long",
                "Comment b: - > n",
                "Added c: - > date",
                "Dropped a: long > -",
            ]
        );
        assert!(changes(old, old).is_empty());
    }

    #[test]
    fn a_mapped_rename_is_a_rename_and_a_reused_name_is_not() {
        let field = |name: &str, id: u32| {
            format!(
                r#"{{"name":"{name}","type":"long","metadata":{{"delta.columnMapping.id":{id},"delta.columnMapping.physicalName":"col-{id}"}}}}"#
            )
        };
        assert_eq!(changes(&field("a", 1), &field("b", 1)), ["Renamed b: a > b"]);
        assert_eq!(changes(&field("a", 1), &field("a", 2)), ["Added a: - > long", "Dropped a: long > -"]);
        let two = format!("{},{}", field("a", 1), field("b", 2));
        let swapped = format!("{},{}", field("b", 2), field("a", 1));
        assert_eq!(changes(&two, &swapped), ["Reordered : a, b > b, a"]);
    }

    #[test]
    fn switching_column_mapping_on_changes_nothing() {
        let old = r#"{"name":"a","type":"long"}"#;
        let new = r#"{"name":"a","type":"long","metadata":{"delta.columnMapping.id":1,"delta.columnMapping.physicalName":"a"}}"#;
        assert!(changes(old, new).is_empty());
    }

    #[test]
    fn nested_fields_have_paths() {
        let old = r#"{"name":"s","type":{"type":"struct","fields":[{"name":"x","type":"integer"}]}},
            {"name":"m","type":{"type":"map","keyType":"string","valueType":{"type":"array","elementType":"integer","containsNull":true},"valueContainsNull":true}}"#;
        let new = r#"{"name":"S","type":{"type":"struct","fields":[{"name":"x","type":"long"},{"name":"y","type":"date"}]}},
            {"name":"m","type":{"type":"map","keyType":"string","valueType":{"type":"array","elementType":"long","containsNull":false},"valueContainsNull":true}}"#;
        assert_eq!(
            changes(old, new),
            [
                "Renamed S: s > S",
                "Type S.x: integer > long",
                "Added S.y: - > date",
                "Nullability m.value.element: nullable > not null",
                "Type m.value.element: integer > long",
            ]
        );
    }

    #[test]
    fn two_thousand_columns_are_no_burden() {
        let make = |n: usize| {
            (0..n).map(|i| format!(r#"{{"name":"c{i}","type":"long"}}"#)).collect::<Vec<_>>().join(",")
        };
        assert_eq!(schema_changes(&schema(&make(2000)), &schema(&make(2001))).len(), 1);
    }
}
