//! What running a plan takes: estimates, made from the plan and from what is known of the machine.

use super::Plan;

/// How the change would run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Machine {
    /// Compressed bytes that one task reads and writes a second, as measured before; none if nothing was.
    pub bytes_per_second: Option<u64>,
    /// Groups at work at once.
    pub parallel: u64,
    /// Memory for a compressed byte once it is decoded. Footers tell for a table; else this is a guess.
    pub expansion: f64,
    /// Compressed bytes of a row group to be written.
    pub row_group_bytes: u64,
    /// Rows are sorted within a group, so that a group is in memory at once.
    pub sorts: bool,
    /// Columns of a file, leaves.
    pub columns: u64,
}

/// Bytes of a file without any row, and of each of its columns: footer, statistics, dictionary and
/// page headers. Measured on files of this program's own.
const FILE_BYTES: u64 = 600;
const COLUMN_BYTES: u64 = 150;

/// Buffers of a group at work, however small it is.
const LEAST_MEMORY: u64 = 4 << 20;

/// Opening, closing and syncing a file takes about as long as so many bytes of it.
pub const BYTES_OF_AN_OPENING: u64 = 256 << 10;

impl Default for Machine {
    fn default() -> Self {
        Machine {
            bytes_per_second: None,
            parallel: 2,
            expansion: 5.0,
            row_group_bytes: 128 << 20,
            sorts: false,
            columns: 0,
        }
    }
}

/// Estimates, not promises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Peak: for each group at work, a row group decoded and one in the writer; when sorting, the
    /// whole group.
    pub memory_bytes: u64,
    /// New files; the old ones stay until a vacuum, so the table's storage grows by this.
    pub disk_bytes: u64,
    /// None if the speed is unknown.
    pub seconds: Option<f64>,
}

pub fn estimate(plan: &Plan, machine: &Machine) -> Estimate {
    let mut needs: Vec<u64> = plan
        .groups
        .iter()
        .map(|g| {
            let largest = g.outputs.iter().map(|o| o.bytes).max().unwrap_or(0);
            let held = if machine.sorts { g.bytes } else { 2 * largest.min(machine.row_group_bytes) };
            ((held as f64 * machine.expansion.max(1.0)) as u64).max(LEAST_MEMORY)
        })
        .collect();
    needs.sort_unstable_by(|a, b| b.cmp(a));
    let at_once = usize::try_from(machine.parallel.max(1)).unwrap_or(usize::MAX);
    let overhead = FILE_BYTES.saturating_add(COLUMN_BYTES.saturating_mul(machine.columns));
    let disk = plan.output_bytes().saturating_add(plan.output_files().saturating_mul(overhead));
    let opened = (plan.input_files() + plan.output_files()).saturating_mul(BYTES_OF_AN_OPENING);
    let moved = plan.input_bytes().saturating_add(plan.output_bytes()).saturating_add(opened) as f64;
    let tasks = machine.parallel.clamp(1, (plan.groups.len() as u64).max(1)) as f64;
    Estimate {
        memory_bytes: needs.into_iter().take(at_once).fold(0, u64::saturating_add),
        disk_bytes: disk,
        seconds: machine.bytes_per_second.filter(|b| *b > 0).map(|b| moved / (b as f64 * tasks)),
    }
}
