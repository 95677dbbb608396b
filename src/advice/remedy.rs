//! What mends a finding: a command of this program that works on the table as it is, else what to do
//! in its place, in words.

use super::facts::Facts;
use super::finding::Action;
use super::rules::{missing_files, unreadable_files, wrong_figures};
use super::words::some;
use crate::model::gate;
use crate::model::plan::{shell_word, size_word};
use crate::model::target::size_target;

/// What a rewrite leaves.
#[derive(Clone, Copy, Default)]
struct After {
    files: Option<u64>,
    file_size: Option<u64>,
}

impl Facts<'_> {
    /// `deltop COMMAND LOCATION REST`.
    fn command(&self, command: &str, rest: &str) -> String {
        let space = if rest.is_empty() { "" } else { " " };
        format!("deltop {command} {}{space}{rest}", shell_word(&self.table.location))
    }

    /// The table as Spark's SQL names it by its path.
    pub(super) fn sql_name(&self) -> String {
        format!("delta.`{}`", self.table.location.replace('`', "``"))
    }

    /// The table as a string of Python.
    pub(super) fn python_name(&self) -> String {
        let inner = self.table.location.replace('\\', r"\\").replace('"', "\\\"");
        format!("DeltaTable(\"{inner}\")")
    }

    /// Merges small files. `optimize` aims at the table's own target; another one is named.
    pub(super) fn compact_action(&self) -> Option<Action> {
        let own = size_target(&self.table.metadata, self.sum.bytes).target == self.target.target;
        let plan = if own { self.compaction() } else { self.resizing() };
        let command = if own { self.command("optimize", "") } else { self.resize_command("") };
        let outcome = After { files: Some(plan.files_after()), file_size: Some(self.target.target) };
        self.rewriting(command, Some("OPTIMIZE"), outcome)
    }

    /// Merges small files and splits large ones.
    pub(super) fn resize_action(&self) -> Option<Action> {
        let outcome =
            After { files: Some(self.resizing().files_after()), file_size: Some(self.target.target) };
        self.rewriting(self.resize_command(""), Some("OPTIMIZE"), outcome)
    }

    fn resize_command(&self, options: &str) -> String {
        let space = if options.is_empty() { "" } else { " " };
        self.command("rewrite", &format!("--target-size {}{space}{options}", size_word(self.target.target)))
    }

    /// Drops deleted rows; `files`: what is left.
    pub(super) fn purge_action(&self, files: u64) -> Option<Action> {
        let outcome = After { files: Some(files), file_size: Some(self.target.target) };
        self.rewriting(self.command("optimize", "--purge"), Some("REORG TABLE … APPLY (PURGE)"), outcome)
    }

    /// Rewrites every file with other options: into as many as there are where their sizes are fine,
    /// else also to the size that suits the table, so that one rewrite mends both.
    pub(super) fn rewrite_all_action(&self, options: &str, elsewhere: Option<&str>) -> Option<Action> {
        if self.compaction().is_empty() && self.resizing().is_empty() {
            let files = self.sum.files;
            let command = self.command("rewrite", &format!("--files {files} {options}"));
            return self.rewriting(command, elsewhere, After { files: Some(files), file_size: None });
        }
        let outcome =
            After { files: Some(self.resizing().files_after()), file_size: Some(self.target.target) };
        self.rewriting(self.resize_command(options), elsewhere, outcome)
    }

    /// Sorts all rows by columns, into files of the size that suits the table where they are not so.
    pub(super) fn sort_action(&self, columns: &str, elsewhere: Option<&str>) -> Option<Action> {
        let options = format!("--sort-by {columns}");
        if self.compaction().is_empty() && self.resizing().is_empty() {
            return self.rewrite_all_action(&options, elsewhere);
        }
        let target = self.target.target.max(1);
        // As the change engine counts them: each partition's bytes by the target, rounded, at least one.
        let parts = |bytes: u64| (bytes.saturating_add(target / 2) / target).max(1);
        let files = match self.table.metadata.partition_columns.is_empty() {
            true => parts(self.sum.bytes),
            false => self.tree.leaves().map(|leaf| parts(leaf.measures.bytes)).sum(),
        };
        let outcome = After { files: Some(files), file_size: Some(target) };
        self.rewriting(self.resize_command(&options), elsewhere, outcome)
    }

    /// A rewrite of data. `elsewhere`: what other engines call it.
    fn rewriting(&self, command: String, elsewhere: Option<&str>, outcome: After) -> Option<Action> {
        let features = self.blocking_features();
        let instructions = if let Some(rule) = self.damage() {
            Some(format!("nothing before {rule} is mended: a rewrite has to read the files, and would fail"))
        } else if self.table.metadata.schema_problem.is_some() {
            Some(
                "nothing before the table has a schema that can be read: no engine can rewrite it".to_owned(),
            )
        } else if features.is_empty() {
            None
        } else {
            let what = elsewhere.map(|what| format!(" ({})", self.statement(what))).unwrap_or_default();
            Some(format!(
                "let the engine that owns the table do it{what}: this program does not rewrite a table with {}",
                some(&features, 3)
            ))
        };
        let After { files: target_files, file_size: target_file_size } = outcome;
        let command = instructions.is_none().then_some(command);
        Some(Action { command, target_files, target_file_size, instructions })
    }

    fn statement(&self, what: &str) -> String {
        match what.split_once('…') {
            Some((before, after)) => format!("{before}{}{after}", self.sql_name()),
            None => format!("{what} {}", self.sql_name()),
        }
    }

    /// Deletes files that are out of use. Not while files in use are missing: what was removed may be
    /// needed to bring them back.
    pub(super) fn vacuum_action(&self, options: &str) -> Option<Action> {
        let features = self.features_against(gate::Action::Vacuum);
        if let Some(rule) = self.damage() {
            return in_words(format!(
                "nothing before {rule} is mended: an earlier version may still have what is lost, and needs \
                 the removed files"
            ));
        }
        if !features.is_empty() {
            return in_words(format!(
                "let the engine that owns the table do it (VACUUM {}): this program does not vacuum a table \
                 with {}",
                self.sql_name(),
                some(&features, 3)
            ));
        }
        self.simple(self.command("vacuum", options))
    }

    /// Removes rows that were doubled.
    pub(super) fn repair_action(&self) -> Option<Action> {
        self.simple(self.command("repair", ""))
    }

    fn simple(&self, command: String) -> Option<Action> {
        let command = Some(command);
        Some(Action { command, target_files: None, target_file_size: None, instructions: None })
    }

    /// Table properties, to be set by another engine.
    pub(super) fn set_property(&self, name: &str, value: &str) -> Option<Action> {
        in_words(format!(
            "in Spark: ALTER TABLE {} SET TBLPROPERTIES ('{name}' = '{value}')",
            self.sql_name()
        ))
    }

    /// The rule that found files which keep everything from being rewritten; none if there are none
    /// among those that were looked at.
    fn damage(&self) -> Option<&'static str> {
        let footers = self.footers?;
        if footers.failures.missing().files + footers.vectors.files() > 0 {
            return Some(missing_files::ID);
        }
        if footers.failures.files() > 0 {
            return Some(unreadable_files::ID);
        }
        (footers.wrong_rows.files > 0).then_some(wrong_figures::ID)
    }
}

/// What to do where no command of this program does it.
pub(super) fn in_words(instructions: String) -> Option<Action> {
    let instructions = Some(instructions);
    Some(Action { command: None, target_files: None, target_file_size: None, instructions })
}
