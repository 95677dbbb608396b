//! What is good or bad about a layout: one rule a file. Pure.
//!
//! [`Facts`] holds what is known of a table; [`advise`] asks each rule of [`rules::RULES`]; a rule
//! whose facts are unknown stays silent. [`Grade`] sums the findings up. Thresholds are those of a
//! reader [`Profile`], and all of them can be set.
//!
//! Texts may quote names and values from the table: whoever prints them passes them through
//! [`crate::model::text::clean`].

mod facts;
mod finding;
mod grade;
mod profile;
mod remedy;
mod rules;
#[cfg(test)]
pub(crate) mod tests;
mod thresholds;
mod words;

pub use facts::Facts;
pub use finding::{Action, Finding, Severity};
pub use grade::Grade;
pub use profile::Profile;
pub use rules::{RULES, Rule};
pub use thresholds::{Changes, Thresholds};

/// The findings, the most severe first; none for a healthy table.
pub fn advise(facts: &Facts<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| (rule.check)(facts)).collect();
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    findings
}
