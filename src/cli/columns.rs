//! `deltop columns`: what is known of each column, and which would make good partition columns.

mod candidates;

use std::io::{self, Write};

use super::args::ColumnsArgs;
use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, counted, table};
use crate::lake::evidence::{Columns, Footers, What};
use crate::model::Outcome;
use crate::model::clustering::Clustering;
use crate::model::column_report::{ColumnReport, Edge, column_reports};
use crate::model::column_roles::Role;
use crate::model::evidence::Evidence;
use crate::model::rollup::Measures;
use crate::model::text::clean;
use crate::model::units::{bytes, count, percent};

pub async fn run(call: &mut Call<'_>, args: &ColumnsArgs) -> Outcome<()> {
    if args.candidates {
        return candidates::run(call).await;
    }
    let footers = Footers::asked(args.footers);
    let found = call.evidence(&What { columns: Columns::All, footers, ..What::default() }).await?;
    let reports = column_reports(&found, args.nested);
    if call.format.is_text() {
        return write_text(call.out, &found, &reports).map_err(failed);
    }
    output::array(call.out, call.format, reports)
}

fn write_text(out: &mut dyn Write, found: &Evidence, reports: &[ColumnReport]) -> io::Result<()> {
    let metadata = &found.table.metadata;
    let columns = counted(metadata.schema.len() as u64, "column");
    writeln!(out, "{columns}   {}", counted(found.files.len() as u64, "file"))?;
    if let Some(problem) = &metadata.schema_problem {
        writeln!(out, "warning: {}", clean(problem))?;
    }
    if found.columns_left_out > 0 {
        let left = counted(found.columns_left_out, "column");
        writeln!(out, "The statistics of {left} were not read: there are too many files for all.")?;
    }
    writeln!(out)?;
    let mapped = reports.iter().any(|c| c.depth == 0 && c.physical_name != c.name);
    let physical = mapped.then(|| [Column::left("physical name"), Column::right("id")]);
    let mut shown = vec![Column::left("name"), Column::left("type"), Column::left("null")];
    shown.extend(physical.into_iter().flatten());
    shown.extend([
        Column::right("statistics"),
        Column::right("nulls"),
        Column::left("min"),
        Column::left("max"),
        Column::right("bytes"),
        Column::right("depth"),
        Column::right("max depth"),
        Column::right("one value"),
        Column::right("1 % range"),
        Column::left("role"),
    ]);
    let sum = Measures::of(&found.files);
    table(out, &shown, reports.iter().map(|c| row(c, mapped, &sum)))?;
    writeln!(
        out,
        "\nstatistics: share of the files that have them. depth, max depth: how many files share a value of a \
         file's\nrange, on average and at most; 1 is ideal. one value, 1 % range: share of the files that such a \
         filter\nis expected to read."
    )
}

fn row(c: &ColumnReport, mapped: bool, sum: &Measures) -> Vec<String> {
    let unknown = || "?".to_owned();
    // Types without an order have no such statistics.
    let ordered = c.stats_files.is_some();
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| if ordered { unknown() } else { "–".into() });
    let name = format!("{:indent$}{}", "", c.name, indent = 2 * c.depth);
    let mut row = vec![name, c.data_type.clone(), if c.nullable { "yes" } else { "no" }.into()];
    if mapped {
        row.extend([c.physical_name.clone(), c.field_id.map_or_else(unknown, |id| id.to_string())]);
    }
    let physical_rows = sum.rows().map(|rows| rows + sum.deleted_rows);
    let share = |of: Option<f64>| or_dash(of.map(|s| percent((s * 1e6).round() as u64, 1_000_000)));
    let measure = c.clustering.as_ref();
    let of = |f: fn(&Clustering) -> Option<f64>| share(measure.and_then(f));
    row.extend([
        or_dash(c.stats_files.map(|n| percent(n, sum.files))),
        match c.null_count.zip(physical_rows) {
            Some((nulls, all)) => percent(nulls, all),
            // A struct's nulls are not counted.
            None if c.data_type.starts_with("struct") => "–".into(),
            None => unknown(),
        },
        or_dash(edge(c.min.as_ref(), c.tight_bounds)),
        or_dash(edge(c.max.as_ref(), c.tight_bounds)),
        match (c.compressed_bytes, c.estimated_bytes) {
            (Some(exact), _) => bytes(exact),
            (None, Some(about)) => format!("~{}", bytes(about)),
            (None, None) => unknown(),
        },
        or_dash(measure.and_then(|m| m.avg_depth).map(|d| format!("{d:.1}"))),
        or_dash(measure.and_then(|m| m.max_depth).map(count)),
        of(|m| m.point_read_share),
        of(|m| m.range_read_share),
        c.roles.iter().map(|r: &Role| r.name()).collect::<Vec<_>>().join(", "),
    ]);
    row
}

/// Columns of text that a value gets.
const WIDEST: usize = 26;

/// A bound that need not be a value of a row has a `~`.
fn edge(edge: Option<&Edge>, tight: Option<bool>) -> Option<String> {
    let text = edge?.text();
    let mark = if tight == Some(false) { "~" } else { "" };
    let short: String = text.chars().take(WIDEST).collect();
    let cut = if short.len() < text.len() { "…" } else { "" };
    Some(format!("{mark}{short}{cut}"))
}
