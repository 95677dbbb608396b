//! Panes as pictures at four sizes; and what must hold for any keys, messages and sizes.

use std::sync::Arc;

use deltop::app::command::{Command, Context};
use deltop::app::frame::Hit;
use deltop::app::key::{Key, KeyCode, Mouse, MouseKind};
use deltop::app::msg::JobId;
use deltop::app::{Effect, Job, JobEvent, Msg};
use deltop::model::Fault;
use deltop::model::files::{ChunkBuilder, FileList, NewFile};
use deltop::model::lakehouse::Found;
use deltop::model::partition::PartitionDict;
use deltop::model::progress::Progress;
use deltop::ui::{Colours, Look};
use proptest::prelude::*;

use crate::support::screen::{Screen, World, explain, half_read, hostile, key, lakehouse, sales};

const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 60)];

/// A picture at each of the sizes, after these keys.
fn pictures(name: &str, world: fn() -> World, keys: &str) {
    for (width, height) in SIZES {
        let picture = Screen::new(world(), width, height).press(keys).picture();
        insta::assert_snapshot!(format!("{name}_{width}x{height}"), picture);
    }
}

/// A picture at 80×24, after these keys.
fn picture(name: &str, world: World, keys: &str) {
    insta::assert_snapshot!(name, Screen::new(world, 80, 24).press(keys).picture());
}

#[test]
fn overview() {
    pictures("overview", sales, "1");
    picture("overview_by_rows", sales(), "b");
    picture("overview_while_reading", half_read(), "");
}

#[test]
fn files() {
    pictures("files", sales, "2 o o");
    picture("files_detail", sales(), "2 o o j j i");
    picture("files_filter", sales(), "2 / m o n t h = 1 Space < 1 m b");
    picture("files_of_a_partition", sales(), "3 G Enter");
}

#[test]
fn partitions() {
    pictures("partitions", sales, "3 o o j j");
}

#[test]
fn columns() {
    pictures("columns", sales, "4 j j j l");
    picture("columns_detail", sales(), "4 Enter");
}

#[test]
fn history() {
    pictures("history", sales, "5 j");
    pictures("history_commit", sales, "5 Enter");
    pictures("history_diff", sales, "5 Space j j Space d");
    pictures("history_trends", sales, "5 t");
    picture("history_trends_by_day", sales(), "5 t x x");
    picture("history_days", sales(), "5 D");
    pictures("history_retention", sales, "5 R");
    picture("history_retention_listed", sales(), "5 R f");
    picture("history_marked", sales(), "5 Space j j j Space");
    picture("history_travel", sales(), "5 j j v 1");
}

#[test]
fn sql() {
    pictures("sql", sales, "6 F5 Esc l j");
    picture("sql_editor", sales(), "6");
    picture("sql_row", sales(), "6 F5 Esc j Enter");
    picture("sql_plan", World { sql: explain(), ..sales() }, "6 F5 Esc");
    let fault = Fault::usage("invalid-sql", "The statement is not valid SQL")
        .because("Expected: end of statement, found: FORM at Line: 1, Column: 10")
        .hint("did you mean FROM?");
    picture("sql_error", World { sql: vec![JobEvent::Failed(fault)], ..sales() }, "6 F5");
}

#[test]
fn home() {
    pictures("home", lakehouse, "j");
    picture("home_table", lakehouse(), "j Enter");
    picture("home_unidentified", lakehouse(), "G Enter");
    picture("home_filtered", lakehouse(), "/ S A L");
    assert!(Screen::new(lakehouse(), 80, 24).press("/ s a l Enter Enter").text().contains("dbo / sales"));
    assert!(Screen::new(lakehouse(), 80, 24).press("/ s a l Esc").text().contains("landing"));
}

#[test]
fn layers() {
    picture("help", sales(), "2 ?");
    picture("palette", sales(), "2 : s o r");
}

#[test]
fn trouble() {
    let fault = Fault::read("damaged-log", "Cannot read the table's log")
        .because("version 134 is truncated: its last line is not JSON")
        .hint("open an older version: deltop /lake/dbo/sales --as-of 133");
    picture("fault_of_table", World { table: Err(fault.clone()), ..sales() }, "");
    picture("fault_of_files", World { files: Err(fault.clone()), ..sales() }, "2");
    picture("fault_of_files_overview", World { files: Err(fault.clone()), ..sales() }, "1");
    picture("fault_of_location", World { found: Err(fault), ..sales() }, "");
    let parquet = Found::ParquetFolder { files: 12, bytes: 1 << 30 };
    picture("parquet_folder", World { found: Ok(parquet), ..sales() }, "");
}

#[test]
fn ascii_and_colours() {
    let looks = [
        ("ascii", Look { colours: Colours::True, ascii: true }),
        ("no_colour", Look { colours: Colours::None, ascii: false }),
        ("dumb", Look { colours: Colours::None, ascii: true }),
        ("sixteen", Look { colours: Colours::Sixteen, ascii: false }),
        ("indexed", Look { colours: Colours::Indexed, ascii: false }),
    ];
    for (name, look) in looks {
        let mut screen = Screen::new(sales(), 80, 24);
        screen.look = look;
        insta::assert_snapshot!(format!("overview_{name}"), screen.picture());
        if look.ascii {
            for keys in ["2", "3", "4", "5", "6 F5 Esc", "?", "Esc :"] {
                let text = screen.press(keys).text();
                assert!(text.is_ascii(), "after {keys}: {text}");
            }
        }
    }
}

#[test]
fn too_small_says_so() {
    for (width, height) in [(29, 24), (80, 7), (12, 3), (1, 1), (0, 0)] {
        let text = Screen::new(sales(), width, height).text();
        let said = "terminal too small (30×8 needed)";
        let seen: String = text.split_whitespace().collect();
        let wanted: String = said.split_whitespace().collect();
        let seen = seen.trim_end_matches('…');
        assert!(wanted.starts_with(seen) || seen.starts_with(&wanted), "{width}x{height}: {text}");
    }
    assert!(Screen::new(sales(), 30, 8).text().contains("412 files"));
}

/// Each pane, each layer: nothing from a table may steer the terminal.
#[test]
fn hostile_texts_are_drawn_harmlessly() {
    for keys in [
        "1",
        "2",
        "2 Enter",
        "2 Enter i",
        "2 i",
        "2 Space",
        "2 P",
        "1 Enter",
        "3 c",
        "7",
        "7 Enter Enter",
        "2 /",
        "3",
        "3 y",
        "4",
        "4 Enter",
        "5",
        "5 Enter",
        "5 d",
        "5 t",
        "5 D",
        "5 R",
        "6 F5",
        "6 F5 Esc Enter",
        "2 y",
        ":",
        "?",
    ] {
        let (buffer, _) = Screen::new(hostile(), 120, 40).press(keys).draw();
        for cell in &buffer.content {
            let bad =
                |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}'..='\u{200f}');
            assert!(!cell.symbol().chars().any(bad), "after {keys}: {:?}", cell.symbol());
        }
    }
}

#[test]
fn help_and_palette_list_every_command_of_the_place() {
    let mut screen = Screen::new(sales(), 100, 200);
    for (keys, pane) in
        [("1", Context::Overview), ("2", Context::Files), ("3", Context::Partitions), ("5", Context::History)]
    {
        let help = screen.press(keys).press("?").text();
        let contexts = [pane, Context::List, Context::Table, Context::Global, Context::Always];
        for command in contexts.into_iter().flat_map(Command::of) {
            assert!(help.contains(command.doc), "{} not in the help", command.id);
        }
        screen.press("Esc");
    }
}

#[test]
fn answers_to_jobs_that_nobody_awaits_are_dropped() {
    let mut world = sales();
    world.held = |job| matches!(job, Job::Sql { .. }).then(Vec::new);
    let mut screen = Screen::new(world, 80, 24);
    screen.press("6 F5");
    let (first, _) = screen.waiting[0].clone();
    // The second one waits until the first is cancelled.
    screen.press("F5 Ctrl-c");
    assert_eq!(screen.waiting.len(), 1, "the first query was cancelled");
    assert_ne!(screen.waiting[0].0, first);
    let before = screen.text();
    for id in [first, JobId(0), JobId(u64::MAX)] {
        screen.send(Msg::Job(id, JobEvent::Failed(Fault::read("x", "stale"))));
        screen.send(Msg::Job(id, JobEvent::SqlRows(vec![vec![None]])));
        screen.send(Msg::Job(id, JobEvent::Looked(Found::Table)));
    }
    assert_eq!(screen.text(), before);
}

#[test]
fn leaving_a_table_ends_its_jobs_and_keeps_the_query() {
    let mut world = lakehouse();
    world.held = |job| matches!(job, Job::Files { .. } | Job::Sql { .. }).then(Vec::new);
    let mut screen = Screen::new(world, 80, 24);
    screen.press("j Enter 6 x F5 Esc");
    assert_eq!(screen.waiting.len(), 2, "files and query");
    screen.press("Esc");
    assert!(screen.waiting.is_empty(), "{:?}", screen.waiting);
    assert!(screen.press("Enter 6").text().contains("LIMIT 100x"));
}

#[test]
fn ctrl_c_cancels_what_is_in_focus_and_esc_never_quits() {
    let mut world = half_read();
    world.sql = Vec::new();
    let mut screen = Screen::new(world, 80, 24);
    screen.press("Esc Esc Esc");
    assert!(screen.effects.is_empty());
    let text = screen.press("2 Ctrl-c").text();
    assert!(screen.waiting.is_empty());
    assert!(text.contains("partial, stopped; r reads again"), "{text}");
    assert!(screen.press("Ctrl-c").text().contains("Nothing is running"));
    screen.press("q");
    assert_eq!(screen.effects, [Effect::Quit]);
}

#[test]
fn a_list_that_grows_keeps_selection_and_scroll() {
    let mut screen = Screen::new(half_read(), 80, 24);
    screen.press("2 j j j PgDn");
    let before = screen.text();
    let (id, _) = screen.waiting[0].clone();
    let list = sales().files.unwrap();
    screen.send(Msg::Job(id, JobEvent::Files { list, tombstones: None, warnings: vec![] }));
    let after = screen.text();
    let rows = |text: &str| text.lines().skip(5).take(17).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&before), rows(&after));
}

#[test]
fn the_mouse_does_what_the_last_frame_showed() {
    let mut screen = Screen::new(sales(), 80, 24);
    let click = |screen: &mut Screen, wanted: &dyn Fn(&Hit) -> bool| {
        let (_, info) = screen.draw();
        let (area, _) = info.drawn.hits.iter().find(|(_, hit)| wanted(hit)).expect("a hit area");
        let mouse = Mouse { kind: MouseKind::Click, column: area.x, row: area.y };
        screen.send(Msg::Mouse(mouse));
    };
    click(&mut screen, &|hit| matches!(hit, Hit::Pane(p) if p.title() == "Files"));
    click(&mut screen, &|hit| *hit == Hit::SortBy(1));
    assert!(screen.text().contains("by size ↓"));
    click(&mut screen, &|hit| *hit == Hit::Row(4));
    click(&mut screen, &|hit| *hit == Hit::Row(4));
    assert!(screen.text().contains("─ Parquet footer ─"));
    screen.press("Esc 3");
    click(&mut screen, &|hit| *hit == Hit::SortBy(2));
    assert!(screen.text().contains("bytes ↓"));
}

/// Work over all files is handed out, and a growing list is gone over anew only when it has doubled.
#[test]
fn long_lists_are_worked_on_elsewhere() {
    let mut world = sales();
    world.held = |job| matches!(job, Job::Files { .. } | Job::Compute(_)).then(Vec::new);
    let mut screen = Screen::new(world, 80, 24);
    let (files, _) = screen.waiting[0].clone();
    let mut computed = 0;
    for n in 1..=64 {
        screen.send(Msg::Job(files, JobEvent::PartialFiles(many_files(n))));
        let job = screen.waiting.iter().find(|(_, job)| matches!(job, Job::Compute(_))).cloned();
        if let Some((id, Job::Compute(work))) = job {
            screen.waiting.retain(|(waiting, _)| *waiting != id);
            screen.send(Msg::Job(id, work.run(&|| false)));
            computed += 1;
        }
    }
    assert_eq!(computed, 6, "with 2, 4, 8, … chunks of files; the first is short enough");
    let list = many_files(64);
    screen.waiting.retain(|(id, _)| *id != files);
    screen.send(Msg::Job(files, JobEvent::Files { list, tombstones: None, warnings: vec![] }));
    screen.press("2 o");
    assert!(screen.text().contains("sorting …"));
    assert_eq!(screen.waiting.len(), 2, "the sum and the order");
    screen.press("o o");
    assert_eq!(screen.waiting.len(), 2, "orders that nobody wants any more are cancelled");
    for (id, job) in std::mem::take(&mut screen.waiting) {
        let Job::Compute(work) = job else { panic!("{job:?}") };
        screen.send(Msg::Job(id, work.run(&|| false)));
    }
    let text = screen.text();
    assert!(text.contains("by rows ↓") && !text.contains("sorting"), "{text}");
}

/// So many times fifteen thousand files.
fn many_files(chunks: usize) -> FileList {
    let chunk = Arc::new({
        let mut chunk = ChunkBuilder::new(true, 15_000);
        for n in 0..15_000 {
            chunk.push(NewFile { path: "a", size: n, records: Some(n), ..NewFile::default() });
        }
        chunk.finish()
    });
    let mut list = FileList::new(Arc::new(PartitionDict::new(Vec::new())), true, false);
    (0..chunks).for_each(|_| list.push_chunk(chunk.clone()));
    list
}

#[test]
fn history_opens_and_compares_and_leads_back() {
    let mut screen = Screen::new(sales(), 100, 30);
    assert!(screen.press("5 j Enter").text().contains("v132  WRITE"));
    assert!(screen.press("n").text().contains("v131  WRITE"));
    assert!(screen.press("N").text().contains("v132  WRITE"));
    assert!(screen.press("Esc").text().contains("134 commits"));
    // Without marks: this version and the one before; with two marks: these.
    assert!(screen.press("d").text().contains("v131 → v132"));
    assert!(screen.press("x").text().contains("v132 → v131"));
    assert!(screen.press("Esc g Space j j Space d").text().contains("v130 → v133"));
    // A third mark takes the place of the first.
    assert!(screen.press("Esc j j Space").text().contains("● v130, v127"));
    assert!(screen.press("u t").text().contains("Batch appends"));
    assert!(screen.press("R").text().contains("next vacuum"));
    let text = screen.press("Esc G v").text();
    assert!(text.contains("The log no longer holds what this version needs"), "{text}");
}

#[test]
fn versions_without_data_files_are_refused_once_one_has_looked() {
    let mut screen = Screen::new(sales(), 100, 30);
    screen.press("5 R f Esc g");
    // The made-up files are gone that versions 20 to 48 need.
    let at_30 = "j ".repeat(133 - 30);
    let text = screen.press(&at_30).press("v").text();
    assert!(text.contains("▲ files gone") && text.contains("Data files of this version are gone"), "{text}");
}

#[test]
fn gaps_in_the_log_have_a_row_of_their_own() {
    let mut world = sales();
    world.commits.retain(|c| !(120..=125).contains(&c.version) && c.version > 60);
    let mut screen = Screen::new(world, 100, 30);
    let text = screen.press("5").text();
    assert!(text.contains("▲ v120 to v125   6 versions missing in the log"), "{text}");
    assert!(screen.press("G").text().contains("v0 to v60   61 versions cleaned up"));
}

#[test]
fn times_switch_between_the_local_zone_and_utc() {
    use deltop::app::zones::Zones;
    use deltop::model::calendar::Zone;
    let mut screen = Screen::new(sales(), 100, 30);
    screen.app.zones = Zones::new(Zone::minutes_east(120).unwrap());
    let text = screen.press("5").text();
    assert!(text.contains("2026-05-27 02:58") && text.contains("times in UTC+02:00"), "{text}");
    assert!(screen.press("z").text().contains("2026-05-27 00:58"));
}

#[test]
fn history_loads_as_one_scrolls() {
    let mut screen = Screen::new(sales(), 80, 24);
    assert!(screen.press("5").text().contains("v133 down to v34"));
    assert!(screen.press("G").text().contains("v133 down to v0"));
    assert!(screen.press("G").text().contains("       0  2026-05-21"));
}

/// From the partitions to a partition's files and back; a filter that was typed there goes first.
#[test]
fn esc_leads_back_to_the_partitions() {
    let mut screen = Screen::new(sales(), 80, 24);
    assert!(screen.press("3 G Enter / p a r t Enter").text().contains("in year="));
    assert!(screen.press("Esc").text().contains("in year="));
    let text = screen.press("Esc").text();
    assert!(text.contains("partitions by year, month"), "{text}");
    assert!(screen.press("2").text().contains("412 files"));
}

#[test]
fn narrow_lists_keep_what_tells_rows_apart() {
    let mut screen = Screen::new(sales(), 80, 24);
    let text = screen.press("2").text();
    assert!(text.contains("−22") && text.contains("=2024/m"), "{text}");
    screen.size = (62, 24);
    let text = screen.text();
    assert!(text.contains("  2024/1 "), "{text}");
    let mut list = Screen::new(lakehouse(), 80, 24);
    assert!(list.press("/ s a l Enter").text().contains("1 of 4"));
}

#[test]
fn the_footer_offers_only_what_can_be_done() {
    let mut world = sales();
    let mut dict = PartitionDict::new(Vec::new());
    dict.intern(&[]);
    world.files = Ok(FileList::new(Arc::new(dict), true, false));
    let mut screen = Screen::new(world, 120, 24);
    let footer = |text: String| text.trim_end().lines().last().unwrap_or_default().to_owned();
    assert!(!footer(screen.press("3").text()).contains("sort"));
    assert!(!footer(screen.press("4").text()).contains("unfold"));
    assert!(footer(screen.press("j j j").text()).contains("unfold"), "address is nested");
}

#[test]
fn a_result_is_marked_when_another_version_is_shown() {
    let mut screen = Screen::new(sales(), 80, 24);
    assert!(screen.press("6 F5 Esc").text().contains("100 rows · v133"));
    let text = screen.press("5 j v 6").text();
    assert!(text.contains("v133") && text.contains("▲ stale: not of v132"), "{text}");
    assert!(screen.press("$").text().contains("column 4 of 4"));
    assert!(screen.press("0").text().contains("column 1 of 4"));
}

fn any_key() -> impl Strategy<Value = Key> {
    let named = prop::sample::select(vec![
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::Insert,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::F(5),
        KeyCode::F(1),
    ]);
    let code = prop_oneof![
        2 => named,
        4 => prop::sample::select("123456hjklgGoOyfbvriem:/?+*LnN xé日".chars().collect::<Vec<_>>()).prop_map(KeyCode::Char),
        1 => any::<char>().prop_map(KeyCode::Char),
    ];
    let modifier = prop_oneof![8 => Just((false, false)), 1 => Just((true, false)), 1 => Just((false, true))];
    (code, modifier, prop::bool::weighted(0.1)).prop_map(|(code, (ctrl, alt), shift)| Key {
        code,
        ctrl,
        alt,
        shift,
    })
}

#[derive(Debug, Clone)]
enum Step {
    Key(Key),
    Msg(Msg),
    /// An event for the job that was started last, whatever it is.
    Event(JobEvent),
    Draw(u16, u16),
}

fn any_step() -> impl Strategy<Value = Step> {
    let click = (any::<u16>(), any::<u16>(), 0..3u8).prop_map(|(column, row, kind)| {
        let kind = [MouseKind::Click, MouseKind::WheelDown, MouseKind::WheelUp][usize::from(kind)];
        Msg::Mouse(Mouse { kind, column: column % 200, row: row % 60 })
    });
    let event = prop::sample::select(vec![
        JobEvent::Failed(Fault::read("x", "no").because("that").hint("this")),
        JobEvent::Progress(Progress::new("p", 5, Some(3), "files")),
        JobEvent::Progress(Progress::new("p", 5, Some(0), "bytes")),
        JobEvent::Commits(Vec::new()),
        JobEvent::CommitsEnd(None),
        JobEvent::SqlRows(vec![vec![None, None, Some("é".into())], vec![]]),
        JobEvent::SqlColumns(vec![]),
        JobEvent::SqlEnd { rows: 0, truncated: true, millis: u64::MAX },
        JobEvent::Looked(Found::Folder(vec![])),
        JobEvent::Looked(Found::Other { holds: "x".into() }),
        JobEvent::PartialFiles(Default::default()),
    ]);
    let msg = prop_oneof![
        click,
        ".{0,9}".prop_map(Msg::Paste),
        any::<i64>().prop_map(Msg::Now),
        (any::<u16>(), any::<u16>()).prop_map(|(width, height)| Msg::Resize { width, height }),
    ];
    prop_oneof![
        12 => any_key().prop_map(Step::Key),
        2 => msg.prop_map(Step::Msg),
        1 => event.prop_map(Step::Event),
        3 => (0..=200u16, 0..=60u16).prop_map(|(w, h)| Step::Draw(w, h)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics(world in 0..5usize, ascii: bool, steps in prop::collection::vec(any_step(), 1..60)) {
        let worlds = [sales, half_read, lakehouse, hostile, || World { sql: explain(), ..sales() }];
        let mut screen = Screen::new(worlds[world](), 80, 24);
        screen.look.ascii = ascii;
        let mut last = JobId(1);
        for step in steps {
            match step {
                Step::Key(key) => screen.send(Msg::Key(key)),
                Step::Msg(msg) => screen.send(msg),
                Step::Event(event) => screen.send(Msg::Job(last, event)),
                Step::Draw(width, height) => {
                    screen.size = (width, height);
                    screen.draw();
                }
            }
            last = screen.waiting.last().map_or(JobId(last.0 + 1), |(id, _)| *id);
        }
        screen.draw();
    }

    #[test]
    fn every_size_is_drawn(width in 0..=200u16, height in 0..=60u16, keys in prop::sample::select(vec!["1", "2", "2 /", "3", "4", "5", "6 F5", "6 F5 Esc", "?", ":", "5 Enter", "5 j v +"])) {
        let mut screen = Screen::new(sales(), 80, 24);
        keys.split(' ').for_each(|k| screen.send(Msg::Key(key(k))));
        screen.size = (width, height);
        screen.draw();
        screen.draw();
    }
}
