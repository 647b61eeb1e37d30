//! Milliseconds since 1970 as RFC 3339 text, and back.
//!
//! Must not live here: reading a clock (the caller always passes the time), the calendar (`tables::calendar`).

use crate::tables::calendar::{date_of, days_since_1970};

/// Milliseconds in a day.
pub const DAY: i64 = 24 * HOUR;
/// Milliseconds in an hour.
pub const HOUR: i64 = 60 * MINUTE;
/// Milliseconds in a minute.
pub const MINUTE: i64 = 60_000;

/// The last instant that RFC 3339 can write, 9999-12-31T23:59:59Z.
const LAST: i64 = 253_402_300_799_000;

/// `2021-03-04T05:06:07Z` (RFC 3339, section 5.6), in UTC. Instants outside the years 1970 to 9999 become the nearest one inside.
pub fn utc(millis: i64) -> String {
    with_zone(millis, "Z")
}

/// The same instant with its offset as a number, `2021-03-04T05:06:07+00:00`.
pub fn utc_with_offset(millis: i64) -> String {
    with_zone(millis, "+00:00")
}

fn with_zone(millis: i64, zone: &str) -> String {
    let millis = millis.clamp(0, LAST);
    let (year, month, day) = date_of(millis / DAY);
    let (hour, minute, second) = (millis / HOUR % 24, millis / MINUTE % 60, millis / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")
}

/// The instant of an RFC 3339 text, in milliseconds since 1970; None if it is not one. Fractions of a second are ignored.
pub fn parse(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| digits.parse().ok())?
    };
    let mark =
        |at: usize, wanted: &[u8]| text.as_bytes().get(at).filter(|byte| wanted.contains(byte));
    mark(4, b"-")
        .and(mark(7, b"-"))
        .and(mark(10, b"Tt "))
        .and(mark(13, b":"))
        .and(mark(16, b":"))?;
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let zone = text
        .get(19..)?
        .trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let offset = match zone.as_bytes() {
        b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let hours: i64 = zone.get(1..3)?.parse().ok()?;
            let minutes: i64 = zone.get(4..6)?.parse().ok()?;
            let size = hours * HOUR + minutes * MINUTE;
            if *sign == b'-' { -size } else { size }
        }
        _ => return None,
    };
    let valid = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    let local =
        days_since_1970(year, month, day) * DAY + hour * HOUR + minute * MINUTE + second * 1000;
    valid.then_some(local - offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_days_around_leap_days() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(utc(951_868_800_000), "2000-03-01T00:00:00Z");
        assert_eq!(utc(4_107_542_399_999), "2100-02-28T23:59:59Z");
        assert_eq!(utc(4_107_542_400_000), "2100-03-01T00:00:00Z");
        assert_eq!(
            utc_with_offset(1_614_834_367_000),
            "2021-03-04T05:06:07+00:00"
        );
        assert_eq!(utc(i64::MAX), "9999-12-31T23:59:59Z");
        assert_eq!(utc(-1), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn reads_what_it_writes_and_other_zones() {
        for millis in [
            0,
            951_782_400_000,
            951_868_800_000,
            4_107_542_399_000,
            1_614_834_367_000,
        ] {
            assert_eq!(parse(&utc(millis)), Some(millis));
            assert_eq!(parse(&utc_with_offset(millis)), Some(millis));
        }
        assert_eq!(
            parse("2021-03-04T06:06:07.25+01:00"),
            Some(1_614_834_367_000)
        );
        assert_eq!(parse("0001-01-01T00:00:00Z"), Some(-62_135_596_800_000));
        for wrong in [
            "",
            "tomorrow",
            "2021-03-04",
            "2021-13-04T00:00:00Z",
            "2021-03-04T00:00:00",
            "2021-03-04T25:00:00Z",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
