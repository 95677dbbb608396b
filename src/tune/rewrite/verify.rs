//! The check before a commit: staged files are read back and compared with what was read from the
//! inputs (safety contract, point 4).

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use tokio::runtime::Handle;

use crate::lake::footer::Locator;
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::units::count;
use crate::model::{Fault, FaultKind, Outcome};
use crate::tune::data::bad_file;
use crate::tune::data::batches::{Batches, Reading};
use crate::tune::data::layout::Mapping;
use crate::tune::data::rows::{RowSum, row_sum};
use crate::tune::data::source::{Source, SourceFile};

/// Reads a staged file back, on a thread that may block.
pub fn read_back(
    place: &Place,
    file: SourceFile,
    schema: &SchemaRef,
    mapping: Mapping,
    handle: &Handle,
    watch: &Watch,
) -> Outcome<RowSum> {
    let locator = Locator::new(place);
    let source = handle.block_on(Source::open(place, &locator, file, true, watch))?;
    let source = Arc::new(source);
    let reading = Reading::new(&source, schema, mapping)?;
    let mut batches = Batches::open(&source, &reading, 0..source.live(), handle, watch)?;
    let mut sum = RowSum::default();
    while let Some(batch) = batches.next()? {
        sum.add(row_sum(&batch).map_err(|why| bad_file(&source.file.path, why))?);
    }
    Ok(sum)
}

/// Fault `wrong-row-count` if the log states another number of a file's live rows than it holds.
pub fn miscounted(path: &str, stated: Option<u64>, live: u64) -> Outcome<()> {
    let Some(stated) = stated.filter(|n| *n != live) else { return Ok(()) };
    Err(Fault::new(
        FaultKind::Change,
        "wrong-row-count",
        format!("The log states a wrong row count for {path}"),
    )
    .because(format!("the file has {} rows, the log says {}", count(live), count(stated)))
    .hint(
        "Nothing was committed. Queries that count by statistics are wrong too: have the program that \
         wrote the file compute its statistics anew, or leave its partition out with --where",
    ))
}

/// The fault of a difference; none if there is none. `stated`: rows by the log.
pub fn compare(what: &str, stated: Option<u64>, read: RowSum, written: RowSum) -> Option<Fault> {
    let fault = |why: String| {
        Fault::new(FaultKind::Change, "verification-failed", format!("The new files of {what} do not hold the same rows"))
            .because(why)
            .hint("Nothing was committed, and the new files were removed. This is a bug or a failing disk; please report it")
    };
    if let Some(stated) = stated.filter(|n| *n != read.rows) {
        return Some(fault(format!("the log counts {stated} rows in the inputs, they hold {}", read.rows)));
    }
    if read.rows != written.rows {
        return Some(fault(format!(
            "{} rows were read from the inputs, {} from the new files",
            read.rows, written.rows
        )));
    }
    (read.sum != written.sum).then(|| fault("the rows' hashes differ".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_count_names_the_file() {
        assert_eq!(miscounted("x", None, 3), Ok(()));
        assert_eq!(miscounted("x", Some(3), 3), Ok(()));
        let fault = miscounted("p=1/x", Some(2), 3).unwrap_err();
        assert!(fault.message.contains("p=1/x") && fault.cause.contains("has 3 rows, the log says 2"));
    }

    #[test]
    fn any_difference_is_a_failure() {
        let sum = |rows, sum| RowSum { rows, sum };
        assert_eq!(compare("x", Some(3), sum(3, 9), sum(3, 9)), None);
        assert_eq!(compare("x", None, sum(3, 9), sum(3, 9)), None);
        for (stated, read, written) in [
            (Some(4), sum(3, 9), sum(3, 9)),
            (Some(3), sum(3, 9), sum(2, 9)),
            (Some(3), sum(3, 9), sum(3, 8)),
        ] {
            let fault = compare("x", stated, read, written).unwrap();
            assert_eq!(fault.exit_status(), 7);
        }
    }
}
