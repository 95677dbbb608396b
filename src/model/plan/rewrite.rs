//! Rewriting to exactly N files, in all or in each partition.

use rustc_hash::FxHashMap;

use super::compact::group;
use super::inputs::{Input, Scope, Sums, by_partition};
use super::share::{most_files, shared_out};
use super::{LeftReason, MOST_FILES, Operation, Plan};
use crate::model::files::FileList;
use crate::model::units::count;
use crate::model::{Fault, Outcome};

#[derive(Debug, Clone, Copy)]
pub struct RewriteOptions<'a> {
    /// N.
    pub files: u64,
    /// N files in each partition instead of in all.
    pub per_partition: bool,
    pub scope: Scope<'a>,
    /// Rewrite also what is so already: for a sort, another codec, or to purge.
    pub all: bool,
    /// Live rows of files whose rows the log does not state, by index in the list.
    pub known: &'a FxHashMap<u32, u64>,
}

/// How far a file's rows may be from the mean of an even partition; bytes where rows are unknown,
/// which differ more.
const EVEN_ROWS: f64 = 0.05;
const EVEN_BYTES: f64 = 0.25;

/// Plans a rewrite to exactly N files, those that are left alone in scope counted in. Each
/// partition gets at least one file, and further ones where its files would have most rows.
///
/// # Errors
/// N is 0, or smaller than the number of partitions, or larger than the rows allow; or there is
/// no file in scope.
pub fn rewrite(list: &FileList, options: &RewriteOptions<'_>) -> Outcome<Plan> {
    let mut plan = Plan::new(Operation::Rewrite);
    let mut parts = by_partition(list, options.scope, &mut plan);
    for file in parts.iter_mut().flat_map(|(_, files)| files) {
        file.rows = file.rows.or_else(|| options.known.get(&file.index).copied());
    }
    let counts = allot(&parts, options)?;
    for ((partition, files), count) in parts.into_iter().zip(counts) {
        if !options.all && is_so(&files, count) {
            let bytes = files.iter().map(|f| f.size).fold(0, u64::saturating_add);
            plan.leave(LeftReason::AlreadySo, files.len() as u64, bytes);
        } else {
            plan.groups.push(group(partition, &files, count));
        }
    }
    Ok(plan)
}

fn is_so(files: &[Input], count: u64) -> bool {
    if files.len() as u64 != count || files.iter().any(Input::has_vector) {
        return false;
    }
    let rows: Option<Vec<u64>> = files.iter().map(|f| f.rows).collect();
    match rows {
        Some(rows) => even(&rows, EVEN_ROWS),
        None => even(&files.iter().map(|f| f.size).collect::<Vec<_>>(), EVEN_BYTES),
    }
}

/// A difference of one cannot be helped.
fn even(amounts: &[u64], share: f64) -> bool {
    let sum = amounts.iter().copied().fold(0, u64::saturating_add);
    let mean = sum as f64 / amounts.len().max(1) as f64;
    let most = (mean * share).max(1.0);
    amounts.iter().all(|n| (*n as f64 - mean).abs() <= most)
}

/// Files for each partition.
fn allot(parts: &[(u32, Vec<Input>)], options: &RewriteOptions<'_>) -> Outcome<Vec<u64>> {
    let n = options.files;
    if n == 0 {
        return Err(Fault::usage("bad-file-count", "Cannot rewrite to 0 files").hint("give 1 or more"));
    }
    if parts.is_empty() {
        return Err(Fault::usage("nothing-to-rewrite", "There is no file to rewrite")
            .because("no active file is in the scope")
            .hint("check the --where predicate"));
    }
    let all = if options.per_partition { n.saturating_mul(parts.len() as u64) } else { n };
    if all > MOST_FILES {
        let most = count(MOST_FILES);
        return Err(Fault::usage("too-many-files", format!("Cannot rewrite to {} files", count(all)))
            .because(format!("a rewrite makes {most} files at most"))
            .hint("give a smaller number, or a larger target size"));
    }
    let sums: Vec<Sums> = parts.iter().map(|(_, files)| Sums::of(files)).collect();
    if options.per_partition {
        let least = sums.iter().map(most_files).min().unwrap_or(u64::MAX);
        return if least < n {
            Err(too_many(n, least, "a partition holds"))
        } else {
            Ok(vec![n; parts.len()])
        };
    }
    if n < parts.len() as u64 {
        return Err(Fault::usage("too-few-files", format!("Cannot rewrite to {n} files"))
            .because(format!("there are {} partitions, and each needs at least one file", parts.len()))
            .hint(format!("give {} or more, or --per-partition, or narrow it with --where", parts.len())));
    }
    let limit = sums.iter().map(most_files).fold(0, u64::saturating_add);
    if limit < n {
        return Err(too_many(n, limit, "the scope holds"));
    }
    let parts: Vec<&[Input]> = parts.iter().map(|(_, files)| files.as_slice()).collect();
    Ok(shared_out(&parts, n))
}

fn too_many(n: u64, rows: u64, holder: &str) -> Fault {
    Fault::usage("too-many-files", format!("Cannot rewrite to {n} files"))
        .because(format!("{holder} {rows} rows, and a file needs at least one"))
        .hint(format!("give {rows} or fewer"))
}
