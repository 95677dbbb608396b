//! The screen in ASCII, for terminals and locales that have nothing else.
//!
//! Everything is drawn as usual first; this pass puts a likeness in the place of each character
//! that is not ASCII. So no widget has to know of it, and texts from tables are covered as well.

use ratatui::buffer::Buffer;

pub fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            let c = cell.symbol().chars().next().unwrap_or(' ');
            cell.set_char(likeness(c));
        }
    }
}

/// A text of this program's own in ASCII.
pub fn text(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() { c } else { likeness(c) }).collect()
}

fn likeness(c: char) -> char {
    match c {
        '≥' => '>',
        '─' | '–' | '—' | '−' | '▏' | '▎' | '▍' => '-',
        '━' => '=',
        '│' => '|',
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' | '╭' | '╮' | '╰' | '╯' | '╋' => {
            '+'
        }
        '█' | '▉' | '▊' | '▋' | '▌' | '▐' | '▓' => '#',
        '▒' | '░' => ':',
        // Columns of a chart, by their height.
        '▁' | '▂' => '_',
        '▃' | '▄' => '.',
        '▅' | '▆' | '▇' => ':',
        '▲' => '!',
        '•' | '●' => '*',
        '✓' => '+',
        '✗' | '×' => 'x',
        // The band of a histogram must not look like its axis.
        '▸' | '→' | '⏎' | '┃' => '>',
        '▾' | '↓' => 'v',
        '↑' | '▴' => '^',
        '←' => '<',
        '·' => '.',
        '…' => '~',
        _ => '?',
    }
}
