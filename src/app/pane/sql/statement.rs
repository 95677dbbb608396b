//! Which statement of a text the cursor is in.

use super::lex::{Part, parts};
use super::place::Origin;

/// The statement at a line and character column, without its `;`, and where it starts.
/// After the last `;` with nothing behind it, the statement before. None if there is none at all,
/// or nothing but a comment at the cursor.
pub fn statement_at(text: &str, line: usize, column: usize) -> Option<(Origin, String)> {
    let cursor = offset(text, line, column);
    let mut last = None;
    for (start, end) in ranges(text) {
        let body = &text[start..end];
        if is_blank(body) {
            if cursor > start && cursor <= end && !body.trim().is_empty() {
                return None;
            }
            continue;
        }
        last = Some((origin(text, start, end), body.trim().to_owned()));
        // Right behind the `;` one still is in what it ends.
        if cursor <= end + 1 {
            break;
        }
    }
    last
}

/// All statements of a text, without their `;`, and where each starts.
pub fn all(text: &str) -> Vec<(Origin, String)> {
    let bodies = ranges(text).into_iter().filter(|(start, end)| !is_blank(&text[*start..*end]));
    bodies.map(|(start, end)| (origin(text, start, end), text[start..end].trim().to_owned())).collect()
}

/// Where what is in a range starts, without blanks.
fn origin(text: &str, start: usize, end: usize) -> Origin {
    let body = &text[start..end];
    let before = &text[..start + (body.len() - body.trim_start().len())];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Origin { line: before.matches('\n').count(), column: before[line_start..].chars().count() }
}

/// Whether a statement answers with rows. Those that change data do not.
pub fn gives_rows(text: &str) -> bool {
    const READ: [&str; 10] =
        ["SELECT", "WITH", "VALUES", "FROM", "TABLE", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "("];
    let parts = parts(text);
    let first = parts.iter().find(|(_, part)| !matches!(part, Part::Blank | Part::Comment));
    let word = first.and_then(|(range, _)| text.get(range.clone())).unwrap_or_default();
    READ.iter().any(|read| read.eq_ignore_ascii_case(word))
}

fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = &text[start.min(text.len())..];
    start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at)
}

/// Byte ranges between the `;` that stand outside of quotes and comments.
fn ranges(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut start = 0;
    for (range, part) in parts(text) {
        if part == Part::Sign && text.get(range.clone()) == Some(";") {
            out.push((start, range.start));
            start = range.end;
        }
    }
    out.push((start, text.len()));
    out
}

/// Whether nothing but blanks and comments is there.
fn is_blank(text: &str) -> bool {
    parts(text).iter().all(|(_, part)| matches!(part, Part::Blank | Part::Comment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_statement_under_the_cursor() {
        let text = "select ';' -- a;b\nfrom t;\n\nselect 2 /* ; */ ;\n";
        let at = |line, column| Origin { line, column };
        assert_eq!(statement_at(text, 0, 3), Some((at(0, 0), "select ';' -- a;b\nfrom t".into())));
        assert_eq!(statement_at(text, 1, 6), statement_at(text, 0, 3), "right before the semicolon");
        assert_eq!(statement_at(text, 1, 7), statement_at(text, 0, 3), "right behind the semicolon");
        assert_eq!(statement_at("select 1;select 2", 0, 9).map(|s| s.1).as_deref(), Some("select 1"));
        assert_eq!(statement_at("select 1;select 2", 0, 10).map(|s| s.1).as_deref(), Some("select 2"));
        assert_eq!(statement_at(text, 3, 0), Some((at(3, 0), "select 2 /* ; */".into())));
        assert_eq!(statement_at(text, 4, 0), Some((at(3, 0), "select 2 /* ; */".into())));
        assert_eq!(statement_at(" ;; -- x", 0, 0), None);
        assert_eq!(statement_at("select 'é", 9, 9), Some((at(0, 0), "select 'é".into())));
        assert_eq!(statement_at("'é'; select 2", 0, 13), Some((at(0, 5), "select 2".into())));
    }

    #[test]
    fn all_statements_with_their_places() {
        let at = |line, column| Origin { line, column };
        let found = all("select 1; -- x\n ;select ';'\n;");
        assert_eq!(found, [(at(0, 0), "select 1".into()), (at(1, 2), "select ';'".into())]);
        assert!(all(" -- nothing").is_empty());
    }

    #[test]
    fn only_what_reads_gives_rows() {
        for text in ["select 1", "/* a */ -- b\n(select 1)", "WITH a AS (SELECT 1) SELECT 2", "desc detail t"]
        {
            assert!(gives_rows(text), "{text}");
        }
        for text in ["delete from t", "OPTIMIZE t", "insert into t select 1", "", "-- select 1", "selected"] {
            assert!(!gives_rows(text), "{text}");
        }
    }

    #[test]
    fn a_comment_alone_is_no_statement() {
        let text = "select 1;\n-- select 2\n/* ; */;\nselect 3";
        assert_eq!(statement_at(text, 1, 4), None);
        assert_eq!(statement_at(text, 2, 3), None);
        assert_eq!(statement_at(text, 0, 3).map(|s| s.1).as_deref(), Some("select 1"));
        assert_eq!(statement_at(text, 3, 3).map(|s| s.1).as_deref(), Some("select 3"));
        assert_eq!(statement_at("select 1; /* open", 0, 14), None);
    }
}
