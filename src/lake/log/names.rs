//! The file names of a log folder (protocol, "Delta Table": commit files, checkpoints, log compaction files).

/// What a name in `_delta_log` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogName {
    /// `00000000000000000007.json`
    Commit(u64),
    /// `00000000000000000004.00000000000000000007.json`: the commits of both ends and all between.
    Compacted(u64, u64),
    Checkpoint(u64, CheckpointName),
    /// `00000000000000000007.crc`
    Crc(u64),
    /// `_last_checkpoint`
    Hint,
    /// Anything else: ignored.
    Stray,
}

/// The three ways to name a checkpoint file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckpointName {
    /// `N.checkpoint.parquet`
    Classic,
    /// `N.checkpoint.0000000001.0000000003.parquet`
    Part { part: u32, of: u32 },
    /// `N.checkpoint.UUID.json`
    UuidJson,
    /// `N.checkpoint.UUID.parquet`
    UuidParquet,
}

impl LogName {
    pub fn parse(name: &str) -> LogName {
        Self::try_parse(name).unwrap_or(LogName::Stray)
    }

    fn try_parse(name: &str) -> Option<LogName> {
        if name == "_last_checkpoint" {
            return Some(LogName::Hint);
        }
        let mut parts = name.split('.');
        let version = digits(parts.next()?, 20)?;
        let rest: Vec<&str> = parts.take(5).collect();
        Some(match rest[..] {
            ["json"] => LogName::Commit(version),
            ["crc"] => LogName::Crc(version),
            ["checkpoint", "parquet"] => LogName::Checkpoint(version, CheckpointName::Classic),
            ["checkpoint", part, of, "parquet"] => {
                let (part, of) = (digits(part, 10)? as u32, digits(of, 10)? as u32);
                (1..=of).contains(&part).then_some(())?;
                LogName::Checkpoint(version, CheckpointName::Part { part, of })
            }
            ["checkpoint", uuid, "json"] if is_uuid(uuid) => {
                LogName::Checkpoint(version, CheckpointName::UuidJson)
            }
            ["checkpoint", uuid, "parquet"] if is_uuid(uuid) => {
                LogName::Checkpoint(version, CheckpointName::UuidParquet)
            }
            [to, "json"] => {
                let to = digits(to, 20)?;
                (version < to).then_some(LogName::Compacted(version, to))?
            }
            _ => return None,
        })
    }
}

/// A number of exactly `len` digits.
fn digits(text: &str, len: usize) -> Option<u64> {
    let fits = text.len() == len && text.bytes().all(|b| b.is_ascii_digit());
    // i64::MAX is the largest version that the protocol's longs can hold.
    if fits { text.parse().ok().filter(|n| *n <= i64::MAX as u64) } else { None }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(i, b)| match i {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        use CheckpointName::*;
        for (name, is) in [
            ("00000000000000000007.json", LogName::Commit(7)),
            ("00000000000000000007.crc", LogName::Crc(7)),
            ("00000000000000000004.00000000000000000007.json", LogName::Compacted(4, 7)),
            ("00000000000000000007.00000000000000000004.json", LogName::Stray),
            ("00000000000000000007.checkpoint.parquet", LogName::Checkpoint(7, Classic)),
            (
                "00000000000000000007.checkpoint.0000000001.0000000003.parquet",
                LogName::Checkpoint(7, Part { part: 1, of: 3 }),
            ),
            ("00000000000000000007.checkpoint.0000000004.0000000003.parquet", LogName::Stray),
            (
                "00000000000000000007.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json",
                LogName::Checkpoint(7, UuidJson),
            ),
            ("_last_checkpoint", LogName::Hint),
            ("000000000000000000007.json", LogName::Stray),
            ("0000000000000000000x.json", LogName::Stray),
            ("00000000000000000007.json.bak", LogName::Stray),
            (".00000000000000000007.json.crc", LogName::Stray),
            ("00000000000000000007.json.crc", LogName::Stray),
            ("99999999999999999999.json", LogName::Stray),
        ] {
            assert_eq!(LogName::parse(name), is, "{name}");
        }
    }
}
