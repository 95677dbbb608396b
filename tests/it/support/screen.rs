//! An app over made-up tables: jobs are answered at once, without a runtime, and frames are pictures.

use std::collections::BTreeMap;
use std::sync::Arc;

use deltop::advice::{Facts, Thresholds};
use deltop::app::diagnosis::Diagnosis;
use deltop::app::key::{Key, KeyCode};
use deltop::app::live::News;
use deltop::app::{App, Effect, Job, JobEvent, JobId, Msg, Startup, update};
use deltop::model::actions::CommitActions;
use deltop::model::change::{Change, Done, PlanView, Report, UndoReport};
use deltop::model::commit_view::CommitView;
use deltop::model::diff::{Diff, Side};
use deltop::model::diff_rows::{Compared, RowChanges};
use deltop::model::expiry::Tombstone;
use deltop::model::export::Exported;
use deltop::model::files::{ChunkBuilder, DeletionVector, FileList, NewFile};
use deltop::model::footer::{Bound, Chunk, Footer, Leaf, RowGroup};
use deltop::model::footer_totals::FooterTotals;
use deltop::model::grid::GridColumn;
use deltop::model::histogram::Histogram;
use deltop::model::history::Commit;
use deltop::model::lakehouse::{Entry, EntryKind, Found};
use deltop::model::partition::PartitionDict;
use deltop::model::past::{Looked, Past, Walked};
use deltop::model::plan::vacuum::{
    DeleteReason, FileReport, KeepReason, KeptReport, Mode, NeverReferencedReport, PartitionReport,
    VacuumReport,
};
use deltop::model::plan::{Estimate, PlanReport, Scope, resize};
use deltop::model::progress::Progress;
use deltop::model::prune::{AfterRowGroups, Fate, PruneReport};
use deltop::model::query_plan::{RowGroups, Share};
use deltop::model::schema::parse_schema;
use deltop::model::stats::{StatKind, StatsTable, WantedColumn, wanted_columns};
use deltop::model::table::{AppTxn, AsOf, LogState, Metadata, Protocol, StatedTotals, Table, Tombstones};
use deltop::model::target::size_target;
use deltop::model::{Fault, Outcome};
use deltop::ui::{Colours, FrameInfo, Look, render};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// What the made-up location holds, and which jobs stay without an answer.
#[derive(Clone)]
pub struct World {
    pub found: Outcome<Found>,
    pub table: Outcome<Table>,
    pub files: Outcome<FileList>,
    pub tombstones: Tombstones,
    pub commits: Vec<Commit>,
    pub sql: Vec<JobEvent>,
    /// What running a plan reports.
    pub run: Vec<JobEvent>,
    /// Jobs that report this and do not end.
    pub held: fn(&Job) -> Option<Vec<JobEvent>>,
}

pub const LOOK: Look = Look { colours: Colours::True, ascii: false };

/// 2026-05-27 00:58:12 UTC.
pub const TIME: i64 = 1_779_843_492_000;

/// The app, its world and its terminal.
pub struct Screen {
    pub app: App,
    pub world: World,
    pub look: Look,
    pub size: (u16, u16),
    /// Effects that are not jobs.
    pub effects: Vec<Effect>,
    /// Jobs without an answer.
    pub waiting: Vec<(JobId, Job)>,
}

impl Screen {
    pub fn new(world: World, width: u16, height: u16) -> Self {
        let startup = Startup {
            location: "/lake/dbo/sales".into(),
            as_of: AsOf::Latest,
            allow_writes: false,
            width,
            height,
            mouse: false,
            max_rows: 10_000,
            interval: 0,
        };
        let (app, effects) = App::new(startup);
        let mut screen =
            Screen { app, world, look: LOOK, size: (width, height), effects: vec![], waiting: vec![] };
        screen.carry_out(effects);
        screen.draw();
        screen
    }

    pub fn send(&mut self, msg: Msg) {
        let effects = update(&mut self.app, msg);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Start(id, job) => {
                    let (answers, ends) = match (self.world.held)(&job) {
                        Some(answers) => (answers, false),
                        None => (self.world.answer(&job), true),
                    };
                    if !ends {
                        self.waiting.push((id, job));
                    }
                    answers.into_iter().for_each(|event| self.send(Msg::Job(id, event)));
                }
                Effect::Cancel(id) => self.waiting.retain(|(waiting, _)| *waiting != id),
                other => self.effects.push(other),
            }
        }
    }

    /// Presses keys, with a frame after each: `2`, `Enter`, `Ctrl-d`, …; parted by blanks.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        for name in keys.split_whitespace() {
            self.send(Msg::Key(key(name)));
            self.draw();
        }
        self
    }

    pub fn draw(&mut self) -> (Buffer, FrameInfo) {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let mut buffer = Buffer::empty(area);
        let info = render(&self.app, self.look, area, &mut buffer);
        self.send(Msg::Drawn(info.drawn.clone()));
        (buffer, info)
    }

    /// The screen's text.
    pub fn text(&mut self) -> String {
        text(&self.draw().0)
    }

    /// Text and style map.
    pub fn picture(&mut self) -> String {
        let (buffer, info) = self.draw();
        let cursor = info.cursor.map(|(x, y)| format!("cursor {x},{y}\n")).unwrap_or_default();
        format!("{}\n{cursor}{}", text(&buffer), style_map(&buffer))
    }
}

impl World {
    fn answer(&self, job: &Job) -> Vec<JobEvent> {
        let or_fault =
            |answer: Result<JobEvent, &Fault>| vec![answer.unwrap_or_else(|f| JobEvent::Failed(f.clone()))];
        match job {
            Job::Look { .. } => or_fault(self.found.as_ref().map(|f| JobEvent::Looked(f.clone()))),
            Job::Open { as_of, .. } => or_fault(self.table.as_ref().map(|t| {
                let mut table = t.clone();
                if let AsOf::Version(version) = as_of {
                    table.log.newer_versions = table.version.saturating_sub(*version);
                    table.version = *version;
                }
                JobEvent::Opened(Arc::new(table))
            })),
            Job::Files { .. } => or_fault(self.files.as_ref().map(|list| JobEvent::Files {
                list: list.clone(),
                tombstones: Some(self.tombstones),
                warnings: Vec::new(),
            })),
            Job::Commits { newest, limit, version, .. } => {
                let newest = newest.unwrap_or(*version);
                let page =
                    self.commits.iter().filter(|c| c.version <= newest).take(*limit).cloned().collect();
                vec![JobEvent::Commits(page), JobEvent::CommitsEnd(None)]
            }
            Job::Commit { commit, .. } => vec![JobEvent::Commit(Arc::new(opened_commit(*commit)))],
            Job::Compare { from, to, .. } => or_fault(self.files.as_ref().map(|list| {
                let mut old = self.table.clone().unwrap_or_default();
                old.version = *from;
                old.metadata.configuration.clear();
                let new = Table { version: *to, ..self.table.clone().unwrap_or_default() };
                let few = every_third(list);
                let before = Side { table: &old, files: &few };
                let diff = Diff::between(before, Side { table: &new, files: list }, Some(true));
                let rows = RowChanges::of(&self.commits, *from, *to);
                JobEvent::Compared(Arc::new(Compared { diff, rows }))
            })),
            Job::Walk { version, look_for_files, .. } => {
                vec![JobEvent::Past(Arc::new(self.past(*version, *look_for_files)))]
            }
            Job::Sql { .. } => self.sql.clone(),
            Job::Export(order) => vec![JobEvent::Exported(Box::new(Exported {
                path: order.path.clone(),
                rows: 3,
                bytes: 120,
                millis: 10,
            }))],
            Job::Follow { now: true, version, .. } => vec![match &self.table {
                Ok(table) if table.version > *version => JobEvent::News(Box::new(News {
                    table: Arc::new(table.clone()),
                    files: None,
                    commits: Vec::new(),
                    replaced: false,
                    doubled: Vec::new(),
                })),
                _ => JobEvent::NoNews,
            }],
            Job::Follow { .. } => vec![],
            Job::Compute(work) => vec![work.run(&|| false)],
            Job::Diagnose { .. } => vec![self.diagnosis()],
            Job::Footer { path, .. } => vec![JobEvent::Footer(Arc::new(footer(path)))],
            Job::Survey { .. } => {
                let mut totals = FooterTotals::default();
                totals.add(&footer("a.parquet"));
                totals.add(&footer("b.parquet"));
                vec![JobEvent::Survey(Arc::new(totals.report(None)))]
            }
            Job::Prune { predicate, .. } => vec![pruned(predicate)],
            Job::Plan { change, .. } => {
                or_fault(self.plan(change).as_ref().map(|p| JobEvent::Planned(Arc::new(p.clone()))))
            }
            Job::Run { .. } => self.run.clone(),
        }
    }
}

impl World {
    /// The past of the made-up commits; the files of a few versions are gone.
    fn past(&self, version: u64, looked: bool) -> Past {
        let table = self.table.clone().unwrap_or_default();
        let stone = |added: u64, removed: u64, hours: i64, there: bool| Tombstone {
            added_in: Some(added),
            removed_in: removed,
            deleted_at: Some(TIME - hours * 3_600_000),
            size: Some(40 << 20),
            present: looked.then_some(there),
        };
        let stones = [stone(20, 49, 300, false), stone(50, 74, 240, true), stone(75, 124, 9, true)];
        let walked = Walked {
            metadata: &table.metadata,
            version,
            oldest_by_log: 20,
            commits: &self.commits,
            anchors: &[],
            small: &[],
            target: size_target(&table.metadata, 0),
            tombstones: Ok(&stones),
            older: Tombstones { files: 3, bytes: 1 << 20, without_size: 0 },
            left_out: 0,
            log: Vec::new(),
            last_checkpoint: Some(130),
            looked: looked.then_some(Looked::default()),
            more_files: false,
            missing: Vec::new(),
        };
        Past::of(walked, None, TIME)
    }
}

/// A commit with all sorts of actions.
fn opened_commit(version: u64) -> CommitView {
    let schema = r#"{\"type\":\"struct\",\"fields\":[{\"name\":\"order_id\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}}]}"#;
    let text = format!(
        r#"{{"commitInfo":{{"timestamp":1779836251960,"operation":"WRITE","operationParameters":{{"mode":"Append","partitionBy":"[\"year\"]"}},"operationMetrics":{{"numFiles":"3","numOutputRows":"120000","executionTimeMs":4120}},"engineInfo":"Apache-Spark/3.5.1 Delta-Lake/3.2.0","isBlindAppend":true,"userMetadata":"nightly load 42"}}}}
{{"metaData":{{"id":"1","format":{{"provider":"parquet"}},"schemaString":"{schema}","partitionColumns":[],"configuration":{{"delta.appendOnly":"true"}}}}}}
{{"txn":{{"appId":"stream-7","version":91}}}}
{{"domainMetadata":{{"domain":"delta.clustering","configuration":"{{}}","removed":false}}}}
{{"add":{{"path":"year=2025/month=5/part-00001-9f2c.snappy.parquet","size":3100000,"dataChange":true,"stats":"{{\"numRecords\":40000}}"}}}}
{{"add":{{"path":"year=2025/month=5/part-00002-9f2c.snappy.parquet","size":3100000,"dataChange":true}}}}
{{"remove":{{"path":"year=2025/month=4/part-00007-77aa.snappy.parquet","deletionTimestamp":1,"dataChange":true}}}}
{{"cdc":{{"path":"_change_data/cdc-00000.parquet","size":900,"dataChange":false}}}}
"#
    );
    CommitView::new(version, CommitActions::parse(&text), Ok(None))
}

/// A list that shares each third file with another.
fn every_third(list: &FileList) -> FileList {
    let mut chunk = ChunkBuilder::new(true, 0);
    for file in list.iter().step_by(3) {
        chunk.push(NewFile {
            path: file.path,
            size: file.size,
            modified: file.modified,
            records: file.records,
            partition: file.partition,
            deletion_vector: file.deletion_vector.cloned(),
            tags: None,
        });
    }
    let mut out = FileList::new(list.partitions.clone(), true, false);
    out.push_chunk(Arc::new(chunk.finish()));
    out
}

impl World {
    /// What the rules find in the made-up table, with made-up statistics of its columns.
    fn diagnosis(&self) -> JobEvent {
        let (Ok(table), Ok(list)) = (&self.table, &self.files) else {
            return JobEvent::Failed(Fault::read("x", "no table"));
        };
        let wanted = wanted_columns(&table.metadata);
        let mut stats = StatsTable::new(&wanted);
        for n in 0..list.len() {
            stats.push_json((n % 60 != 9).then(|| statistics(&wanted, n)).as_deref());
        }
        let limits = Thresholds::default();
        let facts =
            Facts::new(table, list, &limits).with_stats(Some(&stats)).with_tombstones(Some(self.tombstones));
        JobEvent::Diagnosis(Arc::new(Diagnosis::of(&facts)))
    }

    /// As the change engine would make it for the made-up table.
    fn plan(&self, change: &Change) -> Outcome<PlanView> {
        let (table, list) = (self.table.clone()?, self.files.clone()?);
        let target = size_target(&table.metadata, 3 << 30);
        let before = Histogram::by_size(&list, target);
        let report = match change {
            Change::Vacuum(_) => Report::Vacuum(vacuum_report()),
            Change::Undo { .. } | Change::Repair => Report::Undo(undo_report()),
            Change::Rewrite(_) => {
                let plan = resize(&list, target, Scope::All);
                let estimate = Estimate {
                    memory_bytes: 640 << 20,
                    disk_bytes: plan.output_bytes(),
                    seconds: Some(41.0),
                };
                let risks = vec!["412 old files stay until a vacuum".to_owned()];
                let command = format!("deltop optimize {}", table.location);
                Report::Rewrite(PlanReport::new(&plan, &table, &list, estimate, risks, command))
            }
        };
        let rewrites = matches!(report, Report::Rewrite(_));
        let mut after = before.clone();
        after.buckets.iter_mut().for_each(|b| b.files = if before.in_band(b) { 13 } else { 0 });
        Ok(PlanView {
            change: change.clone(),
            destructive: matches!(report, Report::Vacuum(_)),
            report,
            before: rewrites.then_some(before),
            after: rewrites.then_some(after),
            empty: false,
        })
    }
}

fn statistics(wanted: &[WantedColumn], n: usize) -> String {
    let value = |column: &WantedColumn, upper: bool| {
        let key = column.path.last().cloned().unwrap_or_default();
        let at = n * 1000 + if upper { 999 } else { 0 };
        let value = match column.kind {
            StatKind::Text => serde_json::json!(format!("{}-{at:06}", if upper { "z" } else { "a" })),
            StatKind::Decimal { .. } => serde_json::json!(at as f64 / 4.0),
            _ => serde_json::json!(at),
        };
        (key, value)
    };
    let side = |upper| {
        let top = wanted.iter().filter(|c| c.path.len() == 1);
        top.map(|c| value(c, upper)).collect::<serde_json::Map<_, _>>()
    };
    let (min, max) = (side(false), side(true));
    let nulls: serde_json::Map<_, _> =
        min.keys().enumerate().map(|(at, k)| (k.clone(), serde_json::json!(at * 3))).collect();
    serde_json::json!({"numRecords": 1000, "minValues": min, "maxValues": max, "nullCount": nulls})
        .to_string()
}

fn vacuum_report() -> VacuumReport {
    VacuumReport {
        operation: "vacuum",
        retention_hours: 168,
        mode: Mode::Lite,
        num_files: 37,
        bytes: 310 << 20,
        partitions: vec![PartitionReport {
            path: "year=2024/month=1".into(),
            num_files: 37,
            bytes: 310 << 20,
        }],
        never_referenced: NeverReferencedReport { num_files: 2, bytes: 4096 },
        oldest_version_before: Some(0),
        oldest_version_after: Some(120),
        files: vec![FileReport {
            path: "year=2024/month=1/part-00001.parquet".into(),
            bytes: Some(9 << 20),
            reason: DeleteReason::Tombstone,
        }],
        kept: vec![KeptReport { reason: KeepReason::InUse, num_files: 412 }],
    }
}

fn undo_report() -> UndoReport {
    UndoReport {
        operation: "undo",
        table: "sales".into(),
        version: 134,
        versions: vec![134],
        num_files_restored: 400,
        bytes_restored: 3 << 30,
        num_files_removed: 26,
        bytes_removed: 3 << 30,
        risks: Vec::new(),
        command: "deltop undo /lake/dbo/sales".into(),
    }
}

/// The end of a change.
pub fn done(new_version: Option<u64>) -> JobEvent {
    JobEvent::Changed(Box::new(Done {
        new_version,
        num_files_added: 26,
        num_files_removed: 400,
        bytes_added: 3 << 30,
        bytes_removed: 3_300_000_000,
        rows_verified: Some(31_000_000),
        seconds: 38.2,
        notes: Vec::new(),
    }))
}

/// Two files of which one is read; a condition with \"wrong\" in it is.
fn pruned(predicate: &str) -> JobEvent {
    if predicate.contains("wrong") {
        let fault =
            Fault::usage("unknown-column", "There is no column wrong").hint("Columns: order_id, amount");
        return JobEvent::Failed(fault);
    }
    let share = |files, bytes| Share { files, bytes };
    let fate = |n: u64, kept: bool, reason: &str| Fate {
        path: format!("year=2024/month=1/part-{n:05}.snappy.parquet"),
        bytes: n << 20,
        kept,
        reason: reason.to_owned(),
        row_groups: kept.then_some(RowGroups { total: 4, kept: 1, kept_bytes: 2 << 20 }),
    };
    JobEvent::Pruned(Arc::new(PruneReport {
        total_files: 412,
        total_bytes: 3 << 30,
        after_partitions: share(300, 2 << 30),
        after_statistics: share(1, 9 << 20),
        after_row_groups: Some(AfterRowGroups {
            files: 1,
            bytes: 2 << 20,
            row_groups: 1,
            total_row_groups: 4,
            num_footers: 1,
            of_files: 1,
        }),
        files: vec![
            fate(9, true, "may match: amount 12 to 999"),
            fate(4, false, "statistics: amount 1 to 8"),
        ],
    }))
}

/// A footer with two row groups of three columns.
fn footer(path: &str) -> Footer {
    let leaf = |path: &str, physical: &str, logical: Option<&str>| {
        let logical_type = logical.map(str::to_owned);
        Arc::new(Leaf { path: path.into(), physical_type: physical.into(), logical_type })
    };
    let leaves = [
        leaf("col-1", "INT64", None),
        leaf("col-2", "BYTE_ARRAY", Some("STRING")),
        leaf("col-4.city", "BYTE_ARRAY", Some("STRING")),
    ];
    let chunk = |n: usize, leaf: &Arc<Leaf>| Chunk {
        leaf: leaf.clone(),
        codec: if n == 1 { "ZSTD" } else { "SNAPPY" },
        encodings: vec!["PLAIN", "RLE_DICTIONARY"],
        compressed_size: 3_000_000 / (n as u64 + 1),
        uncompressed_size: 9_000_000,
        null_count: (n != 2).then_some(n as u64 * 10),
        min: Some(if n == 0 { Bound::Int(1) } else { Bound::Text("a".repeat(40)) }),
        max: (n != 2).then_some(if n == 0 { Bound::Int(99_999) } else { Bound::Text("zebra".into()) }),
        min_exact: Some(n == 0),
        max_exact: Some(true),
        has_page_index: n == 0,
        has_bloom_filter: n == 1,
        has_dictionary: n > 0,
    };
    let group = |rows: u64| RowGroup {
        num_rows: rows,
        total_byte_size: 27_000_000,
        compressed_size: 5_500_000,
        columns: leaves.iter().enumerate().map(|(n, l)| chunk(n, l)).collect(),
    };
    Footer {
        path: path.into(),
        size_in_bytes: 11_000_900,
        num_rows: 1_500_000,
        created_by: Some("parquet-mr version 1.13.1".into()),
        v_order: false,
        key_value_metadata: BTreeMap::from([("org.apache.spark.version".into(), Some("3.5.1".into()))]),
        row_groups: vec![group(1_000_000), group(500_000)],
        schema: leaves.to_vec().into(),
    }
}

/// A key by the name that the screen shows for it.
pub fn key(name: &str) -> Key {
    if let Some(rest) = name.strip_prefix("Ctrl-") {
        return Key { ctrl: true, ..key(rest) };
    }
    if let Some(rest) = name.strip_prefix("Alt-") {
        return Key { alt: true, ..key(rest) };
    }
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Shift-Tab" => KeyCode::BackTab,
        "Backspace" => KeyCode::Backspace,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "PgDn" => KeyCode::PageDown,
        "PgUp" => KeyCode::PageUp,
        "F5" => KeyCode::F(5),
        "F8" => KeyCode::F(8),
        "Space" => KeyCode::Char(' '),
        other => {
            let mut chars = other.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => KeyCode::Char(c),
                _ => panic!("no key {other:?}"),
            }
        }
    };
    Key::new(code)
}

pub fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut line = String::new();
        let mut x = buffer.area.left();
        while x < buffer.area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += (deltop::model::fit::width(symbol) as u16).max(1);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Which cells have which style: a letter a style, runs a row; cells in the terminal's own style
/// are dots, and rows of nothing else are left out.
pub fn style_map(buffer: &Buffer) -> String {
    let mut letters: Vec<Style> = Vec::new();
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut runs: Vec<(char, usize)> = Vec::new();
        for x in buffer.area.left()..buffer.area.right() {
            let style = buffer[(x, y)].style();
            let letter = if describe(style).is_empty() {
                '.'
            } else {
                let known = letters.iter().position(|s| describe(*s) == describe(style));
                let at = known.unwrap_or_else(|| {
                    letters.push(style);
                    letters.len() - 1
                });
                char::from(b'a' + at as u8)
            };
            match runs.last_mut() {
                Some((last, n)) if *last == letter => *n += 1,
                _ => runs.push((letter, 1)),
            }
        }
        if runs.iter().any(|(letter, _)| *letter != '.') {
            let runs: Vec<String> = runs.into_iter().map(|(letter, n)| format!("{letter}{n}")).collect();
            out.push_str(&format!("{y:>2}: {}\n", runs.join(" ")));
        }
    }
    for (at, style) in letters.iter().enumerate() {
        out.push_str(&format!("{} = {}\n", char::from(b'a' + at as u8), describe(*style)));
    }
    out
}

fn describe(style: Style) -> String {
    use ratatui::style::Color::Reset;
    let mut parts = Vec::new();
    if let Some(fg) = style.fg.filter(|c| *c != Reset) {
        parts.push(format!("{fg}"));
    }
    if let Some(bg) = style.bg.filter(|c| *c != Reset) {
        parts.push(format!("on {bg}"));
    }
    if style.add_modifier != Modifier::empty() {
        parts.push(format!("{:?}", style.add_modifier));
    }
    parts.join(" ")
}

/// A partitioned table with many small files, deletion vectors and column mapping.
pub fn sales() -> World {
    let columns = ["year".to_owned(), "month".to_owned()];
    let mut dict = PartitionDict::new(columns.to_vec());
    let mut chunk = ChunkBuilder::new(true, 412);
    for n in 0..412u64 {
        let (year, month) = (2024 + n / 300, n % 300 * 12 / 300 + 1);
        let value = |v: u64| Some(Arc::<str>::from(v.to_string()));
        let month_value = if n == 411 { None } else { value(month) };
        let partition = dict.intern(&[value(year), month_value.clone()]);
        let month = month_value.as_deref().unwrap_or("__HIVE_DEFAULT_PARTITION__").to_owned();
        let path = format!(
            "year={year}/month={month}/part-{n:05}-{:08x}-c000.snappy.parquet",
            n * 2_654_435_761 % (1 << 32)
        );
        let size = if n % 40 == 7 { 96 << 20 } else { 200_000 + n * 97_531 % 9_000_000 };
        let deletion_vector = (n % 50 == 3).then(|| DeletionVector {
            storage_type: "u".into(),
            path_or_inline_dv: "vBn[lx{q8@P<9BNH/isA".into(),
            offset: Some(1),
            size_in_bytes: 36,
            cardinality: n * 7 + 1,
        });
        chunk.push(NewFile {
            path: &path,
            size,
            modified: TIME - 60_000 * (412 - n as i64),
            records: (n != 5).then_some(size / 100),
            partition,
            deletion_vector,
            tags: None,
        });
    }
    let mut list = FileList::new(Arc::new(dict), true, false);
    list.push_chunk(Arc::new(chunk.finish()));
    World {
        found: Ok(Found::Table),
        table: Ok(sales_table()),
        files: Ok(list),
        tombstones: Tombstones { files: 37, bytes: 310 << 20, without_size: 2 },
        commits: commits(),
        sql: query_result(),
        run: vec![done(Some(134))],
        held: |_| None,
    }
}

fn sales_table() -> Table {
    let schema = r#"{"type":"struct","fields":[
        {"name":"order_id","type":"long","nullable":false,"metadata":{"delta.columnMapping.physicalName":"col-1","delta.columnMapping.id":1,"delta.identity.start":1}},
        {"name":"客户","type":"string","nullable":true,"metadata":{"delta.columnMapping.physicalName":"col-2","delta.columnMapping.id":2}},
        {"name":"amount","type":"decimal(18,2)","nullable":true,"metadata":{"delta.columnMapping.physicalName":"col-3","delta.columnMapping.id":3,"delta.invariants":"{}"}},
        {"name":"address","type":{"type":"struct","fields":[{"name":"city","type":"string","nullable":true,"metadata":{}},{"name":"tags","type":{"type":"array","elementType":"string","containsNull":true},"nullable":true,"metadata":{}}]},"nullable":true,"metadata":{"delta.columnMapping.physicalName":"col-4","delta.columnMapping.id":4}},
        {"name":"year","type":"integer","nullable":true,"metadata":{"delta.columnMapping.physicalName":"col-5","delta.columnMapping.id":5,"delta.generationExpression":"year(day)"}},
        {"name":"month","type":"integer","nullable":true,"metadata":{"delta.columnMapping.physicalName":"col-6","delta.columnMapping.id":6}}]}"#;
    let properties = [("delta.columnMapping.mode", "name"), ("delta.enableDeletionVectors", "true")];
    let names = |n: &[&str]| Some(n.iter().map(|s| (*s).to_owned()).collect());
    Table {
        location: "/lake/dbo/sales".into(),
        name: "sales".into(),
        version: 133,
        modified: Some(TIME),
        protocol: Protocol {
            min_reader: 3,
            min_writer: 7,
            reader_features: names(&["columnMapping", "deletionVectors", "typeWidening"]),
            writer_features: names(&["columnMapping", "deletionVectors", "identityColumns", "typeWidening"]),
        },
        metadata: Metadata {
            id: "0b6e0f3c-7a4e-4dd5-9a53-2b2b0d5f2f11".into(),
            name: None,
            description: Some("Orders of the web shop, one row an order.".into()),
            provider: "parquet".into(),
            schema: parse_schema(schema).unwrap(),
            schema_problem: None,
            partition_columns: vec!["year".into(), "month".into()],
            configuration: properties.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
            created: Some(TIME - 86_400_000 * 30),
        },
        txns: vec![AppTxn { app_id: "stream-7".into(), version: 91, last_updated: None }],
        domains: Vec::new(),
        log: LogState {
            commits: 134,
            first_commit: Some(0),
            last_checkpoint: Some(130),
            replay_from: Some(130),
            bytes: 12_900_000,
            newer_versions: 0,
        },
        stated: None,
        warnings: vec!["Checkpoint 130 lacks one of its parts; the state comes from checkpoint 120 and the commits after it.".into()],
    }
}

fn commits() -> Vec<Commit> {
    let json = |v: serde_json::Value| v.as_object().cloned();
    let commit = |version: u64| {
        let optimize = version % 25 == 24;
        Commit {
            version,
            timestamp: Some(TIME - (133 - version as i64) * 3_600_000),
            stated_timestamp: Some(TIME - (133 - version as i64) * 3_600_000 - 40),
            operation: (version != 77).then(|| if optimize { "OPTIMIZE" } else { "WRITE" }.to_owned()),
            operation_parameters: json(
                serde_json::json!({"mode": "Append", "partitionBy": "[\"year\",\"month\"]"}),
            ),
            operation_metrics: json(serde_json::json!({"numFiles": "3", "numOutputRows": "120000"})),
            engine_info: Some("Apache-Spark/3.5.1 Delta-Lake/3.2.0".into()),
            is_blind_append: Some(!optimize),
            data_change: Some(!optimize),
            added_files: if optimize { 1 } else { 3 },
            removed_files: if optimize { 12 } else { 0 },
            added_bytes: 9_300_000,
            removed_bytes: if optimize { 9_900_000 } else { 0 },
            added_records: (version != 77).then_some(120_000),
            metadata_changed: version == 131,
            readable: version >= 20,
            problem: (version == 77).then(|| "no commitInfo".to_owned()),
            incomplete: version == 77,
            ..Commit::default()
        }
    };
    (0..=133).rev().map(commit).collect()
}

fn query_result() -> Vec<JobEvent> {
    let column = |name: &str, data_type: &str, numeric| GridColumn {
        name: name.into(),
        data_type: data_type.into(),
        numeric,
    };
    let columns = vec![
        column("order_id", "bigint", true),
        column("客户", "string", false),
        column("amount", "decimal(18,2)", true),
        column("address", "struct<city:string,tags:array<string>>", false),
    ];
    let text = |s: &str| Some(s.to_owned());
    let row = |n: u64| {
        let name = match n % 4 {
            0 => None,
            1 => text(""),
            2 => text("NULL"),
            _ => text("王小明"),
        };
        vec![text(&n.to_string()), name, text(&format!("{}.50", n * 37)), text("{city: Łódź, tags: [a, b]}")]
    };
    vec![
        JobEvent::SqlColumns(columns),
        JobEvent::SqlRows((1..=100).map(row).collect()),
        JobEvent::SqlEnd { rows: 100, truncated: false, millis: 42 },
    ]
}

/// What EXPLAIN gives.
pub fn explain() -> Vec<JobEvent> {
    let column = |name: &str| GridColumn { name: name.into(), data_type: "string".into(), numeric: false };
    let row = |kind: &str, plan: &str| vec![Some(kind.to_owned()), Some(plan.to_owned())];
    vec![
        JobEvent::SqlColumns(vec![column("plan_type"), column("plan")]),
        JobEvent::SqlRows(vec![
            row("logical_plan", "Projection: t.order_id\n  TableScan: t projection=[order_id]"),
            row(
                "physical_plan",
                "ProjectionExec: expr=[order_id@0 as order_id]\n  DataSourceExec: file_groups={2 groups: [[year=2024/month=1/part-00000.parquet:0..9000000], [year=2024/month=2/part-00031.parquet]]}, projection=[order_id]",
            ),
        ]),
        JobEvent::SqlEnd { rows: 2, truncated: false, millis: 3 },
    ]
}

/// A folder with tables and something else.
pub fn lakehouse() -> World {
    let entry = |name: &str, kind| Entry { name: name.into(), location: format!("/lake/{name}"), kind };
    let entries = vec![
        entry("landing", EntryKind::Unidentified { holds: "12 parquet files".into() }),
        entry("dbo/sales", EntryKind::Table { version: Some(133) }),
        entry("dbo/product", EntryKind::Table { version: Some(0) }),
        entry(
            "dbo/a table with a very long name that goes on and on until nothing else has room",
            EntryKind::Table { version: None },
        ),
    ];
    World { found: Ok(Found::Folder(entries)), ..sales() }
}

/// A table all of whose texts try to steer the terminal.
pub fn hostile() -> World {
    const EVIL: &str = "\x1b[2J\x1b]52;c;aGk=\x07\r\n\tx\u{9b}31m\u{202e}evil\u{0}\u{200b}";
    let evil = || EVIL.to_owned();
    let mut dict = PartitionDict::new(vec![evil()]);
    let partition = dict.intern(&[Some(EVIL.into())]);
    let mut chunk = ChunkBuilder::new(true, 1);
    let tags = Some(vec![(evil(), Some(evil()))]);
    chunk.push(NewFile { path: EVIL, size: 1, partition, tags, ..NewFile::default() });
    let mut list = FileList::new(Arc::new(dict), true, true);
    list.push_chunk(Arc::new(chunk.finish()));
    let mut world = sales();
    let mut table = sales_table();
    (table.name, table.location) = (evil(), evil());
    table.warnings = vec![evil()];
    table.metadata.description = Some(evil());
    table.metadata.schema_problem = None;
    table.metadata.partition_columns = vec![evil()];
    table.metadata.configuration = BTreeMap::from([(evil(), evil())]);
    for field in &mut table.metadata.schema {
        field.name = evil();
    }
    table.protocol.writer_features = Some(vec![evil()]);
    table.txns[0].app_id = evil();
    for commit in &mut world.commits {
        (commit.operation, commit.engine_info, commit.problem) = (Some(evil()), Some(evil()), Some(evil()));
        commit.user_metadata = Some(evil());
        commit.operation_parameters = serde_json::json!({EVIL: EVIL}).as_object().cloned();
    }
    let column = GridColumn { name: evil(), data_type: evil(), numeric: false };
    world.sql = vec![
        JobEvent::SqlColumns(vec![column]),
        JobEvent::SqlRows(vec![vec![Some(evil())]]),
        JobEvent::SqlEnd { rows: 1, truncated: false, millis: 1 },
    ];
    (world.table, world.files) = (Ok(table), Ok(list));
    world
}

/// The sales table while its files are being read: half of them are here.
pub fn half_read() -> World {
    let mut world = sales();
    if let Ok(table) = &mut world.table {
        table.stated = Some(StatedTotals { files: 412, bytes: Some(3_338_144_372) });
    }
    world.held = |job| match job {
        Job::Files { .. } => Some(vec![
            JobEvent::PartialFiles(sales().files.unwrap()),
            JobEvent::Progress(Progress::new("reading checkpoint 130", 206, Some(412), "files")),
        ]),
        _ => None,
    };
    world
}
