//! The places that an error names, from those of the statement to those of the editor.

/// Where a statement starts in the editor: line and character column, from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Origin {
    pub line: usize,
    pub column: usize,
}

/// The first place that a text names, from 1.
pub fn place_in(text: &str) -> Option<(usize, usize)> {
    next(text).map(|p| (p.line, p.column))
}

/// The text with the editor's places in place of the statement's.
pub fn translate(text: &str, origin: Origin) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = next(rest) {
        let column = if place.line == 1 { place.column + origin.column } else { place.column };
        out.push_str(&rest[..place.start]);
        out.push_str(&format!("{}{}{column}", place.line + origin.line, place.between));
        rest = &rest[place.end..];
    }
    out.push_str(rest);
    out
}

/// How places are written: before the line's number, and between that and the column's. The latter
/// form is sqlparser's own.
const FORMS: [(&str, &str); 2] = [("line ", ", column "), ("Line: ", ", Column: ")];

struct Place {
    /// Where the line's number starts, and where the column's ends.
    start: usize,
    end: usize,
    between: &'static str,
    line: usize,
    column: usize,
}

fn next(text: &str) -> Option<Place> {
    let find = |(before, between): &(&'static str, &'static str)| {
        text.match_indices(before).find_map(|(at, _)| {
            let start = at + before.len();
            let (line, rest) = number(&text[start..])?;
            let (column, rest) = number(rest.strip_prefix(between)?)?;
            Some(Place { start, end: text.len() - rest.len(), between, line, column })
        })
    };
    FORMS.iter().filter_map(find).min_by_key(|p| p.start)
}

/// The number at the start, and what follows it. 0 means that the place is not known.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    // So that adding an origin cannot overflow.
    let number = text[..end].parse::<u32>().ok().filter(|n| *n > 0)?;
    Some((number as usize, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_by_where_the_statement_starts() {
        let origin = Origin { line: 4, column: 10 };
        let moved = |text: &str| translate(text, origin);
        assert_eq!(moved("bad at line 1, column 8, near \"x\""), "bad at line 5, column 18, near \"x\"");
        assert_eq!(moved("y at Line: 2, Column: 7"), "y at Line: 6, Column: 7");
        assert_eq!(moved("line 1, column 1; line 3, column 2"), "line 5, column 11; line 7, column 2");
        assert_eq!(moved("line 1 of the file, Line: 0, Column: 0"), "line 1 of the file, Line: 0, Column: 0");
        assert_eq!(place_in("at Line: 2, Column: 7"), Some((2, 7)));
        assert_eq!(place_in("Line: x, line 99999999999999999999, column 1"), None);
    }
}
