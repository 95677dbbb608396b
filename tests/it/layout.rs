//! What is wrong with a table: findings, columns, statistics, through the library and the real binary.

mod acceptance;
mod broken;
mod candidates;
mod clustering;
mod docs;
mod doubled;
mod folder;
mod library;
mod made;
mod partitions;
mod prune;
mod row_groups;
mod statistics;
