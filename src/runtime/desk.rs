//! The run loop: takes messages, tells the workbench, carries out what it asks for, draws once.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::Backend;

use super::backend::Screen;
use super::clipboard::{self, Clipboard};
use super::drafts::Offered;
use super::keys::Keys;
use super::signals::{self, Asked};
use super::store::{Store, Task};
use super::terminal::Device;
use super::worker::Worker;
use super::{Message, clock, demo, editor, jobs, panics_on_purpose, zone};
use crate::app::{App, Draft, Effect, EffectId, Event, Now, Outcome, update};
use crate::feed;
use crate::files;
use crate::view;

/// So many messages are taken before a frame is drawn in any case.
const BATCH: usize = 4096;

/// How the exit status names a closed window: as SIGHUP, which comes with it.
const GONE: u8 = 129;

/// The run loop's own state.
pub struct Desk {
    inbox: Receiver<Message>,
    /// Messages that came while the keys were waited for.
    backlog: VecDeque<Message>,
    app: App,
    screen: Terminal<Screen>,
    device: &'static Device,
    keys: Keys,
    worker: Worker,
    /// The files.
    pub store: Store,
    clipboard: Clipboard,
    /// The feed over the user's logs.
    pub watch: Option<feed::Watch>,
    /// Whether the feed is the one inside the program.
    pub is_demo: bool,
    /// The state folder, if there is one.
    pub folder: Option<PathBuf>,
    /// Events of our own making, told before anything else is awaited.
    pub waiting: VecDeque<Event>,
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

impl Desk {
    /// A desk for a workbench that was not told anything yet.
    pub fn new(
        device: &'static Device,
        inbox: Receiver<Message>,
        app: App,
        keys: Keys,
        worker: Worker,
        store: Store,
        clipboard: Clipboard,
    ) -> io::Result<Desk> {
        Ok(Desk {
            inbox,
            backlog: VecDeque::new(),
            app,
            screen: fresh(device)?,
            device,
            keys,
            worker,
            store,
            clipboard,
            watch: None,
            is_demo: false,
            folder: None,
            waiting: VecDeque::new(),
            accepted: None,
            done_with_draft: false,
            continued: false,
            zone: (0, 0),
            draws: 0,
            end: None,
        })
    }

    /// Runs until the end; the exit status.
    pub fn run(&mut self) -> u8 {
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
            Effect::Stop(turn) => self.worker.stop(turn),
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
            Effect::Complete { id, typed } => self.store.ask(Task::Complete(id, typed)),
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
            Effect::DropOffered => self.store.ask(Task::Offered(Offered::Drop)),
            Effect::LeaveOffered => self.store.ask(Task::Offered(Offered::Leave)),
            Effect::TakeOffered => self.store.ask(Task::Offered(Offered::Take)),
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
    pub fn leave(mut self, code: u8) -> u8 {
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

/// A screen that knows nothing of what the terminal shows.
fn fresh(device: &'static Device) -> io::Result<Terminal<Screen>> {
    Terminal::new(Screen::new(device))
}
