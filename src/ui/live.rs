//! How the table is followed: a word in the title, the rates of the last minutes, the trend of its
//! small files.
//!
//! ```text
//!  live         3.2 commits · 12 files · 40.0 MiB a minute · new files 3.2 MiB on average (10 min)
//!  small files  1,204 of 3,000 below 64.0 MiB   ▁▂▃▅▆█ since v33
//! ```

use super::canvas::{Piece, piece};
use super::theme::Role;
use crate::app::live::{Live, SmallShare, WINDOW};
use crate::app::table::TableView;
use crate::model::double_rewrite::Damage;
use crate::model::table::AsOf;
use crate::model::units;

/// For the right end of the title; nothing for a version that does not move.
pub fn state(view: &TableView) -> Option<(String, Role)> {
    let live = &view.live;
    if view.as_of != AsOf::Latest || live.interval == 0 {
        return None;
    }
    Some(match &live.trouble {
        _ if live.paused => ("paused".into(), Role::Warn),
        Some((_, seconds)) => (format!("▲ retry in {}", seconds_text(*seconds)), Role::Warn),
        None => (format!("live {}", seconds_text(live.interval)), Role::Dim),
    })
}

fn seconds_text(seconds: u32) -> String {
    match seconds {
        s if s >= 120 && s % 60 == 0 => format!("{} min", s / 60),
        s => format!("{s}s"),
    }
}

/// How the table is followed; none while it is not: the past does not move.
fn followed(view: &TableView) -> Option<&Live> {
    (view.as_of == AsOf::Latest && view.live.interval > 0 && !view.live.paused).then_some(&view.live)
}

/// The rates of the last minutes; none while nobody knows them.
pub fn rates(view: &TableView, width: u16) -> Option<Vec<Piece>> {
    let live = followed(view)?;
    let rates = live.rates?;
    let minutes = WINDOW / 60_000;
    if rates.commits == 0 {
        let clock =
            if live.stated_times { ", by the writers' clocks (the log files were copied)" } else { "" };
        return Some(vec![piece(format!("no commit in the last {minutes} min{clock}"), Role::Dim)]);
    }
    let least = if rates.complete { "" } else { "at least " };
    let figure = |n: u64| decimal(rates.per_minute(n));
    let bytes = units::bytes(rates.per_minute(rates.added_bytes).round() as u64);
    let mut out = vec![
        piece(format!("{least}{}", figure(rates.commits)), Role::Strong),
        piece(" commits · ", Role::Dim),
        piece(figure(rates.added_files), Role::Strong),
        piece(" files · ", Role::Dim),
        piece(bytes, Role::Strong),
        piece(" a minute", Role::Dim),
    ];
    if let Some(average) = rates.added_bytes.checked_div(rates.added_files).filter(|_| width >= 70) {
        out.push(piece(" · new files ", Role::Dim));
        out.push(piece(units::bytes(average), Role::Strong));
        out.push(piece(" on average", Role::Dim));
    }
    if width >= 90 {
        out.push(piece(format!(" (last {minutes} min)"), Role::Dim));
    }
    Some(out)
}

fn decimal(n: f64) -> String {
    if n >= 100.0 { units::count(n.round() as u64) } else { format!("{n:.1}") }
}

/// How the number of small files went, once there is more than one version to tell of.
pub fn small_files(view: &TableView, width: u16) -> Option<Vec<Piece>> {
    let live = followed(view)?;
    let (first, last) = (live.small.first()?, live.small.last()?);
    if live.small.len() < 2 {
        return None;
    }
    let room = usize::from(width).saturating_sub(50).clamp(8, 40);
    let shown = &live.small[live.small.len().saturating_sub(room)..];
    let text = format!(
        "{} of {} below {}   ",
        units::count(last.small),
        units::count(last.files),
        units::bytes(last.below)
    );
    Some(vec![
        piece(text, Role::Plain),
        piece(trend(shown), Role::Accent),
        piece(format!(" since v{}", shown.first().unwrap_or(first).version), Role::Dim),
    ])
}

const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A column a version, from the fewest (lowest) to the most.
fn trend(shares: &[SmallShare]) -> String {
    let least = shares.iter().map(|s| s.small).min().unwrap_or(0);
    let range = shares.iter().map(|s| s.small).max().unwrap_or(0) - least;
    let step = |s: &SmallShare| match range {
        0 => 0,
        _ => (u128::from(s.small - least) * 7 / u128::from(range)) as usize,
    };
    shares.iter().map(|s| STEPS[step(s).min(7)]).collect()
}

/// What went wrong while following: told until the table is left.
pub fn alarms(live: &Live) -> Vec<String> {
    let one = |d: &crate::model::double_rewrite::DoubleRewrite| {
        let rows = d.rows.map_or_else(|| "their rows".into(), |n| format!("{} rows", units::count(n)));
        let what = match d.damage {
            Damage::Doubled => format!("{rows} are there twice"),
            Damage::Returned => format!("{rows} that were deleted are back"),
            Damage::Survived => format!("{rows} that were to go are still there"),
        };
        let s = if d.files == 1 { "" } else { "s" };
        format!(
            "double-rewrite: versions {} and {} removed the same {} file{s}; {what}",
            d.first_version,
            d.second_version,
            units::count(d.files)
        )
    };
    live.doubled.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trends_go_from_the_fewest_to_the_most() {
        let shares = |counts: &[u64]| {
            let share = |small: &u64| SmallShare { version: 1, small: *small, files: 100, below: 1 };
            trend(&counts.iter().map(share).collect::<Vec<_>>())
        };
        assert_eq!(shares(&[10, 17, 24]), "▁▄█");
        assert_eq!(shares(&[5, 5]), "▁▁");
        assert_eq!(shares(&[u64::MAX, 0]), "█▁");
        assert_eq!(
            (seconds_text(5), seconds_text(90), seconds_text(300)),
            ("5s".into(), "90s".into(), "5 min".into())
        );
    }
}
