//! The engine against the recordings of the real service. Must not live here: tests.

mod flows;
mod network;
mod verdicts;
