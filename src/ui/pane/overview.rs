//! The table at a glance: its figures, what is odd, how large its files are, the facts, the last commits.
//!
//! ```text
//!  128 files   3.11 GiB   1.30 G rows   average 24.9 MiB   24 partitions
//!
//!  ▲ checkpoint 30 is damaged; the state comes from checkpoint 20 and the commits after it
//!
//!  Files by size   recommended ┃ 64–256 MiB
//!      16–64 MiB │██████████████████████       128   3.11 GiB
//!
//!  partitions   24 by year, month
//!  protocol     reader 3, writer 7 · deletionVectors
//! ```

use ratatui::layout::Rect;

use super::histogram;
use super::history::operation;
use crate::app::summary::Summary;
use crate::app::table::TableView;
use crate::model::features;
use crate::model::histogram::By;
use crate::model::table::Table;
use crate::model::text::clean;
use crate::model::{fit, units};
use crate::ui::canvas::{Canvas, Piece, inset, piece, pieces_width};
use crate::ui::theme::Role;
use crate::ui::{list, notice};

type Line = Vec<Piece>;

/// Columns of the facts' labels.
const LABEL: usize = 12;
/// Two columns of blocks from this width on.
const WIDE: u16 = 150;

pub fn overview(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let Some(table) = &view.table.value else { return };
    let area = inset(area, 2);
    let area = Rect { width: area.width.saturating_sub(1), ..area };
    let mut lines = headline(view, table, area.width);
    lines.extend(attention(view, table, area.width));
    if area.width >= WIDE {
        let width = (area.width - 4) / 2;
        let mut left = sizes(view, width);
        left.push(Vec::new());
        let room = usize::from(area.height).saturating_sub(lines.len() + left.len() + 2);
        left.extend(commits(view, width, room.clamp(5, 20)));
        let right = facts(view, table, width);
        lines.extend(beside(left, right, width));
    } else {
        lines.extend(sizes(view, area.width));
        lines.push(Vec::new());
        lines.extend(facts(view, table, area.width));
        lines.push(Vec::new());
        let room = usize::from(area.height).saturating_sub(lines.len() + 2);
        lines.extend(commits(view, area.width, room.clamp(5, 20)));
    }
    list::text(canvas, area, &view.overview.scroll, lines.len(), |canvas, row, at| {
        canvas.line(row.x, row.y, row.width, &lines[at]);
    });
}

/// The left block's lines with the right block's beside them.
fn beside(left: Vec<Line>, right: Vec<Line>, width: u16) -> Vec<Line> {
    let rows = left.len().max(right.len());
    let mut right = right.into_iter();
    let mut left = left.into_iter();
    (0..rows)
        .map(|_| {
            let mut line = left.next().unwrap_or_default();
            let used = pieces_width(&line);
            line.push(piece(" ".repeat(usize::from(width + 4).saturating_sub(used)), Role::Plain));
            line.extend(right.next().unwrap_or_default());
            line
        })
        .collect()
}

/// The figures that matter most, or what is known of them so far; broken where there is no room.
fn headline(view: &TableView, table: &Table, width: u16) -> Vec<Line> {
    let mut figures: Vec<Line> = Vec::new();
    let mut add = |strong: String, dim: &str| {
        figures.push(vec![piece(strong, Role::Strong), piece(dim, Role::Dim)]);
    };
    let plural = |n: u64, what: &str| format!(" {what}{}", if n == 1 { "" } else { "s" });
    match (&view.summary, table.stated) {
        (Some(s), stated) if view.summary_is_final() || stated.is_none() => {
            let total = s.total;
            add(units::count(total.files), &plural(total.files, "file"));
            add(units::bytes(total.bytes), "");
            match total.rows() {
                Some(rows) => add(units::short_count(rows), &plural(rows, "row")),
                None if total.known_rows == 0 => add("?".into(), " rows (the log does not state them)"),
                None if width < 70 => {
                    add(format!("at least {}", units::short_count(total.known_rows)), " rows")
                }
                None => {
                    let n = total.files_without_rows;
                    let (count, s) = (units::count(n), if n == 1 { " does" } else { "s do" });
                    let least = units::short_count(total.known_rows);
                    add(format!("at least {least}"), &format!(" rows ({count} file{s} not state them)"));
                }
            }
            if let Some(average) = total.average() {
                add(units::bytes(average), " average file");
            }
            if !s.tree.columns.is_empty() {
                add(units::count(s.partitions), &plural(s.partitions, "partition"));
            }
        }
        (_, Some(stated)) => {
            add(units::count(stated.files), &plural(stated.files, "file"));
            if let Some(bytes) = stated.bytes {
                add(units::bytes(bytes), "");
                if let Some(average) = bytes.checked_div(stated.files) {
                    add(units::bytes(average), " average file");
                }
            }
            add(String::new(), "(stated by the log, being checked)");
        }
        _ => {}
    }
    let mut lines = vec![Vec::new()];
    lines.extend(flow(figures, "   ", width));
    if !view.files.complete && view.files.fault.is_none() {
        lines.push(notice::progress(view.files.progress.as_ref(), "reading the files", width));
    }
    lines.push(Vec::new());
    lines
}

/// Groups of pieces one after the other, on as many lines as they need.
fn flow(groups: Vec<Line>, gap: &str, width: u16) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut used = 0;
    for group in groups {
        let needs = pieces_width(&group);
        match lines.last_mut().filter(|_| used + gap.len() + needs <= usize::from(width)) {
            Some(line) => {
                line.push(piece(gap, Role::Plain));
                line.extend(group);
                used += gap.len() + needs;
            }
            None => {
                used = needs;
                lines.push(group);
            }
        }
    }
    lines
}

/// What is odd, and what failed.
fn attention(view: &TableView, table: &Table, width: u16) -> Vec<Line> {
    let mut out = Vec::new();
    let mut add = |mark: &str, role, text: &str| {
        let text = clean(text);
        for (n, line) in fit::wrap(&text, usize::from(width).saturating_sub(2)).into_iter().enumerate() {
            out.push(vec![piece(if n == 0 { mark } else { "  " }, role), piece(line, Role::Plain)]);
        }
    };
    if let Some(fault) = &view.files.fault {
        let partial = if view.files.value.is_some() { " The figures are partial." } else { "" };
        add("✗ ", Role::Critical, &format!("Files: {fault}.{partial} r reads again."));
        if !fault.hint.is_empty() {
            add("  ", Role::Plain, &fault.hint);
        }
    }
    if let Some(fault) = &view.table.fault {
        add(
            "✗ ",
            Role::Critical,
            &format!("Refresh: {fault}. What is shown was read before; r tries again."),
        );
    }
    let files = view.files.value.as_ref().map(|f| f.warnings.as_slice()).unwrap_or_default();
    for warning in table.warnings.iter().chain(files) {
        add("▲ ", Role::Warn, warning);
    }
    for name in table.protocol.features() {
        let support = features::support(&name);
        let lacks = if support.name.is_empty() {
            "is not known here: it can be looked at only"
        } else if !support.sql {
            "cannot be queried by SQL here"
        } else {
            continue;
        };
        add("▲ ", Role::Warn, &format!("table feature {name} {lacks}"));
    }
    if !out.is_empty() {
        out.push(Vec::new());
    }
    out
}

fn sizes(view: &TableView, width: u16) -> Vec<Line> {
    let Some(summary) = &view.summary else {
        let text =
            if view.files.fault.is_some() { "no files were read" } else { "waiting for the files …" };
        return vec![vec![piece("Files by size", Role::Strong)], vec![piece(format!("  {text}"), Role::Dim)]];
    };
    let histogram = match view.overview.by {
        By::Size => &summary.by_size,
        By::Rows => &summary.by_rows,
    };
    let mut out = histogram::lines(histogram, width);
    if !view.summary_is_final() {
        let of = units::count(summary.total.files);
        if let Some(heading) = out.first_mut() {
            heading.push(piece(format!("   first {of} files"), Role::Warn));
        }
    }
    out
}

/// A label and its text, wrapped below itself.
fn fact(out: &mut Vec<Line>, width: u16, label: &str, text: &str, role: Role) {
    let text = clean(text);
    let room = usize::from(width).saturating_sub(LABEL + 1);
    for (n, line) in fit::wrap(&text, room).into_iter().enumerate() {
        let label = if n == 0 { label } else { "" };
        out.push(vec![piece(format!("{label:LABEL$} "), Role::Dim), piece(line, role)]);
    }
}

fn facts(view: &TableView, table: &Table, width: u16) -> Vec<Line> {
    let mut out = Vec::new();
    let metadata = &table.metadata;
    let mut add = |label: &str, text: String| fact(&mut out, width, label, &text, Role::Plain);
    let summary = view.summary.as_deref();
    if let Some(spread) = summary.and_then(spread) {
        add("file size", spread);
    }
    add("partitions", partitions(table, summary, view.summary_is_final()));
    if let Some(s) = summary.filter(|s| s.total.vectors > 0) {
        let (n, rows) = (units::count(s.total.vectors), units::count(s.total.deleted_rows));
        add("deleted rows", format!("{rows} in {n} deletion vectors"));
    }
    if let Some(t) = view.files.value.as_ref().and_then(|f| f.tombstones) {
        let unsized_ = if t.without_size > 0 {
            format!(" ({} of unknown size)", units::count(t.without_size))
        } else {
            String::new()
        };
        add(
            "tombstones",
            format!("{} removed files, {}{unsized_}", units::count(t.files), units::bytes(t.bytes)),
        );
    }
    add("log", log(table));
    let (p, features) = (&table.protocol, table.protocol.features());
    let named = if features.is_empty() { String::new() } else { format!(" · {}", features.join(", ")) };
    add("protocol", format!("reader {}, writer {}{named}", p.min_reader, p.min_writer));
    add("columns", format!("{}", metadata.schema.len()));
    if !metadata.configuration.is_empty() {
        let pairs: Vec<String> = metadata.configuration.iter().map(|(k, v)| format!("{k}={v}")).collect();
        add("properties", pairs.join("  "));
    }
    if let Some(text) = &metadata.description {
        add("description", text.clone());
    }
    for txn in &table.txns {
        add("application", format!("{} at version {}", txn.app_id, txn.version));
    }
    add("location", table.location.clone());
    let created =
        metadata.created.map(|t| format!("   created {} UTC", units::screen_time(t))).unwrap_or_default();
    add("id", format!("{}{created}", metadata.id));
    out
}

fn spread(summary: &Summary) -> Option<String> {
    let total = summary.total;
    let median = summary.median_size.filter(|_| total.files > 1)?;
    Some(format!(
        "smallest {} · median {} · largest {}",
        units::bytes(total.min),
        units::bytes(median as u64),
        units::bytes(total.max)
    ))
}

fn partitions(table: &Table, summary: Option<&Summary>, is_final: bool) -> String {
    let columns = &table.metadata.partition_columns;
    let clustering = table.clustering_columns();
    let clustered = if clustering.is_empty() {
        String::new()
    } else {
        format!(" · clustered by {}", clustering.join(", "))
    };
    if columns.is_empty() {
        return format!("none{clustered}");
    }
    let n =
        summary.filter(|_| is_final).map(|s| format!("{} ", units::count(s.partitions))).unwrap_or_default();
    format!("{n}by {}{clustered}", columns.join(", "))
}

fn log(table: &Table) -> String {
    let log = &table.log;
    let since = log.commits_since_checkpoint(table.version);
    let s = |n: u64| if n == 1 { "" } else { "s" };
    let checkpoint = match log.last_checkpoint {
        Some(v) => format!("checkpoint at v{v}, {} commit{} since", units::count(since), s(since)),
        None => "no checkpoint".into(),
    };
    let first = log.first_commit.map(|v| format!(" from v{v}")).unwrap_or_default();
    let commits = format!("{} commit{}{first}", units::count(log.commits), s(log.commits));
    format!("{commits} · {checkpoint} · {}", units::bytes(log.bytes))
}

/// The newest commits, one a line.
fn commits(view: &TableView, width: u16, most: usize) -> Vec<Line> {
    let mut out = vec![vec![piece("Last commits", Role::Strong), piece("   5 shows all", Role::Dim)]];
    let commits = view.history.commits();
    if commits.is_empty() {
        let text = match &view.history.load.fault {
            Some(fault) => format!("  ✗ {fault}"),
            None if view.history.load.complete => "  none in the log folder".into(),
            None => "  reading …".into(),
        };
        out.push(vec![piece(text, Role::Dim)]);
    }
    for c in commits.iter().take(most) {
        let mut line = vec![piece(format!("{:>6}  ", format!("v{}", c.version)), Role::Plain)];
        if width >= 60 {
            let time = c.timestamp.map_or_else(|| "?".into(), units::screen_time);
            line.push(piece(format!("{time:19}  "), Role::Dim));
        }
        let figures = format!("+{} −{} files", units::count(c.added_files), units::count(c.removed_files));
        line.push(piece(format!("{figures:<16}  "), Role::Plain));
        line.extend(operation(c));
        out.push(line);
    }
    out
}
