//! A table on an S3 emulator.
