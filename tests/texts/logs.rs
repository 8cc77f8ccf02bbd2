//! What holds for logs, however they are cut. Shared by the tests of the transcripts and the fuzz targets, so it panics
//! where it does not.

use std::path::Path;

use jsonmedic::repair::{Verdict, check};
use jsonmedic::transcript::{Chunk, Entry, Kind, Pause, Reader, read_all, without_mark};

/// The failed calls that a reader has found: kind, tool, arguments, line and byte.
fn failed(reader: &mut Reader) -> Vec<String> {
    let entries = reader.settle(Pause::End).into_iter();
    let rows = entries.filter_map(|entry| match entry {
        Entry::Failed(row) => Some(format!(
            "{} {:?} {:?} {:?}",
            row.kind.id(),
            row.call.tool,
            row.call.raw,
            row.call.place
        )),
        _ => None,
    });
    rows.collect()
}

/// Any bytes can be read as a log and as a paste; each place is the beginning of a line; and a log that is read up to a
/// line border at or behind `cut`, and then on from there, holds the same failed calls.
pub fn in_pieces(log: &[u8], cut: usize) {
    for call in read_all(Path::new("log"), log) {
        let (Some(line), Some(byte)) = (call.origin.line, call.origin.byte) else {
            continue;
        };
        let before = &log[..byte as usize];
        let line_breaks = before.iter().filter(|byte| **byte == b'\n').count() as u64;
        assert_eq!(line, line_breaks + 1, "the line of a place");
        assert!(
            without_mark(before).is_empty() || before.ends_with(b"\n"),
            "a place within a line"
        );
    }
    let mut pasted = Reader::default();
    pasted.pasted(log);
    pasted.settle(Pause::End);

    let cut = cut.min(log.len());
    let border = log[cut..].iter().position(|byte| *byte == b'\n');
    let (head, rest) = log.split_at(border.map_or(log.len(), |at| cut + at + 1));
    let mut pieces = Reader::default();
    pieces.lines(Chunk::whole(head, 0));
    // What stands before the first line that tells the format is not read again.
    if pieces.adapter().is_none() {
        return;
    }
    pieces.lines(Chunk {
        text: rest,
        file: 0,
        line: 1 + head.iter().filter(|byte| **byte == b'\n').count() as u64,
        byte: head.len() as u64,
    });
    let mut whole = Reader::default();
    whole.lines(Chunk::whole(log, 0));
    assert_eq!(
        failed(&mut pieces),
        failed(&mut whole),
        "cut at {}",
        head.len()
    );
}

/// Arguments that a server streams in pieces of which `sizes` gives the lengths come out as they were, in each format,
/// beside a call whose pieces stand between them.
pub fn joined(arguments: &str, mut sizes: impl FnMut() -> usize) {
    let mut pieces = Vec::new();
    let mut rest = arguments;
    while !rest.is_empty() && pieces.len() < 64 {
        let mut size = sizes().clamp(1, rest.len());
        while !rest.is_char_boundary(size) {
            size += 1;
        }
        let (piece, more) = rest.split_at(size);
        pieces.push(piece);
        rest = more;
    }
    pieces.push(rest);
    for (format, log) in [
        ("openai-chat-sse", chat(&pieces)),
        ("anthropic-messages", messages(&pieces)),
        ("openai-responses", responses(&pieces)),
    ] {
        let rows = read_all(Path::new("log"), log.as_bytes());
        let broken = rows
            .iter()
            .filter(|row| matches!(row.kind, Kind::Malformed | Kind::Truncated))
            .map(|row| (row.tool.as_deref(), row.raw.as_deref()));
        let broken: Vec<_> = broken.collect();
        // No text at all is what a call without arguments looks like.
        let fails = !arguments.trim().is_empty() && check(arguments) != Verdict::Valid;
        let wanted: &[_] = match fails {
            true => &[(Some("go"), Some(arguments))],
            false => &[],
        };
        assert_eq!(broken, wanted, "{format}");
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string can be written")
}

/// Pieces of a chat completion, with those of a second call between them.
fn chat(pieces: &[&str]) -> String {
    let chunk = |delta: &str, stop: &str| {
        format!(
            "data: {{\"id\":\"r1\",\"object\":\"chat.completion.chunk\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{stop}}}]}}\n\n"
        )
    };
    let piece = |index: u32, head: &str, text: &str| {
        let call = format!(
            "{{\"index\":{index},{head}\"arguments\":{}}}}}",
            quoted(text)
        );
        chunk(&format!("{{\"tool_calls\":[{call}]}}"), "null")
    };
    let mut log = piece(0, r#""id":"call_a","function":{"name":"go","#, "");
    log += &piece(1, r#""id":"call_b","function":{"name":"stay","#, "{\"b\"");
    for text in pieces {
        log += &piece(0, r#""function":{"#, text);
    }
    log += &piece(1, r#""function":{"#, ":1}");
    log + &chunk("{}", "\"tool_calls\"") + "data: [DONE]\n\n"
}

/// Pieces of a message, in a block of its own.
fn messages(pieces: &[&str]) -> String {
    let event =
        |kind: &str, rest: &str| format!("event: {kind}\ndata: {{\"type\":\"{kind}\"{rest}}}\n\n");
    let mut log = event("message_start", r#","message":{"id":"m1","model":"m"}"#);
    for (index, id, name) in [(0, "toolu_01", "go"), (1, "toolu_02", "stay")] {
        log += &event(
            "content_block_start",
            &format!(
                r#","index":{index},"content_block":{{"type":"tool_use","id":"{id}","name":"{name}","input":{{}}}}"#
            ),
        );
    }
    let mut piece = |index: u32, text: &str| {
        log += &event(
            "content_block_delta",
            &format!(
                r#","index":{index},"delta":{{"type":"input_json_delta","partial_json":{}}}"#,
                quoted(text)
            ),
        );
    };
    piece(1, "{\"b\"");
    for text in pieces {
        piece(0, text);
    }
    piece(1, ":1}");
    log + &event("message_delta", r#","delta":{"stop_reason":"tool_use"}"#)
        + &event("message_stop", "")
}

/// Pieces of a response.
fn responses(pieces: &[&str]) -> String {
    let event =
        |kind: &str, rest: &str| format!("event: {kind}\ndata: {{\"type\":\"{kind}\",{rest}}}\n\n");
    let mut log = String::new();
    for (item, call, name) in [("fc_1", "call_0001", "go"), ("fc_2", "call_0002", "stay")] {
        log += &event(
            "response.output_item.added",
            &format!(
                r#""item":{{"type":"function_call","id":"{item}","call_id":"{call}","name":"{name}","arguments":""}}"#
            ),
        );
    }
    let delta = |item: &str, text: &str| {
        event(
            "response.function_call_arguments.delta",
            &format!(r#""item_id":"{item}","delta":{}"#, quoted(text)),
        )
    };
    log += &delta("fc_2", "{\"b\"");
    for text in pieces {
        log += &delta("fc_1", text);
    }
    log += &delta("fc_2", ":1}");
    for (item, text) in [("fc_1", pieces.concat()), ("fc_2", "{\"b\":1}".into())] {
        log += &event(
            "response.function_call_arguments.done",
            &format!(r#""item_id":"{item}","arguments":{}"#, quoted(&text)),
        );
    }
    log + &event(
        "response.completed",
        r#""response":{"id":"resp_1","status":"completed","output":[]}"#,
    )
}
