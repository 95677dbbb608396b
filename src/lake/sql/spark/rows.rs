//! Functions that the engine has no words for, computed row by row over texts.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BinaryBuilder, Date32Builder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow::datatypes::{DataType, Field};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use regex::Regex;

use super::written;

/// What a function gives for a row.
pub(super) enum Out {
    Text(String),
    Texts(Vec<String>),
    Bytes(Vec<u8>),
    Double(f64),
    Long(i64),
    /// Days since 1970.
    Date(i32),
}

/// What all values of a function's answer are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Texts,
    Bytes,
    Double,
    Long,
    Date,
}

/// Patterns that were compiled for this batch; none for one that is no pattern.
#[derive(Default)]
pub(super) struct Patterns(HashMap<String, Option<Regex>>);

impl Patterns {
    pub(super) fn get(&mut self, text: &str) -> Result<&Regex> {
        let entry = self.0.entry(text.to_owned()).or_insert_with(|| Regex::new(text).ok());
        match entry {
            Some(pattern) => Ok(pattern),
            None => exec_err!("\"{text}\" is no regular expression"),
        }
    }
}

/// The arguments of a row as text, none of them NULL, and the type of the first one.
pub(super) type Of = fn(&[&str], &DataType, &mut Patterns) -> Result<Option<Out>>;

/// A function: its name, least and most arguments, what it gives. NULL in, NULL out.
pub(super) struct RowFunction {
    pub(super) name: &'static str,
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) gives: Kind,
    pub(super) of: Of,
}

/// As the engine takes it.
struct Udf {
    row: &'static RowFunction,
    signature: Signature,
}

pub(super) fn udf(row: &'static RowFunction) -> ScalarUDF {
    let arities = (row.least..=row.most).map(datafusion::logical_expr::TypeSignature::Any).collect();
    ScalarUDF::from(Udf { row, signature: Signature::one_of(arities, Volatility::Immutable) })
}

impl fmt::Debug for Udf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row.name)
    }
}

impl PartialEq for Udf {
    fn eq(&self, other: &Self) -> bool {
        self.row.name == other.row.name
    }
}

impl Eq for Udf {}

impl Hash for Udf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.row.name.hash(state);
    }
}

impl ScalarUDFImpl for Udf {
    fn name(&self) -> &str {
        self.row.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.row.gives {
            Kind::Text => DataType::Utf8,
            Kind::Texts => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))),
            Kind::Bytes => DataType::Binary,
            Kind::Double => DataType::Float64,
            Kind::Long => DataType::Int64,
            Kind::Date => DataType::Date32,
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let scalar = args.args.iter().all(|a| matches!(a, ColumnarValue::Scalar(_)));
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let first = args.arg_fields.first().map_or(DataType::Null, |f| f.data_type().clone());
        let texts = arrays.iter().map(written::texts).collect::<Result<Vec<_>>>()?;
        // Bytes that are no text would come out as NULL, and the answer with them.
        if texts.iter().zip(&arrays).any(|(text, array)| text.null_count() > array.logical_null_count()) {
            return exec_err!("{} takes texts, and these bytes are none", self.row.name);
        }
        let rows = texts.first().map_or(args.number_rows, |t| t.len());
        let mut builder = Builder::new(self.row.gives);
        let mut patterns = Patterns::default();
        let mut row: Vec<&str> = Vec::with_capacity(texts.len());
        for at in 0..rows {
            row.clear();
            row.extend(texts.iter().filter(|t| t.is_valid(at)).map(|t| t.value(at)));
            let whole = row.len() == texts.len();
            builder.push(if whole { (self.row.of)(&row, &first, &mut patterns)? } else { None });
        }
        let out = builder.finish();
        if scalar {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&out, 0)?));
        }
        Ok(ColumnarValue::Array(out))
    }
}

enum Builder {
    Text(StringBuilder),
    Texts(ListBuilder<StringBuilder>),
    Bytes(BinaryBuilder),
    Double(Float64Builder),
    Long(Int64Builder),
    Date(Date32Builder),
}

impl Builder {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text => Builder::Text(StringBuilder::new()),
            Kind::Texts => Builder::Texts(ListBuilder::new(StringBuilder::new())),
            Kind::Bytes => Builder::Bytes(BinaryBuilder::new()),
            Kind::Double => Builder::Double(Float64Builder::new()),
            Kind::Long => Builder::Long(Int64Builder::new()),
            Kind::Date => Builder::Date(Date32Builder::new()),
        }
    }

    /// A value of another kind than the function's counts as none.
    fn push(&mut self, value: Option<Out>) {
        match (self, value) {
            (Builder::Text(b), Some(Out::Text(v))) => b.append_value(v),
            (Builder::Text(b), _) => b.append_null(),
            (Builder::Texts(b), Some(Out::Texts(v))) => b.append_value(v.into_iter().map(Some)),
            (Builder::Texts(b), _) => b.append_null(),
            (Builder::Bytes(b), Some(Out::Bytes(v))) => b.append_value(v),
            (Builder::Bytes(b), _) => b.append_null(),
            (Builder::Double(b), Some(Out::Double(v))) => b.append_value(v),
            (Builder::Double(b), _) => b.append_null(),
            (Builder::Long(b), Some(Out::Long(v))) => b.append_value(v),
            (Builder::Long(b), _) => b.append_null(),
            (Builder::Date(b), Some(Out::Date(v))) => b.append_value(v),
            (Builder::Date(b), _) => b.append_null(),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Builder::Text(mut b) => Arc::new(b.finish()),
            Builder::Texts(mut b) => Arc::new(b.finish()),
            Builder::Bytes(mut b) => Arc::new(b.finish()),
            Builder::Double(mut b) => Arc::new(b.finish()),
            Builder::Long(mut b) => Arc::new(b.finish()),
            Builder::Date(mut b) => Arc::new(b.finish()),
        }
    }
}
