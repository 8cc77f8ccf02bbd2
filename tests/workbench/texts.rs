//! The texts of the drawings, and others that many tests use.

/// A cut reply with two losses (drawing A).
pub const LOSSY: &str = "Sure, here is the call:\n```json\n{'path': 'src/main.rs', 'lines': 12,\n 'score': NaN, 'body': \"fn main() {\n  run();";

/// Left-out items (drawing B).
pub const REFUSED: &str = "{\"items\": [\n  {\"id\": 1},\n  ...\n  {\"id\": 9}\n]}";

/// All three levels (drawings D and E).
pub const GUESS: &str = "{'path': 'src/main.rs', lines: 012,\n 'score': NaN, 'title': 'Ñandú 日本語',\n 'body': \"fn main() {\n  run();\n}\0\t\",}";

/// Two values (drawing F).
pub const SEVERAL: &str = "{\"path\":\"a\"}{\"path\":\"b\"}";

/// Nothing but safe edits.
pub const SAFE: &str = "{'a': 1, 'b': [True, None,],}";

/// Valid as it is, with notices.
pub const VALID: &str = "{\"a\": 1, \"a\": 12345678901234567890}";
