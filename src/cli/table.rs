//! Failed calls as a table that fits the terminal, and the line that shows how far a scan is.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::transcript::{FailedCall, Status};
use crate::visible::{visible, visible_bytes};

/// Columns of the table when nobody says how wide the screen is.
const WIDTH: usize = 80;
/// Below this width there is no room for the time.
const WIDE: usize = 100;

/// The columns between the marks, and how wide they are.
pub(super) struct Table {
    has_time: bool,
    tool: usize,
    format: usize,
    place: usize,
}

impl Table {
    /// A table for the screen, or for a pipe, where only the last column may be of any length.
    pub(super) fn new() -> Table {
        match io::stdout().is_terminal() {
            true => Table::of_width(screen_width()),
            false => Table {
                place: usize::MAX,
                ..Table::of_width(WIDE + 20)
            },
        }
    }

    fn of_width(width: usize) -> Table {
        let has_time = WIDE <= width;
        // Kind and repair have fixed widths; tool, format and place share the rest.
        let fixed = 12 + 1 + 7 + 3 + 3 + usize::from(has_time) * 17;
        let rest = width.saturating_sub(fixed).max(24);
        let (tool, format) = ((rest / 4).clamp(8, 24), (rest / 4).clamp(8, 18));
        Table {
            has_time,
            tool,
            format,
            place: rest - tool - format,
        }
    }

    /// The names of the columns.
    pub(super) fn head(&self) -> String {
        let cells = ["TIME", "KIND", "TOOL", "FORMAT", "REPAIR", "", "PLACE"];
        self.line(cells.map(str::to_owned))
    }

    /// One row.
    pub(super) fn row(&self, call: &FailedCall) -> String {
        let repair = match &call.repair {
            None => "lost",
            Some(repair) => match (repair.status, repair.worst) {
                (Status::Refused, _) => "refused",
                (_, Some(level)) => level.name(),
                (_, None) => "valid",
            },
        };
        let retry = match &call.retry {
            Some(retry) if retry.equal => "=",
            Some(_) => "~",
            None => "",
        };
        let time = call.time.as_deref().unwrap_or_default();
        let time: String = visible(time).chars().take(16).collect();
        self.line([
            time.replacen('T', " ", 1),
            call.kind.id().to_owned(),
            visible(call.tool.as_deref().unwrap_or("-")).into_owned(),
            call.format.to_owned(),
            repair.to_owned(),
            retry.to_owned(),
            place(call),
        ])
    }

    fn line(&self, [time, kind, tool, format, repair, retry, place]: [String; 7]) -> String {
        let mut out = String::new();
        if self.has_time {
            pad(&mut out, &time, 16);
        }
        pad(&mut out, &kind, 12);
        pad(&mut out, &cut_end(&tool, self.tool), self.tool);
        pad(&mut out, &cut_end(&format, self.format), self.format);
        pad(&mut out, &repair, 7);
        pad(&mut out, &retry, 1);
        out.push_str(&cut_start(&place, self.place));
        out
    }
}

/// File and line; the home folder as `~`.
pub(super) fn place(call: &FailedCall) -> String {
    let path = name(&call.origin.path);
    match call.origin.line {
        Some(line) => format!("{path}:{line}"),
        None => path,
    }
}

/// A path as it is shown.
pub(super) fn name(path: &Path) -> String {
    static HOME: OnceLock<Option<PathBuf>> = OnceLock::new();
    let home = HOME.get_or_init(|| etcetera::home_dir().ok()).as_ref();
    let below = home.and_then(|home| path.strip_prefix(home).ok());
    let shown = |path: &Path| visible_bytes(path.as_os_str().as_encoded_bytes());
    match below {
        Some(below) => format!("~/{}", shown(below)),
        None => shown(path),
    }
}

fn pad(out: &mut String, text: &str, width: usize) {
    out.push_str(text);
    let missing = width.saturating_sub(text.width());
    out.extend(std::iter::repeat_n(' ', missing + 1));
}

/// The beginning of a text that is too wide, with a sign for the rest.
fn cut_end(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for character in text.chars() {
        used += character.width().unwrap_or(0);
        if width < used {
            break;
        }
        out.push(character);
    }
    out.push('…');
    out
}

/// The end of a text that is too wide: of a path, the end says most.
fn cut_start(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let mut start = text.len();
    for (at, character) in text.char_indices().rev() {
        used += character.width().unwrap_or(0);
        if width < used {
            break;
        }
        start = at;
    }
    format!("…{}", &text[start..])
}

fn screen_width() -> usize {
    let named = std::env::var("COLUMNS").ok();
    let named = named.and_then(|columns| columns.parse().ok());
    named.or_else(terminal_width).unwrap_or(WIDTH)
}

#[cfg(unix)]
fn terminal_width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok()?;
    (0 < size.ws_col).then_some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn terminal_width() -> Option<usize> {
    None
}

/// The line on standard error that shows how far a scan is, if that is a terminal which can erase a line.
pub(super) struct Bar {
    is_shown: bool,
    is_possible: bool,
    since: Instant,
}

impl Bar {
    /// A bar that is not drawn yet.
    pub(super) fn new() -> Bar {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Bar {
            is_shown: false,
            is_possible: !is_dumb && io::stderr().is_terminal(),
            since: Instant::now(),
        }
    }

    /// Draws it.
    pub(super) fn show(&mut self, files: u64, total: u64, bytes: u64, found: u64) {
        if !self.is_possible || total == 0 {
            return;
        }
        let text = progress(files, total, bytes, found, self.since.elapsed());
        let mut out = io::stderr().lock();
        // A line that would wrap could not be taken away again.
        let text = cut_end(&text, screen_width().saturating_sub(1));
        let _ = write!(out, "\r\x1b[K{text}");
        let _ = out.flush();
        self.is_shown = true;
    }

    /// Takes it away, so that something else can be written.
    pub(super) fn hide(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let mut out = io::stderr().lock();
            let _ = write!(out, "\r\x1b[K");
            let _ = out.flush();
        }
    }
}

/// How far a scan is: files, bytes, rate, found.
fn progress(files: u64, total: u64, bytes: u64, found: u64, time: Duration) -> String {
    const CELLS: u64 = 10;
    let full = (files * CELLS / total).min(CELLS) as usize;
    let bar = format!("{}{}", "#".repeat(full), "-".repeat(CELLS as usize - full));
    let megabytes = bytes as f64 / 1e6;
    let rate = megabytes / time.as_secs_f64().max(0.001);
    format!("[{bar}] {files} of {total} files, {megabytes:.0} MB, {rate:.0} MB/s, {found} found")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_files_bytes_rate_and_found() {
        assert_eq!(
            progress(30, 400, 114_000_000, 23, Duration::from_millis(500)),
            "[----------] 30 of 400 files, 114 MB, 228 MB/s, 23 found"
        );
        assert_eq!(
            progress(400, 400, 0, 0, Duration::ZERO),
            "[##########] 400 of 400 files, 0 MB, 0 MB/s, 0 found"
        );
    }

    #[test]
    fn a_table_is_never_wider_than_the_screen() {
        let mut call = crate::transcript::read_all(
            format!("/srv/{}/log.jsonl", "日本".repeat(40)).as_ref(),
            br#"{"type":"function_call","name":"a_tool_with_a_name_of_some_length_indeed","arguments":"{a","call_id":"call_1"}"#,
        )
        .remove(0);
        call.time = Some("2026-11-30T14:02:11.000Z".into());
        for width in [60, 80, 100, 120, 240] {
            let table = Table::of_width(width);
            for line in [table.head(), table.row(&call)] {
                assert!(line.width() <= width, "{width}: {}: {line}", line.width());
            }
        }
        assert_eq!(
            Table::of_width(100).row(&call),
            "2026-11-30 14:02 malformed    a_tool_with_a… codex          lossy     …日本日本日本日本/log.jsonl:1"
        );
    }
}
