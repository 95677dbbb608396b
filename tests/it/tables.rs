//! Every shared table against its expected values.
