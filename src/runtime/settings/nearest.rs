//! What was probably meant.

/// The word closest to `typed`, if it is close enough to be a slip.
pub fn nearest<'a>(typed: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = words.into_iter().map(|word| (distance(typed, word), word)).min()?;
    (near.0 <= near.1.len().max(3) / 3).then_some(near.1)
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let words = ["color", "ascii", "mouse", "max_rows"];
        assert_eq!(nearest("colour", words), Some("color"));
        assert_eq!(nearest("maxrows", words), Some("max_rows"));
        assert_eq!(nearest("telemetry", words), None);
        assert_eq!(nearest("", words), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
