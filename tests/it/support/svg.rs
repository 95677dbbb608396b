//! A terminal's screen as an SVG picture: text in monospace runs of fixed width, so that columns
//! align whatever font the viewer has; blocks and lines as shapes, so that they join.

use std::fmt::Write;

use vt100::{Cell, Color, Screen};

/// A cell's size, pixels.
const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 14.0;
const FONT: f64 = 14.0;
/// From a cell's top to the text's base line.
const BASE: f64 = 13.5;

const FOREGROUND: &str = "#d8dee9";
const BACKGROUND: &str = "#14171f";
const PALETTE: [&str; 16] = [
    "#2b303b", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4", "#5c6370",
    "#ff7b86", "#b1e08f", "#ffd68a", "#7cc4ff", "#dd8ff2", "#6fd3de", "#ffffff",
];

/// What a run of cells has in common.
#[derive(Clone, PartialEq)]
struct Style {
    foreground: String,
    background: String,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
}

/// The picture of a screen.
pub fn picture(screen: &Screen, title: &str) -> String {
    let (rows, columns) = screen.size();
    let width = f64::from(columns.get()) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(rows.get()) * CELL.1 + 2.0 * MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\" font-size=\"{FONT}\" font-family=\"'DejaVu Sans Mono', \
         Menlo, Consolas, 'Liberation Mono', monospace\" xml:space=\"preserve\">\n",
        escape(title)
    );
    for row in 0..rows.get() {
        line(&mut out, screen, row, columns.get());
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn line(out: &mut String, screen: &Screen, row: u16, columns: u16) {
    let mut column = 0;
    while column < columns {
        let Some(cell) = screen.cell(row, column) else { break };
        let style = style(cell);
        let mut end = column + 1;
        while screen.cell(row, end).is_some_and(|c| c.is_wide_continuation() || self::style(c) == style) {
            end += 1;
        }
        background(out, &style, row, column, end);
        let mut at = column;
        while at < end {
            at = text_or_shape(out, screen, &style, row, at, end);
        }
        column = end;
    }
}

fn background(out: &mut String, style: &Style, row: u16, from: u16, to: u16) {
    if style.background != BACKGROUND {
        rect(out, (f64::from(from), f64::from(row)), (f64::from(to - from), 1.0), &style.background, 1.0);
    }
}

/// Draws from `at` on as far as it goes in one piece; gives the column after it.
fn text_or_shape(out: &mut String, screen: &Screen, style: &Style, row: u16, at: u16, end: u16) -> u16 {
    let contents = |column| screen.cell(row, column).map_or("", Cell::contents);
    if let Some(parts) = shape(contents(at)) {
        for (x, y, w, h, opacity) in parts {
            let place = (f64::from(at) + x, f64::from(row) + y);
            rect(out, place, (w, h), &style.foreground, opacity);
        }
        return at + 1;
    }
    let mut text = String::new();
    let mut to = at;
    while to < end && shape(contents(to)).is_none() {
        match screen.cell(row, to) {
            Some(cell) if cell.is_wide_continuation() => {}
            Some(cell) if cell.has_contents() => text.push_str(cell.contents()),
            _ => text.push(' '),
        }
        to += 1;
    }
    if text.trim().is_empty() {
        return to;
    }
    // Blanks at the ends would be dropped by some viewers, and then the rest stretched.
    let lead = text.len() - text.trim_start().len();
    let trail = text.len() - text.trim_end().len();
    let (from, cells) = (f64::from(at) + lead as f64, f64::from(to - at) - (lead + trail) as f64);
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" textLength=\"{:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"{}{}{}{}>{}</text>",
        from * CELL.0,
        f64::from(row) * CELL.1 + BASE,
        cells * CELL.0,
        style.foreground,
        if style.bold { " font-weight=\"bold\"" } else { "" },
        if style.dim { " opacity=\"0.65\"" } else { "" },
        if style.italic { " font-style=\"italic\"" } else { "" },
        if style.underline { " text-decoration=\"underline\"" } else { "" },
        escape(text.trim()).replace(' ', "\u{a0}"),
    );
    to
}

/// A rectangle in cells.
fn rect(out: &mut String, (x, y): (f64, f64), (w, h): (f64, f64), fill: &str, opacity: f64) {
    let opacity = if opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() };
    let _ = writeln!(
        out,
        "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"{fill}\"{opacity} shape-rendering=\"crispEdges\"/>",
        x * CELL.0,
        y * CELL.1,
        w * CELL.0,
        h * CELL.1,
    );
}

/// x, y, width, height in parts of a cell, and the opacity.
type Part = (f64, f64, f64, f64, f64);

/// Block elements and light or heavy box lines as rectangles; none for everything else.
fn shape(contents: &str) -> Option<Vec<Part>> {
    let mut chars = contents.chars();
    let (c, None) = (chars.next()?, chars.next()) else { return None };
    let eighths = |n: u32| f64::from(n) / 8.0;
    Some(match c {
        '█' => vec![(0.0, 0.0, 1.0, 1.0, 1.0)],
        '▀' => vec![(0.0, 0.0, 1.0, 0.5, 1.0)],
        // Lower eighths, then left eighths from seven down.
        '▁'..='▇' => {
            let part = eighths(c as u32 - 0x2580);
            vec![(0.0, 1.0 - part, 1.0, part, 1.0)]
        }
        '▉'..='▏' => vec![(0.0, 0.0, eighths(0x2590 - c as u32), 1.0, 1.0)],
        '▐' => vec![(0.5, 0.0, 0.5, 1.0, 1.0)],
        '░' => vec![(0.0, 0.0, 1.0, 1.0, 0.25)],
        '▒' => vec![(0.0, 0.0, 1.0, 1.0, 0.5)],
        '▓' => vec![(0.0, 0.0, 1.0, 1.0, 0.75)],
        _ => lines(c)?,
    })
}

/// Which arms a box-drawing character has: left, right, up, down.
fn lines(c: char) -> Option<Vec<Part>> {
    let (arms, heavy) = match c {
        '─' => ([1, 1, 0, 0], false),
        '│' => ([0, 0, 1, 1], false),
        '━' => ([1, 1, 0, 0], true),
        '┃' => ([0, 0, 1, 1], true),
        '┌' | '╭' => ([0, 1, 0, 1], false),
        '┐' | '╮' => ([1, 0, 0, 1], false),
        '└' | '╰' => ([0, 1, 1, 0], false),
        '┘' | '╯' => ([1, 0, 1, 0], false),
        '├' => ([0, 1, 1, 1], false),
        '┤' => ([1, 0, 1, 1], false),
        '┬' => ([1, 1, 0, 1], false),
        '┴' => ([1, 1, 1, 0], false),
        '┼' => ([1, 1, 1, 1], false),
        _ => return None,
    };
    let pixels = if heavy { 2.4 } else { 1.2 };
    let (w, h) = (pixels / CELL.0, pixels / CELL.1);
    let parts = [
        (0.0, 0.5 - h / 2.0, 0.5 + w / 2.0, h, 1.0),
        (0.5 - w / 2.0, 0.5 - h / 2.0, 0.5 + w / 2.0, h, 1.0),
        (0.5 - w / 2.0, 0.0, w, 0.5 + h / 2.0, 1.0),
        (0.5 - w / 2.0, 0.5 - h / 2.0, w, 0.5 + h / 2.0, 1.0),
    ];
    Some(parts.into_iter().zip(arms).filter(|(_, arm)| *arm == 1).map(|(part, _)| part).collect())
}

fn style(cell: &Cell) -> Style {
    let mut foreground = colour(cell.fgcolor(), FOREGROUND);
    let mut background = colour(cell.bgcolor(), BACKGROUND);
    if cell.inverse() {
        std::mem::swap(&mut foreground, &mut background);
    }
    Style {
        foreground,
        background,
        bold: cell.bold(),
        dim: cell.dim(),
        italic: cell.italic(),
        underline: cell.underline(),
    }
}

fn colour(colour: Color, default: &str) -> String {
    match colour {
        Color::Default => default.to_owned(),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Idx(n @ 0..=15) => PALETTE[usize::from(n)].to_owned(),
        // xterm's 6×6×6 cube, then its greys.
        Color::Idx(n @ 16..=231) => {
            let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let n = n - 16;
            format!("#{:02x}{:02x}{:02x}", level(n / 36), level(n / 6 % 6), level(n % 6))
        }
        Color::Idx(n) => {
            let grey = 8 + 10 * (n - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[test]
fn pictures_hold_text_colours_and_shapes() {
    let mut parser = vt100::Parser::default();
    parser.process("\x1b[1;31m<a>\x1b[0m b█▌│ \x1b[7m日\x1b[0m".as_bytes());
    let svg = picture(parser.screen(), "a & b");
    assert!(svg.contains("a &amp; b") && svg.contains(">&lt;a&gt;</text>"), "{svg}");
    assert!(svg.contains("fill=\"#e06c75\" font-weight=\"bold\""));
    assert!(svg.contains("width=\"4.20\""), "the half block is a rectangle: {svg}");
    assert!(svg.contains("textLength=\"16.8\""), "a wide character takes two cells: {svg}");
}
