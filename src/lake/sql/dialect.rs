//! How statements are spelled: sqlparser's general dialect, with Spark's texts and lambdas.

use std::any::TypeId;

use datafusion::sql::sqlparser::dialect::{Dialect, GenericDialect};

/// `"` and `` ` `` quote identifiers, `'` texts; a backslash escapes; `x -> x + 1` is a function.
#[derive(Debug)]
pub(super) struct Spark;

const BASE: GenericDialect = GenericDialect {};

/// What is as in the general dialect.
macro_rules! as_in_general {
    ($($name:ident)*) => { $(fn $name(&self) -> bool { BASE.$name() })* };
}

impl Dialect for Spark {
    /// The parser takes it for the general one, where it asks for a dialect by name.
    fn dialect(&self) -> TypeId {
        BASE.dialect()
    }

    fn is_delimited_identifier_start(&self, c: char) -> bool {
        BASE.is_delimited_identifier_start(c)
    }

    fn is_identifier_start(&self, c: char) -> bool {
        BASE.is_identifier_start(c)
    }

    fn is_identifier_part(&self, c: char) -> bool {
        BASE.is_identifier_part(c)
    }

    fn supports_string_literal_backslash_escape(&self) -> bool {
        true
    }

    fn supports_lambda_functions(&self) -> bool {
        true
    }

    fn supports_order_by_all(&self) -> bool {
        true
    }

    as_in_general! {
        supports_unicode_string_literal supports_partition_by_after_order_by
        supports_array_join_syntax supports_group_by_expr supports_group_by_with_modifier
        supports_left_associative_joins_without_parens supports_connect_by
        supports_match_recognize supports_pipe_operator supports_start_transaction_modifier
        supports_window_function_null_treatment_arg supports_dictionary_syntax
        supports_window_clause_named_window_reference supports_parenthesized_set_variables
        supports_select_wildcard_except support_map_literal_syntax allow_extract_custom
        allow_extract_single_quotes supports_extract_comma_syntax
        supports_create_view_comment_syntax supports_parens_around_table_factor
        supports_values_as_table_factor supports_create_index_with_clause
        supports_explain_with_utility_options supports_limit_comma supports_update_order_by
        supports_from_first_select supports_projection_trailing_commas
        supports_asc_desc_in_column_definition supports_try_convert
        supports_bitwise_shift_operators supports_comment_on supports_load_extension
        supports_named_fn_args_with_assignment_operator supports_struct_literal
        supports_empty_projections supports_nested_comments supports_multiline_comment_hints
        supports_user_host_grantee supports_string_escape_constant
        supports_array_typedef_with_brackets supports_match_against supports_set_names
        supports_comma_separated_set_assignments supports_filter_during_aggregation
        supports_select_wildcard_exclude supports_data_type_signed_suffix
        supports_interval_options supports_quote_delimited_string
        supports_select_wildcard_replace supports_select_wildcard_ilike
        supports_select_wildcard_rename supports_optimize_table supports_install supports_detach
        supports_prewhere supports_with_fill supports_limit_by supports_interpolate
        supports_settings supports_select_format supports_comment_optimizer_hint
        supports_constraint_keyword_without_name supports_key_column_option
        supports_comma_separated_trim supports_cte_without_as
        supports_select_item_multi_column_alias supports_xml_expressions
    }
}

/// What a text between `'` stands for. A backslash before a letter that it gives no meaning to stays:
/// `'\d'` is a pattern's digit, as `'\\d'` is; Spark would drop it.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        let stands_for = match (c, next) {
            ('\'', Some('\'')) => Some('\''),
            ('\\', Some(quote @ ('\'' | '"' | '\\'))) => Some(quote),
            ('\\', Some('n')) => Some('\n'),
            ('\\', Some('t')) => Some('\t'),
            ('\\', Some('r')) => Some('\r'),
            _ => None,
        };
        if stands_for.is_some() {
            rest.next();
        }
        out.push(stands_for.unwrap_or(c));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (written, meant) in [
            ("it''s", "it's"),
            (r"it\'s", "it's"),
            (r"a\\b\nc", "a\\b\nc"),
            (r"\d+\.\w", r"\d+\.\w"),
            (r"50\%", r"50\%"),
            ("\\", "\\"),
        ] {
            assert_eq!(unescaped(written), meant, "{written}");
        }
    }

    #[test]
    fn what_the_parser_asks_for_by_name_is_the_general_one() {
        let dialect: &dyn Dialect = &Spark;
        assert!(dialect.is::<GenericDialect>());
    }
}
