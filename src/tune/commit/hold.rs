//! A pause between staging and commit, so that a test can let another writer be first.

use std::path::Path;
use std::time::Duration;

use crate::lake::log::store;
use crate::model::Outcome;
use crate::tune::Context;

/// For tests only: names a file. Before a commit is sent, `NAME.held` is written, and the commit
/// waits until `NAME` exists.
const VARIABLE: &str = "DELTOP_TEST_HOLD";

pub async fn wait(ctx: &Context) -> Outcome<()> {
    let Some(name) = std::env::var_os(VARIABLE).filter(|n| !n.is_empty()) else { return Ok(()) };
    let mut held = name.clone();
    held.push(".held");
    // A test that cannot see it waits in vain and says so.
    drop(tokio::fs::write(&held, b"held").await);
    while !Path::new(&name).exists() {
        store::cancellable(&ctx.watch(), tokio::time::sleep(Duration::from_millis(5))).await?;
    }
    Ok(())
}
