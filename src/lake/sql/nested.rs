//! Fields of structs by name, whatever the case: `address.City` finds `city`.

use arrow::datatypes::{DataType, Field};
use datafusion::common::{Column, DFSchema, Result, ScalarValue, TableReference};
use datafusion::functions::core::get_field;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawFieldAccessExpr};
use datafusion::logical_expr::{Expr, ExprSchemable, GetFieldAccess, lit};

/// Plans `column.field.field`, `(…).field` and `…['field']` against the struct's own spelling.
#[derive(Debug)]
pub(super) struct NestedNames;

impl ExprPlanner for NestedNames {
    fn plan_compound_identifier(
        &self,
        field: &Field,
        qualifier: Option<&TableReference>,
        nested_names: &[String],
    ) -> Result<PlannerResult<Vec<Expr>>> {
        let mut expr = Expr::Column(Column::from((qualifier, field)));
        let mut data_type = field.data_type();
        for name in nested_names {
            let found = struct_field(data_type, name);
            expr = field_of(expr, found.map_or(name, |f| f.name()));
            data_type = found.map_or(&DataType::Null, |f| f.data_type());
        }
        Ok(PlannerResult::Planned(expr))
    }

    fn plan_field_access(
        &self,
        access: RawFieldAccessExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawFieldAccessExpr>> {
        let GetFieldAccess::NamedStructField { name: ScalarValue::Utf8(Some(name)) } = &access.field_access
        else {
            return Ok(PlannerResult::Original(access));
        };
        let data_type = access.expr.get_type(schema)?;
        match struct_field(&data_type, name) {
            Some(found) => Ok(PlannerResult::Planned(field_of(access.expr, found.name()))),
            None => Ok(PlannerResult::Original(access)),
        }
    }
}

fn field_of(expr: Expr, name: &str) -> Expr {
    let arguments = vec![expr, lit(ScalarValue::from(name))];
    Expr::ScalarFunction(ScalarFunction::new_udf(get_field(), arguments))
}

/// The field as it is written, else the only one that differs in case alone.
fn struct_field<'a>(data_type: &'a DataType, name: &str) -> Option<&'a Field> {
    let DataType::Struct(fields) = data_type else { return None };
    if let Some(exact) = fields.iter().find(|f| f.name() == name) {
        return Some(exact);
    }
    let folded = name.to_lowercase();
    let mut alike = fields.iter().filter(|f| f.name().to_lowercase() == folded);
    let first = alike.next()?;
    alike.next().is_none().then_some(first)
}
