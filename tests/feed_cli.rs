//! `scan`, `watch --json` and `formats` as programs: streams, exit status, filters, signals.

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use common::run;
use serde_json::Value;

fn call(n: usize, tool: &str, arguments: &str) -> String {
    let arguments = Value::from(arguments);
    format!(
        r#"{{"timestamp":"2026-11-{:02}T10:00:00Z","type":"response_item","payload":{{"type":"function_call","name":"{tool}","arguments":{arguments},"call_id":"call_{n:06}"}}}}"#,
        n + 1
    ) + "\n"
}

fn answer(n: usize, output: &str) -> String {
    format!(
        r#"{{"timestamp":"2026-11-01T10:00:00Z","type":"response_item","payload":{{"type":"function_call_output","call_id":"call_{n:06}","output":"{output}"}}}}"#
    ) + "\n"
}

/// Two sessions in a folder, with one failure of each kind of interest.
fn logs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let meta = |id: &str| {
        format!(r#"{{"timestamp":"t","type":"session_meta","payload":{{"id":"{id}"}}}}"#) + "\n"
    };
    fs::create_dir(folder.path().join("b")).unwrap();
    let first = [
        meta("s1"),
        call(1, "read", "{\"a\": 1,}"),
        answer(1, "failed to parse function arguments"),
        call(2, "read", "{\"a\": 1}"),
        answer(2, "ok"),
        call(3, "write", "{\"a\": \"x"),
    ];
    let second = [
        meta("s2"),
        call(4, "shell", "{}"),
        answer(4, "unsupported call: shell"),
        call(5, "shell", "{\"b\":1}{\"c\":2}"),
        "no record, \"arguments\":\"{x\" but its remains\n".into(),
    ];
    fs::write(folder.path().join("a.jsonl"), first.concat()).unwrap();
    fs::write(folder.path().join("b/c.jsonl"), second.concat()).unwrap();
    folder
}

fn ids(out: &str) -> Vec<String> {
    let id = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["call_id"]
            .as_str()
            .unwrap()
            .trim_start_matches("call_00000")
            .to_owned()
    };
    out.lines().map(id).collect()
}

#[test]
fn filters_choose_rows() {
    let folder = logs();
    let root = folder.path().to_str().unwrap();
    for (flags, wanted) in [
        (&[][..], "1 3 5"),
        (&["--kind", "all"], "1 3 4 5"),
        (&["--kind", "unknown-tool,truncated"], "3 4"),
        (&["--tool", "read"], "1"),
        (&["--tool", "read", "--tool", "write"], "1 3"),
        (&["--format", "codex"], "1 3 5"),
        (&["--format", "claude-code"], ""),
        (&["--session", "s2"], "5"),
        (&["--since", "2026-11-04"], "3 5"),
        (&["--since", "2026-11-04T10:00:01Z"], "5"),
        (&["--since", "2026-11-04T12:00:01+02:00"], "5"),
    ] {
        let mut line = vec!["scan", "--json"];
        line.extend(flags);
        line.push(root);
        let ran = run(&line, b"");
        assert_eq!(
            (ran.code, ids(&ran.out).join(" ").as_str()),
            (0, wanted),
            "{flags:?} {}",
            ran.err
        );
    }
}

#[test]
fn a_row_has_the_fields_of_the_contract_in_order() {
    let folder = logs();
    let log = folder.path().join("a.jsonl");
    let ran = run(
        &["scan", "--json", "--tool", "read", log.to_str().unwrap()],
        b"",
    );
    let wanted = format!(
        concat!(
            r#"{{"version":1,"format":"codex","path":{},"line":2,"offset":62,"session":"s1","call_id":"call_000001","tool":"read","#,
            r#""time":"2026-11-02T10:00:00Z","kind":"malformed","raw":"{{\"a\": 1,}}","raw_from":"verbatim","raw_complete":true,"#,
            r#""stop_reason":null,"model":null,"complaint":"failed to parse function arguments","badges":[],"#,
            r#""repair":{{"status":"repaired","worst":"safe","strategy":"commas-only"}},"#,
            r#""retry":{{"call_id":"call_000002","line":4,"equal":true}}}}"#
        ),
        Value::from(log.to_str().unwrap())
    );
    assert_eq!(ran.out, wanted + "\n");
}

#[test]
fn a_table_says_what_became_of_each_and_how_many_there_were() {
    let folder = logs();
    let ran = run(&["scan", folder.path().to_str().unwrap()], b"");
    let words = |line: &str| {
        line.split_whitespace()
            .take(6)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let lines: Vec<String> = ran.out.lines().map(words).collect();
    assert_eq!(
        lines,
        [
            "TIME KIND TOOL FORMAT REPAIR PLACE",
            "2026-11-02 10:00 malformed read codex safe",
            "2026-11-04 10:00 truncated write codex lossy",
            "2026-11-06 10:00 malformed shell codex refused",
        ]
    );
    assert!(
        ran.out.lines().nth(1).unwrap().contains(" = "),
        "{}",
        ran.out
    );
    assert_eq!(
        ran.err,
        "3 failed calls in 2 logs; 1 sent again by the agent, 1 of them as repaired (=); 1 unreadable line skipped; \
         1 of other kinds or filtered out (--kind all)\n\
         \u{20} kind   malformed 2, truncated 1\n\
         \u{20} tool   read 1, shell 1, write 1\n\
         \u{20} rule   cut-off 1, trailing-comma 1\n"
    );
}

#[test]
fn one_log_may_come_through_a_pipe() {
    let log = call(1, "read", "{,}") + &call(2, "read", "{}");
    let ran = run(&["scan", "--json", "-"], log.as_bytes());
    assert_eq!((ran.code, ids(&ran.out)), (0, vec!["1".to_owned()]));
    assert!(ran.out.contains(r#""path":"-","line":1"#));
    let ran = run(&["scan", "--emit-line", "-"], log.as_bytes());
    assert_eq!(ran.out, call(1, "read", "{}"));
    let text = "Sure.\n<tool_call>\n{\"name\": \"dig\", \"arguments\": {,}}\n</tool_call>\n";
    let ran = run(&["scan", "--json", "-"], text.as_bytes());
    assert!(
        ran.out
            .contains(r#""format":"raw-completions","path":"-","line":3"#),
        "{}",
        ran.out
    );
    let ran = run(&["scan", "-"], b"hello\n");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(ran.err.contains("no log of a known format"), "{}", ran.err);
    assert_eq!(run(&["scan", "-", "x"], b"").code, 2);
}

#[test]
fn corrected_lines_and_the_reasons_why_not() {
    let folder = logs();
    let ran = run(
        &["scan", "--emit-line", folder.path().to_str().unwrap()],
        b"",
    );
    assert_eq!(
        ran.out,
        call(1, "read", "{\"a\": 1}") + &call(3, "write", "{\"a\": \"x\"}")
    );
    assert!(
        ran.err.contains("c.jsonl:4: the repair is refused"),
        "{}",
        ran.err
    );
}

#[test]
fn a_score_counts_what_the_agents_confirm() {
    let folder = logs();
    let ran = run(&["scan", "--score", folder.path().to_str().unwrap()], b"");
    let has = |words: &[&str]| {
        ran.out
            .lines()
            .any(|line| line.split_whitespace().eq(words.iter().copied()))
    };
    assert!(has(&["safe", "1", "1", "0"]), "{}", ran.out);
    assert!(has(&["trailing-comma", "1", "1", "0"]), "{}", ran.out);
    assert!(
        ran.out
            .contains("0 refused although the agent found an answer; 2 without a retry"),
        "{}",
        ran.out
    );
}

#[test]
fn exit_two_is_for_what_was_named_and_cannot_be_read() {
    let folder = logs();
    let root = folder.path().to_str().unwrap();
    fs::write(folder.path().join("x.db"), b"SQLite format 3\0").unwrap();
    let ran = run(&["scan", root], b"");
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.contains("x.db: an SQLite store; not read yet"),
        "{}",
        ran.err
    );
    let gone = format!("{root}/gone");
    let ran = run(&["scan", "--json", &gone, root], b"");
    assert_eq!((ran.code, ids(&ran.out).len()), (2, 3));
    assert!(
        ran.err.contains("gone: no such file or directory"),
        "{}",
        ran.err
    );
    for line in [
        &["scan", "--since", "yesterday", root][..],
        &["scan", "--format", "nope", root],
        &["scan", "--kind", "nope", root],
        &["watch", "--json", "--for", "1", &gone],
    ] {
        let ran = run(line, b"");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line:?}");
    }
}

/// Stores that are known and not read are named, wherever their agents keep them.
#[test]
fn stores_that_are_not_read_are_named() {
    let home = tempfile::tempdir().unwrap();
    let stores = [
        ".local/share/opencode/opencode.db",
        ".local/share/goose/sessions/sessions.db",
        ".local/share/zed/threads/threads.db",
        ".config/Cursor/User/globalStorage/state.vscdb",
        "project/.crush/crush.db",
    ];
    for store in stores {
        let path = home.path().join(store);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"SQLite format 3\0xxxx").unwrap();
    }
    for line in [
        &["scan"][..],
        &["scan", "--json"],
        &["watch", "--json", "--for", "0.2"],
        &["watch", "--json", "--from-start", "--for", "0.2"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
            .args(line)
            .current_dir(home.path().join("project"))
            .env_clear()
            .env("HOME", home.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line:?} {said}");
        for store in stores {
            let name = Path::new(store).file_name().unwrap().to_str().unwrap();
            let told = said.lines().filter(|line| {
                line.contains(name) && line.contains("an SQLite store; not read yet")
            });
            assert_eq!(told.count(), 1, "{line:?} {store}: {said}");
        }
    }
    let named = run(&["formats"], b"").out;
    for agent in ["crush", "goose (new)", "opencode (newest)", "cursor", "zed"] {
        assert!(named.lines().any(|line| line == agent), "{agent}");
    }
}

#[test]
fn nothing_found_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&["scan", folder.path().to_str().unwrap()], b"");
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (0, "", "0 failed calls in 0 logs\n")
    );
}

#[test]
fn every_format_is_named_with_its_place() {
    let ran = run(&["formats"], b"");
    assert_eq!(ran.code, 0);
    for format in jsonmedic::transcript::formats::FORMATS {
        assert!(
            ran.out.lines().any(|line| line == format.id),
            "{}",
            format.id
        );
    }
    assert!(ran.out.contains("crush"));
}

/// The logs of known agents are found by the variables that the agents themselves read.
#[test]
fn without_a_path_the_folders_of_known_agents_are_read() {
    let home = tempfile::tempdir().unwrap();
    let place = |path: &str, n: usize| {
        let folder = home.path().join(path);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.jsonl"), call(n, "t", "{,}")).unwrap();
    };
    place("claude/projects/x", 1);
    place("codex/sessions/2026", 2);
    place(".gemini/tmp/x/chats", 3);
    place("elsewhere", 4);
    place("data/goose/sessions", 5);
    let output = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
        .args(["scan", "--json"])
        .env("HOME", home.path())
        .env("CLAUDE_CONFIG_DIR", home.path().join("claude"))
        .env("CODEX_HOME", home.path().join("codex"))
        .env("XDG_DATA_HOME", home.path().join("data"))
        .env("XDG_CONFIG_HOME", home.path().join("config"))
        .output()
        .unwrap();
    let mut found = ids(&String::from_utf8(output.stdout).unwrap());
    found.sort();
    assert_eq!(found, ["1", "2", "3", "5"]);
}

#[test]
fn a_compressed_log_is_read_unless_the_plain_one_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let text = call(1, "t", "{,}");
    let packed = ruzstd::encoding::compress_to_vec(
        text.as_bytes(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    fs::write(folder.path().join("a.jsonl.zst"), &packed).unwrap();
    let root = folder.path().to_str().unwrap();
    let ran = run(&["scan", "--json", root], b"");
    assert!(
        ran.out.contains("a.jsonl.zst\",\"line\":1"),
        "{} {}",
        ran.out,
        ran.err
    );
    fs::write(folder.path().join("a.jsonl"), &text).unwrap();
    let ran = run(&["scan", "--json", root], b"");
    assert!(
        ran.out.contains("a.jsonl\",\"line\":1"),
        "{} {}",
        ran.out,
        ran.err
    );
    assert_eq!(ran.out.lines().count(), 1);
}

#[test]
fn hostile_names_and_texts_are_shown_and_never_sent() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\u{1b}[2J\u{202e}.jsonl";
    fs::write(
        folder.path().join(name),
        call(1, "t\u{9b}31m", "{\"\u{1b}]0;x\u{7}\": "),
    )
    .unwrap();
    let root = folder.path().to_str().unwrap();
    for line in [&["scan", root][..], &["scan", "--json", root]] {
        let ran = run(line, b"");
        let is_control = |character: &char| {
            character.is_control() && *character != '\n' || *character == '\u{202e}'
        };
        assert_eq!(
            ran.out.chars().chain(ran.err.chars()).find(is_control),
            None,
            "{line:?}"
        );
    }
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..5000)
        .map(|n| call(n % 28, "t", &format!("{{{n},}}")).replace("call_", &format!("call_{n:04}")))
        .collect();
    fs::write(folder.path().join("a.jsonl"), text).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
        .args(["scan", "--json", folder.path().to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

/// Starts `watch --json`, writes a failing line once it is known to follow, and ends it by a signal.
#[cfg(unix)]
#[test]
fn a_watch_tells_rows_at_once_and_ends_by_a_signal() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, code) in [(Signal::INT, 0), (Signal::TERM, 143)] {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("a.jsonl");
        fs::write(&log, call(1, "t", "{,}")).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
            .args(["watch", "--json", "--from-start", "."])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut lines = String::new();
        out.read_line(&mut lines).unwrap();
        append(&log, &call(2, "t", "{,}"));
        out.read_line(&mut lines).unwrap();
        assert_eq!(ids(&lines), ["1", "2"]);
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), output.stderr.as_slice()),
            (Some(code), &b""[..])
        );
    }
}

/// However a folder is named, its new files and lines come long before the look at everything.
#[cfg(unix)]
#[test]
fn a_watch_follows_what_is_named_from_here() {
    let folder = tempfile::tempdir().unwrap();
    for place in [
        "logs",
        "./logs",
        "logs/",
        "logs/../logs",
        "link",
        "logs/a.jsonl",
    ] {
        let logs = folder.path().join("logs");
        fs::create_dir(&logs).unwrap();
        std::os::unix::fs::symlink("logs", folder.path().join("link")).unwrap();
        let log = logs.join("a.jsonl");
        fs::write(&log, call(1, "t", "{,}")).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
            .args(["watch", "--json", "--from-start", "--for", "8", place])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut lines = String::new();
        out.read_line(&mut lines).unwrap();
        // A new log takes the place of the old one.
        fs::rename(&log, folder.path().join("old")).unwrap();
        fs::write(&log, call(2, "t", "{,}")).unwrap();
        out.read_line(&mut lines).unwrap();
        if place != "logs/a.jsonl" {
            fs::create_dir(logs.join("x")).unwrap();
            fs::write(logs.join("x/b.jsonl"), call(3, "t", "{,}")).unwrap();
            out.read_line(&mut lines).unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let wanted = ["1", "2", "3"];
        let count = if place == "logs/a.jsonl" { 2 } else { 3 };
        assert_eq!(ids(&lines), wanted[..count], "{place}");
        fs::remove_dir_all(&logs).unwrap();
        fs::remove_file(folder.path().join("link")).unwrap();
    }
}

#[test]
fn no_agent_here_is_no_failure() {
    let home = tempfile::tempdir().unwrap();
    for line in [&["scan", "--json"][..], &["watch", "--json"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
            .args(line)
            .env_clear()
            .env("HOME", home.path())
            .output()
            .unwrap();
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(0), &b""[..])
        );
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "jsonmedic: no log folder of a known agent here; name a path, or see `jsonmedic formats`\n",
            "{line:?}"
        );
    }
}

#[test]
fn a_watch_ends_when_its_time_is_over() {
    let folder = logs();
    let root = folder.path().to_str().unwrap();
    let ran = run(
        &[
            "watch",
            "--json",
            "--for",
            "0.3",
            "--from-start",
            "--kind",
            "all",
            root,
        ],
        b"",
    );
    assert_eq!(
        (ran.code, ids(&ran.out).join(" ").as_str()),
        (0, "1 3 4 5"),
        "{}",
        ran.err
    );
    let ran = run(&["watch", "--json", "--for", "0.1", root], b"");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
}

fn append(path: &Path, text: &str) {
    let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// A long argument text is not held while its log is read, and is the same when it is listed.
#[test]
fn a_long_text_is_read_again_when_it_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{{\"text\": \"{}ö\", ", "a \u{1f600} b".repeat(300_000));
    let log = call(1, "read", "{,}") + &call(2, "write", &text) + &call(3, "write", "{,}");
    let plain = folder.path().join("a.jsonl");
    fs::write(&plain, &log).unwrap();
    let packed = ruzstd::encoding::compress_to_vec(
        log.as_bytes(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    let zst = folder.path().join("b.jsonl.zst");
    fs::write(&zst, &packed).unwrap();
    for path in [&plain, &zst] {
        let ran = run(&["scan", "--json", path.to_str().unwrap()], b"");
        assert_eq!(ids(&ran.out), ["1", "2", "3"], "{}", ran.err);
        let row: Value = serde_json::from_str(ran.out.lines().nth(1).unwrap()).unwrap();
        assert_eq!(row["raw"].as_str().unwrap(), text);
        assert_eq!(row["raw_from"], "verbatim");
        assert_eq!(row["kind"], "truncated");
        assert_eq!(row["repair"]["status"], "repaired");
    }
    let ran = run(&["scan", "--emit-line", plain.to_str().unwrap()], b"");
    let repaired = text.trim_end().trim_end_matches(',').to_owned() + "}";
    let wanted = call(1, "read", "{}") + &call(2, "write", &repaired) + &call(3, "write", "{}");
    assert_eq!(ran.out, wanted, "{}", ran.err);
}

/// The program as a user who may not read everything, where the test runs as one who may.
#[cfg(unix)]
fn as_another_user(line: &[&str]) -> Command {
    let program = env!("CARGO_BIN_EXE_jsonmedic");
    if !rustix::process::geteuid().is_root() {
        let mut command = Command::new(program);
        command.args(line);
        return command;
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups", program])
        .args(line);
    command
}

#[cfg(unix)]
#[test]
fn a_log_without_permission_is_said_once_and_read_when_that_changes() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    // The program has to be reachable for that user.
    let reachable = as_another_user(&["--version"]).output().unwrap();
    if !reachable.status.success() {
        println!("another user cannot start the program here");
        return;
    }
    let log = folder.path().join("a.jsonl");
    fs::write(&log, call(1, "t", "{,}")).unwrap();
    fs::write(folder.path().join("b.jsonl"), call(2, "t", "{,}")).unwrap();
    fs::set_permissions(&log, PermissionsExt::from_mode(0o000)).unwrap();
    let root = folder.path().to_str().unwrap();
    let scanned = as_another_user(&["scan", "--json", root]).output().unwrap();
    let said = String::from_utf8_lossy(&scanned.stderr).into_owned();
    assert_eq!(scanned.status.code(), Some(0), "{said}");
    assert_eq!(ids(&String::from_utf8_lossy(&scanned.stdout)), ["2"]);
    assert_eq!(
        said.matches("a.jsonl: permission denied").count(),
        1,
        "{said}"
    );
    let named = as_another_user(&["scan", "--json", log.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(named.status.code(), Some(2));

    let mut child = as_another_user(&["watch", "--json", "--from-start", "--for", "15", root])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut lines = String::new();
    out.read_line(&mut lines).unwrap();
    append(&log, &call(3, "t", "{,}"));
    fs::set_permissions(&log, PermissionsExt::from_mode(0o644)).unwrap();
    append(&log, &call(4, "t", "{,}"));
    for _ in 0..3 {
        out.read_line(&mut lines).unwrap();
    }
    assert_eq!(ids(&lines), ["2", "1", "3", "4"]);
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("permission denied").count(), 1, "{said}");
}

/// Positions are a convenience: where they cannot be kept, that is said once, the old ones stay, and the watch goes on.
#[cfg(unix)]
#[test]
fn positions_that_cannot_be_written_are_said_and_the_watch_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("logs/a.jsonl");
    fs::create_dir(folder.path().join("logs")).unwrap();
    fs::write(&log, call(1, "t", "{,}")).unwrap();
    let state = folder.path().join("state/jsonmedic");
    let run_in = |state_home: &str, prefix: &str, seconds: &str| {
        let line = format!("{prefix} exec \"$PROGRAM\" watch --json --resume --for {seconds} logs");
        Command::new("/bin/sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .env("PROGRAM", env!("CARGO_BIN_EXE_jsonmedic"))
            .env("XDG_STATE_HOME", folder.path().join(state_home))
            .output()
            .unwrap()
    };
    // A run that keeps them.
    assert!(run_in("state", "", "0.2").status.success());
    let kept = fs::read(state.join("positions.json")).unwrap();
    // A full disk: no file may grow beyond nothing.
    append(&log, &call(2, "t", "{,}"));
    let full = run_in("state", "trap '' XFSZ; ulimit -f 0;", "0.4");
    let said = String::from_utf8_lossy(&full.stderr).into_owned();
    assert_eq!(full.status.code(), Some(0), "{said}");
    assert_eq!(ids(&String::from_utf8_lossy(&full.stdout)), ["2"]);
    assert_eq!(said.matches("positions are not kept").count(), 1, "{said}");
    assert_eq!(fs::read(state.join("positions.json")).unwrap(), kept);
    let left: Vec<_> = fs::read_dir(&state).unwrap().flatten().collect();
    let is_ours = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("positions.");
    assert!(
        left.iter().all(|entry| is_ours(&entry.file_name())),
        "{left:?}"
    );
    // A file where the folder should be, as in a home that cannot be written.
    fs::write(folder.path().join("file"), "").unwrap();
    let blocked = run_in("file", "", "0.2");
    let said = String::from_utf8_lossy(&blocked.stderr).into_owned();
    assert_eq!(blocked.status.code(), Some(0), "{said}");
    assert!(said.contains("positions are not kept"), "{said}");
}
