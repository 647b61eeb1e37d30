//! The service in process. Must not live here: routing, wire shapes (`api`), verdicts (`policy`).
