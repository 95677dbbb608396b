//! The footer of one parquet file: row groups, column chunks, statistics
//! (parquet-format, `parquet.thrift`: `FileMetaData`, `RowGroup`, `ColumnMetaData`).

pub mod bound;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

pub use bound::Bound;

/// The command-line contract's `footer` object; key order is that of the contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Footer {
    /// As in the log, decoded; or the location of a single file.
    pub path: String,
    /// The file's real size, whatever the log says.
    pub size_in_bytes: u64,
    pub num_rows: u64,
    /// The writer's own words; none if it left them out.
    pub created_by: Option<String>,
    pub v_order: bool,
    /// Of a repeated key the last value counts.
    pub key_value_metadata: BTreeMap<String, Option<String>>,
    pub row_groups: Vec<RowGroup>,
    /// The leaf columns ordered by path; they are known even without row groups.
    #[serde(skip)]
    pub schema: Arc<[Arc<Leaf>]>,
}

/// A leaf column of the schema.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Leaf {
    /// Names from the root, joined by dots, such as `tags.list.element`.
    pub path: String,
    /// The physical type, such as `INT64` or `FIXED_LEN_BYTE_ARRAY(16)`.
    #[serde(rename = "type")]
    pub physical_type: String,
    /// As parquet tools write it, such as `TIMESTAMP(MICROS,true)`; none if there is none.
    pub logical_type: Option<String>,
}

impl Leaf {
    /// Both types in one text: `INT64 TIMESTAMP(MICROS,true)`.
    pub fn type_text(&self) -> String {
        match &self.logical_type {
            Some(logical) => format!("{} {logical}", self.physical_type),
            None => self.physical_type.clone(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowGroup {
    pub num_rows: u64,
    /// Bytes of all column data, not compressed.
    pub total_byte_size: u64,
    /// Bytes in the file: the sum over the column chunks.
    pub compressed_size: u64,
    pub columns: Vec<Chunk>,
}

/// A column chunk: the values of one leaf column in one row group.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Chunk {
    #[serde(flatten)]
    pub leaf: Arc<Leaf>,
    /// parquet-format's name, such as `ZSTD`.
    pub codec: &'static str,
    pub encodings: Vec<&'static str>,
    /// Bytes in the file, page headers included.
    pub compressed_size: u64,
    pub uncompressed_size: u64,
    /// None if the statistics lack it.
    pub null_count: Option<u64>,
    /// None if absent or not to be trusted (see [`bound`]).
    pub min: Option<Bound>,
    pub max: Option<Bound>,
    /// False if the writer shortened the value or does not say; null without a value.
    pub min_exact: Option<bool>,
    pub max_exact: Option<bool>,
    /// Both the column index and the offset index.
    pub has_page_index: bool,
    pub has_bloom_filter: bool,
    /// A dictionary page, for some of the pages at least.
    pub has_dictionary: bool,
}

impl Footer {
    /// Bytes of all column chunks in the file.
    pub fn compressed_size(&self) -> u64 {
        self.row_groups.iter().fold(0, |sum, g| sum.saturating_add(g.compressed_size))
    }

    /// Whether the key-value metadata says that the file is V-Ordered: a key with `vorder` in it,
    /// such as Fabric's `com.microsoft.parquet.vorder.enabled`, that is not switched off.
    pub fn says_v_order(metadata: &BTreeMap<String, Option<String>>) -> bool {
        let on = |value: &Option<String>| !value.as_deref().is_some_and(|v| v.eq_ignore_ascii_case("false"));
        metadata.iter().any(|(key, value)| key.to_ascii_lowercase().contains("vorder") && on(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v_order_is_a_key_that_is_not_false() {
        let of = |key: &str, value: Option<&str>| {
            Footer::says_v_order(&BTreeMap::from([(key.to_owned(), value.map(str::to_owned))]))
        };
        assert!(of("com.microsoft.parquet.vorder.enabled", Some("true")));
        assert!(of("com.microsoft.parquet.VORDER.level", None));
        assert!(!of("com.microsoft.parquet.vorder.enabled", Some("False")));
        assert!(!of("org.apache.spark.version", Some("vorder")));
        assert!(!Footer::says_v_order(&BTreeMap::new()));
    }

    #[test]
    fn json_follows_the_contract() {
        let leaf = Arc::new(Leaf { path: "a".into(), physical_type: "INT64".into(), logical_type: None });
        let chunk = Chunk {
            leaf: leaf.clone(),
            codec: "ZSTD",
            encodings: vec!["PLAIN"],
            compressed_size: 1,
            uncompressed_size: 2,
            null_count: None,
            min: Some(Bound::Int(-1)),
            max: None,
            min_exact: Some(true),
            max_exact: None,
            has_page_index: false,
            has_bloom_filter: true,
            has_dictionary: false,
        };
        let group = RowGroup { num_rows: 3, total_byte_size: 2, compressed_size: 1, columns: vec![chunk] };
        let footer = Footer {
            path: "p".into(),
            size_in_bytes: 9,
            num_rows: 3,
            created_by: None,
            v_order: false,
            key_value_metadata: BTreeMap::new(),
            row_groups: vec![group],
            schema: [leaf].into(),
        };
        let expected = concat!(
            r#"{"path":"p","sizeInBytes":9,"numRows":3,"createdBy":null,"vOrder":false,"keyValueMetadata":{},"#,
            r#""rowGroups":[{"numRows":3,"totalByteSize":2,"compressedSize":1,"columns":[{"path":"a","#,
            r#""type":"INT64","logicalType":null,"codec":"ZSTD","encodings":["PLAIN"],"compressedSize":1,"#,
            r#""uncompressedSize":2,"nullCount":null,"min":-1,"max":null,"minExact":true,"maxExact":null,"#,
            r#""hasPageIndex":false,"hasBloomFilter":true,"hasDictionary":false}]}]}"#
        );
        assert_eq!(serde_json::to_string(&footer).unwrap(), expected);
    }
}
