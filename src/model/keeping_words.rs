//! Retention in words: how far back one can go, and what would change that.

use super::expiry::{Horizon, Versions};
use super::past::{Keeping, MissingFile, Past};
use super::retention::Setting;
use super::units::{Millis, bytes, count, duration};

/// A line: a label and what is to be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub label: &'static str,
    pub text: String,
    /// It takes something away, or is wrong.
    pub warns: bool,
}

/// The lines, what matters most first.
pub fn facts(past: &Past) -> Vec<Fact> {
    let keeping = &past.keeping;
    let fact = |label, text: String| Fact { label, text, warns: false };
    let mut out = Vec::new();
    match &keeping.horizon {
        Some(horizon) => reach(horizon, keeping, &mut out),
        None => out.push(Fact {
            label: "reach",
            text: format!("unknown: {}", keeping.unknown.unwrap_or("the files were not followed")),
            warns: true,
        }),
    }
    out.push(fact("log clean-up", cleanup(keeping)));
    out.push(fact(
        "history costs",
        match keeping.history_bytes() {
            0 if keeping.horizon.is_none() => "unknown".into(),
            n => format!("{} beyond the files of v{}", bytes(n), past.version),
        },
    ));
    if keeping.more_files {
        out.push(fact(
            "not counted",
            "deletion vectors and change data, which are files of their own; `deltop vacuum` plans with them"
                .into(),
        ));
    }
    if keeping.older.files > 0 {
        let text = format!(
            "{}, {}: no version needs them, but a vacuum only deletes what its retention allows",
            files(keeping.older.files),
            bytes(keeping.older.bytes)
        );
        out.push(fact("removed earlier", text));
    }
    out.push(fact(
        "deleted files",
        setting(&keeping.retention.deleted_files, "delta.deletedFileRetentionDuration"),
    ));
    out.push(fact("log", setting(&keeping.retention.log, "delta.logRetentionDuration")));
    out
}

fn reach(horizon: &Horizon, keeping: &Keeping, out: &mut Vec<Fact>) {
    let fact = |label, text: String, warns| Fact { label, text, warns };
    out.push(fact("oldest by log", format!("v{}", horizon.oldest_by_log), false));
    out.push(fact("oldest readable", readable(horizon, keeping), !horizon.missing.is_empty()));
    if let Some(n) = keeping.looked.map(|l| l.missing_active).filter(|n| *n > 0) {
        out.push(fact("missing now", missing(n, &keeping.missing, horizon), true));
    }
    let more = if horizon.vacuum_files_without_size > 0 { "at least " } else { "" };
    let retain = duration(keeping.retain.max(0) as u64);
    let vacuum = match (horizon.vacuum_files, horizon.vacuum_ends.as_slice()) {
        (0, _) => format!("would delete nothing (keeping {retain})"),
        (n, []) => format!(
            "would delete {}, {more}{}, and end no version (keeping {retain})",
            files(n),
            bytes(horizon.vacuum_bytes)
        ),
        (n, ends) => format!(
            "would delete {}, {more}{}, and end {}{} (keeping {retain})",
            files(n),
            bytes(horizon.vacuum_bytes),
            ranges(ends),
            horizon.oldest_after_vacuum.map(|v| format!("; v{v} on stays")).unwrap_or_default()
        ),
    };
    out.push(fact("next vacuum", vacuum, !horizon.vacuum_ends.is_empty()));
}

/// Which files of the latest version are not there, and which versions need them.
fn missing(n: u64, named: &[MissingFile], horizon: &Horizon) -> String {
    const SHOWN: usize = 3;
    let latest = horizon.latest;
    let first = |m: &MissingFile| m.first_version.unwrap_or(horizon.oldest_by_log);
    if let (1, [one]) = (n, named) {
        let needed = Versions { first: first(one).min(latest), last: latest };
        return format!("1 file of v{latest} is not there: {}, part of {}", one.path, ranges(&[needed]));
    }
    let list: Vec<String> =
        named.iter().take(SHOWN).map(|m| format!("{} (from v{} on)", m.path, first(m))).collect();
    let more = n.saturating_sub(list.len() as u64);
    let more = if more > 0 { format!(" and {} more", count(more)) } else { String::new() };
    format!("{} of v{latest} are not there: {}{more}", files(n), list.join(", "))
}

/// The oldest version with all its data files, and how one knows.
fn readable(horizon: &Horizon, keeping: &Keeping) -> String {
    let Some(looked) = keeping.looked.filter(|_| horizon.looked_for_files) else {
        return "unknown   (the data files were not looked for)".into();
    };
    let oldest = horizon.oldest_readable.map_or("none".to_owned(), |v| format!("v{v}"));
    let found = match (horizon.missing.as_slice(), looked.elsewhere) {
        ([], 0) => "all data files are there".to_owned(),
        ([], n) => format!("{} outside the table's folder not looked at; all others are there", files(n)),
        (missing, 0) => format!("data files of {} are missing", ranges(missing)),
        (missing, n) => format!(
            "data files of {} are missing; {} outside the table's folder not looked at",
            ranges(missing),
            files(n)
        ),
    };
    let more = if keeping.more_files { "; deletion vectors were not looked for" } else { "" };
    format!("{oldest}   ({found}{more})")
}

fn cleanup(keeping: &Keeping) -> String {
    let c = &keeping.cleanup;
    let off = if keeping.retention.expired_log_cleanup.value {
        ""
    } else {
        "; but delta.enableExpiredLogCleanup is false"
    };
    match (c.keeps_from, c.first.zip(c.last)) {
        (Some(keeps), Some((first, last))) => format!(
            "would delete {} commits ({}), {}; the log would begin at v{keeps}{off}",
            count(c.commits),
            ranges(&[Versions { first, last }]),
            bytes(c.bytes)
        ),
        (Some(keeps), None) => {
            format!("would delete {} before v{keeps}{off}", bytes(c.bytes))
        }
        (None, _) => format!("would delete nothing{off}"),
    }
}

fn setting(setting: &Setting<Millis>, key: &str) -> String {
    let by = if setting.set { key.to_owned() } else { format!("the default of {key}") };
    format!("kept for {}   ({by})", duration(setting.value.max(0) as u64))
}

fn files(n: u64) -> String {
    format!("{} file{}", count(n), if n == 1 { "" } else { "s" })
}

/// `v3`, `v3 to v9, v12`; of many ranges the first few.
pub fn ranges(all: &[Versions]) -> String {
    const SHOWN: usize = 4;
    let one = |v: &Versions| {
        if v.first == v.last { format!("v{}", v.first) } else { format!("v{} to v{}", v.first, v.last) }
    };
    let mut out = all.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ");
    if all.len() > SHOWN {
        out.push_str(&format!(" and {} more ranges", all.len() - SHOWN));
    }
    out
}
