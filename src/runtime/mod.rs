//! The run loop and what stands between the workbench and the machine.
//!
//! Threads: keys, signals, worker, output, files, clipboard and feed send messages into one bounded channel; the run
//! loop takes all that wait, tells the workbench, carries out what it asks for, and draws once.

pub mod audit;
pub mod backend;
pub mod clipboard;
pub mod clock;
pub mod config;
pub mod decode;
pub mod demo;
pub mod drafts;
pub mod editor;
pub mod jobs;
pub mod keys;
pub mod panic;
pub mod session;
pub mod signals;
pub mod store;
pub mod terminal;
pub mod worker;
pub mod zone;

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::Backend;

use crate::app::{
    App, Document, Draft, Effect, EffectId, Event, Look, Now, Options, Outcome, Theme, update,
};
use crate::feed;
use crate::files;
use crate::repair::{Level, ToolContext};
use crate::transcript::{FailedCall, FeedEvent};
use crate::view;
use crate::visible::visible;
use backend::Screen;
use clipboard::Clipboard;
use config::Config;
use keys::Keys;
use signals::Asked;
use store::{Store, Task};
use terminal::Device;
use worker::Worker;

/// So many messages may wait; a feed that is faster has to.
const WAITING: usize = 1024;

/// So many messages are taken before a frame is drawn in any case.
const BATCH: usize = 4096;

/// How the exit status names a closed window: as SIGHUP, which comes with it.
const GONE: u8 = 129;

/// What the workbench is started on.
#[derive(Default)]
pub struct Start {
    /// Where the text comes from.
    pub what: What,
    /// The level that is accepted without asking.
    pub allow: Option<Level>,
    /// The name of the tool that the text belongs to.
    pub tool: Option<String>,
    /// The field that a plain string goes to.
    pub field: Option<String>,
    /// A file of tool definitions.
    pub tools: Option<PathBuf>,
}

/// Where the text comes from.
#[derive(Default)]
pub enum What {
    /// Standard input if it is no terminal, else nothing yet.
    #[default]
    Stdin,
    /// A file.
    File(PathBuf),
    /// The logs inside the program.
    Demo,
    /// Logs that agents write to.
    Watch(Follow),
}

/// What to follow.
pub struct Follow {
    /// The logs.
    pub options: feed::Options,
    /// Which of the failed calls are listed.
    pub keeps: Box<dyn Fn(&FailedCall) -> bool + Send>,
}

/// What the threads tell the run loop.
pub enum Message {
    /// For the workbench as it is.
    Event(Event),
    /// What the user did, in one go.
    Input(Vec<Event>),
    /// A signal came.
    Signal(Asked),
    /// The clipboard thread has an answer.
    Clipboard(clipboard::Answer),
    /// The terminal is gone.
    Gone,
}

/// Runs the workbench until the user leaves it: 0 accepted, 1 left without a result, 130 interrupted, 2 no terminal,
/// 128 + n ended by a signal.
pub fn run(start: Start) -> ExitCode {
    match bench(start) {
        Ok(code) => ExitCode::from(code),
        Err(why) => {
            let _ = writeln!(io::stderr(), "jsonmedic: {}", visible(&why));
            ExitCode::from(2)
        }
    }
}

fn bench(start: Start) -> Result<u8, String> {
    let (tool, tools) = tools(&start)?;
    let device = terminal()?;
    let (config, faults) = match files::config_file() {
        Some(path) => config::read(&path),
        None => (Config::default(), Vec::new()),
    };
    let state = files::state_folder();
    let folder = state.as_ref().ok().map(PathBuf::as_path);
    let look = look(&config, |name| std::env::var_os(name));

    let (out, inbox) = sync_channel(WAITING);
    let fail = |error: io::Error| format!("no thread can be started: {}", files::words(&error));
    let store = Store::start(folder, config.audit, out.clone()).map_err(fail)?;
    let last = store.clone();
    panic::install(folder, move || last.last_words());
    let last = store.clone();
    signals::start(out.clone(), move || {
        last.last_words();
    })
    .map_err(fail)?;
    let worker = Worker::start(&out).map_err(fail)?;

    let options = Options {
        allow: start.allow,
        tool: tool.clone(),
        tools,
        stdout: !io::stdout().is_terminal(),
        feed: matches!(start.what, What::Demo | What::Watch(_)),
        roots: roots(&start.what),
        look,
        keys: config.keys,
        audit: config.audit != audit::Audit::Off,
        session: folder.filter(|_| config.session).map(session::read),
        ..Options::default()
    };
    let lost = |error: io::Error| format!("the terminal cannot be used: {}", files::words(&error));
    let reader = terminal::open_for_keys().map_err(lost)?;
    device.enter().map_err(|error| {
        terminal::restore();
        lost(error)
    })?;
    let keys = keys::start(reader, out.clone()).map_err(fail)?;
    let screen = fresh(device).map_err(lost)?;
    let mut desk = Loop {
        inbox,
        backlog: VecDeque::new(),
        app: App::new(options),
        screen,
        device,
        keys,
        worker,
        store,
        clipboard: Clipboard::new(config.clipboard, out.clone()),
        watch: None,
        is_demo: matches!(start.what, What::Demo),
        folder: folder.map(PathBuf::from),
        waiting: VecDeque::new(),
        accepted: None,
        done_with_draft: false,
        continued: false,
        zone: (0, 0),
        draws: 0,
        end: None,
    };
    desk.waiting.extend(faults.into_iter().map(Event::Say));
    if let Err(why) = &state {
        let text = format!("nothing outlives this run, not even a draft: {why}");
        desk.waiting.push_back(Event::Say(text));
    }
    desk.store.ask(Task::Offer);
    match start.what {
        What::File(path) => desk.store.ask(Task::First(path, tool)),
        What::Demo => demo(out.clone()).map_err(fail)?,
        What::Watch(follow) => desk.watch = Some(watch(follow, out.clone())),
        What::Stdin if io::stdin().is_terminal() => {}
        What::Stdin => read_stdin(tool, out.clone()).map_err(fail)?,
    }
    let code = desk.run();
    Ok(desk.leave(code))
}

/// The tool of the text, and all tools of the file of definitions.
fn tools(start: &Start) -> Result<(ToolContext, Vec<ToolContext>), String> {
    let all = match &start.tools {
        Some(path) => store::tools(path)?,
        None => Vec::new(),
    };
    let known = |name| all.iter().find(|tool| tool.name.as_ref() == Some(name));
    let tool = match (&start.tool, &start.tools) {
        (None, _) => ToolContext::default(),
        (Some(name), None) => ToolContext::named(name),
        (Some(name), Some(path)) => known(name).cloned().ok_or_else(|| {
            let names: Vec<&str> = all.iter().filter_map(|tool| tool.name.as_deref()).collect();
            let (path, names) = (files::shown(path), names.join(", "));
            format!("{path}: expected a tool `{name}`, found {names}")
        })?,
    };
    let field = start.field.clone();
    Ok((ToolContext { field, ..tool }, all))
}

/// The terminal, once this process owns it.
fn terminal() -> Result<&'static Device, String> {
    let next = "`jsonmedic fix` works without one";
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return Err(format!(
            "the workbench needs a terminal that can move its cursor (TERM is `dumb`); {next}"
        ));
    }
    let device =
        terminal::device().map_err(|_| format!("the workbench needs a terminal; {next}"))?;
    jobs::wait_for_terminal(device.file()).map_err(|error| {
        format!(
            "the workbench needs a terminal: {}; {next}",
            files::words(&error)
        )
    })?;
    Ok(device)
}

/// Colours and symbols, by configuration, environment and the terminal's answer.
fn look(config: &Config, env: impl Fn(&str) -> Option<OsString>) -> Look {
    let set = |name: &str| env(name).filter(|value| !value.is_empty());
    let colour = set("NO_COLOR").is_none();
    let locale = set("LC_ALL")
        .or_else(|| set("LC_CTYPE"))
        .or_else(|| set("LANG"));
    let locale = locale.map(|name| name.to_string_lossy().to_lowercase());
    Look {
        theme: config
            .theme
            .unwrap_or_else(|| if colour { ask_theme() } else { Theme::Dark }),
        colour,
        unicode: locale.is_some_and(|name| name.contains("utf-8") || name.contains("utf8")),
    }
}

/// Asks the terminal for its background, once and before keys are read. A slow answer is no answer.
fn ask_theme() -> Theme {
    let mut options = terminal_colorsaurus::QueryOptions::default();
    options.timeout = Duration::from_millis(50);
    match terminal_colorsaurus::theme_mode(options) {
        Ok(terminal_colorsaurus::ThemeMode::Light) => Theme::Light,
        _ => Theme::Dark,
    }
}

fn fresh(device: &'static Device) -> io::Result<Terminal<Screen>> {
    Terminal::new(Screen::new(device))
}

/// The watched folders, as a title shows them.
fn roots(what: &What) -> Vec<String> {
    let places = match what {
        What::Demo => return vec!["demo".into()],
        What::Watch(follow) if follow.options.places.is_empty() => feed::places::known(),
        What::Watch(follow) => follow.options.places.clone(),
        _ => return Vec::new(),
    };
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    let short = |place: PathBuf| match home.as_ref().and_then(|home| place.strip_prefix(home).ok())
    {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", files::shown(rest)),
        None => files::shown(&place),
    };
    places.into_iter().map(short).collect()
}

/// Follows logs on a thread of its own.
fn watch(follow: Follow, out: SyncSender<Message>) -> feed::Watch {
    let Follow { options, keeps } = follow;
    feed::Watch::start(options, move |event| match &event {
        FeedEvent::Failed(call) if !keeps(call) => true,
        _ => out.send(Message::Event(Event::Feed(event))).is_ok(),
    })
}

/// Tells what the feed over the logs inside the program tells.
fn demo(out: SyncSender<Message>) -> io::Result<()> {
    let tell = move || {
        for event in demo::events() {
            if out.send(Message::Event(Event::Feed(event))).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new()
        .name("feed".into())
        .spawn(tell)?;
    Ok(())
}

/// Reads piped standard input while the screen is alive.
fn read_stdin(tool: ToolContext, out: SyncSender<Message>) -> io::Result<()> {
    let read = move || {
        let event = match files::read_all(io::stdin().lock(), 0).map(store::text) {
            Ok(Ok(text)) if text.is_empty() => return,
            Ok(Ok(text)) => Event::Open(Document {
                name: "stdin".into(),
                text,
                tool,
            }),
            Ok(Err(why)) => Event::Say(format!("stdin:{why}")),
            Err(error) => Event::Say(format!("stdin: {}", files::words(&error))),
        };
        let _ = out.send(Message::Event(event));
    };
    std::thread::Builder::new()
        .name("stdin".into())
        .spawn(read)?;
    Ok(())
}

/// Whether the hidden trigger of the tests names this place.
fn panics_on_purpose(place: &str) -> bool {
    std::env::var_os("JSONMEDIC_TEST_PANIC").is_some_and(|name| name == place)
}

/// The run loop's own state.
struct Loop {
    inbox: Receiver<Message>,
    /// Messages that came while the keys were waited for.
    backlog: VecDeque<Message>,
    app: App,
    screen: Terminal<Screen>,
    device: &'static Device,
    keys: Keys,
    worker: Worker,
    store: Store,
    clipboard: Clipboard,
    watch: Option<feed::Watch>,
    /// Whether the feed is the one inside the program.
    is_demo: bool,
    /// The state folder, if there is one.
    folder: Option<PathBuf>,
    /// Events of our own making, told before anything else is awaited.
    waiting: VecDeque<Event>,
    /// The text for stdout.
    accepted: Option<Arc<String>>,
    /// Whether the draft may go once the accepted text is out.
    done_with_draft: bool,
    /// Whether the next SIGCONT was already answered.
    continued: bool,
    /// The hour in which the zone was looked up, and the seconds that its time is ahead of UTC.
    zone: (i64, i32),
    draws: u32,
    /// The exit status, once the end has come.
    end: Option<u8>,
}

impl Loop {
    /// Runs until the end; the exit status.
    fn run(&mut self) -> u8 {
        if let Ok((width, height)) = self.device.size() {
            self.waiting.push_front(Event::Resize(width, height));
        }
        loop {
            self.tick();
            self.catch_up();
            if let Some(code) = self.end {
                return code;
            }
            if self.draw().is_err() {
                self.interrupt(GONE);
                return GONE;
            }
            match self.next() {
                Ok(Some(message)) => self.take(message),
                Ok(None) => {}
                Err(_) => return GONE,
            }
        }
    }

    /// Takes what waits, without waiting for more.
    fn catch_up(&mut self) {
        for _ in 0..BATCH {
            while let Some(event) = self.waiting.pop_front() {
                self.tell(event);
            }
            if self.end.is_some() {
                return;
            }
            let message = self.backlog.pop_front();
            match message.or_else(|| self.inbox.try_recv().ok()) {
                Some(message) => self.take(message),
                None => break,
            }
        }
        let step = self.clipboard.expire(clock::millis());
        self.step(step);
        while let Some(event) = self.waiting.pop_front() {
            self.tell(event);
        }
    }

    /// Sleeps until there is a message, or until the time that somebody asked for: without such a time, for ever.
    fn next(&mut self) -> Result<Option<Message>, RecvTimeoutError> {
        if let Some(message) = self.backlog.pop_front() {
            return Ok(Some(message));
        }
        let due = [self.app.wake(), self.clipboard.deadline()];
        let Some(due) = due.into_iter().flatten().min() else {
            let message = self.inbox.recv();
            return message
                .map(Some)
                .map_err(|_| RecvTimeoutError::Disconnected);
        };
        // Never in a circle without a pause, whatever time was named.
        let pause = due.saturating_sub(clock::millis()).max(5);
        match self.inbox.recv_timeout(Duration::from_millis(pause)) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn tick(&mut self) {
        let unix = clock::unix();
        if self.zone.0 != unix / 3600 {
            self.zone = (unix / 3600, zone::offset(unix));
        }
        let now = Now {
            millis: clock::millis(),
            unix,
            offset: self.zone.1,
        };
        self.tell(Event::Tick(now));
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Event(event) => self.waiting.push_back(event),
            Message::Input(events) => self.waiting.extend(events),
            Message::Clipboard(answer) => {
                let step = self.clipboard.answer(answer);
                self.step(step);
            }
            Message::Signal(Asked::Size) => self.resize(),
            Message::Signal(Asked::Stop) => self.suspend(),
            Message::Signal(Asked::Continue) if self.continued => self.continued = false,
            Message::Signal(Asked::Continue) => self.come_back(),
            Message::Signal(Asked::End(signal)) => self.interrupt(128 + signal as u8),
            Message::Gone => self.interrupt(GONE),
        }
    }

    /// As ctrl-c: what is unsaved goes into the draft; only the exit status tells the two apart.
    fn interrupt(&mut self, code: u8) {
        let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        self.tell(Event::Key(key));
        self.end = Some(code);
    }

    fn tell(&mut self, event: Event) {
        for effect in update(&mut self.app, event) {
            self.act(effect);
        }
    }

    fn act(&mut self, effect: Effect) {
        let now = clock::millis();
        match effect {
            Effect::Repair(job) => self.worker.repair(job),
            Effect::Show(task) => self.worker.show(task),
            Effect::Copy { id, text, .. } => {
                let step = self.clipboard.put(id, text, now);
                self.step(step);
            }
            Effect::ReadClipboard { id } => {
                let step = self.clipboard.get(id, now);
                self.step(step);
            }
            Effect::Write {
                id,
                path,
                text,
                replace,
            } => self.store.ask(Task::Write {
                id,
                path,
                text,
                replace,
            }),
            Effect::Accept { id, text } => {
                self.accepted = Some(text);
                self.done(id, Ok(Outcome::Accepted));
            }
            Effect::OpenFile { id, path } => self.store.ask(Task::Open(id, path)),
            Effect::LoadTools { id, path } => self.store.ask(Task::Tools(id, path)),
            Effect::ReadLine { id, path, offset } => match demo::line(&path, offset) {
                Some(line) if self.is_demo => self.done(id, Ok(Outcome::Line(line))),
                _ => self.store.ask(Task::Line(id, path, offset)),
            },
            Effect::EditExternally { id, text } => self.edit(id, &text),
            Effect::SaveDraft(draft) => self.store.keep(draft),
            // A text that waits for stdout is safe only once it is written there.
            Effect::RemoveDraft if self.accepted.is_some() => self.done_with_draft = true,
            Effect::RemoveDraft => self.store.ask(Task::RemoveDraft),
            Effect::Audit { id, record } => self.store.ask(Task::Audit(id, record)),
            Effect::SaveSession(session) => self.store.ask(Task::Session(session)),
            Effect::Suspend => self.suspend(),
            Effect::Redraw => self.redraw(),
            Effect::Quit { code } => self.end = Some(code),
        }
    }

    fn done(&mut self, id: EffectId, outcome: Result<Outcome, String>) {
        self.waiting.push_back(Event::Done(id, outcome));
    }

    /// What the clipboard wants done at once.
    fn step(&mut self, step: clipboard::Step) {
        self.screen.backend_mut().push(&step.bytes);
        if let Some((id, told)) = step.done {
            self.done(id, told.map(Outcome::from));
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        self.draws = self.draws.saturating_add(1);
        if self.draws == 3 && panics_on_purpose("draw") {
            panic!("asked for by the environment");
        }
        // The window may have changed since its signal was read; a frame of two sizes would be empty.
        let (width, height) = self.device.size()?;
        if self.app.size != (width, height) {
            self.tell(Event::Resize(width, height));
        }
        self.screen.draw(|frame| view::draw(&self.app, frame))?;
        self.screen.backend_mut().send()
    }

    /// The next frame is drawn from nothing, on a terminal of the size that it has now.
    fn redraw(&mut self) {
        if let Ok(mut screen) = fresh(self.device) {
            let _ = screen.backend_mut().clear();
            self.screen = screen;
        }
        self.resize();
    }

    fn resize(&mut self) {
        match self.device.size() {
            Ok((width, height)) => self.waiting.push_back(Event::Resize(width, height)),
            Err(_) => self.end = Some(GONE),
        }
    }

    /// Stops the whole process group, and goes on when a shell says so.
    fn suspend(&mut self) {
        if !jobs::can_stop() {
            let text =
                "there is no shell to go back to: ctrl-z works where one started the program";
            self.waiting.push_back(Event::Say(text.into()));
            return;
        }
        self.hand_over();
        jobs::stop_group();
        self.continued = true;
        self.come_back();
        self.keys.resume();
    }

    /// Lets go of the keys and the screen.
    fn hand_over(&mut self) {
        let (inbox, backlog) = (&self.inbox, &mut self.backlog);
        // The thread may be waiting for room in the channel, which nobody else makes.
        self.keys.pause(|| backlog.extend(inbox.try_iter()));
        self.give_back();
    }

    /// Gives the terminal to others, with what was still to be sent: a copied text may be in it.
    fn give_back(&mut self) {
        let _ = self.screen.backend_mut().send();
        let _ = self.device.leave();
    }

    /// Takes the terminal again, after a stop or after a child had it.
    fn come_back(&mut self) {
        let back = jobs::wait_for_terminal(self.device.file()).and_then(|()| self.device.enter());
        match back {
            Ok(()) => self.redraw(),
            Err(_) => self.end = Some(GONE),
        }
    }

    fn edit(&mut self, id: EffectId, text: &str) {
        let Some(folder) = self.folder.clone() else {
            let why = "an editor needs a file, and there is no private folder for it";
            self.done(id, Err(why.into()));
            return;
        };
        self.hand_over();
        signals::hand_over(true);
        let edited = editor::edit(&editor::command(), text, &folder, self.device.file());
        signals::hand_over(false);
        self.come_back();
        self.keys.resume();
        self.done(id, edited.map(Outcome::Edited));
    }

    /// Gives the terminal back, then says what is left to say.
    fn leave(mut self, code: u8) -> u8 {
        self.give_back();
        let code = match self.accepted.take().filter(|_| code == 0) {
            Some(text) => self.write_out(&text, code),
            None => code,
        };
        self.store.finish();
        self.stop_watch();
        if self.clipboard.close() {
            let _ = writeln!(
                io::stderr(),
                "jsonmedic: the copied text was held by this program; without a clipboard manager it is gone now"
            );
        }
        code
    }

    /// Lets the watch save its positions, for as long as a clean end may take.
    fn stop_watch(&mut self) {
        let Some(watch) = self.watch.take() else {
            return;
        };
        // It may be waiting for room in the channel: now it learns that nobody listens.
        let (_, nobody) = sync_channel(0);
        self.inbox = nobody;
        let (done, stopped) = sync_channel(1);
        let stop = move || {
            watch.stop();
            let _ = done.send(());
        };
        if std::thread::Builder::new().spawn(stop).is_ok() {
            let _ = stopped.recv_timeout(Duration::from_secs(1));
        }
    }

    /// Writes the accepted text to stdout. Where that fails the draft stays, so the text is not lost.
    fn write_out(&mut self, text: &Arc<String>, code: u8) -> u8 {
        let mut stdout = io::stdout().lock();
        let written = stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush());
        match written {
            // A reader that went away knows that it did.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                if !self.store.last_words() {
                    self.store.keep(Draft {
                        name: "accepted text".into(),
                        source: Arc::clone(text),
                        ..Draft::default()
                    });
                }
                let _ = writeln!(
                    io::stderr(),
                    "jsonmedic: standard output: {}; the draft is kept and offered at the next start",
                    files::words(&error)
                );
                2
            }
            _ => {
                if self.done_with_draft {
                    self.store.ask(Task::RemoveDraft);
                }
                code
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_on_colours_and_symbols() {
        let dark = Config {
            theme: Some(Theme::Dark),
            ..Config::default()
        };
        for (pairs, colour, unicode) in [
            (&[][..], true, false),
            (&[("LANG", "de_DE.UTF-8")], true, true),
            (&[("LANG", "en_US.utf8"), ("NO_COLOR", "1")], false, true),
            (&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")], true, false),
            (
                &[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("NO_COLOR", "")],
                true,
                true,
            ),
        ] {
            let env = |name: &str| {
                let pair = pairs.iter().find(|(one, _)| *one == name);
                pair.map(|(_, value)| OsString::from(value))
            };
            let look = look(&dark, env);
            assert_eq!((look.colour, look.unicode), (colour, unicode), "{pairs:?}");
        }
    }
}
