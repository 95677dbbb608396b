//! Plain text for people: aligned tables and lines of label and value.
//!
//! Everything passes [`clean`], since names and values come from tables.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::model::recover::Unreadable;
use crate::model::text::clean;

/// Says first what everything below does not cover.
pub fn newest_unreadable(out: &mut dyn Write, found: Option<&Unreadable>, shown: u64) -> io::Result<()> {
    found.map_or(Ok(()), |found| writeln!(out, "{}.\n", clean(&found.says(shown))))
}

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

/// Widest column that is padded to; longer cells are whole, and push the next ones.
const WIDEST: usize = 80;

/// Columns with the width that each takes.
pub struct Layout {
    columns: Vec<Column>,
    widths: Vec<usize>,
}

impl Layout {
    pub fn new(columns: Vec<Column>) -> Self {
        let widths = columns.iter().map(|c| clean(&c.title).width()).collect();
        Layout { columns, widths }
    }

    /// Makes room for a row.
    pub fn fit(&mut self, row: &[String]) {
        for (width, cell) in self.widths.iter_mut().zip(row) {
            *width = (*width).max(clean(cell).width().min(WIDEST));
        }
    }

    pub fn titles(&self) -> Vec<String> {
        self.columns.iter().map(|c| c.title.clone()).collect()
    }

    /// A dashed line below each title.
    pub fn rule(&self) -> Vec<String> {
        self.widths.iter().map(|width| "-".repeat(*width)).collect()
    }

    /// Writes a line of cells, without spaces at its end.
    pub fn line(&self, out: &mut dyn Write, row: &[String]) -> io::Result<()> {
        let mut line = String::new();
        for ((column, width), cell) in self.columns.iter().zip(&self.widths).zip(row) {
            let cell = clean(cell);
            let pad = " ".repeat(width.saturating_sub(cell.width()));
            match column.align {
                Align::Left => line.extend([&cell, &*pad, "  "]),
                Align::Right => line.extend([&*pad, &cell, "  "]),
            }
        }
        writeln!(out, "{}", line.trim_end())
    }
}

/// Writes a table. The rows are gone through twice, once for the widths, so that a million of them
/// need no memory.
pub fn table<R>(out: &mut dyn Write, columns: &[Column], rows: R) -> io::Result<()>
where
    R: Iterator<Item = Vec<String>> + Clone,
{
    let mut layout = Layout::new(columns.to_vec());
    rows.clone().for_each(|row| layout.fit(&row));
    layout.line(out, &layout.titles())?;
    for row in rows {
        layout.line(out, &row)?;
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
