//! `RESTORE TABLE t TO VERSION AS OF n`

use super::{Desk, in_python, not_yet};
use crate::lake::sql::cursor::Cursor;
use crate::lake::sql::session::SqlRun;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// The version must be there; how to get at its rows, and how to take back deltop's own rewrites,
/// is told.
pub(super) async fn restore(desk: &Desk<'_>, c: &mut Cursor<'_>) -> Outcome<SqlRun> {
    c.eat(&["TABLE"]);
    let name = c.table()?;
    c.eat(&["TO"]);
    let as_of = when(c)?;
    c.end("the end of the statement")?;
    let entry = desk.table(&name).await?;
    let now = entry.open().await?.table.version;
    let shown = entry.names.first().cloned().unwrap_or_default();
    let version = entry.at(shown.clone(), as_of).open().await?.table.version;
    if version == now {
        return Err(Fault::usage("nothing-to-do", format!("{shown} is at version {now} already")));
    }
    let place = &entry.place.display;
    let (table, next) = (name.join("."), version + 1);
    let instead = format!(
        "SELECT * FROM {table} VERSION AS OF {version} reads the rows of then; deltop undo {place} \
         --to-before {next} takes back deltop's own rewrites since. {}",
        in_python(&entry, &format!(".restore({version})"))
    );
    Err(not_yet(&format!("RESTORE to version {version} (of {now})"), instead))
}

fn when(c: &mut Cursor<'_>) -> Outcome<AsOf> {
    const WANTED: &str = "VERSION AS OF n, or TIMESTAMP AS OF '2026-05-27 10:00:00'";
    if c.eat(&["VERSION", "AS", "OF"]) {
        return c.integer("a version number").map(AsOf::Version);
    }
    if !c.eat(&["TIMESTAMP", "AS", "OF"]) {
        return Err(c.expected(WANTED));
    }
    let wrong = c.expected(WANTED);
    match c.text().map(|text| text.parse()) {
        Some(Ok(time @ AsOf::Time(_))) => Ok(time),
        _ => Err(wrong),
    }
}
