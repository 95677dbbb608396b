//! The statistics of all files, for the columns that were asked for.

use std::sync::Arc;

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
    wanted: Arc<[WantedColumn]>,
    tree: Arc<Node>,
    states: Vec<State>,
}

/// What a file's statistics are as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Read,
    /// There are none.
    Absent,
    /// They are not a JSON object: truncated or of another form.
    Damaged,
}

impl StatsTable {
    pub fn new(wanted: &[WantedColumn]) -> Self {
        StatsTable {
            columns: wanted.iter().map(|w| StatsColumn::new(w.name.clone(), w.kind)).collect(),
            wanted: wanted.into(),
            tree: Arc::new(Node::of(wanted)),
            states: Vec::new(),
        }
    }

    /// An empty table of the same columns, to be filled apart and joined.
    #[must_use]
    pub fn part(&self) -> Self {
        StatsTable {
            columns: self.columns.iter().map(|c| StatsColumn::new(c.name.clone(), c.kind)).collect(),
            wanted: self.wanted.clone(),
            tree: self.tree.clone(),
            states: Vec::new(),
        }
    }

    /// Files pushed so far.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The columns that were asked for, in the order of `columns`.
    pub fn wanted(&self) -> &[WantedColumn] {
        &self.wanted
    }

    /// Files without any statistics.
    pub fn without_stats(&self) -> u64 {
        self.count(State::Absent)
    }

    /// Files whose statistics are not a JSON object: truncated or of another form.
    pub fn damaged(&self) -> u64 {
        self.count(State::Damaged)
    }

    fn count(&self, state: State) -> u64 {
        self.states.iter().filter(|s| **s == state).count() as u64
    }

    /// A column by its logical name.
    pub fn column(&self, name: &str) -> Option<&StatsColumn> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// The next file, by its add action's `stats` text.
    pub fn push_json(&mut self, stats: Option<&str>) {
        let stats = stats.map(str::trim).filter(|s| !s.is_empty() && *s != "null");
        let raw = stats.and_then(|s| parse(s, &self.tree, self.wanted.len()));
        let Some(raw) = raw else {
            self.states.push(if stats.is_some() { State::Damaged } else { State::Absent });
            let bounds = if stats.is_some() { Err(()) } else { Ok(None) };
            for column in &mut self.columns {
                column.push(bounds.clone(), true, None, None);
            }
            return;
        };
        self.states.push(State::Read);
        let records = raw.records.and_then(whole);
        let tight = raw.tight.is_none_or(|t| t.get() != "false");
        for (i, (column, want)) in self.columns.iter_mut().zip(self.wanted.iter()).enumerate() {
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
        self.states.push(State::Read);
        for (i, column) in self.columns.iter_mut().enumerate() {
            let TypedStats { min, max, nulls } = figures(i);
            column.push(Ok(min.zip(max)), tight, nulls, records);
        }
    }

    /// Drops the files whose `keep` is false; what was said of them no longer counts.
    pub fn retain(&mut self, keep: &[bool]) {
        if keep.iter().all(|k| *k) {
            return;
        }
        self.columns.iter_mut().for_each(|c| c.retain(keep));
        let mut at = 0;
        self.states.retain(|_| {
            at += 1;
            keep.get(at - 1).copied().unwrap_or(true)
        });
    }

    /// Adds the files of another part, read for the same columns, after those that are here.
    pub fn append(&mut self, other: StatsTable) {
        self.states.extend(other.states);
        for (mine, theirs) in self.columns.iter_mut().zip(other.columns) {
            mine.append(theirs);
        }
    }
}

fn slot<'a>(values: &[Option<&'a RawValue>], i: usize) -> Option<&'a RawValue> {
    values.get(i).copied().flatten().filter(|v| v.get() != "null")
}

/// A count; they are signed 64-bit integers in the protocol, so that a larger one is none.
fn whole(value: &RawValue) -> Option<u64> {
    value.get().parse().ok().filter(|n| i64::try_from(*n).is_ok())
}

fn read_bounds(want: &WantedColumn, raw: &RawStats<'_>, i: usize) -> Result<Option<(Scalar, Scalar)>, ()> {
    if !want.kind.is_ordered() {
        return Ok(None);
    }
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
        assert_eq!((t.len(), t.without_stats(), t.damaged()), (8, 1, 2));
        let a = &t.columns[0];
        use Bound::*;
        assert_eq!(a.bounds(), [Tight, Missing, Invalid, Invalid, Reversed, AllNull, Wide, Invalid]);
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
    fn files_that_go_take_their_figures_with_them() {
        let wanted =
            [want("s", StatKind::Text), want("n", StatKind::Long), want("d", StatKind::Decimal { scale: 1 })];
        let mut t = StatsTable::new(&wanted);
        for i in 0..4 {
            let file = format!(
                r#"{{"numRecords":9,"minValues":{{"s":"a{i}","n":{i},"d":{i}.5}},"maxValues":{{"s":"b{i}","n":9,"d":9}},"nullCount":{{"n":{i}}}}}"#
            );
            t.push_json((i != 1).then_some(&file));
        }
        t.retain(&[false, true, false, true]);
        assert_eq!((t.len(), t.without_stats()), (2, 1));
        assert_eq!(t.columns[0].texts(1), Some((&b"a3"[..], &b"b3"[..])));
        assert_eq!(t.columns[0].bounds(), [Bound::Missing, Bound::Tight]);
        assert_eq!((t.columns[1].min(1), t.columns[1].nulls(1)), (Some(Scalar::Int(3)), Some(3)));
        assert_eq!(t.columns[2].min(1), Some(Scalar::Wide(35)));
        t.retain(&[true, true]);
        assert_eq!(t.len(), 2);
    }

    #[test]
    fn nulls_of_types_without_an_order() {
        let mut t = StatsTable::new(&[want("b", StatKind::Unordered), want("s.m", StatKind::Unordered)]);
        t.push_json(Some(
            r#"{"numRecords":3,"minValues":{"b":"AA=="},"maxValues":{"b":7},"nullCount":{"b":1,"s":{"m":3}}}"#,
        ));
        t.push_typed(Some(4), true, |_| TypedStats { nulls: Some(2), ..TypedStats::default() });
        let (b, m) = (&t.columns[0], &t.columns[1]);
        assert_eq!((b.bounds(), b.null_count()), (&[Bound::Missing, Bound::Missing][..], Some(3)));
        assert_eq!((m.bound(0), m.null_count(), m.files_with_nulls_known()), (Bound::AllNull, Some(5), 2));
        t.push_json(None);
        assert_eq!((t.columns[0].null_count(), t.columns[0].files_with_nulls_known()), (None, 2));
        assert_eq!(t.columns[0].range(), None);
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
