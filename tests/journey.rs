//! The whole way of one failed call in a real tmux: it appears, is opened, stepped through, decided on, copied, left.

#![cfg(feature = "tui")]

mod support;

use std::fs::OpenOptions;
use std::io::Write;
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use support::tmux::{self, Tmux};
use support::{Home, PROGRAM};

/// A log and what is written to it while the program watches.
struct Log {
    path: &'static str,
    /// What is there before.
    old: String,
    /// The call that fails, with a string that was cut off and Python's quotes.
    first: String,
    /// A second one.
    second: String,
    tool: &'static str,
    /// Whether the tool acts, so that closing a cut call needs a yes of its own.
    acts: bool,
}

const BROKEN: &str = "{'cmd': \"echo 'a'\", 'note': \"cut of";
const REPAIRED: &str = r#"{"cmd": "echo 'a'", "note": "cut of"}"#;
const SECOND: &str = r#"{"cmd": "ls",}"#;

fn claude_code() -> Log {
    let call = |id: &str, raw: &str| {
        let uuid = format!("0f3c61d2-0000-4000-8000-0000000000{id}");
        let head = json!({"isSidechain": false, "userType": "external", "cwd": "/srv/demo", "sessionId": "0f3c61d2",
            "version": "2.1.245", "timestamp": "2026-11-30T10:00:00.000Z", "uuid": uuid});
        let mut asked = head.clone();
        asked["type"] = json!("assistant");
        asked["message"] = json!({"model": "demo", "id": format!("msg_{id}"), "type": "message", "role": "assistant",
            "content": [{"type": "tool_use", "id": format!("toolu_{id}"), "name": "Shell",
                "input": {"__unparsedToolInput": {"raw": raw, "len": raw.len()}}}], "stop_reason": null});
        let mut told = head;
        told["type"] = json!("user");
        told["message"] = json!({"role": "user", "content": [{"tool_use_id": format!("toolu_{id}"), "type": "tool_result",
            "is_error": true, "content": "<tool_use_error>InputValidationError: Shell was called with input that could not be parsed as JSON.</tool_use_error>"}]});
        format!("{asked}\n{told}\n")
    };
    let old = json!({"type": "user", "sessionId": "0f3c61d2", "uuid": "0f3c61d2-0000-4000-8000-000000000000", "version": "2.1.245",
        "timestamp": "2026-11-30T09:00:00.000Z", "message": {"role": "user", "content": "hello"}});
    Log {
        path: ".claude/projects/-srv-demo/0f3c61d2.jsonl",
        old: format!("{old}\n"),
        first: call("01", BROKEN),
        second: call("02", SECOND),
        tool: "Shell",
        acts: true,
    }
}

fn codex() -> Log {
    let line = |kind: &str, payload: serde_json::Value| {
        let time = "2026-11-30T10:00:00.000Z";
        format!(
            "{}\n",
            json!({"timestamp": time, "type": kind, "payload": payload})
        )
    };
    let call = |id: &str, raw: &str| {
        let asked = json!({"type": "function_call", "name": "exec_command", "arguments": raw, "call_id": id});
        let told = json!({"type": "function_call_output", "call_id": id,
            "output": "failed to parse function arguments: key must be a string at line 1 column 2"});
        line("response_item", asked) + &line("response_item", told)
    };
    Log {
        path: ".codex/sessions/2026/11/30/rollout-2026-11-30T09-00-00-019a.jsonl",
        old: line(
            "session_meta",
            json!({"id": "019a", "timestamp": "2026-11-30T09:00:00.000Z", "cwd": "/srv/demo", "originator": "codex_cli_rs", "cli_version": "0.125.0"}),
        ),
        first: call("call_01", BROKEN),
        second: call("call_02", SECOND),
        tool: "exec_command",
        acts: false,
    }
}

/// Another process adds to the log.
fn append(path: &std::path::Path, text: &str) {
    let log = OpenOptions::new()
        .append(true)
        .open(path)
        .expect("the log is there");
    let mut cat = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(log)
        .spawn()
        .expect("cat runs");
    let mut stdin = cat.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("cat reads");
    drop(stdin);
    assert!(cat.wait().expect("cat ends").success());
}

fn journey(name: &str, log: &Log, size: (u16, u16)) {
    let home = Home::new();
    let path = home.put(log.path, &log.old);
    let raw = home.path().join("raw");
    let tmux = Tmux::start(name, home.path(), size, PROGRAM);
    tmux.wait("$");
    tmux.line("stty -a > before");
    tmux.line("clear");
    // What is typed ahead would stand on the screen that comes back at the end.
    tmux.wait_for("a cleared screen", |screen| screen.trim() == "$");
    let modes = tmux.modes();
    tmux.run(&["pipe-pane", "-o", &format!("cat >> '{}'", raw.display())]);

    tmux.line("\"$JSONMEDIC\" watch");
    tmux.wait("Watching");
    append(&path, &log.first);
    let row = tmux.wait("cut-off");
    assert!(row.contains(&log.tool[..5]), "{row}");
    tmux.keys(&["Enter"]);

    // Every rung, by the one key.
    let shows = |rung: u8| {
        let mark = match size.0 < 100 {
            true => format!("rung {rung}/10 "),
            false => format!("▸{rung:>2} "),
        };
        tmux.wait(&mark);
    };
    shows(9);
    for rung in (1..9).rev() {
        tmux.keys(&["<"]);
        shows(rung);
    }
    for rung in 2..=10 {
        tmux.keys(&[">"]);
        shows(rung);
    }
    tmux.keys(&["="]);
    shows(9);

    // The cut is lossy, and nothing leaves before it is decided.
    tmux.keys(&["}", "a", "y"]);
    if log.acts {
        tmux.wait("was closed: data may be missing");
        tmux.keys(&["a"]);
    }
    tmux.wait(&format!(
        "sent {} B to the terminal (OSC 52)",
        REPAIRED.len()
    ));
    assert_eq!(tmux.run(&["show-buffer"]), REPAIRED, "tmux took the copy");
    let bytes = std::fs::read(&raw).expect("the pane's bytes are kept");
    let text = String::from_utf8_lossy(&bytes);
    let sent = text
        .split("\x1b]52;c;")
        .nth(1)
        .expect("a clipboard sequence");
    let sent = sent.split('\x07').next().unwrap_or_default();
    assert_eq!(STANDARD.decode(sent).as_deref(), Ok(REPAIRED.as_bytes()));

    append(&path, &log.second);
    tmux.wait("feed 1 new");
    // The list has the newest first, so the new one is before the old one.
    tmux.keys(&[","]);
    tmux.wait(r#"{"cmd": "ls"}"#);
    tmux.keys(&["q"]);
    tmux.wait_for("the shell", |screen| screen.trim_end().ends_with('$'));
    assert_eq!(tmux.modes(), modes);
    tmux.line("echo status $?; stty -a > after; cmp before after && echo same \"modes\"");
    let end = tmux.wait("same modes");
    assert!(end.contains("status 0"), "{end}");
}

#[test]
fn a_failed_call_of_claude_code_goes_the_whole_way() {
    if !tmux::is_there() {
        println!("skipped: tmux is not installed");
        return;
    }
    journey("claude-80", &claude_code(), (80, 24));
    journey("claude-120", &claude_code(), (120, 40));
}

#[test]
fn a_failed_call_of_codex_goes_the_whole_way() {
    if !tmux::is_there() {
        println!("skipped: tmux is not installed");
        return;
    }
    journey("codex-80", &codex(), (80, 24));
    journey("codex-120", &codex(), (120, 40));
}

/// tmux answers the question for the terminal's kind, and none about pastes.
#[test]
fn in_tmux_nothing_stray_is_shown_and_keys_are_keys() {
    if !tmux::is_there() {
        println!("skipped: tmux is not installed");
        return;
    }
    let home = Home::new();
    // The terminal is asked for its colours too.
    home.put(".config/jsonmedic/config.toml", "theme = \"auto\"\n");
    let tmux = Tmux::start("stray", home.path(), (80, 24), PROGRAM);
    tmux.wait("$");
    tmux.line("\"$JSONMEDIC\"");
    let screen = tmux.wait("Paste or type JSON");
    let lines: Vec<&str> = screen.lines().collect();
    assert!(
        lines[0].starts_with(" jsonmedic  BENCH   no text"),
        "{screen}"
    );
    assert_eq!(
        lines[2].trim_matches(['┃', ' ']),
        "1",
        "nothing was typed: {screen}"
    );

    // A paste by tmux, of letters that would be commands.
    tmux.run(&["set-buffer", "-b", "reply", "{'q': 1, 'M': 'xa',}"]);
    tmux.run(&["paste-buffer", "-p", "-d", "-b", "reply"]);
    tmux.wait(r#"{"q": 1, "M": "xa"}"#);
    tmux.keys(&["Escape"]);
    tmux.wait_for("Normal mode", |screen| !screen.contains("INSERT"));
    // Pastes are marked here, so keys are keys, however many come at once.
    tmux.run(&["send-keys", "-l", "jjkkjjkkxa"]);
    tmux.wait_for("the first edit rejected and the next accepted", |screen| {
        screen.contains("not valid: single-quotes off") || screen.contains("[ ] safe")
    });
    tmux.keys(&["q"]);
    tmux.wait("decisions that were not copied");
    tmux.keys(&["a"]);
    let end = tmux.wait_for("the shell", |screen| screen.trim_end().ends_with('$'));
    assert!(!end.contains("2004") && !end.contains("rgb:"), "{end}");
}
