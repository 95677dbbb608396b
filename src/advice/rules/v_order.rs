use crate::advice::words::plural;
use crate::advice::{Facts, Finding, Severity};
use crate::model::files::FileRef;
use crate::model::units::count;

pub(super) const ID: &str = "v-order";

/// From the files' tags, or from footers where the tags say nothing.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let tagged = facts.files.iter().filter(is_tagged).count() as u64;
    let (ordered, of, from) = match facts.footers.filter(|f| tagged == 0 && f.files > 0) {
        Some(footers) => (footers.v_order_files, footers.files, "footers read"),
        None if facts.files.has_tags && tagged > 0 => (tagged, facts.sum.files, "files, by their tags"),
        None => return None,
    };
    let wanted = facts.limits.wants_v_order;
    if ordered >= of || (ordered == 0 && !wanted) {
        return None;
    }
    Some(Finding {
        id: ID,
        severity: if wanted && ordered > 0 { Severity::Warning } else { Severity::Info },
        title: if ordered == 0 {
            "No file is V-ordered".into()
        } else {
            "Some files are V-ordered, some are not".into()
        },
        evidence: format!("{} of {} {from}", count(ordered), count(of)),
        impact: format!(
            "V-Order compresses better (up to 50 %) and Fabric's engines read it faster; {} lack it; \
                only Fabric writes it, so a rewrite by this program loses it in the files that it \
                touches",
            plural(of - ordered, "file")
        ),
        action: None,
        source: "Microsoft Fabric docs, V-Order: about 15 % slower writes, up to 50 % more compression \
            (2026)",
    })
}

fn is_tagged(file: &FileRef<'_>) -> bool {
    let on = |(key, value): &(String, Option<String>)| {
        key.eq_ignore_ascii_case("VORDER") && value.as_deref().is_some_and(|v| v.eq_ignore_ascii_case("true"))
    };
    file.tags.is_some_and(|tags| tags.iter().any(on))
}
