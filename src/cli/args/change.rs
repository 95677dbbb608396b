//! Arguments of the commands that change a table.

use clap::{Args, ValueEnum};

use super::At;

/// What all changes take.
#[derive(Debug, Args)]
pub struct ChangeArgs {
    /// Carry the plan out (with --allow-writes); without it the plan is shown
    #[arg(long)]
    pub yes: bool,

    /// Memory for the work, such as 512MB, at least 64MB; by default the setting tune.memory
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<u64>,

    /// Commit finished work whenever so many bytes of input files are done
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub batch_bytes: Option<u64>,
}

/// Which files a rewrite takes, and how it writes.
#[derive(Debug, Args)]
pub struct LayoutArgs {
    /// Only files of partitions for which this SQL condition holds
    #[arg(long = "where", value_name = "PREDICATE")]
    pub condition: Option<String>,

    /// Sort rows by these columns within a partition; all files in scope are rewritten. A name with a
    /// comma stands in double quotes
    #[arg(long, value_name = "A,B", conflicts_with = "zorder")]
    pub sort_by: Option<String>,

    /// Lay rows along the Z-order curve of these columns; all files in scope are rewritten
    #[arg(long, value_name = "A,B")]
    pub zorder: Option<String>,

    /// The new files' codec (zstd unless asked otherwise); files that are fine but for that are
    /// rewritten too, those that have it are left alone
    #[arg(long, value_enum)]
    pub codec: Option<CodecArg>,

    /// Rows of a row group at most (1048576 unless asked otherwise)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub row_group_rows: Option<u64>,

    /// Also rewrite files with a deletion vector
    #[arg(long)]
    pub purge: bool,

    /// Also rewrite files without the statistics that the table's properties ask for
    #[arg(long)]
    pub stats: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CodecArg {
    Zstd,
    Snappy,
    Gzip,
    Lz4,
    Uncompressed,
    /// What the old files have
    Source,
}

#[derive(Debug, Args)]
pub struct OptimizeArgs {
    #[command(flatten)]
    pub at: At,

    /// The size of new files, such as 128MB; by default what suits the table's size
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub target_size: Option<u64>,

    #[command(flatten)]
    pub layout: LayoutArgs,

    #[command(flatten)]
    pub change: ChangeArgs,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("goal").required(true).args(["files", "target_size", "each_file"]))]
pub struct RewriteArgs {
    #[command(flatten)]
    pub at: At,

    /// Exactly N files in all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub files: Option<u64>,

    /// N files in each partition instead
    #[arg(long, requires = "files")]
    pub per_partition: bool,

    /// Files of about this size, such as 128MB; those between half and twice of it are left alone
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub target_size: Option<u64>,

    /// Each file by itself: those that --purge, --codec, --row-group-rows or --stats ask for
    #[arg(long)]
    pub each_file: bool,

    #[command(flatten)]
    pub layout: LayoutArgs,

    #[command(flatten)]
    pub change: ChangeArgs,
}

#[derive(Debug, Args)]
pub struct UndoArgs {
    #[command(flatten)]
    pub at: At,

    /// Take back all rewrites from this version on
    #[arg(long, value_name = "VERSION")]
    pub to_before: Option<u64>,

    /// Carry the plan out (with --allow-writes); without it the plan is shown
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct RepairArgs {
    #[command(flatten)]
    pub at: At,

    /// Carry the plan out (with --allow-writes); without it the plan is shown
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct VacuumArgs {
    #[command(flatten)]
    pub at: At,

    /// Keep what was removed in the last so many hours; as a rule the table's own property says it
    #[arg(long, value_name = "HOURS")]
    pub retain: Option<u64>,

    /// Also unused files that the log no longer names; lists the whole folder
    #[arg(long)]
    pub full: bool,

    /// Permit less than 168 hours, or than the table's own retention: running queries and writers
    /// may then lose files that they need
    #[arg(long)]
    pub below_safe_retention: bool,

    /// With --full, also old files that no commit still in the log refers to
    #[arg(long, requires = "full")]
    pub include_never_referenced: bool,

    /// Carry the plan out (with --allow-writes); without it the plan is shown
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct CleanStagedArgs {
    #[command(flatten)]
    pub at: At,

    /// Remove them (with --allow-writes); without it they are listed
    #[arg(long)]
    pub yes: bool,
}

/// Bytes of a size such as `128MB`.
fn size(text: &str) -> Result<u64, String> {
    match crate::model::target::parse_size(text) {
        Some(bytes) if bytes > 0 => Ok(bytes),
        _ => Err("a size is a number of bytes, or one with KB, MB, GB or TB (binary units)".to_owned()),
    }
}

fn memory(text: &str) -> Result<u64, String> {
    let least = crate::model::change::LEAST_MEMORY;
    match size(text)? {
        bytes if bytes >= least => Ok(bytes),
        _ => Err("rewriting takes at least 64MB: one row group in and one out".to_owned()),
    }
}
