//! Keys as scripts write them: `jj<Enter>`, `<C-c>`, `<A-3>`, `<F5>`, `<lt>` for `<`.

use deltop::app::key::{Key, KeyCode};

/// The keys of a script. Panics on a name that does not exist.
pub fn keys(script: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = script;
    while let Some(c) = rest.chars().next() {
        let name = rest.strip_prefix('<').and_then(|r| r.split_once('>'));
        (rest, keys) = match name {
            Some((name, after)) => (after, with(keys, named(name))),
            None => (&rest[c.len_utf8()..], with(keys, Key::char(c))),
        };
    }
    keys
}

fn with(mut keys: Vec<Key>, key: Key) -> Vec<Key> {
    keys.push(key);
    keys
}

fn named(name: &str) -> Key {
    if let Some(inner) = name.strip_prefix("C-") {
        return Key { ctrl: true, ..one(inner) };
    }
    if let Some(inner) = name.strip_prefix("A-") {
        return Key { alt: true, ..one(inner) };
    }
    one(name)
}

fn one(name: &str) -> Key {
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "S-Tab" => KeyCode::BackTab,
        "BS" => KeyCode::Backspace,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Space" => KeyCode::Char(' '),
        "lt" => KeyCode::Char('<'),
        _ => match (name.chars().count(), name.strip_prefix('F').and_then(|n| n.parse().ok())) {
            (2.., Some(n)) => KeyCode::F(n),
            (1, _) => KeyCode::Char(name.chars().next().unwrap_or(' ')),
            _ => panic!("no key is called <{name}>"),
        },
    };
    Key::new(code)
}

/// The bytes that a terminal (xterm) sends for the keys of a script.
pub fn bytes(script: &str) -> Vec<u8> {
    keys(script).into_iter().flat_map(key_bytes).collect()
}

fn key_bytes(key: Key) -> Vec<u8> {
    let plain: String = match key.code {
        KeyCode::Char(c) if key.ctrl => char::from(c as u8 & 0x1f).to_string(),
        KeyCode::Char(c) => c.to_string(),
        KeyCode::Enter => "\r".into(),
        KeyCode::Esc => "\x1b".into(),
        KeyCode::Tab => "\t".into(),
        KeyCode::BackTab => "\x1b[Z".into(),
        KeyCode::Backspace => "\x7f".into(),
        KeyCode::Up => "\x1b[A".into(),
        KeyCode::Down => "\x1b[B".into(),
        KeyCode::Right => "\x1b[C".into(),
        KeyCode::Left => "\x1b[D".into(),
        KeyCode::Home => "\x1b[H".into(),
        KeyCode::End => "\x1b[F".into(),
        KeyCode::PageUp => "\x1b[5~".into(),
        KeyCode::PageDown => "\x1b[6~".into(),
        KeyCode::Delete => "\x1b[3~".into(),
        KeyCode::Insert => "\x1b[2~".into(),
        KeyCode::F(n @ 1..=4) => format!("\x1bO{}", char::from(b'P' + n - 1)),
        KeyCode::F(n) => format!("\x1b[{}~", [15, 17, 18, 19, 20, 21, 23, 24][usize::from(n) - 5]),
    };
    if key.alt { format!("\x1b{plain}").into_bytes() } else { plain.into_bytes() }
}

#[test]
fn scripts() {
    assert_eq!(bytes("ab<Enter><C-c><A-3><F5>"), b"ab\r\x03\x1b3\x1b[15~");
    assert_eq!(keys("<lt>F>"), [Key::char('<'), Key::char('F'), Key::char('>')]);
}
