//! One commit: what it says of itself, what it changed, its files.
//!
//! ```text
//!  v131  WRITE append                                    2026-05-26 22:58:12 UTC
//!  engine          Apache-Spark/3.5.1 Delta-Lake/3.2.0
//!
//!  Changed
//!  column a: added              –  →  long
//!
//!  3 files added, 8.87 MiB
//!  + part-00001.parquet                                     2.96 MiB      40,000
//! ```

use ratatui::layout::Rect;

use super::page::{self, Line, fact, heading, right};
use crate::app::table::TableView;
use crate::model::actions::{CommitActions, FileAction, FileActions};
use crate::model::calendar::Zone;
use crate::model::commit_view::CommitView;
use crate::model::diff_words::schema_changes;
use crate::model::history::Commit;
use crate::model::metrics::metrics;
use crate::model::operation::Operation;
use crate::model::table_diff::Change;
use crate::model::text::clean;
use crate::model::units;
use crate::ui::canvas::{Canvas, piece};
use crate::ui::theme::Role;
use crate::ui::words::counted;

pub fn commit(canvas: &mut Canvas<'_>, area: Rect, view: &TableView, zone: Zone) {
    let looks = &view.history.looks;
    let area = page::inside(area);
    if page::waits(canvas, area, &looks.commit, "reading the commit") {
        return;
    }
    let Some(opened) = &looks.commit.value else { return };
    let listed = view.history.commit_in_front();
    let lines = lines(opened, listed, zone, area.width);
    let groups = groups(&opened.actions);
    let more = groups.iter().map(|g| g.rows()).sum();
    page::page(canvas, area, &looks.scroll, &lines, more, |canvas, row, at| {
        let mut at = at;
        for group in &groups {
            if at < group.rows() {
                return group.draw(canvas, row, at);
            }
            at -= group.rows();
        }
    });
}

fn lines(view: &CommitView, listed: Option<&Commit>, zone: Zone, width: u16) -> Vec<Line> {
    let said = view.actions.commit(view.version, listed.and_then(|c| c.timestamp), true);
    let operation = Operation::of(said.operation.as_deref(), said.operation_parameters.as_ref());
    let time =
        |t: Option<i64>| t.map_or_else(|| "unknown".into(), |t| format!("{} {}", zone.show(t), zone.name()));
    let mut out = vec![vec![
        piece(format!("v{}  ", view.version), Role::Accent),
        piece(operation.name.clone(), Role::Strong),
    ]];
    let mut add = |label: &str, value: &str, role| out.extend(fact(label, value, role, width));
    for problem in &view.actions.problems {
        add("problem", &format!("✗ {problem}"), Role::Critical);
    }
    if let Some(why) = listed.and_then(|c| c.lost_because.as_deref()) {
        add("readable", &format!("▲ no: {why}"), Role::Warn);
    }
    if !operation.words.is_empty() {
        add("did", &operation.words, Role::Plain);
    }
    add("time", &time(said.timestamp), Role::Plain);
    if said.stated_timestamp.is_some() && said.stated_timestamp != said.timestamp {
        add("stated time", &time(said.stated_timestamp), Role::Plain);
    }
    add("engine", said.engine_info.as_deref().unwrap_or("not stated"), Role::Plain);
    let flag = |f: Option<bool>| match f {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not stated",
    };
    add("data changed", flag(said.data_change), Role::Plain);
    add("blind append", flag(said.is_blind_append), Role::Plain);
    if let Some(text) = &said.user_metadata {
        add("user metadata", text, Role::Plain);
    }
    let figures = said.operation_metrics.as_ref().map(metrics).unwrap_or_default();
    if !figures.is_empty() {
        let words: Vec<String> = figures.iter().map(|m| format!("{} {}", m.label, m.text())).collect();
        add("metrics", &words.join("; "), Role::Plain);
    }
    out.extend(changes(view, width));
    out.extend(other_actions(&view.actions, width));
    out
}

fn changes(view: &CommitView, width: u16) -> Vec<Line> {
    let mut all: Vec<Change> = Vec::new();
    if let Some(diff) = &view.metadata {
        all.extend(schema_changes(&diff.schema_changes));
        all.extend(diff.property_changes.iter().chain(&diff.metadata_changes).cloned());
    }
    all.extend(view.protocol.iter().flatten().cloned());
    let mut out = Vec::new();
    if view.metadata.is_some() || view.protocol.is_some() {
        let what = match (&view.before_unknown, view.version) {
            (Some(_), _) => "Metadata and protocol (what they were before is not known)",
            (None, 0) => "Metadata and protocol at the start",
            _ => "Changed metadata and protocol",
        };
        out.extend(heading(what));
        if all.is_empty() {
            out.push(vec![piece("written again, without a change", Role::Dim)]);
        }
        out.extend(all.iter().flat_map(|c| change(c, width)));
    }
    out
}

/// `name   from → to`, wrapped.
pub(super) fn change(change: &Change, width: u16) -> Vec<Line> {
    let text = match (&change.from, &change.to) {
        (None, Some(to)) => format!("+ {to}"),
        (Some(from), None) => format!("− {from}"),
        (from, to) => {
            let part = |t: &Option<String>| t.clone().unwrap_or_else(|| "–".into());
            format!("{} → {}", part(from), part(to))
        }
    };
    let name = clean(&change.name);
    let wide = usize::from(width);
    let label = crate::model::fit::width(&name).min(wide / 2) + 2;
    let room = wide.saturating_sub(label).max(8);
    let shown = crate::model::fit::fit_middle(&name, label - 2).into_owned();
    let parts = crate::ui::words::wrap(&clean(&text), room);
    let line = |(n, part): (usize, String)| {
        vec![piece(page::pad(if n == 0 { &shown } else { "" }, label), Role::Dim), piece(part, Role::Plain)]
    };
    parts.into_iter().enumerate().map(line).collect()
}

fn other_actions(actions: &CommitActions, width: u16) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    let mut add = |label: &str, value: String| out.extend(fact(label, &value, Role::Plain, width));
    for txn in &actions.txns {
        add("transaction", format!("{} at {}", txn.app_id, txn.version));
    }
    for domain in &actions.domains {
        let what = if domain.removed { "removed".to_owned() } else { domain.configuration.clone() };
        add("domain", format!("{}: {what}", domain.domain));
    }
    for (name, count) in &actions.others {
        add("other", format!("{} {name}", units::count(*count)));
    }
    if !out.is_empty() {
        out.insert(0, Vec::new());
    }
    out
}

/// The files of one kind of action, below a heading.
struct Group<'a> {
    sign: &'static str,
    what: &'static str,
    files: &'a FileActions,
}

fn groups(actions: &CommitActions) -> Vec<Group<'_>> {
    let all = [
        Group { sign: "+", what: "added", files: &actions.added },
        Group { sign: "−", what: "removed", files: &actions.removed },
        Group { sign: "~", what: "of change data", files: &actions.cdc },
    ];
    all.into_iter().filter(|g| g.files.count > 0).collect()
}

impl Group<'_> {
    /// A blank line, the heading, and the files that are kept.
    fn rows(&self) -> usize {
        self.files.kept.len() + 2 + usize::from(self.left_out() > 0)
    }

    fn left_out(&self) -> u64 {
        self.files.count.saturating_sub(self.files.kept.len() as u64)
    }

    fn draw(&self, canvas: &mut Canvas<'_>, row: Rect, at: usize) {
        match at {
            0 => {}
            1 => drop(canvas.put(row.x, row.y, row.width, &self.heading(), Role::Strong)),
            at => match self.files.kept.get(at - 2) {
                Some(file) => self.file(canvas, row, file),
                None => {
                    let text = format!("and {} more", counted(self.left_out(), "file"));
                    canvas.put(row.x, row.y, row.width, &text, Role::Dim);
                }
            },
        }
    }

    fn heading(&self) -> String {
        let sized = match (self.files.without_size, self.files.bytes) {
            (0, bytes) => units::bytes(bytes),
            (n, 0) if n == self.files.count => "size not stated".into(),
            (_, bytes) => format!("at least {}", units::bytes(bytes)),
        };
        let rows = self.files.records().map(|n| format!(", {}", counted(n, "row"))).unwrap_or_default();
        format!("{} {}, {sized}{rows}", counted(self.files.count, "file"), self.what)
    }

    fn file(&self, canvas: &mut Canvas<'_>, row: Rect, file: &FileAction) {
        let known = |n: Option<u64>, show: fn(u64) -> String| n.map_or_else(|| "?".into(), show);
        let size = right(&known(file.size, units::bytes), 10);
        let rows = right(&known(file.live_records(), units::short_count), 9);
        let vector = if file.deletion_vector.is_some() { " DV" } else { "   " };
        let figures = format!("{size}{rows}{vector}");
        let room = row.width.saturating_sub(figures.chars().count() as u16 + 3);
        canvas.put(row.x, row.y, 2, self.sign, Role::Accent);
        canvas.put_path(row.x + 2, row.y, room, &file.path, Role::Plain);
        canvas.put_right(row.x, row.y, row.width, &figures, Role::Dim);
    }
}
