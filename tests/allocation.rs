//! What the core asks the allocator for: nothing for valid text, and a bounded amount for each edit of broken text.

use allocation_counter::{AllocationInfo, measure};
use jsonmedic::repair::strategy::Reading;
use jsonmedic::repair::{LADDER, Level, ToolContext, Verdict, auto, check, repair_within};

/// Levels up to which the stack of brackets needs no memory of its own.
const LEVELS: usize = 64;

/// The output of `code`, and what it allocated.
fn counted<T>(code: impl FnOnce() -> T) -> (T, AllocationInfo) {
    let mut output = None;
    let info = measure(|| output = Some(code()));
    (output.expect("it ran"), info)
}

/// Valid texts of every shape: long strings and numbers, escapes, white space, and as many levels as are free.
fn valid_texts() -> Vec<String> {
    let member = r#""a": [1.5e3, -0, "é \u00e9 \" \\ \n", true, null, {"b": "it's, 'x': {}"}], "#;
    vec![
        "{}".to_owned(),
        "0".to_owned(),
        r#""x""#.to_owned(),
        " \r\n\t[ 1 , 2 ]\n".to_owned(),
        format!("{{{}\"z\": 0}}", member.repeat(2000)),
        format!("[\"{}\"]", "long \\u0041 ".repeat(10_000)),
        format!("[{}]", "9".repeat(10_000)),
        "[".repeat(LEVELS) + &"]".repeat(LEVELS),
        "{\"a\":".repeat(LEVELS) + "1" + &"}".repeat(LEVELS),
        "[{\"a\":".repeat(LEVELS / 2) + "\"x\"" + &"}]".repeat(LEVELS / 2),
    ]
}

#[test]
fn valid_text_costs_no_memory() {
    let tool = ToolContext::default();
    for text in valid_texts() {
        let start = &text[..text.len().min(40)];
        let (verdict, info) = counted(|| check(&text));
        assert_eq!(
            (verdict, info.count_total),
            (Verdict::Valid, 0),
            "check {start:?}"
        );
        let structure = LADDER
            .iter()
            .filter(|rung| rung.reading == Reading::Structure);
        for rung in structure {
            for allow in Level::ALL {
                let (repair, info) = counted(|| repair_within(&text, rung, allow, &tool));
                let at = format!("{} {} {start:?}", rung.id, allow.name());
                assert!(repair.is_valid() && repair.edits.is_empty(), "{at}");
                assert_eq!(info.count_total, 0, "{at}");
            }
        }
        for allow in Level::ALL {
            let (_, info) = counted(|| auto(&text, allow, &tool));
            assert_eq!(info.count_total, 0, "auto {} {start:?}", allow.name());
        }
    }
}

/// Broken texts of 200 kB, and the level that mends them.
fn broken_texts() -> Vec<(Level, String)> {
    vec![
        (Level::Safe, format!("[{}]", "'a', ".repeat(40_000))),
        (Level::Safe, format!("{{{}}}", "a: 1, ".repeat(30_000))),
        (Level::Safe, format!("[{}]", "True,".repeat(40_000))),
        (Level::Safe, format!("[\"{}\"]", "a\n".repeat(100_000))),
        (
            Level::Safe,
            format!("{{\"a\": 'b'{}}}", ",".repeat(200_000)),
        ),
        (Level::Lossy, "{\"a\":".repeat(40_000)),
        (Level::Lossy, format!("[{}", "NaN, ".repeat(40_000))),
        (Level::Guess, format!("[{}]", "x, ".repeat(60_000))),
        (Level::Guess, format!("[{}1]", "1,,".repeat(60_000))),
    ]
}

/// What a repair holds is 32 bytes an edit and no more than the output for all else. While it works it holds an old and a
/// grown list of edits for a moment, and for guesses the best repair so far beside the next one.
#[test]
fn broken_text_costs_its_edits() {
    for (allow, text) in broken_texts() {
        let ((_, repair), info) = counted(|| auto(&text, allow, &ToolContext::default()));
        let at = format!("{} {:?}: {info:?}", allow.name(), &text[..12]);
        assert!(repair.is_valid(), "{at}");
        let output = repair.edits.apply(&text, |_| true).len() as u64;
        let edits = repair.edits.len() as u64;
        let held = info.bytes_current as u64;
        assert!(held <= output + 32 * edits + 1024, "held {held}, {at}");
        let working = if allow == Level::Guess { 2 } else { 1 };
        let most = output + 64 * working * edits + 4096;
        assert!(info.bytes_max <= most, "{most} at most, {at}");
    }
}
