//! What the planners say to a command line, said to a form: its fields have other names.

use crate::model::Fault;

/// Options that a hint may name, and what does the same in the form.
const SAID: &[(&str, &str)] = &[
    ("confirm with --below-safe-retention", "turn on \"below 168 hours\" in the form (Esc)"),
    ("--below-safe-retention", "\"below 168 hours\""),
    ("--include-never-referenced", "\"never referenced\""),
    ("or --per-partition", "or choose a number of files in each partition"),
    ("--per-partition", "a number of files in each partition"),
    ("narrow it with --where", "narrow the scope"),
    ("the --where predicate", "the condition of the scope"),
    ("The condition of --where", "The condition of the scope"),
    ("--where", "a condition as the scope"),
    ("More memory (--memory)", "More memory"),
    ("Add --allow-writes", "Start deltop with --allow-writes"),
];

/// The fault in the words of the screen.
pub fn on_screen(mut fault: Fault) -> Fault {
    for text in [&mut fault.message, &mut fault.hint] {
        for (option, words) in SAID {
            if text.contains(option) {
                *text = text.replace(option, words);
            }
        }
    }
    fault
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_fields_instead_of_options() {
        let said = |hint: &str| on_screen(Fault::refused("x", "Refused").hint(hint)).hint;
        assert_eq!(
            said("keep 168 h or more, or confirm with --below-safe-retention"),
            "keep 168 h or more, or turn on \"below 168 hours\" in the form (Esc)"
        );
        assert_eq!(
            said("give 8 or more, or --per-partition, or narrow it with --where"),
            "give 8 or more, or choose a number of files in each partition, or narrow the scope"
        );
    }
}
