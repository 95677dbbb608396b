//! Who may use whom.
