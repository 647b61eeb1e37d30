//! Which failure of which call may be repeated, and when: pure, no clock, no I/O.
//! Must not live here: waiting, counting attempts.
use super::message::Method;
use super::route::{Effect, Operation};

/// What a call gives leave to repeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Refusals that pass with time, and connections that break.
    Transient,
    /// Only "too many requests": there the service says that nothing was done.
    RateLimitOnly,
}

impl Rule {
    /// The rule of an operation. A lost answer to a policy write, repeated, would look like a conflict
    /// with oneself; a repeated delete, like a device that never was.
    pub fn of(operation: Operation) -> Rule {
        match operation.effect() {
            Effect::Read | Effect::Replace => Rule::Transient,
            Effect::Once => Rule::RateLimitOnly,
        }
    }

    /// The rule of a request that may not be one of the operations.
    pub fn of_request(method: Method, path: &str) -> Rule {
        match Operation::find(method, path) {
            Ok((operation, _)) => Rule::of(operation),
            Err(_) if method.is_safe() => Rule::Transient,
            Err(_) => Rule::RateLimitOnly,
        }
    }

    /// Whether this failure may be tried again. 501 never is: the service says it for good.
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

/// How an attempt failed, as far as repeating it is concerned.
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
/// `wish` is `Retry-After` in seconds and holds exactly; `random` lies in 0..1.
pub fn delay(attempt: u32, wish: Option<f64>, random: f64) -> Option<f64> {
    if let Some(seconds) = wish {
        return (seconds <= LONGEST_WISH).then_some(seconds * 1000.0);
    }
    let doublings = i32::try_from(attempt.saturating_sub(1).min(16)).unwrap_or(16);
    let full = (FIRST_DELAY * 2f64.powi(doublings)).min(LONGEST_DELAY);
    Some(full * (1.0 - JITTER * random.clamp(0.0, 1.0)))
}

/// The seconds of a `Retry-After` header in either form (RFC 9110, section 10.2.3): a number, or a date that
/// is compared with `now` (milliseconds since 1970). Never negative, dates in full
/// seconds; `None` where it cannot be read.
pub fn retry_after_seconds(value: &str, now: f64) -> Option<f64> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return value.parse().ok();
    }
    let date = http_date(value)?;
    Some((date - now / 1000.0).ceil().max(0.0))
}

/// Seconds since 1970 of an HTTP date in any of its three forms (RFC 9110, section 5.6.7):
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
fn http_date(text: &str) -> Option<f64> {
    let words: Vec<&str> = text
        .split([' ', ',', '-'])
        .filter(|w| !w.is_empty())
        .collect();
    let (day, month, year, time) = match words.as_slice() {
        [_, day, month, year, time, "GMT"] => (day, month, year, time),
        [_, month, day, time, year] => (day, month, year, time),
        _ => return None,
    };
    let months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let month = i64::try_from(months.find(month.get(..3)?)?).ok()? / 3 + 1;
    let year: i64 = match (year.len(), year.parse::<u16>().ok()?) {
        (2, year) => i64::from(year) + if year < 70 { 2000 } else { 1900 },
        (_, year) => i64::from(year),
    };
    let days = days_since_1970(year, month, i64::from(day.parse::<u8>().ok()?));
    let mut seconds = 0;
    for part in time.split(':') {
        seconds = seconds * 60 + i64::from(part.parse::<u8>().ok()?);
    }
    let whole = |count: i64| i32::try_from(count).ok().map(f64::from);
    Some(whole(days)? * 86_400.0 + whole(seconds)?)
}

/// Days from 1970-01-01 to a date of the Gregorian calendar, counting years from March so that the leap
/// day comes last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468
}
