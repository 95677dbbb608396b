//! Two runs side by side.

use std::sync::Arc;

use crate::app::msg::Ask;
use crate::app::pane::sql::run::Run;
use crate::app::scroll::Scroll;
use crate::model::query_plan::{Node, short_time};
use crate::model::run_facts::{RunFacts, Step, side_by_side};
use crate::model::units::{bytes, count, duration, percent};

/// What is compared of a run.
#[derive(Debug, Clone, Default)]
pub struct Card {
    pub number: usize,
    pub text: String,
    pub version: Option<u64>,
    pub rows: Option<u64>,
    /// The screen ended it: what it read is not all.
    pub truncated: bool,
    pub millis: u64,
    /// It was planned only.
    pub planned: bool,
    pub facts: Option<Arc<RunFacts>>,
}

impl Card {
    pub fn of(run: &Run) -> Card {
        let end = run.end.unwrap_or(crate::app::pane::sql::run::End { rows: 0, truncated: false, millis: 0 });
        let plan = run.tree.as_ref().map(|tree| &tree.plan);
        let planned = plan.is_some_and(|plan| plan.millis.is_none()) || run.ask == Ask::Explain;
        Card {
            number: run.number,
            text: run.text.clone(),
            version: run.version,
            rows: match plan {
                Some(plan) => plan.rows,
                None => Some(end.rows),
            },
            truncated: end.truncated,
            millis: plan.and_then(|plan| plan.millis).unwrap_or(end.millis),
            planned,
            facts: run.facts.clone(),
        }
    }
}

/// A line of the comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Heading(String),
    /// What it is, the one's, the other's, how they differ.
    Figure(String, String, String, String),
    /// A step of the one, of the other, or of both.
    Step(Option<String>, Option<String>),
}

#[derive(Debug)]
pub struct CompareLayer {
    pub first: Card,
    pub second: Card,
    pub lines: Vec<Line>,
    pub scroll: Scroll,
}

impl CompareLayer {
    pub fn new(first: Card, second: Card) -> Self {
        let lines = lines(&first, &second);
        CompareLayer { first, second, lines, scroll: Scroll::default() }
    }

    /// As text for the clipboard, parted by tabs.
    pub fn to_text(&self) -> String {
        let title = format!("\\t#{}\\t#{}\n", self.first.number, self.second.number).replace("\\t", "\t");
        let line = |line: &Line| match line {
            Line::Heading(text) => format!("{text}\n"),
            Line::Figure(name, a, b, how) => format!("{name}\t{a}\t{b}\t{how}\n"),
            Line::Step(a, b) => {
                format!("\t{}\t{}\n", a.as_deref().unwrap_or("").trim(), b.as_deref().unwrap_or("").trim())
            }
        };
        title + &self.lines.iter().map(line).collect::<String>()
    }
}

fn lines(a: &Card, b: &Card) -> Vec<Line> {
    let figure = |name: &str, of: [String; 2], how: String| {
        let [a, b] = of;
        Line::Figure(name.to_owned(), a, b, how)
    };
    let same = |same: bool| if same { "same".to_owned() } else { "differs".to_owned() };
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let version = |card: &Card| card.version.map_or_else(|| "?".to_owned(), |v| format!("v{v}"));
    let mut out = vec![
        figure("statement", [line(&a.text), line(&b.text)], same(line(&a.text) == line(&b.text))),
        figure("version", [version(a), version(b)], same(a.version == b.version)),
    ];
    let took = |card: &Card| {
        if card.planned { "planned only".to_owned() } else { duration(card.millis) }
    };
    let how = match a.planned || b.planned {
        true => String::new(),
        false => change(a.millis, b.millis),
    };
    out.push(figure("time", [took(a), took(b)], how));
    let rows = |card: &Card| match (card.rows, card.truncated) {
        (None, _) => "?".to_owned(),
        (Some(n), true) => format!("first {}", count(n)),
        (Some(n), false) => count(n),
    };
    let how = match (a.rows, b.rows) {
        (Some(x), Some(y)) if !a.truncated && !b.truncated => change(x, y),
        _ => String::new(),
    };
    out.push(figure("rows", [rows(a), rows(b)], how));
    let facts = |card: &Card| card.facts.clone().unwrap_or_default();
    let (fa, fb) = (facts(a), facts(b));
    let known = |card: &Card, text: String| if card.facts.is_some() { text } else { "?".to_owned() };
    let both = a.facts.is_some() && b.facts.is_some();
    let how = |x: u64, y: u64| if both { change(x, y) } else { String::new() };
    let (files_a, files_b) = (fa.files(), fb.files());
    out.push(figure(
        "files",
        [known(a, count(files_a.files)), known(b, count(files_b.files))],
        how(files_a.files, files_b.files),
    ));
    out.push(figure(
        "their bytes",
        [known(a, bytes(files_a.bytes)), known(b, bytes(files_b.bytes))],
        how(files_a.bytes, files_b.bytes),
    ));
    let read = |facts: &RunFacts| facts.bytes_read.map_or_else(|| "?".to_owned(), bytes);
    let difference = fa.bytes_read.zip(fb.bytes_read).map_or_else(String::new, |(x, y)| change(x, y));
    out.push(figure("bytes read", [read(&fa), read(&fb)], difference));
    out.push(Line::Heading("Steps, with time and rows".to_owned()));
    let steps = side_by_side(&fa.nodes, &fb.nodes);
    out.extend(steps.into_iter().map(|step| match step {
        Step::Both(i, j) => Line::Step(Some(told(&fa.nodes[i])), Some(told(&fb.nodes[j]))),
        Step::First(i) => Line::Step(Some(told(&fa.nodes[i])), None),
        Step::Second(j) => Line::Step(None, Some(told(&fb.nodes[j]))),
    }));
    out
}

/// Time and rows before the name: they are what one compares.
fn told(node: &Node) -> String {
    let time = node.nanos.map(short_time).unwrap_or_default();
    let rows = node.rows.map(count).unwrap_or_default();
    format!("{time:>8} {rows:>9}  {}{}", "  ".repeat(node.depth.min(8)), node.name)
}

/// What became of a figure: `same`, `−57 %`, `+3 %`, `3.0 ×` from twice on.
fn change(before: u64, after: u64) -> String {
    match (before, after) {
        (a, b) if a == b => "same".to_owned(),
        (0, _) => "more".to_owned(),
        (a, b) if b >= 2 * a => format!("{:.1} ×", b as f64 / a as f64),
        (a, b) if b > a => format!("+{}", percent(b - a, a)),
        (a, b) => format!("−{}", percent(a - b, a)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::query_plan::Share;
    use crate::model::run_facts::Read;

    fn card(number: usize, millis: u64, files: u64, names: &[&str]) -> Card {
        let node = |name: &&str| Node { name: (*name).into(), ..Node::default() };
        let files = Share { files, bytes: files * 1024 };
        let facts = RunFacts {
            reads: vec![Read { table: "t".into(), files, from_log: false }],
            bytes_read: None,
            nodes: names.iter().map(node).collect(),
        };
        Card {
            number,
            text: "select\n 1".into(),
            rows: Some(7),
            millis,
            facts: Some(Arc::new(facts)),
            ..Card::default()
        }
    }

    #[test]
    fn figures_with_what_became_of_them() {
        let layer = CompareLayer::new(card(1, 100, 8, &["Filter", "Scan"]), card(2, 25, 2, &["Scan"]));
        let text = layer.to_text();
        for line in [
            "\t#1\t#2\n",
            "statement\tselect 1\tselect 1\tsame\n",
            "time\t100 ms\t25 ms\t−75 %\n",
            "rows\t7\t7\tsame\n",
            "files\t8\t2\t−75 %\n",
            "their bytes\t8.00 KiB\t2.00 KiB\t−75 %\n",
            "bytes read\t?\t?\t\n",
            "\tFilter\t\n\tScan\tScan\n",
        ] {
            assert!(text.contains(line), "{line:?} in {text}");
        }
    }

    #[test]
    fn changes_are_told_by_what_is_clear() {
        assert_eq!(
            (change(5, 5), change(0, 5), change(5, 0)),
            ("same".into(), "more".into(), "−100 %".into())
        );
        assert_eq!((change(10, 12), change(10, 35)), ("+20 %".into(), "3.5 ×".into()));
    }
}
