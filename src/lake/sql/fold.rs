//! Names as Spark matches them: in any case. Every name of a statement and every column is folded
//! to lower case before planning; results get their own spelling back (`labels`).
//!
//! Folding both sides leaves the scoping of names to the engine. (Finding the right spelling for
//! each name instead would bind `id` of a subquery to an outer table that has it in that case.)

use std::collections::HashMap;

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

/// Folded name → own spelling.
pub(super) type Spellings = HashMap<String, String>;

/// A name as names are compared.
pub(super) fn fold(name: &str) -> String {
    name.to_lowercase()
}

/// The tokens with all names, quoted or not, folded.
pub(super) fn fold_tokens(tokens: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let mut out = tokens.to_vec();
    for token in &mut out {
        if let Token::Word(word) = &mut token.token {
            word.value = fold(&word.value);
        }
    }
    out
}
