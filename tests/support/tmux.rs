//! A real tmux session on a server of its own, for what another terminal sees.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(30);

/// A session with one window, in which a shell runs.
pub struct Tmux {
    name: String,
}

/// Whether tmux is there at all.
pub fn is_there() -> bool {
    let version = Command::new("tmux")
        .arg("-V")
        .stdout(Stdio::null())
        .status();
    version.is_ok_and(|status| status.success())
}

impl Tmux {
    /// Starts a shell at this size in `home`. tmux keeps what programs copy (`set-clipboard on`), and passes on what is
    /// wrapped for the terminal around it.
    pub fn start(name: &str, home: &Path, (columns, rows): (u16, u16), program: &str) -> Tmux {
        let tmux = Tmux {
            name: format!("jsonmedic-test-{}-{name}", std::process::id()),
        };
        let (home, columns, rows) = (
            home.to_string_lossy(),
            columns.to_string(),
            rows.to_string(),
        );
        let shell = format!(
            "env -i PATH=/usr/local/bin:/usr/bin:/bin TERM=$TERM TMUX=$TMUX LANG=C.UTF-8 HOME='{home}' JSONMEDIC='{program}' PS1='$ ' /bin/sh"
        );
        let session = [
            "new-session",
            "-d",
            "-x",
            &columns,
            "-y",
            &rows,
            "-c",
            &home,
            &shell,
        ];
        let set = |option: &'static str, value: &'static str| ["set-option", "-s", option, value];
        let mut words: Vec<&str> = vec!["start-server", ";"];
        for option in [set("escape-time", "0"), set("set-clipboard", "on")] {
            words.extend(option);
            words.push(";");
        }
        words.extend(["set-option", "-g", "allow-passthrough", "on", ";"]);
        words.extend(session);
        tmux.run(&words);
        tmux
    }

    /// Runs a tmux command; its output.
    pub fn run(&self, words: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-L", &self.name, "-f", "/dev/null"])
            .args(words)
            .env_remove("TMUX")
            .output()
            .expect("tmux runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {words:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Types text, and keys by their names in tmux.
    pub fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.run(&["send-keys", key]);
        }
    }

    /// A line for the shell.
    pub fn line(&self, text: &str) {
        self.run(&["send-keys", "-l", text]);
        self.run(&["send-keys", "Enter"]);
    }

    /// What the pane shows: two equal captures, since one can fall into a redraw.
    pub fn screen(&self) -> String {
        let capture = || self.run(&["capture-pane", "-p"]);
        let mut before = capture();
        loop {
            let now = capture();
            if now == before {
                return now;
            }
            before = now;
        }
    }

    /// Waits until the pane shows what `holds` asks for; what it shows then.
    pub fn wait_for(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if holds(&screen) {
                return screen;
            }
            assert!(
                start.elapsed() < LIMIT,
                "waited for {what}; the pane:\n{screen}"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the pane shows `text`.
    pub fn wait(&self, text: &str) -> String {
        self.wait_for(&format!("{text:?}"), |screen| screen.contains(text))
    }

    /// The modes of the pane, as tmux knows them.
    pub fn modes(&self) -> String {
        let modes = "#{alternate_on} #{mouse_any_flag} #{bracket_paste_flag} #{cursor_flag} #{insert_flag} #{keypad_flag} #{wrap_flag}";
        self.run(&["display-message", "-p", modes])
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let mut kill = Command::new("tmux");
        kill.args(["-L", &self.name, "kill-server"])
            .env_remove("TMUX");
        let _ = kill.stderr(Stdio::null()).status();
    }
}
