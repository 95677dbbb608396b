//! All integration tests in one binary: linking the whole stack once is enough.

mod support;

mod changes;
mod console;
mod demo;
mod following;
mod footers;
mod gate;
mod headless;
mod house;
mod journeys;
mod kernel;
mod layout;
mod odd_logs;
mod pty;
mod reader;
mod replay;
mod s3;
mod screenshots;
mod snapshots;
mod sql;
mod sweep;
mod tables;
mod time;
mod travel;
mod tuning;
