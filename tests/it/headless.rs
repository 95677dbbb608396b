//! The command line: text, JSON, exit statuses.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::headless::{Demo, command, deltop, deltop_reading};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn column<'a>(rows: &'a Value, key: &str) -> Vec<&'a Value> {
    rows.as_array().unwrap().iter().map(|row| &row[key]).collect()
}

const DETAIL: &[&str] = &[
    "format",
    "id",
    "name",
    "description",
    "location",
    "version",
    "createdAt",
    "lastModified",
    "partitionColumns",
    "clusteringColumns",
    "numFiles",
    "sizeInBytes",
    "properties",
    "minReaderVersion",
    "minWriterVersion",
    "tableFeatures",
    "numRecords",
    "numDeletionVectors",
    "numDeletedRows",
    "avgFileSizeInBytes",
    "minFileSizeInBytes",
    "medianFileSizeInBytes",
    "maxFileSizeInBytes",
    "numPartitions",
    "tombstones",
    "log",
    "features",
    "grade",
    "warnings",
];
const FILES: &[&str] =
    &["path", "sizeInBytes", "numRecords", "partitionValues", "modificationTime", "deletionVector", "tags"];
const HISTORY: &[&str] = &[
    "version",
    "timestamp",
    "operation",
    "operationParameters",
    "operationMetrics",
    "userMetadata",
    "engineInfo",
    "isBlindAppend",
    "dataChange",
    "numAddedFiles",
    "numRemovedFiles",
    "addedBytes",
    "removedBytes",
    "addedRecords",
    "readable",
    "unreadableReason",
    "removedRecords",
    "numCdcFiles",
    "statedTimestamp",
    "problem",
];
const COLUMNS: &[&str] = &[
    "name",
    "physicalName",
    "type",
    "nullable",
    "roles",
    "statsFiles",
    "nullCount",
    "min",
    "max",
    "compressedBytes",
    "clustering",
    "fieldId",
    "unknownFiles",
    "tightBounds",
];
const PARTITIONS: &[&str] = &[
    "partitionValues",
    "numFiles",
    "sizeInBytes",
    "numRecords",
    "avgFileSizeInBytes",
    "minFileSizeInBytes",
    "maxFileSizeInBytes",
];

#[test]
fn json_has_the_contracts_keys_in_its_order() {
    let demo = Demo::shared();
    let table = demo.part("daily_snapshots");
    let detail = deltop(&["detail", &table, "--json"]).json();
    assert_eq!(keys(&detail), DETAIL);
    assert_eq!(
        keys(&detail["log"]),
        ["numCommits", "lastCheckpointVersion", "commitsSinceCheckpoint", "sizeInBytes"]
    );
    assert_eq!(detail["features"]["appendOnly"], json!({"read": true, "sql": true, "write": true}));
    assert_eq!(detail["createdAt"], "2026-04-01T20:00:00.000Z");
    assert_eq!(detail["lastModified"], "2026-05-15T20:15:00.000Z");
    for (command, expected, count) in [
        ("files", FILES, 50),
        ("history", HISTORY, 50),
        ("columns", COLUMNS, 5),
        ("partitions", PARTITIONS, 45),
    ] {
        let rows = deltop(&[command, &table, "--json"]).json();
        assert_eq!(rows.as_array().unwrap().len(), count, "{command}");
        assert_eq!(keys(&rows[0]), expected, "{command}");
        let lines = deltop(&[command, &table, "--ndjson"]).ok();
        let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(Value::Array(lines), rows, "{command} --ndjson");
    }
    let histogram = deltop(&["histogram", &table, "--json"]).json();
    assert_eq!(keys(&histogram)[..4], ["by", "unit", "buckets", "recommended"]);
    assert_eq!(keys(&histogram["buckets"][0]), ["from", "to", "numFiles", "sizeInBytes", "numRecords"]);
    assert_eq!(keys(&histogram["recommended"]), ["from", "to", "target"]);
}

#[test]
fn figures_of_all_commands_agree() {
    let demo = Demo::shared();
    for name in ["sales", "product", "daily_snapshots"] {
        let table = demo.part(name);
        let detail = deltop(&["detail", &table, "--json"]).json();
        let files = deltop(&["files", &table, "--json"]).json();
        let sum =
            |rows: &Value, key: &str| -> u64 { column(rows, key).iter().map(|v| v.as_u64().unwrap()).sum() };
        assert_eq!(sum(&files, "sizeInBytes"), detail["sizeInBytes"], "{name}");
        assert_eq!(sum(&files, "numRecords"), detail["numRecords"], "{name}");
        for by in ["size", "rows"] {
            let buckets = deltop(&["histogram", &table, "--by", by, "--json"]).json()["buckets"].clone();
            assert_eq!(sum(&buckets, "numFiles"), detail["numFiles"], "{name} by {by}");
            assert_eq!(sum(&buckets, "sizeInBytes"), detail["sizeInBytes"], "{name} by {by}");
            assert_eq!(sum(&buckets, "numRecords"), detail["numRecords"], "{name} by {by}");
        }
        let rows = deltop(&["sql", &table, "select count(*) as n from t", "--json"]).json();
        assert_eq!(rows[0]["n"], detail["numRecords"], "{name}");
        let history = deltop(&["history", &table, "--json"]).json();
        assert_eq!(history[0]["version"], detail["version"]);
        let (added, removed) = (sum(&history, "numAddedFiles"), sum(&history, "numRemovedFiles"));
        assert_eq!(added - removed, detail["numFiles"], "{name}");
        assert_eq!(removed, detail["tombstones"]["numFiles"], "{name}");
    }
    let partitions = deltop(&["partitions", &demo.part("daily_snapshots"), "--json"]).json();
    assert_eq!(partitions[0]["partitionValues"], json!({"snapshot_date": "2026-04-01"}));
    assert_eq!(deltop(&["partitions", &demo.part("sales"), "--json"]).json(), json!([]));
}

#[test]
fn files_are_sorted_limited_picked_and_filtered() {
    let demo = Demo::shared();
    let files = |more: &[&str]| {
        let table = demo.part("daily_snapshots");
        deltop(&[&["files", &table, "--json"], more].concat()).json()
    };
    let all = files(&[]);
    let number = |v: &Value| v.as_u64().unwrap();
    for (key, name) in [("size", "sizeInBytes"), ("rows", "numRecords")] {
        let sorted: Vec<u64> = column(&files(&["--sort", key]), name).into_iter().map(number).collect();
        let mut expected: Vec<u64> = column(&all, name).into_iter().map(number).collect();
        expected.sort_by(|a, b| b.cmp(a));
        assert_eq!(sorted, expected);
        let reversed = files(&["--sort", key, "--reverse", "--limit", "3"]);
        let reversed: Vec<u64> = column(&reversed, name).into_iter().map(number).collect();
        expected.reverse();
        assert_eq!(reversed, expected[..3]);
    }
    let newest = files(&["--sort", "modified", "--limit", "1"]);
    assert_eq!(newest[0]["partitionValues"]["snapshot_date"], "2026-05-15");
    let paths = files(&["--columns", "path"]);
    assert!(column(&paths, "path").is_sorted_by_key(|p| p.as_str()));
    let picked = files(&["--columns", "sizeInBytes,path", "--limit", "2"]);
    assert_eq!(keys(&picked[1]), ["sizeInBytes", "path"]);
    assert_eq!(files(&["--limit", "0"]), json!([]));

    let some = files(&["--where", "SNAPSHOT_DATE >= '2026-05-14' and sizeInBytes > 0"]);
    assert_eq!(column(&some, "partitionValues").len(), 3);
    let none = files(&["--where", "numRecords > 1000000", "--columns", "path"]);
    assert_eq!(none, json!([]));
    let wrong = deltop(&["files", &demo.part("sales"), "--where", "wheel = 1", "--json"]);
    assert_eq!(wrong.error(), (2, "invalid-predicate".into()));
}

#[test]
fn older_versions_are_shown() {
    let demo = Demo::shared();
    let table = demo.part("daily_snapshots");
    let detail = |as_of: &str| deltop(&["detail", &table, "--json", "--as-of", as_of]).json();
    assert_eq!(detail("0")["numFiles"], 1);
    assert_eq!(detail("v10")["numFiles"], 11);
    let by_time = detail("2026-04-05 20:00");
    assert_eq!((by_time["version"].as_u64(), by_time["numFiles"].as_u64()), (Some(4), Some(5)));
    let history = deltop(&["history", &table, "--as-of", "7", "--limit", "3", "--json"]).json();
    assert_eq!(column(&history, "version"), [7, 6, 5]);
    let rows = deltop(&["sql", &table, "select count(*) n from t", "--as-of", "0", "--json"]).json();
    assert_eq!(rows[0]["n"], 90);
    for as_of in ["50", "2020-01-01"] {
        assert_eq!(deltop(&["detail", &table, "--json", "--as-of", as_of]).error().0, 3, "{as_of}");
    }
    assert_eq!(deltop(&["detail", &table, "--json", "--as-of", "yesterday"]).error(), (2, "usage".into()));
    assert_eq!(deltop(&["ls", &table, "--json", "--as-of", "1"]).error(), (2, "usage".into()));
}

#[test]
fn what_is_no_table_is_told_apart() {
    let demo = Demo::shared();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("notes.txt");
    fs::write(&file, "x").unwrap();
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let missing = folder.path().join("gone/further");
    let path = |p: &Path| p.to_str().unwrap().to_owned();
    let cases = [
        (path(&missing), "not-found", "exist"),
        (path(&file), "not-a-table", "file"),
        (path(&empty), "not-a-table", "nothing"),
        (demo.part("raw_events"), "not-a-table", "28 files"),
        (demo.part(""), "not-a-table", "3 tables"),
    ];
    for (location, code, why) in cases {
        for command in
            ["detail", "files", "histogram", "partitions", "columns", "advise", "check", "history", "preview"]
        {
            let ran = deltop(&[command, &location, "--json"]);
            assert_eq!(ran.error(), (3, code.into()), "{command} {location}");
            let error: Value = serde_json::from_str(&ran.stdout).unwrap();
            let message = error["error"]["message"].as_str().unwrap();
            assert!(message.contains(why), "{command}: {message:?} does not say {why:?}");
            assert!(error["error"]["hint"].as_str().is_some_and(|h| !h.is_empty()), "{command} {location}");
        }
        let ran = deltop(&["detail", &location]);
        assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
        assert_eq!(ran.stderr.lines().count(), 3, "{}", ran.stderr);
    }
    let convert = deltop(&["detail", &demo.part("raw_events")]).stderr;
    assert!(convert.contains("plain parquet folder") && convert.contains("convert"), "{convert}");
}

#[test]
#[cfg(unix)]
fn a_folder_without_permission_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let demo = Demo::new();
    let log = demo.folder().join("product/_delta_log");
    fs::set_permissions(&log, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&log).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    let ran = deltop(&["detail", &demo.part("product"), "--json"]);
    fs::set_permissions(&log, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(ran.error(), (3, "permission-denied".into()));
}

#[test]
fn mistakes_in_the_call_exit_2() {
    let calls: &[&[&str]] = &[
        &["detail"],
        &["files", "t", "--sort", "colour"],
        &["files", "t", "--columns", "path,wheel"],
        &["files", "t", "--limit", "-1"],
        &["partitions", "t", "--depth", "0"],
        &["t", "detail", "t"],
        &["detail", "t", "--wheel"],
        &["detail", "t", "--option", "no-equals-sign"],
        &["--option", "a=1", "detail", "t", "--option", "b=2"],
        &["sql", "t"],
        &["sql", "t", "select 1", "-f", "x.sql"],
        &["detail", ""],
        &["completions", "cobol"],
    ];
    for call in calls {
        let ran = deltop(&[call, &["--json"][..]].concat());
        assert_eq!(ran.error(), (2, "usage".into()), "{call:?}");
        let ran = deltop(call);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{call:?}");
        assert!((2..=3).contains(&ran.stderr.lines().count()), "{call:?}: {}", ran.stderr);
    }
    let secret = deltop(&["detail", "t", "--option", "hunter2"]);
    assert!(!secret.stderr.contains("hunter2"));
}

#[test]
fn sql_comes_from_arguments_files_and_standard_input() {
    let demo = Demo::shared();
    let join = "-- revenue by category\nselect p.Category, count(*) as n, sum(s.LineTotal) as total \
                from sales s join product p on s.ProductID = p.ProductID group by 1 order by 1";
    let folder = demo.part("");
    let answer = deltop(&["sql", &folder, join, "--json"]).json();
    assert_eq!(column(&answer, "Category"), ["Accessories", "Bikes", "Clothing", "Components"]);
    let sales = deltop(&["detail", &demo.part("sales"), "--json"]).json();
    assert_eq!(column(&answer, "n").iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), sales["numRecords"]);
    let file = TempDir::new().unwrap();
    let file = file.path().join("q.sql");
    fs::write(&file, join).unwrap();
    assert_eq!(deltop(&["sql", &folder, "-f", file.to_str().unwrap(), "--json"]).json(), answer);
    assert_eq!(deltop_reading(&["sql", &folder, "-", "--json"], join).json(), answer);

    let product = demo.part("product");
    let two =
        deltop(&["sql", &product, "select 1 as a; select count(*) as b from product;", "--ndjson"]).ok();
    assert_eq!(two, "{\"a\":1}\n{\"b\":150}\n");
    let two = deltop(&["sql", &product, "select 1 as a; select 2 as b where false;", "--json"]).json();
    assert_eq!(two, json!([[{"a": 1}], []]));
    let preview = deltop(&["preview", &product, "--limit", "2", "--json"]).json();
    assert_eq!(preview.as_array().unwrap().len(), 2);
    assert_eq!(keys(&preview[0]), ["ProductID", "Name", "Category", "Color", "ListPrice"]);

    assert_eq!(deltop(&["sql", &product, "selec 1", "--json"]).error(), (2, "invalid-sql".into()));
    assert_eq!(deltop(&["sql", &product, "", "--json"]).error(), (2, "invalid-sql".into()));
    assert_eq!(deltop(&["sql", &product, "-f", "/nowhere/q.sql", "--json"]).error().0, 2);
    // Refused as what cannot be run at all yet: permission to write would not help.
    let delete = deltop(&["sql", &product, "delete from t", "--json"]).error();
    assert_eq!(delete, (5, "unsupported-change".into()));
}

#[test]
fn rows_come_in_the_form_that_is_asked_for() {
    let demo = Demo::shared();
    let product = demo.part("product");
    let query = "select 1 as a, '' as b, null as c, 'x,\"y\"' as d";
    let csv = deltop(&["sql", &product, query, "--format", "csv"]).ok();
    assert_eq!(csv, "a,b,c,d\n1,\"\",,\"x,\"\"y\"\"\"\n");
    let rows = deltop(&["sql", &product, query, "--json"]).json();
    assert_eq!(deltop(&["sql", &product, query, "--format", "json"]).json(), rows);
    let error = deltop(&["sql", &product, "selec", "--format", "ndjson"]).error();
    assert_eq!(error, (2, "invalid-sql".into()));
    let other = deltop(&["sql", &product, query, "--format", "csv", "--json"]).error();
    assert_eq!(other, (2, "usage".into()));
    let output = command(&["sql", &product, "select * from t", "--format", "parquet"]).output().unwrap();
    let bytes = bytes::Bytes::from(output.stdout);
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap();
    assert_eq!(reader.build().unwrap().map(|b| b.unwrap().num_rows()).sum::<usize>(), 150);
}

#[test]
fn places_count_from_the_start_of_the_whole_text() {
    let demo = Demo::shared();
    let text = "select 1;\n\n  select nosuch\n from product";
    let run = deltop(&["sql", &demo.part("product"), text]);
    assert_eq!(run.status, 2);
    let said = "Statement 2: Unknown column \"nosuch\" at line 3, column 10";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn explain_tells_what_would_be_read() {
    let demo = Demo::shared();
    let query = "select count(ProductID) from sales where SalesOrderID < 0";
    let plan = deltop(&["sql", &demo.part(""), query, "--explain", "--json"]).json();
    let scan = &plan["scans"][0];
    assert_eq!((&scan["table"], &scan["afterStatistics"]["files"]), (&json!("sales"), &json!(0)));
    assert!(scan["total"]["files"].as_u64().unwrap() > 100);
    assert_eq!(plan["millis"], Value::Null);
    let text = deltop(&["sql", &demo.part(""), query, "--explain"]).ok();
    assert!(
        text.starts_with("sales v") && text.contains("reads no file") && text.contains("\nplan\n"),
        "{text}"
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let demo = Demo::shared();
    let sales = demo.part("sales");
    let calls: &[&[&str]] = &[
        &["files", &sales, "--json"],
        &["files", &sales],
        &["history", &sales, "--ndjson"],
        &["sql", &sales, "select * from t", "--json"],
        &["sql", &sales, "select * from t"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
    ];
    for call in calls {
        let mut child = command(call).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        // Dropping the reader closes the pipe.
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert!(!first.is_empty(), "{call:?}");
        assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""), "{call:?}");
    }
}

#[test]
fn text_is_plain_and_begins_with_what_matters() {
    let demo = Demo::shared();
    let (sales, snapshots) = (demo.part("sales"), demo.part("daily_snapshots"));
    let calls: &[(&[&str], &str)] = &[
        (&["detail", &sales], "sales   v59   "),
        (&["files", &sales, "--limit", "2"], "size"),
        (&["histogram", &sales], "below the recommended 64.0 MiB – 256 MiB"),
        (&["histogram", &sales, "--by", "rows"], "files by their rows"),
        (&["partitions", &snapshots], "45 partitions   50 files"),
        (&["partitions", &sales], "No partition columns"),
        (&["columns", &snapshots], "5 columns"),
        (&["history", &snapshots, "--limit", "2"], "2 commits, v49 to v48"),
        (&["ls", &demo.part("")], "3 tables, 1 unidentified"),
        (&["preview", &snapshots, "--limit", "1"], "ProductID"),
        (&["sql", &snapshots, "select 1 as one"], "one"),
        (&[], "deltop demo"),
        (&["--help"], "Exit status"),
        (&["--version"], concat!("deltop ", env!("CARGO_PKG_VERSION"))),
    ];
    for (call, begin) in calls {
        let text = deltop(call).ok();
        let first: Vec<&str> = text.lines().take(3).collect();
        let found =
            first.iter().any(|line| line.contains(begin)) || *call == ["--help"] && text.contains(begin);
        assert!(found, "{call:?} begins with {first:?}");
        assert!(!text.contains('\x1b'), "{call:?} sends escape sequences into a pipe");
        assert!(text.ends_with('\n'), "{call:?}");
        let ascii = deltop(&[call, &["--ascii"][..]].concat()).ok();
        assert!(ascii.is_ascii(), "{call:?} --ascii: {ascii}");
    }
}

#[test]
fn names_from_tables_steer_no_terminal() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("evil/_delta_log");
    fs::create_dir_all(&log).unwrap();
    let evil = "x\u{1b}[2J\u{202e}\n";
    let schema = json!({"type": "struct", "fields": [
        {"name": evil, "type": "string", "nullable": true, "metadata": {}}]});
    let actions = [
        json!({"commitInfo": {"timestamp": 0, "operation": evil}}),
        json!({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}),
        json!({"metaData": {"id": "1", "name": evil, "format": {"provider": "parquet", "options": {}},
            "schemaString": schema.to_string(), "partitionColumns": [evil], "configuration": {evil: evil}}}),
        json!({"add": {"path": "p%1B%5B2J.parquet", "partitionValues": {evil: evil}, "size": 1,
            "modificationTime": 0, "dataChange": true}}),
    ];
    let text: String = actions.iter().map(|a| format!("{a}\n")).collect();
    fs::write(log.join("00000000000000000000.json"), text).unwrap();
    let table = folder.path().join("evil");
    let table = table.to_str().unwrap();
    for command in ["detail", "files", "partitions", "columns", "history", "histogram", "advise"] {
        let text = deltop(&[command, table]).ok();
        assert!(!text.chars().any(|c| c == '\x1b' || c == '\u{202e}'), "{command}: {text:?}");
    }
    let files = deltop(&["files", table, "--json"]).json();
    assert_eq!(files[0]["path"], "p\u{1b}[2J.parquet");
    assert_eq!(files[0]["partitionValues"][evil], evil);
}

#[test]
fn ls_gives_versions_and_what_else_there_is() {
    let demo = Demo::shared();
    let listed = deltop(&["ls", &demo.part(""), "--json"]).json();
    let rows: Vec<Value> =
        listed.as_array().unwrap().iter().map(|e| json!([e["name"], e["kind"], e["version"]])).collect();
    let expected = json!([
        ["daily_snapshots", "table", 49],
        ["product", "table", 2],
        ["raw_events", "unidentified", null],
        ["sales", "table", 59],
    ]);
    assert_eq!(Value::Array(rows), expected);
    assert!(listed[2]["holds"].as_str().unwrap().contains("parquet"));
    let itself = deltop(&["ls", &demo.part("product"), "--json"]).json();
    assert_eq!((&itself[0]["name"], &itself[0]["version"]), (&json!("product"), &json!(2)));
    assert_eq!(deltop(&["ls", &demo.part("raw_events"), "--json"]).error(), (3, "not-a-table".into()));
}

#[test]
fn a_configured_name_is_a_location() {
    let demo = Demo::shared();
    let folder = TempDir::new().unwrap();
    let config = folder.path().join("config.toml");
    let location = toml_text(&demo.part("product"));
    fs::write(&config, format!("[locations.goods]\nlocation = {location}\n")).unwrap();
    let with = |path: &Path, args: &[&str]| {
        let output = command(args).env("DELTOP_CONFIG", path).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, text) = with(&config, &["detail", "goods", "--json"]);
    assert_eq!(status, Some(0), "{text}");
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["name"], "product");
    assert!(with(&config, &["config", "show"]).1.contains("goods"));
    assert!(with(&config, &[]).1.contains("goods"));

    fs::write(&config, "wheel = 1\n").unwrap();
    let (status, text) = with(&config, &["config", "check", "--json"]);
    assert_eq!(status, Some(2));
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["error"]["code"], "config");
    let (status, text) = with(&config, &["config", "path"]);
    assert_eq!((status, text.trim_end()), (Some(0), config.to_str().unwrap()));
}

fn toml_text(text: &str) -> String {
    format!("'{text}'")
}

#[test]
fn the_screen_needs_a_terminal() {
    let demo = Demo::shared();
    let ran = deltop(&[&demo.part("sales")]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("terminal"), "{}", ran.stderr);
}

#[test]
fn shells_and_manual_know_every_command() {
    let page = deltop(&["man"]).ok();
    let completions = deltop(&["completions", "zsh"]).ok();
    for command in [
        "detail",
        "files",
        "histogram",
        "partitions",
        "columns",
        "advise",
        "check",
        "prune",
        "history",
        "preview",
        "sql",
        "ls",
        "demo",
        "config",
    ] {
        assert!(page.contains(&format!("DELTOP {}", command.to_uppercase())), "{command}");
        assert!(completions.contains(command), "{command}");
    }
}
