//! One failed tool call, as it is listed, shown and written as a JSON line.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::repair::{self, Level, Rule, ToolContext};

/// How a call failed, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The arguments do not parse, in a way no cut explains.
    Malformed,
    /// The arguments do not parse since they were cut off.
    Truncated,
    /// The arguments parse and were rejected before anything ran.
    Schema,
    /// The arguments parse and there is no such tool.
    UnknownTool,
    /// The tool ran and failed, or was not allowed to run.
    ToolError,
}

impl Kind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Kind; 5] = [
        Kind::Malformed,
        Kind::Truncated,
        Kind::Schema,
        Kind::UnknownTool,
        Kind::ToolError,
    ];

    /// Its name in flags and reports.
    pub const fn id(self) -> &'static str {
        match self {
            Kind::Malformed => "malformed",
            Kind::Truncated => "truncated",
            Kind::Schema => "schema",
            Kind::UnknownTool => "unknown-tool",
            Kind::ToolError => "tool-error",
        }
    }

    /// The kind of that name.
    pub fn find(id: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.id() == id)
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    /// Every kind.
    pub const ALL: Kinds = Kinds(0b1_1111);

    /// Whether `kind` is in the set.
    pub const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }
}

impl Default for Kinds {
    /// The two kinds that are about JSON; reporting every error drowns the reader.
    fn default() -> Kinds {
        Kinds::from_iter([Kind::Malformed, Kind::Truncated])
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Kinds {
        Kinds(kinds.into_iter().fold(0, |set, kind| set | 1 << kind as u8))
    }
}

/// Where the argument text of a call comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawFrom {
    /// A string field or a completion text holds it as the model wrote it.
    Verbatim,
    /// Joined from the pieces of a stream.
    Deltas,
    /// Cut out of an error message.
    ErrorText,
    /// Only the parsed object is kept: its text without white space between tokens.
    ReEncoded,
}

impl RawFrom {
    /// Its name in reports.
    pub const fn id(self) -> &'static str {
        match self {
            RawFrom::Verbatim => "verbatim",
            RawFrom::Deltas => "deltas",
            RawFrom::ErrorText => "error-text",
            RawFrom::ReEncoded => "re-encoded",
        }
    }
}

/// What a reader should know about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Badge {
    /// The log holds only the beginning of the text.
    LogClipped,
    /// The model's own text is gone.
    ReEncoded,
    /// The agent repairs before it stores, or recovered the call later.
    RepairedUpstream,
    /// An empty or partial object stands where unreadable text may have stood.
    MaybeMalformed,
    /// The user or a policy refused the call.
    Denied,
    /// The call stands as text in a message.
    MarkupLeak,
}

impl Badge {
    /// All badges.
    pub const ALL: [Badge; 6] = [
        Badge::LogClipped,
        Badge::ReEncoded,
        Badge::RepairedUpstream,
        Badge::MaybeMalformed,
        Badge::Denied,
        Badge::MarkupLeak,
    ];

    /// Its name in reports.
    pub const fn id(self) -> &'static str {
        match self {
            Badge::LogClipped => "log-clipped",
            Badge::ReEncoded => "re-encoded",
            Badge::RepairedUpstream => "repaired-upstream",
            Badge::MaybeMalformed => "maybe-malformed",
            Badge::Denied => "denied",
            Badge::MarkupLeak => "markup-leak",
        }
    }

    /// What it means, in one sentence without a full stop.
    pub const fn about(self) -> &'static str {
        match self {
            Badge::LogClipped => "the log holds only the beginning of this text",
            Badge::ReEncoded => "the log holds the parsed object, not the model's own text",
            Badge::RepairedUpstream => "the agent repaired this text before it was logged",
            Badge::MaybeMalformed => {
                "the agent replaces what it cannot read, so this may have been unreadable text"
            }
            Badge::Denied => "the user or a policy refused the call",
            Badge::MarkupLeak => "the call stands as text in a message",
        }
    }

    /// Whether a repair of such a text may have lost something, however safe its edits are.
    pub const fn is_lossy(self) -> bool {
        matches!(self, Badge::LogClipped | Badge::RepairedUpstream)
    }
}

/// Where a call stands: the first line that holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The log file; `-` for standard input.
    pub path: PathBuf,
    /// Line number from 1; `None` where the format has no lines.
    pub line: Option<u64>,
    /// Byte at which that line begins.
    pub byte: Option<u64>,
}

/// What became of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The text is JSON as it stands.
    Valid,
    /// Edits make it JSON.
    Repaired,
    /// No reading can be defended.
    Refused,
}

impl Status {
    /// Its name in reports.
    pub const fn id(self) -> &'static str {
        match self {
            Status::Valid => "valid",
            Status::Repaired => "repaired",
            Status::Refused => "refused",
        }
    }
}

/// What `auto` makes of the argument text when every level is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Valid, repaired or refused.
    pub status: Status,
    /// The worst level among the edits; at least lossy for a clipped or upstream-repaired text.
    pub worst: Option<Level>,
    /// The rung that was taken.
    pub strategy: &'static str,
    /// The rule of the most doubtful edit, the first of such, or the one that would pass where it was refused.
    pub rule: Option<Rule>,
    /// The repaired arguments; `None` when refused, and for long texts, which are repaired again by whoever wants them.
    pub output: Option<String>,
}

/// The next successful call of the same tool in the same session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Its id.
    pub call_id: Option<String>,
    /// Its line.
    pub line: Option<u64>,
    /// Whether its arguments are the same JSON value as the repaired ones.
    pub equal: bool,
    /// Its arguments.
    pub raw: String,
}

/// One tool call that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// Counts up from 1 within a run; names the call in later events. Not written.
    pub number: u64,
    /// Name of the log format.
    pub format: &'static str,
    /// Where it stands.
    pub origin: Origin,
    /// The session, where the format stores one.
    pub session: Option<String>,
    /// The id of the call, where the log has one.
    pub call_id: Option<String>,
    /// The tool that was called.
    pub tool: Option<String>,
    /// When, as the log spells it; numbers are written as RFC 3339.
    pub time: Option<String>,
    /// How it failed.
    pub kind: Kind,
    /// The argument text; `None` if the log lost it.
    pub raw: Option<String>,
    /// Where the text comes from.
    pub raw_from: Option<RawFrom>,
    /// Whether the log kept all of it.
    pub raw_complete: bool,
    /// Why the model stopped, as the log spells it.
    pub stop_reason: Option<String>,
    /// The model, where the format stores it.
    pub model: Option<String>,
    /// What the agent or API said, at most 2 KiB.
    pub complaint: Option<String>,
    /// What a reader should know.
    pub badges: Vec<Badge>,
    /// What `auto` makes of `raw`; `None` when `raw` is.
    pub repair: Option<Outcome>,
    /// The agent's own second try, once it is known.
    pub retry: Option<Retry>,
}

impl FailedCall {
    /// Whether the row has this badge.
    pub fn has(&self, badge: Badge) -> bool {
        self.badges.contains(&badge)
    }
}

/// The repair of a longer text is not kept, nor compared with a retry.
const MAX_OUTPUT: usize = 4 << 20;

/// What `auto` makes of an argument text at the level guess.
pub fn judge(raw: &str, tool: Option<&str>, badges: &[Badge]) -> Outcome {
    let context = tool.map(ToolContext::named).unwrap_or_default();
    let (rung, repair) = repair::auto(raw, Level::Guess, &context);
    let status = match (repair.is_valid(), repair.edits.is_empty()) {
        (true, true) => Status::Valid,
        (true, false) => Status::Repaired,
        (false, _) => Status::Refused,
    };
    let floor = badges
        .iter()
        .any(|badge| badge.is_lossy())
        .then_some(Level::Lossy);
    let rule = match &repair.verdict {
        repair::Verdict::Valid => {
            let doubt =
                |edit: &repair::Edit<'_>| (edit.rule.level(), std::cmp::Reverse(edit.span.start));
            repair.edits.iter().max_by_key(doubt).map(|edit| edit.rule)
        }
        repair::Verdict::Refused(refusal) => refusal.rule(),
    };
    Outcome {
        status,
        worst: repair.worst().max(floor),
        strategy: rung.id,
        rule,
        output: (repair.is_valid() && raw.len() < MAX_OUTPUT)
            .then(|| repair.edits.apply(raw, |_| true)),
    }
}

impl FailedCall {
    /// The repaired arguments; `None` when refused or lost.
    pub fn repaired(&self) -> Option<Cow<'_, str>> {
        let (raw, outcome) = (self.raw.as_deref()?, self.repair.as_ref()?);
        if let Some(output) = &outcome.output {
            return Some(Cow::Borrowed(output));
        }
        if outcome.status == Status::Refused {
            return None;
        }
        let context = self.tool.as_deref().map(ToolContext::named);
        let (_, repair) = repair::auto(raw, Level::Guess, &context.unwrap_or_default());
        Some(Cow::Owned(repair.edits.apply(raw, |_| true)))
    }
}

impl Serialize for FailedCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("FailedCall", 20)?;
        row.serialize_field("version", &1)?;
        row.serialize_field("format", self.format)?;
        row.serialize_field("path", &self.origin.path.to_string_lossy())?;
        match path_bytes(&self.origin) {
            Some(bytes) => row.serialize_field("path_bytes", &bytes)?,
            None => row.skip_field("path_bytes")?,
        }
        row.serialize_field("line", &self.origin.line)?;
        row.serialize_field("offset", &self.origin.byte)?;
        row.serialize_field("session", &self.session)?;
        row.serialize_field("call_id", &self.call_id)?;
        row.serialize_field("tool", &self.tool)?;
        row.serialize_field("time", &self.time)?;
        row.serialize_field("kind", self.kind.id())?;
        row.serialize_field("raw", &self.raw)?;
        row.serialize_field("raw_from", &self.raw_from.map(RawFrom::id))?;
        row.serialize_field("raw_complete", &self.raw_complete)?;
        row.serialize_field("stop_reason", &self.stop_reason)?;
        row.serialize_field("model", &self.model)?;
        row.serialize_field("complaint", &self.complaint)?;
        let badges: Vec<&str> = self.badges.iter().map(|badge| badge.id()).collect();
        row.serialize_field("badges", &badges)?;
        row.serialize_field("repair", &self.repair)?;
        row.serialize_field("retry", &self.retry)?;
        row.end()
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("Outcome", 3)?;
        row.serialize_field("status", self.status.id())?;
        row.serialize_field("worst", &self.worst.map(|level| level.name()))?;
        row.serialize_field("strategy", self.strategy)?;
        row.end()
    }
}

impl Serialize for Retry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("Retry", 3)?;
        row.serialize_field("call_id", &self.call_id)?;
        row.serialize_field("line", &self.line)?;
        row.serialize_field("equal", &self.equal)?;
        row.end()
    }
}

/// The bytes of a path that is no UTF-8, in base64.
fn path_bytes(origin: &Origin) -> Option<String> {
    if origin.path.to_str().is_some() {
        return None;
    }
    Some(base64(origin.path.as_os_str().as_encoded_bytes()))
}

/// Base64 with padding (RFC 4648 section 4); here since the core is built without the crate.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk
            .iter()
            .chain([0, 0].iter())
            .take(3)
            .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        for place in 0..4 {
            if place <= chunk.len() {
                out.push(DIGITS[(bits >> (18 - 6 * place) & 63) as usize] as char);
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> FailedCall {
        FailedCall {
            number: 1,
            format: "codex",
            origin: Origin {
                path: "a\u{202e}.jsonl".into(),
                line: Some(12),
                byte: Some(3456),
            },
            session: None,
            call_id: Some("call_1".into()),
            tool: Some("shell".into()),
            time: None,
            kind: Kind::Truncated,
            raw: Some("{\"a\":\"\u{1b}\u{9b}".into()),
            raw_from: Some(RawFrom::Verbatim),
            raw_complete: false,
            stop_reason: None,
            model: None,
            complaint: None,
            badges: vec![Badge::LogClipped],
            repair: None,
            retry: Some(Retry {
                call_id: None,
                line: Some(31),
                equal: true,
                raw: "{}".into(),
            }),
        }
    }

    fn json(call: &FailedCall) -> String {
        let mut out = Vec::new();
        crate::visible::write_json(&mut out, call).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_row_has_all_fields_in_order_and_only_printable_text() {
        assert_eq!(
            json(&call()),
            concat!(
                r#"{"version":1,"format":"codex","path":"a\u202e.jsonl","line":12,"offset":3456,"session":null,"#,
                r#""call_id":"call_1","tool":"shell","time":null,"kind":"truncated","raw":"{\"a\":\"\u001b\u009b","#,
                r#""raw_from":"verbatim","raw_complete":false,"stop_reason":null,"model":null,"complaint":null,"#,
                r#""badges":["log-clipped"],"repair":null,"retry":{"call_id":null,"line":31,"equal":true}}"#
            )
        );
    }

    #[test]
    fn a_clipped_text_is_never_safe() {
        for (badges, worst) in [
            (&[][..], None),
            (&[Badge::ReEncoded], None),
            (&[Badge::LogClipped], Some(Level::Lossy)),
            (&[Badge::RepairedUpstream], Some(Level::Lossy)),
        ] {
            assert_eq!(judge("{}", None, badges).worst, worst);
        }
    }

    #[test]
    fn base64_pads() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_no_utf8_keeps_its_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let mut row = call();
        row.origin.path = std::ffi::OsStr::from_bytes(b"a\xff").into();
        assert!(json(&row).contains(r#""path":"a�","path_bytes":"Yf8=","line""#));
    }
}
