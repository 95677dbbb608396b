//! The command line: text, JSON, exit statuses.
