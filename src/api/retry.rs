//! Which call may be repeated after which failure, and when: pure, no clock, no I/O.
//!
//! ```
//! use tailnet_kit::api::{Effect, retry};
//!
//! let rule = retry::Rule::of(Effect::Once);
//! assert!(rule.allows(retry::Failure::Status(429)));
//! assert!(!rule.allows(retry::Failure::Status(503)));
//! assert_eq!(retry::delay(1, Some(2.0), 0.5), Some(2000.0));
//! ```
// Must not live here: waiting, counting attempts.

/// The effect of an operation, which decides when it may be repeated and who may make it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Puts a value in place of another: doing it twice is doing it once.
    Replace,
    /// A repetition after a lost answer would fail or mislead.
    Once,
}

/// After which failures a call may be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Refusals that pass with time, and connections that break.
    Transient,
    /// Only "too many requests", with which the service says that nothing was done.
    RateLimitOnly,
}

impl Rule {
    /// The rule of an operation with this effect. Repeated after its answer was lost, a write of the policy would look like
    /// a conflict with someone else, and a deletion as if the device had never been there.
    pub fn of(effect: Effect) -> Rule {
        match effect {
            Effect::Read | Effect::Replace => Rule::Transient,
            Effect::Once => Rule::RateLimitOnly,
        }
    }

    /// The rule of a change that may also rename: once the thing has another name, a repetition does not find it.
    pub fn of_name(name: &str, given: Option<&str>) -> Rule {
        match given {
            Some(given) if given != name => Rule::RateLimitOnly,
            _ => Rule::Transient,
        }
    }

    /// Whether the call may be repeated after this failure. Never after 501, which does not pass with time.
    pub fn allows(self, failure: Failure) -> bool {
        match failure {
            Failure::Status(429) => true,
            Failure::Status(408 | 500 | 502 | 503 | 504) | Failure::Connection => {
                self == Rule::Transient
            }
            Failure::Status(_) => false,
        }
    }
}

/// How an attempt failed, as far as it matters for repeating it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The service answered with this status.
    Status(u16),
    /// No whole answer came, or not in time.
    Connection,
}

/// Milliseconds before the first repetition; they double with each further one.
const FIRST_DELAY: f64 = 500.0;
/// The longest pause of our own choosing, in milliseconds.
const LONGEST_DELAY: f64 = 8_000.0;
/// The share of a pause that chance may take off, so that clients do not return in step.
const JITTER: f64 = 0.25;
/// The longest pause a server can ask for, in seconds; beyond it the caller should decide.
const LONGEST_WISH: f64 = 60.0;

/// Milliseconds to wait after attempt number `attempt` (from 1), or `None` where the server's wish is too long.
///
/// `wish` is `Retry-After` in seconds and is followed exactly; `random` lies in 0..1.
pub fn delay(attempt: u32, wish: Option<f64>, random: f64) -> Option<f64> {
    if let Some(seconds) = wish {
        return (seconds <= LONGEST_WISH).then_some(seconds * 1000.0);
    }
    let doublings = i32::try_from(attempt.saturating_sub(1).min(16)).unwrap_or(16);
    let full = (FIRST_DELAY * 2f64.powi(doublings)).min(LONGEST_DELAY);
    Some(full * (1.0 - JITTER * random.clamp(0.0, 1.0)))
}
