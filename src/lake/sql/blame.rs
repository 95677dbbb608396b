//! Errors of the engine and of delta-rs as faults: what failed, why, what to do.

use std::error::Error;

use arrow::error::ArrowError;
use datafusion::common::{Column, DataFusionError, SchemaError, Span};
use datafusion::sql::sqlparser::tokenizer::TokenWithSpan;
use deltalake::DeltaTableError;
use object_store::path::Path;

use super::lakehouse::Lakehouse;
use super::near::nearest;
use super::spark;
use super::words::{Spot, first_line, without_wrapping};
use crate::lake::place::Place;
use crate::model::Fault;

/// A table that cannot be opened for queries.
pub(super) fn table(place: &Place, error: &DeltaTableError) -> Fault {
    let message = format!("Cannot read the table \"{}\"", place.name);
    let text = error.to_string();
    if let Some(fault) = lacking(&text) {
        return fault;
    }
    match error {
        DeltaTableError::NotATable(_) => Fault::read("not-a-table", message).because(first_line(&text)),
        _ => Fault::read("unreadable-table", message).because(first_line(&text)),
    }
}

/// A text that is no statement.
pub(super) fn syntax(tokens: &[TokenWithSpan], error: &DataFusionError) -> Fault {
    let mut inner = error;
    while let DataFusionError::Context(_, next) | DataFusionError::Diagnostic(_, next) = inner {
        inner = next;
    }
    let text = match inner {
        DataFusionError::SQL(parser, _) => parser.to_string(),
        other => other.to_string(),
    };
    let text = text.trim_start_matches("sql parser error: ");
    let (reason, spot) = match text.rsplit_once(" at Line: ") {
        Some((reason, place)) => (reason, Spot::parse(place)),
        None => (text, None),
    };
    let expected = reason.split_once(", found: ").map_or(reason, |(expected, _)| expected);
    let spot = spot.or_else(|| Spot::after_last(tokens));
    let at = spot.map(|s| s.describe(tokens)).unwrap_or_default();
    Fault::usage("invalid-sql", format!("Invalid SQL{at}")).because(expected.replacen(
        "Expected: ",
        "expected ",
        1,
    ))
}

/// A statement that cannot be planned, or a query that ended early.
pub(super) fn query(lakehouse: &Lakehouse, tokens: &[TokenWithSpan], error: &DataFusionError) -> Fault {
    let chain = chain(error);
    if let Some(fault) = chain.iter().find_map(|e| e.downcast_ref::<Fault>()) {
        return fault.clone();
    }
    let text = error.to_string();
    if let Some(fault) = missing_file(lakehouse, &text).or_else(|| lacking(&text)) {
        return fault;
    }
    let diagnostic = error.diagnostic();
    let at = At { lakehouse, tokens, spot: diagnostic.and_then(|d| d.span).map(spot) };
    let matter = chain.iter().filter_map(|e| engine_error(*e)).find(|e| !is_wrapping(e));
    let mut fault = at.fault(matter.unwrap_or(error));
    if let Some(help) = diagnostic.and_then(|d| d.helps.first()).filter(|_| fault.hint.is_empty()) {
        fault.hint.clone_from(&help.message);
    }
    fault
}

/// The name alone that no table has a column of.
pub(super) fn missing_column(error: &DataFusionError) -> Option<String> {
    let matter = chain(error).into_iter().filter_map(engine_error).find(|e| !is_wrapping(e))?;
    match matter {
        DataFusionError::SchemaError(schema, _) => match schema.as_ref() {
            SchemaError::FieldNotFound { field, .. } if field.relation.is_none() => Some(field.name.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the engine's reader of logs failed, other than for a file that is not there.
pub(super) fn is_log(error: &DataFusionError) -> bool {
    let text = error.to_string();
    let absent = text.contains("Object at location ") || text.contains("File not found: ");
    let from_kernel = |e: &DeltaTableError| matches!(e, DeltaTableError::KernelError(_));
    !absent && chain(error).iter().filter_map(|e| e.downcast_ref::<DeltaTableError>()).any(from_kernel)
}

/// The error and what it stands for, outermost first.
fn chain(error: &DataFusionError) -> Vec<&(dyn Error + 'static)> {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    std::iter::from_fn(|| {
        let this = next?;
        next = this.source();
        Some(this)
    })
    .collect()
}

/// The error itself, also behind a shared pointer.
fn engine_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a DataFusionError> {
    match error.downcast_ref::<DataFusionError>()? {
        DataFusionError::Shared(inner) => Some(inner.as_ref()),
        DataFusionError::Collection(all) => all.first(),
        other => Some(other),
    }
}

fn is_wrapping(error: &DataFusionError) -> bool {
    use DataFusionError as E;
    matches!(error, E::Context(..) | E::Diagnostic(..) | E::Shared(_) | E::Collection(_) | E::External(_))
}

fn spot(span: Span) -> Spot {
    Spot { line: span.start.line, column: span.start.column }
}

/// What an error is about: the session's tables, the statement, the place in it.
struct At<'a> {
    lakehouse: &'a Lakehouse,
    tokens: &'a [TokenWithSpan],
    spot: Option<Spot>,
}

impl At<'_> {
    fn fault(&self, error: &DataFusionError) -> Fault {
        use DataFusionError as E;
        let text = without_wrapping(&error.to_string());
        if let Some(why) = in_condition(&text) {
            return computed(why);
        }
        if let Some((_, why)) = text.split_once("regex parse error:") {
            let why = why.rsplit_once("error: ").map_or(why, |(_, why)| why);
            return Fault::usage("invalid-sql", "Invalid regular expression").because(first_line(why).trim());
        }
        match error {
            E::SchemaError(schema, _) => self.schema(schema, &text),
            E::Plan(message) => self.plan(message, &text),
            E::SQL(..) => syntax(self.tokens, error),
            E::NotImplemented(_) => self.usage("unsupported-sql", "SQL that is not supported", &text),
            E::ResourcesExhausted(_) => {
                Fault::read("memory-limit", "The query needs more memory than it may have")
                    .because(text)
                    .hint("Select fewer columns or rows, or aggregate before joining")
            }
            E::ArrowError(arrow, _) => match arrow.as_ref() {
                ArrowError::ParquetError(_) | ArrowError::ExternalError(_) | ArrowError::IoError(..) => {
                    damaged(&text)
                }
                _ => computed(&text),
            },
            // Functions end with it on a value that they cannot take.
            E::Execution(_) => computed(&text),
            E::ParquetError(_) => damaged(&text),
            E::ObjectStore(_) | E::IoError(_) => {
                Fault::read("storage", "The table's storage failed").because(text)
            }
            _ => Fault::read("query-failed", "The query failed").because(text),
        }
    }

    fn usage(&self, code: &'static str, what: &str, why: &str) -> Fault {
        let at = self.spot.map(|s| s.describe(self.tokens)).unwrap_or_default();
        Fault::usage(code, format!("{what}{at}")).because(why)
    }

    fn schema(&self, error: &SchemaError, text: &str) -> Fault {
        match error {
            SchemaError::FieldNotFound { field, valid_fields } => self.column(field, valid_fields),
            SchemaError::AmbiguousReference { field } => {
                let name = self.lakehouse.respell(&field.name);
                let message = format!("Column \"{name}\" is ambiguous{}", self.place());
                Fault::usage("ambiguous-column", message).hint("Name the table with it, as in table.column")
            }
            _ => self.usage("invalid-sql", "Invalid SQL", text),
        }
    }

    /// The place alone: the name is said already.
    fn place(&self) -> String {
        self.spot.map(|s| format!(" at {s}")).unwrap_or_default()
    }

    fn column(&self, column: &Column, valid: &[Column]) -> Fault {
        let name = match &column.relation {
            Some(table) => format!("{table}.{}", column.name),
            None => column.name.clone(),
        };
        let spot = self.spot.filter(|_| column.relation.is_none());
        let in_quotes = spot.is_some_and(|s| s.is_in_double_quotes(self.tokens));
        let written = spot.and_then(|s| s.word(self.tokens));
        let name = written.unwrap_or(name);
        let mut there: Vec<String> = valid.iter().map(|c| self.lakehouse.respell(&c.name)).collect();
        there.dedup();
        let fault = Fault::usage("unknown-column", format!("Unknown column \"{name}\"{}", self.place()));
        let others = suggest(&column.name, there, "Columns");
        if in_quotes {
            // Spark takes it for a text.
            let hint = format!("A text stands in single quotes: '{name}'. {others}");
            return fault.hint(hint.trim_end());
        }
        fault.hint(others)
    }

    fn plan(&self, message: &str, text: &str) -> Fault {
        if message.starts_with("table '") && message.ends_with("not found") {
            let name = self.lakehouse.last_missed().unwrap_or_default();
            let written = self.spot.and_then(|s| s.word(self.tokens));
            let written = written.filter(|w| w.to_lowercase() == name).unwrap_or_else(|| name.clone());
            return unknown_table(self.lakehouse, &name, &written, &self.place());
        }
        let function =
            message.strip_prefix("Invalid function '").or_else(|| message.strip_prefix("table function '"));
        if let Some((name, rest)) = function.and_then(|f| f.split_once('\'')) {
            if let Some((least, most)) = spark::arity(name) {
                let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
                let plural = if most == 1 { "" } else { "s" };
                let message = format!("{name} takes {wanted} argument{plural}{}", self.place());
                return Fault::usage("invalid-sql", message).because("It was given another number of them");
            }
            let fault =
                Fault::usage("unknown-function", format!("Unknown function \"{name}\"{}", self.place()));
            let engines = rest.split('\'').nth(1).map(str::to_owned);
            const COMMON: &[&str] = &["count", "sum", "avg", "min", "max", "round", "row_number", "rank"];
            let known = COMMON.iter().copied().chain(spark::function_names()).map(str::to_owned);
            // The engine's own guess is another one each time.
            let mut close = nearest(name, &known.collect::<Vec<String>>());
            if close.is_empty() {
                close = nearest(name, &engines.into_iter().collect::<Vec<String>>());
            }
            return fault.hint(did_you_mean(&close));
        }
        if let Some(arguments) = wrong_arguments(message) {
            let (call, forms) = arguments;
            let name = call.split('(').next().unwrap_or_default();
            let fault = Fault::usage("invalid-sql", format!("Wrong arguments for {name}{}", self.place()));
            return fault.because(format!("It was given {call}")).hint(forms);
        }
        if let Some((name, why)) = refused_arguments(message) {
            let fault = Fault::usage("invalid-sql", format!("Wrong arguments for {name}{}", self.place()));
            return fault.because(why);
        }
        if let Some(column) = not_grouped(message) {
            let name = self.lakehouse.respell(column);
            let message = format!("Column \"{name}\" is neither grouped nor aggregated{}", self.place());
            return Fault::usage("invalid-sql", message)
                .because("With GROUP BY or an aggregate function every other column needs one of the two")
                .hint(format!(
                    "Add {name} to GROUP BY, or take one of its values: first({name}), max({name})"
                ));
        }
        // Of the texts about argument types the last one names function and types.
        let text = text.rfind("No function matches").and_then(|at| text.get(at..)).unwrap_or(text);
        self.usage("invalid-sql", "Invalid SQL", &in_sparks_types(text))
    }
}

/// A name that no table answers to; `written` is how the statement spells it, `place` where.
pub(super) fn unknown_table(lakehouse: &Lakehouse, name: &str, written: &str, place: &str) -> Fault {
    let fault = Fault::usage("unknown-table", format!("Unknown table \"{written}\"{place}"));
    fault.hint(suggest(name, lakehouse.names(), "Tables"))
}

/// `Did you mean …?`, or what there is if that is little.
fn suggest(name: &str, there: Vec<String>, what: &str) -> String {
    let close = nearest(name, &there);
    if !close.is_empty() {
        return did_you_mean(&close);
    }
    const SHOWN: usize = 12;
    match there.len() {
        0 => String::new(),
        n if n <= SHOWN => format!("{what}: {}", there.join(", ")),
        n => format!("{what}: {}, … ({n} in all)", there[..SHOWN].join(", ")),
    }
}

fn did_you_mean(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("Did you mean {}?", names.join(" or ")) }
}

/// A file that the log names and the store lacks. The path is found in texts only: parquet's reader
/// and the kernel pass the store's error on as such.
fn missing_file(lakehouse: &Lakehouse, text: &str) -> Option<Fault> {
    let from_store =
        text.split_once("Object at location ").and_then(|(_, rest)| rest.split_once(" not found"));
    let from_kernel = || text.split_once("File not found: ").map(|(_, rest)| (first_line(rest), ""));
    let (path, _) = from_store.or_else(from_kernel)?;
    let path = path.trim_start_matches('/');
    let roots = lakehouse.roots();
    let below = |root: &Path| path.strip_prefix(root.as_ref())?.strip_prefix('/');
    let relative = roots.iter().filter_map(below).min_by_key(|p| p.len());
    let message = format!("The file \"{}\" is missing", relative.unwrap_or(path));
    let fault = Fault::read("missing-file", message).because("The log says that it is part of the table");
    Some(fault.hint("It was deleted or not copied; an older version may still be complete (--as-of)"))
}

/// Of the reader's words on a condition that it could not compute: why. No file is to blame for that.
fn in_condition(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("Error evaluating filter predicate: ")?;
    let (_, rest) = rest.split_once('"')?;
    rest.split('"').next()
}

/// What a value stands in the way of.
fn computed(text: &str) -> Fault {
    let text = in_sparks_types(text.strip_prefix("Cast error: ").unwrap_or(text));
    let text = text.strip_prefix("Invalid argument error: ").unwrap_or(&text);
    let text = text.strip_prefix("Compute error: ").unwrap_or(text);
    let text = text.replacen("Array overflow on", " overflow in", 1);
    let fault = Fault::usage("query-failed", "The query cannot be computed").because(&text);
    if text.starts_with("Cannot cast") {
        return fault.hint("TRY_CAST(… AS type) gives NULL for what cannot be converted");
    }
    fault
}

/// Of the engine's words on types of arguments that do not fit: the call, and what it takes.
fn wrong_arguments(text: &str) -> Option<(String, String)> {
    let (_, rest) = text.rsplit_once("No function matches the given name and argument types '")?;
    let (call, rest) = rest.split_once('\'')?;
    let forms = rest.split_once("Candidate functions:").map_or("", |(_, forms)| forms);
    let forms: Vec<&str> = forms.lines().map(str::trim).filter(|l| !l.is_empty()).take(3).collect();
    let forms = if forms.is_empty() { String::new() } else { format!("It takes {}", forms.join(" or ")) };
    Some((in_sparks_types(call), in_sparks_types(&forms)))
}

/// Of the engine's words on arguments of an aggregate function: the function, and why.
fn refused_arguments(text: &str) -> Option<(&str, String)> {
    let (_, rest) = text.split_once("Function '")?;
    let (name, rest) = rest.split_once("' failed to match any signature")?;
    let why = match (rest.rsplit_once("but received "), rest.contains("arguments but received")) {
        (Some((_, number)), true) => {
            let number: String = number.chars().take_while(char::is_ascii_digit).collect();
            format!("It does not take {number} arguments")
        }
        (Some((_, of)), false) => {
            let of = of.split_once("DataType: ").map_or(of, |(_, of)| of);
            format!("It does not take {}", in_sparks_types(of.split([')', ',', '.']).next().unwrap_or(of)))
        }
        _ => "It does not take what it was given".to_owned(),
    };
    Some((name, why))
}

/// The column that the engine misses in `GROUP BY`, without its table.
fn not_grouped(text: &str) -> Option<&str> {
    let (before, _) = text.split_once(" must appear in the GROUP BY clause")?;
    let quoted = before.rsplit('"').nth(1)?;
    Some(quoted.rsplit('.').next().unwrap_or(quoted))
}

/// The engine's names of types as Spark's.
fn in_sparks_types(text: &str) -> String {
    const NAMES: &[(&str, &str)] = &[
        ("LargeUtf8", "string"),
        ("Utf8View", "string"),
        ("Utf8", "string"),
        ("Int64", "bigint"),
        ("Int32", "int"),
        ("Int16", "smallint"),
        ("Int8", "tinyint"),
        ("Float64", "double"),
        ("Float32", "float"),
        ("Boolean", "boolean"),
        ("Date32", "date"),
        ("Decimal128", "decimal"),
        ("Timestamp(µs, \"UTC\")", "timestamp"),
        ("Timestamp(µs)", "timestamp_ntz"),
    ];
    let plain = text.replace("value of ", "").replace("List(", "array(");
    let plain = plain.strip_suffix(" type").unwrap_or(&plain).to_owned();
    NAMES.iter().fold(plain, |text, (engines, sparks)| {
        text.replace(&format!("U{engines}"), &format!("unsigned {sparks}")).replace(engines, sparks)
    })
}

fn damaged(text: &str) -> Fault {
    Fault::read("damaged-file", "A data file cannot be read").because(text)
}

/// Features that delta-rs or its kernel say they lack.
fn lacking(text: &str) -> Option<Fault> {
    let (_, rest) = text.split_once("Unsupported table features required: [")?;
    let names = rest.split_once(']')?.0.replace("Unknown(\"", "").replace("\")", "");
    Some(super::load::unsupported(&names))
}
