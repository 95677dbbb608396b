//! The one definition of the command line: parser, help, man page and completions come from it.

mod change;

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use change::{
    ChangeArgs, CleanStagedArgs, CodecArg, LayoutArgs, OptimizeArgs, RepairArgs, RewriteArgs, UndoArgs,
    VacuumArgs,
};

use super::files::FileColumn;
use crate::advice::{Profile, Severity};
use crate::model::table::AsOf;

const AFTER_HELP: &str = "\
LOCATION is a path, an s3://, abfss://, az:// or gs:// URL, or a name from the configuration.
A folder named like a command is reached as ./NAME.

Exit status: 0 done; 1 a finding of check; 2 usage or invalid SQL; 3 cannot read (missing, permission, damaged, not a
table); 4 a table feature that is not supported; 5 refused; 6 another writer got in between;
7 a change or writing failed; 130 cancelled.

Start with: deltop demo";

/// htop for Delta Lake tables
///
/// Shows how a Delta table is laid out: detail, files, partitions, history, SQL. Without a command
/// it opens the screen; the commands give the same figures as text or JSON.
#[derive(Debug, Parser)]
#[command(name = "deltop", version, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Cli {
    /// What to open on the screen: a table, a folder or container of tables, or a configured name
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub location: Option<String>,

    #[command(flatten)]
    pub common: Common,

    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Flags that may stand before or after a command and its arguments.
#[derive(Debug, Clone, Default, Args)]
pub struct Common {
    /// Look at this version, or at the newest one not after this time (UTC)
    #[arg(long, global = true, value_name = "VERSION|TIME", help_heading = "Common options")]
    pub as_of: Option<AsOf>,

    /// A storage option such as AWS_REGION=eu-west-1; may be repeated
    // Split later: a parser's error would quote the value, which may be a credential.
    #[arg(long = "option", global = true, value_name = "KEY=VALUE", help_heading = "Common options")]
    pub options: Vec<String>,

    /// Seconds between two looks for newer commits on the screen; 0 switches it off
    #[arg(long, global = true, value_name = "SECONDS", help_heading = "Common options")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub interval: Option<u32>,

    /// Answer in JSON, errors too
    #[arg(long, global = true, help_heading = "Common options")]
    pub json: bool,

    /// Answer in JSON, one line for each element of an array
    #[arg(long, global = true, help_heading = "Common options")]
    pub ndjson: bool,

    /// No colours (also: the variable NO_COLOR)
    #[arg(long, global = true, help_heading = "Common options")]
    pub no_color: bool,

    /// Only ASCII characters for bars, lines and marks
    #[arg(long, global = true, help_heading = "Common options")]
    pub ascii: bool,

    /// Who reads the table: spark, databricks, fabric-sql, direct-lake, duckdb, delta-rs. The advice
    /// goes by it
    #[arg(long, global = true, value_name = "NAME", help_heading = "Common options")]
    pub profile: Option<Profile>,

    /// Permit changes to tables; without it everything is read-only
    #[arg(long, global = true, help_heading = "Common options")]
    pub allow_writes: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// What the table is and how it is laid out: DESCRIBE DETAIL and more
    Detail(At),
    /// The active files
    Files(FilesArgs),
    /// How the files' sizes are spread, and the band in which they should be
    Histogram(HistogramArgs),
    /// Files, bytes and rows of each partition
    Partitions(PartitionsArgs),
    /// The columns: the part that each plays, its statistics, how well they tell the files apart
    Columns(ColumnsArgs),
    /// Parquet internals: of one file its row groups and column chunks, of a table all its footers
    /// summed up
    Footer(FooterArgs),
    /// Which files a condition leaves to be read, and why each one stays or goes
    Prune(PruneArgs),
    /// What is wrong with the table, how one knows, what it costs, and what mends it
    Advise(AdviseArgs),
    /// The same for scripts: exits with 1 if a finding is as severe as said
    Check(CheckArgs),
    /// The versions, newest first
    History(HistoryArgs),
    /// What changed between two versions
    Diff(DiffArgs),
    /// How the table grew, and how it is written
    Trends(TrendsArgs),
    /// How far back time travel reaches, what the next vacuum and log clean-up would end, what
    /// keeping the history costs
    Retention(RetentionArgs),
    /// The first rows
    Preview(PreviewArgs),
    /// Runs SQL over a table (named t and by its own name) or a folder of tables (each by its name)
    Sql(SqlArgs),
    /// Deletes files that no version in use needs: shows which, and with --yes does it
    Vacuum(VacuumArgs),
    /// Removes the rows that a second rewrite of the same files doubled: shows how, and with --yes
    /// does it
    Repair(RepairArgs),
    /// The tables in a folder or container
    Ls(At),
    /// Merges small files: shows the plan; with --yes and --allow-writes carries it out
    Optimize(OptimizeArgs),
    /// Rewrites to a number of files, or to a size: shows the plan; with --yes and --allow-writes
    /// carries it out
    Rewrite(RewriteArgs),
    /// Takes back the last rewrite; what others committed since stays
    Undo(UndoArgs),
    /// Lists staged files that a crashed change has left behind; with --yes and --allow-writes
    /// removes those that no version refers to
    CleanStaged(CleanStagedArgs),
    /// Makes a small, badly laid out lakehouse to try things on, and opens it
    Demo(DemoArgs),
    /// The configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Prints completions for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Prints the manual page (roff)
    Man,
}

impl Command {
    /// The location that the command is about; none for those that are about none.
    pub fn at(&self) -> Option<&At> {
        match self {
            Command::Detail(at) | Command::Ls(at) => Some(at),
            Command::Columns(args) => Some(&args.at),
            Command::Files(args) => Some(&args.at),
            Command::Histogram(args) => Some(&args.at),
            Command::Partitions(args) => Some(&args.at),
            Command::Footer(args) => Some(&args.at),
            Command::Advise(args) => Some(&args.at),
            Command::Prune(args) => Some(&args.at),
            Command::Check(args) => Some(&args.advise.at),
            Command::History(args) => Some(&args.at),
            Command::Diff(args) => Some(&args.at),
            Command::Trends(args) => Some(&args.at),
            Command::Retention(args) => Some(&args.at),
            Command::Preview(args) => Some(&args.at),
            Command::Sql(args) => Some(&args.at),
            Command::Vacuum(args) => Some(&args.at),
            Command::Repair(args) => Some(&args.at),
            Command::Optimize(args) => Some(&args.at),
            Command::Rewrite(args) => Some(&args.at),
            Command::Undo(args) => Some(&args.at),
            Command::CleanStaged(args) => Some(&args.at),
            Command::Demo(_) | Command::Config(_) | Command::Completions { .. } | Command::Man => None,
        }
    }

    /// Whether it changes tables: then it is not dropped in the middle of a commit.
    pub fn changes(&self) -> bool {
        if let Command::Sql(args) = self {
            return args.yes;
        }
        matches!(
            self,
            Command::Optimize(_)
                | Command::Rewrite(_)
                | Command::Undo(_)
                | Command::Vacuum(_)
                | Command::Repair(_)
                | Command::CleanStaged(_)
        )
    }
}

/// The table that a command is about.
#[derive(Debug, Clone, Args)]
pub struct At {
    /// A path, a URL, or a configured name
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub location: String,
}

#[derive(Debug, Args)]
pub struct FilesArgs {
    #[command(flatten)]
    pub at: At,

    /// Largest, most rows, or newest first; paths from A to Z. Files that lack the figure come last
    #[arg(long, value_enum, value_name = "KEY")]
    pub sort: Option<SortKey>,

    /// Turns the order round
    #[arg(long)]
    pub reverse: bool,

    /// Only the first N files
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// Only these columns, in this order; what is not asked for is not read
    #[arg(long, value_enum, value_name = "A,B", value_delimiter = ',')]
    pub columns: Vec<FileColumn>,

    /// Only files for which this SQL condition holds, over path, sizeInBytes, numRecords,
    /// modificationTime and the partition columns
    #[arg(long = "where", value_name = "PREDICATE")]
    pub condition: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SortKey {
    Size,
    Rows,
    Modified,
    Path,
}

#[derive(Debug, Args)]
pub struct HistogramArgs {
    #[command(flatten)]
    pub at: At,

    /// What to count by
    #[arg(long, value_enum, default_value = "size")]
    pub by: HistogramBy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HistogramBy {
    Size,
    Rows,
}

#[derive(Debug, Args)]
pub struct PartitionsArgs {
    #[command(flatten)]
    pub at: At,

    /// Sum up below the first N partition columns
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    /// By their values (from A to Z), or by a figure, the largest first
    #[arg(long, value_enum, value_name = "KEY")]
    pub sort: Option<PartitionSort>,

    /// Turns the order round
    #[arg(long)]
    pub reverse: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PartitionSort {
    Value,
    Bytes,
    Files,
    Rows,
    Average,
    Smallest,
    Largest,
}

#[derive(Debug, Args)]
pub struct ColumnsArgs {
    #[command(flatten)]
    pub at: At,

    /// The fields of structs too
    #[arg(long)]
    pub nested: bool,

    /// Bytes a column from the footers of at most N files. Without it they are read where there are
    /// 100 files or fewer; 0 reads none
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000")]
    pub footers: Option<usize>,

    /// Which columns would make good partition columns: values, bytes a value, and the verdict. Where
    /// statistics do not tell, 8192 rows of 16 files at most are looked at
    #[arg(long, conflicts_with_all = ["nested", "footers"])]
    pub candidates: bool,
}

#[derive(Debug, Args)]
pub struct FooterArgs {
    /// The table, or any parquet file
    #[command(flatten)]
    pub at: At,

    /// One data file: its path in the table, as `files` gives it
    #[arg(value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub file: Option<String>,

    /// Of a table with more files, read a sample of N, evenly spread by size
    #[arg(long, value_name = "N", default_value_t = 10_000, conflicts_with = "file")]
    pub sample: usize,
}

#[derive(Debug, Args)]
pub struct PruneArgs {
    #[command(flatten)]
    pub at: At,

    /// A condition in SQL over the table's columns
    #[arg(value_name = "PREDICATE", allow_hyphen_values = true)]
    pub predicate: String,

    /// Look into the footers of at most N of the files that are left: which row groups are read.
    /// Without it they are looked into where there are 100 files or fewer; 0 reads none
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000")]
    pub footers: Option<usize>,

    /// Show the fate of only N files; JSON has all
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
}

#[derive(Debug, Args)]
pub struct AdviseArgs {
    #[command(flatten)]
    pub at: At,

    /// Read footers too, of at most N files. Without it they are read where there are 100 files or
    /// fewer; 0 reads none
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000")]
    pub footers: Option<usize>,

    /// List the table's folder too, for files that the table does not know
    #[arg(long)]
    pub orphans: bool,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub advise: AdviseArgs,

    /// The least severity that makes it fail: info, warning, critical
    #[arg(long, value_name = "SEVERITY", default_value_t = Severity::Warning)]
    pub fail_on: Severity,
}

#[derive(Debug, Args)]
pub struct HistoryArgs {
    #[command(flatten)]
    pub at: At,

    /// Only the newest N versions, or periods
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// Sum up by hour, day or week (UTC)
    #[arg(long, value_enum, value_name = "PERIOD")]
    pub by: Option<Period>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Period {
    Hour,
    Day,
    Week,
}

#[derive(Debug, Args)]
pub struct DiffArgs {
    #[command(flatten)]
    pub at: At,

    /// The version to start from: its number, a time (UTC), or latest
    #[arg(value_name = "A")]
    pub from: AsOf,

    /// The version to compare it with
    #[arg(value_name = "B", default_value = "latest")]
    pub to: AsOf,
}

#[derive(Debug, Args)]
pub struct TrendsArgs {
    #[command(flatten)]
    pub at: At,

    /// Along versions, or along time (UTC)
    #[arg(long, value_enum, default_value = "version")]
    pub by: TrendsBy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TrendsBy {
    Version,
    Hour,
    Day,
    Week,
}

#[derive(Debug, Args)]
pub struct RetentionArgs {
    #[command(flatten)]
    pub at: At,

    /// What the vacuum keeps; without it, as the table's properties say
    #[arg(long, value_name = "HOURS")]
    pub retain: Option<u32>,

    /// List the data files too, to tell which versions miss some
    #[arg(long)]
    pub list: bool,
}

#[derive(Debug, Args)]
pub struct PreviewArgs {
    #[command(flatten)]
    pub at: At,

    /// How many rows
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
}

#[derive(Debug, Args)]
pub struct SqlArgs {
    #[command(flatten)]
    pub at: At,

    /// One or more statements; - reads them from standard input
    // Text that starts with a comment (`-- …`) is no flag.
    #[arg(value_name = "SQL", allow_hyphen_values = true, required_unless_present = "file")]
    pub text: Option<String>,

    /// Reads the statements from a file
    #[arg(short, long, value_name = "FILE", conflicts_with = "text")]
    pub file: Option<PathBuf>,

    /// The form of the rows; json and ndjson are those of --json and --ndjson. In csv NULL is
    /// nothing and the empty text is ""; parquet is one file on standard output
    #[arg(long, value_enum, value_name = "FORM")]
    pub format: Option<RowFormat>,

    /// Does not run the queries: tells which files they would read and why, and their plan
    #[arg(long)]
    pub explain: bool,

    /// Carry OPTIMIZE, REORG and VACUUM out (with --allow-writes); without it their plan is shown
    #[arg(long)]
    pub yes: bool,
}

/// How the rows of a query are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    Table,
    Csv,
    Json,
    Ndjson,
    Parquet,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Where to write it: a folder that is new, empty, or an earlier demo
    #[arg(long, value_name = "FOLDER", default_value = "deltop-demo")]
    pub dir: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum ConfigCommand {
    /// Where the configuration file is looked for
    Path,
    /// The settings in force
    Show,
    /// Whether the configuration file is right
    Check,
}
