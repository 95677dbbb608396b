//! Pictures of the real program on the demo lakehouse:
//! `cargo test --test it -- --ignored screenshots`
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::support::svg;
use crate::support::terminal::{Terminal, deltop};

const QUERY: &str = "select ProductID, count(*) as orders, sum(LineTotal) as revenue\nfrom salesorderdetail\ngroup by ProductID\norder by revenue desc";

#[test]
#[ignore = "writes screenshots/"]
fn screenshots() {
    let home = tempfile::tempdir().unwrap();
    let mut t = deltop(["demo", "--dir", "lakehouse"], home.path(), (100, 30));
    let album = Album::new();
    t.sees("sales");
    album.take(&mut t, "lakehouse", "The tables of a folder");
    t.keys("<Enter>").sees("Overview");
    album.take(&mut t, "overview", "What a table is, and its file sizes");
    t.keys("2");
    album.take(&mut t, "files", "Files");
    t.keys("3");
    album.take(&mut t, "partitions", "Partitions");
    t.keys("5");
    album.take(&mut t, "history", "History");
    t.keys("6i<C-l>").keys(QUERY).keys("<F5>").sees("rows");
    album.take(&mut t, "sql", "A query and its result");
    t.keys("<Esc><Esc>1?");
    album.take(&mut t, "help", "Help");
    t.keys("<Esc>:");
    album.take(&mut t, "palette", "The command palette");
    t.keys("<Esc>q");
    assert!(t.ends().success());
}

/// The folder of pictures.
struct Album(PathBuf);

impl Album {
    fn new() -> Album {
        Album(Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots"))
    }

    /// Takes a picture once the screen stands still.
    fn take(&self, t: &mut Terminal, name: &str, title: &str) {
        t.quiet(Duration::from_millis(700));
        let file = self.0.join(format!("{name}.svg"));
        fs::write(&file, svg::picture(t.screen(), title)).unwrap();
        let png = Command::new("rsvg-convert")
            .args(["--zoom", "2", "-o"])
            .arg(file.with_extension("png"))
            .arg(&file)
            .status();
        match png {
            Ok(status) if status.success() => {}
            _ => eprintln!("{name}.png was not made: rsvg-convert (librsvg2-bin) is not installed"),
        }
    }
}
