//! The time, for those who need it as data.

use std::sync::OnceLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since the program's first look at the clock; never goes back.
pub fn millis() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_millis() as u64
}

/// Seconds since 1970, 0 for a clock before that.
pub fn unix() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs() as i64)
}

/// Milliseconds since 1970, for names that sort by time.
pub fn unix_millis() -> u128 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_millis())
}

/// A point in time as `2026-11-30T06:46:32Z`.
pub fn stamp(unix: i64) -> String {
    let (days, seconds) = (unix.div_euclid(86_400), unix.rem_euclid(86_400));
    let (year, month, day) = date(days);
    let clock = clock(seconds);
    format!("{year:04}-{month:02}-{day:02}T{clock}Z")
}

/// The time of day.
fn clock(unix: i64) -> String {
    let seconds = unix.rem_euclid(86_400);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// Year, month and day of a count of days since 1970, in the calendar that repeats every 400 years.
pub fn date(days: i64) -> (i64, i64, i64) {
    // Years that begin in March put the leap day at the end.
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

/// The count of days since 1970 of a date.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let shifted = (month + 9) % 12;
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// When a file was last written, in seconds since 1970.
pub fn modified(path: &std::path::Path) -> Option<i64> {
    let time = path.metadata().ok()?.modified().ok()?;
    let since = time.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_each_others_inverse() {
        for count in -150_000..150_000 {
            let (year, month, day) = date(count);
            assert_eq!(days(year, month, day), count);
        }
    }

    #[test]
    fn stamps() {
        for (unix, want) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_796_021_192, "2026-11-30T06:46:32Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(stamp(unix), want);
        }
    }
}
