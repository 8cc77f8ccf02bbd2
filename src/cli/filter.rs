//! Which failed calls are wanted, from the flags of `scan` and `watch`.

use std::time::{Duration, SystemTime};

use super::args::Filter;
use crate::feed::Wanted;
use crate::transcript::{FailedCall, Kind, Kinds};
use crate::transcript::{date, formats};

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

/// A date, or a date and a time; nothing before 1970.
fn rfc3339(text: &str) -> Option<SystemTime> {
    let since = u64::try_from(date::millis(text)?).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(since))
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
