//! Delta logs without data files, of any size and always the same for a seed.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields, Schema};
use arrow::json::ReaderBuilder;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

/// Where the files of the last version but the tail's are written.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// One parquet file, one row group.
    Classic,
    /// In so many parts.
    Multi(usize),
    /// With so many sidecars.
    V2(usize),
    /// No checkpoint: so many commits.
    Commits(usize),
}

/// What to generate.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub files: usize,
    pub shape: Shape,
    pub seed: u64,
    /// Commits after the checkpoint: two files added, one removed.
    pub tail: usize,
    /// `stats_parsed` beside the JSON statistics.
    pub struct_stats: bool,
}

/// The version of checkpoints.
const VERSION: u64 = 1000;
const DAYS: u64 = 365;
const COUNTRIES: [&str; 20] = [
    "AR", "AT", "AU", "BE", "BR", "CA", "CH", "CL", "CN", "DE", "DK", "ES", "FI", "FR", "GB", "IN", "IT",
    "JP", "MX", "US",
];

impl Plan {
    pub fn name(&self) -> String {
        let shape = match self.shape {
            Shape::Classic => "classic".into(),
            Shape::Multi(n) => format!("{n} parts"),
            Shape::V2(n) => format!("V2 {n} sidecars"),
            Shape::Commits(n) => return format!("{} in {n} commits", self.files),
        };
        let stats = if self.struct_stats { " struct stats" } else { "" };
        let tail = if self.tail == 20 { String::new() } else { format!(" + {} commits", self.tail) };
        let seed = if self.seed == 1 { String::new() } else { format!(" seed {}", self.seed) };
        format!("{} {shape}{stats}{tail}{seed}", self.files)
    }
}

/// Writes the log; an interrupted one leaves nothing that would be taken for whole.
pub fn write(plan: &Plan, to: &Path) {
    let unfinished = to.with_extension("unfinished");
    let log = unfinished.join("_delta_log");
    let _ = fs::remove_dir_all(&unfinished);
    fs::create_dir_all(log.join("_sidecars")).expect("a folder");
    let mut random = Random(plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let head = [PROTOCOL.to_owned(), metadata()];
    let adds =
        |random: &mut Random, n: usize| (0..n).map(|_| add(random, plan.struct_stats)).collect::<Vec<_>>();
    match plan.shape {
        Shape::Classic => {
            let mut actions = head.to_vec();
            actions.extend(adds(&mut random, plan.files));
            parquet(&log.join(format!("{VERSION:020}.checkpoint.parquet")), &actions, plan);
        }
        Shape::Multi(parts) => {
            for part in 0..parts {
                let mut actions = if part == 0 { head.to_vec() } else { Vec::new() };
                actions.extend(adds(&mut random, share(plan.files, parts, part)));
                let name = format!("{VERSION:020}.checkpoint.{:010}.{parts:010}.parquet", part + 1);
                parquet(&log.join(name), &actions, plan);
            }
        }
        Shape::V2(sidecars) => {
            let mut main = vec![format!(r#"{{"checkpointMetadata":{{"version":{VERSION}}}}}"#)];
            main.extend(head.map(|a| if a == PROTOCOL { V2_PROTOCOL.to_owned() } else { a }));
            for at in 0..sidecars {
                let name = format!("{}.parquet", random.uuid());
                let path = log.join("_sidecars").join(&name);
                parquet(&path, &adds(&mut random, share(plan.files, sidecars, at)), plan);
                let size = fs::metadata(&path).expect("a sidecar").len();
                main.push(format!(
                    r#"{{"sidecar":{{"path":"{name}","sizeInBytes":{size},"modificationTime":1}}}}"#
                ));
            }
            fs::write(log.join(format!("{VERSION:020}.checkpoint.{}.json", random.uuid())), main.join("\n"))
                .expect("a checkpoint");
        }
        Shape::Commits(commits) => {
            for version in 0..commits {
                let mut actions = if version == 0 { head.to_vec() } else { Vec::new() };
                actions.extend(adds(&mut random, share(plan.files, commits, version)));
                commit(&log, version as u64, &actions);
            }
        }
    }
    if !matches!(plan.shape, Shape::Commits(_)) {
        commit(&log, VERSION, &[]);
        tail(&log, plan.tail, &mut random);
    }
    fs::rename(&unfinished, to).expect("the log in its place");
}

/// Each commit removes a file of the one before it.
fn tail(log: &Path, commits: usize, random: &mut Random) {
    let mut before: Option<String> = None;
    for version in (VERSION + 1..).take(commits) {
        let mut actions: Vec<String> = (0..2).map(|_| add(random, false)).collect();
        if let Some(path) = before.take() {
            actions.push(format!(
                r#"{{"remove":{{"path":"{path}","deletionTimestamp":1,"dataChange":true,"size":1}}}}"#
            ));
        }
        let start = actions[0].find("\"path\":\"").map_or(0, |at| at + 8);
        before = actions[0][start..].split('"').next().map(str::to_owned);
        commit(log, version, &actions);
    }
}

fn share(all: usize, of: usize, at: usize) -> usize {
    all / of + usize::from(at < all % of)
}

fn commit(log: &Path, version: u64, actions: &[String]) {
    let info = r#"{"commitInfo":{"timestamp":1700000000000,"operation":"WRITE"}}"#;
    let mut text = format!("{info}\n");
    actions.iter().for_each(|action| _ = writeln!(text, "{action}"));
    fs::write(log.join(format!("{version:020}.json")), text).expect("a commit");
}

const PROTOCOL: &str = r#"{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}"#;
const V2_PROTOCOL: &str = r#"{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["v2Checkpoint"],"writerFeatures":["v2Checkpoint"]}}"#;

fn metadata() -> String {
    let field = |name: &str, kind: &str| {
        format!(r#"{{\"name\":\"{name}\",\"type\":\"{kind}\",\"nullable\":true,\"metadata\":{{}}}}"#)
    };
    let fields =
        [field("id", "long"), field("amount", "double"), field("date", "date"), field("country", "string")];
    format!(
        r#"{{"metaData":{{"id":"5fba94ed-9794-4965-ba6e-6ee3c0d22af9","format":{{"provider":"parquet","options":{{}}}},"schemaString":"{{\"type\":\"struct\",\"fields\":[{}]}}","partitionColumns":["date","country"],"configuration":{{}},"createdTime":1700000000000}}}}"#,
        fields.join(",")
    )
}

fn add(random: &mut Random, struct_stats: bool) -> String {
    let day = random.below(DAYS);
    let date = chrono::DateTime::from_timestamp(1_672_531_200 + day as i64 * 86_400, 0).expect("a day");
    let (date, country) = (date.format("%Y-%m-%d"), COUNTRIES[random.below(20) as usize]);
    let (number, id) = (random.below(100_000), random.uuid());
    let (size, time) = (1_000_000 + random.below(139_000_000), 1_700_000_000_000 + random.below(1 << 30));
    let (records, low) = (size / 43, random.below(1 << 40));
    let high = low + random.below(1 << 30);
    let parsed =
        if struct_stats { format!(r#","stats_parsed":{{"numRecords":{records}}}"#) } else { String::new() };
    format!(
        r#"{{"add":{{"path":"date={date}/country={country}/part-{number:05}-{id}.c000.snappy.parquet","partitionValues":{{"date":"{date}","country":"{country}"}},"size":{size},"modificationTime":{time},"dataChange":true,"stats":"{{\"numRecords\":{records},\"minValues\":{{\"id\":{low}}},\"maxValues\":{{\"id\":{high}}},\"nullCount\":{{\"id\":0}}}}"{parsed}}}}}"#
    )
}

/// The actions as a parquet file with one row group.
fn parquet(path: &Path, actions: &[String], plan: &Plan) {
    const BATCH: usize = 20_000;
    let schema = Arc::new(schema(plan.struct_stats));
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let file = fs::File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).expect("a writer");
    for batch in actions.chunks(BATCH) {
        let mut decoder =
            ReaderBuilder::new(schema.clone()).with_batch_size(BATCH).build_decoder().expect("a decoder");
        for action in batch {
            decoder.decode(action.as_bytes()).expect("an action");
        }
        if let Some(rows) = decoder.flush().expect("rows") {
            writer.write(&rows).expect("a written batch");
        }
    }
    writer.close().expect("a footer");
}

/// The checkpoint schema (Delta protocol), as far as these logs need it.
fn schema(struct_stats: bool) -> Schema {
    use DataType::{Boolean, Int32, Int64, Utf8};
    let leaf = |name: &str, kind: DataType| Field::new(name, kind, true);
    let group = |name: &str, fields: Vec<Field>| Field::new(name, DataType::Struct(fields.into()), true);
    let map = |name: &str| {
        let entries = Fields::from(vec![Field::new("key", Utf8, false), leaf("value", Utf8)]);
        let entries = Field::new("key_value", DataType::Struct(entries), false);
        Field::new(name, DataType::Map(Arc::new(entries), false), true)
    };
    let list = |name: &str| Field::new(name, DataType::List(Arc::new(leaf("element", Utf8))), true);
    let vector = vec![
        leaf("storageType", Utf8),
        leaf("pathOrInlineDv", Utf8),
        leaf("offset", Int32),
        leaf("sizeInBytes", Int32),
        leaf("cardinality", Int64),
    ];
    let mut add = vec![
        leaf("path", Utf8),
        map("partitionValues"),
        leaf("size", Int64),
        leaf("modificationTime", Int64),
        leaf("dataChange", Boolean),
        leaf("stats", Utf8),
        map("tags"),
        group("deletionVector", vector),
    ];
    if struct_stats {
        add.push(group("stats_parsed", vec![leaf("numRecords", Int64)]));
    }
    Schema::new(vec![
        group("txn", vec![leaf("appId", Utf8), leaf("version", Int64)]),
        group("add", add),
        group(
            "remove",
            vec![
                leaf("path", Utf8),
                leaf("deletionTimestamp", Int64),
                leaf("dataChange", Boolean),
                leaf("size", Int64),
            ],
        ),
        group(
            "metaData",
            vec![
                leaf("id", Utf8),
                group("format", vec![leaf("provider", Utf8), map("options")]),
                leaf("schemaString", Utf8),
                list("partitionColumns"),
                map("configuration"),
                leaf("createdTime", Int64),
            ],
        ),
        group("protocol", vec![leaf("minReaderVersion", Int32), leaf("minWriterVersion", Int32)]),
    ])
}

/// Xorshift: good enough for names and sizes.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn uuid(&mut self) -> String {
        let (a, b) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
            a >> 32,
            a >> 16 & 0xffff,
            a & 0xfff,
            b >> 52,
            b & 0xffff_ffff_ffff
        )
    }
}
