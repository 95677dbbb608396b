//! The screen in ASCII, for terminals and locales that have nothing else.
//!
//! Texts are spelled out as they are put on the canvas (`→` becomes `->`); when everything is drawn, a
//! pass puts a likeness in the place of each character that is still not ASCII. So no widget has to
//! know of it, and texts from tables are covered as well.

use std::borrow::Cow;

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

/// The characters that need more than one, spelled out; in the tight form without the blanks around
/// an arrow, for a place that has just room for the text as it was.
pub fn spelled(text: &str, tight: bool) -> Cow<'_, str> {
    if !text.contains(['→', '←', '≥', '≤', '…']) {
        return Cow::Borrowed(text);
    }
    let arrow = if tight { text.replace(" → ", "->") } else { text.to_owned() };
    let out = arrow.replace('→', "->").replace('←', "<-").replace('≥', ">=").replace('≤', "<=");
    Cow::Owned(if tight { out } else { out.replace('…', "...") })
}

fn likeness(c: char) -> char {
    match c {
        '≥' => '>',
        '≤' => '<',
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
        // A critical finding and a warning must differ.
        '▲' => '!',
        '△' => '^',
        '•' | '●' | '★' | '◆' => '*',
        '✓' => '+',
        '✗' | '×' => 'x',
        // The band of a histogram must not look like its axis.
        '▸' | '→' | '⏎' | '┃' | '›' | '»' => '>',
        '▾' | '↓' | '▼' => 'v',
        '↑' | '▴' => '^',
        '←' | '‹' | '«' | '◀' => '<',
        '·' => '.',
        '…' => '~',
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        c => letter(c),
    }
}

/// The letter below an accent, of those that names of tables and columns mostly have.
fn letter(c: char) -> char {
    match c {
        'À'..='Å' => 'A',
        'Ç' => 'C',
        'È'..='Ë' => 'E',
        'Ì'..='Ï' => 'I',
        'Ñ' => 'N',
        'Ò'..='Ö' | 'Ø' => 'O',
        'Ù'..='Ü' => 'U',
        'à'..='å' | 'ª' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' | 'ø' | 'º' | '°' => 'o',
        'ù'..='ü' | 'µ' => 'u',
        'Ý' => 'Y',
        'ý' | 'ÿ' => 'y',
        'ß' => 's',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_two_characters_are_spelled_out() {
        assert_eq!(spelled("48 → 8 files, ≥ 3 …", false), "48 -> 8 files, >= 3 ...");
        assert_eq!(spelled("48 → 8 files", true), "48->8 files");
        assert!(matches!(spelled("plain · text", false), Cow::Borrowed(_)));
        assert_eq!(text("▲ ação ◆ 日"), "! acao * ?");
    }
}
