//! The headless verbs from outside: streams, files, exit statuses. Each table is rows; `run` starts the real program.

#![cfg(feature = "cli")]

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{Ran, fix, report, run};
use serde_json::Value;

#[test]
fn valid_text_comes_out_byte_for_byte_without_a_word() {
    for text in [
        "{\"a\": 1}",
        " [1e999, -0, 1.10, \"\\ud800\", {\"a\": 1, \"a\": 2}] \n",
        "\"```json {'a': 1} ```\"",
        "404",
    ] {
        for flags in [
            "",
            "--allow guess",
            "--strategy chatcli",
            "--tool nobody",
            "--keep",
        ] {
            let ran = fix(flags, text);
            assert_eq!(
                (ran.code, ran.out.as_str(), ran.err.as_str()),
                (0, text, ""),
                "{flags}"
            );
        }
        let report = report("--allow guess", text);
        assert_eq!(report["status"], "valid");
        assert_eq!(report["output"], text);
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_at_their_place() {
    for (bytes, offset, says) in [
        (
            b"[\"\xff\"]".to_vec(),
            2,
            "stdin:1:3: expected UTF-8, found the byte FF\n",
        ),
        (
            b"\n\n[\xc3\xa9\xc3]".to_vec(),
            5,
            "stdin:3:3: expected UTF-8, found the byte C3\n",
        ),
        (
            b"\xff\xfe[\0]\0".to_vec(),
            0,
            "stdin:1:1: expected UTF-8, found UTF-16\n",
        ),
        (
            b"[\x001\x00]\x00".to_vec(),
            0,
            "stdin:1:1: expected UTF-8, found UTF-16\n",
        ),
    ] {
        let ran = fix("", &bytes);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""));
        assert!(ran.err.starts_with(says), "{}", ran.err);
        let report = report("", &bytes);
        assert_eq!(report["status"], "refused");
        assert_eq!(report["refusal"]["offset"], offset);
        // What is kept is kept to the byte.
        let mut kept = Command::new(env!("CARGO_BIN_EXE_jsonmedic"));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &bytes).unwrap();
        let output = kept
            .args(["fix", "--keep"])
            .arg(file.path())
            .output()
            .unwrap();
        assert_eq!((output.status.code(), output.stdout), (Some(1), bytes));
    }
}

#[test]
fn a_batch_answers_each_line_in_order_and_names_what_it_cannot_read() {
    let lines = [
        r#"{"id": {"n": 1.10}, "text": "[1]"}"#,
        r#"{"id": 2, "text": "\ud800"}"#,
        "",
        "[1]",
        r#"{"id": "four", "tool": "read_file"}"#,
        r#"{"id": 5, "text": 5}"#,
        r#"{"id": 6, "text": "1", "schema": "s"}"#,
        r#"{"text": "{}", "tool": null, "schema": null}"#,
    ];
    let ran = fix("--batch --report json", lines.join("\n"));
    let rows: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let short: Vec<(String, &str, Option<u64>)> = rows
        .iter()
        .map(|row| {
            (
                row["id"].to_string(),
                row["status"].as_str().unwrap(),
                row["line"].as_u64(),
            )
        })
        .collect();
    let expected = [
        ("{\"n\":1.1}", "valid", None),
        ("2", "error", Some(2)),
        ("null", "error", Some(3)),
        ("null", "error", Some(4)),
        ("\"four\"", "error", Some(5)),
        ("5", "error", Some(6)),
        ("6", "error", Some(7)),
        ("null", "valid", None),
    ];
    let expected: Vec<_> = expected
        .map(|(id, status, line)| (id.to_owned(), status, line))
        .into();
    assert_eq!(short, expected);
    assert!(
        ran.out.starts_with("{\"version\":1,\"id\":{\"n\": 1.10},"),
        "an id is echoed as it was written"
    );
    assert_eq!((ran.code, ran.err.as_str()), (2, ""));
    assert_eq!(
        fix("--batch", "{\"text\": \"}\"}\n").code,
        0,
        "a refusal is an answer"
    );
    assert_eq!(fix("--batch", "").code, 0);
}

#[cfg(feature = "schema")]
#[test]
fn a_result_that_misses_its_schema_is_said_to() {
    let folder = tempfile::tempdir().unwrap();
    let tools = folder.path().join("tools.json");
    let schema = r#"{"type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": "integer"}}, "required": ["n"]}"#;
    std::fs::write(
        &tools,
        format!(r#"[{{"name": "edit", "input_schema": {schema}}}]"#),
    )
    .unwrap();
    let tools = tools.to_str().unwrap();
    let edits = "2 edits, worst safe: single-quotes\n";
    for (text, wanted) in [
        ("{\"n\": 1}", String::new()),
        (
            "{\"x\": 1}",
            "schema: \"n\" is a required property\n".to_owned(),
        ),
        (
            "{'x': 1}",
            format!("{edits}schema: \"n\" is a required property\n"),
        ),
        (
            "{\"n\": {\"\u{9b}\": 1}, \"m\": []}",
            "schema: /n: {\"⟨009B⟩\":1} is not of type \"integer\"; 1 more with `--report text`\n"
                .to_owned(),
        ),
    ] {
        let ran = run(
            &["fix", "--tools", tools, "--tool", "edit"],
            text.as_bytes(),
        );
        assert_eq!((ran.code, ran.err), (0, wanted), "{text}");
        let ran = run(
            &[
                "fix", "--tools", tools, "--tool", "edit", "--report", "text",
            ],
            text.as_bytes(),
        );
        assert!(!ran.err.contains("schema: "), "listed once: {}", ran.err);
    }
}

#[test]
fn a_batch_answers_before_the_next_request() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
        .args(["fix", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut requests = child.stdin.take().unwrap();
    let mut answers = std::io::BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(requests, "{{\"id\": {id}, \"text\": \"[]\"}}").unwrap();
        let mut answer = String::new();
        std::io::BufRead::read_line(&mut answers, &mut answer).unwrap();
        assert!(answer.contains(&format!("\"id\":{id},")), "{answer}");
    }
    drop(requests);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_number_beyond_the_values_is_told_how_many_there_are() {
    let text = "{\"a\": 1}\n\n{\"b\": 2}\n";
    let ran = fix("--pick 2", text);
    assert_eq!((ran.code, ran.out.as_str()), (0, "{\"b\": 2}"));
    for (flags, text, second) in [
        ("--pick 3", text, "3:1"),
        ("--pick 4294967295", text, "3:1"),
        ("--pick 7", "{\"a\": 1} or {\"b\": 2}", "1:13"),
    ] {
        let ran = fix(flags, text);
        let says = format!("`{flags}` is none of the 2 values: 1 at 1:1, 2 at {second}\n");
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{flags}");
        assert!(ran.err.ends_with(&says), "{}", ran.err);
    }
}

#[test]
fn what_cannot_be_read_or_is_no_usage_exits_2() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(at("tools.json"), "[]").unwrap();
    std::fs::write(at("read.json"), r#"[{"name": "read", "input_schema": {}}]"#).unwrap();
    for (line, says) in [
        (vec!["fix", &at("")], "expected a file, found a folder"),
        (vec!["fix", &at("missing")], "no such file or directory"),
        (vec!["fix", "--allow", "certain"], "invalid value"),
        (
            vec!["fix", "--batch", "--report", "text"],
            "--batch always writes JSON reports",
        ),
        (
            vec!["fix", "--tools", &at("tools.json")],
            "no tool definitions",
        ),
        (
            vec!["fix", "--tools", &at("read.json"), "--tool", "write"],
            "expected a tool `write`, found read",
        ),
        (
            vec!["fix", "-o", &at("")],
            "expected a regular file to replace",
        ),
        (
            vec!["fix", "-o", &at("no/such/folder")],
            // No word of the file that would have been written first.
            "no/such/folder: no such file or directory\n",
        ),
        (
            vec!["fix", "-o", "-", "--report", "json"],
            "`-o -` and `--report json` both write standard output",
        ),
        (
            vec!["fix", "--batch", "x"],
            "Usage: jsonmedic fix [OPTIONS] [FILE]\n       jsonmedic fix --batch [OPTIONS] < REQUESTS\n",
        ),
        (vec!["explain", "comma"], "near: "),
    ] {
        let ran = run(&line, b"[1]");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line:?}");
        assert!(ran.err.contains(says), "{line:?}: {}", ran.err);
    }
}

#[test]
#[cfg(unix)]
fn a_named_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    let ran = run(&["fix", pipe.to_str().unwrap()], b"");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("found a pipe, socket or device"),
        "{}",
        ran.err
    );
}

#[test]
fn a_hostile_file_name_does_not_reach_the_terminal() {
    let ran = run(&["fix", "/no\u{1b}]52;c;eA==\u{7}\n\u{202e}such"], b"");
    assert_eq!(
        ran.err,
        "jsonmedic: /no␛]52;c;eA==␇⏎⟨202E⟩such: no such file or directory\n"
    );
    let ran = run(&["fix", "--\u{202e}\u{1b}[31m"], b"");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--⟨202E⟩"), "{}", ran.err);
    assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
}

#[test]
fn a_file_appears_whole_keeps_its_mode_and_is_not_made_by_a_refusal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.json");
    let name = file.to_str().unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let refused = run(&["fix", "-o", name], b"\xff");
    assert_eq!((refused.code, files()), (1, 0));
    let ran = run(&["fix", "-o", name, "--style", "compact"], b"[1, 2]");
    assert_eq!(
        ran,
        Ran {
            code: 0,
            out: String::new(),
            err: String::new()
        }
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "[1,2]");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let ran = run(
            &["fix", "--report", "json", "-o", link.to_str().unwrap()],
            b"[3]",
        );
        assert_eq!(ran.code, 0);
        assert!(
            ran.out.contains("\"output\":\"[3]\""),
            "the report is on stdout"
        );
        assert_eq!(
            (std::fs::read_to_string(&file).unwrap(), mode()),
            ("[3]".to_owned(), 0o644)
        );
        assert!(link.is_symlink(), "a link keeps its target");
        std::fs::remove_file(link).unwrap();
    }
    let refused = run(&["fix", "-o", name], b"\xff");
    assert_eq!(refused.code, 1);
    assert_eq!(
        std::fs::read_to_string(&file).unwrap().len(),
        3,
        "a refusal leaves the old file"
    );
    assert_eq!(files(), 1, "no temporary file is left");
}

#[test]
fn a_hyphen_is_standard_output_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
        .args(["fix", "-o", "-"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"[1]").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"[1]");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_closed_stdout_ends_quietly() {
    let big = format!("[{}0]", "0, ".repeat(100_000));
    let request = format!("{}\n", serde_json::json!({"text": big})).repeat(3);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("big.json");
    std::fs::write(&file, &big).unwrap();
    let name = file.to_str().unwrap();
    for (line, stdin) in [
        (vec!["fix", name], ""),
        (vec!["fix", "--report", "json", name], ""),
        (vec!["fix", "--style", "pretty", name], ""),
        (vec!["fix", "--batch"], request.as_str()),
        (vec!["explain"], ""),
        (vec!["man"], ""),
        (vec!["completions", "bash"], ""),
        (vec!["--help"], ""),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jsonmedic"));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        command
            .args(&line)
            .stdin(Stdio::piped())
            .stdout(writer)
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(command);
        let mut requests = child.stdin.take().unwrap();
        let _ = requests.write_all(stdin.as_bytes());
        drop(requests);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_batch_holds_one_line_at_a_time() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
        .args(["fix", "--batch", "--strategy", "parse"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut requests = child.stdin.take().unwrap();
    let mut answers = std::io::BufReader::new(child.stdout.take().unwrap());
    let status = format!("/proc/{}/status", child.id());
    let line = format!("{{\"text\": \"[{}0]\"}}\n", "0, ".repeat(20_000));
    for _ in 0..400 {
        requests.write_all(line.as_bytes()).unwrap();
        let mut answer = String::new();
        std::io::BufRead::read_line(&mut answers, &mut answer).unwrap();
        assert!(answer.contains("\"valid\""));
    }
    let status = std::fs::read_to_string(status).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    drop(requests);
    assert!(child.wait().unwrap().success());
    assert!(peak < 20_000, "{peak} kB for 24 MB of requests");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
        .args(["fix", "Cargo.toml", "--keep"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "jsonmedic: standard output: no space left on device\n"
    );
}

/// A terminal gets stand-ins where a pipe gets the bytes.
#[test]
#[cfg(unix)]
fn a_result_on_a_terminal_is_visible() {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hostile.json");
    std::fs::write(&file, "[\"\u{9b}31m\u{202e}\u{7f}\",\r\n\t1]").unwrap();
    let pty = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_jsonmedic"));
    command.args(["fix", file.to_str().unwrap()]);
    let mut child = pty.slave.spawn_command(command).unwrap();
    let mut reader = pty.master.try_clone_reader().unwrap();
    drop(pty.slave);
    let mut shown = Vec::new();
    // Linux ends a terminal whose last user is gone with an error.
    let _ = reader.read_to_end(&mut shown);
    assert!(child.wait().unwrap().success());
    let shown = String::from_utf8(shown).unwrap();
    assert_eq!(shown, "[\"⟨009B⟩31m⟨202E⟩␡\",␍\r\n\t1]");
}

#[test]
fn explain_shows_every_rule_and_strategy_and_runs_the_examples() {
    let list = run(&["explain"], b"");
    assert_eq!((list.code, list.err.as_str()), (0, ""));
    let rules = jsonmedic::repair::RULES.iter().map(|row| row.id);
    let rungs = jsonmedic::repair::LADDER.iter().map(|rung| rung.id);
    for id in rules.chain(rungs) {
        assert!(list.out.contains(&format!(" {id} ")), "{id}");
        let one = run(&["explain", id], b"");
        assert_eq!((one.code, one.err.as_str()), (0, ""), "{id}");
        assert!(one.out.starts_with(id), "{}", one.out);
    }
    // What the screens name besides: strategies by their number, and reasons that are no rule's.
    for rung in &jsonmedic::repair::LADDER {
        let one = run(&["explain", &rung.number.to_string()], b"");
        assert!(one.out.starts_with(rung.id), "{}", one.out);
    }
    for why in jsonmedic::repair::Why::OTHERS {
        let one = run(&["explain", why.word()], b"").out;
        let is_rule = jsonmedic::repair::RULES
            .iter()
            .any(|row| row.id == why.word());
        assert!(is_rule || one.contains(&why.reason()), "{one}");
    }
    let one = run(&["explain", "trailing-comma"], b"").out;
    assert!(
        one.contains("by      commas-only (1 edit, worst safe: trailing-comma)"),
        "{one}"
    );
}

#[test]
fn completions_and_the_manual_know_every_verb() {
    let verbs = [
        "fix",
        "watch",
        "scan",
        "demo",
        "explain",
        "formats",
        "completions",
        "man",
    ];
    for line in [
        vec!["completions", "bash"],
        vec!["completions", "zsh"],
        vec!["completions", "fish"],
        vec!["man"],
    ] {
        let ran = run(&line, b"");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        for verb in verbs {
            assert!(ran.out.contains(verb), "{line:?}: {verb}");
        }
    }
}

#[test]
#[cfg(feature = "tui")]
fn the_configuration_in_force_is_printed_and_its_faults_are_said_with_their_lines() {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    let file = home.path().join("jsonmedic/config.toml");
    std::fs::create_dir_all(file.parent().expect("it has one")).expect("the folder can be made");
    let print = || {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
            .arg("--print-config")
            .env("XDG_CONFIG_HOME", home.path())
            .output()
            .expect("it runs");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code();
        (code, text(&output.stdout), text(&output.stderr))
    };
    let (code, out, err) = print();
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("config.toml: not there, so these are the defaults\n"));
    assert!(
        out.contains("\naudit = \"reviewed\" ") && out.contains("\n# \"edit.accept\" = \"a\"\n")
    );
    std::fs::write(
        &file,
        "theme = \"pink\"\n[keys]\n\"edit.accept\" = [\"F2\", \"ctrl-a\"]\n\"edit.rejct\" = \"r\"\n",
    )
    .expect("the file can be written");
    let (code, out, err) = print();
    assert_eq!(code, Some(2));
    assert!(
        out.contains("\n\"edit.accept\" = [\"F2\", \"ctrl-a\"]\n"),
        "{out}"
    );
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].ends_with(
        "config.toml:1: `theme`: expected \"auto\", \"dark\", \"light\" or \"high-contrast\""
    ));
    assert!(
        lines[1].ends_with(
            "config.toml:4: no command `edit.rejct`: is it `edit.reject`? (`:` lists all)"
        )
    );
}
