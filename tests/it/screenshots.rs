//! Pictures of the real program on the demo lakehouse:
//! `cargo test --test it -- --ignored screenshots`
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::support::svg;
use crate::support::terminal::{Terminal, deltop};

const QUERY: &str = "\
SELECT ProductID, count(*) AS lines, sum(OrderQty) AS pieces, sum(LineTotal) AS revenue<Enter>\
FROM sales WHERE UnitPriceDiscount = 0<Enter>\
GROUP BY ProductID ORDER BY revenue DESC";

#[test]
#[ignore = "writes screenshots/"]
fn screenshots() {
    // The same place each time, since its name is in the pictures.
    let home = std::env::temp_dir().join("deltop-screenshots");
    if home.exists() {
        fs::remove_dir_all(&home).unwrap();
    }
    fs::create_dir(&home).unwrap();
    let mut t = deltop(["demo", "--dir", "lakehouse"], &home, (100, 30));
    let album = Album::new();
    t.sees("sales").sees("raw_events");
    album.take(&mut t, "lakehouse", "The tables of a folder");
    t.keys("jj<Enter>").sees("average file");
    album.take(&mut t, "overview", "What a table is, and how large its files are");
    t.keys("?");
    album.take(&mut t, "help", "The keys of a place");
    t.keys("<Esc>").sees_no("Keys: ").keys(":").sees("Commands");
    album.take(&mut t, "palette", "All commands, found by a few letters");
    t.keys("<Esc>").sees_no("Commands").keys("2jjj");
    album.take(&mut t, "files", "The files of a version");
    t.keys("5jj<Enter>");
    album.take(&mut t, "history", "The versions, and what one of them changed");
    t.keys("<Esc>").sees("down to v0").keys("t").sees("by version");
    album.take(&mut t, "trends", "How a table grew, and how it is written");
    t.keys("<Esc>").sees("down to v0").keys("6i<C-l>").keys(QUERY).keys("<F5>").sees(" rows · ");
    album.take(&mut t, "sql", "A query and its result");
    t.keys("<Esc>")
        .sees_no("editing")
        .keys("<Esc>")
        .sees("raw_events")
        .keys("kk<Enter>")
        .sees("average file")
        .keys("3jj");
    album.take(&mut t, "partitions", "The partitions, and what each holds");
    t.keys("q");
    assert!(t.ends().success());
    fs::remove_dir_all(&home).unwrap();
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
