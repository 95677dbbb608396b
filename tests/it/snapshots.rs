//! Panes as pictures at four sizes.

use crate::support::screen::{Screen, sales};

#[test]
fn dump() {
    for (w, h) in [(80, 24), (120, 40), (40, 12), (200, 60)] {
        for pane in 1..=6 {
            let mut s = Screen::new(sales(), w, h);
            s.press(&pane.to_string());
            if pane == 6 { s.press("F5"); }
            println!("=== {w}x{h} pane {pane}\n{}", s.text());
        }
    }
}
