//! Where a query's result goes, while that is typed.

use crate::app::input::Input;
use crate::model::export::{Export, Form};

/// The prompt. All rows of the statement are written, not only those on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportLayer {
    pub input: Input,
    pub location: String,
    pub version: Option<u64>,
    /// The statement.
    pub text: String,
    /// The path that is taken already, if it was tried: Enter on it replaces the file.
    pub taken: Option<String>,
    /// Why it could not be written there.
    pub fault: Option<String>,
}

impl ExportLayer {
    /// For a statement on a table; the file is named after the table.
    pub fn new(location: &str, table: &str, version: Option<u64>, text: &str) -> Self {
        let stem: String =
            table.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' }).collect();
        let stem = if stem.is_empty() { "result".to_owned() } else { stem };
        ExportLayer {
            input: Input::new(&format!("{stem}{}", Form::Csv.ending())),
            location: location.to_owned(),
            version,
            text: text.to_owned(),
            taken: None,
            fault: None,
        }
    }

    /// The prompt of an export that found its name taken.
    pub fn again(order: &Export) -> Self {
        ExportLayer {
            input: Input::new(&order.path),
            location: order.location.clone(),
            version: order.version,
            text: order.text.clone(),
            taken: Some(order.path.clone()),
            fault: None,
        }
    }

    pub fn path(&self) -> &str {
        self.input.text().trim()
    }

    /// Whether Enter replaces a file.
    pub fn replaces(&self) -> bool {
        self.taken.as_deref() == Some(self.path())
    }

    /// The form that the path's ending stands for.
    pub fn form(&self) -> Result<Form, String> {
        Form::of(self.path())
    }

    pub fn next_form(&mut self) {
        self.input = Input::new(&Form::next_path(self.path()));
        self.fault = None;
    }

    /// What is to be done; none while the path says nothing, and then `fault` says why.
    pub fn order(&mut self) -> Option<Export> {
        let path = self.path().to_owned();
        if path.trim_matches('/').is_empty() {
            self.fault = Some("Type a file's name".into());
            return None;
        }
        match self.form() {
            Ok(form) => Some(Export {
                location: self.location.clone(),
                version: self.version,
                text: self.text.clone(),
                path,
                form,
                replace: self.replaces(),
            }),
            Err(ending) => {
                self.fault = Some(format!(
                    "Nothing is written as .{ending}: use .csv, .json, .ndjson or .parquet; a / at the end makes a Delta table"
                ));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_only_by_a_second_word_on_the_same_path() {
        let mut layer = ExportLayer::new("/a", "dbo.sales", Some(3), "select 1");
        assert_eq!(layer.path(), "dbo_sales.csv");
        let order = layer.order().unwrap();
        assert_eq!((order.form, order.replace), (Form::Csv, false));
        let mut again = ExportLayer::again(&order);
        assert!(again.order().unwrap().replace);
        again.next_form();
        assert_eq!(again.order().unwrap().path, "dbo_sales.json");
        assert!(!again.order().unwrap().replace);
        again.input = Input::new("x.xlsx");
        assert!(again.order().is_none() && again.fault.is_some());
    }
}
