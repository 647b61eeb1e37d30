//! How a check before a release ended. Must not live here: any check.

/// The outcome of a check that found nothing wrong.
pub enum Outcome {
    /// The check passed; the words say what it found.
    Good(String),
    /// What the check needs is out of reach here. A build machine, which sets `CI`, has to reach it.
    NotRun(String),
    /// There is nothing to compare with so far.
    NotYet(String),
}
