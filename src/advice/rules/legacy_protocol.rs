use crate::advice::words::some;
use crate::advice::{Facts, Finding, Severity};

pub(super) const ID: &str = "legacy-protocol";

/// Writer versions 3 to 6 imply every feature of their time, used or not; 1 and 2 imply nothing
/// that hurts.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let protocol = &facts.table.protocol;
    if !(3..=6).contains(&protocol.min_writer) {
        return None;
    }
    Some(Finding {
        id: ID,
        severity: Severity::Info,
        title: format!("Writer version {} implies features", protocol.min_writer),
        evidence: format!(
            "reader {}, writer {}: {}",
            protocol.min_reader,
            protocol.min_writer,
            some(&protocol.features(), 8)
        ),
        impact: "every writer must support all of them, though the table may use none; table features \
            (writer 7) name only what is used"
            .into(),
        action: None,
        source: "Delta protocol, Table Features and Valid Feature Names",
    })
}
