//! Data files: read as they are, brought to one physical schema, written, read back.
//!
//! ```text
//! layout    the physical schema of new files: names, ids, types
//! fit       how a file's own columns become those
//! vector    deletion vectors
//! source    a file to read: its footer, its live rows
//! batches   its rows, batch by batch
//! rows      a hash of each row, to compare what was written with what was read
//! stats/    statistics of a new file, as the log has them
//! sink      where a new file's bytes go
//! writer    a new file
//! ```

pub mod batches;
pub mod fit;
pub mod layout;
pub mod rows;
pub mod sink;
pub mod source;
pub mod stats;
pub mod vector;
pub mod writer;

use crate::model::{Fault, FaultKind};

/// The fault of a data file that cannot be read as the log says.
pub fn bad_file(path: &str, why: impl std::fmt::Display) -> Fault {
    Fault::read("bad-data-file", format!("The data file {path} cannot be read"))
        .because(crate::lake::log::store::redact(&why.to_string()))
        .hint("Nothing was committed. `deltop footer` shows what can be read of the file")
}

/// The fault of a new file that cannot be written.
pub fn cannot_write(path: &str, why: impl std::fmt::Display) -> Fault {
    Fault::new(FaultKind::Change, "cannot-write", format!("The new file {path} cannot be written"))
        .because(crate::lake::log::store::redact(&why.to_string()))
        .hint("Nothing was committed. Check the space and the rights, then run it again")
}
