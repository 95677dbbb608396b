//! The shared files and tables: what another reader found in the same footers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use deltop::lake::footer::{self, Survey};
use deltop::lake::log::{OpenTable, Want};
use deltop::lake::place::Place;
use deltop::lake::watch::Watch;
use deltop::model::footer::Footer;
use deltop::model::table::AsOf;
use deltop::model::{Fault, Outcome};
use serde_json::Value;

use super::place;

/// The tables' folder and their expected values; none (and a line that says so) without them.
fn expected() -> Option<(PathBuf, Value)> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tables");
    match std::fs::read(tables.join("expected.json")) {
        Ok(bytes) => Some((tables, serde_json::from_slice(&bytes).expect("expected.json is JSON"))),
        Err(_) => {
            println!("skipped: there are no shared tables at {}", tables.display());
            None
        }
    }
}

/// The expected values call both kinds of LZ4 by other names than the format does.
fn codec(name: &'static str) -> &'static str {
    match name {
        "LZ4_RAW" => "LZ4",
        "LZ4" => "UNKNOWN",
        other => other,
    }
}

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn parquet_testing_files_agree() {
    let Some((tables, expected)) = expected() else { return };
    let files = expected["parquet_files"].as_object().expect("an object");
    let mut wrong = Vec::new();
    for (name, values) in files {
        let found = footer::of_file(&place(&tables.join(name)), &Watch::default()).await;
        if let Err(why) = agrees(&found, values) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

fn agrees(found: &Outcome<Footer>, values: &Value) -> Result<(), String> {
    let footer = match (found, values.get("footer_error")) {
        (Err(fault), Some(error)) => {
            let encrypted = error.as_str().is_some_and(|e| e.contains("encrypted"));
            let right = fault.exit_status() == 3 && encrypted == (fault.code == "encrypted");
            return if right { Ok(()) } else { Err(format!("{fault:?} for {error}")) };
        }
        (Err(fault), None) => return Err(format!("{fault:?}")),
        (Ok(_), Some(error)) => return Err(format!("a footer where there should be an error: {error}")),
        (Ok(footer), None) => footer,
    };
    let same = |what: &str, found: Value| {
        let wanted = &values[what];
        if found == *wanted { Ok(()) } else { Err(format!("{what} is {found}, expected {wanted}")) }
    };
    same("bytes", footer.size_in_bytes.into())?;
    same("rows", footer.num_rows.into())?;
    same("row_groups", footer.row_groups.len().into())?;
    same("leaf_columns", footer.schema.len().into())?;
    same("created_by", footer.created_by.clone().unwrap_or_default().into())?;
    // One old file says 0 rows as a whole.
    let group_rows: u64 = footer.row_groups.iter().map(|g| g.num_rows).sum();
    if group_rows != footer.num_rows && footer.num_rows > 0 {
        return Err(format!("{group_rows} rows in the row groups"));
    }
    if let Some(codecs) = values.get("codecs") {
        let chunks = footer.row_groups.iter().flat_map(|g| &g.columns);
        let found: BTreeSet<&str> = chunks.map(|c| codec(c.codec)).collect();
        if found != names(codecs) {
            return Err(format!("codecs are {found:?}, expected {codecs}"));
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tables_sums_agree() {
    let Some((tables, expected)) = expected() else { return };
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (name, values) in expected["tables"].as_object().expect("an object") {
        let Some(footers) = values.get("footers").filter(|f| f.is_object()) else { continue };
        if name == "made__symlinks" && !tables.join(name).join("p=b").is_symlink() {
            println!("skipped: {name} was copied without its symbolic links");
            continue;
        }
        match survey(&tables.join(name)).await {
            Ok(survey) => {
                seen += 1;
                wrong.extend(differences(&survey, footers, values).map(|why| format!("{name}: {why}")));
            }
            // The table's own test decides whether it must open.
            Err(_) if values["open"] != "ok" => {}
            Err(fault) => wrong.push(format!("{name}: {fault:?}")),
        }
    }
    println!("the footers of {seen} tables were summed up");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(seen > 150, "only {seen}");
}

async fn survey(table: &Path) -> Result<Survey, Fault> {
    let watch = Watch::default();
    let place = Place::parse(&table.display().to_string(), &Vec::new())?;
    let open = OpenTable::open(&place, AsOf::Latest, &watch).await?;
    let files = open.files(Want::default(), &watch).await?;
    footer::survey(&place, &files.list, None, &watch, &mut |_| ()).await
}

fn differences(survey: &Survey, footers: &Value, values: &Value) -> impl Iterator<Item = String> {
    let sum = &survey.totals;
    let figures = [
        ("files", sum.files, footers["files"].as_u64()),
        ("rows", sum.rows, footers["rows"].as_u64()),
        ("row_groups", sum.row_groups, footers["row_groups"].as_u64()),
        ("unreadable", sum.unreadable(), footers["unreadable"].as_u64()),
        (
            "missing",
            sum.missing(),
            values["missing_data_files"].as_u64().zip(values["absolute_paths"].as_u64()).map(|(a, b)| a + b),
        ),
    ];
    let differs = |(what, found, wanted): (&str, u64, Option<u64>)| {
        (Some(found) != wanted)
            .then(|| format!("{what}: {found}, expected {wanted:?}; {:?}", sum.failures.problems))
    };
    let mut out: Vec<String> = figures.into_iter().filter_map(differs).collect();
    let codecs: BTreeSet<&str> = sum.codecs.keys().map(|c| codec(c)).collect();
    let writers: BTreeSet<&str> = sum.writers.keys().map(|w| w.as_deref().unwrap_or_default()).collect();
    for (what, found) in [("codecs", codecs), ("created_by", writers)] {
        if found != names(&footers[what]) {
            out.push(format!("{what}: {found:?}, expected {}", footers[what]));
        }
    }
    out.into_iter()
}
