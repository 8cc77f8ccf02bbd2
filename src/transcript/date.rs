//! Dates and times as logs spell them: the one place that knows the calendar.

/// Year, month and day of a count of days since 1970, in the calendar that repeats every 400 years.
pub fn date(days: i64) -> (i64, i64, i64) {
    // Years that begin in March put the leap day at the end.
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = (shifted + 2) % 12 + 1;
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

/// Seconds since 1970 as `2026-11-30T06:46:32Z`.
pub fn stamp(unix: i64) -> String {
    let (year, month, day) = date(unix.div_euclid(86_400));
    let seconds = unix.rem_euclid(86_400);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z")
}

/// Milliseconds since 1970 as `2026-11-30T06:46:32.123Z`.
pub fn stamp_millis(millis: i64) -> String {
    let mut out = stamp(millis.div_euclid(1000));
    out.pop();
    out + &format!(".{:03}Z", millis.rem_euclid(1000))
}

/// Milliseconds since 1970 of a date, or of a date and a time with an offset; without an offset in UTC.
pub fn millis(text: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = text.get(range)?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok())?
    };
    let stands = |at: usize, sign: u8| text.as_bytes().get(at) == Some(&sign);
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
    if !is_date || !stands(4, b'-') || !stands(7, b'-') {
        return None;
    }
    let days = days(year, month, day) * 86_400;
    if text.len() == 10 {
        return Some(days * 1000);
    }
    if !matches!(text.as_bytes()[10], b'T' | b't' | b' ') || !stands(13, b':') {
        return None;
    }
    let mut seconds = days + number(11..13)? * 3600 + number(14..16)? * 60;
    let mut rest = text.get(16..)?;
    let mut millis = 0;
    if let Some(of_minute) = rest.strip_prefix(':') {
        seconds += number(17..19)?;
        rest = of_minute.get(2..)?;
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        let padded = format!("{:0<3}", &fraction[..digits]);
        millis = padded[..3].parse().ok()?;
        rest = &fraction[digits..];
    }
    Some((seconds - offset(rest)?) * 1000 + millis)
}

/// Seconds east of UTC.
fn offset(text: &str) -> Option<i64> {
    let sign = match text.as_bytes().first() {
        None | Some(b'Z' | b'z') => return Some(0),
        Some(b'+') => 1,
        Some(b'-') => -1,
        Some(_) => return None,
    };
    let hours: i64 = text.get(1..3)?.parse().ok()?;
    let minutes: i64 = match text.get(3..)?.trim_start_matches(':') {
        "" => 0,
        minutes => minutes.parse().ok()?,
    };
    Some(sign * (hours * 3600 + minutes * 60))
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
    fn what_is_stamped_is_read() {
        for (unix, want) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_796_021_192, "2026-11-30T06:46:32Z"),
            (2_147_483_648, "2038-01-19T03:14:08Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(stamp(unix), want);
            assert_eq!(millis(want), Some(unix * 1000));
            let before = stamp_millis(unix * 1000 - 1);
            assert_eq!(millis(&before), Some(unix * 1000 - 1), "{before}");
        }
    }

    #[test]
    fn spellings() {
        for (text, wanted) in [
            ("1970-01-02", Some(86_400_000)),
            ("1970-01-02 00:30", Some(88_200_000)),
            ("1970-01-02T01:00:00+01:00", Some(86_400_000)),
            ("1970-01-02T01:00:00.5-0030", Some(91_800_500)),
            ("1970-01-02T00:00:00.9999Z", Some(86_400_999)),
            ("1970-13-01", None),
            ("1970-01-02Tx", None),
            ("1970-01-02T01:00:00+01:xx", None),
            ("1970-01-02T01-00:00Z", None),
            ("1970/01/02", None),
            ("日日日日", None),
            ("", None),
        ] {
            assert_eq!(millis(text), wanted, "{text}");
        }
    }
}
