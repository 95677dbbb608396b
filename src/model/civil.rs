//! Dates of the proleptic Gregorian calendar as days since 1970-01-01, the unit of Delta's `date`
//! and of Parquet's DATE; over the whole range of years that statistics can hold, without panics.

/// Days from 1970-01-01 to this date; none if there is no such date.
pub fn days_from_civil(year: i64, month: u32, day: u32) -> Option<i64> {
    if !(-1_000_000..=1_000_000).contains(&year) || day == 0 || day > days_in_month(year, month)? {
        return None;
    }
    // Years that start in March put the leap day last, so that month lengths repeat evenly.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let day_of_year = (153 * i64::from(m) + 2) / 5 + i64::from(day) - 1;
    let leaps = y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400);
    Some(y * 365 + leaps + day_of_year - 719_468)
}

/// Year, month (1–12) and day (1–31) of a day number.
pub fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let shifted = i128::from(days) + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let leap_days = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * m + 2) / 5 + 1;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = era * 400 + year_of_era + i128::from(month <= 2);
    (year as i64, month as u32, day as u32)
}

fn days_in_month(year: i64, month: u32) -> Option<u32> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if leap { 29 } else { 28 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_days() {
        assert_eq!(days_from_civil(1970, 1, 1), Some(0));
        assert_eq!(days_from_civil(2000, 2, 29), Some(11_016));
        assert_eq!(days_from_civil(1, 1, 1), Some(-719_162));
        assert_eq!(days_from_civil(9999, 12, 31), Some(2_932_896));
        assert_eq!(days_from_civil(2023, 2, 29), None);
        assert_eq!(days_from_civil(2023, 13, 1), None);
        assert_eq!(civil_from_days(-1), (1969, 12, 31));
    }

    proptest! {
        #[test]
        fn there_and_back(days in -3_000_000i64..3_000_000) {
            let (y, m, d) = civil_from_days(days);
            prop_assert_eq!(days_from_civil(y, m, d), Some(days));
        }

        #[test]
        fn no_day_is_too_far(days in any::<i64>()) {
            let (_, m, d) = civil_from_days(days);
            prop_assert!((1..=12).contains(&m) && (1..=31).contains(&d));
        }
    }
}
