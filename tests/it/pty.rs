//! The real binary in a real terminal.
#![cfg(unix)]

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::support::lake::Lake;
use crate::support::terminal::{Terminal, deltop};

const SIZE: (u16, u16) = (100, 30);

fn on_sales(lake: &Lake) -> Terminal {
    let mut terminal = deltop([lake.table("sales")], &lake.home(), SIZE);
    terminal.sees("Overview").sees("600");
    terminal
}

#[test]
fn visits_every_pane_runs_a_query_and_quits() {
    let lake = Lake::new();
    let mut t = on_sales(&lake);
    assert!(t.screen().alternate_screen() && t.screen().hide_cursor());
    t.keys("2").sees("compacted.parquet").sees("region=south");
    t.keys("3").sees("north").sees("south");
    t.keys("4").sees("amount").sees("double");
    t.keys("5").sees("OPTIMIZE");
    t.keys("6i").wait("the editor has a cursor", |screen| !screen.hide_cursor());
    t.keys("<C-l>select count(*) as n, sum(amount) as s from t<F5>").sees("29700");
    t.keys("<Esc>").sees_no("editing").keys("?").sees("Keys: ").keys("<Esc>").sees_no("Keys: ");
    t.keys("q");
    assert_eq!(t.ends().exit_code(), 0);
    t.assert_restored();
}

#[test]
fn writes_nothing_while_idle() {
    let lake = Lake::new();
    let mut t = on_sales(&lake);
    t.keys("2").sees("compacted.parquet").quiet(Duration::from_millis(500));
    let written = t.written.len();
    // Longer than the clock's second; every byte that comes counts.
    t.quiet(Duration::from_millis(1500));
    assert_eq!(t.written.len(), written, "it wrote while idle");
    // A step in a list costs little more than the two lines that differ.
    let before = t.screen().contents_formatted();
    t.keys("j").wait("the selection moves", |screen| screen.contents_formatted() != before);
    t.quiet(Duration::from_millis(100));
    let step = t.written.len() - written;
    assert!((1..1500).contains(&step), "a step wrote {step} bytes");
    t.keys("q");
    assert_eq!(t.ends().exit_code(), 0);
}

#[test]
fn signals_end_it_and_restore_the_terminal() {
    for signal in [libc::SIGTERM, libc::SIGHUP, libc::SIGINT] {
        let lake = Lake::new();
        let mut t = on_sales(&lake);
        t.signal(signal);
        assert_eq!(t.ends().exit_code(), 128 + signal as u32);
        t.assert_restored();
    }
}

#[test]
fn ctrl_z_stops_it_and_fg_brings_it_back() {
    let lake = Lake::new();
    let mut shell = CommandBuilder::new("sh");
    // A shell with job control; after the stop it waits for a line, then continues the job.
    shell.args(["-m", "-c", "\"$0\" \"$1\"; echo stopped $?; read line; fg; echo ended $?"]);
    shell.arg(env!("CARGO_BIN_EXE_deltop"));
    shell.arg(lake.table("sales"));
    let mut t = Terminal::start(shell, &lake.home(), SIZE);
    t.sees("Overview").keys("<C-z>");
    let stopped = format!("stopped {}", 128 + libc::SIGTSTP);
    t.sees(&stopped).assert_restored();
    t.resize(90, 25).keys("<Enter>").sees("Overview");
    t.wait("it took the terminal again", |screen| screen.alternate_screen() && screen.hide_cursor());
    t.keys("2").sees("compacted.parquet").keys("q").sees("ended 0");
    assert_eq!(t.ends().exit_code(), 0);
    t.assert_restored();
}

#[test]
fn sigtstp_from_outside_is_as_ctrl_z() {
    let lake = Lake::new();
    let mut t = on_sales(&lake);
    // The program leads its session, so no shell could continue it: the system ignores the stop,
    // and the program must come back by itself.
    t.signal(libc::SIGTSTP);
    t.wait("it gave the terminal back", |screen| !screen.alternate_screen() || screen.hide_cursor());
    t.keys("2").sees("compacted.parquet");
    assert!(t.screen().alternate_screen());
    t.keys("q");
    assert_eq!(t.ends().exit_code(), 0);
    t.assert_restored();
}

#[test]
fn a_new_size_is_drawn() {
    let lake = Lake::new();
    let mut t = on_sales(&lake);
    for (width, height) in [(40, 12), (1, 1), (200, 60), (80, 24)] {
        t.resize(width, height).quiet(Duration::from_millis(200));
    }
    t.sees("Overview").keys("2").sees("compacted.parquet").keys("q");
    assert_eq!(t.ends().exit_code(), 0);
    t.assert_restored();
}

#[test]
fn a_closed_terminal_ends_it() {
    let lake = Lake::new();
    let pty = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_deltop"));
    command.arg(lake.table("sales"));
    command.env("HOME", lake.home());
    let mut child = pty.slave.spawn_command(command).unwrap();
    drop(pty.slave);
    let mut reader = pty.master.try_clone_reader().unwrap();
    let (mut seen, mut bytes) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&seen).contains("Overview") {
        let n = reader.read(&mut bytes).unwrap();
        seen.extend_from_slice(&bytes[..n]);
    }
    drop((reader, pty.master));
    let until = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "it goes on without a terminal");
        std::thread::yield_now();
    }
}

#[test]
fn without_a_terminal_it_says_what_works() {
    let lake = Lake::new();
    let output = Command::new(env!("CARGO_BIN_EXE_deltop"))
        .arg(lake.table("sales"))
        .env("HOME", lake.home())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("needs a terminal") && message.contains("deltop detail"), "{message}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_panic_restores_the_terminal_and_can_be_read() {
    let lake = Lake::new();
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", "pty::panics_on_the_screen"]);
    let mut t = Terminal::start(command, &lake.home(), SIZE);
    let status = t.ends();
    assert!(!status.success());
    t.assert_restored();
    let shown = t.screen().contents();
    assert!(shown.contains("internal error") && shown.contains("on purpose"), "{shown}");
}

/// Runs in the terminal of the test above.
#[test]
#[ignore = "is started by another test"]
fn panics_on_the_screen() {
    deltop::runtime::guard::install_panic_hook(None);
    let _guard = deltop::runtime::guard::Guard::take().unwrap();
    panic!("on purpose");
}

/// The program in a shell that sets things up first; the home folder is the working folder.
fn in_shell(before: &str, lake: &Lake) -> Terminal {
    let mut shell = CommandBuilder::new("sh");
    shell.args(["-c", &format!("{before}; exec \"$0\" \"$1\"")]);
    shell.arg(env!("CARGO_BIN_EXE_deltop"));
    shell.arg(lake.table("sales"));
    let mut t = Terminal::start(shell, &lake.home(), SIZE);
    t.sees("Overview").sees("600").keys("6i").sees("editing");
    t
}

/// A shell script as the person's editor.
fn editor(lake: &Lake, script: &str) -> Terminal {
    use std::os::unix::fs::PermissionsExt;
    let path = lake.home().join("my editor");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
    in_shell("EDITOR='\"$HOME/my editor\" --wait'; export EDITOR", lake)
}

#[test]
fn the_query_goes_to_an_editor_of_ones_own_and_comes_back() {
    let lake = Lake::new();
    // It has the terminal as a shell has it: lines, echo, the normal screen.
    let mut t = editor(
        &lake,
        "echo \"given: $1 $(cat \"$2\")\"; stty -a | grep -o -w -e '-icanon' -e '-echo'; read answer\n\
         printf 'select count(*) * %s as n\\nfrom t\\n' \"$answer\" > \"$2\"",
    );
    t.keys("<C-l>select 'ü'<C-e>").sees("given: --wait select 'ü'");
    assert!(!t.screen().alternate_screen(), "the editor has the normal screen");
    let shown = t.screen().contents();
    assert!(!shown.contains("-icanon") && !shown.contains("-echo"), "{shown}");
    t.keys("7<Enter>").sees("select count(*) * 7 as n").sees("Ctrl-u brings the text before back");
    assert!(t.screen().alternate_screen() && t.screen().bracketed_paste());
    t.keys("<F5>").sees("4200").keys("<C-u>").sees("select 'ü'");
    // Nothing of the text is left behind.
    t.keys("<Esc>").sees_no("editing").keys("q");
    assert_eq!(t.ends().exit_code(), 0);
    t.assert_restored();
}

#[test]
fn an_editor_that_fails_is_told_and_the_text_stays() {
    let lake = Lake::new();
    let mut t = editor(&lake, "echo spoilt > \"$2\"; exit 3");
    t.keys("<C-l>select 41 + 1 as n<C-e>").sees("The editor ended badly; the text is as before");
    t.sees("select 41 + 1 as n").keys("<F5>").sees("42");
    t.keys("<Esc>").sees_no("editing").keys("q");
    assert_eq!(t.ends().exit_code(), 0);
    t.assert_restored();
    let mut t = in_shell("EDITOR=/no/such/editor; export EDITOR", &lake);
    t.keys("<C-e>").sees("The editor ended badly").keys("<Esc>").sees_no("editing").keys("q");
    assert_eq!(t.ends().exit_code(), 0);
    t.assert_restored();
}

#[test]
fn a_disk_that_takes_no_more_ends_an_export_and_nothing_is_left() {
    let lake = Lake::new();
    // No file of it may grow past some KiB: writing fails as on a full disk.
    let mut t = in_shell("trap '' XFSZ; ulimit -f 64", &lake);
    t.keys("<C-l>select a.id, b.id as other, a.amount from t a, t b<A-e>").sees("Write all rows");
    t.keys("<Enter>").sees("sales.csv was not written");
    t.keys("<Esc>").sees_no("editing").keys("T").sees("too large").sees("Nothing is left of it");
    let left = std::fs::read_dir(lake.home()).unwrap().map(|e| e.unwrap().file_name());
    let left: Vec<String> = left.map(|n| n.to_string_lossy().into_owned()).collect();
    assert!(left.iter().all(|name| !name.contains("sales") && !name.ends_with(".part")), "{left:?}");
    t.keys("<Esc>").sees_no("Tasks").keys("q");
    assert_eq!(t.ends().exit_code(), 0);
    t.assert_restored();
}
