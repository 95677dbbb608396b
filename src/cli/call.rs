//! One headless call: which table, as of when, in which form.

use super::args::Common;
use super::missing;
use super::output::{Format, Sink};
use super::rows::RowFormat;
use crate::lake::log::{Files, OpenTable, Want};
use crate::lake::place::{Place, StorageOptions};
use crate::lake::watch::Watch;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// What all commands on a location share.
pub struct Call<'a> {
    pub place: Place,
    pub as_of: AsOf,
    pub format: Format,
    /// Only ASCII characters in text.
    pub ascii: bool,
    pub watch: &'a Watch,
    pub out: &'a mut Sink,
}

impl Call<'_> {
    /// Opens the table; where there is none, says what is there instead.
    pub async fn table(&self) -> Outcome<OpenTable> {
        self.explained(OpenTable::open(&self.place, self.as_of, self.watch).await).await
    }

    /// Where the outcome is that there is no table: says what is there instead.
    pub async fn explained<T>(&self, outcome: Outcome<T>) -> Outcome<T> {
        match outcome {
            Err(fault) => Err(missing::explain(&self.place, fault, self.watch).await),
            done => done,
        }
    }

    /// The form of a query's rows.
    pub fn rows(&self) -> RowFormat {
        RowFormat { json: self.format == Format::Json, ndjson: self.format == Format::Ndjson }
    }

    /// Opens the table and reads its files.
    pub async fn files(&self, want: Want) -> Outcome<(OpenTable, Files)> {
        let table = self.table().await?;
        let files = table.files(want, self.watch).await?;
        Ok((table, files))
    }
}

/// The answer's form.
pub fn format(common: &Common) -> Format {
    match (common.ndjson, common.json) {
        (true, _) => Format::Ndjson,
        (false, true) => Format::Json,
        (false, false) => Format::Text,
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
