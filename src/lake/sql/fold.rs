//! Names as Spark matches them: in any case. Every name of a statement and every column is folded
//! to lower case before planning; results get their own spelling back (`labels`).
//!
//! Folding both sides leaves the scoping of names to the engine. (Finding the right spelling for
//! each name instead would bind `id` of a subquery to an outer table that has it in that case.)

use std::collections::HashMap;

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::file_format::FileKind;

/// Folded name → own spelling.
pub(super) type Spellings = HashMap<String, String>;

/// A name as names are compared.
pub(super) fn fold(name: &str) -> String {
    name.to_lowercase()
}

/// The tokens with all names, quoted or not, folded. Paths, as in ``csv.`path` ``, and the options
/// after them stay.
pub(super) fn fold_tokens(tokens: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let mut out = tokens.to_vec();
    // How far one is into the name of a file: its kind, the period.
    let mut into = 0;
    for token in &mut out {
        let Token::Word(word) = &mut token.token else {
            into = if into == 1 && token.token == Token::Period { 2 } else { 0 };
            continue;
        };
        if into == 2 && word.quote_style.is_some() {
            into = 0;
            continue;
        }
        into = usize::from(word.quote_style.is_none() && FileKind::parse(&word.value).is_some());
        word.value = fold(&word.value);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::split::tokens;
    use super::*;

    #[test]
    fn names_are_folded_and_paths_are_not() {
        let text = "SELECT Csv.`A b`, `C` FROM CSV.`/X/Y.csv`, json . `Z`";
        let folded = fold_tokens(&tokens(text).unwrap());
        let text: String = folded.iter().map(|t| t.token.to_string()).collect();
        assert_eq!(text.replace("EOF", ""), "select csv.`A b`, `c` from csv.`/X/Y.csv`, json . `z`");
    }
}
