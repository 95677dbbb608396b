//! What else changes something, by its first words, and what to use instead.

use datafusion::sql::sqlparser::tokenizer::TokenWithSpan;

use super::not_yet;
use crate::lake::sql::cursor::Cursor;
use crate::model::Outcome;

/// First words of statements that change data, tables or rights, or the engine's keeping of them,
/// and what to use instead. Of those that begin alike the longer one stands first.
const OTHERS: &[(&[&str], &str)] = &[
    (&["ANALYZE"], "The log has the statistics: deltop columns shows what they cover"),
    (&["CACHE"], "Nothing needs to be cached: a session keeps what it read of the log"),
    (&["UNCACHE"], "Nothing is cached"),
    (&["CLEAR"], "Nothing is cached"),
    (&["REFRESH"], "Each new session reads the newest version"),
    (&["CALL"], "Statements are run, procedures are not"),
    (&["CLONE"], "A table's folder can be copied as it is"),
    (&["COMMENT"], "DESCRIBE EXTENDED shows the table's comment"),
    (&["COPY"], "SELECT * FROM parquet.`path` or csv.`path` reads the files; --format saves rows"),
    (&["DROP", "VIEW"], "There are no views here"),
    (&["DROP", "TABLE"], "A table is its folder: delete the folder to drop it"),
    (&["DROP"], "A schema is a folder: delete the folder to drop it"),
    (&["EXPORT"], "deltop sql … --format csv, json or parquet saves rows"),
    (&["FSCK"], "deltop advise names files that are missing"),
    (&["GRANT"], "Rights are those of the storage"),
    (&["REVOKE"], "Rights are those of the storage"),
    (&["IMPORT"], "SELECT * FROM parquet.`path` or csv.`path` reads the files"),
    (&["INSTALL"], "All that a query can use is built in"),
    (&["LOAD"], "SELECT * FROM parquet.`path` or csv.`path` reads the files"),
    (&["MSCK"], "A Delta table's partitions are in its log: SHOW PARTITIONS lists them"),
    (&["REPAIR"], "deltop repair takes back a double rewrite"),
    (&["REPLACE"], "The query alone can be run, and its rows saved (--format parquet)"),
    (&["TRUNCATE"], "The rows of before stay readable: SELECT * FROM t VERSION AS OF n"),
    (&["UNDROP"], "A table is its folder: copy the folder back to have it again"),
    (&["UNLOAD"], "deltop sql … --format csv, json or parquet saves rows"),
    (&["UPSERT"], "SELECT … FROM t JOIN s ON … tells which rows match"),
];

/// Refuses statements by their first words.
pub(super) fn check(words: &[TokenWithSpan]) -> Outcome<()> {
    let c = Cursor::new(words);
    match OTHERS.iter().find(|(first, _)| c.sees(first)) {
        Some((first, instead)) => Err(not_yet(&first.join(" "), *instead)),
        None => Ok(()),
    }
}
