//! Generated logs: the reader must find what a naive replay finds, and say so when it cannot.

use std::collections::BTreeMap;

use deltop::lake::log::{Files, OpenTable, Want};
use deltop::lake::watch::Watch;
use deltop::model::Outcome;
use deltop::model::table::AsOf;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::log::{Kind, LogBuilder, metadata, protocol};
use crate::support::runtime;

/// What a commit does; numbers are taken modulo what there is to choose from.
#[derive(Debug, Clone)]
pub enum Op {
    Add { style: u8, partition: u8, size: u32 },
    Remove(u16),
    ReAdd(u16),
    SetVector(u16, u8),
    Txn(u8, i64),
    Domain(u8, bool),
    Configure(u8),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Damage {
    None,
    Truncated,
    /// One file, not the main one if there are others, is gone.
    Missing,
    Garbage,
}

#[derive(Debug, Clone)]
pub struct Plan {
    commits: Vec<Vec<Op>>,
    checkpoints: Vec<(u16, Kind, Damage)>,
    /// Commits up to the newest sound checkpoint are deleted.
    cleaned: bool,
    compacted: Option<(u16, u16)>,
    hint: Option<String>,
    as_of: u16,
    want: (bool, bool, bool),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        5 => (0u8..5, 0u8..6, any::<u32>())
            .prop_map(|(style, partition, size)| Op::Add { style, partition, size }),
        3 => any::<u16>().prop_map(Op::Remove),
        2 => any::<u16>().prop_map(Op::ReAdd),
        2 => (any::<u16>(), 0u8..4).prop_map(|(i, n)| Op::SetVector(i, n)),
        1 => (0u8..3, 0i64..100).prop_map(|(app, version)| Op::Txn(app, version)),
        1 => (0u8..3, any::<bool>()).prop_map(|(d, removed)| Op::Domain(d, removed)),
        1 => (0u8..4).prop_map(Op::Configure),
    ]
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Classic),
        (1usize..4).prop_map(Kind::Multi),
        (0usize..3).prop_map(Kind::V2Json),
        (0usize..3).prop_map(Kind::V2Parquet),
    ]
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        3 => Just(Damage::None),
        1 => Just(Damage::Truncated),
        1 => Just(Damage::Missing),
        1 => Just(Damage::Garbage),
    ]
}

pub fn plan() -> impl Strategy<Value = Plan> {
    let hint = prop_oneof![
        Just(None),
        Just(Some("not json".to_owned())),
        (0u64..15).prop_map(|v| Some(format!("{{\"version\":{v},\"size\":3}}"))),
    ];
    (
        prop::collection::vec(prop::collection::vec(op(), 0..6), 1..12),
        prop::collection::vec((any::<u16>(), kind(), damage()), 0..4),
        any::<bool>(),
        prop::option::of((any::<u16>(), any::<u16>())),
        hint,
        any::<u16>(),
        any::<(bool, bool, bool)>(),
    )
        .prop_map(|(commits, checkpoints, cleaned, compacted, hint, as_of, want)| Plan {
            commits,
            checkpoints,
            cleaned,
            compacted,
            hint,
            as_of,
            want,
        })
}

/// The plan without damage and without what the kernel reads by the letter: files that go by
/// several names, statistics that are no figures.
pub fn sound(mut plan: Plan) -> Plan {
    plan.checkpoints.iter_mut().for_each(|(_, _, damage)| *damage = Damage::None);
    plan.hint = None;
    for op in plan.commits.iter_mut().flatten() {
        if let Op::Add { style, size, .. } = op {
            *style %= 2;
            *size = (*size).max(4) / 4 * 4 + 2;
        }
    }
    plan
}

/// Canonical path and deletion vector.
pub type Key = (String, Option<String>);

/// Naive replay: one action after the other.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub adds: BTreeMap<Key, Value>,
    pub removes: BTreeMap<Key, Value>,
    /// By a name that the same thing has in each version.
    other: BTreeMap<String, Value>,
}

impl State {
    pub fn apply(&mut self, action: &Value) {
        if let Some(add) = action.get("add") {
            self.removes.remove(&key(add));
            self.adds.insert(key(add), action.clone());
        } else if let Some(remove) = action.get("remove") {
            self.adds.remove(&key(remove));
            self.removes.insert(key(remove), action.clone());
        } else if let Some(txn) = action.get("txn") {
            self.other.insert(format!("txn {}", txn["appId"]), action.clone());
        } else if let Some(domain) = action.get("domainMetadata") {
            self.other.insert(format!("domain {}", domain["domain"]), action.clone());
        } else if action.get("protocol").is_some() {
            self.other.insert("protocol".into(), action.clone());
        } else if action.get("metaData").is_some() {
            self.other.insert("metaData".into(), action.clone());
        }
    }

    fn actions(&self) -> Vec<Value> {
        self.other.values().chain(self.adds.values()).chain(self.removes.values()).cloned().collect()
    }
}

fn key(file: &Value) -> Key {
    let path = decoded(file["path"].as_str().unwrap());
    let canonical = path.strip_prefix("file:///").map(|p| format!("/{p}"));
    let canonical = canonical.or_else(|| path.strip_prefix("file:/").map(|p| format!("/{p}")));
    (canonical.unwrap_or(path), vector_id(&file["deletionVector"]))
}

fn decoded(path: &str) -> String {
    path.replace("%20", " ").replace("%25", "%")
}

fn vector_id(vector: &Value) -> Option<String> {
    let text = |name: &str| vector[name].as_str();
    let offset = vector["offset"].as_i64().map_or(String::new(), |o| format!("@{o}"));
    Some(format!("{}{}{offset}", text("storageType")?, text("pathOrInlineDv")?))
}

/// The log of a plan: the actions of each commit.
fn commits(plan: &Plan) -> Vec<Vec<Value>> {
    let mut state = State::default();
    let mut ever: Vec<Value> = Vec::new();
    let mut count = 0;
    let mut out = Vec::new();
    for (version, ops) in plan.commits.iter().enumerate() {
        let mut actions = vec![json!({"commitInfo": {"timestamp": version, "operation": "WRITE"}})];
        if version == 0 {
            actions.extend([protocol(), metadata(&[])]);
        }
        // A commit names no file twice (protocol, "Action Reconciliation").
        let mut named: Vec<String> = Vec::new();
        for op in ops {
            let pick = |i: u16, state: &State| {
                let list: Vec<Value> = state.adds.values().map(|a| a["add"].clone()).collect();
                (!list.is_empty()).then(|| list[i as usize % list.len()].clone())
            };
            let path_of = |file: &Value| key(file).0;
            let new: Vec<Value> = match op {
                Op::Add { style, partition, size } => {
                    count += 1;
                    let add = add(count, *style, *partition, *size);
                    ever.push(add.clone());
                    vec![json!({ "add": add })]
                }
                Op::Remove(i) => pick(*i, &state)
                    .filter(|f| !named.contains(&path_of(f)))
                    .map(|f| remove(&f, *i))
                    .into_iter()
                    .collect(),
                Op::ReAdd(i) if !ever.is_empty() => {
                    let file = ever[*i as usize % ever.len()].clone();
                    let path = path_of(&file);
                    // One path is active with one vector at a time.
                    let with_vector = state.adds.keys().any(|(p, v)| *p == path && v.is_some());
                    if named.contains(&path) || with_vector { vec![] } else { vec![json!({ "add": file })] }
                }
                Op::ReAdd(_) => vec![],
                Op::SetVector(i, n) => match pick(*i, &state).filter(|f| !named.contains(&path_of(f))) {
                    Some(mut file) => {
                        let removed = remove(&file, 0);
                        file["deletionVector"] = vector(*n);
                        if json!({ "add": file }).pointer("/add/deletionVector")
                            == removed.pointer("/remove/deletionVector")
                        {
                            vec![]
                        } else {
                            vec![removed, json!({ "add": file })]
                        }
                    }
                    None => vec![],
                },
                Op::Txn(app, version) => {
                    vec![json!({"txn": {"appId": format!("app{app}"), "version": version, "lastUpdated": 5}})]
                }
                Op::Domain(domain, removed) => {
                    vec![
                        json!({"domainMetadata": {"domain": format!("d{domain}"), "configuration": "{}", "removed": removed}}),
                    ]
                }
                Op::Configure(n) => vec![metadata(&[("delta.appendOnly", "false"), ("x", &n.to_string())])],
            };
            for action in new {
                let file = action.get("add").or(action.get("remove"));
                named.extend(file.map(path_of));
                state.apply(&action);
                actions.push(action);
            }
        }
        out.push(actions);
    }
    out
}

fn add(n: usize, style: u8, partition: u8, size: u32) -> Value {
    let path = match style {
        0 => format!("part-{n}.parquet"),
        1 => format!("p=a%20b/part-{n}.parquet"),
        2 => format!("file:///other/part-{n}.parquet"),
        3 => format!("100%25/{n}.parquet"),
        _ => format!("s3://bucket/x/part-{n}.parquet"),
    };
    let value = [json!("a"), json!("b c"), json!(null), json!(""), json!("ü/%"), json!("a")]
        [partition as usize % 6]
        .clone();
    let partition_values = if partition == 5 { json!({}) } else { json!({ "p": value }) };
    let stats = match size % 4 {
        0 => json!(null),
        1 => json!("{\"minValues\":{},\"numRecords\":-1}"),
        _ => json!(format!("{{\"numRecords\":{size},\"minValues\":{{\"id\":1}}}}")),
    };
    let tags = if n.is_multiple_of(3) { json!({"k": format!("v{}", n % 2)}) } else { json!(null) };
    json!({"path": path, "partitionValues": partition_values, "size": size, "modificationTime": n, "dataChange": true, "stats": stats, "tags": tags})
}

/// As files elsewhere are removed by other names of theirs too.
fn remove(file: &Value, i: u16) -> Value {
    let path = file["path"].as_str().unwrap();
    let path = match path.strip_prefix("file:///") {
        Some(rest) if i.is_multiple_of(3) => format!("file:/{rest}"),
        Some(rest) if i % 3 == 1 => format!("/{rest}"),
        _ => path.to_owned(),
    };
    let mut remove = json!({"path": path, "deletionTimestamp": 9, "dataChange": true, "size": file["size"]});
    if !file["deletionVector"].is_null() {
        remove["deletionVector"] = file["deletionVector"].clone();
    }
    json!({ "remove": remove })
}

fn vector(n: u8) -> Value {
    let storage = if n == 3 { "i" } else { "u" };
    let mut vector = json!({"storageType": storage, "pathOrInlineDv": format!("ab^-aqEH.-t@S}}K{{vb[*k^{}", n / 2), "sizeInBytes": 36, "cardinality": n});
    if n != 3 {
        vector["offset"] = json!(n);
    }
    vector
}

/// Writes the log. Returns the actions of each commit and the versions of sound checkpoints.
pub fn write(plan: &Plan, log: &LogBuilder) -> (Vec<Vec<Value>>, Vec<u64>) {
    let commits = commits(plan);
    let mut states = Vec::new();
    let mut state = State::default();
    for (version, actions) in commits.iter().enumerate() {
        log.commit(version as u64, actions);
        actions.iter().for_each(|a| state.apply(a));
        states.push(state.clone());
    }
    let last = commits.len() as u64 - 1;
    let mut sound = Vec::new();
    let mut kinds: BTreeMap<(u64, String), (Kind, Damage)> = BTreeMap::new();
    for (at, kind, damage) in &plan.checkpoints {
        // Two of one kind for a version would overwrite each other in part.
        let family = format!("{kind:?}").chars().take(3).collect();
        kinds.insert((u64::from(*at) % (last + 1), family), (*kind, *damage));
    }
    for ((version, _), (kind, damage)) in kinds {
        let names = log.checkpoint(version, kind, &states[version as usize].actions());
        let victim = names.last().unwrap();
        match damage {
            Damage::None => sound.push(version),
            Damage::Truncated => log.truncate(victim),
            Damage::Missing => log.delete(victim),
            Damage::Garbage => log.put(victim, "nonsense"),
        }
    }
    if let Some((a, b)) = plan.compacted {
        let (from, to) = (u64::from(a.min(b)) % (last + 1), u64::from(a.max(b)) % (last + 1));
        if from < to {
            let mut state = State::default();
            commits[from as usize..=to as usize].iter().flatten().for_each(|a| state.apply(a));
            log.compacted(from, to, &state.actions());
        }
    }
    if let Some(hint) = &plan.hint {
        log.put("_last_checkpoint", hint.as_bytes());
    }
    if let (true, Some(newest)) = (plan.cleaned, sound.iter().max()) {
        (0..=*newest).for_each(|v| log.delete(&format!("{v:020}.json")));
    }
    (commits, sound)
}

async fn read(log: &LogBuilder, as_of: AsOf, want: Want) -> Outcome<(OpenTable, Files)> {
    let watch = Watch::default();
    let table = OpenTable::open(&log.place(), as_of, &watch).await?;
    let files = table.files(want, &watch).await?;
    Ok((table, files))
}

pub fn expected_files(state: &State, want: Want) -> Vec<Value> {
    let mut out: Vec<Value> = state
        .adds
        .values()
        .map(|action| {
            let add = &action["add"];
            let records = add["stats"]
                .as_str()
                .and_then(|s| serde_json::from_str::<Value>(s).ok())
                .and_then(|s| s["numRecords"].as_u64());
            let partition = add["partitionValues"]["p"].as_str().filter(|p| !p.is_empty());
            json!([
                decoded(add["path"].as_str().unwrap()),
                add["size"],
                add["modificationTime"],
                partition,
                vector_id(&add["deletionVector"]),
                records.filter(|_| want.records),
                add["tags"]["k"].as_str().filter(|_| want.tags),
            ])
        })
        .collect();
    out.sort_by_key(Value::to_string);
    out
}

pub fn found_files(files: &Files) -> Vec<Value> {
    let mut out: Vec<Value> = files
        .list
        .iter()
        .map(|f| {
            let partition = files.list.partitions.values(f.partition)[0].as_deref();
            let tag = f.tags.and_then(|t| t[0].1.as_deref());
            json!([
                f.path,
                f.size,
                f.modified,
                partition,
                f.deletion_vector.map(|v| v.unique_id()),
                f.records,
                tag
            ])
        })
        .collect();
    out.sort_by_key(Value::to_string);
    out
}

fn check(plan: &Plan) -> Result<(), TestCaseError> {
    let log = LogBuilder::new();
    let (commits, sound) = write(plan, &log);
    let last = commits.len() as u64 - 1;
    let (records, tags, tombstones) = plan.want;
    let want = Want { records, tags, tombstones };
    for (as_of, version) in [
        (AsOf::Latest, last),
        (AsOf::Version(u64::from(plan.as_of) % (last + 1)), u64::from(plan.as_of) % (last + 1)),
    ] {
        let outcome = runtime().block_on(read(&log, as_of, want));
        let cleaned_to = if plan.cleaned { sound.iter().max() } else { None };
        let reachable = cleaned_to.is_none_or(|c| version >= *c)
            || sound.contains(&version)
            || sound.iter().any(|c| *c <= version && bridged(&log, *c, version))
            || bridged_from_zero(&log, version);
        if !reachable {
            let fault = outcome.err();
            prop_assert!(fault.as_ref().is_some_and(|f| f.exit_status() == 3), "{fault:?}");
            continue;
        }
        let (table, files) =
            outcome.map_err(|f| TestCaseError::fail(format!("{}: {f} at {version}", f.code)))?;
        let mut state = State::default();
        commits[..=version as usize].iter().flatten().for_each(|a| state.apply(a));
        prop_assert_eq!(table.table.version, version);
        prop_assert_eq!(found_files(&files), expected_files(&state, want));
        prop_assert_eq!(files.tombstones.map(|t| t.files), tombstones.then_some(state.removes.len() as u64));
        let bytes: u64 = state.removes.values().map(|r| r["remove"]["size"].as_u64().unwrap()).sum();
        prop_assert_eq!(files.tombstones.map(|t| t.bytes), tombstones.then_some(bytes));
        small_state(&table, &state)?;
    }
    Ok(())
}

/// Whether a compacted file leads from a checkpoint over deleted commits. Only whole ones are written.
fn bridged(log: &LogBuilder, from: u64, version: u64) -> bool {
    let names = names(log);
    let mut at = from;
    while at < version {
        let next = at + 1;
        let bridge = names
            .iter()
            .filter_map(|n| n.strip_suffix(".json")?.split_once('.'))
            .filter_map(|(a, b)| Some((a.parse::<u64>().ok()?, b.parse::<u64>().ok()?)))
            .filter(|(a, b)| *a <= next && (next..=version).contains(b))
            .max_by_key(|(_, b)| *b);
        if names.contains(&format!("{next:020}.json")) {
            at = next;
        } else if let Some((_, to)) = bridge {
            at = to;
        } else {
            return false;
        }
    }
    true
}

fn bridged_from_zero(log: &LogBuilder, version: u64) -> bool {
    let names = names(log);
    names.contains(&format!("{0:020}.{version:020}.json", 0)) || {
        let starts = names.iter().filter_map(|n| n.strip_suffix(".json")?.split_once('.'));
        let zero = starts.filter(|(a, _)| a.parse() == Ok(0u64)).filter_map(|(_, b)| b.parse::<u64>().ok());
        zero.into_iter().any(|to| to <= version && bridged(log, to, version))
    }
}

pub fn names(log: &LogBuilder) -> Vec<String> {
    use object_store::ObjectStore;
    let folder = object_store::path::Path::from("t/_delta_log");
    let found = runtime().block_on(log.store.list_with_delimiter(Some(&folder))).unwrap();
    found.objects.iter().filter_map(|o| o.location.filename().map(str::to_owned)).collect()
}

pub fn small_state(table: &OpenTable, state: &State) -> Result<(), TestCaseError> {
    let table = &table.table;
    let txns: Vec<Value> = table.txns.iter().map(|t| json!([t.app_id, t.version])).collect();
    let wanted: Vec<Value> = state
        .other
        .values()
        .filter_map(|a| a.get("txn"))
        .map(|t| json!([t["appId"], t["version"]]))
        .collect();
    prop_assert_eq!(txns, wanted);
    let domains: Vec<Value> = table.domains.iter().map(|d| json!(d.domain)).collect();
    let in_force = |d: &&Value| d["removed"] == json!(false);
    let wanted: Vec<Value> = state
        .other
        .values()
        .filter_map(|a| a.get("domainMetadata"))
        .filter(in_force)
        .map(|d| d["domain"].clone())
        .collect();
    prop_assert_eq!(domains, wanted);
    prop_assert_eq!(
        json!(table.metadata.configuration),
        state.other["metaData"]["metaData"]["configuration"].clone()
    );
    prop_assert_eq!(table.protocol.min_writer, 7);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_reader_finds_what_naive_replay_finds(plan in plan()) {
        check(&plan)?;
    }
}
