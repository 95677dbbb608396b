//! `CREATE TABLE [IF NOT EXISTS] t [(…)] [USING DELTA] [PARTITIONED BY (…)] [LOCATION '…'] [AS SELECT]`

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::{Desk, not_yet, quoted, sql};
use super::{listed, mended};
use crate::lake::discover;
use crate::lake::log::OpenTable;
use crate::lake::place::Place;
use crate::lake::sql::cursor::{Cursor, Name};
use crate::lake::sql::engine::SCHEMA;
use crate::lake::sql::fold::fold;
use crate::lake::sql::look::said;
use crate::lake::sql::path;
use crate::lake::sql::session::SqlRun;
use crate::lake::watch::Watch;
use crate::model::lakehouse::Found;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// A statement that makes a table.
#[derive(Default)]
pub(super) struct NewTable<'a> {
    name: Name,
    unless_there: bool,
    /// The words before the list of columns, in it, and after it.
    pub(super) parts: Option<[&'a [TokenWithSpan]; 3]>,
    pub(super) columns: Vec<(String, String)>,
    pub(super) partitions: Vec<Partition>,
    location: Option<String>,
    pub(super) query: Option<&'a [TokenWithSpan]>,
}

/// `column` or `column type`
pub(super) struct Partition {
    pub(super) name: String,
    pub(super) typed: bool,
}

/// Over a table at LOCATION the statement gives it a name, for this session. Others cannot be run yet.
pub(super) async fn table<'a>(desk: &Desk<'a>, c: &mut Cursor<'a>) -> Outcome<SqlRun> {
    let new = parse(desk.words, c)?;
    let shown = new.name.join(".");
    let (schema, name) = match &new.name[..] {
        [.., schema, table] => (schema.as_str(), table.as_str()),
        [table] => (SCHEMA, table.as_str()),
        [] => (SCHEMA, ""),
    };
    let lakehouse = desk.session.lakehouse();
    let there = schema != "delta" && lakehouse.entry(schema, name).await?.is_some();
    if there && new.unless_there {
        return said(format!("The table {shown} is there already; nothing was done"));
    }
    if there {
        let fault = Fault::usage("table-exists", format!("The table \"{shown}\" is there already"));
        return Err(fault.hint(format!("CREATE TABLE IF NOT EXISTS, or DESCRIBE {shown}")));
    }
    let at = match &new.location {
        Some(location) => place(desk, location).await?,
        None => None,
    };
    if let Some(place) = at {
        return name_it(desk, &new, name, place).await;
    }
    let columns = match new.query {
        Some(query) => {
            let schema = desk.planned(&[&sql("SELECT * FROM ("), query, &sql(") LIMIT 0")]).await?;
            let column = |f: &std::sync::Arc<arrow::datatypes::Field>| {
                (f.name().clone(), crate::lake::sql::encode::type_name(f.data_type()))
            };
            schema.fields().iter().map(column).collect()
        }
        None => new.columns.clone(),
    };
    mended::check(&new, &columns)?;
    let target = quoted(new.location.as_deref().unwrap_or(name));
    let instead = match new.query {
        Some(_) => format!(
            "The query alone can be run, and its rows saved (--format parquet). In Python: \
             deltalake.write_deltalake({target}, rows)"
        ),
        None => format!("In Python: deltalake.DeltaTable.create({target}, schema=…)"),
    };
    Err(not_yet("CREATE TABLE", instead))
}

/// The table at a location; none if there is none.
///
/// # Errors
/// `bad-location` for addresses that lead nowhere; those of the store.
async fn place(desk: &Desk<'_>, location: &str) -> Outcome<Option<Place>> {
    path::check_url(location)?;
    let place = match path::find(desk.session.lakehouse().place(), location).await {
        Ok(place) => place,
        Err(fault) if fault.code == "not-found" => return Ok(None),
        Err(fault) => return Err(fault),
    };
    match discover::look(&place, &Watch::default()).await {
        Ok(Found::Table) => Ok(Some(place)),
        Ok(_) => Ok(None),
        Err(fault) if fault.code == "not-found" => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// What the statement says of the table must be so.
async fn name_it(desk: &Desk<'_>, new: &NewTable<'_>, name: &str, place: Place) -> Outcome<SqlRun> {
    let open = OpenTable::open(&place, AsOf::Latest, &Watch::default()).await?;
    let metadata = &open.table.metadata;
    let differs = |what: String| {
        let fault =
            Fault::usage("table-exists", format!("There is a table at \"{}\" already", place.display));
        Err(fault.because(what).hint(format!(
            "Leave columns and partitions out: CREATE TABLE {} USING DELTA LOCATION '{}'",
            new.name.join("."),
            place.display
        )))
    };
    if new.query.is_some() {
        return differs("AS SELECT would write into it".into());
    }
    let unknown =
        new.columns.iter().find(|(column, _)| !metadata.schema.iter().any(|f| fold(&f.name) == fold(column)));
    if let Some((column, _)) = unknown {
        return differs(format!("it has no column \"{column}\""));
    }
    let own: Vec<String> = metadata.partition_columns.iter().map(|c| fold(c)).collect();
    let said_so: Vec<String> = new.partitions.iter().map(|p| fold(&p.name)).collect();
    if !said_so.is_empty() && said_so != own {
        let own = if own.is_empty() { "nothing".into() } else { metadata.partition_columns.join(", ") };
        return differs(format!("it is partitioned by {own}"));
    }
    let (shown, display) = (new.name.join("."), place.display.clone());
    desk.session.lakehouse().register(name, place);
    said(format!("{shown} means the table at {display} in this session; nothing was written"))
}

fn parse<'a>(words: &'a [TokenWithSpan], c: &mut Cursor<'a>) -> Outcome<NewTable<'a>> {
    let unless_there = c.eat(&["IF", "NOT", "EXISTS"]);
    let mut new = NewTable { name: c.name("a table")?, unless_there, ..NewTable::default() };
    if c.peek() == Some(&Token::LParen) {
        let before = words.get(..words.len() - c.rest().len()).unwrap_or_default();
        let inner = c.brackets()?;
        new.columns = listed(inner)?;
        new.parts = Some([before, inner, c.rest()]);
    }
    let text = |c: &mut Cursor<'_>| c.text().ok_or_else(|| c.expected("a text in quotes"));
    while !c.at_end() {
        if c.eat(&["USING"]) || c.eat(&["STORED", "AS"]) {
            let wrong = c.expected("USING DELTA");
            if !c.word().is_some_and(|format| format.eq_ignore_ascii_case("delta")) {
                return Err(wrong);
            }
        } else if c.eat(&["PARTITIONED", "BY"]) {
            new.partitions = partitions(c)?;
        } else if c.eat(&["CLUSTER", "BY"]) {
            c.brackets()?;
        } else if c.eat(&["LOCATION"]) {
            new.location = Some(text(c)?);
        } else if c.eat(&["COMMENT"]) {
            text(c)?;
        } else if c.eat(&["TBLPROPERTIES"]) || c.eat(&["OPTIONS"]) {
            super::super::alter::properties(c)?;
        } else if c.sees(&["SELECT"]) || c.sees(&["WITH"]) || c.eat(&["AS"]) {
            if c.at_end() {
                return Err(c.expected("a query"));
            }
            new.query = Some(c.words_until(&[]));
        } else {
            return Err(
                c.expected("USING DELTA, PARTITIONED BY (…), LOCATION '…', TBLPROPERTIES (…) or AS SELECT")
            );
        }
    }
    if new.columns.is_empty() && new.query.is_none() && new.location.is_none() {
        return Err(c.expected("(column type, …), LOCATION '…' or AS SELECT"));
    }
    Ok(new)
}

fn partitions(c: &mut Cursor<'_>) -> Outcome<Vec<Partition>> {
    let inner = c.brackets()?;
    let mut c = Cursor::new(inner);
    let mut out = Vec::new();
    loop {
        let name = c.word().ok_or_else(|| c.expected("a column"))?;
        if c.peek() == Some(&Token::LParen) {
            let column = c.brackets().map(crate::lake::sql::cursor::as_text).unwrap_or_default();
            return Err(Fault::usage(
                "invalid-sql",
                format!("A Delta table is not partitioned by {name}({column})"),
            )
            .because("It is partitioned by columns as they are")
            .hint(format!(
                "Make a column of it, such as {name}_of_{column} INT GENERATED ALWAYS AS ({name}({column}))"
            )));
        }
        let typed = !c.at_end() && c.peek() != Some(&Token::Comma);
        while !c.at_end() && c.peek() != Some(&Token::Comma) {
            if c.peek() == Some(&Token::LParen) {
                c.brackets()?;
            } else {
                c.next();
            }
        }
        out.push(Partition { name, typed });
        if !c.eat_sign(&Token::Comma) {
            return Ok(out);
        }
    }
}
