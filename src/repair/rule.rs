//! The rules: every deviation from RFC 8259 that can be mended, one row each.

/// How sure a correction is. Ordered: a higher level is less sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The text has exactly one reasonable reading and nothing it says is lost.
    Safe,
    /// The result is valid, but something is lost or may be missing.
    Lossy,
    /// Several readings exist and one was picked.
    Guess,
}

impl Level {
    /// All levels, the surest first.
    pub const ALL: [Level; 3] = [Level::Safe, Level::Lossy, Level::Guess];

    /// The word used in reports and flags.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Safe => "safe",
            Level::Lossy => "lossy",
            Level::Guess => "guess",
        }
    }

    /// What it says about an edit.
    pub const fn meaning(self) -> &'static str {
        match self {
            Level::Safe => "one reasonable reading, nothing lost",
            Level::Lossy => "valid, but something is lost or may be missing",
            Level::Guess => "several readings exist and one is picked",
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Level {
    type Err = String;

    fn from_str(name: &str) -> Result<Level, String> {
        let found = Level::ALL.into_iter().find(|level| level.name() == name);
        found.ok_or_else(|| format!("no level `{name}`: safe, lossy or guess"))
    }
}

/// What a rule's example needs to be known beside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The text alone.
    Nothing,
    /// The name of the tool the arguments belong to.
    Tool(&'static str),
    /// A JSON Schema of the arguments.
    Schema(&'static str),
}

/// What there is to say about one rule.
#[derive(Debug)]
pub struct RuleInfo {
    /// The rule of this row.
    pub rule: Rule,
    /// Its name in reports, flags and on the screen.
    pub id: &'static str,
    /// The fault in a few words.
    pub title: &'static str,
    /// How sure the correction is.
    pub level: Level,
    /// Why it is corrected so, and why at this level.
    pub why: &'static str,
    /// A broken text and its correction; both empty where the rule is the user's own choice. A test runs it.
    pub example: (&'static str, &'static str),
    /// What the example needs beside the text.
    pub needs: Needs,
}

/// A named deviation from RFC 8259 with its correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rule {
    /// Code fence around the value.
    CodeFence,
    /// Text around one value.
    ProseAround,
    /// Byte order mark.
    ByteOrderMark,
    /// Closed thinking block.
    Thinking,
    /// Tool-call tags and model tokens.
    ToolMarkup,
    /// Program code around the value.
    CodeAround,
    /// Semicolon after the value.
    FinalSemicolon,
    /// Closer after the whole value.
    SurplusCloser,
    /// Empty object before the real one.
    EmptyFirstChunk,
    /// Whole text escaped once.
    EscapedDocument,
    /// Quotes written as HTML entities.
    HtmlEntities,
    /// Invisible characters between tokens.
    TokenNoise,
    /// The same value again.
    RepeatedValue,
    /// One of several values, picked by you.
    PickedCandidate,
    /// One value a line.
    JsonLines,
    /// The only value that fits the tool.
    SchemaCandidate,
    /// Whole value in quotes.
    QuotedDocument,
    /// Braces doubled.
    DoubledBraces,
    /// Plain text for a known tool.
    PlainString,
    /// Command line in place of arguments.
    CommandLine,
    /// Named parameters in place of an object.
    NamedParameters,
    /// No arguments at all.
    EmptyArguments,
    /// Comma before a closer.
    TrailingComma,
    /// Surplus comma in an object.
    SurplusComma,
    /// Missing comma.
    MissingComma,
    /// Missing colon.
    MissingColon,
    /// Another sign for the colon.
    ColonLookalike,
    /// Full-width punctuation.
    FullwidthPunctuation,
    /// Comment.
    Comment,
    /// Surplus comma in an array.
    ArrayComma,
    /// Numbers side by side.
    NumberList,
    /// Missing comma between strings.
    MissingCommaStrings,
    /// Missing colon between strings.
    MissingColonStrings,
    /// Another sign for the comma.
    ListSeparator,
    /// String in single quotes.
    SingleQuotes,
    /// String in back quotes.
    BacktickQuotes,
    /// String in typographic quotes.
    TypographicQuotes,
    /// String in triple quotes.
    TripleQuotes,
    /// Raw control character in a string.
    RawControl,
    /// Escaped apostrophe.
    EscapedApostrophe,
    /// Backslash that escapes nothing.
    StrayBackslash,
    /// Strings joined by +.
    Concatenation,
    /// Python string prefix.
    StringPrefix,
    /// Triple quotes inside triple quotes.
    TripleQuotesUnclear,
    /// Backslashes of two kinds.
    DoubtfulBackslash,
    /// Escape of another language.
    ForeignEscape,
    /// Broken \u escape.
    BrokenUnicodeEscape,
    /// Strings side by side.
    AdjacentStrings,
    /// String in guillemets or corner brackets.
    GuillemetQuotes,
    /// Python bytes or raw string.
    ByteOrRawPrefix,
    /// Unescaped quote inside a string.
    InnerQuote,
    /// Missing quote.
    MissingQuote,
    /// Typographic signs inside a string.
    TypographicText,
    /// Member name without quotes.
    BareKey,
    /// Literal spelled in another case.
    LiteralCase,
    /// Tuple.
    Tuple,
    /// Number in another notation.
    NumberForm,
    /// Value JSON cannot write.
    NonFinite,
    /// Constructor with one argument.
    Constructor,
    /// Comment that says something was left out.
    ElisionComment,
    /// Word without quotes as a value.
    BareValue,
    /// Lower-case none or nil.
    NoneLiteral,
    /// Number in an unsure notation.
    NumberRadix,
    /// Set.
    SetLiteral,
    /// Regular expression as a value.
    CodeLiteral,
    /// Text ends too early.
    CutOff,
    /// Missing opening bracket.
    MissingOpener,
    /// Closer of another kind.
    MismatchedCloser,
    /// Value closed too early.
    EarlyClose,
    /// Surplus closer inside.
    SurplusCloserInside,
    /// Value sent as a string.
    StringifiedValue,
    /// Scalar of the wrong type.
    ScalarType,
    /// One item for a list.
    SingleItem,
    /// Arguments in one more object.
    ExtraEnvelope,
    /// Tool markup inside a string.
    LeakedMarkup,
}

/// All rules, in the order of [`Rule`].
pub const RULES: [RuleInfo; 75] = [
    RuleInfo {
        rule: Rule::CodeFence,
        id: "code-fence",
        title: "code fence around the value",
        level: Level::Safe,
        why: "A fence marks where the reply's code begins and ends; it is no part of the value.",
        example: ("```json\n{\"a\": 1}\n```", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::ProseAround,
        id: "prose-around",
        title: "text around one value",
        level: Level::Safe,
        why: "Sentences before and behind the only JSON value say nothing about the value.",
        example: ("Here it is: {\"a\": 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::ByteOrderMark,
        id: "byte-order-mark",
        title: "byte order mark",
        level: Level::Safe,
        why: "RFC 8259 section 8.1 forbids adding one and lets readers ignore it.",
        example: ("\u{feff}{\"a\": 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::Thinking,
        id: "thinking",
        title: "closed thinking block",
        level: Level::Safe,
        why: "What a model thought aloud, values included, is not its answer.",
        example: ("<think>{\"a\": 0}?</think>{\"a\": 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::ToolMarkup,
        id: "tool-markup",
        title: "tool-call tags and model tokens",
        level: Level::Safe,
        why: "Tags and control tokens carry the call; they are no part of its arguments.",
        example: ("<tool_call>{\"a\": 1}</tool_call>", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::CodeAround,
        id: "code-around",
        title: "program code around the value",
        level: Level::Safe,
        why: "An assignment, a return or a call with one argument only carries the value.",
        example: ("const x = {\"a\": 1};", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::FinalSemicolon,
        id: "final-semicolon",
        title: "semicolon after the value",
        level: Level::Safe,
        why: "A semicolon ends a statement of a program; JSON has none.",
        example: ("{\"a\": 1};", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::SurplusCloser,
        id: "surplus-closer",
        title: "closer after the whole value",
        level: Level::Safe,
        why: "Everything that was opened is closed before it, so it closes nothing.",
        example: ("{\"a\": 1}}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::EmptyFirstChunk,
        id: "empty-first-chunk",
        title: "empty object before the real one",
        level: Level::Safe,
        why: "Some servers send an empty object as the first piece of a stream.",
        example: ("{}{\"a\": 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::EscapedDocument,
        id: "escaped-document",
        title: "whole text escaped once",
        level: Level::Safe,
        why: "Every quote outside a string has a backslash, so the whole text went through one more encoder.",
        example: ("{\\\"a\\\": 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::HtmlEntities,
        id: "html-entities",
        title: "quotes written as HTML entities",
        level: Level::Safe,
        why: "The quotes of the structure are entities, so the whole text went through an HTML encoder.",
        example: ("{&quot;a&quot;: 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::TokenNoise,
        id: "token-noise",
        title: "invisible characters between tokens",
        level: Level::Safe,
        why: "Zero-width marks, NUL and special spaces mean nothing between tokens.",
        example: ("{\u{200b}\"a\": 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::RepeatedValue,
        id: "repeated-value",
        title: "the same value again",
        level: Level::Lossy,
        why: "The text holds equal values, token by token; one is kept and the repeats are lost.",
        example: ("{\"a\": 1}{\"a\":1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::PickedCandidate,
        id: "picked-candidate",
        title: "one of several values, picked by you",
        level: Level::Lossy,
        why: "The text holds several values; you said which one to keep.",
        example: ("", ""),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::JsonLines,
        id: "json-lines",
        title: "one value a line",
        level: Level::Guess,
        why: "Several lines, each a value of its own, may be JSON Lines: an array of them.",
        example: ("{\"a\": 1}\n{\"a\": 2}", "[{\"a\": 1},\n{\"a\": 2}]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::SchemaCandidate,
        id: "schema-candidate",
        title: "the only value that fits the tool",
        level: Level::Guess,
        why: "Of several values only this one is what the tool takes.",
        example: ("[1] and {\"file\": \"a\"}", "{\"file\": \"a\"}"),
        needs: Needs::Tool("read_file"),
    },
    RuleInfo {
        rule: Rule::QuotedDocument,
        id: "quoted-document",
        title: "whole value in quotes",
        level: Level::Guess,
        why: "Quotes that are not JSON stand round a whole object or array; it may have been meant as text.",
        example: ("'{\"a\": 1}'", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::DoubledBraces,
        id: "doubled-braces",
        title: "braces doubled",
        level: Level::Guess,
        why: "Templates write a brace as two; one layer is taken off.",
        example: ("{{\"a\": 1}}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::PlainString,
        id: "plain-string",
        title: "plain text for a known tool",
        level: Level::Guess,
        why: "The text is no JSON and the tool takes one main string: the text may be meant for that field.",
        example: ("main.go", "{\"file\":\"main.go\"}"),
        needs: Needs::Tool("read_file"),
    },
    RuleInfo {
        rule: Rule::CommandLine,
        id: "command-line",
        title: "command line in place of arguments",
        level: Level::Guess,
        why: "A known command and its flags, or flags that the tool's schema declares, written as for a shell.",
        example: (
            "read --file main.go",
            "{\"cmd\":\"read\",\"args\":{\"file\":\"main.go\"}}",
        ),
        needs: Needs::Tool("@coder"),
    },
    RuleInfo {
        rule: Rule::NamedParameters,
        id: "named-parameters",
        title: "named parameters in place of an object",
        level: Level::Guess,
        why: "A call or tags name each parameter, so an object can be made of them.",
        example: ("dict(a=1)", "{\"a\":1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::EmptyArguments,
        id: "empty-arguments",
        title: "no arguments at all",
        level: Level::Guess,
        why: "The tool requires none, so an empty text may mean an empty object.",
        example: ("", "{}"),
        needs: Needs::Schema("{\"type\":\"object\",\"properties\":{},\"required\":[]}"),
    },
    RuleInfo {
        rule: Rule::TrailingComma,
        id: "trailing-comma",
        title: "comma before a closer",
        level: Level::Safe,
        why: "JSON puts commas between members, so one with nothing after it says nothing.",
        example: ("{\"file\": \"main.go\",}", "{\"file\": \"main.go\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::SurplusComma,
        id: "surplus-comma",
        title: "surplus comma in an object",
        level: Level::Safe,
        why: "A member has a name, so nothing between two commas is no member.",
        example: ("{,\"a\": 1,, \"b\": 2}", "{\"a\": 1, \"b\": 2}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::MissingComma,
        id: "missing-comma",
        title: "missing comma",
        level: Level::Safe,
        why: "Two values that cannot belong together stand side by side.",
        example: ("{\"a\": 1\n\"b\": 2}", "{\"a\": 1,\n\"b\": 2}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::MissingColon,
        id: "missing-colon",
        title: "missing colon",
        level: Level::Safe,
        why: "A name is followed by a container, number or literal, which can only be its value.",
        example: ("{\"a\" 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::ColonLookalike,
        id: "colon-lookalike",
        title: "another sign for the colon",
        level: Level::Safe,
        why: "`=`, `=>`, `:=` and `::` stand between a name and its value.",
        example: ("{\"a\" => 1}", "{\"a\" : 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::FullwidthPunctuation,
        id: "fullwidth-punctuation",
        title: "full-width punctuation",
        level: Level::Safe,
        why: "Input methods write the wide forms of the same signs.",
        example: ("{\"a\"：1，\"b\"：2}", "{\"a\":1,\"b\":2}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::Comment,
        id: "comment",
        title: "comment",
        level: Level::Safe,
        why: "JSON has no comments; a reader skips them.",
        example: ("{\"a\": 1 /* one */}", "{\"a\": 1 }"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::ArrayComma,
        id: "array-comma",
        title: "surplus comma in an array",
        level: Level::Guess,
        why: "Two commas may stand for a hole, which JSON cannot write.",
        example: ("[1,,2]", "[1,2]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::NumberList,
        id: "number-list",
        title: "numbers side by side",
        level: Level::Guess,
        why: "They may be a list without commas, or one number that was split.",
        example: ("[1 2]", "[1, 2]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::MissingCommaStrings,
        id: "missing-comma-strings",
        title: "missing comma between strings",
        level: Level::Guess,
        why: "Two strings on one line may be a list or one string in two parts.",
        example: ("[\"a\" \"b\"]", "[\"a\", \"b\"]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::MissingColonStrings,
        id: "missing-colon-strings",
        title: "missing colon between strings",
        level: Level::Guess,
        why: "A name and a string may be a member, or two elements.",
        example: ("{\"a\" \"b\"}", "{\"a\": \"b\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::ListSeparator,
        id: "list-separator",
        title: "another sign for the comma",
        level: Level::Guess,
        why: "`;`, `；` and `、` separate in other notations.",
        example: ("{\"a\": 1; \"b\": 2}", "{\"a\": 1, \"b\": 2}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::SingleQuotes,
        id: "single-quotes",
        title: "string in single quotes",
        level: Level::Safe,
        why: "Python and JavaScript write strings so; JSON only knows double quotes.",
        example: ("{'a': 'b'}", "{\"a\": \"b\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::BacktickQuotes,
        id: "backtick-quotes",
        title: "string in back quotes",
        level: Level::Safe,
        why: "JavaScript writes template strings so.",
        example: ("{\"a\": `b`}", "{\"a\": \"b\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::TypographicQuotes,
        id: "typographic-quotes",
        title: "string in typographic quotes",
        level: Level::Safe,
        why: "A word processor or a model wrote printed quotes as delimiters.",
        example: ("{“a”: “b”}", "{\"a\": \"b\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::TripleQuotes,
        id: "triple-quotes",
        title: "string in triple quotes",
        level: Level::Safe,
        why: "Python writes long strings so, and nothing inside is ambiguous.",
        example: ("{\"a\": \"\"\"b\"\"\"}", "{\"a\": \"b\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::RawControl,
        id: "raw-control",
        title: "raw control character in a string",
        level: Level::Safe,
        why: "RFC 8259 section 7 wants U+0000 to U+001F escaped.",
        example: ("{\"a\": \"b\nc\"}", "{\"a\": \"b\\nc\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::EscapedApostrophe,
        id: "escaped-apostrophe",
        title: "escaped apostrophe",
        level: Level::Safe,
        why: "JSON has no such escape; it means the apostrophe itself.",
        example: ("{\"a\": \"it\\'s\"}", "{\"a\": \"it's\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::StrayBackslash,
        id: "stray-backslash",
        title: "backslash that escapes nothing",
        level: Level::Safe,
        why: "JSON knows no such escape, and no other backslash of the string makes it doubtful: it is a backslash.",
        example: ("{\"a\": \"\\d\"}", "{\"a\": \"\\\\d\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::Concatenation,
        id: "concatenation",
        title: "strings joined by +",
        level: Level::Safe,
        why: "JavaScript joins strings so; the joined string is the value.",
        example: ("{\"a\": \"b\" + \"c\"}", "{\"a\": \"bc\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::StringPrefix,
        id: "string-prefix",
        title: "Python string prefix",
        level: Level::Safe,
        why: "`u` before a string changes nothing in Python 3.",
        example: ("{\"a\": u\"b\"}", "{\"a\": \"b\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::TripleQuotesUnclear,
        id: "triple-quotes-unclear",
        title: "triple quotes inside triple quotes",
        level: Level::Guess,
        why: "More than one place can be the end of the string.",
        example: (
            "{\"a\": \"\"\"b \"\"\"c\"\"\" d\"\"\"}",
            "{\"a\": \"b \\\"\\\"\\\"c\\\"\\\"\\\" d\"}",
        ),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::DoubtfulBackslash,
        id: "doubtful-backslash",
        title: "backslashes of two kinds",
        level: Level::Guess,
        why: "The string holds an escape JSON does not know beside ones it knows, as a path does.",
        example: (
            "{\"a\": \"C:\\Users\\new\"}",
            "{\"a\": \"C:\\\\Users\\\\new\"}",
        ),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::ForeignEscape,
        id: "foreign-escape",
        title: "escape of another language",
        level: Level::Guess,
        why: "`\\x41` and the like mean one character elsewhere; JSON does not know them.",
        example: ("{\"a\": \"\\x41\"}", "{\"a\": \"A\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::BrokenUnicodeEscape,
        id: "broken-unicode-escape",
        title: "broken \\u escape",
        level: Level::Guess,
        why: "Fewer than four hex digits follow; it is kept as text.",
        example: ("{\"a\": \"\\u12\"}", "{\"a\": \"\\\\u12\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::AdjacentStrings,
        id: "adjacent-strings",
        title: "strings side by side",
        level: Level::Guess,
        why: "Python joins them; they may also be two values.",
        example: ("{\"a\": \"b\" \"c\"}", "{\"a\": \"bc\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::GuillemetQuotes,
        id: "guillemet-quotes",
        title: "string in guillemets or corner brackets",
        level: Level::Guess,
        why: "They stand as delimiters, but they also occur as text.",
        example: ("{«a»: «b»}", "{\"a\": \"b\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::ByteOrRawPrefix,
        id: "byte-or-raw-prefix",
        title: "Python bytes or raw string",
        level: Level::Guess,
        why: "`b` and `r` strings are not text with JSON's escapes.",
        example: ("{\"a\": r\"b\"}", "{\"a\": \"b\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::InnerQuote,
        id: "inner-quote",
        title: "unescaped quote inside a string",
        level: Level::Guess,
        why: "Where the string ends is read off from what follows.",
        example: (
            "{\"a\": \"say \"hi\" now\"}",
            "{\"a\": \"say \\\"hi\\\" now\"}",
        ),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::MissingQuote,
        id: "missing-quote",
        title: "missing quote",
        level: Level::Guess,
        why: "Where the string begins or ends is read off from what follows.",
        example: ("{\"a\": \"b}", "{\"a\": \"b\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::TypographicText,
        id: "typographic-text",
        title: "typographic signs inside a string",
        level: Level::Guess,
        why: "Only on request: printed quotes become the plain ones of program code.",
        example: ("{\"a\": \"“b”\"}", "{\"a\": \"\\\"b\\\"\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::BareKey,
        id: "bare-key",
        title: "member name without quotes",
        level: Level::Safe,
        why: "A name can only be a string, so the word before the colon is one.",
        example: ("{a: 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::LiteralCase,
        id: "literal-case",
        title: "literal spelled in another case",
        level: Level::Safe,
        why: "Python and others write true, false and null so.",
        example: ("[True, None]", "[true, null]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::Tuple,
        id: "tuple",
        title: "tuple",
        level: Level::Safe,
        why: "Python writes a fixed list in parentheses; JSON has arrays.",
        example: ("{\"a\": (1, 2)}", "{\"a\": [1, 2]}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::NumberForm,
        id: "number-form",
        title: "number in another notation",
        level: Level::Safe,
        why: "The same number, written as JSON writes it, every digit kept.",
        example: ("[+5, .5, 5., 0x1F]", "[5, 0.5, 5.0, 31]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::NonFinite,
        id: "non-finite",
        title: "value JSON cannot write",
        level: Level::Lossy,
        why: "NaN, infinities and undefined have no JSON form: null stands in and the value is lost.",
        example: ("[NaN]", "[null]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::Constructor,
        id: "constructor",
        title: "constructor with one argument",
        level: Level::Lossy,
        why: "The argument is kept, its type is lost.",
        example: ("{\"id\": ObjectId(\"a1\")}", "{\"id\": \"a1\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::ElisionComment,
        id: "elision-comment",
        title: "comment that says something was left out",
        level: Level::Lossy,
        why: "It reads `... more`, so members or elements are missing.",
        example: ("[1 /* ... more items */]", "[1 ]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::BareValue,
        id: "bare-value",
        title: "word without quotes as a value",
        level: Level::Guess,
        why: "It may be a string, or a variable, or a slip.",
        example: ("{\"a\": main.go}", "{\"a\": \"main.go\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::NoneLiteral,
        id: "none-literal",
        title: "lower-case none or nil",
        level: Level::Guess,
        why: "It may be null or the word.",
        example: ("[none, nil]", "[null, null]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::NumberRadix,
        id: "number-radix",
        title: "number in an unsure notation",
        level: Level::Guess,
        why: "Leading zeros, other bases and suffixes mean different numbers to different writers.",
        example: ("[012]", "[12]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::SetLiteral,
        id: "set-literal",
        title: "set",
        level: Level::Guess,
        why: "Python writes a set in braces without colons; JSON has only arrays.",
        example: ("{\"a\", \"b\"}", "[\"a\", \"b\"]"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::CodeLiteral,
        id: "code-literal",
        title: "regular expression as a value",
        level: Level::Guess,
        why: "Program text stands where a value must stand; it is kept as a string.",
        example: ("{\"a\": /b+/}", "{\"a\": \"/b+/\"}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::CutOff,
        id: "cut-off",
        title: "text ends too early",
        level: Level::Lossy,
        why: "What is open is closed; what was still to come is missing.",
        example: (
            "{\"items\": [{\"id\": 1}, {\"id\":",
            "{\"items\": [{\"id\": 1}, {}]}",
        ),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::MissingOpener,
        id: "missing-opener",
        title: "missing opening bracket",
        level: Level::Guess,
        why: "Members without their opening brace.",
        example: ("\"a\": 1}", "{\"a\": 1}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::MismatchedCloser,
        id: "mismatched-closer",
        title: "closer of another kind",
        level: Level::Guess,
        why: "The innermost open bracket is of another kind, or was left open before what only the one around it can hold.",
        example: ("{\"a\": [1}", "{\"a\": [1]}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::EarlyClose,
        id: "early-close",
        title: "value closed too early",
        level: Level::Guess,
        why: "Members follow behind the closer of their object.",
        example: (
            "{\"a\": {\"b\": 1}}, \"c\": 2}",
            "{\"a\": {\"b\": 1}, \"c\": 2}",
        ),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::SurplusCloserInside,
        id: "surplus-closer-inside",
        title: "surplus closer inside",
        level: Level::Guess,
        why: "It closes nothing that is open.",
        example: ("{\"a\": [1]]}", "{\"a\": [1]}"),
        needs: Needs::Nothing,
    },
    RuleInfo {
        rule: Rule::StringifiedValue,
        id: "stringified-value",
        title: "value sent as a string",
        level: Level::Safe,
        why: "The tool's schema wants an array or object here, and the string holds exactly one.",
        example: ("{\"paths\": \"[\\\"a\\\"]\"}", "{\"paths\": [\"a\"]}"),
        needs: Needs::Schema(
            "{\"type\":\"object\",\"properties\":{\"paths\":{\"type\":\"array\"}}}",
        ),
    },
    RuleInfo {
        rule: Rule::ScalarType,
        id: "scalar-type",
        title: "scalar of the wrong type",
        level: Level::Safe,
        why: "The tool's schema wants another scalar type, and the text is one.",
        example: ("{\"n\": \"5\"}", "{\"n\": 5}"),
        needs: Needs::Schema("{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}"),
    },
    RuleInfo {
        rule: Rule::SingleItem,
        id: "single-item",
        title: "one item for a list",
        level: Level::Safe,
        why: "The tool's schema wants a list of what stands here alone.",
        example: ("{\"paths\": \"a\"}", "{\"paths\": [\"a\"]}"),
        needs: Needs::Schema(
            "{\"type\":\"object\",\"properties\":{\"paths\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}",
        ),
    },
    RuleInfo {
        rule: Rule::ExtraEnvelope,
        id: "extra-envelope",
        title: "arguments in one more object",
        level: Level::Safe,
        why: "The tool's schema does not know the outer name and the inner object fits, or the object has its braces twice.",
        example: ("{\"arguments\": {\"n\": 5}}", "{\"n\": 5}"),
        needs: Needs::Schema(
            "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}",
        ),
    },
    RuleInfo {
        rule: Rule::LeakedMarkup,
        id: "leaked-markup",
        title: "tool markup inside a string",
        level: Level::Guess,
        why: "The string holds the tags of a parameter that the schema declares and the object lacks.",
        example: (
            "{\"a\": \"x</a>\\n<parameter name=\\\"b\\\">y\"}",
            "{\"a\": \"x\",\"b\":\"y\"}",
        ),
        needs: Needs::Schema(
            "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"}},\"required\":[\"a\",\"b\"]}",
        ),
    },
];

/// How many rules there are.
pub const COUNT: usize = RULES.len();

/// A set of rules has one bit for each.
const _: () = assert!(COUNT <= u128::BITS as usize);

impl Rule {
    /// Its row of the table.
    pub fn info(self) -> &'static RuleInfo {
        &RULES[self as usize]
    }

    /// Its name in reports and flags.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// How sure its correction is.
    pub fn level(self) -> Level {
        self.info().level
    }

    /// The fault in a few words.
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// The rule of that name.
    pub fn find(id: &str) -> Option<Rule> {
        RULES.iter().find(|row| row.id == id).map(|row| row.rule)
    }
}

/// A set of rules that are on: one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RuleSet(u128);

impl RuleSet {
    /// No rule: RFC 8259 and nothing else.
    pub const EMPTY: RuleSet = RuleSet(0);

    /// The rules named.
    pub const fn of(rules: &[Rule]) -> RuleSet {
        let mut bits = 0;
        let mut at = 0;
        while at < rules.len() {
            bits |= 1 << rules[at] as u8;
            at += 1;
        }
        RuleSet(bits)
    }

    /// Every rule up to `level`, but `typographic-text`, which is only ever switched on by hand.
    pub const fn up_to(level: Level) -> RuleSet {
        let mut bits = 0;
        let mut at = 0;
        while at < RULES.len() {
            if RULES[at].level as u8 <= level as u8 {
                bits |= 1 << RULES[at].rule as u8;
            }
            at += 1;
        }
        RuleSet(bits)
            .without(Rule::TypographicText)
            .without(Rule::PickedCandidate)
    }

    /// Whether `rule` is on.
    pub const fn has(self, rule: Rule) -> bool {
        self.0 >> rule as u8 & 1 == 1
    }

    /// This set and `rule`.
    pub const fn with(self, rule: Rule) -> RuleSet {
        RuleSet(self.0 | 1 << rule as u8)
    }

    /// This set but `rule`.
    pub const fn without(self, rule: Rule) -> RuleSet {
        RuleSet(self.0 & !(1 << rule as u8))
    }

    /// The rules of either set.
    pub const fn union(self, other: RuleSet) -> RuleSet {
        RuleSet(self.0 | other.0)
    }

    /// The rules of both sets.
    pub const fn and(self, other: RuleSet) -> RuleSet {
        RuleSet(self.0 & other.0)
    }

    /// Whether every rule of `other` is in this set.
    pub const fn holds(self, other: RuleSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether no rule is on.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rules that are on, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        RULES
            .iter()
            .map(|row| row.rule)
            .filter(move |rule| self.has(*rule))
    }
}

impl std::fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Rule::id)).finish()
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> RuleSet {
        // A list of edits names the same few rules a million times: a byte each is quicker to set than a bit.
        let mut seen = [false; RULES.len()];
        rules
            .into_iter()
            .for_each(|rule| seen[rule as usize] = true);
        let rules = RULES.iter().map(|row| row.rule);
        rules
            .filter(|rule| seen[*rule as usize])
            .fold(RuleSet::EMPTY, RuleSet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum_and_names_are_unique() {
        for (index, row) in RULES.iter().enumerate() {
            assert_eq!(row.rule as usize, index, "{}", row.id);
            assert_eq!(Rule::find(row.id), Some(row.rule));
            assert!(
                row.why.ends_with('.') && !row.title.ends_with('.'),
                "{}",
                row.id
            );
        }
    }

    #[test]
    fn levels_are_nested_sets() {
        let [safe, lossy, guess] = Level::ALL.map(RuleSet::up_to);
        assert!(lossy.holds(safe) && guess.holds(lossy) && !safe.holds(lossy));
        assert!(!guess.has(Rule::TypographicText));
    }
}
