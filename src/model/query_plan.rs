//! How a query runs: which files of which tables it reads, and its plan as a tree.

use serde::Serialize;

use super::units::{bytes, count, duration, percent};

/// A query's plan. After ANALYZE with what each part did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QueryPlan {
    /// One for each time that the query reads a table.
    pub scans: Vec<Scan>,
    /// From the top down, each before what it reads from.
    pub nodes: Vec<Node>,
    /// How long the query ran; none if it did not run.
    pub millis: Option<u64>,
    /// Rows of the result; none if it did not run.
    pub rows: Option<u64>,
}

/// Files and their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    pub files: u64,
    pub bytes: u64,
}

/// Parts of files that were looked at, and those of them that need not be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pruned {
    pub total: u64,
    pub pruned: u64,
}

/// One reading of a table, from all its files to those that are read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scan {
    pub table: String,
    /// None for files without a log.
    pub version: Option<u64>,
    pub total: Share,
    /// What partition values leave; none if the table has no partitions.
    pub after_partitions: Option<Share>,
    /// What statistics leave: the files that are read.
    pub after_statistics: Share,
    /// The condition that was handed to the table, in SQL; none without one.
    pub predicate: Option<String>,
    /// The rows are counted from the log alone: no data file is read.
    pub from_log: bool,
    /// The engine has no minimum and maximum of any file: it cannot read all statistics of the table, and
    /// so was given none.
    #[serde(skip)]
    pub without_statistics: bool,
    /// The condition may hold for NaN, which bounds leave out: by a part of it no file was skipped.
    #[serde(skip)]
    pub may_be_nan: bool,
    /// The partition that all files read are of, as `year=2024/month=6`; none if there are several.
    pub partition: Option<String>,
    pub files: Vec<FileFate>,
    /// After ANALYZE, in the files read.
    pub row_groups: Option<Pruned>,
    pub pages: Option<Pruned>,
    pub bytes_read: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileFate {
    pub path: String,
    pub bytes: u64,
    pub kept: bool,
    /// What dropped it: `partition` or `statistics`; none for one that is read.
    pub reason: Option<&'static str>,
    /// From its footer, if that was looked at.
    #[serde(skip)]
    pub row_groups: Option<RowGroups>,
}

/// The row groups of a file, and those that its reader does not skip by their statistics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowGroups {
    pub total: u64,
    pub kept: u64,
    /// Compressed bytes of those that are kept, all columns.
    #[serde(skip)]
    pub kept_bytes: u64,
}

/// A step of the plan.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Steps above it.
    pub depth: usize,
    /// The engine's name, such as `HashJoinExec`.
    pub name: String,
    /// What it does, in the engine's words.
    pub detail: String,
    /// After ANALYZE: rows that it gave, and its own time over all threads.
    pub rows: Option<u64>,
    pub nanos: Option<u64>,
    /// The step that took most of the time.
    pub slow: bool,
    /// Other figures by their names.
    pub metrics: Vec<(String, String)>,
    /// Of [`QueryPlan::scans`], if it reads the files of one.
    #[serde(skip)]
    pub scan: Option<usize>,
}

impl Scan {
    /// Files that are read, and how large a part of the table that is.
    pub fn sentence(&self) -> String {
        let (kept, total) = (self.after_statistics, self.total);
        let name = match self.version {
            Some(version) => format!("{} v{version}", self.table),
            None => self.table.clone(),
        };
        if self.from_log {
            return format!("{name}: answered from the log, no data file is read");
        }
        if kept.files == 0 && total.files > 0 {
            return format!("{name}: reads no file, the condition excludes all {}", files(total.files));
        }
        let of = format!("{} ({})", files(total.files), bytes(total.bytes));
        if kept.files == total.files {
            return format!("{name}: reads all of {of}");
        }
        let part = percent(kept.bytes, total.bytes);
        let only = self.partition.as_ref().map(|p| format!(" only {p}:")).unwrap_or_default();
        format!("{name}: reads{only} {} of {of}, {part} of the bytes", count(kept.files))
    }

    /// The stages of the funnel: what it is, what stays, what made it so.
    pub fn stages(&self) -> Vec<(&'static str, String, String)> {
        let share = |s: Share| format!("{:>7}  {:>10}", count(s.files), bytes(s.bytes));
        let mut out = vec![("all files", share(self.total), String::new())];
        if let Some(after) = self.after_partitions {
            out.push(("after partitions", share(after), dropped(self.total, after)));
        }
        if !self.from_log {
            let before = self.after_partitions.unwrap_or(self.total);
            out.push((
                "after statistics",
                share(self.after_statistics),
                dropped(before, self.after_statistics),
            ));
        }
        let parts = [("row groups", self.row_groups), ("pages", self.pages)];
        for (name, pruned) in parts.into_iter().filter_map(|(name, p)| Some((name, p?))) {
            if pruned.total == 0 {
                continue;
            }
            let kept = pruned.total.saturating_sub(pruned.pruned);
            let text = format!("{} of {} skipped", count(pruned.pruned), count(pruned.total));
            out.push((name, format!("{:>7}  {:>10}", count(kept), ""), text));
        }
        if let Some(read) = self.bytes_read {
            out.push(("bytes read", format!("{:>7}  {:>10}", "", bytes(read)), String::new()));
        }
        out
    }
}

fn dropped(before: Share, after: Share) -> String {
    match before.files.saturating_sub(after.files) {
        0 => "none dropped".into(),
        n => format!("{} dropped", count(n)),
    }
}

fn files(n: u64) -> String {
    if n == 1 { "1 file".into() } else { format!("{} files", count(n)) }
}

impl QueryPlan {
    /// The funnels, in lines.
    pub fn reads(&self) -> Vec<String> {
        let mut out = Vec::new();
        for scan in &self.scans {
            out.push(scan.sentence());
            if let Some(predicate) = &scan.predicate {
                out.push(format!("  condition         {predicate}"));
            }
            for (name, share, why) in scan.stages() {
                out.push(format!("  {name:<18}{share}   {why}").trim_end().to_owned());
            }
        }
        if out.is_empty() {
            out.push("No table is read.".into());
        }
        out
    }

    /// The tree, in lines; after ANALYZE with rows and time before each step.
    pub fn tree(&self) -> Vec<String> {
        let ran = self.millis.is_some();
        let mut out = Vec::with_capacity(self.nodes.len() + 1);
        if ran {
            out.push(format!("{:>12}  {:>9}", "rows", "time"));
        }
        for node in &self.nodes {
            let mut line = String::new();
            if ran {
                let rows = node.rows.map_or_else(String::new, count);
                let time = node.nanos.map_or_else(String::new, short_time);
                let mark = if node.slow { "◀ slow " } else { "" };
                line.push_str(&format!("{rows:>12}  {time:>9}  {mark}"));
            }
            line.push_str(&"  ".repeat(node.depth));
            line.push_str(&node.name);
            if !node.detail.is_empty() {
                line.push_str(": ");
                line.push_str(&node.detail);
            }
            out.push(line);
        }
        out
    }

    /// Marks the step that took most of the time, if one stands out: at least a third of it all.
    pub fn mark_slow(&mut self) {
        let all: u64 = self.nodes.iter().filter_map(|n| n.nanos).sum();
        let Some(most) = self.nodes.iter_mut().max_by_key(|n| n.nanos) else { return };
        most.slow = most.nanos.is_some_and(|n| n > 0 && n >= all / 3) && all > 0;
    }
}

/// Times below a millisecond in microseconds.
pub fn short_time(nanos: u64) -> String {
    match nanos {
        0..1_000_000 => format!("{} µs", nanos / 1_000),
        _ => duration(nanos / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(total: u64, partitions: Option<u64>, kept: u64) -> Scan {
        let share = |files| Share { files, bytes: files * 1024 };
        Scan {
            table: "sales".into(),
            version: Some(7),
            total: share(total),
            after_partitions: partitions.map(share),
            after_statistics: share(kept),
            ..Scan::default()
        }
    }

    #[test]
    fn sentences() {
        let few = Scan { partition: Some("year=2024/month=6".into()), ..scan(400, Some(10), 3) };
        assert_eq!(
            few.sentence(),
            "sales v7: reads only year=2024/month=6: 3 of 400 files (400 KiB), 0.8 % of the bytes"
        );
        assert_eq!(scan(1, None, 1).sentence(), "sales v7: reads all of 1 file (1.00 KiB)");
        assert_eq!(
            scan(9, None, 0).sentence(),
            "sales v7: reads no file, the condition excludes all 9 files"
        );
        let counted = Scan { from_log: true, ..scan(9, None, 9) };
        assert_eq!(counted.sentence(), "sales v7: answered from the log, no data file is read");
    }

    #[test]
    fn stages_tell_what_dropped_files() {
        let names: Vec<_> = scan(400, Some(10), 3).stages().iter().map(|s| (s.0, s.2.clone())).collect();
        assert_eq!(
            names,
            [
                ("all files", String::new()),
                ("after partitions", "390 dropped".to_owned()),
                ("after statistics", "7 dropped".to_owned())
            ]
        );
    }

    #[test]
    fn the_slow_step_stands_out_or_none_is_marked() {
        let node = |nanos| Node { nanos: Some(nanos), ..Node::default() };
        let mut plan = QueryPlan { nodes: vec![node(10), node(80), node(10)], ..QueryPlan::default() };
        plan.mark_slow();
        assert_eq!(plan.nodes.iter().map(|n| n.slow).collect::<Vec<_>>(), [false, true, false]);
        let mut even = QueryPlan { nodes: (0..10).map(|_| node(10)).collect(), ..QueryPlan::default() };
        even.mark_slow();
        assert!(even.nodes.iter().all(|n| !n.slow));
    }
}
