//! The thread that touches files for the workbench, so that a slow disk never holds the screen.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use super::audit::{self, Audit};
use super::drafts::{Drafts, Offered};
use super::{Message, session};
use crate::app::event::AuditRecord;
use crate::app::paths::Completed;
use crate::app::{Document, Draft, EffectId, Event, Outcome, Session};
use crate::files;
use crate::repair::{ToolContext, encoding};
use crate::transcript::tools::Tools;

/// One log line longer than this is not held in memory.
const LONGEST_LINE: u64 = 1 << 30;

/// What the thread is asked to do.
pub enum Task {
    /// Write a file by rename.
    Write {
        /// Who is answered.
        id: EffectId,
        /// The file.
        path: PathBuf,
        /// Its content.
        text: Arc<String>,
        /// Whether a file that is there may be replaced.
        replace: bool,
    },
    /// Read a text.
    Open(EffectId, PathBuf),
    /// Read the text of the command line; there is no answer but the text itself, or a word on why not.
    First(PathBuf, ToolContext),
    /// Look what a folder holds that begins as typed.
    Complete(EffectId, String),
    /// Read tool definitions.
    Tools(EffectId, PathBuf),
    /// Read one line of a log.
    Line(EffectId, PathBuf, u64),
    /// Add to the audit file.
    Audit(EffectId, Box<AuditRecord>),
    /// Keep the session.
    Session(Session),
    /// Look for a draft of an earlier run: the newest, or the one of this file.
    Offer(Option<PathBuf>),
    /// What becomes of the draft that was offered.
    Offered(Offered),
    /// A new draft waits.
    Draft,
    /// The draft is done with.
    RemoveDraft,
    /// Answer when everything before is done.
    Finish(Sender<()>),
}

/// What the thread and the last words of a dying process share.
#[derive(Default)]
struct Shared {
    /// The newest draft that is not on disk. Held for a moment only.
    pending: Mutex<Option<Draft>>,
    /// Held while a draft is written.
    drafts: Mutex<Option<Drafts>>,
}

/// The files as the run loop sees them.
#[derive(Clone)]
pub struct Store {
    tasks: Sender<Task>,
    shared: Arc<Shared>,
}

impl Store {
    /// Starts the thread. `state` is the folder for what outlives a run, if there is one.
    pub fn start(
        state: Option<&Path>,
        audit: Audit,
        out: SyncSender<Message>,
    ) -> io::Result<Store> {
        let (tasks, todo) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        let mut desk = Desk {
            state: state.map(Path::to_owned),
            audit,
            out,
            shared: Arc::clone(&shared),
            complained: false,
        };
        std::thread::Builder::new()
            .name("files".into())
            .spawn(move || {
                for task in todo {
                    desk.act(task);
                }
            })?;
        Ok(Store { tasks, shared })
    }

    /// Hands a task over. Never waits.
    pub fn ask(&self, task: Task) {
        let _ = self.tasks.send(task);
    }

    /// Keeps a draft; it is on disk as soon as the disk allows.
    pub fn keep(&self, draft: Draft) {
        *lock(&self.shared.pending) = Some(draft);
        self.ask(Task::Draft);
    }

    /// Waits until all tasks are done, for as long as a clean end may take.
    pub fn finish(&self) {
        let (done, all) = mpsc::channel();
        self.ask(Task::Finish(done));
        let _ = all.recv_timeout(Duration::from_secs(1));
    }

    /// Writes the draft that waits, from whatever thread is the last to run. Whether there is one on disk then.
    pub fn last_words(&self) -> bool {
        let Some(mut drafts) = lock_within(&self.shared.drafts, Duration::from_millis(500)) else {
            return false;
        };
        let Some(drafts) = drafts.as_mut() else {
            return false;
        };
        match lock(&self.shared.pending).take() {
            Some(draft) => drafts.save(&draft).is_ok(),
            None => drafts.has_own(),
        }
    }
}

/// The thread's own state.
struct Desk {
    state: Option<PathBuf>,
    audit: Audit,
    out: SyncSender<Message>,
    shared: Arc<Shared>,
    /// Whether the user was told that no draft can be kept.
    complained: bool,
}

impl Desk {
    fn act(&mut self, task: Task) {
        match task {
            Task::Write {
                id,
                path,
                text,
                replace,
            } => self.answer(id, write(&at_home(&path), &text, replace)),
            Task::Complete(id, typed) => {
                self.answer(id, Ok(Outcome::Completed(complete(typed))));
            }
            Task::Open(id, path) => {
                let opened = open(&at_home(&path), ToolContext::default()).map(Outcome::Opened);
                self.answer(id, opened);
            }
            Task::First(path, tool) => self.tell(match open(&path, tool) {
                Ok(document) => Event::Open(document),
                Err(why) => Event::Say(why),
            }),
            Task::Tools(id, path) => {
                self.answer(id, tools(&at_home(&path)).map(Outcome::Tools));
            }
            Task::Line(id, path, offset) => {
                self.answer(id, line(&path, offset).map(Outcome::Line));
            }
            Task::Audit(id, record) => {
                let Some(state) = &self.state else { return };
                if let Err(why) = audit::write(state, self.audit, &record) {
                    self.answer(id, Err(format!("no audit line was written: {why}")));
                }
            }
            Task::Session(session) => {
                if let Some(Err(why)) = self
                    .state
                    .as_deref()
                    .map(|state| session::write(state, &session))
                {
                    self.tell(Event::Say(format!("the session is not kept: {why}")));
                }
            }
            Task::Offer(file) => {
                let mut drafts = self.drafts();
                let draft = drafts
                    .as_mut()
                    .and_then(|drafts| drafts.offer(file.as_deref()));
                drop(drafts);
                if let Some(draft) = draft {
                    self.tell(Event::Draft(draft));
                }
            }
            Task::Offered(answer) => {
                if let Some(drafts) = self.drafts().as_mut() {
                    drafts.answered(answer);
                }
            }
            Task::Draft => self.save_draft(),
            Task::RemoveDraft => {
                *lock(&self.shared.pending) = None;
                if let Some(drafts) = self.drafts().as_mut() {
                    drafts.remove();
                }
            }
            Task::Finish(done) => {
                self.save_draft();
                let _ = done.send(());
            }
        }
    }

    /// Writes the newest draft; of several that wait, the older ones are passed over.
    fn save_draft(&mut self) {
        let shared = Arc::clone(&self.shared);
        let mut drafts = self.drafts();
        let saved = match (drafts.as_mut(), lock(&shared.pending).take()) {
            (Some(drafts), Some(draft)) => drafts.save(&draft),
            _ => Ok(()),
        };
        drop(drafts);
        if let Err(why) = saved {
            self.complain(&why);
        }
    }

    /// The drafts, opened when they are first needed.
    fn drafts(&mut self) -> MutexGuard<'_, Option<Drafts>> {
        let mut drafts = lock(&self.shared.drafts);
        if drafts.is_none()
            && !self.complained
            && let Some(state) = &self.state
        {
            match Drafts::open(state) {
                Ok(opened) => *drafts = Some(opened),
                Err(why) => {
                    self.complained = true;
                    say(&self.out, no_draft(&why));
                }
            }
        }
        drafts
    }

    /// Once: the next try will fail the same way.
    fn complain(&mut self, why: &str) {
        if !std::mem::replace(&mut self.complained, true) {
            say(&self.out, no_draft(why));
        }
    }

    fn answer(&self, id: EffectId, outcome: Result<Outcome, String>) {
        self.tell(Event::Done(id, outcome));
    }

    fn tell(&self, event: Event) {
        let _ = self.out.send(Message::Event(event));
    }
}

/// A path below `~` as the shell would read it.
fn at_home(path: &Path) -> PathBuf {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    match (home, path.strip_prefix("~")) {
        (Some(home), Ok(rest)) => Path::new(&home).join(rest),
        _ => path.to_owned(),
    }
}

/// What a folder holds that begins as typed. Hidden files come only where a dot was typed; a folder that cannot be read
/// holds nothing.
fn complete(typed: String) -> Completed {
    let (folder, start) = match typed.rfind('/') {
        Some(at) => typed.split_at(at + 1),
        None => ("", typed.as_str()),
    };
    let place = match folder {
        "" => PathBuf::from("."),
        folder => at_home(Path::new(folder)),
    };
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let hidden = name.starts_with('.') && !start.starts_with('.');
            // A link to a folder is one too.
            let slash = if entry.path().is_dir() { "/" } else { "" };
            (name.starts_with(start) && !hidden).then(|| format!("{name}{slash}"))
        })
        .collect();
    names.sort_unstable();
    let common = match names.split_first() {
        Some((first, rest)) => rest.iter().fold(first.as_str(), |common, name| {
            let same = common.char_indices().zip(name.chars());
            let end = same
                .take_while(|((_, one), two)| one == two)
                .map(|((at, letter), _)| at + letter.len_utf8())
                .last();
            &common[..end.unwrap_or(0)]
        }),
        None => start,
    };
    Completed {
        text: format!("{folder}{common}"),
        names,
        typed,
    }
}

fn no_draft(why: &str) -> String {
    format!("no draft is kept, so unsaved work ends with the program: {why}")
}

fn say(out: &SyncSender<Message>, text: String) {
    let _ = out.send(Message::Event(Event::Say(text)));
}

fn write(path: &Path, text: &str, replace: bool) -> Result<Outcome, String> {
    let shown = files::shown(path);
    if !replace && path.symlink_metadata().is_ok() {
        return Ok(Outcome::Exists { path: shown });
    }
    files::write_file(path, |out| out.write_all(text.as_bytes()))
        .map_err(|why| format!("{shown}: {why}"))?;
    Ok(Outcome::Written { path: shown })
}

/// The text of a file.
pub fn open(path: &Path, tool: ToolContext) -> Result<Document, String> {
    let name = files::shown(path);
    let bytes = files::read_file(path).map_err(|why| format!("{name}: {why}"))?;
    let text = text(bytes).map_err(|why| format!("{name}:{why}"))?;
    Ok(Document { name, text, tool })
}

/// The text that bytes hold, or the place of the first byte that is none.
pub fn text(bytes: Vec<u8>) -> Result<Arc<String>, String> {
    if let Err(unreadable) = encoding::decode(&bytes) {
        return Err(unreadable.message());
    }
    String::from_utf8(bytes)
        .map(Arc::new)
        .map_err(|error| error.to_string())
}

/// The tools that a file of definitions declares.
pub fn tools(path: &Path) -> Result<Vec<ToolContext>, String> {
    let name = files::shown(path);
    let bytes = files::read_file(path).map_err(|why| format!("{name}: {why}"))?;
    let tools = Tools::parse(&bytes).map_err(|why| format!("{name}: {why}"))?;
    let names = tools.names().into_iter();
    Ok(names.map(|name| tools.context(name)).collect())
}

/// One line of a log, without its line end.
fn line(path: &Path, offset: u64) -> Result<String, String> {
    let fail = |why: String| format!("{}: {why}", files::shown(path));
    let read = || -> io::Result<Vec<u8>> {
        let mut file: File = files::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("expected a regular file"));
        }
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        BufReader::new(file.take(LONGEST_LINE)).read_until(b'\n', &mut bytes)?;
        if bytes.pop_if(|byte| *byte == b'\n').is_none() && bytes.len() as u64 == LONGEST_LINE {
            return Err(io::Error::other("the line is over 1 GiB long"));
        }
        Ok(bytes)
    };
    let bytes = read().map_err(|error| fail(files::words(&error)))?;
    String::from_utf8(bytes).map_err(|_| fail("the line is no UTF-8".into()))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

fn lock_within<T>(mutex: &Mutex<T>, limit: Duration) -> Option<MutexGuard<'_, T>> {
    let start = Instant::now();
    loop {
        match mutex.try_lock() {
            Ok(held) => return Some(held),
            Err(TryLockError::Poisoned(broken)) => return Some(broken.into_inner()),
            Err(TryLockError::WouldBlock) if start.elapsed() < limit => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_at_its_byte() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let log = folder.path().join("a.jsonl");
        std::fs::write(&log, b"{\"a\":1}\n{\"b\":2}\r\n\xff\nlast")?;
        for (offset, want) in [
            (0, Ok("{\"a\":1}".to_owned())),
            (8, Ok("{\"b\":2}\r".to_owned())),
            (17, Err(format!("{}: the line is no UTF-8", log.display()))),
            (19, Ok("last".to_owned())),
            (99, Ok(String::new())),
        ] {
            assert_eq!(line(&log, offset), want);
        }
        Ok(())
    }

    #[test]
    fn a_path_is_completed_as_far_as_all_names_agree() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        for name in [
            "reply-1.json",
            "reply-2.json",
            "other.txt",
            ".hidden",
            "größe",
        ] {
            std::fs::write(folder.path().join(name), "")?;
        }
        std::fs::create_dir(folder.path().join("logs"))?;
        let base = folder.path().to_string_lossy().into_owned();
        for (typed, text, names) in [
            ("re", "reply-", "reply-1.json reply-2.json"),
            ("reply-1", "reply-1.json", "reply-1.json"),
            ("l", "logs/", "logs/"),
            ("gr", "größe", "größe"),
            ("", "", "größe logs/ other.txt reply-1.json reply-2.json"),
            (".", ".hidden", ".hidden"),
            ("x", "x", ""),
            ("no/such", "no/such", ""),
        ] {
            let found = complete(format!("{base}/{typed}"));
            assert_eq!(found.text, format!("{base}/{text}"), "{typed}");
            assert_eq!(found.names.join(" "), names, "{typed}");
        }
        Ok(())
    }

    #[test]
    fn a_file_that_is_there_is_not_replaced_unasked() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.json");
        let word = |outcome| match outcome {
            Ok(Outcome::Written { .. }) => "written",
            Ok(Outcome::Exists { .. }) => "exists",
            _ => "other",
        };
        for (text, replace, want, left) in [
            ("1", false, "written", "1"),
            ("2", false, "exists", "1"),
            ("3", true, "written", "3"),
        ] {
            assert_eq!(word(write(&path, text, replace)), want);
            assert_eq!(std::fs::read_to_string(&path)?, left);
        }
        Ok(())
    }

    #[test]
    fn texts_that_are_no_utf8_are_refused_with_their_place() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.json");
        std::fs::write(&path, b"{\"a\":\n\"\xff\"}")?;
        let name = path.display();
        let opened = open(&path, ToolContext::default()).map(|document| document.name);
        assert_eq!(
            opened,
            Err(format!(
                "{name}:2:2: expected UTF-8, found the byte FF (JSON is UTF-8; convert the text first)"
            ))
        );
        Ok(())
    }
}
