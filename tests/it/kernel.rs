//! The kernel's replay as a second voice: where it opens a table, it must see the same files.

use std::collections::BTreeSet;

use deltalake::DeltaTableBuilder;
use deltalake::kernel::Snapshot;
use deltop::lake::log::{OpenTable, Want};
use deltop::lake::place::Place;
use deltop::lake::watch::Watch;
use deltop::model::table::AsOf;
use futures::TryStreamExt;
use proptest::prelude::*;
use serde_json::json;

use crate::replay;
use crate::support::log::LogBuilder;
use crate::support::runtime;
use crate::tables::library;

/// Path, size, deletion vector's id, records.
type File = (String, i64, Option<String>, Option<u64>);

async fn kernel(place: &Place, version: u64) -> Result<BTreeSet<File>, String> {
    let builder = DeltaTableBuilder::from_url(place.url.clone()).map_err(|e| e.to_string())?;
    let builder = builder.with_storage_backend(place.store.clone(), place.url.clone());
    let store = builder.build_storage().map_err(|e| e.to_string())?;
    let snapshot = Snapshot::try_new(store.as_ref(), Some(version)).await.map_err(|e| e.to_string())?;
    let mut files = snapshot.file_views(store.as_ref(), None);
    let mut out = BTreeSet::new();
    while let Some(file) = files.try_next().await.map_err(|e| e.to_string())? {
        let vector = file.deletion_vector_descriptor().map(|v| json!(v)).map(|v| {
            let text = |name: &str| v[name].as_str().unwrap_or_default().to_owned();
            let offset = v["offset"].as_i64().map_or(String::new(), |o| format!("@{o}"));
            format!("{}{}{offset}", text("storageType"), text("pathOrInlineDv"))
        });
        let records = file.num_records().map(|n| n as u64);
        out.insert((file.path().into_owned(), file.size(), vector, records));
    }
    Ok(out)
}

async fn ours(place: &Place, version: u64) -> Result<BTreeSet<File>, String> {
    let watch = Watch::default();
    let want = Want { records: true, ..Want::default() };
    let table = OpenTable::open(place, AsOf::Version(version), &watch).await.map_err(|f| f.to_string())?;
    let files = table.files(want, &watch).await.map_err(|f| f.to_string())?;
    let file = |f: deltop::model::files::FileRef<'_>| {
        (f.path.to_owned(), f.size as i64, f.deletion_vector.map(|v| v.unique_id()), f.records)
    };
    Ok(files.list.iter().map(file).collect())
}

#[test]
fn the_kernel_sees_the_same_files_in_the_library() {
    let Some((dir, tables)) = library() else { return };
    let mut compared = 0;
    let mut problems = Vec::new();
    for (name, expected) in tables.iter().filter(|(_, e)| e["open"] == "ok") {
        let place = Place::parse(&dir.join(name).display().to_string(), &Vec::new()).unwrap();
        let version = expected["version"].as_u64().unwrap();
        let Ok(theirs) = runtime().block_on(kernel(&place, version)) else { continue };
        compared += 1;
        let mut ours = runtime().block_on(ours(&place, version)).unwrap();
        // It does not read statistics that a checkpoint holds as columns only.
        let unknown =
            |(path, size, vector, _): &File| theirs.contains(&(path.clone(), *size, vector.clone(), None));
        let (blind, seen): (BTreeSet<_>, BTreeSet<_>) = ours.into_iter().partition(unknown);
        ours =
            blind.into_iter().map(|(path, size, vector, _)| (path, size, vector, None)).chain(seen).collect();
        if ours != theirs {
            let differ: Vec<_> = ours.symmetric_difference(&theirs).take(4).collect();
            problems.push(format!("{name}: {differ:?}"));
        }
    }
    println!("{compared} tables compared");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(compared >= 150, "the kernel opened only {compared} tables");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_kernel_sees_the_same_files_in_generated_logs(plan in replay::plan()) {
        let plan = replay::sound(plan);
        let log = LogBuilder::new();
        let (commits, _) = replay::write(&plan, &log);
        let version = commits.len() as u64 - 1;
        let theirs = runtime().block_on(kernel(&log.place(), version));
        let ours = runtime().block_on(ours(&log.place(), version));
        prop_assert_eq!(theirs, ours);
    }
}
