//! The real program in a real terminal: modes, keys, pastes, pipes, signals.

#![cfg(feature = "tui")]

mod support;

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jsonmedic::app::keys::ROWS;
use rustix::process::{Pid, Signal, kill_process};
use support::{Home, PROGRAM, Setup, Tty, key_bytes, wait_stopped};

/// The program on an empty bench, drawn once.
fn empty() -> Tty {
    let tty = Setup::program(&[]).start();
    tty.wait_raw(b"\x1b[?2026l");
    tty
}

#[test]
fn a_signal_ends_it_with_its_number_and_the_terminal_as_before() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let mut tty = empty();
        assert!(tty.screen().alternate_screen());
        tty.signal(signal);
        assert_eq!(tty.end(), code);
        tty.assert_restored();
    }
}

#[test]
fn a_panic_restores_the_terminal_first_and_says_one_thing() {
    for (place, thread) in [("draw", "main"), ("worker", "worker")] {
        let tty = Setup::program(&[]).env("JSONMEDIC_TEST_PANIC", place);
        let mut tty = tty.start();
        tty.wait_raw(b"\x1b[?2026l");
        // The worker begins with the first text, the third picture comes with it at the latest.
        tty.paste("{'a': 'secret'}");
        assert_eq!(tty.end(), 101);
        tty.wait("stopped by a fault of its own");
        tty.assert_restored();
        let shown = tty.contents();
        assert_eq!(shown.matches("jsonmedic:").count(), 1, "{shown}");
        assert!(
            shown
                .replace('\n', "")
                .contains(&format!("(thread {thread})")),
            "{shown}"
        );
        let log = tty.home.path().join(".local/state/jsonmedic/panic.log");
        let log = std::fs::read_to_string(log).expect("the log is written");
        assert!(log.contains(&format!("(thread {thread})")), "{log}");
        assert!(!log.contains("secret") && !shown.contains("secret"));
    }
}

#[test]
fn without_a_terminal_there_is_one_line_and_no_escape_byte() {
    let run = |command: &mut Command| {
        let output = command.stdin(Stdio::null()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(2), &b""[..]),
            "{said}"
        );
        assert!(
            !said.contains('\x1b') && said.lines().count() == 1,
            "{said:?}"
        );
        said
    };
    // A session of its own has no terminal.
    let said = run(Command::new("setsid").args(["-w", PROGRAM]));
    assert_eq!(
        said,
        "jsonmedic: the workbench needs a terminal; `jsonmedic fix` works without one\n"
    );
    let said = run(Command::new("setsid").args(["-w", PROGRAM, "watch", "."]));
    assert_eq!(
        said,
        "jsonmedic: the workbench needs a terminal; `jsonmedic watch --json` works without one\n"
    );
    for term in ["dumb", ""] {
        let mut tty = Setup::program(&[]).env("TERM", term).start();
        assert_eq!(tty.end(), 2);
        tty.wait(&format!("TERM is `{term}`"));
        assert!(!tty.raw().contains(&0x1b));
    }
}

#[test]
fn a_closed_window_ends_it() {
    // SIGHUP comes with it, so it is kept from the program: then only the reading tells.
    let mut tty = Setup::command(&[
        "/bin/sh",
        "-c",
        "trap '' HUP; \"$JSONMEDIC\"; echo $? > status",
    ])
    .start();
    tty.wait_raw(b"\x1b[?2026l");
    tty.close();
    tty.end();
    let status = std::fs::read_to_string(tty.home.path().join("status"));
    assert_eq!(status.expect("the shell wrote it"), "129\n");
}

#[test]
fn many_resizes_are_survived_and_the_last_one_counts() {
    let mut tty = empty();
    for step in 0..300_u16 {
        let (columns, rows) = [
            (1, 1),
            (10, 1),
            (500, 200),
            (40 + step % 60, 10 + step % 20),
        ][usize::from(step % 4)];
        tty.resize(columns, rows);
        if step % 50 == 0 {
            tty.signal(Signal::WINCH);
        }
    }
    tty.resize(100, 30);
    tty.signal(Signal::TERM);
    assert_eq!(tty.end(), 143);
    tty.assert_restored();
}

/// Whether the shell waits for a line.
fn prompt(screen: &vt100::Screen) -> bool {
    !screen.alternate_screen() && screen.contents().trim_end().ends_with('$')
}

/// The children of a process, in the order in which they were started.
fn children(pid: Pid) -> Vec<Pid> {
    let pid = pid.as_raw_nonzero();
    let children = format!("/proc/{pid}/task/{pid}/children");
    let children = std::fs::read_to_string(children).expect("the system lists children");
    let children = children.split_whitespace().map(|child| child.parse());
    children
        .filter_map(|child| Pid::from_raw(child.ok()?))
        .collect()
}

#[test]
fn a_stop_gives_the_terminal_to_the_shell_and_fg_brings_the_screen_back() {
    // By a signal to the program alone, and by the key; the whole pipe stops in both cases.
    for by_key in [false, true] {
        let mut tty = Setup::command(&["/bin/bash", "--norc", "-i"]).start();
        tty.wait("$ ");
        tty.send(b"sleep 2 | \"$JSONMEDIC\"\r");
        tty.wait("Paste or type JSON");
        let group = children(tty.pid());
        let [_, program] = group[..] else {
            panic!("two programs, found {group:?}");
        };
        if by_key {
            tty.send(b"\x1a");
        } else {
            kill_process(program, Signal::TSTP).expect("it runs");
        }
        tty.wait("Stopped");
        tty.wait_screen("the prompt", prompt);
        for pid in group {
            wait_stopped(pid);
        }
        tty.send(b"echo on the $((1 + 1))nd screen\r");
        tty.wait("on the 2nd screen");
        tty.send(b"fg\r");
        tty.wait("Paste or type JSON");
        tty.wait_screen("the screen again", vt100::Screen::alternate_screen);
        // Keys are read again.
        tty.send(b"[1]");
        tty.wait("1 [1]");
        kill_process(program, Signal::TERM).expect("it runs");
        tty.wait_screen("the prompt", prompt);
        tty.send(b"exit $?\r");
        assert_eq!(tty.end(), 143);
        tty.assert_restored();
    }
}

#[test]
fn in_the_background_it_waits_until_it_owns_the_terminal() {
    let mut tty = Setup::command(&["/bin/bash", "--norc", "-i"]).start();
    tty.wait("$ ");
    tty.send(b"\"$JSONMEDIC\" &\r");
    tty.wait("[1]");
    wait_stopped(children(tty.pid())[0]);
    assert!(!tty.raw().windows(8).any(|part| part == b"\x1b[?1049h"));
    tty.send(b"fg\r");
    tty.wait_screen("the screen", vt100::Screen::alternate_screen);
    let program = children(tty.pid())[0];
    kill_process(program, Signal::TERM).expect("it runs");
    tty.wait_screen("the prompt", prompt);
    tty.send(b"exit\r");
    tty.end();
    tty.assert_restored();
}

/// The drafts in a home folder.
fn drafts(home: &Home) -> Vec<String> {
    let names = home.state("drafts").into_iter();
    names.filter(|name| name.ends_with(".json")).collect()
}

#[test]
fn the_draft_outlives_what_ends_the_program() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::KILL, 1)] {
        let mut tty = empty();
        tty.paste("{'a': 1,}");
        // Two seconds are promised.
        let start = Instant::now();
        while signal == Signal::KILL && drafts(&tty.home).is_empty() {
            assert!(start.elapsed() < Duration::from_secs(3), "no draft");
            std::thread::sleep(Duration::from_millis(10));
        }
        if signal != Signal::KILL {
            tty.keys("\x1b");
        }
        tty.signal(signal);
        assert_eq!(tty.end(), code);
        let left = drafts(&tty.home);
        assert_eq!(left.len(), 1, "{left:?}");
        let path = tty
            .home
            .path()
            .join(".local/state/jsonmedic/drafts")
            .join(&left[0]);
        let about = std::fs::metadata(&path).expect("the draft is there");
        assert_eq!(about.permissions().mode() & 0o777, 0o600);
        let text = std::fs::read_to_string(&path).expect("the draft is text");
        assert!(text.contains(r#""source":"{'a': 1,}""#), "{text}");
    }
}

#[test]
fn no_internet_socket_is_opened_whatever_the_display_says() {
    let strace = Command::new("strace").arg("-V").output();
    if strace.is_err() {
        println!("skipped: strace is not installed");
        return;
    }
    // A display without a server, where the library would go on to TCP, and a remote one.
    for display in [":77", "127.0.0.1:0", "localhost:10.0"] {
        let words = [
            "strace",
            "-f",
            "-qq",
            "-o",
            "calls",
            "-e",
            "trace=%network",
            PROGRAM,
        ];
        let mut tty = Setup::command(&words).env("DISPLAY", display).start();
        tty.wait_raw(b"\x1b[?2026l");
        tty.paste("{'a': 1,}");
        tty.keys("\x1b");
        // The copy waits for the output, so it is asked for until it is sent.
        let start = Instant::now();
        let sequence = b"\x1b]52;c;eyJhIjogMX0=\x07";
        while !tty
            .raw()
            .windows(sequence.len())
            .any(|part| part == sequence)
        {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "nothing was sent"
            );
            tty.keys("y");
        }
        tty.keys("p");
        tty.send(b"\x03");
        assert_eq!(tty.end(), 130);
        let calls = std::fs::read_to_string(tty.home.path().join("calls"));
        let calls = calls.expect("strace wrote them");
        assert!(calls.contains("AF_UNIX"), "{calls}");
        assert!(!calls.contains("AF_INET"), "{calls}");
    }
}

/// Types a text into the empty bench as a paste, and goes to Normal.
fn pasted(text: &str) -> Tty {
    let tty = empty();
    tty.wait("Paste or type JSON");
    tty.paste(text);
    tty.send(b"\x1b");
    tty.wait_gone("INSERT");
    tty
}

#[test]
fn a_paste_is_repaired_and_copied_with_the_route_named() {
    let mut tty = pasted("{'path': 'src/main.rs', 'n': 1,}");
    tty.wait(r#"{"path": "src/main.rs", "n": 1}"#);
    tty.keys("y");
    tty.wait("sent 31 B to the terminal (OSC 52)");
    assert_eq!(
        clipboard(&tty.raw()),
        [r#"{"path": "src/main.rs", "n": 1}"#]
    );
    tty.send(b"q");
    assert_eq!(tty.end(), 0);
    tty.assert_restored();
    assert_eq!(drafts(&tty.home), Vec::<String>::new());
}

/// What was sent to the clipboard by OSC 52.
fn clipboard(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw).into_owned();
    let parts = text.split("\x1b]52;c;").skip(1);
    let parts = parts.filter_map(|part| STANDARD.decode(part.split('\x07').next()?).ok());
    parts
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect()
}

#[test]
fn pasted_text_never_acts_as_commands() {
    // In Normal mode, where each of these letters would be a command: with brackets, with an end marker inside, and as
    // terminals without bracketed paste send it.
    for (bytes, shown) in [
        (&b"\x1b[200~[\"q\"]\x03\x1b[201~"[..], "[\"q\"]␃"),
        (b"\x1b[200~[\"a\x1b[201~qqq\x1b[201~", "␛[201~qqq"),
        (b"[\"qqqqqqq\", 'q']\r", "[\"qqqqqqq\", 'q']"),
    ] {
        // A terminal that has marked a paste is not suspected any more, so the last one is only typed to before.
        let mut tty = match bytes.first() {
            Some(b'\x1b') => pasted("[1]"),
            _ => {
                let tty = empty();
                tty.keys("[1]\x1b");
                tty
            }
        };
        tty.wait("BENCH");
        tty.wait_gone("INSERT");
        tty.send(bytes);
        tty.wait(shown);
        tty.send(b"\x03");
        assert_eq!(tty.end(), 130, "{}", bytes.escape_ascii());
        tty.assert_restored();
    }
}

#[test]
fn hostile_text_never_reaches_the_terminal() {
    let hostile = "{'a': \"\x1b]0;title\x07\x1b]52;c;AAAA\x07\x1b[31m\u{9b}31m\u{7f}\u{202e}\", 'b': '\\u001b]0;x\\u0007'}";
    let tty = Setup::program(&["hostile.json"]);
    tty.home.put("hostile.json", hostile);
    let mut tty = tty.size(120, 40).start();
    tty.wait("valid JSON");
    tty.keys("v");
    tty.keys("v");
    tty.keys("?");
    tty.keys("\x1b");
    let raw = String::from_utf8_lossy(&tty.raw()).into_owned();
    for part in [
        "\x1b]0;", "\x1b]52", "\u{9b}", "\u{7f}", "\u{202e}", "\x07", "\x1b[31m",
    ] {
        assert!(!raw.contains(part), "{part:?}");
    }
    tty.send(b"\x03");
    assert_eq!(tty.end(), 130);
}

#[test]
fn stdin_and_stdout_are_free_for_data() {
    let line = "printf \"{'a': 1,}\" | { \"$JSONMEDIC\"; echo $? > status; } | cat > out";
    let mut tty = Setup::shell(line).start();
    tty.wait(r#"{"a": 1}"#);
    tty.send(b"w");
    assert_eq!(tty.end(), 0);
    tty.assert_restored();
    let read = |name| std::fs::read_to_string(tty.home.path().join(name)).unwrap_or_default();
    assert_eq!(
        (read("out"), read("status")),
        (r#"{"a": 1}"#.into(), "0\n".into())
    );

    // Left without a result: nothing is written.
    let mut tty = Setup::shell(line).start();
    tty.wait(r#"{"a": 1}"#);
    tty.send(b"q");
    assert_eq!(tty.end(), 0);
    let read = |name| std::fs::read_to_string(tty.home.path().join(name)).unwrap_or_default();
    assert_eq!((read("out"), read("status")), (String::new(), "1\n".into()));
}

#[test]
fn a_closed_stdout_ends_quietly_and_a_full_one_keeps_the_draft() {
    let line = "printf \"{'a': 1,}\" | { \"$JSONMEDIC\" 2> said; echo $? > status; } | true";
    let full = "printf \"{'a': 1,}\" | \"$JSONMEDIC\" 2> said > /dev/full; echo $? > status";
    for (line, status, said, left) in [
        (line, "0\n", "", 0),
        (
            full,
            "2\n",
            "jsonmedic: standard output: no space left on device; the draft is kept and offered at the next start\n",
            1,
        ),
    ] {
        let mut tty = Setup::shell(line).start();
        tty.wait(r#"{"a": 1}"#);
        // A change makes a draft.
        tty.keys("a");
        tty.send(b"w");
        tty.end();
        let read = |name| std::fs::read_to_string(tty.home.path().join(name)).unwrap_or_default();
        assert_eq!(
            (read("status").as_str(), read("said").as_str()),
            (status, said)
        );
        assert_eq!(drafts(&tty.home).len(), left);
    }
}

#[test]
fn a_draft_is_offered_and_taken() {
    let tty = pasted("{'kept': 1,}");
    tty.wait(r#"{"kept": 1}"#);
    let mut tty = tty;
    tty.send(b"\x03");
    assert_eq!(tty.end(), 130);
    let home = std::mem::replace(&mut tty.home, Home::new());
    let mut tty = Setup::program(&[]).home(home).start();
    tty.wait("an unfinished text is there");
    tty.keys("a");
    tty.wait(r#"{"kept": 1}"#);
    // Taken and left again: it moved, so there is one and not two.
    tty.send(b"\x03");
    assert_eq!(tty.end(), 130);
    assert_eq!(drafts(&tty.home).len(), 1);
    let home = std::mem::replace(&mut tty.home, Home::new());
    let mut tty = Setup::program(&[]).home(home).start();
    tty.wait("an unfinished text is there");
    tty.keys("a");
    tty.wait(r#"{"kept": 1}"#);
    tty.keys("q");
    tty.wait("leaves without them");
    tty.send(b"\r");
    assert_eq!(tty.end(), 1);
    assert_eq!(drafts(&tty.home), Vec::<String>::new());
}

#[test]
fn a_file_that_cannot_be_read_is_named_before_there_is_a_screen() {
    for (file, told) in [
        ("missing", "missing: "),
        (".", ".: expected a file, found a folder"),
        ("/dev/zero", "/dev/zero: expected a regular file"),
        (
            "latin.txt",
            "latin.txt:1:2: expected UTF-8, found the byte E4",
        ),
    ] {
        let home = Home::new();
        std::fs::write(home.path().join("latin.txt"), b"'\xe4'").expect("the folder is there");
        let line = format!("\"$JSONMEDIC\" {file}");
        let mut tty = Setup::shell(&line).home(home).start();
        tty.wait(&format!("jsonmedic: {told}"));
        assert_eq!(tty.end(), 2, "{file}");
        assert!(!tty.raw().windows(8).any(|part| part == b"\x1b[?1049h"));
    }
}

#[test]
fn a_draft_waits_while_there_is_another_text() {
    let tty = pasted("{'kept': 1,}");
    tty.wait(r#"{"kept": 1}"#);
    let mut tty = tty;
    tty.send(b"\x03");
    assert_eq!(tty.end(), 130);
    let mut home = std::mem::replace(&mut tty.home, Home::new());
    home.put("other.json", "{'other': 1,}");
    for line in [
        "printf \"{'other': 1,}\" | \"$JSONMEDIC\" | cat",
        "\"$JSONMEDIC\" other.json",
    ] {
        let mut tty = Setup::shell(line).home(home).start();
        tty.wait(r#"{"other": 1}"#);
        tty.send(b"q");
        tty.end();
        assert!(!tty.contents().contains("an unfinished text"), "{line}");
        assert_eq!(drafts(&tty.home).len(), 1, "{line}");
        home = std::mem::replace(&mut tty.home, Home::new());
    }
    // Nothing else is asked, and it is still there.
    let mut tty = Setup::program(&[]).home(home).start();
    tty.wait("an unfinished text is there");
    tty.keys("q");
    assert_eq!(tty.end(), 1);
    assert_eq!(drafts(&tty.home).len(), 1);
    let home = std::mem::replace(&mut tty.home, Home::new());
    let mut tty = Setup::program(&[]).home(home).start();
    tty.wait("an unfinished text is there");
    tty.keys("d");
    tty.wait("the unfinished text is deleted");
    // The end waits for the files.
    tty.send(b"\x03");
    assert_eq!(tty.end(), 130);
    assert_eq!(drafts(&tty.home), Vec::<String>::new());
}

#[test]
fn the_editor_gets_the_terminal_and_its_text_comes_back() {
    let tty = Setup::program(&[])
        .env("VISUAL", "sed -i s/one/two/")
        .start();
    tty.wait("Paste or type JSON");
    tty.paste("{'one': 1}");
    tty.send(b"\x1b");
    tty.wait_gone("INSERT");
    tty.wait(r#"{"one": 1}"#);
    tty.keys("e");
    tty.wait(r#"{"two": 1}"#);
    assert_eq!(tty.home.state("edit"), Vec::<String>::new());
    assert!(tty.screen().alternate_screen());
}

#[test]
fn the_answer_of_the_terminal_decides_on_the_colours_and_a_late_one_is_no_typing() {
    for (delay, answer) in [
        (
            false,
            &b"\x1b]10;rgb:0000/0000/0000\x07\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62c"[..],
        ),
        (true, b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c"),
    ] {
        let setup = Setup::program(&[]);
        setup.home.put(".config/jsonmedic/config.toml", "");
        let mut tty = setup.start();
        tty.wait_raw(b"\x1b]11;?");
        if delay {
            tty.wait("Paste or type JSON");
        }
        tty.send(answer);
        tty.wait("Paste or type JSON");
        tty.send(b"[");
        tty.wait("1 [");
        let shown = tty.contents();
        assert!(!shown.contains("rgb") && !shown.contains("62c"), "{shown}");
        tty.send(b"\x03");
        assert_eq!(tty.end(), 130);
    }
}

#[test]
fn ctrl_z_without_a_shell_says_why_nothing_happens() {
    let tty = pasted("[1]");
    tty.wait("valid JSON");
    tty.keys("\x1a");
    tty.wait("there is no shell to go back to");
}

/// In a container that was entered from outside, parents, groups and sessions may lie where no number names them.
#[test]
fn processes_outside_the_pid_namespace_have_no_number() {
    let unshare = ["unshare", "--pid", "--fork", "--kill-child"];
    let allowed = std::process::Command::new(unshare[0])
        .args(&unshare[1..])
        .arg("true")
        .output();
    if !allowed.is_ok_and(|output| output.status.success()) {
        println!("skipped: this system lets nobody here make a pid namespace");
        return;
    }
    let program = env!("CARGO_BIN_EXE_jsonmedic");
    let behind_a_shell = format!("{program}; exit $?");
    let in_its_own_session: Vec<&str> = "script -qec"
        .split(' ')
        .chain([program, "/dev/null"])
        .collect();
    for words in [
        &[program][..],
        &["/bin/sh", "-c", &behind_a_shell],
        &in_its_own_session,
    ] {
        let mut tty = Setup::command(&[&unshare[..], words].concat()).start();
        tty.wait("Paste or type JSON");
        tty.paste("[1]");
        tty.send(b"\x1b");
        tty.wait("valid JSON");
        tty.keys("\x1a");
        tty.wait("there is no shell to go back to");
        tty.send(b"\x03");
        assert_eq!(tty.end(), 130, "{words:?}");
    }
}

#[test]
fn a_fault_in_the_configuration_is_said_with_its_line() {
    let setup = Setup::program(&[]);
    setup.home.put(
        ".config/jsonmedic/config.toml",
        "theme = \"dark\"\n\nkeyz = 1\n",
    );
    let tty = setup.size(120, 40).start();
    tty.wait("config.toml:3: `keyz`: expected one of");
}

#[test]
fn without_a_home_it_starts_and_says_what_it_cannot_keep() {
    let setup = Setup::program(&[]).env("HOME", "/dev/null");
    let tty = setup.size(120, 40).start();
    tty.wait("nothing outlives this run");
}

#[test]
fn every_key_of_the_table_in_every_place_leaves_the_program_alive() {
    // Where there is no way back, or where it ends.
    let left_out = ["app.interrupt", "app.quit", "app.suspend"];
    let keys = ROWS.iter().filter(|row| !left_out.contains(&row.id));
    let keys = keys.flat_map(|row| row.keys).flat_map(|(_, keys)| *keys);
    let keys: std::collections::BTreeSet<&str> = keys.copied().filter(|key| *key != "q").collect();
    assert!(60 < keys.len(), "{keys:?}");
    // Ways into a place from the Feed of the demo; `esc` leads back out of it.
    for way in [
        "", "\r", "\rt", "\r?", "\r:", "\rY", "\rs", "\ri", "\rz", "\r/", "/", "!",
    ] {
        let mut tty = Setup::program(&["demo"])
            .env("VISUAL", "true")
            .size(120, 40)
            .start();
        tty.wait("TodoWrite");
        for key in &keys {
            for step in way.chars() {
                tty.send(step.to_string().as_bytes());
            }
            tty.send(&key_bytes(key));
            // As the keyboard protocol sends `esc`: no time has to tell it from the start of a sequence.
            tty.send(b"\x1b[27u\x1b[27u\x1b[27u");
        }
        tty.send(b"\x03");
        assert_eq!(tty.end(), 130, "after {way:?}");
        tty.assert_restored();
    }
}

#[test]
fn the_mouse_moves_the_focus_and_the_wheel_scrolls() {
    let tty = Setup::program(&["demo"]).start();
    tty.wait("TodoWrite");
    // A click on the second row of the list, then enter.
    let row = |name: &str| {
        let shown = tty.contents();
        shown
            .lines()
            .position(|line| line.contains(name))
            .expect("it is listed")
            + 1
    };
    let place = row("Grep");
    tty.send(format!("\x1b[<0;5;{place}M\x1b[<0;5;{place}m").as_bytes());
    tty.wait("▸ 13:48:47");
    tty.send(b"\r");
    tty.wait("BENCH   Grep");
    tty.send(b"\x1b[<65;5;4M\x1b[<64;5;4M");
    tty.keys("?");
    tty.wait("Help");
}

#[test]
#[cfg(target_os = "linux")]
fn an_x_server_that_never_answers_holds_nothing_up() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    // Takes connections and says nothing, at a display number that no test machine uses.
    let number = 7000 + std::process::id() % 1000;
    let name = format!("/tmp/.X11-unix/X{number}");
    let address = SocketAddr::from_abstract_name(name).expect("a name");
    let _silent = UnixListener::bind_addr(&address).expect("nobody has this display");
    let mut tty = Setup::program(&[])
        .env("DISPLAY", &format!(":{number}"))
        .start();
    tty.wait("Paste or type JSON");
    tty.paste("{'a': 1,}");
    tty.send(b"\x1b");
    tty.wait_gone("INSERT");
    tty.wait(r#"{"a": 1}"#);
    let start = Instant::now();
    tty.keys("y");
    // Alive while it waits: another key, another frame.
    tty.keys("?");
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
    tty.keys("\x1b");
    tty.wait("sent 8 B to the terminal (OSC 52)");
    assert_eq!(clipboard(&tty.raw()), [r#"{"a": 1}"#]);
    tty.keys("p");
    tty.wait("nothing pasted: the display server did not answer");
    tty.send(b"\x03");
    assert_eq!(tty.end(), 130);
}

/// A running program that ends with the test.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn on_x11_a_copy_is_there_for_others_and_theirs_can_be_taken() {
    let there = |program| Command::new(program).arg("-version").output().is_ok();
    if !there("Xvfb") || !there("xclip") {
        println!("skipped: Xvfb or xclip is not installed");
        return;
    }
    let server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut server = Running(server.expect("Xvfb runs"));
    let mut number = String::new();
    let out = server.0.stdout.take().expect("a pipe");
    BufReader::new(out)
        .read_line(&mut number)
        .expect("it says its number");
    let display = format!(":{}", number.trim());
    let xclip = |arguments: &[&str]| {
        let mut command = Command::new("xclip");
        command.args(["-selection", "clipboard"]).args(arguments);
        command.env("DISPLAY", &display).stdin(Stdio::piped());
        command
    };

    let mut tty = Setup::program(&[]).env("DISPLAY", &display).start();
    tty.wait("Paste or type JSON");
    tty.paste("{'a': '日本',}");
    tty.send(b"\x1b");
    tty.wait_gone("INSERT");
    tty.wait(r#"{"a": "日本"}"#);
    tty.keys("y");
    tty.wait("copied 15 B (clipboard: X11)");
    let got = xclip(&["-o"]).output().expect("xclip runs");
    assert_eq!(String::from_utf8_lossy(&got.stdout), r#"{"a": "日本"}"#);
    assert_eq!(
        clipboard(&tty.raw()),
        Vec::<String>::new(),
        "nothing by the terminal too"
    );

    let mut give = xclip(&["-i"])
        .stdout(Stdio::null())
        .spawn()
        .expect("xclip runs");
    let mut stdin = give.stdin.take().expect("a pipe");
    stdin.write_all(b"{'theirs': 2}").expect("xclip reads");
    drop(stdin);
    give.wait().expect("xclip goes on in the background");
    // It may own the selection only a moment later.
    let deadline = std::time::Instant::now() + Duration::from_secs(10);
    while xclip(&["-o"]).output().expect("xclip runs").stdout != b"{'theirs': 2}" {
        assert!(
            std::time::Instant::now() < deadline,
            "xclip never gave the text"
        );
    }
    tty.keys("p");
    tty.wait(r#"{"theirs": 2}"#);
    tty.keys("y");
    tty.wait("copied 13 B (clipboard: X11)");
    tty.send(b"q");
    assert_eq!(tty.end(), 0);
    tty.wait("the copied text was held by this program");
    tty.assert_restored();
}
