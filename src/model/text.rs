//! Text from tables is hostile: names, values and paths can hold anything.

use std::borrow::Cow;

/// Replaces everything that could steer a terminal or hide text by a visible stand-in.
///
/// C0 controls become their Unicode control pictures (`␛` for ESC), DEL becomes `␡`, C1 controls,
/// line and paragraph separators, bidirectional overrides and isolates, and invisible format
/// characters become `�`. The result holds no line break and no tab.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_hostile(c) { stand_in(c) } else { c }).collect())
}

/// As [`clean`], but keeps line breaks and turns tabs into four spaces, for text laid out in lines.
pub fn clean_lines(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c != '\n' && is_hostile(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push('\n'),
            '\t' => out.push_str("    "),
            '\r' => {}
            c if is_hostile(c) => out.push(stand_in(c)),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Whether a character could steer a terminal or hide text.
pub fn is_hostile(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn stand_in(c: char) -> char {
    match c {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ => '\u{fffd}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_become_visible() {
        assert_eq!(clean("a\x1b[31mred\r\n\tb\u{9b}2J\u{202e}x"), "a␛[31mred␍␊␉b�2J�x");
        assert_eq!(clean_lines("a\r\nb\tc\x07"), "a\nb    c␇");
    }

    #[test]
    fn ordinary_text_is_borrowed() {
        assert!(matches!(clean("ação 日本語 🙂"), Cow::Borrowed(_)));
    }
}
