//! Names that look like a name: for "did you mean".

/// At most three of `names`, the closest first; none that differ in more than a third of the letters.
pub(super) fn nearest(name: &str, names: &[String]) -> Vec<String> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let most = wanted.len().div_ceil(3);
    let mut ranked: Vec<(usize, &String)> = names
        .iter()
        .map(|other| (distance(&wanted, &other.to_lowercase().chars().collect::<Vec<_>>()), other))
        .filter(|(far, _)| *far <= most)
        .collect();
    ranked.sort();
    ranked.dedup();
    ranked.into_iter().take(3).map(|(_, name)| name.clone()).collect()
}

/// Insertions, deletions and replacements between two names (Levenshtein).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (to, above) in b.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(from != to);
            diagonal = *above;
            left = replaced.min(diagonal + 1).min(left + 1);
            *above = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(a.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let of = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(of("", "abc"), 3);
        assert_eq!(of("kitten", "sitting"), 3);
        assert_eq!(of("abc", "abc"), 0);
        assert_eq!(of("abc", ""), 3);
    }

    #[test]
    fn the_closest_come_first() {
        let names = ["ProductID", "ProductIDs", "OrderQty"].map(String::from);
        assert_eq!(nearest("productidd", &names), ["ProductID", "ProductIDs"]);
        assert_eq!(nearest("OrderQyt", &names), ["OrderQty"]);
        assert!(nearest("zzz", &names).is_empty());
    }
}
