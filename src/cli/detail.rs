//! `deltop detail`: DESCRIBE DETAIL and more.

use std::io::{self, Write};

use super::call::Call;
use super::output::{self, failed};
use super::text::{counted, pairs};
use crate::advice::{Facts, Grade, advise};
use crate::lake::evidence::What;
use crate::model::Outcome;
use crate::model::detail::Detail;
use crate::model::evidence::Evidence;
use crate::model::units::{bytes, count, percent, screen_time};

pub async fn run(call: &mut Call<'_>) -> Outcome<()> {
    let found = call.evidence(&What::standard()).await?;
    let tombstones = found.tombstones.unwrap_or_default();
    let mut detail = Detail::new(&found.table, &found.files, tombstones, &found.warnings);
    let grade = Grade::of(&advise(&Facts::of(&found, &call.thresholds)));
    detail.grade = Some(grade.letter.to_string());
    if call.format.is_text() {
        write_text(call.out, &found, &detail).map_err(failed)
    } else {
        output::object(call.out, call.format, &detail)
    }
}

fn write_text(out: &mut dyn Write, found: &Evidence, d: &Detail) -> io::Result<()> {
    let table = &found.table;
    let rows = d.num_records.map_or("rows unknown".into(), |n| counted(n, "row"));
    let average = d.avg_file_size_in_bytes.map_or(String::new(), |n| format!("   average {}", bytes(n)));
    let headline = format!(
        "{}   v{}   {}   {}   {rows}{average}",
        table.name,
        d.version,
        counted(d.num_files, "file"),
        bytes(d.size_in_bytes)
    );
    writeln!(out, "{}", crate::model::text::clean(&headline))?;
    for warning in &d.warnings {
        writeln!(out, "warning: {}", crate::model::text::clean(warning))?;
    }
    writeln!(out)?;
    pairs(out, &lines(found, d))
}

fn lines(found: &Evidence, d: &Detail) -> Vec<(&'static str, String)> {
    let table = &found.table;
    let time = |ms: Option<i64>| ms.map_or("unknown".into(), |ms| format!("{} UTC", screen_time(ms)));
    let list = |names: &[String]| if names.is_empty() { "none".into() } else { names.join(", ") };
    let grade = d.grade.as_deref().unwrap_or("unknown");
    let unseen = if found.data_not_looked_at().is_some() { "; data files were not looked at" } else { "" };
    let mut lines = vec![
        ("Grade", format!("{grade}   (deltop advise says why{unseen})")),
        ("Location", d.location.clone()),
        ("Id", d.id.clone()),
        ("Name", d.name.clone().unwrap_or_else(|| "none".into())),
        ("Created", time(table.metadata.created)),
        ("Last change", time(table.modified)),
        ("File sizes", sizes(d)),
        ("Partitions", partitions(d)),
        ("Clustering", list(&d.clustering_columns)),
        ("Deletion vectors", vectors(d)),
        ("Tombstones", sum(d.tombstones.num_files, d.tombstones.size_in_bytes)),
        ("Log", log(d)),
        ("Protocol", format!("reader {}, writer {}", d.min_reader_version, d.min_writer_version)),
        ("Features", list(&d.table_features)),
    ];
    if let Some(text) = &d.description {
        lines.insert(4, ("Description", text.clone()));
    }
    let limited: Vec<&str> = d.features.iter().filter(|(_, s)| !s.sql).map(|(n, _)| n.as_str()).collect();
    if !limited.is_empty() {
        lines.push(("No SQL here", format!("because of {}", limited.join(", "))));
    }
    let property = |(key, value): (&String, &String)| ("Property", format!("{key} = {value}"));
    lines.extend(d.properties.iter().map(property));
    lines
}

fn sum(files: u64, size: u64) -> String {
    format!("{}, {}", counted(files, "file"), bytes(size))
}

fn sizes(d: &Detail) -> String {
    match (d.min_file_size_in_bytes, d.median_file_size_in_bytes, d.max_file_size_in_bytes) {
        (Some(min), Some(median), Some(max)) => {
            format!("{} to {}, median {}", bytes(min), bytes(max), bytes(median as u64))
        }
        _ => "no files".into(),
    }
}

fn partitions(d: &Detail) -> String {
    match d.partition_columns.len() {
        0 => "none".into(),
        _ => format!("{} by {}", count(d.num_partitions), d.partition_columns.join(", ")),
    }
}

fn vectors(d: &Detail) -> String {
    if d.num_deletion_vectors == 0 {
        return "none".into();
    }
    let all = d.num_records.map(|n| n + d.num_deleted_rows);
    let share =
        all.map_or(String::new(), |all| format!(", {} of all rows", percent(d.num_deleted_rows, all)));
    let files = counted(d.num_deletion_vectors, "file");
    format!("in {files}, {} deleted{share}", counted(d.num_deleted_rows, "row"))
}

fn log(d: &Detail) -> String {
    let checkpoint = match d.log.last_checkpoint_version {
        Some(version) => {
            format!("checkpoint at v{version}, {} since", counted(d.log.commits_since_checkpoint, "commit"))
        }
        None => "no checkpoint".into(),
    };
    format!("{}, {checkpoint}, {}", counted(d.log.num_commits, "commit"), bytes(d.log.size_in_bytes))
}
