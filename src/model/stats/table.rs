//! The statistics of all files, for the columns that were asked for.

use serde_json::value::RawValue;

use super::column::StatsColumn;
use super::parse::{Node, RawStats, parse};
use super::value::{Scalar, parse_scalar};
use super::wanted::WantedColumn;

/// A file's figures for one column when they come typed (a checkpoint's `stats_parsed`).
#[derive(Debug, Clone, Default)]
pub struct TypedStats {
    /// None if missing; the variant must be that of the column's kind, else it is unknown.
    pub min: Option<Scalar>,
    pub max: Option<Scalar>,
    pub nulls: Option<u64>,
}

/// Statistics by index in the file list, filled in the list's order: one `push_…` a file.
/// Parts may be read apart (in parallel) and joined with [`StatsTable::append`].
#[derive(Debug, Clone, Default)]
pub struct StatsTable {
    pub columns: Vec<StatsColumn>,
    wanted: Vec<WantedColumn>,
    tree: Node,
    files: usize,
    /// Files without any statistics.
    pub without_stats: u64,
    /// Files whose statistics are not a JSON object: truncated or of another form.
    pub damaged: u64,
}

impl StatsTable {
    pub fn new(wanted: &[WantedColumn]) -> Self {
        StatsTable {
            columns: wanted.iter().map(|w| StatsColumn::new(w.name.clone(), w.kind)).collect(),
            wanted: wanted.to_vec(),
            tree: Node::of(wanted),
            ..StatsTable::default()
        }
    }

    /// Files pushed so far.
    pub fn len(&self) -> usize {
        self.files
    }

    pub fn is_empty(&self) -> bool {
        self.files == 0
    }

    /// A column by its logical name.
    pub fn column(&self, name: &str) -> Option<&StatsColumn> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// The next file, by its add action's `stats` text.
    pub fn push_json(&mut self, stats: Option<&str>) {
        let stats = stats.map(str::trim).filter(|s| !s.is_empty() && *s != "null");
        let raw = stats.and_then(|s| parse(s, &self.tree, self.wanted.len()));
        self.files += 1;
        let Some(raw) = raw else {
            match stats {
                Some(_) => self.damaged += 1,
                None => self.without_stats += 1,
            }
            let bounds = if stats.is_some() { Err(()) } else { Ok(None) };
            for column in &mut self.columns {
                column.push(bounds.clone(), true, None, None);
            }
            return;
        };
        let records = raw.records.and_then(whole);
        let tight = raw.tight.is_none_or(|t| t.get() != "false");
        for (i, (column, want)) in self.columns.iter_mut().zip(&self.wanted).enumerate() {
            let nulls = slot(&raw.nulls, i).and_then(whole);
            column.push(read_bounds(want, &raw, i), tight, nulls, records);
        }
    }

    /// The next file, by typed figures; `figures` is asked for each wanted column by index.
    pub fn push_typed(
        &mut self,
        records: Option<u64>,
        tight: bool,
        mut figures: impl FnMut(usize) -> TypedStats,
    ) {
        self.files += 1;
        for (i, column) in self.columns.iter_mut().enumerate() {
            let TypedStats { min, max, nulls } = figures(i);
            column.push(Ok(min.zip(max)), tight, nulls, records);
        }
    }

    /// Adds the files of another part, read for the same columns, after those that are here.
    pub fn append(&mut self, other: StatsTable) {
        self.files += other.files;
        self.without_stats += other.without_stats;
        self.damaged += other.damaged;
        for (mine, theirs) in self.columns.iter_mut().zip(other.columns) {
            mine.append(theirs);
        }
    }
}

fn slot<'a>(values: &[Option<&'a RawValue>], i: usize) -> Option<&'a RawValue> {
    values.get(i).copied().flatten().filter(|v| v.get() != "null")
}

fn whole(value: &RawValue) -> Option<u64> {
    value.get().parse().ok()
}

fn read_bounds(want: &WantedColumn, raw: &RawStats<'_>, i: usize) -> Result<Option<(Scalar, Scalar)>, ()> {
    let read = |v: Option<&RawValue>, upper| match v {
        None => Ok(None),
        Some(v) => parse_scalar(want.kind, v.get(), upper).map(Some).ok_or(()),
    };
    let (min, max) = (read(slot(&raw.min, i), false)?, read(slot(&raw.max, i), true)?);
    Ok(min.zip(max))
}

#[cfg(test)]
mod tests {
    use super::super::{Bound, StatKind};
    use super::*;

    fn want(name: &str, kind: StatKind) -> WantedColumn {
        WantedColumn { name: name.into(), path: name.split('.').map(str::to_owned).collect(), kind }
    }

    #[test]
    fn good_and_odd_statistics() {
        let mut t = StatsTable::new(&[want("a", StatKind::Long), want("s.x", StatKind::Text)]);
        t.push_json(Some(
            r#"{"numRecords":3,"minValues":{"a":1,"z":[1],"s":{"x":"k"}},"maxValues":{"a":5,"s":{"x":"m"}},"nullCount":{"a":0,"s":{"x":1}}}"#,
        ));
        t.push_json(None);
        t.push_json(Some(r#"{"numRecords":3,"minValues":{"a":1,"s":{"x":"k"}"#));
        t.push_json(Some(
            r#"{"numRecords":3,"minValues":{"a":"1"},"maxValues":{"a":5},"nullCount":{"a":9}}"#,
        ));
        t.push_json(Some(r#"{"numRecords":3,"minValues":{"a":7},"maxValues":{"a":5}}"#));
        t.push_json(Some(r#"{"numRecords":3,"nullCount":{"a":3},"minValues":[],"maxValues":7}"#));
        t.push_json(Some(r#"{"numRecords":1,"tightBounds":false,"minValues":{"a":1},"maxValues":{"a":1}}"#));
        t.push_json(Some(r#"[1]"#));
        assert_eq!((t.len(), t.without_stats, t.damaged), (8, 1, 2));
        let a = &t.columns[0];
        use Bound::*;
        assert_eq!(a.bounds(), [Tight, Missing, Invalid, Invalid, Invalid, AllNull, Wide, Invalid]);
        assert_eq!((a.nulls(0), a.nulls(3), a.nulls(5)), (Some(0), None, Some(3)));
        assert_eq!(a.range(), Some((Scalar::Int(1), Scalar::Int(5))));
        assert_eq!((a.is_constant(0), a.is_constant(6)), (false, true));
        let x = t.column("s.x").unwrap();
        assert_eq!(x.max(0), Some(Scalar::Text("m".into())));
        assert_eq!((x.bound(5), x.nulls(0), x.null_count()), (Missing, Some(1), None));
        assert_eq!(x.unknown_files(), 7);
    }

    #[test]
    fn parts_join() {
        let wanted = [want("s", StatKind::Text)];
        let part = |lo: &str, hi: &str| {
            let mut t = StatsTable::new(&wanted);
            t.push_json(Some(&format!(
                r#"{{"numRecords":1,"minValues":{{"s":"{lo}"}},"maxValues":{{"s":"{hi}"}}}}"#
            )));
            t.push_typed(Some(2), true, |_| TypedStats {
                min: Some(Scalar::Int(1)),
                ..TypedStats::default()
            });
            t
        };
        let mut all = part("a", "bb");
        all.append(part("c", "c"));
        let s = &all.columns[0];
        assert_eq!(all.len(), 4);
        assert_eq!(s.texts(2), Some((&b"c"[..], &b"c"[..])));
        assert_eq!(s.range(), Some((Scalar::Text("a".into()), Scalar::Text("c".into()))));
        assert!(!s.is_constant(0) && s.is_constant(2));
    }

    #[test]
    fn milliseconds_stand_for_their_microseconds() {
        let c = StatsColumn::of_ints(StatKind::Timestamp, &[Some((5000, 5000)), Some((5001, 5001))]);
        assert_eq!((c.upper_int(0), c.upper_int(1)), (Some(5999), Some(5001)));
        assert!(!c.is_constant(0) && c.is_constant(1));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_taken(stats in ".{0,80}", cut in 0usize..200) {
            let whole = r#"{"numRecords":3,"minValues":{"a":1,"s":{"x":"k"}},"maxValues":{"a":5,"s":{"x":"m"}},"nullCount":{"a":0,"s":{"x":1}}}"#;
            let mut t = StatsTable::new(&[want("a", StatKind::Long), want("s.x", StatKind::Text)]);
            t.push_json(Some(&stats));
            t.push_json(whole.get(..cut.min(whole.len())));
            proptest::prop_assert_eq!(t.columns[0].len(), 2);
        }
    }
}
