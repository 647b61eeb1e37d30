//! Milliseconds since 1970 as RFC 3339 text. The proleptic Gregorian calendar, so that it needs no library.
//!
//! Must not live here: reading a clock; the caller always says what time it is.

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
    let (year, month, day) = date(millis / DAY);
    let (hour, minute, second) = (millis / HOUR % 24, millis / MINUTE % 60, millis / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")
}

/// Year, month and day of a day counted from 1970-01-01. Years are taken to begin in March, so that the leap day is the last one;
/// 719,468 days lie between 0000-03-01 and 1970-01-01, 146,097 days are 400 years, and 153 days are any five months from March on.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year + next_year, month, day)
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
}
