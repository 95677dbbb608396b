//! Plain text for people: aligned tables and lines of label and value.
//!
//! Everything passes [`clean`], since names and values come from tables.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::model::text::clean;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A column of a text table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub title: String,
    pub align: Align,
}

impl Column {
    pub fn left(title: impl Into<String>) -> Self {
        Column { title: title.into(), align: Align::Left }
    }

    pub fn right(title: impl Into<String>) -> Self {
        Column { title: title.into(), align: Align::Right }
    }
}

/// Writes a table. The rows are gone through twice, once for the widths, so that a million of them
/// need no memory; the last column is not padded.
pub fn table<R>(out: &mut dyn Write, columns: &[Column], rows: R) -> io::Result<()>
where
    R: Iterator<Item = Vec<String>> + Clone,
{
    let mut widths: Vec<usize> = columns.iter().map(|c| c.title.width()).collect();
    for row in rows.clone() {
        for (width, cell) in widths.iter_mut().zip(&row) {
            *width = (*width).max(clean(cell).width());
        }
    }
    let titles = columns.iter().map(|c| c.title.clone()).collect();
    for row in std::iter::once(titles).chain(rows) {
        line(out, columns, &widths, &row)?;
    }
    Ok(())
}

fn line(out: &mut dyn Write, columns: &[Column], widths: &[usize], row: &[String]) -> io::Result<()> {
    let last = columns.len().saturating_sub(1);
    for (at, ((column, width), cell)) in columns.iter().zip(widths).zip(row).enumerate() {
        let cell = clean(cell);
        let pad = width.saturating_sub(cell.width());
        match column.align {
            Align::Right => write!(out, "{:pad$}{cell}", "")?,
            Align::Left if at == last => write!(out, "{cell}")?,
            Align::Left => write!(out, "{cell}{:pad$}", "")?,
        }
        out.write_all(if at == last { b"\n" } else { b"  " })?;
    }
    Ok(())
}

/// Writes `label  value` lines with the values below each other.
pub fn pairs(out: &mut dyn Write, pairs: &[(&str, String)]) -> io::Result<()> {
    let width = pairs.iter().map(|(label, _)| label.width()).max().unwrap_or(0);
    for (label, value) in pairs {
        let pad = width - label.width();
        writeln!(out, "{label}{:pad$}  {}", "", clean(value))?;
    }
    Ok(())
}

/// `1 file`, `3 files`: a count with its noun.
pub fn counted(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", crate::model::units::count(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_aligned_by_what_they_take_on_the_screen() {
        let rows = [["日本", "1"], ["a\x1b[1m", "1234"]].map(|r| r.map(String::from).to_vec());
        let mut out = Vec::new();
        let columns = [Column::left("name"), Column::right("n")];
        table(&mut out, &columns, rows.into_iter()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "name      n\n日本      1\na␛[1m  1234\n");
    }

    #[test]
    fn labels_are_padded() {
        let mut out = Vec::new();
        pairs(&mut out, &[("a", "1".into()), ("long", "x\ny".into())]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a     1\nlong  x␊y\n");
    }
}
