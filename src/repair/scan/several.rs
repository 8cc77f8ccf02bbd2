//! Several values in one text: which one is kept, if that can be said.

use super::candidates::Candidate;
use super::outside::Side;
use super::*;

impl Scanner<'_> {
    pub(super) fn several(&mut self, found: &[Candidate]) -> Scan<()> {
        let second = found[1];
        let choice = self.choose(found);
        let refused = |why| {
            let mut refusal = self.refuse(
                second.start,
                self.token_end(second.start),
                Expected::End,
                why,
            );
            refusal.candidates = found.iter().map(|candidate| candidate.span()).collect();
            refusal
        };
        let rule = match &choice {
            None => return Err(refused(Why::SeveralValues)),
            Some(Several::Keep(_, rule)) => *rule,
            Some(Several::Lines) => Rule::JsonLines,
        };
        if !self.rules.has(rule) {
            let why = if rule.level() == Level::Guess && !self.rules.is_empty()
                || rule != Rule::JsonLines
            {
                Why::RuleOff(rule)
            } else {
                Why::SeveralValues
            };
            return Err(refused(why));
        }
        match choice {
            Some(Several::Keep(kept, rule)) => self.keep(found, kept, rule),
            _ => self.lines(found),
        }
    }

    /// What several values come to, by the order of the policy; `None`: the user has to say.
    pub(super) fn choose(&mut self, found: &[Candidate]) -> Option<Several> {
        let last = found[found.len() - 1];
        let is_empty = |candidate: &Candidate| {
            let text = self.bytes[candidate.start..candidate.end].iter();
            text.filter(|byte| !matches!(byte, b' ' | b'\n')).eq(b"{}")
        };
        let chunks = found[..found.len() - 1].iter().all(is_empty)
            && self.bytes[last.start] == b'{'
            // With a line break between they are as likely two lines.
            && found
                .windows(2)
                .all(|pair| pair[0].end == pair[1].start);
        if chunks && !is_empty(&last) {
            return Some(Several::Keep(last, Rule::EmptyFirstChunk));
        }
        // What is written alike reads alike.
        let text = |candidate: &Candidate| &self.text[candidate.start..candidate.end];
        if found
            .windows(2)
            .all(|pair| text(&pair[0]) == text(&pair[1]))
        {
            return Some(Several::Keep(found[0], Rule::RepeatedValue));
        }
        let tool = self
            .tool
            .filter(|tool| tool.wants_object() || tool.schema.is_some());
        let mut texts: Vec<String> = Vec::new();
        for candidate in found {
            let text = self.compact(*candidate)?;
            // Without a tool nothing more is asked of values that differ.
            if tool.is_none() && texts.first().is_some_and(|first| *first != text) {
                return self.is_json_lines(found).then_some(Several::Lines);
            }
            texts.push(text);
        }
        if texts.windows(2).all(|pair| pair[0] == pair[1]) {
            return Some(Several::Keep(found[0], Rule::RepeatedValue));
        }
        if let Some(tool) = tool {
            let fits = |text: &String| match &tool.schema {
                Some(schema) => schema.fits(text),
                None => text.starts_with('{'),
            };
            let fitting: Vec<usize> = (0..found.len())
                .filter(|index| fits(&texts[*index]))
                .collect();
            return match fitting[..] {
                [only] => Some(Several::Keep(found[only], Rule::SchemaCandidate)),
                _ => None,
            };
        }
        self.is_json_lines(found).then_some(Several::Lines)
    }

    /// The value of a candidate after its own repair, without white space; `None` where it is not to be had.
    pub(super) fn compact(&mut self, found: Candidate) -> Option<String> {
        let mut part = Scanner::new(self.text, self.rules);
        part.fuel = self.fuel;
        part.take_value(found).ok()?;
        self.fuel = part.fuel.saturating_sub(found.end - found.start);
        let edits = &part.edits;
        let mut text = String::new();
        let mut quoted = false;
        let mut escaped = false;
        for piece in edits.pieces(self.text, |_| true) {
            let (from, stretch) = match piece {
                Piece::Kept(span, stretch) => (span.start as usize, stretch),
                Piece::New(edit) => {
                    push_token_text(&mut text, edit.after, &mut quoted, &mut escaped);
                    continue;
                }
            };
            let start = found.start.max(from) - from;
            let end = found.end.min(from + stretch.len()).max(from) - from;
            if start < end {
                push_token_text(&mut text, &stretch[start..end], &mut quoted, &mut escaped);
            }
        }
        Some(text)
    }

    /// One value a line and nothing else.
    pub(super) fn is_json_lines(&self, found: &[Candidate]) -> bool {
        let separator = |text: &str| {
            let rest = text.replace('\u{1e}', "");
            let rest = rest.trim().trim_start_matches(',').trim();
            text.contains('\n')
                && (rest.is_empty()
                    || rest.starts_with("//")
                    || rest.starts_with("/*") && rest.ends_with("*/"))
        };
        let head = self.text[..found[0].start]
            .trim_matches(|c: char| c.is_whitespace() || c == '\u{1e}' || c == '\u{feff}');
        let tail = self.text[found[found.len() - 1].end..]
            .trim_matches(|c: char| c.is_whitespace() || c == '\u{1e}');
        found
            .windows(2)
            .all(|pair| separator(&self.text[pair[0].end..pair[1].start]))
            && (head.is_empty() || head.starts_with("/*") && head.ends_with("*/"))
            && tail.is_empty()
    }

    /// Keeps one of several values; what stands between and the others go with the rule that chose.
    pub(super) fn keep(&mut self, found: &[Candidate], kept: Candidate, rule: Rule) -> Scan<()> {
        self.start_over();
        let index = found
            .iter()
            .position(|candidate| candidate.start == kept.start)
            .unwrap_or(0);
        let fix = self.edits.next_fix();
        if index > 0 {
            self.outside(0, found[0].start, Side::Before, None)?;
            self.edit_as(fix, rule, found[0].start, kept.start, "");
        } else {
            let around = self.code_around(kept)?;
            self.outside(0, kept.start, Side::Before, around)?;
        }
        self.take_value(kept)?;
        let mut end = self.at;
        if index + 1 < found.len() {
            let last = found[found.len() - 1].end;
            self.edit_as(fix, rule, end, last, "");
            end = last;
        }
        if end < self.text.len() {
            self.limit = self.text.len();
            self.outside(end, self.limit, Side::After, None)?;
        }
        Ok(())
    }

    /// An array of one value a line.
    pub(super) fn lines(&mut self, found: &[Candidate]) -> Scan<()> {
        self.start_over();
        let fix = self.edits.next_fix();
        let mut end = 0;
        for (index, candidate) in found.iter().enumerate() {
            let between = &self.text[end..candidate.start];
            if between.trim_matches([' ', '\n', '\r', '\t']).is_empty() {
                self.edit_as(
                    fix,
                    Rule::JsonLines,
                    end,
                    end,
                    if index == 0 { "[" } else { "," },
                );
            } else {
                self.edit_as(
                    fix,
                    Rule::JsonLines,
                    end,
                    candidate.start,
                    if index == 0 { "[" } else { ",\n" },
                );
            }
            self.take_value(*candidate)?;
            end = self.at;
        }
        let tail = self.text[end..]
            .trim_end_matches([' ', '\n', '\r', '\t'])
            .len();
        self.edit_as(fix, Rule::JsonLines, end, end + tail, "]");
        self.at = self.limit;
        Ok(())
    }
}

/// What several values come to.
pub(super) enum Several {
    Keep(Candidate, Rule),
    Lines,
}

/// Adds what counts of a stretch of JSON: everything but white space outside strings.
pub(super) fn push_token_text(out: &mut String, text: &str, quoted: &mut bool, escaped: &mut bool) {
    for character in text.chars() {
        if *quoted {
            out.push(character);
            if *escaped {
                *escaped = false;
            } else if character == '\\' {
                *escaped = true;
            } else if character == '"' {
                *quoted = false;
            }
        } else if !matches!(character, ' ' | '\n' | '\r' | '\t') {
            *quoted = character == '"';
            out.push(character);
        }
    }
}
