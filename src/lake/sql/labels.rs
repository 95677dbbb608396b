//! The names of a result's columns for people: folded names get their spelling back.

use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{self, Expr, SelectItem, SetExpr};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::fold::{Spellings, fold};

/// Spellings that the statement itself gives: aliases after `AS` and quoted names.
pub(super) fn given(tokens: &[TokenWithSpan]) -> Spellings {
    let mut out = Spellings::new();
    let mut after_as = false;
    for token in tokens {
        match &token.token {
            Token::Whitespace(_) => continue,
            Token::Word(word) => {
                if after_as || word.quote_style.is_some() {
                    out.insert(fold(&word.value), word.value.clone());
                }
                after_as = word.keyword == Keyword::AS;
            }
            _ => after_as = false,
        }
    }
    out
}

/// The result's column names for people: as the select list writes them, else as the tables spell
/// them (`columns`), else as the statement does (`given`).
pub(super) fn labels(
    folded: &[String],
    as_written: &Statement,
    columns: &Spellings,
    given: &Spellings,
) -> Vec<String> {
    let listed = select_list(as_written).filter(|list| list.len() == folded.len());
    let listed = listed.unwrap_or_else(|| vec![None; folded.len()]);
    let label = |(name, written): (&String, Option<String>)| {
        // Whether the end of `a.b` is a column or a field only the engine knows: it calls a field `a[b]`.
        let is = |w: &String| {
            let end = fold(w);
            end == *name || name.to_lowercase().ends_with(&format!("[{end}]"))
        };
        written.filter(is).unwrap_or_else(|| respell(name, columns, given))
    };
    folded.iter().zip(listed).map(label).collect()
}

/// The names that the outermost select list gives, in order; none of an expression without a name.
/// None if the list has a wildcard, so that items are not columns.
fn select_list(statement: &Statement) -> Option<Vec<Option<String>>> {
    let Statement::Statement(statement) = statement else { return None };
    let ast::Statement::Query(query) = statement.as_ref() else { return None };
    let mut body = &query.body;
    let select = loop {
        match body.as_ref() {
            SetExpr::Select(select) => break select,
            SetExpr::Query(query) => body = &query.body,
            SetExpr::SetOperation { left, .. } => body = left,
            _ => return None,
        }
    };
    let name = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(Some(alias.value.clone())),
        SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(Some(name.value.clone())),
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(names)) => {
            Some(names.last().map(|n| n.value.clone()))
        }
        SelectItem::UnnamedExpr(_) => Some(None),
        _ => None,
    };
    select.projection.iter().map(name).collect()
}

/// Gives the names in an expression's text their spelling back; texts in quotes stay.
fn respell(text: &str, columns: &Spellings, given: &Spellings) -> String {
    let spelling = |name: &str| columns.get(name).or_else(|| given.get(name));
    if let Some(whole) = spelling(text) {
        return whole.clone();
    }
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    let mut quote = None;
    for c in text.chars().chain(std::iter::once('\0')) {
        if quote.is_none() && (c.is_alphanumeric() || c == '_') {
            word.push(c);
            continue;
        }
        out.push_str(spelling(&word).map_or(&word, |s| s));
        word.clear();
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        if quote.is_some() && c != '\0' {
            out.push(c);
            continue;
        }
        if c != '\0' {
            out.push(c);
        }
    }
    out
}

/// The schema under other column names.
pub(super) fn relabel(schema: &Schema, labels: &[String]) -> SchemaRef {
    let rename = |(field, label): (&Arc<Field>, &String)| Arc::new(field.as_ref().clone().with_name(label));
    Arc::new(Schema::new(schema.fields().iter().zip(labels).map(rename).collect::<Vec<_>>()))
}

/// The batch with the labels' names; types and nullability stay those of the batch.
pub(super) fn relabel_batch(batch: &RecordBatch, labels: &SchemaRef) -> RecordBatch {
    let names = labels.fields().iter().map(|f| f.name());
    let own = batch.schema();
    let fields = own.fields().iter().zip(names).map(|(f, name)| f.as_ref().clone().with_name(name));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    // The same columns under the same types always fit; the batch as it is would be no loss.
    let columns = batch.columns().to_vec();
    RecordBatch::try_new_with_options(schema, columns, &options).unwrap_or_else(|_| batch.clone())
}

#[cfg(test)]
mod tests {
    use datafusion::sql::parser::DFParserBuilder;

    use super::super::split::tokens;
    use super::*;

    fn labelled(text: &str, folded: &[&str]) -> Vec<String> {
        let tokens = tokens(text).unwrap();
        let statement = DFParserBuilder::new(tokens.clone()).build().unwrap().parse_statement().unwrap();
        let columns = [("productid", "ProductID"), ("linetotal", "LineTotal")];
        let columns = columns.map(|(k, v)| (k.to_owned(), v.to_owned())).into_iter().collect();
        let folded: Vec<String> = folded.iter().map(|s| (*s).to_owned()).collect();
        labels(&folded, &statement, &columns, &given(&tokens))
    }

    #[test]
    fn explicit_names_are_as_written() {
        let text = "select PRODUCTID, sum(LineTotal), count(*) AS `How Many` from s group by 1";
        let folded = ["productid", "sum(s.linetotal)", "how many"];
        assert_eq!(labelled(text, &folded), ["PRODUCTID", "sum(s.LineTotal)", "How Many"]);
    }

    #[test]
    fn a_wildcard_gives_the_tables_spelling() {
        let text = "select *, 1 as N from s where PRODUCTID > 1";
        assert_eq!(labelled(text, &["productid", "linetotal", "n"]), ["ProductID", "LineTotal", "N"]);
    }

    #[test]
    fn quoted_texts_stay() {
        let text = "select s.LINETOTAL || 'linetotal' from s";
        let folded = ["s.linetotal || Utf8(\"linetotal\")"];
        assert_eq!(labelled(text, &folded), ["s.LineTotal || Utf8(\"linetotal\")"]);
    }
}
