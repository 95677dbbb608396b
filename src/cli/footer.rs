//! `deltop footer`: parquet internals of one file, or of a table's files summed up.

mod file;
mod sum;

use percent_encoding::percent_decode_str;

use super::call::Call;
use super::output::{self, failed};
use crate::lake::footer;
use crate::lake::log::Want;
use crate::model::footer::Footer;
use crate::model::{Fault, Outcome};

/// `path`: a data file of the table at the call's place. Without it the place is a parquet file, or
/// a table of whose files at most `sample` are read.
pub async fn run(call: &mut Call<'_>, path: Option<&str>, sample: usize) -> Outcome<()> {
    let is_file = footer::is_file(&call.place, call.watch).await?;
    let one = match path {
        Some(_) if is_file => {
            return Err(Fault::usage("usage", format!("{} is a file, not a table", call.place.display))
                .because("A FILE is looked for in a table")
                .hint("Name the file alone, or the table and the file in it"));
        }
        Some(path) => of_table(call, path).await?,
        None if is_file => footer::of_file(&call.place, call.watch).await?,
        None => return summed(call, sample).await,
    };
    match call.format.is_text() {
        true => file::write(call.out, &one).map_err(failed),
        false => output::object(call.out, call.format, &one),
    }
}

/// A file by its path as `files` gives it; also as the log itself has it, percent-encoded.
async fn of_table(call: &Call<'_>, path: &str) -> Outcome<Footer> {
    let found = footer::of_table(&call.place, path, None, call.watch).await;
    let decoded = percent_decode_str(path).decode_utf8_lossy();
    let found = match found {
        Err(fault) if fault.code == "not-found" && decoded != path => {
            footer::of_table(&call.place, &decoded, None, call.watch).await.map_err(|_| fault)
        }
        found => found,
    };
    found.map_err(|fault| match fault.code {
        "not-found" => Fault { message: format!("{path} does not exist in {}", call.place.display), ..fault },
        _ => fault,
    })
}

async fn summed(call: &mut Call<'_>, sample: usize) -> Outcome<()> {
    let (open, files) = call.files(Want::default()).await?;
    let survey = footer::survey(&open.place, &files.list, Some(sample), call.watch, &mut |_| ()).await?;
    let report = survey.totals.report(survey.sample);
    match call.format.is_text() {
        true => sum::write(call.out, &open.table.name, &report).map_err(failed),
        false => output::object(call.out, call.format, &report),
    }
}
