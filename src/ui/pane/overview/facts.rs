//! What else is known of the table, a label a line.

use super::Line;
use crate::app::summary::Summary;
use crate::app::table::TableView;
use crate::model::table::Table;
use crate::model::text::clean;
use crate::model::units;
use crate::ui::canvas::piece;
use crate::ui::theme::Role;
use crate::ui::words::{counted, wrap_within};

/// Columns of the labels.
const LABEL: usize = 12;

/// Lines of a text at most; `i` shows all of it.
const MOST: usize = 3;

/// A label and its text, wrapped below itself.
fn fact(out: &mut Vec<Line>, width: u16, label: &str, text: &str, role: Role) {
    let text = clean(text);
    let room = usize::from(width).saturating_sub(LABEL + 1);
    for (n, line) in wrap_within(&text, room, MOST).into_iter().enumerate() {
        let label = if n == 0 { label } else { "" };
        out.push(vec![piece(format!("{label:LABEL$} "), Role::Dim), piece(line, role)]);
    }
}

pub(super) fn facts(view: &TableView, table: &Table, width: u16) -> Vec<Line> {
    let mut out = Vec::new();
    let metadata = &table.metadata;
    let mut add = |label: &str, text: String| fact(&mut out, width, label, &text, Role::Plain);
    let summary = view.summary.as_deref();
    if let Some(spread) = summary.and_then(spread) {
        add("file size", spread);
    }
    add("partitions", partitions(table, summary, view.summary_is_final()));
    if let Some(s) = summary.filter(|s| s.total.vectors > 0) {
        let (vectors, rows) = (counted(s.total.vectors, "deletion vector"), s.total.deleted_rows);
        add("deleted rows", format!("{} in {vectors}", units::count(rows)));
    }
    if let Some(t) = view.files.value.as_ref().and_then(|f| f.tombstones) {
        let unsized_ = if t.without_size > 0 {
            format!(" ({} of unknown size)", units::count(t.without_size))
        } else {
            String::new()
        };
        add(
            "tombstones",
            format!("{}, {}{unsized_}", counted(t.files, "removed file"), units::bytes(t.bytes)),
        );
    }
    add("log", log(table));
    let (p, features) = (&table.protocol, table.protocol.features());
    let named = if features.is_empty() { String::new() } else { format!(" · {}", features.join(", ")) };
    add("protocol", format!("reader {}, writer {}{named}", p.min_reader, p.min_writer));
    add("columns", units::count(metadata.schema.len() as u64));
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
