//! Rows of a query's result, as the screen and the text output show them.

/// A result column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridColumn {
    pub name: String,
    /// As Spark names types where there is such a name.
    pub data_type: String,
    /// Numbers are aligned to the right.
    pub numeric: bool,
}

/// Cell texts, row by row; None is NULL. Not cleaned for the terminal: that is the renderer's task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grid {
    pub columns: Vec<GridColumn>,
    pub rows: Vec<Vec<Option<String>>>,
}
