//! Tables with data, written by python `deltalake`.

use std::path::{Path, PathBuf};

use super::peer::Peer;

/// A table of appends, each of one file in each of 20 partitions.
const GENERATE: &str = "
import sys, time
import numpy, pyarrow as pa
from deltalake import write_deltalake
table, rows, commits, parts = sys.argv[1], int(sys.argv[2]), 20, 20
chance = numpy.random.default_rng(1)
n = rows // commits
start = time.perf_counter()
for commit in range(commits):
    price = numpy.round(chance.gamma(2.0, 40.0, n), 2)
    quantity = chance.integers(1, 40, n, dtype='int32')
    write_deltalake(table, pa.table({
        'id': pa.array(numpy.arange(commit * n, (commit + 1) * n)),
        'customer': pa.array(chance.integers(0, 200_000, n)),
        'product': pa.array(chance.integers(700, 1000, n, dtype='int32')),
        'quantity': pa.array(quantity),
        'price': pa.array(price),
        'total': pa.array(price * quantity),
        'note': pa.array([None, 'gift', 'express', 'gift wrapped, express']).take(
            pa.array(chance.integers(0, 4, n))),
        'day': pa.array((numpy.arange(n) % parts).astype('int32')),
    }), mode='append', partition_by=['day'])
print(time.perf_counter() - start, commits * parts)
";

/// The table of so many rows, kept in `scratch` for the next time.
pub fn sales(scratch: &Path, peer: &Peer, rows: u64) -> Option<PathBuf> {
    let table = scratch.join(format!("table-{rows}"));
    if !table.is_dir() {
        let half = scratch.join("half");
        let _ = std::fs::remove_dir_all(&half);
        peer.run(GENERATE, &[&half.to_string_lossy(), &rows.to_string()])?;
        std::fs::rename(half, &table).ok()?;
    }
    Some(table)
}
