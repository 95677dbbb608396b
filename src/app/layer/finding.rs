//! One finding with all that is behind it.

use super::detail::{DetailLayer, DetailRow};
use crate::advice::{Action, Finding};
use crate::model::units::{bytes, count};

/// The window's content; its text scrolls as details do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingLayer {
    pub finding: Finding,
    pub detail: DetailLayer,
}

impl FindingLayer {
    /// `table_bytes`: of all active files.
    pub fn new(finding: &Finding, table_bytes: Option<u64>) -> Self {
        let mut d = DetailLayer::new(&format!("{} · {}", finding.severity, finding.id));
        d.row("finding", finding.title.clone());
        d.row("evidence", finding.evidence.clone());
        d.row("impact", finding.impact.clone());
        match &finding.action {
            Some(action) => {
                d.rows.extend(afterwards(action, table_bytes));
                let label = if action.command.is_some() { "command" } else { "what to do" };
                d.row(label, action.text().to_owned());
            }
            None => d.row("command", "none: this is not mended by a command"),
        }
        d.row("source", finding.source);
        FindingLayer { finding: finding.clone(), detail: d }
    }

    /// The command line that would show the plan.
    pub fn command(&self) -> Option<&str> {
        self.finding.action.as_ref()?.command.as_deref()
    }
}

/// What the plan leaves. The average is that of the present bytes: the target is only what the files
/// aim at, and a partition with little in it has smaller ones.
fn afterwards(action: &Action, table_bytes: Option<u64>) -> Option<DetailRow> {
    let files = action.target_files?;
    let s = if files == 1 { "" } else { "s" };
    let average = table_bytes.and_then(|all| all.checked_div(files));
    let average = average.map(|n| format!(" of ~{} on average", bytes(n))).unwrap_or_default();
    let target = action.target_file_size.map(|n| format!("; the target is {}", bytes(n)));
    let text = format!("{} file{s}{average}{}", count(files), target.unwrap_or_default());
    Some(DetailRow::Value("afterwards".into(), Some(text)))
}
