//! The footers of every shared data file as pyarrow reads them, chunk by chunk.

use deltop::lake::footer;
use deltop::lake::watch::Watch;
use deltop::model::footer::{Chunk, Footer};
use serde_json::{Value, json};

use super::place;
use crate::support::headless::shared_tables;
use crate::support::peer;

/// For each file its rows, writer, and row groups; null for one whose footer pyarrow does not take.
const SCRIPT: &str = r#"
import glob, os
import pyarrow.parquet as pq
def chunk(c):
    s = c.statistics if c.is_stats_set else None
    plain = s is not None and s.has_min_max and c.physical_type in ("INT32", "INT64") and s.logical_type.type in ("NONE", "INT")
    return {"path": c.path_in_schema, "compressed": c.total_compressed_size, "uncompressed": c.total_uncompressed_size,
            "encodings": sorted(set(c.encodings)), "nulls": s.null_count if s is not None and s.has_null_count else None,
            "min": s.min_raw if plain else None, "max": s.max_raw if plain else None}
def group(g):
    return {"rows": g.num_rows, "bytes": g.total_byte_size, "columns": [chunk(g.column(i)) for i in range(g.num_columns)]}
out = {}
for path in sorted(glob.glob(t + "/**/*.parquet", recursive=True)):
    if "_delta_log" in path:
        continue
    try:
        m = pq.read_metadata(path)
        out[os.path.relpath(path, t)] = {"rows": m.num_rows, "groups": [group(m.row_group(i)) for i in range(m.num_row_groups)]}
    except Exception:
        out[os.path.relpath(path, t)] = None
say(out)
"#;

#[tokio::test(flavor = "multi_thread")]
async fn every_chunk_is_as_pyarrow_reads_it() {
    let Some(tables) = shared_tables() else { return };
    let Some(python) = peer::python() else { return };
    let theirs = peer::run(python, &tables, SCRIPT);
    let (mut wrong, mut chunks) = (Vec::new(), 0);
    for (path, theirs) in theirs.as_object().expect("an object") {
        let found = footer::of_file(&place(&tables.join(path)), &Watch::default()).await;
        match (found, theirs) {
            (Err(_), Value::Null) => {}
            // This program reads some that pyarrow refuses; parquet-testing's own test judges those.
            (Ok(_), Value::Null) => {}
            (Err(fault), _) => wrong.push(format!("{path}: {fault:?}")),
            (Ok(footer), theirs) => {
                chunks += footer.row_groups.iter().map(|g| g.columns.len()).sum::<usize>();
                wrong.extend(differences(&footer, theirs).into_iter().map(|why| format!("{path}: {why}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    println!("{chunks} column chunks were compared");
    assert!(chunks > 2000, "only {chunks} chunks");
}

fn differences(footer: &Footer, theirs: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let mut same = |what: String, ours: Value, theirs: &Value| {
        if ours != *theirs {
            out.push(format!("{what} is {ours}, pyarrow has {theirs}"));
        }
    };
    same("rows".into(), json!(footer.num_rows), &theirs["rows"]);
    same(
        "row groups".into(),
        json!(footer.row_groups.len()),
        &json!(theirs["groups"].as_array().map(Vec::len)),
    );
    for (at, group) in footer.row_groups.iter().enumerate() {
        let theirs = &theirs["groups"][at];
        same(format!("rows of group {at}"), json!(group.num_rows), &theirs["rows"]);
        same(format!("bytes of group {at}"), json!(group.total_byte_size), &theirs["bytes"]);
        for (chunk, theirs) in group.columns.iter().zip(theirs["columns"].as_array().into_iter().flatten()) {
            let name = |what: &str| format!("{what} of {}", chunk.leaf.path);
            same(name("path"), json!(chunk.leaf.path), &theirs["path"]);
            same(name("compressed bytes"), json!(chunk.compressed_size), &theirs["compressed"]);
            same(name("uncompressed bytes"), json!(chunk.uncompressed_size), &theirs["uncompressed"]);
            same(name("encodings"), json!(encodings(chunk)), &theirs["encodings"]);
            // pyarrow trusts the statistics of some old writers less.
            if !theirs["nulls"].is_null() {
                same(name("nulls"), json!(chunk.null_count), &theirs["nulls"]);
            }
            for (what, ours) in [("min", &chunk.min), ("max", &chunk.max)] {
                let ours = ours.as_ref().map(|b| serde_json::to_value(b).expect("JSON"));
                if let Some(ours) = ours.filter(|_| !theirs[what].is_null()) {
                    // Beyond 2^53 this program's JSON has strings.
                    let text = ours.as_str().map_or_else(|| ours.to_string(), str::to_owned);
                    same(name(what), json!(text), &json!(theirs[what].to_string()));
                }
            }
        }
    }
    out
}

fn encodings(chunk: &Chunk) -> Vec<&str> {
    let mut all = chunk.encodings.clone();
    all.sort_unstable();
    all.dedup();
    all
}
