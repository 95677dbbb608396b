//! Logs with one fault each, through every look at the past: shown, not fatal, the rest still listed.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::headless::deltop;
use crate::support::journey::Journey;
use crate::support::log::metadata;

/// A log, and what is to be told of it.
struct Odd {
    name: &'static str,
    /// The content of each commit file by its name.
    files: Vec<(String, String)>,
    /// The newest version that can be read.
    shown: u64,
    /// Commits that the history lists, and those with a problem, newest first.
    listed: usize,
    problems: Vec<u64>,
    /// Versions up to `shown` without figures in the trends.
    gaps: Vec<u64>,
    /// Whether each file can be followed through the log.
    followed: bool,
}

fn first() -> String {
    let mut meta = metadata(&[]);
    meta["metaData"]["partitionColumns"] = json!([]);
    lines(&[json!({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}), meta, add("f0", json!(10))])
}

fn add(path: &str, size: Value) -> Value {
    json!({"add": {"path": path, "partitionValues": {}, "size": size, "modificationTime": 1, "dataChange": true,
        "stats": "{\"numRecords\":3}"}})
}

fn lines(actions: &[Value]) -> String {
    actions.iter().map(|a| format!("{a}\n")).collect()
}

fn info(info: Value) -> Value {
    json!({"commitInfo": info})
}

fn name(version: u64) -> String {
    format!("{version:020}.json")
}

/// Versions 0 to 3, of which version `at` is something else.
fn with(name_of: &'static str, at: u64, content: String) -> Odd {
    let plain = |v: u64| match v {
        0 => first(),
        _ => lines(&[info(json!({"operation": "WRITE", "timestamp": v})), add(&format!("f{v}"), json!(10))]),
    };
    let content = |v| if v == at { content.clone() } else { plain(v) };
    Odd {
        name: name_of,
        files: (0..4).map(|v| (name(v), content(v))).collect(),
        shown: 3,
        listed: 4,
        problems: Vec::new(),
        gaps: Vec::new(),
        followed: true,
    }
}

fn all() -> Vec<Odd> {
    let with_info = |of: Value, file: &str| lines(&[info(of), add(file, json!(10))]);
    let huge = lines(&[add("f2", json!(0))]).replace("\"size\":0", "\"size\":123456789012345678901234567890");
    let truncated = "{\"commitInfo\":{\"operation\":\"WRITE\"}}\n{\"add\":{\"path\":\"f3\",\"si".to_owned();
    let mut missing = with("missing version", 0, first());
    missing.files.retain(|(file, _)| *file != name(2));
    let mut copies = with("duplicate version", 0, first());
    for copy in ["00000000000000000002 (1).json", "00000000000000000002.tmp.json", "2.json"] {
        copies.files.push((copy.into(), lines(&[add("never", json!(7))])));
    }
    let megabyte = "x".repeat(1 << 20);
    vec![
        Odd { shown: 2, problems: vec![3], ..with("truncated last commit", 3, truncated) },
        Odd { problems: vec![2], ..with("empty commit file", 2, String::new()) },
        Odd { problems: vec![3], ..with("empty last commit", 3, " \n".into()) },
        Odd { shown: 1, listed: 3, ..missing },
        copies,
        Odd { problems: vec![2], ..with("commitInfo that is a number", 2, with_info(json!(7), "f2")) },
        Odd { problems: vec![2], ..with("commitInfo that is a text", 2, with_info(json!("x"), "f2")) },
        Odd { problems: vec![2], ..with("commitInfo that is a list", 2, with_info(json!([1]), "f2")) },
        with("year 1", 2, with_info(json!({"timestamp": -62_135_596_800_000_i64}), "f2")),
        with("the end of time", 2, with_info(json!({"timestamp": i64::MAX}), "f2")),
        with("a time in words", 2, with_info(json!({"timestamp": "soon", "operation": ["odd"]}), "f2")),
        with(
            "commitInfo of a megabyte",
            2,
            with_info(
                json!({"operation": megabyte, "userMetadata": megabyte, "operationParameters": {"p": megabyte}}),
                "f2",
            ),
        ),
        with(
            "metrics as numbers",
            2,
            with_info(json!({"operationMetrics": {"numFiles": 1, "n": 1.5}}), "f2"),
        ),
        with(
            "metrics as texts",
            2,
            with_info(json!({"operationMetrics": {"numFiles": "1", "n": "x"}}), "f2"),
        ),
        with("metrics that are none", 2, with_info(json!({"operationMetrics": [1, {"a": 2}]}), "f2")),
        with("a size beyond 64 bits", 2, huge),
        with("the largest size", 2, lines(&[add("f2", json!(i64::MAX)), add("g2", json!(i64::MAX))])),
        with("a negative size", 2, lines(&[add("f2", json!(-5))])),
    ]
}

fn write(odd: &Odd) -> TempDir {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("_delta_log");
    fs::create_dir(&log).unwrap();
    for (file, content) in &odd.files {
        fs::write(log.join(file), content).unwrap();
    }
    folder
}

fn path(folder: &TempDir) -> &str {
    folder.path().to_str().unwrap()
}

fn versions(list: &Value) -> Vec<u64> {
    list.as_array().unwrap().iter().filter_map(|c| c["version"].as_u64()).collect()
}

#[test]
fn every_look_at_the_past_goes_on() {
    for odd in all() {
        let folder = write(&odd);
        let (at, name) = (path(&folder), odd.name);
        let history = deltop(&["history", at, "--json"]).json();
        assert_eq!(versions(&history).len(), odd.listed, "{name}: {history}");
        let with_problem: Vec<Value> =
            history.as_array().unwrap().iter().filter(|c| c["problem"].is_string()).cloned().collect();
        assert_eq!(versions(&json!(with_problem)), odd.problems, "{name}: {history}");

        let diff = deltop(&["diff", at, "0", "latest", "--json"]).json();
        assert_eq!(diff["to"], odd.shown, "{name}: {diff}");
        let trends = deltop(&["trends", at, "--json"]).json();
        let points = versions(&trends["points"]);
        assert_eq!(points, (0..=odd.shown).filter(|v| !odd.gaps.contains(v)).collect::<Vec<_>>(), "{name}");
        let newest = trends["points"].as_array().unwrap().last().unwrap().clone();
        let files = deltop(&["files", at, "--as-of", &odd.shown.to_string(), "--json"]).json();
        assert_eq!(newest["numFiles"], files.as_array().unwrap().len(), "{name}: {newest}");
        let retention = deltop(&["retention", at, "--json"]).json();
        assert_eq!(retention["horizon"].is_object(), odd.followed, "{name}: {retention}");

        let newest = versions(&history)[0];
        for answer in [diff, trends, retention] {
            let unreadable = &answer["newestUnreadable"];
            assert_eq!(unreadable.is_null(), newest == odd.shown, "{name}: {unreadable}");
            if !unreadable.is_null() {
                assert_eq!(unreadable["version"], newest, "{name}");
                assert!(unreadable["reason"].as_str().is_some_and(|r| r.contains("commit")), "{unreadable}");
            }
        }
        for call in [&["history", at][..], &["diff", at, "0", "latest"], &["trends", at], &["retention", at]]
        {
            let text = deltop(call).ok();
            let told = newest == odd.shown || call[0] == "history" || text.contains("cannot be read");
            assert!(told && !text.contains('\u{1b}'), "{name}: {text}");
        }
    }
}

#[test]
fn every_look_at_the_past_goes_on_on_the_screen() {
    for odd in all() {
        let folder = write(&odd);
        let j = Journey::start(path(&folder), 100, 30);
        if odd.shown < versions(&deltop(&["history", path(&folder), "--json"]).json())[0] {
            j.sees("cannot be").keys("v");
        }
        j.sees("Overview").keys("5").sees("down to v0");
        j.keys("t").sees("by version").keys("<Esc>R").sees("oldest by log").keys("<Esc>D").sees("versions");
        j.keys("<Esc><C-d>G<Enter>").sees("Metadata and protocol").keys("<Esc>gjd").sees("→").keys("<Esc>q");
        assert_eq!(j.ends(), 0, "{}", odd.name);
    }
}

/// The times of the log files, oldest first, as seconds from 1970.
fn times(folder: &Path, seconds: &[u64]) {
    for (version, at) in (0u64..).zip(seconds) {
        let file =
            fs::File::options().write(true).open(folder.join("_delta_log").join(name(version))).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(*at)).unwrap();
    }
}

#[test]
fn clocks_may_go_backwards_or_ahead() {
    const DAY: u64 = 86_400;
    let back = [20_000 * DAY, 19_000 * DAY, 20_001 * DAY, 20_002 * DAY];
    let ahead = [20_000 * DAY, 20_001 * DAY, 40_000 * DAY, 40_001 * DAY];
    let early = [0, 1, 2, 3];
    for (seconds, went_back, without) in [(back, 1, 0), (ahead, 0, 2), (early, 0, 4)] {
        let folder = write(&with("times", 0, first()));
        times(folder.path(), &seconds);
        let history = deltop(&["history", path(&folder), "--json"]).json();
        assert_eq!(versions(&history), [3, 2, 1, 0]);
        assert!(history.as_array().unwrap().iter().all(|c| c["timestamp"].is_string()), "{history}");
        let trends = deltop(&["trends", path(&folder), "--json"]).json();
        let found = (&trends["clockWentBack"], &trends["commitsWithoutTime"]);
        // The times that `--as-of` goes by never go back: each is at least a millisecond after the one before.
        let allowed = [json!(went_back), json!(0)];
        assert!(allowed.contains(found.0) && *found.1 == json!(without), "{seconds:?}: {found:?}");
        assert_eq!(versions(&trends["points"]), [0, 1, 2, 3]);
        for by in ["hour", "day", "week"] {
            deltop(&["history", path(&folder), "--by", by]).ok();
            deltop(&["trends", path(&folder), "--by", by, "--ascii"]).ok();
        }
        assert!(deltop(&["retention", path(&folder), "--json"]).json()["horizon"].is_object());
    }
}

#[test]
fn nothing_is_said_of_files_that_nobody_looked_for() {
    let folder = write(&with("plain", 0, first()));
    let retention = deltop(&["retention", path(&folder), "--json"]).json();
    let horizon = &retention["horizon"];
    assert_eq!((&horizon["lookedForFiles"], &horizon["oldestReadable"]), (&json!(false), &Value::Null));
    assert!(retention["numMissingActiveFiles"].is_null() && retention["numFilesNotLookedAt"].is_null());
    let text = deltop(&["retention", path(&folder)]).ok();
    assert!(text.contains("data files were not looked for") && !text.contains("are there"), "{text}");
    // Two of four files are there: versions 0 and 1.
    for file in ["f0", "f1"] {
        fs::write(folder.path().join(file), "x").unwrap();
    }
    let retention = deltop(&["retention", path(&folder), "--list", "--json"]).json();
    let horizon = &retention["horizon"];
    assert_eq!((&horizon["lookedForFiles"], &horizon["oldestReadable"]), (&json!(true), &json!(0)));
    assert_eq!(horizon["missing"], json!([{"first": 2, "last": 3}]));
    assert_eq!(
        (&retention["numMissingActiveFiles"], &retention["numFilesNotLookedAt"]),
        (&json!(2), &json!(0))
    );
    let text = deltop(&["retention", path(&folder), "--list"]).ok();
    assert!(text.contains("v0   (data files of v2 to v3 are missing)") && !text.contains("v4"), "{text}");
    assert!(text.contains("2 files of v3 are not there: f2 (from v2 on), f3 (from v3 on)\n"), "{text}");
    let named = json!([{"path": "f2", "firstVersion": 2}, {"path": "f3", "firstVersion": 3}]);
    assert_eq!(retention["missingActiveFiles"], named);
    fs::write(folder.path().join("f3"), "x").unwrap();
    let text = deltop(&["retention", path(&folder), "--list"]).ok();
    assert!(text.contains("1 file of v3 is not there: f2, part of v2 to v3\n"), "{text}");
}

#[test]
fn findings_of_a_large_table_say_of_which_version_they_are() {
    let many: Vec<Value> = (0..20_001).map(|n| add(&format!("g{n}"), json!(10))).collect();
    let folder = write(&with("large", 1, lines(&many)));
    let j = Journey::following(path(&folder), 100, 30, 1);
    j.sees("v3 latest").sees("20,004 files").sees("missing-statistics").sees_no("These are the findings");
    let log = folder.path().join("_delta_log");
    fs::write(log.join(name(4)), lines(&[add("f4", json!(10))])).unwrap();
    j.sees("20,005 files").sees("These are the findings of v3; r looks again.");
    j.keys("r").sees_no("These are the findings").sees("missing-statistics").keys("q");
    assert_eq!(j.ends(), 0);
}

#[test]
fn what_cannot_be_followed_is_told_in_every_pane() {
    let folder = write(&with("plain", 0, first()));
    let log = folder.path().join("_delta_log");
    let j = Journey::following(path(&folder), 80, 24, 1);
    j.sees("Overview").sees("12 rows").sees("v3 latest");
    // Half a commit, as a writer that died leaves it on some stores.
    fs::write(log.join(name(4)), "{\"add\":{\"path\":\"f4\",\"si").unwrap();
    j.sees("NOT FOLLOWED since v3").sees("e shows all");
    for pane in ["<A-2>", "<A-3>", "<A-4>", "<A-5>", "<A-6>", "<A-7>"] {
        j.keys(pane).sees("NOT FOLLOWED since v3: The commit 0000000000000000000");
    }
    j.keys("<A-6>").sees("Esc e shows all").keys("<A-5>e").sees("bad-commit").sees("line 1").keys("<Esc>");
    fs::write(log.join(name(4)), lines(&[add("f4", json!(10))])).unwrap();
    j.sees("v4 latest").sees_no("NOT FOLLOWED").keys("1").sees("15 rows");
    // The past does not move.
    j.sees("a minute").keys("5gjv").sees("THE PAST: version 3").keys("1").sees("12 rows");
    j.sees_no("a minute")
        .keys("<A-6>")
        .sees("Esc L goes back")
        .keys("<A-1>L")
        .sees("v4 latest")
        .sees("a minute");
    fs::remove_dir_all(&log).unwrap();
    j.sees("NOT FOLLOWED since v4").keys("<C-q>");
    assert_eq!(j.ends(), 0);
}

#[test]
fn a_table_at_rest_says_so_and_a_deleted_one_is_not_live() {
    let folder = write(&with("plain", 0, first()));
    times(folder.path(), &[1_700_000_000, 1_700_000_100, 1_700_000_200, 1_700_000_300]);
    let j = Journey::following(path(&folder), 80, 24, 1);
    j.sees("v3 latest").sees("live 1s").sees("no commit in the last 10 min").keys("5").sees_no("a minute");
    fs::remove_dir_all(folder.path()).unwrap();
    j.sees("NOT FOLLOWED since v3").sees_no("live 1s").sees("▲ retry in").keys("e").sees("not-a-table");
    j.keys("<Esc>q");
    assert_eq!(j.ends(), 0);
}

/// As Spark writes it: what was removed before the vacuum's retention is gone.
#[test]
fn versions_that_a_vacuum_may_have_ended_are_marked_before_one_tries() {
    let mut odd = with("vacuumed", 0, first());
    let gone = json!({"remove": {"path": "f0", "deletionTimestamp": 5000, "dataChange": true, "size": 10}});
    let write_at = |at: i64| info(json!({"timestamp": at, "operation": "DELETE"}));
    odd.files[2].1 = lines(&[write_at(5000), gone]);
    let start = json!({"timestamp": 9000, "operation": "VACUUM START",
        "operationParameters": {"retentionCheckEnabled": false, "specifiedRetentionMillis": 1000},
        "operationMetrics": {"numFilesToDelete": 1, "sizeOfDataToDelete": 10}});
    odd.files[3].1 = lines(&[info(start)]);
    let folder = write(&odd);
    let history = deltop(&["history", path(&folder), "--json"]).json();
    let readable: Vec<&Value> = history.as_array().unwrap().iter().map(|c| &c["readable"]).collect();
    assert_eq!(readable, [&json!(true), &json!(true), &Value::Null, &Value::Null]);
    let reason = "the vacuum of version 3 may have deleted its data files";
    assert_eq!(history[3]["unreadableReason"], reason);
    let text = deltop(&["history", path(&folder)]).ok();
    assert_eq!(text.matches("vacuumed: data files may be gone").count(), 2, "{text}");
    let j = Journey::start(path(&folder), 120, 30);
    j.sees("Overview").keys("5").sees("not stated △ files gone?");
    // Who looks knows.
    j.keys("R").sees("data files were not looked for").keys("f").sees("data files of v0 to v3 are missing");
    j.keys("<Esc>").sees("▲ files gone").sees_no("gone?").keys("q");
    assert_eq!(j.ends(), 0);
}

/// What the history calls readable can be opened, and nothing else; also after a commit in the middle
/// that holds no JSON, or only half of it.
#[test]
fn readable_is_what_opens() {
    let cut = lines(&[add("f2", json!(10))]);
    let mut odds = all();
    odds.push(with("garbage in the middle", 2, "this is no JSON\n".into()));
    odds.push(with("cut in the middle", 1, cut[..cut.len() / 2].to_owned()));
    odds.push(with("nothing but a file at first", 0, lines(&[add("f0", json!(10))])));
    let mut late = with("a table from version 2 on", 2, first());
    late.files[0].1 = lines(&[add("f0", json!(10))]);
    odds.push(late);
    for odd in &odds {
        let folder = write(odd);
        let history = deltop(&["history", path(&folder), "--json"]).json();
        for commit in history.as_array().unwrap() {
            let version = commit["version"].to_string();
            let opens = deltop(&["detail", path(&folder), "--as-of", &version, "--json"]).status == 0;
            assert_eq!(commit["readable"], json!(opens), "{} v{version}: {commit}", odd.name);
            assert_eq!(commit["unreadableReason"].is_null(), opens, "{} v{version}: {commit}", odd.name);
        }
    }
}
