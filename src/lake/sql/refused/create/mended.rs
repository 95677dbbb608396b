//! Partition columns that the new table would not have, and the statement as it would be right.

use super::table::NewTable;
use crate::lake::sql::cursor::as_text;
use crate::lake::sql::fold::fold;
use crate::lake::sql::near::nearest;
use crate::model::{Fault, Outcome};

/// `columns` are the names and types of those that the table would have.
///
/// # Errors
/// `unknown-column` with the mended statement; `invalid-sql` if nothing but partition columns is left.
pub(super) fn check(new: &NewTable<'_>, columns: &[(String, String)]) -> Outcome<()> {
    let is_there = |name: &str| columns.iter().any(|(c, _)| fold(c) == fold(name));
    let lacking = new.partitions.iter().find(|p| !p.typed && !is_there(&p.name));
    if let Some(partition) = lacking {
        let message =
            format!("The partition column \"{}\" is not one of the table's columns", partition.name);
        return Err(Fault::usage("unknown-column", message)
            .because("A Delta table keeps the values of its partition columns like any other column")
            .hint(hint(new, &partition.name, columns)));
    }
    let own = columns.iter().filter(|(c, _)| !new.partitions.iter().any(|p| fold(&p.name) == fold(c)));
    if !new.partitions.is_empty() && own.count() == 0 {
        return Err(Fault::usage("invalid-sql", "A table needs a column that it is not partitioned by"));
    }
    Ok(())
}

fn hint(new: &NewTable<'_>, partition: &str, columns: &[(String, String)]) -> String {
    let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
    if let Some(near) = nearest(partition, &names).first() {
        return format!("Did you mean PARTITIONED BY ({near})?");
    }
    match (new.query, new.parts) {
        (Some(query), _) => match derived(partition, columns) {
            Some(expression) => format!(
                "Give it to the table: … AS SELECT *, {expression} AS {partition} FROM ({})",
                as_text(query)
            ),
            None => format!("Add it to the SELECT list, or partition by one of {}", names.join(", ")),
        },
        (None, Some([before, inner, after])) => format!(
            "Give it to the table: {} ({}, {partition} {}) {}",
            as_text(before),
            as_text(inner),
            guessed(partition),
            as_text(after)
        ),
        (None, None) => format!("Give the table's columns: (…, {partition} {})", guessed(partition)),
    }
}

/// What a column of that name comes from, if there is a date.
fn derived(partition: &str, columns: &[(String, String)]) -> Option<String> {
    let (date, _) = columns.iter().find(|(_, t)| t == "date" || t.starts_with("timestamp"))?;
    let folded = fold(partition);
    let part = ["year", "month", "day"].into_iter().find(|part| folded.contains(part));
    match part {
        Some(part) => Some(format!("{part}({date})")),
        None => folded.contains("date").then(|| format!("CAST({date} AS DATE)")),
    }
}

/// The type that a column of that name is likely to have.
fn guessed(name: &str) -> &'static str {
    let folded = fold(name);
    let has = |words: &[&str]| words.iter().any(|w| folded.contains(w));
    match () {
        () if has(&["date"]) => "DATE",
        () if has(&["year", "month", "day", "hour", "week", "quarter"]) => "INT",
        () => "STRING",
    }
}
