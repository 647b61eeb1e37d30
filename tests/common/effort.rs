//! The processor time of a test. Must not live here: how much is too long.

use std::fs;
use std::time::{Duration, Instant};

/// A start to measure from.
pub struct Effort {
    worked: Option<Duration>,
    start: Instant,
}

impl Effort {
    pub fn begin() -> Self {
        let (worked, start) = (worked(), Instant::now());
        Self { worked, start }
    }

    /// The processor time of this thread, so that a busy machine does not make a test fail; where the system does not give it,
    /// the time that has passed.
    pub fn so_far(&self) -> Duration {
        match (self.worked, worked()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.start.elapsed(),
        }
    }
}

/// From Linux's statistics of the thread: the first number is the nanoseconds on a processor.
fn worked() -> Option<Duration> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
