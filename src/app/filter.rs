//! What is typed behind `/` in the Feed: fields with a colon, and fuzzy words.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::feed::Entry;
use super::words;
use crate::transcript::{Kind, Kinds};

/// A filter as typed and as read.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// As typed.
    pub text: String,
    fields: Vec<(Field, String)>,
    words: String,
    /// The first name before a colon that is no field.
    unknown: Option<String>,
}

/// The fields that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Tool,
    Format,
    File,
    Rule,
    Kind,
    Level,
    Since,
}

const FIELDS: [(&str, Field); 7] = [
    ("tool", Field::Tool),
    ("format", Field::Format),
    ("file", Field::File),
    ("rule", Field::Rule),
    ("kind", Field::Kind),
    ("level", Field::Level),
    ("since", Field::Since),
];

impl Filter {
    /// Reads a filter. A word before a colon that is no field is a word like any other.
    pub fn new(text: &str) -> Filter {
        let mut filter = Filter {
            text: text.trim().to_owned(),
            ..Filter::default()
        };
        for word in text.split_whitespace() {
            let field = word.split_once(':').and_then(|(name, value)| {
                let (_, field) = FIELDS.iter().find(|(known, _)| *known == name)?;
                Some((*field, value.to_lowercase()))
            });
            match field {
                Some((_, value)) if value.is_empty() => {}
                Some(field) => filter.fields.push(field),
                None => {
                    let name = word.split_once(':').map_or("", |(name, _)| name);
                    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                        filter.unknown.get_or_insert_with(|| name.to_owned());
                    }
                    filter.words.push_str(word);
                    filter.words.push(' ');
                }
            }
        }
        filter
    }

    /// What to say about a name before a colon that is no field: it was read as a word like any other.
    pub fn unknown(&self) -> Option<String> {
        let name = self.unknown.as_ref()?;
        let known: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
        Some(format!("no field `{name}`; there are {}", known.join(" ")))
    }

    /// Whether nothing is filtered.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.words.is_empty()
    }

    /// The kinds that are listed: the two about JSON unless others were asked for.
    pub fn kinds(&self) -> Kinds {
        let asked: Vec<&str> = self
            .values(Field::Kind)
            .flat_map(|value| value.split(','))
            .collect();
        match asked.as_slice() {
            [] => Kinds::default(),
            ["all"] => Kinds::ALL,
            names => Kind::ALL
                .into_iter()
                .filter(|kind| names.contains(&kind.id()))
                .collect(),
        }
    }

    /// Whether a call passes; `unix` is the time now.
    pub fn passes(&self, entry: &Entry, unix: i64, matcher: &mut Matching) -> bool {
        self.kinds().has(entry.call.kind)
            && self
                .fields
                .iter()
                .all(|(field, value)| has(entry, *field, value, unix))
            && (self.words.is_empty() || matcher.matches(&self.words, &entry.haystack()))
    }

    fn values(&self, wanted: Field) -> impl Iterator<Item = &str> {
        self.fields
            .iter()
            .filter(move |(field, _)| *field == wanted)
            .map(|(_, value)| value.as_str())
    }
}

fn has(entry: &Entry, field: Field, value: &str, unix: i64) -> bool {
    let call = &entry.call;
    let contains = |text: &str| text.to_lowercase().contains(value);
    match field {
        Field::Tool => call.tool.as_deref().is_some_and(contains),
        Field::Format => contains(call.format),
        Field::File => contains(&call.origin.path.to_string_lossy()),
        Field::Rule => entry.rule.is_some_and(contains),
        Field::Kind => true,
        Field::Level => entry.level_word().starts_with(value),
        Field::Since => match (entry.unix, span(value)) {
            (Some(time), Some(seconds)) => unix - seconds <= time,
            _ => false,
        },
    }
}

/// A span of time: `90s`, `10m`, `2h`, `3d`; a bare number counts minutes.
fn span(value: &str) -> Option<i64> {
    let digits = value.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let number: i64 = digits.parse().ok()?;
    let unit = match &value[digits.len()..] {
        "s" => 1,
        "" | "m" | "min" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return None,
    };
    number.checked_mul(unit)
}

/// Fuzzy matching with its working memory.
#[derive(Debug)]
pub struct Matching {
    matcher: Matcher,
    pattern: Option<(String, Pattern)>,
    scratch: Vec<char>,
}

impl Default for Matching {
    fn default() -> Matching {
        Matching {
            matcher: Matcher::new(Config::DEFAULT),
            pattern: None,
            scratch: Vec::new(),
        }
    }
}

impl Matching {
    /// Whether each word of `words` is in `text`, its letters in order.
    pub fn matches(&mut self, words: &str, text: &str) -> bool {
        self.score(words, text).is_some()
    }

    /// How well `text` matches; `None` if it does not.
    pub fn score(&mut self, words: &str, text: &str) -> Option<u32> {
        if self
            .pattern
            .as_ref()
            .is_none_or(|(known, _)| known != words)
        {
            let pattern = Pattern::parse(words, CaseMatching::Ignore, Normalization::Smart);
            self.pattern = Some((words.to_owned(), pattern));
        }
        let (_, pattern) = self.pattern.as_ref()?;
        pattern.score(Utf32Str::new(text, &mut self.scratch), &mut self.matcher)
    }
}

impl Entry {
    /// The text that fuzzy words are looked for in.
    fn haystack(&self) -> String {
        let call = &self.call;
        [
            call.tool.as_deref().unwrap_or_default(),
            call.format,
            &words::file_name(&call.origin.path),
            self.rule.unwrap_or_default(),
            call.complaint.as_deref().unwrap_or_default(),
        ]
        .join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time() {
        for (value, seconds) in [
            ("90s", Some(90)),
            ("10m", Some(600)),
            ("2h", Some(7_200)),
            ("3d", Some(259_200)),
            ("5", Some(300)),
            ("x", None),
            ("5y", None),
        ] {
            assert_eq!(span(value), seconds, "{value}");
        }
    }

    #[test]
    fn kinds_are_the_two_about_json_unless_asked() {
        for (text, kinds) in [
            ("", "malformed truncated"),
            ("write", "malformed truncated"),
            ("kind:schema", "schema"),
            ("kind:schema,tool-error x", "schema tool-error"),
            (
                "kind:all",
                "malformed truncated schema unknown-tool tool-error",
            ),
            ("kind:", "malformed truncated"),
        ] {
            let set = Filter::new(text).kinds();
            let names: Vec<&str> = Kind::ALL
                .into_iter()
                .filter(|kind| set.has(*kind))
                .map(Kind::id)
                .collect();
            assert_eq!(names.join(" "), kinds, "{text}");
        }
    }
}
