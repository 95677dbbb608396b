//! Which files have the wanted codec, row groups and statistics already, as their footers and the log say.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lake::footer;
use crate::lake::log::{OpenTable, Want};
use crate::model::Outcome;
use crate::model::change::{Codec, Rewrite};
use crate::model::files::FileList;
use crate::model::footer::Footer;
use crate::model::stats::{lacking, wanted_columns};
use crate::tune::Context;

/// Row groups below this many bytes could have been larger.
const SMALL_GROUP: u64 = 4 << 20;

/// Whether the change is to give all files a codec, row groups or statistics.
pub fn is_asked(change: &Rewrite) -> bool {
    goes_by_footers(change) || change.stats
}

fn goes_by_footers(change: &Rewrite) -> bool {
    change.all || change.row_group_rows.is_some()
}

/// Those of the files that need no rewriting for that. One whose footer cannot be read is not among
/// them: rewriting it says what is wrong.
pub async fn fine(
    change: &Rewrite,
    open: &OpenTable,
    list: &FileList,
    within: &[usize],
    ctx: &Context,
) -> Outcome<FxHashSet<u32>> {
    let mut out: FxHashSet<u32> = FxHashSet::default();
    if !goes_by_footers(change) {
        out.extend(within.iter().map(|i| *i as u32));
        return without_statistics(out, open, list, ctx).await;
    }
    let mut take = |index: usize, footer: Outcome<Footer>| {
        if footer.is_ok_and(|footer| is_fine(change, &footer)) {
            out.insert(index as u32);
        }
    };
    footer::stream(&ctx.place, list, within, &ctx.watch(), &mut take).await?;
    if change.stats { without_statistics(out, open, list, ctx).await } else { Ok(out) }
}

/// Takes those out that lack statistics.
async fn without_statistics(
    mut fine: FxHashSet<u32>,
    open: &OpenTable,
    list: &FileList,
    ctx: &Context,
) -> Outcome<FxHashSet<u32>> {
    let (columns, clustering) = (wanted_columns(&open.table.metadata), open.table.clustering_columns());
    let want = Want { records: true, ..Want::default() };
    let (files, stats) = open.files_with_stats(want, &columns, &ctx.watch()).await?;
    // The second reading need not have the files in the order of the first.
    let places: FxHashMap<&str, u32> = (0u32..).zip(list.iter()).map(|(i, f)| (f.path, i)).collect();
    for at in lacking(&open.table.metadata, &clustering, &files.list, &stats) {
        if let Some(index) = places.get(files.list.get(at).path) {
            fine.remove(index);
        }
    }
    Ok(fine)
}

fn is_fine(change: &Rewrite, footer: &Footer) -> bool {
    let codec = match change.codec {
        Codec::Zstd => Some("ZSTD"),
        Codec::Snappy => Some("SNAPPY"),
        Codec::Gzip => Some("GZIP"),
        Codec::Lz4 => Some("LZ4_RAW"),
        Codec::Uncompressed => Some("UNCOMPRESSED"),
        Codec::Source => None,
    };
    let mut chunks = footer.row_groups.iter().flat_map(|g| &g.columns);
    let has_codec = !change.all || chunks.all(|c| codec.is_none_or(|codec| codec == c.codec));
    has_codec && change.row_group_rows.is_none_or(|rows| has_groups(footer, rows.max(1)))
}

/// Groups of at most so many rows, and no more of them than that or the writer's memory asks for.
fn has_groups(footer: &Footer, rows: u64) -> bool {
    let groups = &footer.row_groups;
    let needed = footer.num_rows.div_ceil(rows);
    let mean = groups.iter().map(|g| g.compressed_size).sum::<u64>() / (groups.len() as u64).max(1);
    groups.iter().all(|g| g.num_rows <= rows) && (groups.len() as u64 <= needed || mean >= SMALL_GROUP)
}
