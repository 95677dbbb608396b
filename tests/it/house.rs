//! Who may use whom: `model ← advice ← app ← ui`, `model ← lake ← tune`; `runtime` and `cli` use
//! all, and only `cli` uses `runtime`. The pure layers do no I/O and know no clock.

use std::fs;
use std::path::{Path, PathBuf};

/// A layer, the layers that it may use besides itself, and whether it is pure.
const LAYERS: &[(&str, &[&str], bool)] = &[
    ("model", &[], true),
    ("advice", &["model"], true),
    ("app", &["model", "advice"], true),
    ("ui", &["model", "advice", "app"], true),
    ("lake", &["model"], false),
    ("tune", &["model", "lake"], false),
    ("runtime", &["model", "advice", "app", "ui", "lake", "tune"], false),
    ("cli", &["model", "advice", "app", "ui", "lake", "tune", "runtime"], false),
];

/// What only a layer with I/O may name.
const IMPURE: &[&str] = &[
    "tokio",
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::io::stdout",
    "io::stdout",
    "Instant::now",
    "SystemTime",
    "Utc::now",
    "Local::now",
    "object_store",
    "datafusion",
    "deltalake",
    "crossterm",
];

/// What has one home only.
const AT_HOME: &[(&str, &[&str])] = &[
    ("crossterm", &["runtime"]),
    ("clap", &["cli"]),
    ("println!", &[]),
    ("eprintln!", &[]),
    ("todo!", &[]),
    ("unimplemented!", &[]),
    ("dbg!", &[]),
];

#[test]
fn layers_use_only_what_they_may() {
    let mut broken = Vec::new();
    for (path, text) in sources() {
        broken.extend(violations(&path, &text));
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn files_stay_small() {
    let mut lengths: Vec<(usize, PathBuf)> =
        sources().into_iter().map(|(path, text)| (text.lines().count(), path)).collect();
    lengths.sort();
    let median = lengths[lengths.len() / 2].0;
    assert!(median <= 150, "the median file has {median} lines");
    let long: Vec<_> = lengths.iter().filter(|(lines, _)| *lines > 500).collect();
    assert!(long.is_empty(), "{long:?}");
}

#[test]
fn planted_violations_are_found() {
    let found = |path: &str, text: &str| violations(Path::new(path), text).len();
    assert_eq!(found("ui/a.rs", "use crate::app::App;\nuse crate::model::{Fault, text};"), 0);
    assert_eq!(found("model/a.rs", "use crate::lake::place::Place;"), 1);
    assert_eq!(found("model/a.rs", "use crate::{\n    fault::X, model::y::{z, lake},\n    tune::q};"), 1);
    assert_eq!(found("app/pane/a.rs", "fn f() { crate :: runtime::logging::file(); }"), 1);
    assert_eq!(found("app/pane/a.rs", "use super::super::super::cli::run;"), 1);
    assert_eq!(found("app/pane/a.rs", "use super::super::msg::Msg; use super::list;"), 0);
    assert_eq!(found("lake/a.rs", "// crate::ui\n/* crate::ui */ let s = \"crate::ui \\\" crate::ui\";"), 0);
    assert_eq!(
        found("lake/a.rs", "let c = '\"'; use crate::ui::x; let d = '\\''; let r = r#\"crate::ui\"#;"),
        1
    );
    assert_eq!(found("app/a.rs", "let t = std::time::Instant::now();"), 1);
    assert_eq!(
        found("app/a.rs", "fn f() {}\n#[cfg(test)]\nmod tests { fn g() { std::fs::read(\"x\"); } }"),
        0
    );
    assert_eq!(found("lake/a.rs", "println!(\"x\");"), 1);
    assert_eq!(found("stray.rs", "use crate::model::Fault;"), 1);
}

/// Path below `src` and text of each source file.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut out) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                out.push((path.strip_prefix(&root).unwrap().to_owned(), text));
            }
        }
    }
    assert!(out.len() > 40, "only {} source files were found", out.len());
    out
}

fn violations(path: &Path, text: &str) -> Vec<String> {
    let folder = path.iter().next().and_then(|p| p.to_str()).unwrap_or("");
    if folder == "lib.rs" || folder == "main.rs" {
        return Vec::new();
    }
    let Some((layer, allowed, pure)) = LAYERS.iter().find(|(name, ..)| *name == folder) else {
        return vec![format!("{}: belongs to no layer", path.display())];
    };
    let code = code_only(text);
    let mut out = Vec::new();
    for used in used_modules(&code, path.iter().count()) {
        let known = LAYERS.iter().any(|(name, ..)| *name == used);
        if known && used != *layer && !allowed.contains(&used.as_str()) {
            out.push(format!("{}: {layer} must not use {used}", path.display()));
        }
    }
    // Tests may do what they like, but for the layers.
    if path.file_name().is_some_and(|name| name == "tests.rs") {
        return out;
    }
    let code = code.split("#[cfg(test)]\nmod ").next().unwrap_or("");
    let impure = IMPURE.iter().filter(|word| *pure && names(code, word));
    out.extend(impure.map(|word| format!("{}: {layer} is pure, but names {word}", path.display())));
    let astray = AT_HOME.iter().filter(|(word, homes)| !homes.contains(layer) && names(code, word));
    out.extend(astray.map(|(word, _)| format!("{}: {word} does not belong in {layer}", path.display())));
    out
}

/// Whether the word stands in the code by itself, not as a part of a longer name.
fn names(code: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The text without comments, and with nothing in strings and characters.
fn code_only(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw_string(rest, &out) {
            let close = format!("\"{}", "#".repeat(hashes));
            let open = hashes + 2;
            rest[open..].find(&close).map_or(rest.len(), |end| open + end + close.len())
        } else if c == '"' {
            string_end(rest)
        } else if c == '\'' {
            character_end(rest)
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[skip..];
    }
    out
}

/// The number of `#` of a raw string that begins here.
fn raw_string(rest: &str, before: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let in_a_name = before.ends_with(|c: char| c.is_alphanumeric() && c != 'b' || c == '_');
    (after[hashes..].starts_with('"') && !in_a_name).then_some(hashes)
}

fn string_end(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A character literal's length; 1 for the tick of a lifetime.
fn character_end(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            rest[2..].char_indices().skip(1).find(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 3)
        }
        Some(_) => chars.next().filter(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 1),
        None => 1,
    }
}

/// The names right below the crate's root that the code refers to. `depth` is the number of
/// path parts of the file: so many `super` lead to the root.
fn used_modules(code: &str, depth: usize) -> Vec<String> {
    let tokens = tokens(code);
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let mut next = at;
        if tokens[at] == "crate" {
            next = at + 1;
        } else if tokens[at] == "super" {
            let mut supers = 0;
            while tokens.get(next).is_some_and(|t| *t == "super") {
                supers += 1;
                next += 1;
                if tokens.get(next) == Some(&"::") && tokens.get(next + 1) == Some(&"super") {
                    next += 1;
                }
            }
            if supers < depth {
                at = next;
                continue;
            }
        }
        if next > at && tokens.get(next) == Some(&"::") {
            out.extend(first_names(&tokens[next + 1..]));
        }
        at = next.max(at + 1);
    }
    out
}

/// The name, or the first names in a group `{a::b, c}`.
fn first_names(tokens: &[&str]) -> Vec<String> {
    if tokens.first() != Some(&"{") {
        return tokens.first().map(|t| (*t).to_owned()).into_iter().collect();
    }
    let (mut nested, mut is_first, mut out) = (0, true, Vec::new());
    for token in tokens {
        match *token {
            "{" => nested += 1,
            "}" => nested -= 1,
            "," if nested == 1 => is_first = true,
            name if nested == 1 && is_first => {
                out.push(name.to_owned());
                is_first = false;
            }
            _ => {}
        }
        if nested == 0 {
            break;
        }
    }
    out
}

fn tokens(code: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = code.trim_start();
    while let Some(c) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_part(c) {
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            c.len_utf8()
        };
        out.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    out
}

/// Every character that the screen may be given by this program has a likeness in ASCII.
#[test]
fn signs_have_a_likeness_in_ascii() {
    let mut without = Vec::new();
    for (path, text) in sources() {
        let shown = text.split("#[cfg(test)]").next().unwrap_or_default();
        if path.ends_with("ui/ascii.rs") || path.to_string_lossy().contains("tests") {
            continue;
        }
        for line in shown.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let signs = line.split(" // ").next().unwrap_or_default().chars().filter(|c| !c.is_ascii());
            let lost = |c: &char| deltop::ui::ascii::text(&c.to_string()) == "?";
            without.extend(signs.filter(lost).map(|c| format!("{c} in {}", path.display())));
        }
    }
    assert!(without.is_empty(), "{without:#?}");
}

/// What a planner says to the command line, the Tune pane says in the words of its form.
#[test]
fn hints_of_planners_are_translated_for_the_screen() {
    let options = |hint: &str| {
        let words = hint.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        words.filter(|w| w.starts_with("--")).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut seen = 0;
    for (path, text) in sources() {
        let planner = path.starts_with("model/plan") || path.starts_with("tune");
        for hint in text.split(".hint(").skip(1).filter(|_| planner) {
            let literal = hint.split('"').nth(1).unwrap_or_default();
            if options(literal).is_empty() || path.starts_with("tune/demo") {
                continue;
            }
            seen += 1;
            let said =
                deltop::app::pane::tune::on_screen(deltop::model::Fault::refused("x", "").hint(literal));
            let left: Vec<String> =
                options(&said.hint).into_iter().filter(|o| o != "--allow-writes").collect();
            assert!(left.is_empty(), "{}: {}", path.display(), said.hint);
        }
    }
    assert!(seen >= 3, "only {seen} hints name an option");
}
