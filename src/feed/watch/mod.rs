//! The thread that follows logs: events of the system are hints, clocks look after what events miss.

mod first;
mod keep;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use keep::{Haste, Keeper};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::feed::file::{self, FileId};
use crate::feed::follow::Follower;
use crate::feed::hints::{Hints, Told};
use crate::feed::log::Wanted;
use crate::feed::walk::{Unread, walk};
use crate::transcript::{Counts, FeedEvent, How, Kinds, Register};
use crate::visible::{visible, visible_bytes};

/// How often roots and files in use are looked at, and all files where there are no events.
const LOOK: Duration = Duration::from_secs(2);
/// How often files that change right now are looked at where there are no events.
const LOOK_CLOSELY: Duration = Duration::from_millis(100);
/// A file that changed within this time changes right now.
const RIGHT_NOW: Duration = Duration::from_secs(10);
/// How often everything is looked at even where there are events.
const RESCAN: Duration = Duration::from_secs(30);
/// How often positions are written.
const SAVE: Duration = Duration::from_secs(1);
/// A file that changed within this time is in use.
const IN_USE: Duration = Duration::from_secs(300);
/// Files in use that are looked at between two looks at everything.
const MAX_IN_USE: usize = 512;
/// Changes that nobody told of before events are no longer waited for.
const MAX_SILENT: u32 = 3;

/// What to follow, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Files and folders; empty for every known log folder that exists.
    pub places: Vec<PathBuf>,
    /// Kinds of failure that are told.
    pub kinds: Kinds,
    /// Logs that are read.
    pub wanted: Wanted,
    /// First tell what is there already.
    pub from_start: bool,
    /// Go on at the positions saved here, and save them here.
    pub resume: Option<PathBuf>,
    /// Look at the files instead of waiting for events.
    pub poll: bool,
}

/// A running watch. It ends when it is stopped or dropped.
#[derive(Debug)]
pub struct Watch {
    hints: Arc<Hints>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to follow logs on a thread of its own. `tell` is called on that thread; when it returns false, nobody
    /// listens any more and the watch ends.
    pub fn start(options: Options, tell: impl FnMut(FeedEvent) -> bool + Send + 'static) -> Watch {
        let hints = Arc::new(Hints::default());
        let shared = Arc::clone(&hints);
        let thread = thread::spawn(move || Loop::run(options, shared, Box::new(tell)));
        Watch {
            hints,
            thread: Some(thread),
        }
    }

    /// Ends the watch and waits until everything that was read is told, and positions are saved.
    pub fn stop(mut self) {
        self.end();
    }

    /// Whether the watch has ended by itself.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn end(&mut self) {
        self.hints.lock().is_over = true;
        self.hints.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of that thread has been told by the hook.
            let _ = thread.join();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end();
    }
}

struct Loop {
    options: Options,
    hints: Arc<Hints>,
    tell: Box<dyn FnMut(FeedEvent) -> bool + Send>,
    follower: Follower,
    watcher: Option<RecommendedWatcher>,
    how: How,
    roots: Vec<Root>,
    /// What could not be read, so that it is said once.
    unread: HashMap<PathBuf, String>,
    counts: Counts,
    keeper: Keeper,
    silent: u32,
    /// When progress was told.
    told: Instant,
    goes_on: bool,
}

/// A place that was asked for.
struct Root {
    path: PathBuf,
    /// Which folder it was when it was last looked at; a watch on a folder that was made anew is dead without an error.
    id: Option<RootId>,
}

impl Root {
    /// Events come with absolute paths, so a root is one.
    fn new(path: PathBuf) -> Root {
        let path = std::path::absolute(&path).unwrap_or(path);
        Root { path, id: None }
    }
}

/// Which folder it is, and when it was made: its number may be given out again at once.
type RootId = (FileId, Option<SystemTime>);

fn id_of_root(path: &Path) -> Option<RootId> {
    let about = std::fs::metadata(path).ok()?;
    Some((file::id_of(&about, path), about.created().ok()))
}

impl Loop {
    fn run(options: Options, hints: Arc<Hints>, tell: Box<dyn FnMut(FeedEvent) -> bool + Send>) {
        let mut work = Loop::new(options, hints, tell);
        // Watches stand before the first look, so that nothing falls between.
        work.make_watcher();
        work.first_look();
        work.follow();
        work.finish();
    }

    fn new(
        options: Options,
        hints: Arc<Hints>,
        tell: Box<dyn FnMut(FeedEvent) -> bool + Send>,
    ) -> Loop {
        let places = match options.places.is_empty() {
            true => crate::feed::places::known(),
            false => options.places.clone(),
        };
        let register = Register::new(options.kinds);
        Loop {
            follower: Follower::new(register, options.wanted.clone()),
            roots: places.into_iter().map(Root::new).collect(),
            options,
            hints,
            tell,
            watcher: None,
            how: How::Polling,
            unread: HashMap::new(),
            counts: Counts::default(),
            keeper: Keeper::default(),
            silent: 0,
            told: Instant::now(),
            goes_on: true,
        }
    }

    fn make_watcher(&mut self) {
        if self.options.poll {
            return;
        }
        let hints = Arc::clone(&self.hints);
        match notify::recommended_watcher(move |event| hints.take_event(event)) {
            Ok(watcher) => {
                self.watcher = Some(watcher);
                self.how = How::Events;
            }
            Err(error) => return self.trouble(&error),
        }
        for index in 0..self.roots.len() {
            self.watch_root(index);
        }
    }

    /// Asks for events of a root, and remembers which folder it is.
    fn watch_root(&mut self, index: usize) {
        let root = &mut self.roots[index];
        root.id = id_of_root(&root.path);
        let Ok(about) = std::fs::metadata(&root.path) else {
            return;
        };
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        // A file is watched through its folder: it may be replaced.
        let (path, mode) = match about.is_dir() {
            true => (root.path.as_path(), RecursiveMode::Recursive),
            false => (folder_of(&root.path), RecursiveMode::NonRecursive),
        };
        let _ = watcher.unwatch(path);
        if let Err(error) = watcher.watch(path, mode) {
            self.trouble(&error);
        }
    }

    /// The source of events complains. Where a limit is reached the files are looked at from now on.
    fn trouble(&mut self, error: &notify::Error) {
        use notify::ErrorKind;
        let limit = match &error.kind {
            ErrorKind::MaxFilesWatch => "max_user_watches",
            ErrorKind::Io(error) if error.raw_os_error() == Some(24) => "max_user_instances",
            // A folder that went away in the meantime is found by the next look.
            ErrorKind::PathNotFound => return,
            ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            _ => {
                let why = visible(&error.to_string()).into_owned();
                if self.watcher.is_none() {
                    self.how = How::Polling;
                    self.say(FeedEvent::Note(format!(
                        "no file events here, polling every 2 s ({why})"
                    )));
                } else {
                    self.say(FeedEvent::Note(format!(
                        "file events: {why}; looking at every log"
                    )));
                }
                return;
            }
        };
        self.watcher = None;
        self.how = How::Polling;
        self.say(FeedEvent::Note(format!(
            "inotify limit reached, polling every 2 s (raise fs.inotify.{limit})"
        )));
    }

    fn follow(&mut self) {
        let start = Instant::now();
        let (mut looked, mut closely, mut rescanned) = (start, start, start);
        let mut rescan = Duration::ZERO;
        let mut unsaved: Option<Instant> = None;
        let mut pace_of_save = SAVE;
        while !self.is_over() {
            let pause = match self.how {
                How::Events => looked + LOOK,
                How::Polling => closely + LOOK_CLOSELY,
            };
            let until = [
                self.follower.next_due(),
                unsaved.map(|since| since + pace_of_save),
            ];
            let until = until.into_iter().flatten().fold(pause, Instant::min);
            let (paths, is_incomplete, trouble) = self.wait(until);
            let now = Instant::now();
            if let Some(trouble) = trouble {
                self.trouble(&trouble);
            }
            for path in &paths {
                self.changed(path, now);
            }
            if !paths.is_empty() {
                self.silent = 0;
            }
            // Where a look at everything takes long, it is taken less often.
            let pace = match self.how {
                How::Events => RESCAN.max(rescan * 100),
                How::Polling => LOOK.max(rescan * 20),
            };
            if is_incomplete || pace <= now.duration_since(rescanned) {
                rescan = self.rescan(now);
                rescanned = Instant::now();
            }
            if LOOK <= now.duration_since(looked) {
                looked = now;
                self.look(now);
            }
            if LOOK_CLOSELY <= now.duration_since(closely) {
                closely = now;
                if self.how == How::Polling {
                    self.look_at_changed_since(now, RIGHT_NOW);
                }
            }
            self.follower.tick(now);
            self.tell_events();
            if self.options.resume.is_some() {
                let since = *unsaved.get_or_insert(now);
                if pace_of_save <= now.duration_since(since) {
                    unsaved = None;
                    let start = Instant::now();
                    self.save(Haste::Later);
                    // Of very many files it takes a while to say where each reader stands.
                    pace_of_save = SAVE.max(start.elapsed() * 20);
                }
            }
        }
    }

    /// Sleeps until there is something to do, and takes what was told meanwhile.
    fn wait(&self, until: Instant) -> (Vec<PathBuf>, bool, Option<notify::Error>) {
        let rest = until.saturating_duration_since(Instant::now());
        let is_quiet =
            |told: &mut Told| told.paths.is_empty() && !told.is_incomplete && !told.is_over;
        let (mut told, _) = self
            .hints
            .wake
            .wait_timeout_while(self.hints.lock(), rest, is_quiet)
            .unwrap_or_else(PoisonError::into_inner);
        let mut paths: Vec<PathBuf> = std::mem::take(&mut told.paths).into_iter().collect();
        // Old names before new ones: a log that was renamed is read before the one that took its place.
        paths.sort();
        (
            paths,
            std::mem::take(&mut told.is_incomplete),
            told.trouble.take(),
        )
    }

    /// Something happened at a path: to a file, or to a folder, of which the files may have been written before it
    /// was watched.
    fn changed(&mut self, path: &Path, now: Instant) {
        if !self.is_below_a_root(path) {
            return;
        }
        // What happens to a folder that was asked for may have ended its watch.
        if let Some(index) = self.roots.iter().position(|root| root.path == path)
            && !path.is_file()
        {
            self.watch_root(index);
        }
        match std::fs::metadata(path) {
            Ok(about) if about.is_dir() => self.look_into(path, now),
            _ => self.hint(path, now),
        }
    }

    fn hint(&mut self, path: &Path, now: Instant) {
        match self.follower.hint(path, now) {
            Ok(()) => drop(self.unread.remove(path)),
            Err(error) => self.tell_unread(vec![Unread {
                path: path.to_owned(),
                why: file::words(&error),
                is_named: false,
            }]),
        }
        self.tell_events();
    }

    /// Looks at every file. Returns how long the looking alone took.
    fn rescan(&mut self, now: Instant) -> Duration {
        let start = Instant::now();
        let found = walk(&self.places());
        let changed = self.changed_among(&found.files);
        let there: HashSet<&Path> = found.files.iter().map(PathBuf::as_path).collect();
        let paths = self.follower.tailer.paths();
        let gone: Vec<PathBuf> = paths
            .filter(|path| !there.contains(path))
            .map(Path::to_owned)
            .collect();
        let took = start.elapsed();
        for path in changed.iter().chain(&gone) {
            self.hint(path, now);
        }
        self.tell_unread(found.unread);
        took
    }

    /// Looks at every file below a folder, of which the files may have been written before it was watched.
    fn look_into(&mut self, folder: &Path, now: Instant) {
        let found = walk(&[folder.to_owned()]);
        for path in self.changed_among(&found.files) {
            self.hint(&path, now);
        }
        self.tell_unread(found.unread);
    }

    /// The files that are new or not as they were.
    fn changed_among(&self, files: &[PathBuf]) -> Vec<PathBuf> {
        let tailer = &self.follower.tailer;
        let changed = files.iter().filter(|path| tailer.has_changed(path));
        changed.cloned().collect()
    }

    /// The look every two seconds: roots that were made anew, files in use that changed without an event.
    fn look(&mut self, now: Instant) {
        for index in 0..self.roots.len() {
            let root = &self.roots[index];
            if id_of_root(&root.path) == root.id {
                continue;
            }
            let place = root.path.clone();
            self.watch_root(index);
            self.look_into(&place, now);
        }
        if self.how == How::Events && self.look_at_changed_since(now, IN_USE) {
            self.silent += 1;
            if MAX_SILENT <= self.silent {
                self.watcher = None;
                self.how = How::Polling;
                self.say(FeedEvent::Note(
                    "no file events here, polling every 2 s".to_owned(),
                ));
            }
        }
    }

    /// Looks at files that changed lately. Returns whether one had changed and nobody told.
    fn look_at_changed_since(&mut self, now: Instant, time: Duration) -> bool {
        let Some(since) = now.checked_sub(time) else {
            return false;
        };
        let in_use = self.follower.tailer.changed_since(since, MAX_IN_USE);
        let in_use: Vec<PathBuf> = in_use.into_iter().map(Path::to_owned).collect();
        let mut has_changed = false;
        for path in in_use {
            if self.follower.tailer.has_changed(&path) && !self.hints.lock().paths.contains(&path) {
                has_changed = true;
                self.hint(&path, now);
            }
        }
        has_changed
    }

    fn is_below_a_root(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| path.starts_with(&root.path))
    }

    fn places(&self) -> Vec<PathBuf> {
        self.roots.iter().map(|root| root.path.clone()).collect()
    }

    fn is_over(&self) -> bool {
        !self.goes_on || self.hints.lock().is_over
    }

    fn tell_unread(&mut self, unread: Vec<Unread>) {
        for Unread { path, why, .. } in unread {
            let name = visible_bytes(path.as_os_str().as_encoded_bytes());
            if self.unread.insert(path, why.clone()).as_ref() != Some(&why) {
                self.say(FeedEvent::Note(format!("{name}: {why}")));
            }
        }
    }

    fn tell_events(&mut self) {
        for event in self.follower.events() {
            self.say(event);
        }
        self.note_seen();
        // Files come and go while they are watched.
        self.follower.register.counts.files = self.follower.tailer.len() as u64;
        let counts = self.follower.register.counts;
        if counts != self.counts {
            self.counts = counts;
            self.say(FeedEvent::Counts(counts));
        }
    }

    fn say(&mut self, event: FeedEvent) {
        self.goes_on = self.goes_on && (self.tell)(event);
    }

    fn finish(&mut self) {
        self.tell_events();
        self.save(Haste::Now);
    }
}

/// The folder that holds a path.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
