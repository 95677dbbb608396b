//! How a figure is spread: counts in powers of two.

use std::collections::BTreeMap;

use serde::Serialize;

/// The spread of a figure over row groups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spread {
    /// Values by the number of their bits: key `b` holds 2^(b-1) ≤ v < 2^b; key 0 holds zeros.
    bits: BTreeMap<u32, u64>,
    pub count: u64,
    pub sum: u64,
    /// Meaningless without values.
    pub min: u64,
    pub max: u64,
}

/// Values from `from` (inclusive) to `to` (exclusive; none: no limit).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bin {
    pub from: u64,
    pub to: Option<u64>,
    pub row_groups: u64,
}

impl Spread {
    pub fn add(&mut self, value: u64) {
        let bits = u64::BITS - value.leading_zeros();
        self.merge(&Spread {
            bits: BTreeMap::from([(bits, 1)]),
            count: 1,
            sum: value,
            min: value,
            max: value,
        });
    }

    pub fn merge(&mut self, other: &Spread) {
        if other.count == 0 {
            return;
        }
        self.min = if self.count == 0 { other.min } else { self.min.min(other.min) };
        self.max = self.max.max(other.max);
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        for (bits, count) in &other.bits {
            *self.bits.entry(*bits).or_default() += count;
        }
    }

    pub fn average(&self) -> Option<u64> {
        self.sum.checked_div(self.count)
    }

    /// Values below `limit`, which is to be a power of two so that the answer is exact.
    pub fn below(&self, limit: u64) -> u64 {
        debug_assert!(limit.is_power_of_two());
        let bits = u64::BITS - limit.leading_zeros();
        self.bits.range(..bits).map(|(_, count)| count).sum()
    }

    /// The bins from the lowest value's to the highest's, empty ones between included.
    pub fn bins(&self) -> Vec<Bin> {
        let (Some((low, _)), Some((high, _))) = (self.bits.first_key_value(), self.bits.last_key_value())
        else {
            return Vec::new();
        };
        let bin = |bits: u32| Bin {
            from: if bits == 0 { 0 } else { 1 << (bits - 1) },
            to: 1u64.checked_shl(bits),
            row_groups: self.bits.get(&bits).copied().unwrap_or(0),
        };
        (*low..=*high).map(bin).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fall_in_powers_of_two() {
        let mut spread = Spread::default();
        assert!(spread.bins().is_empty() && spread.average().is_none());
        [0, 1, 4, 7, 8].into_iter().for_each(|v| spread.add(v));
        let bins: Vec<_> = spread.bins().iter().map(|b| (b.from, b.to, b.row_groups)).collect();
        let expected = [(0, Some(1), 1), (1, Some(2), 1), (2, Some(4), 0), (4, Some(8), 2), (8, Some(16), 1)];
        assert_eq!(bins, expected);
        assert_eq!((spread.below(8), spread.below(4), spread.below(1)), (4, 2, 1));
        assert_eq!((spread.min, spread.max, spread.average()), (0, 8, Some(4)));
        spread.add(u64::MAX);
        assert_eq!(spread.bins().last().map(|b| (b.from, b.to)), Some((1 << 63, None)));
    }
}
