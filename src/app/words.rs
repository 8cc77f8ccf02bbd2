//! Small words that several panes share.

use crate::transcript::date;
use crate::visible::visible;

/// A length for people: `113 B`, `1.2 KB`, `10.0 MB`.
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{:.1} KB", bytes as f64 / 1_024.0),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}

/// A span of time for people, its largest unit only: `40 s`, `3 min`, `2 h`, `5 days`.
pub fn span(seconds: i64) -> String {
    match seconds.max(0) {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3_600 => format!("{} min", seconds / 60),
        seconds @ 3_600..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} days", seconds / 86_400),
    }
}

/// A number in at most five characters: `15`, `15k`, `1.5M`, `150M`.
pub fn rounded(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..10_000 => format!("{}.{}k", number / 1_000, number / 100 % 10),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..10_000_000 => format!("{}.{}M", number / 1_000_000, number / 100_000 % 10),
        _ => format!("{}M", number / 1_000_000),
    }
}

/// A number and its noun: `1 edit`, `2 edits`.
pub fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// A text in one line of at most `characters`, visible, with `…` where it was cut.
pub fn brief(text: &str, characters: usize) -> String {
    // Reading a little more than is shown tells whether something is left.
    let head: String = text.chars().take(characters + 1).collect();
    let cut = characters < head.chars().count();
    let head: String = head
        .chars()
        .take(if cut {
            characters.saturating_sub(1)
        } else {
            characters
        })
        .collect();
    let mut out = visible(&head).into_owned();
    if cut {
        out.push('…');
    }
    out
}

/// Breaks a text at spaces into lines of at most `width` characters; a longer word is cut.
pub fn fold(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let needs = line.chars().count() + word.chars().count() + usize::from(!line.is_empty());
        if width < needs && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        let mut rest: Vec<char> = word.chars().collect();
        while width < rest.len() {
            let tail = rest.split_off(width);
            lines.push(rest.into_iter().collect());
            rest = tail;
        }
        line.extend(rest);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The time of day: `14:02:11`.
pub fn clock(unix: i64, offset: i32) -> String {
    let seconds = (unix + i64::from(offset)).rem_euclid(86_400);
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// The last part of a path as it is shown.
pub fn file_name(path: &std::path::Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    crate::visible::visible_bytes(name.as_encoded_bytes())
}

/// Seconds since 1970 of an RFC 3339 time; `None` for other spellings.
pub fn unix(time: &str) -> Option<i64> {
    let has_seconds = time.as_bytes().get(16) == Some(&b':');
    let millis = has_seconds.then(|| date::millis(time)).flatten()?;
    Some(millis.div_euclid(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        for (bytes, words) in [
            (0, "0 B"),
            (113, "113 B"),
            (1_229, "1.2 KB"),
            (10_485_760, "10.0 MB"),
        ] {
            assert_eq!(size(bytes), words);
        }
        for (text, cut) in [
            ("abc", "abc"),
            ("abcde", "abcd…"),
            ("a\tb", "a⇥b"),
            ("", ""),
        ] {
            assert_eq!(
                brief(text, if text == "abcde" { 5 } else { 4 }),
                if text == "abcde" { "abcde" } else { cut }
            );
        }
        assert_eq!(brief("abcdef", 4), "abc…");
        for (number, words) in [
            (999, "999"),
            (1_560, "1.5k"),
            (156_000, "156k"),
            (1_560_002, "1.5M"),
            (4_000_000_000, "4000M"),
        ] {
            assert_eq!(rounded(number), words);
        }
        for (seconds, words) in [
            (-5, "0 s"),
            (59, "59 s"),
            (3_599, "59 min"),
            (90_000, "25 h"),
            (172_800, "2 days"),
        ] {
            assert_eq!(span(seconds), words);
        }
        assert_eq!(clock(1_700_000_000, 3_600), "23:13:20");
    }

    #[test]
    fn times_are_read_as_logs_spell_them() {
        for (time, seconds) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2026-11-03T14:02:11.123Z", Some(1_793_714_531)),
            ("2026-11-03T15:02:11+01:00", Some(1_793_714_531)),
            ("2024-02-29 23:59:59", Some(1_709_251_199)),
            ("yesterday", None),
            ("2026-11-03", None),
            ("", None),
        ] {
            assert_eq!(unix(time), seconds, "{time}");
        }
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(fold("one two three", 7), ["one two", "three"]);
        assert_eq!(fold("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(fold("", 4), Vec::<String>::new());
    }
}
