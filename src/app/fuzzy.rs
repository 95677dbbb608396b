//! Texts found by a few letters.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// The items whose text matches what is typed, the best first; equally good ones keep their order.
pub fn ranked<'a, T>(typed: &str, items: impl Iterator<Item = (T, &'a str)>) -> Vec<T> {
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let score = |(item, text): (T, &str)| {
        Some((pattern.score(Utf32Str::new(text, &mut buffer), &mut matcher)?, item))
    };
    let mut scored: Vec<(u32, T)> = items.filter_map(score).collect();
    scored.sort_by_key(|(score, _)| Reverse(*score));
    scored.into_iter().map(|(_, item)| item).collect()
}
