//! Small pieces of the findings' sentences.

use crate::model::units;

/// `1 file`, `12,345 files`.
pub fn plural(n: u64, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {noun}{s}", units::count(n))
}

/// A share from 0 to 1 in percent: `0 %`, `<0.1 %`, `4.2 %`, `83 %`, `100 %`.
pub fn share(part: f64) -> String {
    units::percent((part.clamp(0.0, 1.0) * 1e6).round() as u64, 1_000_000)
}

/// The first names, and how many more there are.
pub fn some<T: AsRef<str>>(names: &[T], most: usize) -> String {
    let mut out = names.iter().take(most).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if names.len() > most {
        out.push_str(&format!(" and {} more", names.len() - most));
    }
    out
}
