//! The policy document and what it does. Must not live here: HTTP, JavaScript types.
