//! What `.crc` files and the checkpoint hint state without replay
//! (protocol, "Version Checksum File" and "Last Checkpoint File").

use std::sync::Arc;

use object_store::ObjectStore;
use object_store::path::Path;
use serde::Deserialize;

use super::listing::Listing;
use super::loose::Int;
use super::store;
use crate::lake::watch::Watch;
use crate::model::table::StatedTotals;
use crate::model::{Fault, Outcome};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Checksum {
    #[serde(default)]
    table_size_bytes: Int,
    num_files: Int,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hint {
    version: u64,
    #[serde(default)]
    num_of_add_files: Int,
}

/// The totals of `version`, if something states those of this very version; and what is odd
/// about the files that could have.
pub async fn stated(
    store: &Arc<dyn ObjectStore>,
    log: &Path,
    listing: &Listing,
    version: u64,
    watch: &Watch,
) -> Outcome<(Option<StatedTotals>, Vec<String>)> {
    let mut warnings = Vec::new();
    let crc = async {
        match listing.crcs.binary_search(&version) {
            Ok(_) => read(store, &log.clone().join(format!("{version:020}.crc")), watch).await,
            Err(_) => Ok(None),
        }
    };
    let hint = async {
        if listing.has_hint {
            read(store, &log.clone().join("_last_checkpoint"), watch).await
        } else {
            Ok(None)
        }
    };
    let (crc, hint) = futures::join!(crc, hint);
    let crc = crc?.map(|bytes| serde_json::from_slice::<Checksum>(&bytes));
    let hint = hint?.map(|bytes| serde_json::from_slice::<Hint>(&bytes));
    let of_crc = match crc {
        Some(Ok(crc)) => {
            crc.num_files.natural().map(|files| StatedTotals { files, bytes: crc.table_size_bytes.natural() })
        }
        Some(Err(e)) => {
            warnings.push(format!(
                "The checksum file of version {version} (.crc) cannot be read and was ignored: {e}"
            ));
            None
        }
        None => None,
    };
    let of_hint = match hint {
        Some(Ok(hint)) => {
            warnings.extend(oddness(&hint, listing, version));
            let files = hint.num_of_add_files.natural().filter(|_| hint.version == version);
            files.map(|files| StatedTotals { files, bytes: None })
        }
        Some(Err(e)) => {
            warnings
                .push(format!("The checkpoint hint (_last_checkpoint) cannot be read and was ignored: {e}"));
            None
        }
        None => None,
    };
    Ok((of_crc.or(of_hint), warnings))
}

/// What other readers may stumble over.
fn oddness(hint: &Hint, listing: &Listing, version: u64) -> Option<String> {
    // An older version is looked at: the hint is not about it.
    if listing.newest() != Some(version) {
        return None;
    }
    let newest = listing.checkpoints.last().map(|c| c.version);
    if !listing.checkpoints.iter().any(|c| c.version == hint.version) {
        return Some(format!(
            "The checkpoint hint (_last_checkpoint) names version {}, of which there is no complete checkpoint; it was ignored, other readers may fail",
            hint.version
        ));
    }
    newest.filter(|newest| *newest > hint.version).map(|newest| {
        format!(
            "The checkpoint hint (_last_checkpoint) names version {}, but there is a newer checkpoint {newest}",
            hint.version
        )
    })
}

/// These files are hints: whatever keeps them from being read is no reason to fail.
async fn read(store: &Arc<dyn ObjectStore>, path: &Path, watch: &Watch) -> Outcome<Option<bytes::Bytes>> {
    match store::get(store, path, watch).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(fault) if fault == Fault::cancelled() => Err(fault),
        Err(_) => Ok(None),
    }
}
