//! What stays on the disk, who may read it, and what is said where nothing can stay.

#![cfg(feature = "tui")]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use support::{Home, PROGRAM, Setup};

const SECRET: &str = "hunter2-correct-horse";

/// All files and folders below one, itself included.
fn below(path: &Path, all: &mut Vec<PathBuf>) {
    all.push(path.to_owned());
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        match entry.path().is_dir() {
            true => below(&entry.path(), all),
            false => all.push(entry.path()),
        }
    }
}

#[test]
fn what_is_kept_is_private_and_only_what_was_turned_on() {
    for (config, names, secret_may_stay) in [
        ("", &[][..], false),
        ("audit = false\n", &[], false),
        ("audit = true\n", &["audit.jsonl"], false),
        ("audit = \"full\"\n", &["audit.jsonl"], true),
        ("session = true\n", &["session.json"], false),
    ] {
        let home = Home::new();
        home.put(
            ".config/jsonmedic/config.toml",
            &format!("theme = \"dark\"\n{config}"),
        );
        let mut tty = Setup::program(&[]).home(home).start();
        tty.wait("Paste or type JSON");
        tty.paste(&format!("{{'password': '{SECRET}',}}"));
        tty.send(b"\x1b[27u");
        tty.wait("valid JSON");
        tty.keys("y");
        tty.wait("OSC 52");
        tty.send(b"q");
        assert_eq!(tty.end(), 0, "{config:?}: {}", tty.contents());
        let state = tty.home.path().join(".local/state/jsonmedic");
        let mut all = Vec::new();
        if state.exists() {
            below(&state, &mut all);
        }
        let mut found: Vec<&str> = Vec::new();
        for path in &all {
            let about = std::fs::metadata(path).expect("it is there");
            let mode = about.permissions().mode() & 0o777;
            if about.is_dir() {
                assert_eq!(mode, 0o700, "{}", path.display());
                continue;
            }
            assert_eq!(mode, 0o600, "{}", path.display());
            let text = std::fs::read(path).expect("it can be read");
            let has_secret = text
                .windows(SECRET.len())
                .any(|part| part == SECRET.as_bytes());
            assert!(
                !has_secret || secret_may_stay,
                "{config:?}: {}",
                path.display()
            );
            if !text.is_empty() {
                found.extend(path.file_name().and_then(|name| name.to_str()));
            }
        }
        found.sort_unstable();
        assert_eq!(found, names, "{config:?}");
    }
}

#[test]
fn a_state_folder_that_cannot_be_written_is_said() {
    let home = Home::new();
    // A file in its place: nobody, root included, can make a folder there.
    home.put(".local/state", "in the way");
    let mut tty = Setup::program(&[]).home(home).size(120, 40).start();
    tty.wait("nothing outlives this run");
    tty.paste("{'a': 1,}");
    tty.wait(r#"{"a": 1}"#);
    tty.send(b"\x03");
    assert_eq!(tty.end(), 130);
    tty.assert_restored();
}

#[test]
fn headless_verbs_do_not_read_the_configuration() {
    let home = Home::new();
    home.put("text.json", "{'a': 1,}");
    for broken in [
        "theme = \"pink\"\n",
        "[",
        "keyz = 1\n",
        "audit = 7\n",
        "[keys]\n\"no.such\" = \"x\"\n",
        "\u{0}\u{1b}]0;x\u{7}",
    ] {
        home.put(".config/jsonmedic/config.toml", broken);
        for (words, code) in [
            ("fix text.json", 0),
            ("scan .", 0),
            ("explain trailing-comma", 0),
            ("formats", 0),
            ("watch --json --for 0 .", 0),
        ] {
            let output = Command::new(PROGRAM)
                .args(words.split(' '))
                .current_dir(home.path())
                .env("HOME", home.path())
                .env_remove("XDG_CONFIG_HOME")
                .env_remove("XDG_STATE_HOME")
                .stdin(Stdio::null())
                .output()
                .expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{words}: {said}");
            assert!(!said.contains("config"), "{words}: {said}");
        }
    }
}
