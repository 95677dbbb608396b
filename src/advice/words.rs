//! Small pieces of the findings' sentences.

use crate::model::footer_totals::Failures;
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
        out.push_str(&format!(" and {} more", units::count((names.len() - most) as u64)));
    }
    out
}

/// The files that failed for one of the causes that are meant, as far as they are kept by name.
pub fn kept(failures: &Failures, meant: impl Fn(&str) -> bool) -> Vec<&str> {
    failures.problems.iter().filter(|(_, p)| meant(p.code)).map(|(path, _)| path.as_str()).collect()
}

/// The first names of `all` files, and how many more there are.
pub fn named(names: &[&str], all: u64) -> String {
    /// Names that are told.
    const SHOWN: usize = 3;
    let shown = names.len().min(SHOWN);
    let more = all.saturating_sub(shown as u64);
    let more = if more > 0 { format!(" and {} more", units::count(more)) } else { String::new() };
    format!("{}{more}", names.iter().take(shown).copied().collect::<Vec<_>>().join(", "))
}

/// How many times as much: `3.2 times`; beyond a thousand only that it is more.
pub fn times(ratio: f64) -> String {
    match ratio {
        r if !r.is_finite() || r > 1000.0 => "more than 1,000 times".into(),
        r if r >= 10.0 => format!("{r:.0} times"),
        r => format!("{r:.1} times"),
    }
}
