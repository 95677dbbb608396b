//! The words of the language, for colours and completion. What the engine knows beyond them runs all
//! the same.

pub const KEYWORDS: &[&str] = &[
    "SELECT", "FROM", "WHERE", "GROUP", "BY", "HAVING", "ORDER", "LIMIT", "OFFSET", "AS", "AND", "OR", "NOT",
    "IN", "IS", "NULL", "LIKE", "ILIKE", "RLIKE", "BETWEEN", "EXISTS", "CASE", "WHEN", "THEN", "ELSE", "END",
    "JOIN", "INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "SEMI", "ANTI", "ON", "USING", "UNION", "ALL",
    "EXCEPT", "INTERSECT", "DISTINCT", "WITH", "RECURSIVE", "OVER", "PARTITION", "ROWS", "RANGE", "PRECEDING",
    "FOLLOWING", "CURRENT", "ROW", "UNBOUNDED", "QUALIFY", "ASC", "DESC", "NULLS", "FIRST", "LAST", "CAST",
    "INTERVAL", "DATE", "TIMESTAMP", "TRUE", "FALSE", "VALUES", "LATERAL", "FILTER", "EXPLAIN", "ANALYZE",
    "SHOW", "TABLES", "COLUMNS", "PARTITIONS", "TBLPROPERTIES", "CREATE", "TABLE", "DESCRIBE", "EXTENDED",
    "DETAIL", "HISTORY", "VERSION", "OF", "OPTIMIZE", "ZORDER", "VACUUM", "RETAIN", "HOURS", "DRY", "RUN",
    "RESTORE", "DELETE", "UPDATE", "SET", "INSERT", "INTO", "REORG", "APPLY", "PURGE",
];

/// Those that one uses most first.
pub const FUNCTIONS: &[&str] = &[
    "count", "sum", "avg", "min", "max", "round", "coalesce", "concat", "concat_ws", "year", "month", "day",
    "date_add", "date_sub", "datediff", "date_trunc", "date_format", "current_date", "current_timestamp",
    "to_date", "to_timestamp", "add_months", "last_day", "hour", "minute", "second", "quarter", "weekofyear",
    "dayofweek", "dayofyear", "upper", "lower", "trim", "ltrim", "rtrim", "length", "substring", "replace",
    "split_part", "lpad", "rpad", "left", "right", "instr", "locate", "regexp_replace", "regexp_like", "if",
    "nvl", "nullif", "greatest", "least", "abs", "ceil", "floor", "sqrt", "power", "mod", "sign", "ln",
    "log10", "exp", "row_number", "rank", "dense_rank", "ntile", "lag", "lead", "first_value", "last_value",
    "median", "stddev", "variance", "corr", "count_if", "approx_count_distinct", "percentile_approx",
    "collect_list", "collect_set", "array_agg", "string_agg", "size", "element_at", "explode", "array",
    "array_contains", "map_keys", "map_values", "typeof", "isnull", "isnotnull", "unix_timestamp",
    "from_unixtime", "int", "bigint", "double", "string", "trunc", "try_divide",
];

pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|k| k.eq_ignore_ascii_case(word))
}

pub fn is_function(word: &str) -> bool {
    FUNCTIONS.iter().any(|f| f.eq_ignore_ascii_case(word))
}
