//! Durations as Go's `time.ParseDuration` reads and its `String` writes them.
//! Must not live here: limits.

use std::fmt;

use crate::policy::findings::words::{joined, quoted};

/// A span of time in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Duration(i64);

/// How often an ssh session must be checked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Period {
    /// At every connection.
    Always,
    /// Once in this period.
    Every(Duration),
}

/// The text is not a duration; displays in Go's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DurationError {
    text: String,
    fault: Fault,
}

/// What is wrong with a duration.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fault {
    /// A number is missing, or the time is too long.
    Invalid,
    /// A number without a unit: it ends the text, or is followed by another point.
    NoUnit,
    /// An unknown unit.
    Unit(String),
}

impl fmt::Display for DurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = quoted(&self.text);
        f.write_str(&match &self.fault {
            Fault::Invalid => joined(&["time: invalid duration ", &text]),
            Fault::NoUnit => joined(&["time: missing unit in duration ", &text]),
            Fault::Unit(unit) => {
                joined(&["time: unknown unit ", &quoted(unit), " in duration ", &text])
            }
        })
    }
}

impl std::error::Error for DurationError {}

impl Period {
    /// Reads `always` or a duration.
    ///
    /// # Errors
    /// [`DurationError`] for anything else.
    pub fn parse(text: &str) -> Result<Period, DurationError> {
        match text {
            "always" => Ok(Period::Always),
            _ => Duration::parse(text).map(Period::Every),
        }
    }
}

/// Units of Go, longer names first if one begins with another.
const UNITS: [(&str, i64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

impl Duration {
    /// No time at all.
    pub const ZERO: Duration = Duration(0);

    /// The shortest period between two checks, by the documentation.
    pub const MINUTE: Duration = Duration(60_000_000_000);

    /// This many hours.
    pub const fn hours(hours: i32) -> Duration {
        Duration(hours as i64 * 3_600_000_000_000)
    }

    /// Reads what Go does: a sign, then numbers with a unit each; `0` needs none.
    ///
    /// # Errors
    /// [`DurationError`] for anything else, and for what does not fit.
    pub fn parse(text: &str) -> Result<Duration, DurationError> {
        let refused = |fault| DurationError {
            text: text.to_owned(),
            fault,
        };
        let (sign, mut rest) = match text.split_at_checked(1) {
            Some(("-", rest)) => (-1, rest),
            Some(("+", rest)) => (1, rest),
            _ => (1, text),
        };
        match rest {
            "" => return Err(refused(Fault::Invalid)),
            "0" => return Ok(Duration::ZERO),
            _ => {}
        }
        let mut total = 0_i64;
        while !rest.is_empty() {
            let (nanoseconds, after) = component(rest).map_err(refused)?;
            let sum = total.checked_add(nanoseconds);
            total = sum.ok_or_else(|| refused(Fault::Invalid))?;
            rest = after;
        }
        Ok(Duration(sign * total))
    }
}

/// One number with its unit in nanoseconds, and what follows.
fn component(text: &str) -> Result<(i64, &str), Fault> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, rest) = split(text, end)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(Fault::Invalid);
    }
    let unit_end = rest.find(|c: char| c.is_ascii_digit() || c == '.');
    let (unit, rest) = split(rest, unit_end)?;
    if unit.is_empty() || fraction.contains('.') {
        return Err(Fault::NoUnit);
    }
    let Some((_, scale)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        return Err(Fault::Unit(unit.to_owned()));
    };
    let nanoseconds = scaled(whole, fraction, *scale).ok_or(Fault::Invalid)?;
    Ok((nanoseconds, rest))
}

/// The text up to a place, or all of it, and what follows.
fn split(text: &str, end: Option<usize>) -> Result<(&str, &str), Fault> {
    let parts = text.split_at_checked(end.unwrap_or(text.len()));
    parts.ok_or(Fault::Invalid)
}

/// This many units of this many nanoseconds; none if that is too long a time.
fn scaled(whole: &str, fraction: &str, scale: i64) -> Option<i64> {
    let whole: i64 = match whole {
        "" => 0,
        digits => digits.parse().ok()?,
    };
    let mut nanoseconds = whole.checked_mul(scale)?;
    let mut place = scale;
    for digit in fraction.bytes() {
        place /= 10;
        let digit = i64::from(digit.wrapping_sub(b'0'));
        nanoseconds = nanoseconds.checked_add(place.checked_mul(digit)?)?;
    }
    Some(nanoseconds)
}

/// `169h0m0s`, `1m0s`, `1.5s`: as Go's `Duration.String`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let total = self.0.unsigned_abs();
        let (seconds, nanoseconds) = (total / 1_000_000_000, total % 1_000_000_000);
        if seconds == 0 && nanoseconds > 0 {
            return small(f, sign, nanoseconds);
        }
        f.write_str(sign)?;
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        if hours > 0 {
            write!(f, "{hours}h")?;
        }
        if hours > 0 || minutes > 0 {
            write!(f, "{minutes}m")?;
        }
        write!(f, "{}{}s", seconds % 60, fraction(nanoseconds, 9))
    }
}

/// Below a second Go takes the largest unit that leaves a whole part.
fn small(f: &mut fmt::Formatter<'_>, sign: &str, nanoseconds: u64) -> fmt::Result {
    let (scale, digits, unit) = match nanoseconds {
        0..1_000 => (1, 0, "ns"),
        1_000..1_000_000 => (1_000, 3, "\u{b5}s"),
        _ => (1_000_000, 6, "ms"),
    };
    let (whole, rest) = (nanoseconds / scale, nanoseconds % scale);
    write!(f, "{sign}{whole}{}{unit}", fraction(rest, digits))
}

/// The digits after the point, without zeros at the end; empty if there are none.
fn fraction(rest: u64, digits: usize) -> String {
    match rest {
        0 => String::new(),
        _ => format!(".{rest:0digits$}").trim_end_matches('0').to_owned(),
    }
}
