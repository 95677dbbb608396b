//! After a change: did another writer, with a plan from before, rewrite the same files once more?
//! Nobody can prevent that from here (safety contract, point 5), but it is told.

use std::borrow::Cow;

use object_store::{Error as StoreError, ObjectStoreExt};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Context;
use crate::lake::log::key::decode_path;
use crate::lake::log::{commit_name, parse_lines};
use crate::model::double_rewrite::{Damage, Detector, Step, StepKind, Told};
use crate::model::units::count;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    add: Option<FileAction<'a>>,
    #[serde(borrow)]
    remove: Option<FileAction<'a>>,
    #[serde(rename = "commitInfo")]
    info: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct FileAction<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
    stats: Option<String>,
}

/// What the commits after `version` did twice, in sentences. What cannot be read is passed over:
/// the table's history finds it again.
pub async fn double_rewrites(ctx: &Context, version: u64) -> Vec<String> {
    let log = ctx.place.root.clone().join("_delta_log");
    let mut detector = Detector::default();
    let mut next = version + 1;
    loop {
        let path = log.clone().join(commit_name(next));
        let bytes = match ctx.place.store.get(&path).await {
            Ok(found) => found.bytes().await,
            Err(e) => Err(e),
        };
        match bytes {
            Ok(bytes) => push(&mut detector, next, &bytes),
            Err(StoreError::NotFound { .. }) => break,
            Err(_) => break,
        }
        next += 1;
    }
    detector.finish().iter().map(sentence).collect()
}

fn push(detector: &mut Detector, version: u64, bytes: &[u8]) {
    let (lines, _) = parse_lines::<Line<'_>>(bytes, &[]);
    let info = lines.iter().find_map(|line| line.info.as_ref());
    let stated = |name: &str| info.and_then(|i| i.get(name));
    let parameters = stated("operationParameters").and_then(Value::as_object);
    let told = Told::of(version, stated("operation").and_then(Value::as_str), parameters);
    let actions: Vec<(String, StepKind, Option<u64>)> = lines
        .iter()
        .flat_map(|line| {
            let of = |action: &Option<FileAction<'_>>, kind| {
                action.as_ref().map(|a| {
                    let rows = a.stats.as_deref().and_then(super::rewrite::input::records);
                    (decode_path(&a.path).into_owned(), kind, rows)
                })
            };
            [of(&line.add, StepKind::Add), of(&line.remove, StepKind::Remove)]
        })
        .flatten()
        .collect();
    let steps = actions.iter().map(|(path, kind, rows)| Step { path, kind: *kind, rows: *rows });
    detector.push(version, told, steps);
}

fn sentence(found: &crate::model::double_rewrite::DoubleRewrite) -> String {
    let rows = found.rows.map_or("an unknown number of rows".to_owned(), |n| format!("{} rows", count(n)));
    let damage = match found.damage {
        Damage::Doubled => format!("{rows} are in the table twice"),
        Damage::Returned => format!("{rows} that were deleted have come back"),
        Damage::Survived => format!("{rows} that were to be deleted are still there"),
    };
    format!(
        "double-rewrite: version {} removed {} files that version {} had removed already: {damage}. `deltop repair` takes the second one back",
        found.second_version,
        count(found.files),
        found.first_version
    )
}
