//! How a table is written, named: what its history looks like, each with the figures that say so.

use serde::Serialize;

use super::calendar::{Span, Zone};
use super::history::Commit;
use super::operation::OperationKind;
use super::target::SizeTarget;
use super::trend_rates::operation_mix;
use super::trends::{Point, Trends};
use super::units::{self, Millis};

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// A way in which tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PatternKind {
    /// At least ten appends (or streaming updates), the median one no more than 15 minutes after the
    /// one before, whose files are on average below the smallest acceptable size.
    StreamingTinyAppends,
    /// At least five appends that are not the above.
    BatchAppends,
    /// On at least three days, overwrites a day apart: median distance 20 to 28 hours.
    DailyOverwrite,
    /// At least three MERGE, UPDATE or DELETE commits that write at least ten rows for each one that
    /// they change; or, where metrics are missing, that rewrite at least 30 % of the table in the median.
    HeavyRewrites,
    /// At least two compactions (commits that change no data, with fewer files added than removed).
    Compaction,
    /// At least two finished vacuums.
    Vacuum,
    /// No commit for a week, and for ten times the usual distance between two.
    Idle,
}

/// A figure that supports a pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// Such as `commits`, `median interval`.
    pub name: &'static str,
    pub value: f64,
    /// `commits`, `files`, `bytes`, `rows`, `ms`, `days`, `x` (times), `%`.
    pub unit: &'static str,
}

/// A pattern that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pattern {
    pub kind: PatternKind,
    /// One sentence with the figures.
    pub sentence: String,
    pub evidence: Vec<Evidence>,
}

/// What can be said of how a table is written.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state", content = "patterns")]
pub enum Patterns {
    /// Fewer than [`FEWEST`] commits can be read: nothing can be said.
    NotEnoughCommits,
    /// In the order of [`PatternKind`]; may be empty: no clear pattern.
    Found(Vec<Pattern>),
}

impl Patterns {
    /// One sentence for each, or why there is none.
    pub fn sentences(&self) -> Vec<String> {
        match self {
            Patterns::NotEnoughCommits => {
                vec![format!(
                    "Fewer than {FEWEST} commits can be read: too few to tell how the table is written"
                )]
            }
            Patterns::Found(found) if found.is_empty() => {
                vec!["No clear pattern in how the table is written".into()]
            }
            Patterns::Found(found) => {
                found.iter().map(|p| format!("{}: {}", p.kind.title(), p.sentence)).collect()
            }
        }
    }
}

impl PatternKind {
    pub fn title(self) -> &'static str {
        match self {
            PatternKind::StreamingTinyAppends => "Streaming appends of tiny files",
            PatternKind::BatchAppends => "Batch appends",
            PatternKind::DailyOverwrite => "Daily overwrite",
            PatternKind::HeavyRewrites => "Write amplification",
            PatternKind::Compaction => "Compaction",
            PatternKind::Vacuum => "Vacuum",
            PatternKind::Idle => "Idle",
        }
    }
}

/// Commits that are needed before a pattern is looked for.
pub const FEWEST: usize = 3;

/// Looks for patterns. `trends` must be of the same commits.
pub fn patterns(commits: &[Commit], trends: &Trends, target: &SizeTarget, now: Millis) -> Patterns {
    if trends.points.len() < FEWEST {
        return Patterns::NotEnoughCommits;
    }
    let (streaming, batch) = appends(trends, target);
    let found = [
        streaming,
        batch,
        daily_overwrite(trends),
        heavy_rewrites(commits, trends),
        compaction(trends),
        vacuum(trends),
        idle(trends, now),
    ];
    Patterns::Found(found.into_iter().flatten().collect())
}

fn evidence(name: &'static str, value: f64, unit: &'static str) -> Evidence {
    Evidence { name, value, unit }
}

/// Median distance in time of some points, none where it cannot be told; a clock's steps back count as 0.
fn interval(points: &[&Point]) -> Option<Millis> {
    let times: Vec<Millis> = points.iter().filter_map(|p| p.time).collect();
    median(times.windows(2).map(|w| (w[1] - w[0]).max(0)).collect())
}

fn median<T: Ord + Copy>(mut values: Vec<T>) -> Option<T> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable(middle).1)
}

fn every(interval: Millis) -> String {
    units::duration(interval.max(0) as u64)
}

fn is_append(p: &Point) -> bool {
    use OperationKind::{Append, Other, StreamingUpdate, Unsaid, Write};
    let kinds = [Append, StreamingUpdate, Write, Other, Unsaid];
    p.added_files > 0 && p.removed_files == 0 && p.data_change == Some(true) && kinds.contains(&p.kind)
}

fn appends(trends: &Trends, target: &SizeTarget) -> (Option<Pattern>, Option<Pattern>) {
    let all: Vec<&Point> = trends.points.iter().filter(|p| is_append(p)).collect();
    let files: u64 = all.iter().map(|p| p.added_files).sum();
    let bytes = all.iter().fold(0u64, |sum, p| sum.saturating_add(p.added_bytes));
    let (Some(average), Some(distance)) = (bytes.checked_div(files), interval(&all)) else {
        return (None, None);
    };
    let per_commit = files as f64 / all.len() as f64;
    let figures = vec![
        evidence("commits", all.len() as f64, "commits"),
        evidence("median interval", distance as f64, "ms"),
        evidence("average file size", average as f64, "bytes"),
        evidence("files per commit", per_commit, "files"),
    ];
    let n = units::count(all.len() as u64);
    let size = units::bytes(average);
    if all.len() >= 10 && distance <= 15 * MINUTE && average < target.low {
        let sentence = format!(
            "{n} appends, one every {} in the median, of files of {size} on average, below the smallest acceptable {}",
            every(distance),
            units::bytes(target.low)
        );
        let kind = PatternKind::StreamingTinyAppends;
        return (Some(Pattern { kind, sentence, evidence: figures }), None);
    }
    let batch = (all.len() >= 5).then(|| Pattern {
        kind: PatternKind::BatchAppends,
        sentence: format!(
            "{n} appends, one every {} in the median, of {per_commit:.1} files of {size} on average",
            every(distance)
        ),
        evidence: figures,
    });
    (None, batch)
}

fn daily_overwrite(trends: &Trends) -> Option<Pattern> {
    let replaces = |p: &&Point| p.kind == OperationKind::Overwrite && p.added_files > 0;
    let all: Vec<&Point> = trends.points.iter().filter(replaces).collect();
    let days: std::collections::BTreeSet<Millis> =
        all.iter().filter_map(|p| p.time).map(|t| Span::Day.start(t, Zone::UTC)).collect();
    let distance = interval(&all).filter(|d| (20 * HOUR..=28 * HOUR).contains(d))?;
    if days.len() < 3 {
        return None;
    }
    let written = median(all.iter().map(|p| p.added_bytes).collect())?;
    Some(Pattern {
        kind: PatternKind::DailyOverwrite,
        sentence: format!(
            "{} overwrites on {} days, one every {} in the median, each writing {} in the median",
            all.len(),
            days.len(),
            every(distance),
            units::bytes(written)
        ),
        evidence: vec![
            evidence("commits", all.len() as f64, "commits"),
            evidence("days", days.len() as f64, "days"),
            evidence("median interval", distance as f64, "ms"),
            evidence("median bytes written", written as f64, "bytes"),
        ],
    })
}

fn heavy_rewrites(commits: &[Commit], trends: &Trends) -> Option<Pattern> {
    let mix = operation_mix(commits);
    let words = [
        (OperationKind::Merge, "MERGE"),
        (OperationKind::Update, "UPDATE"),
        (OperationKind::Delete, "DELETE"),
    ];
    let heaviest = words.into_iter().filter_map(|(kind, word)| {
        let share = mix.get(&kind).filter(|s| s.commits >= 3)?;
        Some((word, share, share.row_amplification()?))
    });
    if let Some((word, share, times)) = heaviest.filter(|h| h.2 >= 10.0).max_by(|a, b| a.2.total_cmp(&b.2)) {
        let (changed, copied) = (share.rows_changed.unwrap_or(0), share.rows_copied.unwrap_or(0));
        return Some(Pattern {
            kind: PatternKind::HeavyRewrites,
            sentence: format!(
                "{} {word} commits wrote {times:.0} rows for each row that they changed ({} changed, {} copied; {} written)",
                share.commits,
                units::count(changed),
                units::count(copied),
                units::bytes(share.bytes_written)
            ),
            evidence: vec![
                evidence("commits", share.commits as f64, "commits"),
                evidence("row write amplification", times, "x"),
                evidence("rows changed", changed as f64, "rows"),
                evidence("rows copied", copied as f64, "rows"),
                evidence("bytes written", share.bytes_written as f64, "bytes"),
            ],
        });
    }
    by_table_share(trends, words)
}

/// Where metrics do not tell rows: the share of the table's bytes that each commit removed and wrote anew.
fn by_table_share(trends: &Trends, words: [(OperationKind, &'static str); 3]) -> Option<Pattern> {
    words.into_iter().find_map(|(kind, word)| {
        let mut parts: Vec<u64> = Vec::new();
        for pair in trends.points.windows(2) {
            let (before, p) = (&pair[0], &pair[1]);
            if p.kind != kind || before.version + 1 != p.version || p.added_files == 0 {
                continue;
            }
            if let (Some(removed), Some(all @ 1..)) = (p.removed_bytes, before.level.bytes) {
                parts.push((u128::from(removed) * 100 / u128::from(all)).min(100) as u64);
            }
        }
        let commits = parts.len();
        let share = median(parts).filter(|share| commits >= 3 && *share >= 30)?;
        Some(Pattern {
            kind: PatternKind::HeavyRewrites,
            sentence: format!(
                "{commits} {word} commits rewrote {share} % of the table's bytes in the median"
            ),
            evidence: vec![
                evidence("commits", commits as f64, "commits"),
                evidence("median share rewritten", share as f64, "%"),
            ],
        })
    })
}

fn compaction(trends: &Trends) -> Option<Pattern> {
    let compacts =
        |p: &&Point| p.data_change == Some(false) && p.added_files > 0 && p.added_files < p.removed_files;
    let all: Vec<&Point> = trends.points.iter().filter(compacts).collect();
    if all.len() < 2 {
        return None;
    }
    let removed = median(all.iter().map(|p| p.removed_files).collect())?;
    let added = median(all.iter().map(|p| p.added_files).collect())?;
    let mut figures = vec![
        evidence("commits", all.len() as f64, "commits"),
        evidence("median files before", removed as f64, "files"),
        evidence("median files after", added as f64, "files"),
    ];
    let distance = interval(&all);
    figures.extend(distance.map(|d| evidence("median interval", d as f64, "ms")));
    let often = distance.map_or(String::new(), |d| format!(", one every {} in the median", every(d)));
    Some(Pattern {
        kind: PatternKind::Compaction,
        sentence: format!("{} compactions{often}, from {removed} files to {added} in the median", all.len()),
        evidence: figures,
    })
}

fn vacuum(trends: &Trends) -> Option<Pattern> {
    let all: Vec<&Point> = trends.points.iter().filter(|p| p.kind == OperationKind::VacuumEnd).collect();
    let distance = interval(&all)?;
    Some(Pattern {
        kind: PatternKind::Vacuum,
        sentence: format!("{} vacuums, one every {} in the median", all.len(), every(distance)),
        evidence: vec![
            evidence("commits", all.len() as f64, "commits"),
            evidence("median interval", distance as f64, "ms"),
        ],
    })
}

fn idle(trends: &Trends, now: Millis) -> Option<Pattern> {
    let last = trends.points.iter().filter_map(|p| p.time).max()?;
    let quiet = now.saturating_sub(last);
    let usual = trends.median_interval(|_| true)?;
    if quiet < 7 * DAY || quiet < usual.saturating_mul(10) {
        return None;
    }
    Some(Pattern {
        kind: PatternKind::Idle,
        sentence: format!("no commit for {}; before, one every {} in the median", every(quiet), every(usual)),
        evidence: vec![
            evidence("time since the last commit", quiet as f64, "ms"),
            evidence("median interval", usual as f64, "ms"),
        ],
    })
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
