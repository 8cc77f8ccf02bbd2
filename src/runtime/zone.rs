//! How far the local time is ahead of UTC, read from the system's zone file (RFC 9636): no child process, no C library.

use std::path::{Path, PathBuf};

use crate::files;
use crate::transcript::date;

/// Seconds that the local time is ahead at `unix`; 0 where no zone is set.
pub fn offset(unix: i64) -> i32 {
    let zone = std::env::var_os("TZ").filter(|zone| !zone.is_empty());
    let Some(zone) = zone else {
        return from_file(Path::new("/etc/localtime"), unix).unwrap_or(0);
    };
    let zone = zone.to_string_lossy();
    let name = zone.trim_start_matches(':');
    let path: PathBuf = Path::new("/usr/share/zoneinfo").join(name);
    from_file(&path, unix)
        .or_else(|| Rule::parse(name)?.offset(unix))
        .unwrap_or(0)
}

fn from_file(path: &Path, unix: i64) -> Option<i32> {
    in_zone(&files::read_file(path).ok()?, unix)
}

/// The offset in force at `unix` by a zone file's second, 64-bit block.
fn in_zone(file: &[u8], unix: i64) -> Option<i32> {
    let first = Header::read(file)?;
    let block = file.get(44 + first.size(4)..)?;
    let header = Header::read(block)?;
    let body = block.get(44..)?;
    let time = |index: usize| {
        let bytes = body.get(index * 8..index * 8 + 8)?;
        Some(i64::from_be_bytes(bytes.try_into().ok()?))
    };
    let mut passed = 0;
    while passed < header.times && time(passed)? <= unix {
        passed += 1;
    }
    let footer = body.get(header.size(8)..).unwrap_or_default();
    let footer = std::str::from_utf8(footer).unwrap_or_default().trim();
    // Behind the last change the rule at the end of the file holds.
    if passed == header.times
        && let Some(offset) = Rule::parse(footer).and_then(|rule| rule.offset(unix))
    {
        return Some(offset);
    }
    let kind = match passed.checked_sub(1) {
        Some(last) => usize::from(*body.get(header.times * 8 + last)?),
        None => 0,
    };
    let at = header.times * 9 + kind * 6;
    Some(i32::from_be_bytes(body.get(at..at + 4)?.try_into().ok()?))
}

/// The counts at the start of a block.
struct Header {
    utc: usize,
    standard: usize,
    leaps: usize,
    times: usize,
    kinds: usize,
    letters: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Header> {
        if !bytes.starts_with(b"TZif") {
            return None;
        }
        let count = |index: usize| {
            let at = 20 + index * 4;
            let four = bytes.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(u32::from_be_bytes(four)).ok()
        };
        Some(Header {
            utc: count(0)?,
            standard: count(1)?,
            leaps: count(2)?,
            times: count(3)?,
            kinds: count(4)?,
            letters: count(5)?,
        })
    }

    /// Bytes of the block behind the header, where a time takes `width`.
    fn size(&self, width: usize) -> usize {
        let table = self.times * (width + 1) + self.kinds * 6 + self.letters;
        table + self.leaps * (width + 4) + self.standard + self.utc
    }
}

/// A rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct Rule {
    standard: i32,
    summer: Option<(i32, Change, Change)>,
}

/// The `week`th day `day` of a month (5 is the last), and the second of that day.
struct Change {
    month: i64,
    week: i64,
    day: i64,
    second: i64,
}

impl Rule {
    fn parse(text: &str) -> Option<Rule> {
        let mut rest = name(text)?;
        let standard = -time(&mut rest)?;
        if rest.is_empty() {
            return Some(Rule {
                standard: standard as i32,
                summer: None,
            });
        }
        rest = name(rest)?;
        let ahead = match rest.starts_with(',') {
            true => standard + 3600,
            false => -time(&mut rest)?,
        };
        let mut changes = rest.strip_prefix(',')?.split(',');
        let summer = (
            ahead as i32,
            Change::parse(changes.next()?)?,
            Change::parse(changes.next()?)?,
        );
        Some(Rule {
            standard: standard as i32,
            summer: Some(summer),
        })
    }

    fn offset(&self, unix: i64) -> Option<i32> {
        let Some((ahead, start, end)) = &self.summer else {
            return Some(self.standard);
        };
        let local = unix + i64::from(self.standard);
        let (year, _, _) = date::date(local.div_euclid(86_400));
        let start = start.at(year) - i64::from(self.standard);
        let end = end.at(year) - i64::from(*ahead);
        // In the south summer goes over the turn of the year.
        let summer = match start < end {
            true => start <= unix && unix < end,
            false => unix < end || start <= unix,
        };
        Some(if summer { *ahead } else { self.standard })
    }
}

impl Change {
    fn parse(text: &str) -> Option<Change> {
        let (day, mut second) = match text.split_once('/') {
            Some((day, second)) => (day, second),
            None => (text, "2"),
        };
        let mut parts = day
            .strip_prefix('M')?
            .split('.')
            .map(|part| part.parse().ok());
        Some(Change {
            month: parts.next()??,
            week: parts.next()??,
            day: parts.next()??,
            second: time(&mut second)?,
        })
    }

    /// Seconds since 1970 by the clock on the wall.
    fn at(&self, year: i64) -> i64 {
        let first = date::days(year, self.month, 1);
        // 1970 began on a Thursday.
        let weekday = (first + 4).rem_euclid(7);
        let mut day = first + (self.day - weekday).rem_euclid(7) + (self.week - 1) * 7;
        let (next_year, next_month) = match self.month {
            12 => (year + 1, 1),
            month => (year, month + 1),
        };
        while date::days(next_year, next_month, 1) <= day {
            day -= 7;
        }
        day * 86_400 + self.second
    }
}

/// What follows the name of a zone: letters, or anything between angle brackets.
fn name(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('<') {
        return Some(rest.split_once('>')?.1);
    }
    let end = text.find(|c: char| !c.is_ascii_alphabetic());
    let end = end.unwrap_or(text.len());
    (3 <= end).then(|| &text[end..])
}

/// Takes `[+-]hours[:minutes[:seconds]]` off the front; in seconds.
fn time(rest: &mut &str) -> Option<i64> {
    let end = rest.find(|c: char| !c.is_ascii_digit() && !"+-:".contains(c));
    let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
    *rest = after;
    let negative = text.starts_with('-');
    let mut seconds = 0;
    let mut unit = 3600;
    for part in text.trim_start_matches(['+', '-']).split(':') {
        seconds += part.parse::<i64>().ok()? * unit;
        unit /= 60;
    }
    Some(if negative { -seconds } else { seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    const JANUARY: i64 = 1_768_478_400; // 2026-01-15 12:00 UTC
    const JULY: i64 = 1_784_116_800; // 2026-07-15 12:00 UTC

    #[test]
    fn rules() {
        for (rule, winter, summer) in [
            ("UTC0", 0, 0),
            ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200),
            ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", 39_600, 36_000),
            ("<+0545>-5:45", 20_700, 20_700),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600),
        ] {
            let at = |unix| Rule::parse(rule).and_then(|rule| rule.offset(unix));
            assert_eq!(
                (at(JANUARY), at(JULY)),
                (Some(winter), Some(summer)),
                "{rule}"
            );
        }
        for broken in [
            "",
            "X",
            "CET",
            "CET-1CEST",
            "CET-1CEST,J60,J300",
            "CET-1CEST,M3",
        ] {
            assert!(Rule::parse(broken).is_none(), "{broken}");
        }
    }

    #[test]
    fn the_change_is_at_the_second() {
        let rule = "CET-1CEST,M3.5.0,M10.5.0/3";
        let at = |unix| Rule::parse(rule).and_then(|rule| rule.offset(unix));
        let (spring, autumn) = (1_774_746_000, 1_792_890_000); // 29 March and 25 October 2026, 01:00 UTC
        for (unix, want) in [
            (spring - 1, 3600),
            (spring, 7200),
            (autumn - 1, 7200),
            (autumn, 3600),
        ] {
            assert_eq!(at(unix), Some(want), "{unix}");
        }
    }

    /// A zone file with an empty first block, two changes, and a rule.
    fn file(footer: &str) -> Vec<u8> {
        let header = |times: u32, kinds: u32, letters: u32| {
            let mut bytes = b"TZif2".to_vec();
            bytes.resize(20, 0);
            for count in [0, 0, 0, times, kinds, letters] {
                bytes.extend(u32::to_be_bytes(count));
            }
            bytes
        };
        let mut bytes = header(0, 1, 1);
        bytes.extend([0; 7]);
        bytes.extend(header(2, 2, 4));
        bytes.extend(i64::to_be_bytes(1000));
        bytes.extend(i64::to_be_bytes(2000));
        bytes.extend([1, 0]);
        for offset in [600_i32, 1200] {
            bytes.extend(offset.to_be_bytes());
            bytes.extend([0, 0]);
        }
        bytes.extend(b"ABC\0");
        bytes.extend(format!("\n{footer}\n").bytes());
        bytes
    }

    #[test]
    fn zone_files() {
        for (unix, footer, want) in [
            (999, "XYZ-1", Some(600)),
            (1000, "XYZ-1", Some(1200)),
            (2000, "XYZ-1", Some(3600)),
            (2000, "", Some(600)),
        ] {
            assert_eq!(in_zone(&file(footer), unix), want);
        }
        let whole = file("");
        for cut in 0..whole.len() {
            // Whatever is missing, nothing panics.
            let _ = in_zone(&whole[..cut], 1500);
        }
        assert_eq!(in_zone(b"no zone", 0), None);
    }
}
