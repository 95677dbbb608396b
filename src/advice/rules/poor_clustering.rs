use std::borrow::Cow;

use crate::advice::words::{plural, share};
use crate::advice::{Facts, Finding, Severity};
use crate::model::clustering::Clustering;
use crate::model::evidence::ColumnClustering;
use crate::model::units::bytes;

pub(super) const ID: &str = "poor-clustering";
const SOURCE: &str = "Delta and Fabric docs, clustering: average overlap depth 1 is ideal, re-cluster \
    with 4 files or more above an overlap of 0.75";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let keys = facts.table.clustering_columns();
    let columns = measured(facts, &keys)?;
    if keys.is_empty() { unclustered(facts, &columns) } else { clustered(facts, &keys, &columns) }
}

/// What was measured already, else the clustering columns from their statistics.
fn measured<'f>(facts: &Facts<'f>, keys: &[String]) -> Option<Cow<'f, [ColumnClustering]>> {
    if let Some(known) = facts.clustering {
        return Some(Cow::Borrowed(known));
    }
    let stats = facts.stats?;
    let columns = keys.iter().filter_map(|k| stats.column(k));
    Some(Cow::Owned(
        columns.map(|c| ColumnClustering { column: c.name.clone(), clustering: Clustering::of(c) }).collect(),
    ))
}

fn clustered(facts: &Facts<'_>, keys: &[String], columns: &[ColumnClustering]) -> Option<Finding> {
    let limits = facts.limits;
    // The first key decides most: later ones order only within it.
    let first = columns.iter().find(|c| keys.first() == Some(&c.column))?;
    let measure = &first.clustering;
    let overlap = measure.overlap_ratio()?;
    if measure.known_files < limits.clustering_min_files || overlap <= limits.clustering_overlap {
        return None;
    }
    Some(Finding {
        id: ID,
        severity: Severity::Warning,
        title: format!("Files overlap on the clustering column {}", first.column),
        evidence: format!(
            "a file meets {} of the others; average depth {:.1}, maximum {} of {}{}",
            share(overlap),
            measure.avg_depth?,
            measure.max_depth?,
            plural(measure.known_files, "file"),
            unknown(measure),
        ),
        impact: reads(measure),
        action: sort_action(facts, keys),
        source: SOURCE,
    })
}

fn unclustered(facts: &Facts<'_>, columns: &[ColumnClustering]) -> Option<Finding> {
    let limits = facts.limits;
    let small =
        facts.sum.bytes < limits.clustering_min_bytes || facts.sum.files < limits.clustering_min_files;
    if small || !facts.table.metadata.partition_columns.is_empty() {
        return None;
    }
    let mut ranked: Vec<(f64, &ColumnClustering)> = columns
        .iter()
        .filter(|c| c.clustering.known_files > 0)
        .filter_map(|c| Some((c.clustering.range_read_share?, c)))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (best, column) = ranked.first()?;
    if *best <= limits.clustering_best_share {
        return None;
    }
    let names: Vec<String> = ranked.iter().map(|(s, c)| format!("{} {}", c.column, share(*s))).collect();
    Some(Finding {
        id: ID,
        severity: Severity::Info,
        title: "No column tells the files apart".into(),
        evidence: format!(
            "share of files that a 1 % range reads, best first: {}; {} in {}",
            crate::advice::words::some(&names, 5),
            bytes(facts.sum.bytes),
            plural(facts.sum.files, "file"),
        ),
        impact: format!(
            "filters skip few files; sorting by the column that queries filter on most lets them skip; {}",
            reads(&column.clustering)
        ),
        action: None,
        source: SOURCE,
    })
}

fn reads(measure: &Clustering) -> String {
    match (measure.point_read_share, measure.range_read_share) {
        (Some(point), Some(range)) => format!(
            "a single value is expected to read {} of the files, a 1 % range {}; sorting rewrites the \
                whole table",
            share(point),
            share(range)
        ),
        _ => "sorting rewrites the whole table".into(),
    }
}

fn unknown(measure: &Clustering) -> String {
    if measure.unknown_files == 0 {
        return String::new();
    }
    format!("; {} with unknown bounds", plural(measure.unknown_files, "file"))
}

fn sort_action(facts: &Facts<'_>, keys: &[String]) -> Option<crate::advice::Action> {
    let keys = crate::model::plan::shell_word(&keys.join(","));
    facts.sort_action(&keys, Some("OPTIMIZE"))
}
