//! The statistics' JSON: only the parts that were asked for are looked at.

use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::wanted::WantedColumn;

/// The wanted columns as a tree of physical names.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    children: FxHashMap<String, Node>,
    leaf: Option<usize>,
}

impl Node {
    pub(super) fn of(columns: &[WantedColumn]) -> Self {
        let mut root = Node::default();
        for (i, column) in columns.iter().enumerate() {
            let mut node = &mut root;
            for part in &column.path {
                node = node.children.entry(part.clone()).or_default();
            }
            node.leaf = Some(i);
        }
        root
    }
}

/// The JSON texts of one file's figures; a column's slot is none where the figure is missing.
pub(super) struct RawStats<'a> {
    pub records: Option<&'a RawValue>,
    pub tight: Option<&'a RawValue>,
    pub min: Vec<Option<&'a RawValue>>,
    pub max: Vec<Option<&'a RawValue>>,
    pub nulls: Vec<Option<&'a RawValue>>,
}

/// None if the text is not a JSON object.
pub(super) fn parse<'a>(json: &'a str, wanted: &Node, columns: usize) -> Option<RawStats<'a>> {
    let mut top = TOP_KEYS.map(|_| None);
    let mut reader = serde_json::Deserializer::from_str(json);
    Object { lookup: &|key| TOP_KEYS.iter().position(|k| *k == key), found: &mut |i, v| top[i] = Some(v) }
        .deserialize(&mut reader)
        .ok()?;
    reader.end().ok()?;
    let [records, tight, min, max, nulls] = top;
    let leaves = |group: Option<&'a RawValue>| {
        let mut out = vec![None; columns];
        if let Some(group) = group {
            descend(group, wanted, &mut out);
        }
        out
    };
    Some(RawStats { records, tight, min: leaves(min), max: leaves(max), nulls: leaves(nulls) })
}

const TOP_KEYS: [&str; 5] = ["numRecords", "tightBounds", "minValues", "maxValues", "nullCount"];

fn descend<'a>(object: &'a RawValue, node: &Node, out: &mut [Option<&'a RawValue>]) {
    let mut nested: Vec<(&Node, &'a RawValue)> = Vec::new();
    let mut found = |child: &'_ Node, value: &'a RawValue| {
        if let Some(slot) = child.leaf.and_then(|i| out.get_mut(i)) {
            *slot = Some(value);
        }
    };
    // An object of another form than the schema's says nothing; its columns stay unknown.
    let mut reader = serde_json::Deserializer::from_str(object.get());
    let mut pairs = Vec::new();
    let read = Object { lookup: &|key| node.children.get(key), found: &mut |n, v| pairs.push((n, v)) }
        .deserialize(&mut reader);
    if read.is_ok() {
        for (child, value) in pairs {
            found(child, value);
            if !child.children.is_empty() {
                nested.push((child, value));
            }
        }
    }
    for (child, value) in nested {
        descend(value, child, out);
    }
}

/// Walks an object: `lookup` says which keys matter, `found` gets their values' texts.
struct Object<'f, 'a, K> {
    lookup: &'f dyn Fn(&str) -> Option<K>,
    found: &'f mut dyn FnMut(K, &'a RawValue),
}

impl<'a, K> DeserializeSeed<'a> for Object<'_, 'a, K> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'a, K> Visitor<'a> for Object<'_, 'a, K> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Key(self.lookup))? {
            match key {
                Some(key) => (self.found)(key, map.next_value()?),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

struct Key<'f, K>(&'f dyn Fn(&str) -> Option<K>);

impl<'a, K> DeserializeSeed<'a> for Key<'_, K> {
    type Value = Option<K>;

    fn deserialize<D: Deserializer<'a>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl<K> Visitor<'_> for Key<'_, K> {
    type Value = Option<K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok((self.0)(key))
    }
}
