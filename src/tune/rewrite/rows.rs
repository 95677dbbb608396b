//! Row counts that the log does not state.

use rustc_hash::FxHashMap;

use crate::lake::footer;
use crate::model::Outcome;
use crate::model::files::FileList;
use crate::model::footer::Footer;
use crate::tune::Context;

/// Live rows, as the footers tell, of those of the files whose rows the log does not state, by index. A
/// file whose footer cannot be read is left out: rewriting it says what is wrong.
pub async fn stated_nowhere(
    list: &FileList,
    within: &[usize],
    ctx: &Context,
) -> Outcome<FxHashMap<u32, u64>> {
    let without: Vec<usize> =
        within.iter().copied().filter(|i| list.get(*i).live_records().is_none()).collect();
    let mut out = FxHashMap::default();
    if without.is_empty() {
        return Ok(out);
    }
    let mut take = |index: usize, footer: Outcome<Footer>| {
        if let Ok(footer) = footer {
            let deleted = list.get(index).deletion_vector.map_or(0, |v| v.cardinality);
            out.insert(index as u32, footer.num_rows.saturating_sub(deleted));
        }
    };
    footer::stream(&ctx.place, list, &without, &ctx.watch(), &mut take).await?;
    Ok(out)
}
