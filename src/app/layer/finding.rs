//! One finding with all that is behind it.

use super::detail::DetailLayer;
use crate::advice::Finding;

/// The window's content; its text scrolls as details do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingLayer {
    pub finding: Finding,
    pub detail: DetailLayer,
}

impl FindingLayer {
    pub fn new(finding: &Finding) -> Self {
        let mut d = DetailLayer::new(&format!("{} · {}", finding.severity, finding.id));
        d.row("finding", finding.title.clone());
        d.row("evidence", finding.evidence.clone());
        d.row("impact", finding.impact.clone());
        match &finding.action {
            Some(action) => {
                if let Some(files) = action.target_files {
                    d.row("files then", crate::model::units::count(files));
                }
                if let Some(size) = action.target_file_size {
                    d.row("file size then", format!("about {}", crate::model::units::bytes(size)));
                }
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
