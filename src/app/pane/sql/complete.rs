//! What may come at the cursor: tables, columns, functions, keywords, the values of partitions.

use super::lex::{Part, in_word, parts};
use super::vocabulary::{FUNCTIONS, KEYWORDS};
use crate::app::scroll::{Motion, Scroll};

/// What is known of the tables.
#[derive(Debug, Clone, Default)]
pub struct Known {
    pub tables: Vec<String>,
    /// Columns with their types.
    pub columns: Vec<(String, String)>,
    /// Partition columns with the values that they have.
    pub values: Vec<(String, Vec<String>)>,
}

/// Something that can be put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// As it is put in.
    pub text: String,
    /// What it is: a type, or `table`, `function`, `keyword`, `value`.
    pub note: String,
}

/// The offer at the cursor.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Offer {
    /// Characters before the cursor that the chosen item takes the place of.
    pub typed: usize,
    pub items: Vec<Item>,
    pub scroll: Scroll,
}

/// Most items of an offer.
const MOST: usize = 50;

impl Offer {
    pub fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.items.len());
    }

    pub fn selected(&self) -> Option<&Item> {
        self.items.get(self.scroll.selected)
    }
}

/// What may come after a text; none if nothing fits, or if the text ends in a comment.
pub fn offer(before: &str, known: &Known) -> Option<Offer> {
    let all = parts(before);
    let last = all.last();
    if last.is_some_and(|(_, part)| *part == Part::Comment) {
        return None;
    }
    let text_of = |(range, _): &(std::ops::Range<usize>, Part)| before.get(range.clone()).unwrap_or("");
    let mut real: Vec<_> =
        all.iter().filter(|(_, part)| *part != Part::Blank && *part != Part::Comment).collect();
    let typed = match last {
        Some(piece @ (_, Part::Name | Part::Keyword | Part::Function | Part::Number)) => {
            real.pop();
            text_of(piece)
        }
        // An open text: a value is being typed.
        Some(piece @ (_, Part::Text)) if !is_closed(text_of(piece)) => {
            real.pop();
            text_of(piece)
        }
        _ => "",
    };
    let word =
        |back: usize| real.len().checked_sub(back).and_then(|n| real.get(n)).map_or("", |p| text_of(p));
    let items = if word(1) == "." {
        columns(known)
    } else if let Some(values) = values_for(&word, known) {
        values
    } else if typed.starts_with('\'') {
        return None;
    } else {
        let after_from =
            ["FROM", "JOIN", "TABLE", "INTO", "DETAIL", "HISTORY", "OPTIMIZE", "VACUUM", "DESCRIBE"];
        let tables = known.tables.iter().map(|t| item(&quoted(t), "table"));
        if after_from.iter().any(|k| k.eq_ignore_ascii_case(word(1))) {
            tables.collect()
        } else {
            let functions = FUNCTIONS.iter().map(|f| item(&format!("{f}("), "function"));
            let keywords = KEYWORDS.iter().map(|k| item(k, "keyword"));
            columns(known).into_iter().chain(tables).chain(functions).chain(keywords).collect()
        }
    };
    let items = ranked(items, typed);
    let only_itself = matches!(&items[..], [one] if one.text == typed);
    let typed = typed.chars().count();
    (!items.is_empty() && !only_itself).then(|| Offer { typed, items, scroll: Scroll::default() })
}

/// The values of a partition column after `column =`, `column <`, `column IN (`.
fn values_for<'a>(word: &impl Fn(usize) -> &'a str, known: &Known) -> Option<Vec<Item>> {
    // The sign and what follows it of a list are passed over.
    let mut back = 1;
    if word(1) == "(" && word(2).eq_ignore_ascii_case("IN") {
        back = 2;
    }
    let is_sign = |w: &str| matches!(w, "=" | "<" | ">") || w.eq_ignore_ascii_case("IN");
    if !is_sign(word(back)) {
        return None;
    }
    while is_sign(word(back)) {
        back += 1;
    }
    let column = word(back).trim_matches(['`', '"']);
    let (_, values) = known.values.iter().find(|(name, _)| name.eq_ignore_ascii_case(column))?;
    let types =
        known.columns.iter().find(|(name, _)| name.eq_ignore_ascii_case(column)).map(|(_, t)| t.as_str());
    let is_number =
        matches!(types, Some("integer" | "long" | "short" | "byte" | "double" | "float" | "boolean"));
    let literal = |v: &String| if is_number { v.clone() } else { format!("'{}'", v.replace('\'', "''")) };
    Some(values.iter().map(|v| item(&literal(v), "value")).collect())
}

fn is_closed(text: &str) -> bool {
    text.len() > 1 && text.ends_with('\'')
}

fn columns(known: &Known) -> Vec<Item> {
    known.columns.iter().map(|(name, data_type)| item(&quoted(name), data_type)).collect()
}

fn item(text: &str, note: &str) -> Item {
    Item { text: text.to_owned(), note: note.to_owned() }
}

/// In back quotes where a bare word would not do.
fn quoted(name: &str) -> String {
    let plain =
        name.chars().all(in_word) && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty();
    if plain { name.to_owned() } else { format!("`{name}`") }
}

/// Those that begin with what was typed, then those that hold it; in their order.
fn ranked(items: Vec<Item>, typed: &str) -> Vec<Item> {
    let typed = typed.to_lowercase();
    let rank = |item: &Item| {
        let text = item.text.to_lowercase();
        let bare = text.trim_start_matches('`');
        if bare.starts_with(&typed) || text.starts_with(&typed) {
            Some(0)
        } else if typed.chars().count() > 1 && text.contains(&typed) {
            Some(1)
        } else {
            None
        }
    };
    let mut ranked: Vec<(i32, Item)> = items.into_iter().filter_map(|i| Some((rank(&i)?, i))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut out: Vec<Item> = Vec::new();
    for (_, item) in ranked {
        if out.len() < MOST && !out.contains(&item) {
            out.push(item);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        let column = |name: &str, t: &str| (name.to_owned(), t.to_owned());
        Known {
            tables: vec!["sales".into(), "my table".into()],
            columns: vec![column("OrderDate", "date"), column("region", "string"), column("year", "integer")],
            values: vec![
                ("region".into(), vec!["north".into(), "o'er".into()]),
                ("year".into(), vec!["2023".into(), "2024".into()]),
            ],
        }
    }

    fn texts(before: &str) -> Vec<String> {
        offer(before, &known()).map_or_else(Vec::new, |o| o.items.into_iter().map(|i| i.text).collect())
    }

    #[test]
    fn what_fits_the_place_comes_first() {
        assert_eq!(texts("select * from sa"), ["sales"]);
        assert_eq!(texts("select * from "), ["sales", "`my table`"]);
        assert_eq!(texts("select ord")[0], "OrderDate");
        assert_eq!(texts("select s.re"), ["region"]);
        assert_eq!(texts("select cou")[0], "count(");
        assert_eq!(texts("sel"), ["SELECT"]);
        assert!(texts("-- sel").is_empty());
        assert!(texts("select 'sel").is_empty());
        assert!(texts("select zzz").is_empty());
    }

    #[test]
    fn partition_values_as_literals() {
        assert_eq!(texts("select * from t where region = "), ["'north'", "'o''er'"]);
        assert_eq!(texts("select * from t where region in ('n"), ["'north'"]);
        assert_eq!(texts("select * from t where Year >= 202"), ["2023", "2024"]);
        assert_eq!(texts("select * from t where Year >= "), ["2023", "2024"]);
        assert_eq!(offer("where region = 'no", &known()).unwrap().typed, 3);
    }
}
