//! Brackets in sentences and program code that read as JSON and are no answer: citations, subscripts, arguments.

use super::ahead::name_len;
use super::*;

impl Scanner<'_> {
    /// `The docs say so [1].`, `It returns {} then`, `data["key"]`: a bracket of the sentence or code around it. `end` is
    /// behind the bracket that begins at `start`.
    pub(super) fn refuse_incidental(&self, start: usize, end: usize) -> Scan<()> {
        if !self.says_little(start, end) {
            return Ok(());
        }
        let line = self.text[..start].rfind('\n').map_or(0, |lf| lf + 1);
        let before = self.text[line..start].trim();
        if before.starts_with(['`', '~']) && self.is_fence(line) {
            return Ok(());
        }
        let introduced = before.is_empty()
            || before == "return"
            || self.is_call_head(before)
            || before.ends_with(['.', '!', '?']) && !self.is_citation(start, end)
            || before.ends_with([':', '：', '=', '>', '(', ']', ';', '|'])
                && !before.ends_with("=>");
        let behind = &self.text[end..self.line_end(end).max(end)];
        let goes_on = behind
            .trim_start_matches([' ', '\t', ')', ']', '}', '`', '"', '\''])
            .starts_with(|c: char| c.is_alphanumeric());
        if introduced && !goes_on {
            return Ok(());
        }
        let head = self.peek(0);
        Err(self.refuse(head, self.token_end(head), Expected::Value, Why::NoJson))
    }

    /// `functions.list {}`, `[TOOL_CALLS]list{}`, the tool's own name: what models write before the arguments of a call.
    fn is_call_head(&self, before: &str) -> bool {
        let marked = ["functions.", "to=", "[TOOL_CALLS]", "<tool_call>", "<|"]
            .iter()
            .any(|mark| before.starts_with(mark));
        let tool = self.tool.and_then(|tool| tool.name.as_deref());
        marked && !before.contains(". ") || tool.is_some_and(|tool| before.ends_with(tool))
    }

    /// `[1]`
    fn is_citation(&self, start: usize, end: usize) -> bool {
        let inside = self.text.get(start + 1..end - 1).unwrap_or_default();
        self.bytes[start] == b'['
            && !inside.is_empty()
            && inside.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Nothing, one number or literal, or, as a subscript, any scalar inside a bracket.
    fn says_little(&self, start: usize, end: usize) -> bool {
        let inside = self.text.get(start + 1..end - 1).unwrap_or_default().trim();
        if inside.is_empty() {
            return true;
        }
        if self.bytes[start] != b'[' {
            return false;
        }
        let before = self.text[..start].chars().next_back();
        let subscript = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ')'));
        let quoted = inside.starts_with(['"', '\'']) && !inside.contains(',');
        let word = inside
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'));
        word || subscript && quoted
    }

    /// `echo {"a": 1}` for a tool that runs commands: the value from `start` to `end` is a word of the command.
    pub(super) fn refuse_in_command(&self, start: usize, end: usize) -> Scan<()> {
        let field = self.tool.and_then(|tool| tool.plain_field());
        let Some(field) = field.filter(|field| matches!(*field, "cmd" | "command")) else {
            return Ok(());
        };
        if self.text[start..end].contains(field) {
            return Ok(());
        }
        let line = self.text[..start].rfind('\n').map_or(0, |lf| lf + 1);
        let before = self.text[line..start].trim();
        let document = self.text[..start].contains("<<");
        let name = self.tool.and_then(|tool| tool.name.as_deref());
        let command = before.split_whitespace().next().is_some_and(|word| {
            !before.ends_with([':', '>', '=', '`'])
                && Some(word) != name
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-' | b'/'))
        });
        if command || document {
            let head = self.peek(0);
            return Err(self.refuse(head, self.token_end(head), Expected::Value, Why::NoJson));
        }
        Ok(())
    }

    /// `f(x, {"a": 1})`, `f(a=[1])`, `a=1 b=[2]`: the value at `start` is one of several arguments, or a named one's.
    pub(super) fn refuse_argument(&self, start: usize) -> Scan<()> {
        let line = self.text[..start].rfind('\n').map_or(0, |lf| lf + 1);
        let mut words = self.text[line..start].split_whitespace().rev();
        let is_pair = |word: &str| {
            word.split_once('=')
                .is_some_and(|(name, value)| name_len(name) == name.len() && !value.is_empty())
        };
        if words.next().is_some_and(|last| last.ends_with('=')) && words.any(is_pair) {
            let head = self.peek(0);
            return Err(self.refuse(head, self.token_end(head), Expected::Value, Why::Syntax));
        }
        let mut open = Vec::new();
        for (at, byte) in self.bytes[..start].iter().enumerate() {
            match byte {
                b'(' => open.push(at),
                b')' => {
                    open.pop();
                }
                _ => {}
            }
        }
        let Some(open) = open.last().copied() else {
            return Ok(());
        };
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let name = self.text[..open].trim_end_matches(part).len();
        let named = self.text[name..open]
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let arguments = self.text[open + 1..start]
            .trim_end()
            .trim_end_matches(['"', '\''])
            .trim_end();
        if named && arguments.ends_with([',', '=']) {
            return Err(self.refuse(name, open, Expected::Value, Why::Code));
        }
        Ok(())
    }
}
