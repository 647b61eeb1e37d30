//! Days and dates of the proleptic Gregorian calendar, so that no library is needed; a library of dates and zones is larger than the client.
//! Must not live here: texts of dates, hours, zones, reading a clock.

/// Days between 0000-03-01 and 1970-01-01. Years are taken to begin in March, so that the leap day is the last one.
const TO_1970: i64 = 719_468;
/// Days in 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;

/// Days from 1970-01-01 to this date; negative before it. The month is from 1 to 12.
pub(crate) fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let leap_days = of_era / 4 - of_era / 100;
    // 153 days are any five months from March on.
    era * ERA + of_era * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - TO_1970
}

/// Year, month and day of a day counted from 1970-01-01: the inverse of [`days_since_1970`].
#[cfg_attr(not(feature = "sandbox"), allow(dead_code))]
pub(crate) fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + TO_1970;
    let (era, of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
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
    fn each_day_of_two_eras_is_one_date() {
        assert_eq!(days_since_1970(1970, 1, 1), 0);
        assert_eq!(days_since_1970(2000, 2, 29), 11_016);
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut day = days_since_1970(1600, 1, 1);
        for year in 1600..2400 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (month, length) in (1..).zip(lengths) {
                let length = if month == 2 && leap { 29 } else { length };
                for of_month in 1..=length {
                    assert_eq!(days_since_1970(year, month, of_month), day);
                    assert_eq!(date_of(day), (year, month, of_month));
                    day += 1;
                }
            }
        }
    }
}
