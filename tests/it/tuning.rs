//! Findings, marks, forms, plans, tasks on the screen: pictures and what keys do.

use deltop::app::{Effect, Job, JobEvent, Msg};
use deltop::model::change::{Change, Goal, Phase, Scope, TaskProgress};
use deltop::model::{Fault, FaultKind};

use crate::support::screen::{Screen, World, done, sales};

const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 60)];

fn at(world: World, width: u16, height: u16, writes: bool) -> Screen {
    let mut screen = Screen::new(world, width, height);
    screen.app.startup.allow_writes = writes;
    screen
}

/// A table without features that forbid tuning.
fn tunable() -> World {
    let mut world = sales();
    if let Ok(table) = &mut world.table {
        for features in [&mut table.protocol.reader_features, &mut table.protocol.writer_features] {
            features.iter_mut().for_each(|f| f.retain(|f| f != "typeWidening" && f != "identityColumns"));
        }
    }
    world
}

/// Its tasks do not end by themselves.
fn held() -> World {
    World {
        held: |job| matches!(job, Job::Run { .. }).then(|| vec![working(3 << 28, Phase::Rewriting)]),
        ..tunable()
    }
}

fn working(bytes_done: u64, phase: Phase) -> JobEvent {
    JobEvent::Task(TaskProgress {
        phase,
        files_done: 120,
        files_total: Some(400),
        bytes_done,
        bytes_total: Some(3 << 30),
        batches_done: 1,
        batches_total: Some(3),
        rows_done: None,
        note: Some("commit 134 was taken; trying 135".to_owned()),
    })
}

fn pictures(name: &str, world: fn() -> World, keys: &str) {
    for (width, height) in SIZES {
        let picture = at(world(), width, height, true).press(keys).picture();
        insta::assert_snapshot!(format!("{name}_{width}x{height}"), picture);
    }
}

fn picture(name: &str, world: World, keys: &str) {
    insta::assert_snapshot!(name, at(world, 80, 24, true).press(keys).picture());
}

fn planned(screen: &Screen) -> Change {
    let plan = screen.app.table().and_then(|t| t.tune.plan.as_ref());
    plan.map(|p| p.change.clone()).expect("a plan")
}

fn rewrite(screen: &Screen) -> (Goal, Scope) {
    match planned(screen) {
        Change::Rewrite(r) => (r.goal, r.scope),
        other => panic!("{other:?}"),
    }
}

#[test]
fn findings() {
    pictures("finding", sales, "Enter");
    picture("bar_files", sales(), "j j j j j j Enter");
    picture("columns_with_bytes", sales(), "4 P Esc");
}

#[test]
fn footers() {
    pictures("footer", sales, "2 Enter");
    pictures("footer_chunks", sales, "2 Enter j Enter");
    picture("footer_chunk", sales(), "2 Enter Enter j Enter");
    picture("footer_about", sales(), "2 Enter i");
    pictures("survey", sales, "2 P");
    picture("survey_about", sales(), "2 P i");
    pictures("candidates", sales, "3 c");
    picture("histogram_of_a_partition", sales(), "3 j j b j");
    picture("histogram_by_rows", sales(), "2 b b");
}

#[test]
fn what_a_condition_reads() {
    picture("prune_prompt", sales(), "2 w");
    pictures("prune", sales, "2 w a m o u n t > 9 Enter");
    let mut screen = at(sales(), 80, 24, false);
    assert!(screen.press("w w r o n g Enter").text().contains("There is no column wrong"));
    screen.press("Backspace Backspace Backspace Backspace Backspace o k Enter");
    assert!(screen.text().contains("WHERE ok"));
    assert!(screen.text().contains("299 dropped"), "{}", screen.text());
}

#[test]
fn tuning() {
    pictures("tune", tunable, "7");
    picture("tune_refused", sales(), "7");
    pictures("tune_form", tunable, "7 Enter");
    picture("tune_form_scope", tunable(), "3 j Space Space t Down Down Space");
    pictures("tune_plan", tunable, "7 Enter Enter");
    pictures("tune_vacuum", tunable, "V Enter");
    picture("tune_confirm", tunable(), "7 Enter Enter Enter");
    picture("tune_confirm_name", tunable(), "V Enter Enter s a");
    picture("tune_done", tunable(), "7 Enter Enter Enter Enter");
    picture("tune_undo", tunable(), "7 Enter Enter Enter Enter u");
    insta::assert_snapshot!("tune_read_only", at(tunable(), 80, 24, false).press("7 Enter Enter").picture());
}

#[test]
fn tasks() {
    let mut screen = at(held(), 80, 24, true);
    screen.press("7 Enter Enter Enter Enter");
    screen.send(Msg::Now(1_000_000));
    let (id, _) = screen.waiting[0].clone();
    screen.send(Msg::Job(id, working(1 << 30, Phase::Rewriting)));
    screen.send(Msg::Now(1_002_000));
    insta::assert_snapshot!("task_running", screen.picture());
    insta::assert_snapshot!("tasks_drawer", screen.press("1 T").picture());
    for (width, height) in [(40, 12), (120, 40), (200, 60)] {
        screen.size = (width, height);
        insta::assert_snapshot!(format!("tasks_drawer_{width}x{height}"), screen.picture());
    }
    screen.size = (80, 24);
    let fault = Fault::new(FaultKind::Conflict, "conflict", "Another writer changed the same files")
        .because("version 134 removed year=2024/month=1/part-00001.parquet")
        .hint("Plan it again");
    screen.send(Msg::Job(id, JobEvent::Failed(fault)));
    insta::assert_snapshot!("task_failed", screen.press("Esc 7").picture());
}

#[test]
fn a_finding_leads_to_its_plan() {
    let mut screen = at(tunable(), 100, 30, true);
    screen.press("Enter");
    assert!(screen.text().contains("small-files"));
    screen.press("Enter");
    assert_eq!(rewrite(&screen), (Goal::Compact { target: None }, Scope::Table));
    assert!(screen.text().contains("deltop optimize /lake/dbo/sales"));
}

#[test]
fn marks_scope_an_action() {
    let mut screen = at(tunable(), 100, 30, true);
    screen.press("2 Space Space t Enter");
    let (_, scope) = rewrite(&screen);
    assert!(matches!(&scope, Scope::Files(files) if files.len() == 2), "{scope:?}");
    // A partition without a mark is the one that is selected; one of years means all its months.
    screen.press("3 t Enter");
    let (_, scope) = rewrite(&screen);
    let Scope::Partitions(partitions) = scope else { panic!("{scope:?}") };
    assert_eq!(partitions.len(), 12);
    assert_eq!(partitions[0][0], ("year".to_owned(), Some("2024".to_owned())));
    screen.press("2 u");
    assert!(screen.app.table().unwrap().marks.files.is_empty());
}

#[test]
fn read_only_plans_and_does_not_run() {
    let mut screen = at(tunable(), 100, 30, false);
    screen.press("7 Enter Enter");
    assert!(screen.text().contains("--allow-writes"));
    screen.press("Enter");
    assert!(screen.app.layers.is_empty() && screen.app.tasks.list.is_empty());
    assert!(screen.app.note.as_ref().is_some_and(|n| n.text.contains("Read-only")));
}

#[test]
fn what_is_destroyed_must_be_named() {
    let mut screen = at(tunable(), 100, 30, true);
    screen.press("V Enter Enter Enter");
    assert!(screen.app.tasks.list.is_empty(), "Enter alone does nothing");
    screen.press("s a l e s Enter");
    assert_eq!(screen.app.tasks.list.len(), 1);
    screen.press("r V Enter Enter");
    screen.press("s a l e s x Enter");
    assert_eq!(screen.app.tasks.list.len(), 1, "another name is no name");
}

#[test]
fn a_plan_runs_once() {
    let mut screen = at(tunable(), 100, 30, true);
    screen.press("7 Enter Enter Enter Enter");
    assert_eq!(screen.app.tasks.list.len(), 1);
    let text = screen.text();
    assert!(text.contains("v134: 400 → 26 files") && text.contains("rows verified"), "{text}");
    screen.press("Enter");
    assert!(screen.app.layers.is_empty(), "it was run already");
}

#[test]
fn the_table_is_read_again_after_a_change() {
    let mut screen = at(held(), 100, 30, true);
    screen.press("7 Enter Enter Enter Enter");
    let (id, _) = screen.waiting[0].clone();
    let mut newer = tunable().table.unwrap();
    newer.version = 134;
    screen.world.table = Ok(newer);
    screen.send(Msg::Job(id, done(Some(134))));
    assert_eq!(screen.app.table().unwrap().table.value.as_ref().unwrap().version, 134);
    assert!(screen.app.table().unwrap().diagnosis.value.as_ref().is_some_and(|d| d.version == 134));
}

#[test]
fn quitting_asks_while_a_task_runs() {
    let mut screen = at(held(), 100, 30, true);
    screen.press("7 Enter Enter Enter Enter 1 q");
    assert!(screen.text().contains("1 task is at work. Quit?"));
    screen.press("Esc");
    assert!(screen.effects.is_empty() && screen.waiting.len() == 1);
    let (id, _) = screen.waiting[0].clone();
    screen.press("q Enter");
    assert!(screen.waiting.is_empty(), "it was asked to end");
    assert!(screen.effects.is_empty(), "what it staged is taken away first");
    screen.send(Msg::Job(id, JobEvent::Failed(Fault::cancelled())));
    assert_eq!(screen.effects, [Effect::Quit]);
}

#[test]
fn the_second_quit_does_not_wait() {
    let mut screen = at(held(), 100, 30, true);
    screen.press("7 Enter Enter Enter Enter 1 q Enter q");
    assert_eq!(screen.effects, [Effect::Quit]);
}

#[test]
fn a_task_goes_on_while_one_looks_elsewhere() {
    let mut screen = at(held(), 100, 30, true);
    screen.press("7 Enter Enter Enter Enter 2 4 1");
    assert!(screen.text().contains("1 task 25 %"));
    screen.press("Ctrl-c");
    assert_eq!(screen.waiting.len(), 1, "Ctrl-c is for what is in focus");
    screen.press("T Ctrl-c");
    assert!(screen.waiting.is_empty());
    assert!(screen.text().contains("ending"));
}

#[test]
fn a_bar_of_a_partition_lists_its_files() {
    let mut screen = at(sales(), 100, 30, false);
    screen.press("3 b Enter");
    let pane = &screen.app.table().unwrap().files_pane;
    let sum = pane.files().filter(|f| f.path.starts_with("year=2024")).count();
    assert!(sum > 0 && sum == pane.shown.len());
    screen.press("Esc");
    assert_eq!(screen.app.table().unwrap().pane.title(), "Partitions");
}

#[test]
fn n_goes_to_what_the_filter_found() {
    let mut screen = at(sales(), 100, 30, false);
    screen.press("2 / p a r t - 0 0 1 0 0 Enter Esc");
    assert_eq!(screen.app.table().unwrap().files_pane.shown.len(), 412);
    screen.press("n");
    assert!(screen.app.table().unwrap().files_pane.selected().unwrap().path.contains("part-00100"));
    screen.press("n");
    assert!(screen.app.note.as_ref().is_some_and(|n| n.text.contains("No other file")));
}
