//! Ranges of any type, brought to ranks of the bounds that occur, with the distances between them.

use crate::model::stats::{StatKind, StatsColumn, Values, double_from_key};

/// The known ranges of a column. Distances are shares of the whole span, so that no type's scale
/// shows from here on.
pub(super) struct Ranked {
    /// For each file: the rank of its smallest and of its largest value.
    pub lo: Vec<u32>,
    pub hi: Vec<u32>,
    /// `gap[k]`: room strictly between the bounds of rank k and k + 1.
    pub gap: Vec<f64>,
    /// Room that one value takes: some for integers, none for continuous types.
    pub point: f64,
    /// Room of each file's range; 0 if its rows must be taken as one value.
    pub length: Vec<f64>,
}

impl Ranked {
    /// Distinct bounds.
    pub fn ranks(&self) -> usize {
        self.gap.len()
    }
}

/// None if no file's range is known. `known`: the files with known bounds.
pub(super) fn rank(column: &StatsColumn, known: &[u32]) -> Option<Ranked> {
    let discrete = column.kind.is_discrete();
    match column.values() {
        Values::Int { min, .. } => {
            let ends = int_ends(known, column, min)?;
            if column.kind == StatKind::Double {
                let (floor, ceiling) = finite_range(&ends);
                // Infinities and NaN lie at the outermost finite value; halves cannot overflow.
                let place = |key: &i64| match double_from_key(*key) {
                    v if v.is_nan() => ceiling / 2.0,
                    v => v.clamp(floor, ceiling) / 2.0,
                };
                Some(build(ends, discrete, |a, b| place(b) - place(a)))
            } else {
                Some(build(ends, discrete, |a, b| (i128::from(*b) - i128::from(*a)) as f64))
            }
        }
        Values::Wide { min, max } => {
            let ends = ends_of(known, |i| min.get(i as usize).copied(), |i| max.get(i as usize).copied())?;
            let wide = |a: &i128, b: &i128| b.checked_sub(*a).map_or(*b as f64 - *a as f64, |d| d as f64);
            Some(build(ends, discrete, wide))
        }
        Values::Text { .. } => {
            let low = |i: u32| column.texts(i as usize).map(|(a, _)| a);
            let high = |i: u32| column.texts(i as usize).map(|(_, b)| b);
            let ends = ends_of(known, low, high)?;
            let prefix = match (ends.first(), ends.last()) {
                (Some((a, _)), Some((b, _))) => a.iter().zip(*b).take_while(|(x, y)| x == y).count(),
                _ => 0,
            };
            Some(build(ends, discrete, |a, b| (head(b, prefix).saturating_sub(head(a, prefix))) as f64))
        }
    }
}

/// The 16 bytes after the shared prefix, as a number.
fn head(text: &[u8], prefix: usize) -> u128 {
    let rest = text.get(prefix..).unwrap_or_default();
    (0..16).fold(0, |n, i| n << 8 | u128::from(rest.get(i).copied().unwrap_or(0)))
}

fn finite_range(ends: &[(i64, u32)]) -> (f64, f64) {
    let mut finite = ends.iter().map(|(k, _)| double_from_key(*k)).filter(|v| v.is_finite());
    let first = finite.next().unwrap_or(0.0);
    (first, finite.next_back().unwrap_or(first))
}

/// All bounds in order, each with 2 × file for a smallest and 2 × file + 1 for a largest value.
fn ends_of<K: Ord>(
    known: &[u32],
    low: impl Fn(u32) -> Option<K>,
    high: impl Fn(u32) -> Option<K>,
) -> Option<Vec<(K, u32)>> {
    let mut ends = Vec::with_capacity(2 * known.len());
    for (at, file) in known.iter().enumerate() {
        let at = 2 * at as u32;
        ends.push((low(*file)?, at));
        ends.push((high(*file)?, at + 1));
    }
    ends.sort_unstable();
    (!ends.is_empty()).then_some(ends)
}

/// As [`ends_of`] for integers: key and end in one number sort twice as fast.
fn int_ends(known: &[u32], column: &StatsColumn, min: &[i64]) -> Option<Vec<(i64, u32)>> {
    const SIGN: u64 = 1 << 63;
    let pack = |key: i64, end: u32| u128::from(key as u64 ^ SIGN) << 32 | u128::from(end);
    let mut packed = Vec::with_capacity(2 * known.len());
    for (at, file) in (0u32..).zip(known) {
        packed.push(pack(*min.get(*file as usize)?, 2 * at));
        packed.push(pack(column.upper_int(*file as usize)?, 2 * at + 1));
    }
    packed.sort_unstable();
    let unpack = |p: u128| (((p >> 32) as u64 ^ SIGN) as i64, p as u32);
    (!packed.is_empty()).then(|| packed.into_iter().map(unpack).collect())
}

/// `distance` grows with the order and may be 0 between different keys.
fn build<K: Ord>(ends: Vec<(K, u32)>, discrete: bool, distance: impl Fn(&K, &K) -> f64) -> Ranked {
    let files = ends.len() / 2;
    let (mut lo, mut hi) = (vec![0u32; files], vec![0u32; files]);
    // Where in `ends` each file's smallest value is: the largest comes later.
    let mut start = vec![0u32; files];
    let mut length = vec![0f64; files];
    let mut gap = Vec::new();
    let unit = if discrete { 1.0 } else { 0.0 };
    let mut previous: Option<&K> = None;
    for (at, (key, end)) in ends.iter().enumerate() {
        if let Some(p) = previous.filter(|p| *p != key) {
            gap.push((distance(p, key) - unit).max(0.0));
        }
        previous = Some(key);
        let (rank, file) = (gap.len() as u32, *end as usize / 2);
        if end % 2 == 0 {
            lo[file] = rank;
            start[file] = at as u32;
        } else {
            hi[file] = rank;
            length[file] = distance(&ends[start[file] as usize].0, key) + unit;
        }
    }
    gap.push(0.0);
    let span = gap.iter().sum::<f64>() + unit * gap.len() as f64;
    // Divided, not multiplied by the inverse, which is infinite for spans of the smallest doubles.
    let share = |x: f64| if span > 0.0 && span.is_finite() { x / span } else { 0.0 };
    gap.iter_mut().chain(&mut length).for_each(|x| *x = share(*x));
    Ranked { lo, hi, gap, point: share(unit), length }
}
