//! A location that is still being looked at, or that holds nothing to be opened.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset};
use super::notice;
use super::theme::Role;
use super::words::{counted, wrap};
use crate::app::App;
use crate::app::load::Load;
use crate::model::lakehouse::Found;
use crate::model::{text, units};

pub fn place(canvas: &mut Canvas<'_>, area: Rect, app: &App, load: &Load<Found>) {
    let (what, next) = match &load.value {
        None => return notice::instead(canvas, area, load, "looking at the location", "r"),
        Some(Found::ParquetFolder { files, bytes }) => (
            format!(
                "A folder of {} ({}), not a Delta table.",
                counted(*files, "parquet file"),
                units::bytes(*bytes)
            ),
            "Another engine can make it one in place (Spark's CONVERT TO DELTA, or convert_to_deltalake in Python); \
             `deltop footer FILE` shows one file."
                .to_owned(),
        ),
        Some(Found::ParquetFile { bytes }) => (
            format!("A parquet file of {}, not a Delta table.", units::bytes(*bytes)),
            format!("`deltop footer {}` shows what is in it.", app.startup.location),
        ),
        Some(Found::Other { holds }) => (
            format!(
                "There is no Delta table here: no _delta_log folder, neither here nor in the folders below. It holds {holds}."
            ),
            "Check the path; a table's location is the folder that has _delta_log in it.".to_owned(),
        ),
        Some(Found::Table | Found::Folder(_)) => (
            "The location has changed: there is a table now where there was none.".to_owned(),
            "Start deltop again on it.".to_owned(),
        ),
    };
    let area = inset(area, 2);
    let mut y = area.y + 1;
    for (line, role) in [(what, Role::Strong), (String::new(), Role::Plain), (next, Role::Plain)] {
        for part in wrap(&text::clean_lines(&line), area.width.into()) {
            if y < area.bottom() {
                canvas.put(area.x, y, area.width, &part, role);
            }
            y += 1;
        }
    }
}
