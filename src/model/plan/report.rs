//! A plan as the command line gives it.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Estimate, LeftReason, Operation, Plan};
use crate::model::files::FileList;
use crate::model::partition::PartitionDict;
use crate::model::table::Table;

/// The command-line contract's plan of a change; key order is that of the contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanReport {
    pub operation: Operation,
    pub table: String,
    pub version: u64,
    pub num_input_files: u64,
    pub input_bytes: u64,
    pub input_rows: Option<u64>,
    pub num_output_files: u64,
    /// Bytes of each output file, group by group.
    pub predicted_sizes: Vec<u64>,
    pub groups: Vec<GroupReport>,
    pub left_alone: Vec<LeftReport>,
    pub memory_bytes: u64,
    pub disk_bytes: u64,
    pub seconds: Option<f64>,
    pub risks: Vec<String>,
    pub command: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupReport {
    pub partition_values: Map<String, Value>,
    /// Paths as in the log, decoded.
    pub input_files: Vec<String>,
    pub output_files: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftReport {
    pub reason: LeftReason,
    pub num_files: u64,
}

impl PlanReport {
    /// `list` must be the one that the plan was made from; `command` is the equivalent command.
    pub fn new(
        plan: &Plan,
        table: &Table,
        list: &FileList,
        estimate: Estimate,
        risks: Vec<String>,
        command: String,
    ) -> Self {
        let groups = plan.groups.iter().map(|g| GroupReport {
            partition_values: partition_values(&list.partitions, g.partition),
            input_files: g.inputs.iter().map(|i| list.get(*i as usize).path.to_owned()).collect(),
            output_files: g.outputs.len() as u64,
        });
        PlanReport {
            operation: plan.operation,
            table: table.name.clone(),
            version: table.version,
            num_input_files: plan.input_files(),
            input_bytes: plan.input_bytes(),
            input_rows: plan.input_rows(),
            num_output_files: plan.output_files(),
            predicted_sizes: plan.groups.iter().flat_map(|g| &g.outputs).map(|o| o.bytes).collect(),
            groups: groups.collect(),
            left_alone: plan
                .left_alone
                .iter()
                .map(|l| LeftReport { reason: l.reason, num_files: l.files })
                .collect(),
            memory_bytes: estimate.memory_bytes,
            disk_bytes: estimate.disk_bytes,
            seconds: estimate.seconds,
            risks,
            command,
        }
    }
}

fn partition_values(dict: &PartitionDict, id: u32) -> Map<String, Value> {
    let values = dict.columns().iter().zip(dict.values(id));
    values.map(|(c, v)| (c.clone(), v.as_deref().map_or(Value::Null, Value::from))).collect()
}
