//! `deltop preview`: the first rows of a table.

use super::call::Call;
use super::rows::{cancellable, write};
use crate::lake::sql::SqlSession;
use crate::model::Outcome;

/// Writes up to `limit` rows.
pub async fn run(call: &mut Call<'_>, limit: usize) -> Outcome<()> {
    // A folder of tables has no rows of its own, and says which tables it holds.
    call.table().await?;
    let session = SqlSession::open(&call.place, call.as_of, call.watch).await?;
    let run = cancellable(call.watch, session.preview(limit)).await??;
    write(run, call.format, call.watch, call.out).await
}
