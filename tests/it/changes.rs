//! Changes of tables: the safety contract's points, on real tables.

mod faults;
mod kills;
mod races;
mod repair;
mod rewrite;
mod shared;
mod support;
mod undo;
mod undo_beside_others;
mod vacuum;
mod writers;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use deltop::lake::place::Place;
use deltop::lake::sql::{SqlSession, json_rows};
use deltop::lake::watch::Watch;
use deltop::model::Outcome;
use deltop::model::change::{Change, Codec, Done, Goal, Order, Rewrite, Scope};
use deltop::model::table::AsOf;
use deltop::tune::{self, Context};
use futures::StreamExt;
use serde_json::Value;

use crate::support::runtime;

/// A context that may write, with a journal in `home`.
pub fn context(table: &Path, home: &Path) -> Context {
    let mut ctx = Context::new(Place::parse(table.to_str().unwrap(), &Vec::new()).unwrap());
    ctx.allow_writes = true;
    ctx.data_folder = Some(home.to_owned());
    ctx
}

pub fn to(goal: Goal) -> Rewrite {
    Rewrite {
        goal,
        scope: Scope::Table,
        order: Order::Kept,
        codec: Codec::Zstd,
        row_group_rows: None,
        purge: false,
        all: false,
        stats: false,
    }
}

pub fn to_files(count: u64) -> Rewrite {
    to(Goal::Files { count, per_partition: false })
}

/// Plans and runs.
pub fn change(ctx: &Context, change: Change) -> Outcome<Done> {
    runtime().block_on(async {
        let planned = tune::plan(&change, ctx).await?;
        tune::run(planned, ctx).await
    })
}

/// Every row as JSON, with how often it is there.
pub fn rows(table: &Path) -> Outcome<BTreeMap<String, u64>> {
    let place = Place::parse(table.to_str().unwrap(), &Vec::new())?;
    runtime().block_on(async {
        let session = SqlSession::open(&place, AsOf::Latest, &Watch::default()).await?;
        let mut run = session.run("select * from t").await?;
        let mut out = BTreeMap::new();
        while let Some(batch) = run.batches.next().await {
            for row in json_rows(&batch?)? {
                *out.entry(Value::Object(row).to_string()).or_default() += 1;
            }
        }
        Ok(out)
    })
}

/// The actions of the newest commit.
pub fn last_commit(table: &Path) -> Vec<Value> {
    let text = fs::read_to_string(commits(table).pop().unwrap()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn commits(table: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(table.join("_delta_log")).unwrap().map(|e| e.unwrap().path());
    let mut out: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "json")).collect();
    out.retain(|p| p.file_stem().is_some_and(|s| s.len() == 20));
    out.sort();
    out
}

/// All parquet files below the table, relative to it.
pub fn data_files(table: &Path) -> Vec<String> {
    let (mut folders, mut out) = (vec![table.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "parquet") {
                out.push(path.strip_prefix(table).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    out.retain(|p| !p.starts_with("_delta_log"));
    out.sort();
    out
}

/// Copies a table, so that it may be changed.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
