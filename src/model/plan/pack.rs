//! First-fit decreasing: items into as few bins of one capacity as practical, O(n log n).
//!
//! At most one bin stays at or below half of the capacity, since the first item of a later bin did
//! not fit into an earlier one, and items come in descending order.

/// Indexes of `sizes`, by bin. An item larger than the capacity gets a bin of its own.
pub(super) fn first_fit_decreasing(sizes: &[u64], capacity: u64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(sizes[*i]));
    let mut room = Room::new(sizes.len(), capacity);
    let mut bins: Vec<Vec<usize>> = Vec::new();
    for item in order {
        let bin = room.first_with(sizes[item].min(capacity));
        room.take(bin, sizes[item]);
        if bin >= bins.len() {
            bins.resize(bin + 1, Vec::new());
        }
        bins[bin].push(item);
    }
    for bin in &mut bins {
        bin.sort_unstable();
    }
    bins
}

/// The room left in each bin, as a tree of maxima.
struct Room {
    leaves: usize,
    most: Vec<u64>,
}

impl Room {
    fn new(bins: usize, capacity: u64) -> Self {
        let leaves = bins.next_power_of_two().max(1);
        Room { leaves, most: vec![capacity; 2 * leaves] }
    }

    /// The first bin with that much room. There is one as long as there are as many bins as items
    /// and the size is at most the capacity.
    fn first_with(&self, size: u64) -> usize {
        let mut at = 1;
        while at < self.leaves {
            at = if self.most[2 * at] >= size { 2 * at } else { 2 * at + 1 };
        }
        at - self.leaves
    }

    fn take(&mut self, bin: usize, size: u64) {
        let mut at = bin + self.leaves;
        self.most[at] = self.most[at].saturating_sub(size);
        while at > 1 {
            at /= 2;
            self.most[at] = self.most[2 * at].max(self.most[2 * at + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn by_hand() {
        assert_eq!(first_fit_decreasing(&[4, 8, 1, 4, 2, 1], 10), [vec![1, 4], vec![0, 2, 3, 5]]);
        assert!(first_fit_decreasing(&[], 10).is_empty());
        // Items that need no room share the first bin, even one that is too full.
        assert_eq!(first_fit_decreasing(&[0, 99, 0], 10), [vec![0, 1, 2]]);
    }

    proptest! {
        #[test]
        fn each_item_once_and_no_bin_too_full(sizes in prop::collection::vec(0u64..=10, 0..60)) {
            let bins = first_fit_decreasing(&sizes, 10);
            let mut all: Vec<usize> = bins.iter().flatten().copied().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..sizes.len()).collect::<Vec<_>>());
            let sums: Vec<u64> = bins.iter().map(|b| b.iter().map(|i| sizes[*i]).sum()).collect();
            prop_assert!(sums.iter().all(|s| *s <= 10));
            prop_assert!(sums.iter().filter(|s| **s <= 5).count() <= 1, "{:?}", sums);
        }
    }
}
