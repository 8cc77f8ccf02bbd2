//! Plain text for a known tool: the text becomes the value of the tool's field.

use super::*;

/// What kind of text a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Path,
    Search,
    Command,
    Other,
}

/// The subcommands of ChatCLI's coder tool (its documentation, "coder" tool).
const COMMANDS: [&str; 12] = [
    "read",
    "write",
    "patch",
    "tree",
    "search",
    "exec",
    "test",
    "rollback",
    "clean",
    "git-status",
    "git-diff",
    "git-log",
];
const MORE_COMMANDS: [&str; 2] = ["git-changed", "git-branch"];

impl Scanner<'_> {
    /// Reads the text as the tool's main argument.
    pub(super) fn wrap(&mut self) -> Scan<()> {
        let Some(tool) = self.tool else {
            return Err(self.refuse(0, 0, Expected::PlainText, Why::UnknownTool));
        };
        let Some(name) = tool.plain_field() else {
            return Err(self.refuse(0, 0, Expected::PlainText, Why::UnknownTool));
        };
        let field = Field::of(name);
        let (start, end) = self.strip_outside()?;
        if start == end {
            return self.empty_arguments(tool);
        }
        let text = &self.text[start..end];
        let is_coder = tool
            .name
            .as_deref()
            .is_some_and(|name| matches!(name.to_lowercase().as_str(), "@coder" | "coder"));
        if is_coder && let Some(done) = self.command_line(start, end) {
            return done;
        }
        if let Some(done) = self.declared_flags(tool, start, end) {
            return done;
        }
        let prefix = match field {
            Field::Path | Field::Other => field_prefix(text, name),
            Field::Command | Field::Search => 0,
        };
        let (inner_start, inner_end, json_string) = strip_quotes(&text[prefix..]);
        let text_start = start + prefix;
        let (inner_start, inner_end) = (text_start + inner_start, text_start + inner_end);
        if let Some(why) = self.not_plain(field, inner_start, inner_end, text_start) {
            return Err(self.refuse(start, self.token_end(start), Expected::PlainText, why));
        }
        self.need(
            Rule::PlainString,
            inner_start,
            self.token_end(inner_start),
            Expected::Object,
        )?;
        let opener = format!("{{{}:\"", quoted(name));
        let from = self
            .edits
            .get(self.edits.len().wrapping_sub(1))
            .map_or(0, |edit| edit.span.end as usize);
        let fix = self.edit(
            Rule::PlainString,
            from.min(inner_start),
            inner_start,
            &opener,
        );
        if json_string {
            self.at = inner_end;
        } else {
            self.escape_text(fix, Rule::PlainString, inner_start, inner_end);
        }
        let behind = if self.wrapped_in_fence {
            end
        } else {
            self.text.len()
        };
        self.edit_as(fix, Rule::PlainString, inner_end, behind, "\"}");
        self.close_fence(end);
        Ok(())
    }

    /// White space, a byte order mark and one code fence around all. Gives the text inside.
    fn strip_outside(&mut self) -> Scan<(usize, usize)> {
        let mut start = 0;
        if self.text.starts_with('\u{feff}') {
            self.need(Rule::ByteOrderMark, 0, 3, Expected::PlainText)?;
            self.edit(Rule::ByteOrderMark, 0, 3, "");
            start = 3;
        }
        let white = |c: char| c.is_whitespace();
        let text = self.text[start..].trim_end_matches(white);
        let end = start + text.len();
        start = end - text.trim_start_matches(white).len();
        if self.is_fence(start) {
            let fence = self.fence(start);
            let close = self.closing_fence(fence.content, fence.len, self.bytes[start]);
            if let Some(close) =
                close.filter(|close| fence.opens_line && self.line_end(*close) >= end)
            {
                self.need(Rule::CodeFence, start, fence.content, Expected::PlainText)?;
                let inner = &self.text[fence.content..close];
                let inner_start =
                    fence.content + (inner.len() - inner.trim_start_matches(white).len());
                let inner_end =
                    (fence.content + inner.trim_end_matches(white).len()).max(inner_start);
                let fix = self.edit(Rule::CodeFence, start, inner_start, "");
                self.fence_fix = Some(fix);
                self.wrapped_in_fence = true;
                return Ok((inner_start, inner_end));
            }
        }
        Ok((start, end))
    }

    fn close_fence(&mut self, end: usize) {
        if let Some(fix) = self.fence_fix.filter(|_| self.wrapped_in_fence) {
            self.edit_as(fix, Rule::CodeFence, end, self.text.len(), "");
        }
    }

    fn empty_arguments(&mut self, tool: &ToolContext) -> Scan<()> {
        if !tool
            .schema
            .as_ref()
            .is_some_and(|schema| schema.requires_nothing())
        {
            return Err(self.refuse(0, 0, Expected::PlainText, Why::NoJson));
        }
        self.need(Rule::EmptyArguments, 0, 0, Expected::PlainText)?;
        let from = self
            .edits
            .get(self.edits.len().wrapping_sub(1))
            .map_or(0, |edit| edit.span.end as usize);
        self.edit(Rule::EmptyArguments, from, self.text.len(), "{}");
        Ok(())
    }

    /// Why a text is not the tool's main argument, if it is not.
    fn not_plain(&mut self, field: Field, start: usize, end: usize, outer: usize) -> Option<Why> {
        let text = &self.text[start..end];
        if text.is_empty() {
            return Some(Why::NoJson);
        }
        if self.holds_json(outer, end) {
            return Some(Why::LooksLikeJson);
        }
        let opener = text.starts_with(['{', '[']);
        if opener
            && (matches!(field, Field::Path | Field::Other)
                || self.brackets_read_as_json(start, end))
        {
            return Some(Why::LooksLikeJson);
        }
        if matches!(field, Field::Path | Field::Other) && reads_as_code(text)
            || text.contains("\":") && !matches!(field, Field::Command | Field::Search)
        {
            return Some(Why::LooksLikeJson);
        }
        let flags =
            text.starts_with('-') || text.split_whitespace().any(|word| word.starts_with("--"));
        if flags && matches!(field, Field::Path | Field::Search) {
            return Some(Why::HasFlags);
        }
        let sentence = text.split_whitespace().count() >= 3 && text.ends_with(['.', '!', '?', ':']);
        if field == Field::Path && (text.contains('\n') || sentence) {
            return Some(Why::LooksLikeProse);
        }
        if matches!(field, Field::Path) && text.starts_with('<') && text.ends_with('>') {
            return Some(Why::LooksLikeProse);
        }
        None
    }

    /// Whether the text holds a JSON object or array, or begins with a quoted name and a colon.
    fn holds_json(&mut self, start: usize, end: usize) -> bool {
        let head = self.peek(start);
        if self.quote_at(head).is_some() && self.name_ahead(head) {
            return true;
        }
        let text = &self.text[start..end];
        if !text.contains(['{', '[']) {
            return false;
        }
        let mut structure = Scanner::new(text, RuleSet::up_to(Level::Safe));
        structure.fuel = structure.fuel.min(self.fuel);
        structure.tool = self.tool;
        structure.document(&Plain::default()).is_ok()
    }

    /// Whether a quoted string or `name:` stands directly behind an opening bracket, comma or colon.
    fn brackets_read_as_json(&mut self, start: usize, end: usize) -> bool {
        let mut at = start;
        while at < end {
            if matches!(self.bytes[at], b'{' | b'[' | b',' | b':') {
                let next = self.peek(at + 1);
                let quoted = matches!(self.byte(next), Some(b'"' | b'\''));
                if next < end && (quoted || (self.bytes[at] != b':' && self.name_ahead(next))) {
                    return true;
                }
            }
            at += 1;
        }
        false
    }

    /// `read --file main.go`: a known command and its flags. `None` where the text is none.
    fn command_line(&mut self, start: usize, end: usize) -> Option<Scan<()>> {
        let text = &self.text[start..end];
        let command = text.split_whitespace().next()?;
        let known = COMMANDS.contains(&command) || MORE_COMMANDS.contains(&command);
        let flags = words(&text[command.len()..]);
        let has_flags = command.starts_with('-') || flags.iter().any(|word| word.flag().is_some());
        if !known {
            return has_flags
                .then(|| Err(self.refuse(start, end, Expected::PlainText, Why::HasFlags)));
        }
        if flags.is_empty() {
            return None;
        }
        let Some(arguments) = arguments(&flags) else {
            return Some(Err(self.refuse(
                start,
                end,
                Expected::PlainText,
                Why::HasFlags,
            )));
        };
        let object = format!("{{\"cmd\":{},\"args\":{arguments}}}", quoted(command));
        Some(self.take_command_line(start, end, command.len(), &object))
    }

    /// `edit --path a.go --all` for the tool `edit`, or without its name, where the schema declares every flag.
    fn declared_flags(&mut self, tool: &ToolContext, start: usize, end: usize) -> Option<Scan<()>> {
        let schema = tool.schema.as_ref()?;
        let text = &self.text[start..end];
        let command = text.split_whitespace().next()?;
        let flags = match tool.name.as_deref() == Some(command) {
            true => &text[command.len()..],
            false => text,
        };
        let flags = words(flags);
        flags.first()?.flag()?;
        let declared = flags.iter().all(|word| {
            word.flag().is_none_or(|flag| {
                let name = flag.split('=').next().unwrap_or(flag);
                schema.declares(name)
            })
        });
        let object = arguments(&flags).filter(|_| declared)?;
        Some(self.take_command_line(start, end, command.len(), &object))
    }

    /// Puts `object` in the place of the command line from `start` to `end`.
    fn take_command_line(
        &mut self,
        start: usize,
        end: usize,
        first: usize,
        object: &str,
    ) -> Scan<()> {
        self.need(Rule::CommandLine, start, start + first, Expected::Object)?;
        let from = self
            .edits
            .get(self.edits.len().wrapping_sub(1))
            .map_or(0, |edit| edit.span.end as usize);
        let behind = if self.wrapped_in_fence {
            end
        } else {
            self.text.len()
        };
        self.edit(Rule::CommandLine, from.min(start), behind, object);
        self.close_fence(end);
        Ok(())
    }
}

impl Field {
    fn of(name: &str) -> Field {
        match name {
            "file" | "dir" | "file_path" | "path" | "filename" | "directory" => Field::Path,
            "term" | "pattern" | "query" => Field::Search,
            "cmd" | "command" => Field::Command,
            _ => Field::Other,
        }
    }
}

/// A word of a command line.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    /// It stood in quotes, so that nothing in it means more than itself.
    quoted: bool,
}

impl<'t> Word<'t> {
    /// What stands behind the two dashes.
    fn flag(self) -> Option<&'t str> {
        let flag = self.text.strip_prefix("--").filter(|_| !self.quoted)?;
        (!flag.is_empty()).then_some(flag)
    }
}

/// The words of a command line. In quotes a word may hold spaces, but no backslash: shells differ in what that means.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        // `--flag="a b"`
        let value = rest[..end].find('=').filter(|_| rest.starts_with("--"));
        let open = value.map_or(0, |sign| sign + 1);
        let inner = rest[open..].strip_prefix(['"', '\'']).and_then(|inner| {
            let close = inner.find(&rest[open..open + 1])?;
            let ends = inner[close + 1..]
                .chars()
                .next()
                .is_none_or(char::is_whitespace);
            Some(&inner[..close]).filter(|inner| ends && !inner.contains('\\'))
        });
        let Some(inner) = inner else {
            let (text, quoted) = (&rest[..end], false);
            words.push(Word { text, quoted });
            rest = rest[end..].trim_start();
            continue;
        };
        if let Some(sign) = value {
            let (text, quoted) = (&rest[..sign], false);
            words.push(Word { text, quoted });
        }
        words.push(Word {
            text: inner,
            quoted: true,
        });
        rest = rest[open + inner.len() + 2..].trim_start();
    }
    words
}

/// `--flag value` pairs as an object; `None` where a word has no flag or a value reads as anything but one word.
fn arguments(words: &[Word<'_>]) -> Option<String> {
    let mut values: Vec<(&str, Vec<String>)> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let flag = words[at].flag()?;
        let (name, given) = match flag.split_once('=') {
            Some((name, text)) => (
                name,
                Some(Word {
                    text,
                    quoted: false,
                }),
            ),
            None => (flag, None),
        };
        let next = words
            .get(at + 1)
            .filter(|word| word.quoted || !word.text.starts_with("--"))
            .copied();
        let value = given.or(next);
        at += if given.is_none() && next.is_some() {
            2
        } else {
            1
        };
        let text = match value {
            None => "true".to_owned(),
            Some(Word {
                text,
                quoted: false,
            }) if text.contains(['{', '}', '[', ']', '"', '\'', '`', '\\']) => {
                return None;
            }
            Some(value) => quoted(value.text),
        };
        match values.iter_mut().find(|(known, _)| *known == name) {
            Some((_, list)) => list.push(text),
            None => values.push((name, vec![text])),
        }
    }
    let members = values.into_iter().map(|(name, list)| match &list[..] {
        [one] => format!("{}:{one}", quoted(name)),
        many => format!("{}:[{}]", quoted(name), many.join(",")),
    });
    Some(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
}

/// Length of `file=` or `file: ` before the value of that very field, if no further field follows.
fn field_prefix(text: &str, name: &str) -> usize {
    let Some(rest) = text.strip_prefix(name) else {
        return 0;
    };
    let value = match rest.strip_prefix('=').or_else(|| rest.strip_prefix(": ")) {
        Some(value) => value.trim_start(),
        None => return 0,
    };
    let more = value
        .split_whitespace()
        .skip(1)
        .any(|word| word.contains('=') || word.ends_with(':'));
    if value.is_empty() || more {
        return 0;
    }
    text.len() - value.len()
}

/// `name(` and a closing parenthesis at the end: a call, and not a text for a field.
fn reads_as_code(text: &str) -> bool {
    let name = text.find('(').map_or("", |open| &text[..open]);
    let identifier = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    identifier && text.ends_with(')')
}

/// A pair of quotes around the whole text is taken off. Gives the content and whether it already is a JSON string's.
fn strip_quotes(text: &str) -> (usize, usize, bool) {
    const PAIRS: [(char, char); 8] = [
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('“', '”'),
        ('‘', '’'),
        ('„', '“'),
        ('«', '»'),
        ('＂', '＂'),
    ];
    for (open, close) in PAIRS {
        let Some(rest) = text.strip_prefix(open) else {
            continue;
        };
        match rest.strip_suffix(close) {
            Some(inner)
                if !inner.contains(close) || (open == '"' && check(text) == Verdict::Valid) =>
            {
                return (
                    open.len_utf8(),
                    open.len_utf8() + inner.len(),
                    open == '"' && check(text) == Verdict::Valid,
                );
            }
            None if open == '"' && !rest.contains('"') => return (1, text.len(), false),
            _ => {}
        }
    }
    (0, text.len(), false)
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if (control as u32) < 0x20 => {
                out.push_str(&format!("\\u{:04x}", control as u32))
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
