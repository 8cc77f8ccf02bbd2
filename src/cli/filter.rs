//! Which failed calls are wanted, from the flags of `scan` and `watch`.

use std::time::{Duration, SystemTime};

use super::args::Filter;
use crate::feed::Wanted;
use crate::transcript::formats;
use crate::transcript::{FailedCall, Kind, Kinds};

/// The flags, understood.
#[derive(Debug)]
pub(super) struct Sieve {
    /// Kinds that are listed.
    pub kinds: Kinds,
    /// Logs that are read.
    pub wanted: Wanted,
    tools: Vec<String>,
    session: Option<String>,
}

impl Sieve {
    /// Understands the flags, or says which one it cannot.
    pub(super) fn new(filter: &Filter) -> Result<Sieve, String> {
        let kinds = match filter.kind.as_slice() {
            [] => Kinds::default(),
            names if names.iter().any(|name| name == "all") => Kinds::ALL,
            names => names.iter().filter_map(|name| Kind::find(name)).collect(),
        };
        let known = |name: &String| {
            formats::find(name)
                .map(|adapter| adapter.id)
                .ok_or_else(|| {
                    format!("--format: no format `{name}`; `jsonmedic formats` lists them")
                })
        };
        let since = match &filter.since {
            None => None,
            Some(text) => Some(moment(text, SystemTime::now()).ok_or_else(|| {
                format!("--since: expected 90m, 2h, 3d, 2026-11-30 or 2026-11-30T14:00:00Z, found `{text}`")
            })?),
        };
        Ok(Sieve {
            kinds,
            wanted: Wanted {
                formats: filter.format.iter().map(known).collect::<Result<_, _>>()?,
                since,
            },
            tools: filter.tool.clone(),
            session: filter.session.clone(),
        })
    }

    /// Whether a call of a wanted log is wanted. A call without a time is as old as its log.
    pub(super) fn keeps(&self, call: &FailedCall) -> bool {
        let is_tool = |tool: &String| self.tools.contains(tool);
        let is_late = |since: SystemTime| {
            call.time
                .as_deref()
                .and_then(rfc3339)
                .is_none_or(|time| since <= time)
        };
        (self.tools.is_empty() || call.tool.as_ref().is_some_and(is_tool))
            && (self.session.is_none() || self.session == call.session)
            && self.wanted.since.is_none_or(is_late)
    }
}

/// A duration back from now, or a date, or a date and a time.
fn moment(text: &str, now: SystemTime) -> Option<SystemTime> {
    if let Some(time) = rfc3339(text) {
        return Some(time);
    }
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let number: u64 = digits.parse().ok()?;
    let seconds = match &text[digits.len()..] {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        _ => return None,
    };
    now.checked_sub(Duration::from_secs(number.checked_mul(seconds)?))
}

/// A date, or a date and a time with an offset; without an offset in UTC.
fn rfc3339(text: &str) -> Option<SystemTime> {
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = text.get(range)?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok())?
    };
    let dash = |at: usize| text.as_bytes().get(at) == Some(&b'-');
    if !dash(4) || !dash(7) {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Days since 1970; years begin in March, eras have 400 years.
    let (of_year, of_month) = (year - i64::from(month <= 2), (month + 9) % 12);
    let era = of_year.div_euclid(400);
    let year_of_era = of_year.rem_euclid(400);
    let day_of_year = (153 * of_month + 2) / 5 + day - 1;
    let days = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100
        + day_of_year
        - 719_468;
    let mut seconds = days * 86_400;
    let mut millis = 0;
    if 10 < text.len() {
        if !matches!(text.as_bytes()[10], b'T' | b't' | b' ') {
            return None;
        }
        seconds += number(11..13)? * 3600 + number(14..16)? * 60;
        let mut rest = text.get(16..)?;
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
        seconds -= offset(rest)?;
    }
    let since = Duration::from_secs(u64::try_from(seconds).ok()?) + Duration::from_millis(millis);
    SystemTime::UNIX_EPOCH.checked_add(since)
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
    let minutes: i64 = text.get(3..)?.trim_start_matches(':').parse().unwrap_or(0);
    Some(sign * (hours * 3600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates_times_or_durations_back() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        for (text, wanted) in [
            ("90m", Some(1_000_000 - 5400)),
            ("2h", Some(1_000_000 - 7200)),
            ("3d", Some(1_000_000 - 3 * 86_400)),
            ("1970-01-02", Some(86_400)),
            ("2000-02-29", Some(951_782_400)),
            ("2038-01-19T03:14:08Z", Some(2_147_483_648)),
            ("1970-01-02T01:00:00+01:00", Some(86_400)),
            ("1970-01-02T00:00:00.999Z", Some(86_400)),
            ("1970-01-02 00:30", Some(88_200)),
            ("yesterday", None),
            ("5", None),
            ("5x", None),
            ("1970-13-01", None),
            ("1970-01-02Tx", None),
            ("99999999999999999999d", None),
            ("", None),
        ] {
            let found = moment(text, now)
                .and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok())
                .map(|since| since.as_secs());
            assert_eq!(found, wanted, "{text}");
        }
    }
}
