//! What a change would do, worked out before anything is touched. Pure: the advice, the screen and
//! the change engine use the very same planners.
//!
//! Every file of the list is either in exactly one group or left alone for exactly one reason.
//! A group lies within one partition; its rows, and nothing else, go to its outputs.

mod apart;
mod command;
mod compact;
mod cost;
mod each;
mod inputs;
mod pack;
mod reencode;
pub mod repair;
mod report;
mod resize;
mod rewrite;
mod settled;
mod share;
#[cfg(test)]
mod tests;
pub mod vacuum;

use serde::Serialize;

pub use apart::apart;
pub use command::{name_list, names_of, shell_word, shell_words, size_word};
pub use compact::{CompactOptions, compact};
pub use cost::{BYTES_OF_AN_OPENING, Estimate, Machine, estimate};
pub use each::each;
pub use inputs::Scope;
pub use reencode::reencode;
pub use report::{GroupReport, LeftReport, PlanReport};
pub use resize::{resize, resize_and_purge};
pub use rewrite::{RewriteOptions, rewrite};
pub use settled::{TARGET_TAG, without_settled};

/// Files that a plan makes of one file, or by a given number, at most.
pub const MOST_FILES: u64 = 1 << 20;

/// Which change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Small files are merged; good ones are left alone.
    Optimize,
    /// To a number of files, or to a size.
    Rewrite,
}

/// Why a file is not touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftReason {
    /// Not among the files or partitions that were asked for.
    OutOfScope,
    /// Its size is within the band.
    FineSize,
    /// Small, but no other file of its partition could be merged with it.
    OnlySmallFile,
    /// Larger than the band; compaction does not split files.
    TooLarge,
    /// Larger than the band, but too few rows to be split.
    CannotSplit,
    /// So large that it would become more than [`MOST_FILES`] files: its size in the log is hardly true.
    TooManyParts,
    /// It is as wanted already: one of the wanted number of even files, or of the wanted codec.
    AlreadySo,
}

/// Files left alone for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    pub reason: LeftReason,
    pub files: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A file to be written, as predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// Bytes: the inputs' share that is live; the real size depends on how well the rows compress.
    pub bytes: u64,
    /// None if an input's rows are unknown.
    pub rows: Option<u64>,
}

/// Files that are read, and those that take their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Id in the list's partition dictionary.
    pub partition: u32,
    /// Indexes in the file list.
    pub inputs: Vec<u32>,
    /// Bytes of the inputs as they are.
    pub bytes: u64,
    /// Live rows; none if an input lacks the figure.
    pub rows: Option<u64>,
    pub outputs: Vec<Output>,
}

/// A change of the layout: no row is added or lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub operation: Operation,
    pub groups: Vec<Group>,
    /// By reason, without those that hold for no file.
    pub left_alone: Vec<Left>,
}

impl Plan {
    fn new(operation: Operation) -> Self {
        Plan { operation, groups: Vec::new(), left_alone: Vec::new() }
    }

    fn leave(&mut self, reason: LeftReason, files: u64, bytes: u64) {
        if files == 0 {
            return;
        }
        match self.left_alone.iter_mut().find(|l| l.reason == reason) {
            Some(left) => {
                left.files += files;
                left.bytes = left.bytes.saturating_add(bytes);
            }
            None => {
                self.left_alone.push(Left { reason, files, bytes });
                self.left_alone.sort_by_key(|l| l.reason);
            }
        }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    pub fn input_files(&self) -> u64 {
        self.groups.iter().map(|g| g.inputs.len() as u64).sum()
    }

    /// Bytes to read.
    pub fn input_bytes(&self) -> u64 {
        self.groups.iter().fold(0, |sum, g| sum.saturating_add(g.bytes))
    }

    /// Live rows of the inputs; none if a file lacks the figure.
    pub fn input_rows(&self) -> Option<u64> {
        self.groups.iter().try_fold(0u64, |sum, g| g.rows.map(|r| sum.saturating_add(r)))
    }

    pub fn output_files(&self) -> u64 {
        self.groups.iter().map(|g| g.outputs.len() as u64).sum()
    }

    /// Bytes to write, as predicted.
    pub fn output_bytes(&self) -> u64 {
        self.groups.iter().flat_map(|g| &g.outputs).fold(0, |sum, o| sum.saturating_add(o.bytes))
    }

    /// Files that the table has afterwards.
    pub fn files_after(&self) -> u64 {
        self.output_files() + self.left_alone.iter().map(|l| l.files).sum::<u64>()
    }

    /// By how many the files become fewer; negative if they become more.
    pub fn files_saved(&self) -> i64 {
        self.input_files() as i64 - self.output_files() as i64
    }
}
