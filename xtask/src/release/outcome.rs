//! How a check before a release ended. Must not live here: any check.

/// Of a check that found nothing wrong.
pub enum Outcome {
    Good(String),
    /// Something is out of reach here; a machine that is set up to check everything, which sets `CI`, has to reach it.
    NotRun(String),
    /// There is nothing to hold it against so far.
    NotYet(String),
}
