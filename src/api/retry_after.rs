//! When a server asks to be tried again: `Retry-After` and the dates of HTTP.
//! Must not live here: whether and when a call is repeated (`retry`), a clock.

use crate::tables::calendar::days_since_1970;
use crate::tables::find;

/// The seconds of a `Retry-After` header in either form (RFC 9110, section 10.2.3): a number, or a date that
/// is compared with `now` (milliseconds since 1970) and rounded up to full seconds. Never negative; `None` where it
/// cannot be read.
pub fn seconds(value: &str, now: f64) -> Option<f64> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(number(value));
    }
    let date = http_date(value)?;
    Some((date - now / 1000.0).ceil().max(0.0))
}

/// The number that these digits write. Nobody waits for so long that a double would not hold it exactly; the standard
/// library's reader, which is exact for every number, would add 10 KiB of tables.
fn number(digits: &str) -> f64 {
    let digits = digits.bytes().map(|digit| f64::from(digit - b'0'));
    digits.fold(0.0, |number, digit| number * 10.0 + digit)
}

/// Seconds since 1970 of an HTTP date in any of its three forms (RFC 9110, section 5.6.7):
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
fn http_date(text: &str) -> Option<f64> {
    let text = find::replace(text, "-", " ");
    let words = find::split(&text, b' ').filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let (day, month, year, time) = match words.as_slice() {
        [_, day, month, year, time, "GMT"] => (day, month, year, time),
        [_, month, day, time, year] => (day, month, year, time),
        _ => return None,
    };
    let months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let month = find::find(months.as_bytes(), month.get(..3)?.as_bytes())?;
    let month = i64::try_from(month).ok()? / 3 + 1;
    let year: i64 = match (year.len(), year.parse::<u16>().ok()?) {
        (2, year) => i64::from(year) + if year < 70 { 2000 } else { 1900 },
        (_, year) => i64::from(year),
    };
    let days = days_since_1970(year, month, i64::from(day.parse::<u8>().ok()?));
    let mut seconds = 0;
    for part in find::split(time, b':') {
        seconds = seconds * 60 + i64::from(part.parse::<u8>().ok()?);
    }
    let whole = |count: i64| i32::try_from(count).ok().map(f64::from);
    Some(whole(days)? * 86_400.0 + whole(seconds)?)
}
