//! Puts a statement into lines: a clause each, its words in capitals.

use super::lex::{Part, parts};

/// Keywords that begin a line.
const CLAUSES: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP",
    "HAVING",
    "QUALIFY",
    "ORDER",
    "LIMIT",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "JOIN",
    "WITH",
    "VALUES",
];
/// Keywords that stand before `JOIN`.
const BEFORE_JOIN: &[&str] = &["INNER", "LEFT", "RIGHT", "FULL", "CROSS", "OUTER", "SEMI", "ANTI"];
const INDENT: &str = "  ";

/// The text with keywords in capitals and a line for each clause outside of brackets. Texts, names
/// and comments stay as they are; what is said stays the same.
pub fn formatted(text: &str) -> String {
    let pieces: Vec<(&str, Part)> = parts(text)
        .into_iter()
        .filter_map(|(r, p)| Some((text.get(r)?, p)))
        .filter(|(_, p)| *p != Part::Blank)
        .collect();
    let mut out = String::with_capacity(text.len() + 64);
    let mut depth = 0usize;
    let mut before: Option<(&str, Part)> = None;
    let is = |piece: Option<&(&str, Part)>, words: &[&str]| {
        piece.is_some_and(|(w, p)| *p == Part::Keyword && words.iter().any(|k| k.eq_ignore_ascii_case(w)))
    };
    for (at, piece) in pieces.iter().enumerate() {
        let (word, part) = *piece;
        let joins = is(Some(piece), BEFORE_JOIN) && leads_to_join(&pieces[at + 1..]);
        let goes_on = is(before.as_ref(), BEFORE_JOIN);
        let starts = (is(Some(piece), CLAUSES) || joins) && !goes_on && depth == 0;
        let condition = depth == 0 && is(Some(piece), &["AND", "OR"]) && !between(&pieces[..at]);
        let after_comment = before.is_some_and(|(w, p)| p == Part::Comment && w.starts_with("--"));
        if before.is_some() {
            if starts || after_comment || matches!(before, Some((";", _))) {
                out.push('\n');
            } else if condition {
                out.push('\n');
                out.push_str(INDENT);
            } else if spaced(before, piece) {
                out.push(' ');
            }
        }
        match word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            ";" => depth = 0,
            _ => {}
        }
        if part == Part::Keyword {
            out.push_str(&word.to_uppercase())
        } else {
            out.push_str(word)
        }
        before = Some(*piece);
    }
    out
}

fn leads_to_join(rest: &[(&str, Part)]) -> bool {
    let next = rest.iter().find(|(w, _)| !BEFORE_JOIN.iter().any(|k| k.eq_ignore_ascii_case(w)));
    next.is_some_and(|(w, _)| w.eq_ignore_ascii_case("JOIN"))
}

/// Whether the `AND` that comes belongs to a `BETWEEN`.
fn between(before: &[(&str, Part)]) -> bool {
    let last = before.iter().rev().find(|(w, p)| {
        *p == Part::Keyword
            && ["AND", "OR", "BETWEEN", "WHERE", "ON", "HAVING"].iter().any(|k| k.eq_ignore_ascii_case(w))
    });
    last.is_some_and(|(w, _)| w.eq_ignore_ascii_case("BETWEEN"))
}

/// Whether a blank stands between two parts.
fn spaced(before: Option<(&str, Part)>, (word, part): &(&str, Part)) -> bool {
    let Some((last, last_part)) = before else { return false };
    // `'it''s'` and `a.b` are one, and so are signs such as `<=`.
    let one = (last_part == Part::Text && *part == Part::Text) || last == "." || *word == ".";
    let operators = ["<", ">", "=", "!", "|", ":"];
    let sign = operators.contains(&last) && operators.contains(word);
    let call = *word == "(" && matches!(last_part, Part::Function | Part::Name | Part::QuotedName);
    !(one || sign || call || last == "(" || matches!(*word, ")" | "," | ";"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_clause() {
        let text = "select a.x,count(*) n from t a left join u on a.id=u.id and u.ok where x between 1 and 2 and y='it''s' group by 1 order by 2 desc limit 3";
        let want = "SELECT a.x, count(*) n\nFROM t a\nLEFT JOIN u ON a.id = u.id\n  AND u.ok\nWHERE x BETWEEN 1 AND 2\n  AND y = 'it''s'\nGROUP BY 1\nORDER BY 2 DESC\nLIMIT 3";
        assert_eq!(formatted(text), want);
        assert_eq!(formatted(want), want);
    }

    #[test]
    fn comments_and_brackets_stay() {
        let text = "-- why\nselect (select max(x) from u) from t where a<=1; select 2";
        assert_eq!(formatted(text), "-- why\nSELECT (SELECT max(x) FROM u)\nFROM t\nWHERE a <= 1;\nSELECT 2");
    }

    /// Apart from blanks and the case of keywords nothing changes.
    #[test]
    fn nothing_is_lost() {
        for text in
            ["select'é',\"A b\"from`t x`/* c */where 日=1", "a - -1", "x::int", "t@v3.y", "'a' 'b'", "1-2"]
        {
            let squeeze =
                |t: &str| t.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
            assert_eq!(squeeze(&formatted(text)), squeeze(text), "{text}");
        }
    }
}
