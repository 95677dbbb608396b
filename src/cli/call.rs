//! One headless call: which table, as of when, in which form.

use super::args::{Cli, Command, Common, RowFormat};
use super::output::{Format, Sink};
use crate::advice::{Profile, Thresholds};
use crate::lake::evidence::{What, gather};
use crate::lake::log::{Files, Log, OpenTable, Want};
use crate::lake::place::{Place, StorageOptions};
use crate::lake::sql;
use crate::lake::watch::Watch;
use crate::model::evidence::Evidence;
use crate::model::recover::Unreadable;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// What all commands on a location share.
pub struct Call<'a> {
    pub place: Place,
    pub as_of: AsOf,
    pub format: Format,
    /// What a query may use of memory and time.
    pub query: sql::Limits,
    /// Only ASCII characters in text.
    pub ascii: bool,
    pub writes: Writes,
    /// What the advice goes by, and whose figures these are.
    pub profile: Profile,
    pub thresholds: Thresholds,
    pub watch: &'a Watch,
    pub out: &'a mut Sink,
}

/// What the call may change, and with how much memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct Writes {
    pub allowed: bool,
    /// Bytes; none: a share of the machine's.
    pub memory: Option<u64>,
}

impl Call<'_> {
    pub async fn table(&self) -> Outcome<OpenTable> {
        OpenTable::open(&self.place, self.as_of, self.watch).await
    }

    /// As [`Call::table`], for looks at the past: where the newest version cannot be opened and none
    /// was asked for, the newest one that can, and why.
    pub async fn past(&self) -> Outcome<(OpenTable, Option<Unreadable>)> {
        match self.as_of {
            AsOf::Latest => Log::list(&self.place, self.watch).await?.open_newest(self.watch).await,
            _ => Ok((self.table().await?, None)),
        }
    }

    /// Opens the table and reads its files.
    pub async fn files(&self, want: Want) -> Outcome<(OpenTable, Files)> {
        let table = self.table().await?;
        let files = table.files(want, self.watch).await?;
        Ok((table, files))
    }

    /// Opens the table and gathers what is known of it.
    pub async fn evidence(&self, what: &What) -> Outcome<Evidence> {
        gather(&self.table().await?, what, self.watch).await
    }
}

/// The answer's form, which is also that of a failure.
pub fn format(cli: &Cli) -> Format {
    let rows = match &cli.command {
        Some(Command::Sql(args)) => args.format,
        _ => None,
    };
    match (cli.common.ndjson, cli.common.json, rows) {
        (true, ..) | (false, false, Some(RowFormat::Ndjson)) => Format::Ndjson,
        (false, true, _) | (false, false, Some(RowFormat::Json)) => Format::Json,
        (false, false, _) => Format::Text,
    }
}

/// The storage options of `--option`. A mistake is told without quoting the value.
pub fn storage_options(common: &Common) -> Outcome<StorageOptions> {
    let split = |text: &String| match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err(Fault::usage("usage", "A storage option is not of the form KEY=VALUE")
            .because("It has no name or no \"=\"")
            .hint("For instance: --option AWS_REGION=eu-west-1")),
    };
    common.options.iter().map(split).collect()
}
