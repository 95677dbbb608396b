//! Charts of a table's trends, as text: for the History pane and for `deltop trends`.
//!
//! ```text
//!  files              412 ┤          ▂▃▅▆█
//!    now 412              │  ▁▂▄▅▆▇███████
//! ```

use crate::model::calendar::Zone;
use crate::model::trend_samples::{Axis, Sample};
use crate::model::trends::Trends;
use crate::model::units;

/// One figure over versions or time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    pub title: &'static str,
    /// The newest value, and the highest: `?` if unknown.
    pub now: String,
    pub highest: String,
    /// From the top down; each as wide as the chart.
    pub rows: Vec<String>,
}

/// All figures, and what stands below them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Charts {
    pub list: Vec<Chart>,
    /// First and last version or time below the columns, as wide as the charts.
    pub axis: String,
}

/// A figure that is charted.
struct Measure {
    title: &'static str,
    of: fn(&Sample) -> Option<f64>,
    show: fn(f64) -> String,
}

const LEVELS: [Measure; 5] = [
    Measure { title: "files", of: |s| s.level.files.map(|n| n as f64), show: count },
    Measure { title: "bytes", of: |s| s.level.bytes.map(|n| n as f64), show: bytes },
    Measure { title: "rows", of: |s| s.level.rows.map(|n| n as f64), show: count },
    Measure { title: "average file", of: |s| s.level.average_size().map(|n| n as f64), show: bytes },
    Measure { title: "small files", of: |s| s.level.small_share(), show: share },
];
const COMMITS: Measure = Measure { title: "commits", of: |s| Some(s.commits as f64), show: count };
const WRITTEN: Measure = Measure {
    title: "written/commit",
    of: |s| s.added_bytes.checked_div(s.commits).map(|n| n as f64),
    show: bytes,
};

fn count(n: f64) -> String {
    units::short_count(n as u64)
}

fn bytes(n: f64) -> String {
    units::bytes(n as u64)
}

fn share(n: f64) -> String {
    // Parts per million keep what `percent` needs to tell a part from nothing.
    units::percent((n * 1e6) as u64, 1_000_000)
}

/// Charts of `width` columns and `height` rows each.
pub fn charts(trends: &Trends, axis: Axis, zone: Zone, width: usize, height: usize) -> Charts {
    let samples = trends.samples(axis, zone, width);
    if samples.is_empty() {
        return Charts::default();
    }
    let each = (width / samples.len()).clamp(1, 6);
    let last = if axis == Axis::Version { &WRITTEN } else { &COMMITS };
    let draw = |m: &Measure| {
        let values: Vec<Option<f64>> = samples.iter().map(m.of).collect();
        let highest =
            values.iter().flatten().copied().fold(None, |a: Option<f64>, b| Some(a.map_or(b, |a| a.max(b))));
        let word = |v: Option<f64>| v.map_or_else(|| "?".into(), m.show);
        Chart {
            title: m.title,
            now: word(values.last().copied().flatten()),
            highest: word(highest),
            rows: columns(&values, highest.unwrap_or(0.0), each, height),
        }
    };
    Charts { list: LEVELS.iter().chain([last]).map(draw).collect(), axis: ends(&samples, axis, zone, each) }
}

/// The values as columns, each `each` characters wide, in rows from the top down. Unknown ones are a
/// dot on the ground; something is never shown as nothing.
fn columns(values: &[Option<f64>], highest: f64, each: usize, height: usize) -> Vec<String> {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let steps = height * 8;
    let level = |v: f64| match highest > 0.0 && v > 0.0 {
        true => ((v / highest * steps as f64).round() as usize).clamp(1, steps),
        false => 0,
    };
    let row = |from_ground: usize| {
        let cell = |value: &Option<f64>| match value {
            Some(v) => EIGHTHS[level(*v).saturating_sub(from_ground * 8).min(8)],
            None if from_ground == 0 => '·',
            None => ' ',
        };
        values.iter().flat_map(|v| std::iter::repeat_n(cell(v), each)).collect::<String>()
    };
    (0..height).rev().map(row).collect()
}

/// `v0                    v99`, or dates: the first label below the first column, the last one
/// ending below the last.
fn ends(samples: &[Sample], axis: Axis, zone: Zone, each: usize) -> String {
    let label = |s: &Sample, first: bool| match (axis, s.time, s.versions) {
        (Axis::Time(span), Some(time), _) => span.label(time, zone),
        (_, _, Some((low, high))) => format!("v{}", if first { low } else { high }),
        _ => "?".into(),
    };
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return String::new() };
    let (a, b) = (label(first, true), label(last, false));
    let room = (samples.len() * each).saturating_sub(a.len() + b.len());
    match (a == b, room) {
        (true, _) => a,
        (false, 0) => format!("{a} – {b}"),
        (false, room) => format!("{a}{}{b}", " ".repeat(room)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_in_proportion() {
        let values = [Some(0.0), Some(1.0), None, Some(8.0), Some(16.0)];
        assert_eq!(columns(&values, 16.0, 1, 2), ["    █", " ▁·██"]);
        assert_eq!(columns(&values[3..], 16.0, 2, 1), ["▄▄██"]);
        assert_eq!(columns(&[Some(1.0)], 1e18, 1, 1), ["▁"]);
        assert_eq!(columns(&[], 0.0, 1, 1), [""]);
    }

    #[test]
    fn the_axis_has_both_ends() {
        let sample = |v| Sample {
            versions: Some((v, v)),
            time: None,
            commits: 1,
            added_bytes: 0,
            level: Default::default(),
        };
        let all: Vec<Sample> = (0..20).map(sample).collect();
        assert_eq!(ends(&all, Axis::Version, Zone::UTC, 1), format!("v0{}v19", " ".repeat(15)));
        assert_eq!(ends(&all[..2], Axis::Version, Zone::UTC, 1), "v0 – v1");
        assert_eq!(ends(&all[..1], Axis::Version, Zone::UTC, 1), "v0");
    }
}
