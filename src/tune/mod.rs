//! How tables are changed. Uses [`crate::lake`] and [`crate::model`].

pub mod demo;
