//! `deltop clean-staged`: staged files that a crashed change has left behind.

use serde_json::json;

use super::call::Call;
use super::change::context;
use super::output::{self, failed};
use super::text::{Column, counted, table};
use crate::model::Outcome;
use crate::model::units::bytes;
use crate::tune::clean::{self, Fate, StagedFile};

pub async fn run(call: &mut Call<'_>, yes: bool) -> Outcome<()> {
    let ctx = context(call);
    if yes {
        ctx.may_write()?;
    }
    let found = clean::look(&ctx).await?;
    let files = found.files.clone();
    let removed = if yes { Some(clean::remove(found, &ctx).await?) } else { None };
    if call.format.is_text() {
        return text(call, &files, removed.as_deref()).map_err(failed);
    }
    let value = json!({
        "operation": "clean-staged",
        "files": files,
        "numFilesRemoved": removed.as_ref().map(Vec::len),
    });
    output::object(call.out, call.format, &value)
}

fn text(call: &mut Call<'_>, files: &[StagedFile], removed: Option<&[StagedFile]>) -> std::io::Result<()> {
    if files.is_empty() {
        return writeln!(call.out, "No staged files were left behind.");
    }
    let fate = |fate: Fate| match fate {
        Fate::Remove => "can be removed",
        Fate::Committed => "kept: a version refers to it",
        Fate::InUse => "kept: a change that is still running staged it",
        Fate::InDoubt => "kept: the log does not prove that no version refers to it",
    };
    let rows = files.iter().map(|f| vec![f.path.clone(), bytes(f.size_in_bytes), fate(f.fate).to_owned()]);
    table(call.out, &[Column::left("file"), Column::right("size"), Column::left("state")], rows)?;
    match removed {
        Some(removed) => writeln!(call.out, "\n{} removed.", counted(removed.len() as u64, "file")),
        None => writeln!(call.out, "\nNothing was changed. Add --yes --allow-writes to remove them."),
    }
}
