//! How long a test has worked. Must not live here: what is too long.

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

    /// The time that this thread had a processor, so that a busy machine is no reason to fail; where a system does not say, the
    /// time that went by.
    pub fn so_far(&self) -> Duration {
        match (self.worked, worked()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.start.elapsed(),
        }
    }
}

/// What Linux tells of the thread: nanoseconds on a processor are the first number.
fn worked() -> Option<Duration> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
