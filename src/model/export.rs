//! A query's result as a file: what is asked for, and what was written.

/// The form of what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Csv,
    Json,
    Ndjson,
    Parquet,
    /// A new table in a folder of its own.
    Delta,
}

impl Form {
    pub const ALL: [Form; 5] = [Form::Csv, Form::Json, Form::Ndjson, Form::Parquet, Form::Delta];

    /// By a path's ending. A folder, with a slash or without any ending, is a Delta table.
    ///
    /// # Errors
    /// The ending, if it is that of no form.
    pub fn of(path: &str) -> Result<Form, String> {
        let name = path.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or(path);
        // The dot of a hidden file's name starts no ending.
        let Some((_, ending)) = name.get(1..).and_then(|rest| rest.rsplit_once('.')) else {
            return Ok(Form::Delta);
        };
        match ending.to_ascii_lowercase().as_str() {
            "csv" => Ok(Form::Csv),
            "json" => Ok(Form::Json),
            "ndjson" | "jsonl" => Ok(Form::Ndjson),
            "parquet" => Ok(Form::Parquet),
            _ => Err(ending.to_owned()),
        }
    }

    /// What a path of that form ends in.
    pub fn ending(self) -> &'static str {
        match self {
            Form::Csv => ".csv",
            Form::Json => ".json",
            Form::Ndjson => ".ndjson",
            Form::Parquet => ".parquet",
            Form::Delta => "",
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Form::Csv => "CSV",
            Form::Json => "JSON",
            Form::Ndjson => "NDJSON",
            Form::Parquet => "Parquet",
            Form::Delta => "Delta table",
        }
    }

    /// What a reader of it should know, in a sentence.
    pub fn note(self) -> &'static str {
        match self {
            Form::Csv => "Names in the first line. NULL is nothing at all, the empty text is \"\".",
            Form::Json => "One array of objects.",
            Form::Ndjson => "One object a line.",
            Form::Parquet => "One file, compressed with zstd.",
            Form::Delta => "A new folder with a table at version 0. A folder that exists is left alone.",
        }
    }

    /// The path in the next form; what it is named by stays.
    pub fn next_path(path: &str) -> String {
        let form = Form::of(path).ok();
        let at = form.and_then(|form| Form::ALL.iter().position(|f| *f == form));
        let next = Form::ALL[at.map_or(0, |at| (at + 1) % Form::ALL.len())];
        let path = path.trim_end_matches('/');
        let stem = match form {
            None | Some(Form::Delta) => path,
            Some(_) => path.rsplit_once('.').map_or(path, |(stem, _)| stem),
        };
        format!("{stem}{}", next.ending())
    }
}

/// All rows of a statement, to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The table or lakehouse that the statement is run on.
    pub location: String,
    pub version: Option<u64>,
    /// The statement.
    pub text: String,
    pub path: String,
    pub form: Form,
    /// A file of that name is replaced. A table never is.
    pub replace: bool,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// From the root of the file system.
    pub path: String,
    pub rows: u64,
    pub bytes: u64,
    pub millis: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_by_endings() {
        assert_eq!(Form::of("a/b.CSV"), Ok(Form::Csv));
        assert_eq!(Form::of("~/x.jsonl"), Ok(Form::Ndjson));
        assert_eq!(Form::of("a.b/new"), Ok(Form::Delta));
        assert_eq!(Form::of("a.b/"), Ok(Form::Delta));
        assert_eq!(Form::of(".hidden"), Ok(Form::Delta));
        assert_eq!(Form::of("x.xlsx"), Err("xlsx".to_owned()));
        assert_eq!(Form::of(""), Ok(Form::Delta));
    }

    #[test]
    fn the_forms_go_round() {
        let mut path = "out/t.csv".to_owned();
        let mut seen = Vec::new();
        for _ in 0..5 {
            path = Form::next_path(&path);
            seen.push(path.clone());
        }
        assert_eq!(seen, ["out/t.json", "out/t.ndjson", "out/t.parquet", "out/t", "out/t.csv"]);
    }
}
