//! How many files a predicate is expected to read, if each file's rows are spread evenly over its
//! range: with the share of rows F(v) below a value, `c = v` of a random row reads
//! Σᵢ (F(maxᵢ) − F(minᵢ⁻)) files, and a window of share w reads Σᵢ |[F(minᵢ⁻) − w, F(maxᵢ)] ∩
//! [0, 1 − w]| / (1 − w).

use super::ranks::Ranked;

/// Fixed point: sums of densities are added and taken away exactly, where floating point would
/// leave a rest of a narrow file's large density behind. A million files of 2⁶⁰ stay below 2¹²⁷.
const ONE: f64 = (1u64 << 46) as f64;
/// Ranges shorter than this share of the span count as one value.
const SHORTEST: f64 = 1.0 / (1u64 << 60) as f64;

/// Expected files read by the point and by the range predicate.
pub(super) fn expected_reads(ranked: &Ranked, window: f64) -> (f64, f64) {
    let m = ranked.ranks();
    let (mut opens, mut closes) = (vec![0u128; m], vec![0u128; m]);
    let mut lumps = vec![0f64; m];
    for ((lo, hi), length) in ranked.lo.iter().zip(&ranked.hi).zip(&ranked.length) {
        if *length < SHORTEST {
            lumps[*lo as usize] += 1.0;
        } else {
            let density = (ONE / length) as u128;
            opens[*lo as usize] += density;
            closes[*hi as usize] += density;
        }
    }
    // Rows (in files) below each rank, and up to and with it.
    let (mut below, mut upto) = (vec![0f64; m], vec![0f64; m]);
    let (mut density, mut sum) = (0u128, 0f64);
    for k in 0..m {
        below[k] = sum;
        density += opens[k];
        sum += lumps[k] + density as f64 / ONE * ranked.point;
        upto[k] = sum;
        density -= closes[k];
        sum += density as f64 / ONE * ranked.gap[k];
    }
    if sum <= 0.0 {
        return (0.0, 0.0);
    }
    let (mut point, mut range) = (0.0, 0.0);
    for (lo, hi) in ranked.lo.iter().zip(&ranked.hi) {
        let (from, to) = (below[*lo as usize] / sum, upto[*hi as usize] / sum);
        point += to - from;
        let (from, to) = ((from - window).max(0.0), to.min(1.0 - window));
        range += (to - from).max(0.0) / (1.0 - window);
    }
    (point, range)
}
