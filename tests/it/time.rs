//! The figures of the history against an independent replay, over every table of `../shared/tables`.

use std::path::{Path, PathBuf};

use deltop::model::actions::CommitActions;
use deltop::model::follow::Follow;
use deltop::model::history::Commit;
use deltop::model::levels::{Anchor, Level};
use deltop::model::metrics::metrics;
use deltop::model::operation::Operation;
use deltop::model::pattern::patterns;
use deltop::model::table::Metadata;
use deltop::model::target::size_target;
use deltop::model::trends::Trends;
use serde_json::Value;

const NOW: i64 = 1_800_000_000_000;

fn tables() -> Option<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tables");
    let Ok(text) = std::fs::read_to_string(folder.join("expected.json")) else {
        println!("skipped: {} is not there", folder.display());
        return None;
    };
    let value = serde_json::from_str(&text).expect("expected.json is JSON");
    Some((folder, value))
}

/// The actions of a table's commits, by version.
fn actions(log: &Path) -> Vec<(u64, CommitActions)> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(log).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(digits) = name.strip_suffix(".json").filter(|d| d.len() == 20) else { continue };
        let Ok(version) = digits.parse() else { continue };
        let text = String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap_or_default()).into_owned();
        out.push((version, CommitActions::parse(&text)));
    }
    out.sort_by_key(|(version, _)| *version);
    out
}

/// The commits of a table, by version.
fn commits(log: &Path) -> Vec<Commit> {
    let lines: Vec<Commit> = actions(log).iter().map(|(version, a)| a.commit(*version, None, true)).collect();
    for line in &lines {
        let operation = Operation::of(line.operation.as_deref(), line.operation_parameters.as_ref());
        assert!(operation.words.chars().count() <= 400);
        metrics(&line.operation_metrics.clone().unwrap_or_default()).iter().for_each(|m| drop(m.text()));
    }
    lines
}

#[test]
fn commits_hold_what_an_independent_replay_found() {
    let Some((folder, expected)) = tables() else { return };
    let mut seen = 0;
    for (name, table) in expected["tables"].as_object().expect("tables") {
        let Some(history) = table["history"].as_array() else { continue };
        let found: Vec<Value> = commits(&folder.join(name).join("_delta_log"))
            .iter()
            .map(|c| serde_json::json!([c.version, c.operation, c.added_files, c.removed_files, c.cdc_files]))
            .collect();
        assert_eq!(&found, history, "{name}");
        seen += found.len();
    }
    assert!(seen > 1000, "only {seen} commits were compared");
}

#[test]
fn levels_are_those_of_an_independent_replay_or_unknown() {
    let Some((folder, expected)) = tables() else { return };
    let (mut known, mut all, mut known_rows) = (0, 0, 0);
    for (name, table) in expected["tables"].as_object().expect("tables") {
        let Some(timeline) = table["timeline"].as_array() else { continue };
        let commits = commits(&folder.join(name).join("_delta_log"));
        let number = |key: &str| table[key].as_u64();
        let level = Level { files: number("num_files"), bytes: number("total_bytes"), ..Level::default() };
        let anchors: Vec<Anchor> =
            number("version").map(|version| Anchor { version, level }).into_iter().collect();
        let trends = Trends::of(&commits, &anchors, &[], NOW);
        for row in timeline {
            let Some(point) = trends.points.iter().find(|p| Some(p.version) == row[0].as_u64()) else {
                continue;
            };
            let truth = (row[1].as_u64(), row[2].as_u64());
            assert!(point.level.files.is_none() || point.level.files == truth.0, "{name} {row} {point:?}");
            assert!(point.level.bytes.is_none() || point.level.bytes == truth.1, "{name} {row} {point:?}");
            known += usize::from(point.level.files.is_some());
            all += 1;
        }
        let rows =
            trends.latest().filter(|p| Some(p.version) == number("version")).and_then(|p| p.level.rows);
        let truth = table["num_rows_log"].as_u64();
        assert!(rows.is_none() || truth.is_none() || rows == truth, "{name}: {rows:?} rows, not {truth:?}");
        known_rows += usize::from(rows.is_some() && truth.is_some());
        patterns(&commits, &trends, &size_target(&Metadata::default(), 0), NOW);
    }
    assert!(all > 500 && known * 10 > all * 9, "{known} of {all} levels are known");
    assert!(known_rows > 60, "the rows of {known_rows} tables are known");
}

#[test]
fn a_walk_through_the_log_agrees_with_an_independent_replay() {
    let Some((folder, expected)) = tables() else { return };
    let mut compared = 0;
    for (name, table) in expected["tables"].as_object().expect("tables") {
        let Some(timeline) = table["timeline"].as_array() else { continue };
        let mut follow = Follow::from_start(1 << 20);
        for (version, actions) in actions(&folder.join(name).join("_delta_log")) {
            let step = follow.apply(version, &actions);
            let Some(row) = timeline.iter().find(|row| row[0].as_u64() == Some(version)) else { continue };
            if step.level.files.is_some() {
                let found = (step.level.files, step.level.bytes);
                assert_eq!(found, (row[1].as_u64(), row[2].as_u64()), "{name} {version}");
                compared += 1;
            }
            let rows = table["num_rows_log"].as_u64().filter(|_| table["version"].as_u64() == Some(version));
            assert!(
                step.level.rows.is_none() || rows.is_none() || step.level.rows == rows,
                "{name}: {rows:?}"
            );
        }
    }
    assert!(compared > 500, "only {compared} versions were compared");
}
