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
mod desk;
pub mod drafts;
pub mod editor;
pub mod jobs;
pub mod keys;
pub mod manual;
pub mod panic;
pub mod session;
pub mod signals;
pub mod store;
pub mod terminal;
pub mod worker;
pub mod zone;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use crate::app::{App, Document, Event, Look, Options, Theme};
use crate::feed;
use crate::files;
use crate::repair::{Level, ToolContext};
use crate::transcript::{FailedCall, FeedEvent};
use crate::visible::visible;
use clipboard::Clipboard;
use config::Config;
use desk::Desk;
use signals::Asked;
use store::{Store, Task};
use terminal::Device;
use worker::Worker;

/// So many messages may wait; a feed that is faster has to.
const WAITING: usize = 1024;

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
            terminal::restore();
            let _ = writeln!(io::stderr(), "jsonmedic: {}", visible(&why));
            ExitCode::from(2)
        }
    }
}

fn bench(start: Start) -> Result<u8, String> {
    let (tool, tools) = tools(&start)?;
    let mut first = None;
    if let What::File(path) = &start.what {
        // Said before there is a screen: there would be nothing on it. A pipe is read later, it may take its time.
        let about = path.metadata();
        let about =
            about.map_err(|error| format!("{}: {}", files::shown(path), files::words(&error)))?;
        if !about.file_type().is_fifo() {
            first = Some(store::open(path, tool.clone())?);
        }
    }
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
    };
    let lost = |error: io::Error| format!("the terminal cannot be used: {}", files::words(&error));
    let reader = terminal::open_for_keys().map_err(lost)?;
    device.enter().map_err(lost)?;
    let keys = keys::start(reader, out.clone()).map_err(fail)?;
    let clipboard = Clipboard::new(config.clipboard, out.clone());
    let app = App::new(options);
    let mut desk = Desk::new(device, inbox, app, keys, worker, store, clipboard).map_err(lost)?;
    desk.is_demo = matches!(start.what, What::Demo);
    desk.folder = folder.map(PathBuf::from);
    desk.waiting.extend(faults.into_iter().map(Event::Say));
    if let Err(why) = &state {
        let text = format!("nothing outlives this run, not even a draft: {why}");
        desk.waiting.push_back(Event::Say(text));
    }
    // A draft is no answer to a text that is there: it waits for a start without one, or on its own file.
    match &start.what {
        What::Stdin if io::stdin().is_terminal() => desk.store.ask(Task::Offer(None)),
        What::File(path) => desk.store.ask(Task::Offer(Some(path.clone()))),
        _ => {}
    }
    match start.what {
        What::File(_) if first.is_some() => desk.waiting.extend(first.map(Event::Open)),
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
