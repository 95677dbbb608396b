//! `deltop preview`: the first rows of a table.

use super::call::Call;
use super::rows::{RowForm, Rows, cancellable};
use crate::lake::sql::SqlSession;
use crate::model::Outcome;

/// Writes up to `limit` rows.
pub async fn run(call: &mut Call<'_>, limit: usize) -> Outcome<()> {
    // A folder of tables has no rows of its own, and says which tables it holds.
    call.table().await?;
    let session = SqlSession::with_limits(&call.place, call.as_of, call.query, call.watch).await?;
    let run = cancellable(call.watch, session.preview(limit)).await??;
    let mut rows = Rows::new(RowForm::of(call.format, None)?, 1, call.out)?;
    rows.write(run, call.watch).await?;
    rows.end()
}
