//! One letter for a table's state, as a pure function of its findings.

use serde::Serialize;

use super::finding::{Finding, Severity};

/// * `A`: nothing above info.
/// * `B`: one or two warnings.
/// * `C`: three or more warnings, or one critical finding.
/// * `D`: two critical findings.
/// * `F`: three or more, or rows are wrong or lost (`double-rewrite`, `missing-files`, critical
///   `unreadable-files`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Grade {
    pub letter: char,
    /// The findings that made it so, the most severe first: `critical small-files: …`.
    pub reasons: Vec<String>,
}

/// Rules that find rows wrong or lost.
const ROWS: [&str; 3] = ["double-rewrite", "missing-files", "unreadable-files"];

impl Grade {
    pub fn of(findings: &[Finding]) -> Self {
        let count = |s: Severity| findings.iter().filter(|f| f.severity == s).count();
        let (critical, warnings) = (count(Severity::Critical), count(Severity::Warning));
        let wrong = findings.iter().any(|f| f.severity == Severity::Critical && ROWS.contains(&f.id));
        let letter = match (critical, warnings) {
            _ if wrong => 'F',
            (3.., _) => 'F',
            (2, _) => 'D',
            (1, _) | (0, 3..) => 'C',
            (0, 1 | 2) => 'B',
            (0, 0) => 'A',
        };
        let mut worst: Vec<&Finding> = findings.iter().filter(|f| f.severity > Severity::Info).collect();
        worst.sort_by_key(|f| std::cmp::Reverse(f.severity));
        let reasons = worst.iter().map(|f| format!("{} {}: {}", f.severity, f.id, f.title)).collect();
        Grade { letter, reasons }
    }
}
