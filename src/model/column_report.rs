//! What is known of each column: the part that it plays, its statistics, how well it tells the files
//! apart, how much room it takes.

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::clustering::Clustering;
use super::column_roles::{Role, roles};
use super::evidence::Evidence;
use super::schema::{DataType, Field};
use super::stats::{Bound, Scalar, StatKind, StatsColumn};

/// The command-line contract's element of `columns`, and some more at its end; key order is that of
/// the contract. Whatever was not gathered, or is not known, is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnReport {
    /// Logical name; nested fields dotted.
    pub name: String,
    pub physical_name: String,
    #[serde(rename = "type")]
    pub data_type: String,
    pub nullable: bool,
    pub roles: Vec<Role>,
    /// Files whose statistics give the column's range, or say that it is null throughout. None for
    /// types without an order, of which only nulls are counted.
    pub stats_files: Option<u64>,
    /// Σ of the files' null counts; none if a file lacks it. Rows that deletion vectors delete count.
    pub null_count: Option<u64>,
    /// Over all files; none if the range of one is not known.
    pub min: Option<Edge>,
    pub max: Option<Edge>,
    /// Compressed bytes in the data files; none unless every footer was read.
    pub compressed_bytes: Option<u64>,
    pub clustering: Option<Clustering>,
    /// Under column mapping.
    pub field_id: Option<i64>,
    /// Files whose range is not known: without statistics, or with damaged ones.
    pub unknown_files: Option<u64>,
    /// Whether `min` and `max` are values of rows; false where deletion vectors, cut strings or times
    /// cut to milliseconds make them limits only.
    pub tight_bounds: Option<bool>,
    /// Of the footers that were read, if these are a sample: an estimate for the whole table.
    #[serde(skip)]
    pub estimated_bytes: Option<u64>,
    /// 0 for a column, more for fields within.
    #[serde(skip)]
    pub depth: usize,
}

/// A smallest or largest value.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub kind: StatKind,
    pub value: Scalar,
    /// A `timestamp`, not a local time.
    pub utc: bool,
}

impl Edge {
    /// In words; not cleaned for a terminal.
    pub fn text(&self) -> String {
        self.kind.show(&self.value)
    }

    pub fn json(&self) -> Value {
        self.kind.json(&self.value, self.utc)
    }
}

impl Serialize for Edge {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(to)
    }
}

/// Strings in statistics are cut at this many characters (Spark's default; others cut later or not),
/// so that longer ones are limits only.
const CUT_TEXT: usize = 32;

/// The columns in the schema's order; with `nested`, the fields of structs after each.
pub fn column_reports(evidence: &Evidence, nested: bool) -> Vec<ColumnReport> {
    let clustering = evidence.table.clustering_columns();
    let mut out = Vec::new();
    for field in &evidence.table.metadata.schema {
        let at = Place { name: field.name.clone(), path: field.physical_name().to_owned(), depth: 0 };
        add(evidence, &clustering, field, at, nested, &mut out);
    }
    out
}

/// Where a field is: its dotted logical and physical names.
struct Place {
    name: String,
    path: String,
    depth: usize,
}

fn add(
    evidence: &Evidence,
    clustering: &[String],
    field: &Field,
    at: Place,
    nested: bool,
    out: &mut Vec<ColumnReport>,
) {
    let all = evidence.column(&at.name);
    let stats = all.filter(|s| s.kind.is_ordered());
    let (compressed_bytes, estimated_bytes) = size(evidence, &at.path);
    let edges = stats.filter(|s| s.unknown_files() == 0).and_then(StatsColumn::range);
    let utc = field.data_type == DataType::Primitive("timestamp".into());
    let edge =
        |value: Option<Scalar>| stats.zip(value).map(|(stats, value)| Edge { kind: stats.kind, value, utc });
    let (min, max) = edges.map_or((None, None), |(min, max)| (edge(Some(min)), edge(Some(max))));
    out.push(ColumnReport {
        name: at.name.clone(),
        physical_name: field.physical_name().to_owned(),
        data_type: field.data_type.to_string(),
        nullable: field.nullable,
        roles: if at.depth == 0 { roles(&evidence.table, field, clustering) } else { Vec::new() },
        stats_files: stats.map(|s| s.len() as u64 - s.unknown_files()),
        null_count: all.and_then(StatsColumn::null_count),
        tight_bounds: min.as_ref().and(stats).map(are_tight),
        min,
        max,
        compressed_bytes,
        clustering: evidence.clustering_of(&at.name).cloned(),
        field_id: field.field_id(),
        unknown_files: stats.map(StatsColumn::unknown_files),
        estimated_bytes,
        depth: at.depth,
    });
    if let (true, DataType::Struct(fields)) = (nested, &field.data_type) {
        for inner in fields {
            let inside = Place {
                name: format!("{}.{}", at.name, inner.name),
                path: format!("{}.{}", at.path, inner.physical_name()),
                depth: at.depth + 1,
            };
            add(evidence, clustering, inner, inside, nested, out);
        }
    }
}

fn are_tight(stats: &StatsColumn) -> bool {
    (0..stats.len()).all(|file| match stats.bound(file) {
        Bound::AllNull => true,
        Bound::Tight => match stats.texts(file) {
            Some(texts) => {
                let short = |t: &[u8]| String::from_utf8_lossy(t).chars().count() < CUT_TEXT;
                short(texts.0) && short(texts.1)
            }
            None => stats.kind != StatKind::Timestamp || stats.upper_int(file) == upper(stats, file),
        },
        _ => false,
    })
}

/// The largest value as it stands.
fn upper(stats: &StatsColumn, file: usize) -> Option<i64> {
    match stats.max(file) {
        Some(Scalar::Int(max)) => Some(max),
        _ => None,
    }
}

/// Compressed bytes of a column and all below it: exact if every file's footer was read, else an
/// estimate from the sample by the files' bytes.
fn size(evidence: &Evidence, path: &str) -> (Option<u64>, Option<u64>) {
    let Some(footers) = evidence.footers.as_deref().filter(|f| f.totals.files > 0) else {
        return (None, None);
    };
    let is_below =
        |name: &str| name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let columns = footers.totals.columns.iter().filter(|(name, _)| is_below(name));
    let bytes = columns.map(|(_, c)| c.compressed).fold(0, u64::saturating_add);
    if footers.totals.files == evidence.files.len() as u64 {
        return (Some(bytes), None);
    }
    let all: u64 = evidence.files.sizes().fold(0, u64::saturating_add);
    let scaled = u128::from(bytes) * u128::from(all) / u128::from(footers.totals.bytes.max(1));
    (None, u64::try_from(scaled).ok())
}
