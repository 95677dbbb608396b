//! What could not be read, and why: counted by cause, the first ones kept by name.

use std::collections::BTreeMap;

use serde::Serialize;

use super::grow;

/// At most so many files are kept by name; all are counted.
pub const KEPT_PROBLEMS: usize = 100;

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    pub code: &'static str,
    pub reason: String,
}

/// What the log says of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stated {
    pub bytes: u64,
    /// Rows, deleted ones included; none if the log does not tell.
    pub rows: Option<u64>,
}

/// Files that could not be read, by cause.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failures {
    /// By the fault's code, such as `not-found`.
    pub by_code: BTreeMap<&'static str, FailureSum>,
    /// The first [`KEPT_PROBLEMS`] of them, by path.
    pub problems: BTreeMap<String, Problem>,
}

/// What the log says of the files that failed for one reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FailureSum {
    pub files: u64,
    pub bytes: u64,
    pub known_rows: u64,
    pub files_without_rows: u64,
}

impl Failures {
    pub fn add(&mut self, path: &str, stated: Stated, problem: Problem) {
        self.by_code.entry(problem.code).or_default().add(&FailureSum {
            files: 1,
            bytes: stated.bytes,
            known_rows: stated.rows.unwrap_or(0),
            files_without_rows: u64::from(stated.rows.is_none()),
        });
        self.keep(path, problem);
    }

    fn keep(&mut self, path: &str, problem: Problem) {
        let known = self.problems.entry(path.to_owned()).or_insert_with(|| problem.clone());
        if problem < *known {
            *known = problem;
        }
        if self.problems.len() > KEPT_PROBLEMS {
            self.problems.pop_last();
        }
    }

    pub fn merge(&mut self, other: &Failures) {
        other.by_code.iter().for_each(|(code, sum)| self.by_code.entry(code).or_default().add(sum));
        other.problems.iter().for_each(|(path, problem)| self.keep(path, problem.clone()));
    }

    /// Files that are not there.
    pub fn missing(&self) -> FailureSum {
        self.of(|code| code == NOT_FOUND)
    }

    /// Files that are there, as far as one knows, and cannot be read.
    pub fn unreadable(&self) -> FailureSum {
        self.of(|code| code != NOT_FOUND)
    }

    /// The sum over the causes that are meant.
    pub fn of(&self, meant: impl Fn(&str) -> bool) -> FailureSum {
        let mut sum = FailureSum::default();
        self.by_code.iter().filter(|(code, _)| meant(code)).for_each(|(_, s)| sum.add(s));
        sum
    }

    /// All of them.
    pub fn files(&self) -> u64 {
        self.by_code.values().map(|s| s.files).sum()
    }
}

/// The code of a fault for what is not there.
pub const NOT_FOUND: &str = "not-found";

impl FailureSum {
    fn add(&mut self, other: &FailureSum) {
        self.files += other.files;
        grow(&mut self.bytes, other.bytes);
        grow(&mut self.known_rows, other.known_rows);
        self.files_without_rows += other.files_without_rows;
    }

    /// Rows of all these files; none if the log does not tell those of one.
    pub fn rows(&self) -> Option<u64> {
        (self.files_without_rows == 0).then_some(self.known_rows)
    }
}

/// Files of which the log says one figure and the file another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differences {
    pub files: u64,
    /// Sums over these files: what the log says, and what the files say.
    pub stated: u64,
    pub real: u64,
    /// The first [`KEPT_PROBLEMS`] of them: the two figures by path.
    pub examples: BTreeMap<String, (u64, u64)>,
}

impl Differences {
    /// Compares a file's two figures.
    pub fn add(&mut self, path: &str, stated: u64, real: u64) {
        if stated == real {
            return;
        }
        self.files += 1;
        grow(&mut self.stated, stated);
        grow(&mut self.real, real);
        self.keep(path, (stated, real));
    }

    fn keep(&mut self, path: &str, figures: (u64, u64)) {
        let known = self.examples.entry(path.to_owned()).or_insert(figures);
        *known = figures.min(*known);
        if self.examples.len() > KEPT_PROBLEMS {
            self.examples.pop_last();
        }
    }

    pub fn merge(&mut self, other: &Differences) {
        self.files += other.files;
        grow(&mut self.stated, other.stated);
        grow(&mut self.real, other.real);
        other.examples.iter().for_each(|(path, figures)| self.keep(path, *figures));
    }
}
