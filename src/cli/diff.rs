//! `deltop diff`: what changed between two versions.

use std::io::{self, Write};

use serde::Serialize;

use super::call::Call;
use super::output::{self, failed};
use super::text::{self, Column, counted, pairs, table};
use crate::lake::diff::diff;
use crate::model::Outcome;
use crate::model::diff::{Diff, Sum};
use crate::model::diff_rows::{Compared, RowChanges};
use crate::model::diff_words;
use crate::model::recover::Unreadable;
use crate::model::table::AsOf;
use crate::model::units::{bytes, count};

/// The contract's `diff` object; what the commits between say of rows is extra.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(flatten)]
    diff: &'a Diff,
    net_records: Option<i128>,
    row_changes: &'a RowChanges,
    /// The newest version, if it cannot be read; then `latest` is the newest that can.
    newest_unreadable: Option<&'a Unreadable>,
}

/// `latest` is the version that `--as-of` names, if there is one.
pub async fn run(call: &mut Call<'_>, from: AsOf, to: AsOf) -> Outcome<()> {
    let (open, unreadable) = call.past().await?;
    let latest = open.table.version;
    let resolve = |as_of| if as_of == AsOf::Latest { AsOf::Version(latest) } else { as_of };
    let Compared { diff: found, rows } = diff(&open, resolve(from), resolve(to), call.watch).await?;
    if call.format.is_text() {
        text::newest_unreadable(call.out, unreadable.as_ref(), latest).map_err(failed)?;
        return write_text(call.out, &found, &rows).map_err(failed);
    }
    let newest_unreadable = unreadable.as_ref();
    let answer =
        Answer { net_records: found.net_records(), row_changes: &rows, diff: &found, newest_unreadable };
    output::object(call.out, call.format, &answer)
}

/// Partitions that the text names; JSON has them all.
const PARTITIONS: usize = 40;

fn write_text(out: &mut dyn Write, diff: &Diff, rows: &RowChanges) -> io::Result<()> {
    writeln!(out, "v{} to v{}: {}\n", diff.from, diff.to, diff_words::verdict(diff))?;
    let columns = [Column::left(""), Column::right("files"), Column::right("bytes"), Column::right("rows")];
    let sums = [("added", diff.added), ("removed", diff.removed), ("unchanged", diff.unchanged)];
    table(out, &columns, sums.iter().map(|(name, sum)| sum_row((*name).to_owned(), sum)))?;
    writeln!(out)?;
    pairs(out, &facts(diff, rows))?;
    let changes = diff_words::changes(diff);
    if !changes.is_empty() {
        writeln!(out)?;
        let columns = [Column::left("changed"), Column::left("from"), Column::left("to")];
        let cell = |t: &Option<String>| t.clone().unwrap_or_else(|| "-".into());
        table(out, &columns, changes.iter().map(|c| vec![c.name.clone(), cell(&c.from), cell(&c.to)]))?;
    }
    if !diff.partitions.is_empty() {
        writeln!(out)?;
        let columns = [
            Column::left("partition"),
            Column::right("+files"),
            Column::right("-files"),
            Column::right("+bytes"),
            Column::right("-bytes"),
            Column::right("unchanged files"),
        ];
        let shown = diff.partitions.iter().take(PARTITIONS).map(|p| {
            vec![
                diff_words::partition(&p.partition_values),
                count(p.added.files),
                count(p.removed.files),
                bytes(p.added.bytes),
                bytes(p.removed.bytes),
                count(p.unchanged.files),
            ]
        });
        table(out, &columns, shown)?;
        let more = diff.partitions.len().saturating_sub(PARTITIONS) as u64;
        if more > 0 {
            writeln!(out, "and {} more", counted(more, "partition"))?;
        }
    }
    Ok(())
}

fn sum_row(name: String, sum: &Sum) -> Vec<String> {
    vec![name, count(sum.files), bytes(sum.bytes), sum.records.map_or("?".into(), count)]
}

fn facts(diff: &Diff, rows: &RowChanges) -> Vec<(&'static str, String)> {
    let known = |n: Option<u64>| n.map_or("?".into(), count);
    let mut out = vec![
        ("rows", format!("{} before, {} after", known(diff.num_records.0), known(diff.num_records.1))),
        ("by the commits", diff_words::rows(rows)),
    ];
    if diff.vectors_changed.files > 0 {
        let v = &diff.vectors_changed;
        let text = format!(
            "changed on {}: {} rows deleted before, {} after",
            counted(v.files, "file"),
            count(v.deleted_records_before),
            count(v.deleted_records_after)
        );
        out.push(("deletion vectors", text));
    }
    out
}
