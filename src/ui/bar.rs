//! Bars with eighths of a character.

const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar for `part` of `whole` in at most `cells` columns; something is never shown as nothing.
pub fn bar(part: u64, whole: u64, cells: usize) -> String {
    if part == 0 || whole == 0 {
        return String::new();
    }
    let eighths = u128::from(part.min(whole)) * (cells as u128) * 8 / u128::from(whole);
    let eighths = (eighths as usize).max(1);
    let mut out = "█".repeat(eighths / 8);
    out.push_str(EIGHTHS[eighths % 8]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion() {
        assert_eq!(bar(0, 10, 10), "");
        assert_eq!(bar(1, 1_000_000, 10), "▏");
        assert_eq!(bar(5, 10, 3), "█▌");
        assert_eq!(bar(u64::MAX, u64::MAX, 4), "████");
        assert_eq!(bar(9, 3, 2), "██");
    }
}
