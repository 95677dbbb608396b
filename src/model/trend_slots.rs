//! A table's history over calendar time: one slot an hour, a day or a week.

use std::collections::BTreeMap;

use super::calendar::{Span, Zone};
use super::levels::Level;
use super::operation::OperationKind;
use super::trends::Trends;
use super::units::Millis;

/// What happened in an hour, a day or a week.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Slot {
    /// Where it begins.
    pub start: Millis,
    pub commits: u64,
    /// Lowest and highest version; none without commits.
    pub versions: Option<(u64, u64)>,
    pub added_files: u64,
    pub removed_files: u64,
    pub added_bytes: u64,
    /// None if a remove states no size.
    pub removed_bytes: Option<u64>,
    /// None if an added file lacks the figure.
    pub added_rows: Option<u64>,
    /// None if a removed file lacks the figure (most do).
    pub removed_rows: Option<u64>,
    /// The table after the highest version of the slot; in a slot without commits, as before it.
    pub level: Level,
    pub operations: BTreeMap<OperationKind, u64>,
}

impl Trends {
    /// The slots from the first to the last one with commits, the newest `most` of them, ascending;
    /// empty ones between them are included. A commit falls in the slot of its own time, wherever
    /// its version lies; commits without a possible time are in none ([`Trends::without_time`]).
    pub fn slots(&self, span: Span, zone: Zone, most: usize) -> Vec<Slot> {
        fill(self.filled_slots(span, zone), span, most)
    }

    /// The slots with commits, by their start.
    pub fn filled_slots(&self, span: Span, zone: Zone) -> BTreeMap<Millis, Slot> {
        let mut filled: BTreeMap<Millis, Slot> = BTreeMap::new();
        for point in &self.points {
            let Some(time) = point.time else { continue };
            let start = span.start(time, zone);
            let slot = filled.entry(start).or_insert_with(|| Slot {
                start,
                removed_bytes: Some(0),
                added_rows: Some(0),
                removed_rows: Some(0),
                ..Slot::default()
            });
            let add = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a.saturating_add(b));
            slot.commits += 1;
            slot.added_files += point.added_files;
            slot.removed_files += point.removed_files;
            slot.added_bytes = slot.added_bytes.saturating_add(point.added_bytes);
            slot.removed_bytes = add(slot.removed_bytes, point.removed_bytes);
            slot.added_rows = add(slot.added_rows, point.added_rows);
            slot.removed_rows = add(slot.removed_rows, point.removed_rows);
            // Points ascend by version, so the last one wins.
            slot.level = point.level;
            slot.versions = Some((slot.versions.map_or(point.version, |v| v.0), point.version));
            *slot.operations.entry(point.kind).or_default() += 1;
        }
        filled
    }
}

/// Adds the empty slots between, from the newest back.
fn fill(filled: BTreeMap<Millis, Slot>, span: Span, most: usize) -> Vec<Slot> {
    let mut out: Vec<Slot> = Vec::new();
    for (start, slot) in filled.into_iter().rev() {
        while let Some(later) = out.last().map(|s| s.start - span.millis()).filter(|at| *at > start) {
            if out.len() >= most {
                break;
            }
            let zero = Some(0);
            let level = slot.level;
            out.push(Slot {
                start: later,
                removed_bytes: zero,
                added_rows: zero,
                removed_rows: zero,
                level,
                ..Slot::default()
            });
        }
        if out.len() >= most {
            break;
        }
        out.push(slot);
    }
    out.reverse();
    out
}
