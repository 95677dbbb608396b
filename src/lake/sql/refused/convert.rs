//! ``CONVERT TO DELTA parquet.`path` ``

use super::{Desk, not_yet, quoted};
use crate::lake::discover;
use crate::lake::sql::cursor::Cursor;
use crate::lake::sql::path;
use crate::lake::sql::session::SqlRun;
use crate::lake::watch::Watch;
use crate::model::lakehouse::Found;
use crate::model::{Fault, Outcome};

/// The folder must be there, and no table yet.
pub(super) async fn convert(desk: &Desk<'_>, c: &mut Cursor<'_>) -> Outcome<SqlRun> {
    if !c.eat(&["TO", "DELTA"]) {
        return Err(c.expected("TO DELTA"));
    }
    let name = c.table()?;
    if c.eat(&["NO"]) && !c.eat(&["STATISTICS"]) {
        return Err(c.expected("STATISTICS"));
    }
    let partitions = if c.eat(&["PARTITIONED", "BY"]) { Some(c.brackets()?) } else { None };
    c.end("PARTITIONED BY (column type, …), or the end of the statement")?;
    let (kind, path) = match &name[..] {
        [kind, path] => (kind.to_ascii_lowercase(), path.as_str()),
        [.., path] => ("parquet".into(), path.as_str()),
        [] => (String::new(), ""),
    };
    if kind != "parquet" && kind != "delta" {
        return Err(Fault::usage("unsupported-sql", format!("CONVERT TO DELTA takes no {kind} files"))
            .because("A Delta table consists of Parquet files")
            .hint("CONVERT TO DELTA parquet.`path`"));
    }
    let place = path::find(desk.session.lakehouse().place(), path).await?;
    if matches!(discover::look(&place, &Watch::default()).await?, Found::Table) {
        return Err(Fault::usage("already-a-table", format!("\"{path}\" is a Delta table already"))
            .hint(format!("SELECT * FROM delta.`{path}`")));
    }
    let schema = if partitions.is_some() { ", partition_by=pyarrow.schema(…)" } else { "" };
    let call = format!("deltalake.convert_to_deltalake({}{schema})", quoted(&place.display));
    let instead = format!("SELECT * FROM parquet.`{path}` reads it as it is. In Python: {call}");
    Err(not_yet("CONVERT TO DELTA", instead))
}
