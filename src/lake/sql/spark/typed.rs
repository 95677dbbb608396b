//! Functions whose answer hangs on the types of their arguments: `ceil` of a decimal, `reverse` of an
//! array or a text, `typeof`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type, Int64Type};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::functions_nested::{concat::array_concat_udf, reverse::array_reverse_udf};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, TypeSignature, Volatility,
};

use super::written;
use crate::lake::sql::encode::type_name;

/// A function: its name, least and most arguments, the type of its answer by theirs, the answer.
struct Function {
    name: &'static str,
    least: usize,
    most: usize,
    gives: fn(&[DataType]) -> DataType,
    of: fn(ScalarFunctionArgs) -> Result<ColumnarValue>,
}

const FUNCTIONS: &[Function] = &[
    Function { name: "typeof", least: 1, most: 1, gives: |_| DataType::Utf8, of: type_of },
    Function { name: "ceil", least: 1, most: 1, gives: whole, of: |args| rounded(args, true) },
    Function { name: "floor", least: 1, most: 1, gives: whole, of: |args| rounded(args, false) },
    Function { name: "reverse", least: 1, most: 1, gives: list_or_text, of: reverse },
    Function { name: "concat", least: 0, most: 255, gives: list_or_text, of: concat },
    Function { name: "concat_ws", least: 1, most: 255, gives: |_| DataType::Utf8, of: concat_ws },
    Function { name: "length", least: 1, most: 1, gives: |_| DataType::Int32, of: length },
    Function { name: "hex", least: 1, most: 1, gives: |_| DataType::Utf8, of: hex },
    Function { name: "to_json", least: 1, most: 1, gives: |_| DataType::Utf8, of: to_json },
    Function { name: TEXT_OF_TIME, least: 1, most: 1, gives: |_| DataType::Utf8, of: text_of_time },
];

/// What `CAST(timestamp AS STRING)` stands for.
const TEXT_OF_TIME: &str = "time_as_text";

/// All names that people use.
pub(super) const NAMES: &[&str] =
    &["typeof", "ceil", "floor", "reverse", "concat", "concat_ws", "hex", "to_json"];

pub(super) fn functions() -> impl Iterator<Item = ScalarUDF> {
    FUNCTIONS.iter().map(udf)
}

/// The function that writes a time as Spark does.
pub(super) fn time_as_text() -> Option<ScalarUDF> {
    FUNCTIONS.iter().find(|f| f.name == TEXT_OF_TIME).map(udf)
}

fn udf(function: &'static Function) -> ScalarUDF {
    let arities = (function.least..=function.most).map(|n| match n {
        0 => TypeSignature::Nullary,
        n => TypeSignature::Any(n),
    });
    ScalarUDF::from(Udf { function, signature: Signature::one_of(arities.collect(), Volatility::Immutable) })
}

/// As the engine takes it.
struct Udf {
    function: &'static Function,
    signature: Signature,
}

impl fmt::Debug for Udf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.name)
    }
}

impl PartialEq for Udf {
    fn eq(&self, other: &Self) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Udf {}

impl Hash for Udf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for Udf {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok((self.function.gives)(types))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        (self.function.of)(args)
    }
}

/// An array of the answers, or the one answer to constants.
fn answer(
    args: &ScalarFunctionArgs,
    of: impl FnOnce(&[ArrayRef]) -> Result<ArrayRef>,
) -> Result<ColumnarValue> {
    let constant = args.args.iter().all(|a| matches!(a, ColumnarValue::Scalar(_)));
    let out = of(&ColumnarValue::values_to_arrays(&args.args)?)?;
    if constant && out.len() == 1 {
        return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&out, 0)?));
    }
    Ok(ColumnarValue::Array(out))
}

fn type_of(args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    let name = args.arg_fields.first().map(|field| type_name(field.data_type()));
    Ok(ColumnarValue::Scalar(ScalarValue::Utf8(name)))
}

/// Spark's type of `ceil` and `floor`: a decimal keeps its whole digits and one more.
fn whole(types: &[DataType]) -> DataType {
    match types.first() {
        Some(DataType::Decimal128(p, s)) if *s > 0 => {
            let digits = i16::from(*p) - i16::from(*s) + 1;
            DataType::Decimal128(u8::try_from(digits.clamp(1, 38)).unwrap_or(38), 0)
        }
        Some(decimal @ DataType::Decimal128(..)) => decimal.clone(),
        _ => DataType::Int64,
    }
}

fn rounded(args: ScalarFunctionArgs, up: bool) -> Result<ColumnarValue> {
    let to = args.return_field.data_type().clone();
    answer(&args, |arrays| {
        let Some(array) = arrays.first() else { return exec_err!("nothing to round") };
        match array.data_type() {
            DataType::Decimal128(_, scale) if *scale > 0 => {
                let unit = 10_i128.pow(u32::from(scale.unsigned_abs()));
                let of = |n: i128| {
                    let down = n.div_euclid(unit);
                    if up && n.rem_euclid(unit) > 0 { down + 1 } else { down }
                };
                let out = array.as_primitive::<Decimal128Type>().unary::<_, Decimal128Type>(of);
                Ok(Arc::new(out.with_data_type(to)) as ArrayRef)
            }
            DataType::Decimal128(..) => Ok(Arc::clone(array)),
            of if of.is_integer() => Ok(cast(array, &to)?),
            _ => {
                let doubles = cast(array, &DataType::Float64)?;
                let of = |n: f64| if up { n.ceil() } else { n.floor() };
                let out = doubles
                    .as_primitive::<arrow::datatypes::Float64Type>()
                    .unary::<_, arrow::datatypes::Float64Type>(of);
                Ok(cast(&out, &to)?)
            }
        }
    })
}

fn is_list(of: &DataType) -> bool {
    matches!(of, DataType::List(_) | DataType::LargeList(_))
}

/// Of arrays an array, of anything else a text.
fn list_or_text(types: &[DataType]) -> DataType {
    types.iter().find(|t| is_list(t)).cloned().unwrap_or(DataType::Utf8)
}

fn reverse(args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    if is_list(args.return_field.data_type()) {
        return array_reverse_udf().invoke_with_args(args);
    }
    answer(&args, |arrays| {
        let texts = arrays.iter().map(written::texts).collect::<Result<Vec<_>>>()?;
        let turned =
            texts.iter().flat_map(|t| t.iter()).map(|v| v.map(|v| v.chars().rev().collect::<String>()));
        Ok(Arc::new(turned.collect::<StringArray>()) as ArrayRef)
    })
}

/// NULL if any argument is.
fn concat(mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    let to = args.return_field.data_type().clone();
    if is_list(&to) {
        for (argument, field) in args.args.iter_mut().zip(&mut args.arg_fields) {
            *argument = argument.cast_to(&to, None)?;
            *field = Arc::new(field.as_ref().clone().with_data_type(to.clone()));
        }
        return answer(&args, |arrays| {
            let rows = arrays.first().map_or(0, |a| a.len());
            let whole = arrow::array::BooleanArray::from_iter(
                (0..rows).map(|row| Some(arrays.iter().any(|a| a.is_null(row)))),
            );
            let joined = array_concat_udf().invoke_with_args(ScalarFunctionArgs {
                args: arrays.iter().cloned().map(ColumnarValue::Array).collect(),
                number_rows: rows,
                ..args.clone()
            })?;
            Ok(arrow::compute::nullif(&joined.to_array(rows)?, &whole)?)
        });
    }
    if args.args.is_empty() {
        return Ok(ColumnarValue::Scalar(ScalarValue::from("")));
    }
    answer(&args, |arrays| {
        let texts = arrays.iter().map(written::texts).collect::<Result<Vec<_>>>()?;
        let rows = texts.first().map_or(0, |t| t.len());
        let row = |at: usize| {
            let parts = texts.iter().map(|t| t.is_valid(at).then(|| t.value(at)));
            parts.collect::<Option<Vec<&str>>>().map(|parts| parts.concat())
        };
        Ok(Arc::new((0..rows).map(row).collect::<StringArray>()) as ArrayRef)
    })
}

/// Texts, and those in arrays, with something between; what is NULL is left out.
fn concat_ws(args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    answer(&args, |arrays| {
        let Some((separators, rest)) = arrays.split_first() else { return exec_err!("no separator") };
        let separators = written::texts(separators)?;
        let mut parts = Vec::with_capacity(rest.len());
        for array in rest {
            parts.push(if is_list(array.data_type()) {
                Part::Lists(array)
            } else {
                Part::One(written::texts(array)?)
            });
        }
        let row = |at: usize| -> Result<Option<String>> {
            let mut texts: Vec<String> = Vec::new();
            for part in &parts {
                match part {
                    Part::One(one) => texts.extend(one.is_valid(at).then(|| one.value(at).to_owned())),
                    Part::Lists(lists) if lists.is_valid(at) => {
                        let list = match lists.data_type() {
                            DataType::LargeList(_) => lists.as_list::<i64>().value(at),
                            _ => lists.as_list::<i32>().value(at),
                        };
                        texts.extend(written::texts(&list)?.iter().flatten().map(str::to_owned));
                    }
                    Part::Lists(_) => {}
                }
            }
            Ok(separators.is_valid(at).then(|| texts.join(separators.value(at))))
        };
        let texts = (0..separators.len()).map(row).collect::<Result<Vec<_>>>()?;
        Ok(Arc::new(StringArray::from(texts)) as ArrayRef)
    })
}

enum Part<'a> {
    One(StringArray),
    Lists(&'a ArrayRef),
}

/// Of bytes how many there are, of all else the letters of its text.
fn length(args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    answer(&args, |arrays| {
        let Some(array) = arrays.first() else { return exec_err!("nothing to measure") };
        let short = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let out: Int32Array = if written::is_bytes(array.data_type()) {
            let bytes = written::bytes(array)?;
            bytes.as_binary::<i32>().iter().map(|b| b.map(|b| short(b.len()))).collect()
        } else {
            let letters = |t: &str| if t.is_ascii() { t.len() } else { t.chars().count() };
            written::texts(array)?.iter().map(|t| t.map(|t| short(letters(t)))).collect()
        };
        Ok(Arc::new(out) as ArrayRef)
    })
}

/// Of a whole number its digits to the base of 16, of all else its bytes.
fn hex(args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    answer(&args, |arrays| {
        let Some(array) = arrays.first() else { return exec_err!("nothing to write") };
        let out: StringArray = if array.data_type().is_integer() {
            let numbers = cast(array, &DataType::Int64)?;
            numbers.as_primitive::<Int64Type>().iter().map(|n| n.map(|n| format!("{n:X}"))).collect()
        } else {
            let bytes = written::bytes(array)?;
            let digits = |b: &[u8]| b.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
            bytes.as_binary::<i32>().iter().map(|b| b.map(digits)).collect()
        };
        Ok(Arc::new(out) as ArrayRef)
    })
}

fn to_json(args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    answer(&args, |arrays| {
        let Some(array) = arrays.first() else { return exec_err!("nothing to write") };
        let row = |at| array.is_valid(at).then(|| written::json(array, at)).transpose();
        let texts = (0..array.len()).map(row).collect::<Result<Vec<_>>>()?;
        Ok(Arc::new(StringArray::from(texts)) as ArrayRef)
    })
}

fn text_of_time(args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    answer(&args, |arrays| {
        let Some(array) = arrays.first() else { return exec_err!("nothing to write") };
        Ok(Arc::new(written::texts(array)?) as ArrayRef)
    })
}
