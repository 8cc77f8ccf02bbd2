//! A workbench without a terminal: keys in, state, screen and wishes out.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use jsonmedic::app::work::{answer, work};
use jsonmedic::app::{App, Document, Effect, Event, Now, Options, Outcome, update};
use jsonmedic::repair::ToolContext;
use jsonmedic::transcript::{Badge, FailedCall, FeedEvent, Kind, Origin, RawFrom, judge};
use jsonmedic::view::draw;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

/// The workbench and what it asked of the world.
pub struct Bed {
    pub app: App,
    pub asked: Vec<Effect>,
    /// Whether the worker is slow: its jobs wait among `asked`.
    pub slow: bool,
    now: Now,
}

/// A time in the afternoon: 2026-11-03 14:02:11 UTC.
pub const AFTERNOON: i64 = 1_793_714_531;

impl Bed {
    /// An empty workbench of this size.
    pub fn new(width: u16, height: u16) -> Bed {
        Bed::with(Options::default(), width, height)
    }

    /// A workbench with options.
    pub fn with(options: Options, width: u16, height: u16) -> Bed {
        let now = Now {
            millis: 1_000,
            unix: AFTERNOON,
            offset: 0,
        };
        let mut bed = Bed {
            app: App::new(options),
            asked: Vec::new(),
            slow: false,
            now,
        };
        bed.send(Event::Tick(now));
        bed.send(Event::Resize(width, height));
        bed
    }

    /// A workbench on a text.
    pub fn on(text: &str, width: u16, height: u16) -> Bed {
        Bed::new(width, height).open("pasted text", text, None)
    }

    /// Opens a text.
    pub fn open(mut self, name: &str, text: &str, tool: Option<&str>) -> Bed {
        let tool = tool.map(ToolContext::named).unwrap_or_default();
        self.send(Event::Open(Document {
            name: name.to_owned(),
            text: Arc::new(text.to_owned()),
            tool,
        }));
        self
    }

    /// Sends an event, does at once what the worker would do, and keeps every other wish.
    pub fn send(&mut self, event: Event) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            for effect in update(&mut self.app, event) {
                match effect {
                    Effect::Repair(job) if !self.slow => {
                        work(&job, |event| events.insert(0, event), || false)
                    }
                    Effect::Show(question) => events.insert(
                        0,
                        Event::Shown {
                            turn: question.turn,
                            shown: Box::new(answer(&question)),
                        },
                    ),
                    other => self.asked.push(other),
                }
            }
        }
    }

    /// Presses keys: words such as `j`, `ctrl-d`, `esc`, `space`, `"abc` (types abc).
    pub fn press(mut self, keys: &str) -> Bed {
        for word in keys.split_whitespace() {
            match word.strip_prefix('"') {
                Some(text) if !text.is_empty() => {
                    for letter in text.chars() {
                        self.key(KeyCode::Char(letter), KeyModifiers::NONE);
                    }
                }
                _ if word == "gg" => {
                    self.key(KeyCode::Char('g'), KeyModifiers::NONE);
                    self.key(KeyCode::Char('g'), KeyModifiers::NONE);
                }
                _ => {
                    let (code, modifiers) = key(word);
                    self.key(code, modifiers);
                }
            }
        }
        self
    }

    fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        self.send(Event::Key(KeyEvent::new(code, modifiers)));
    }

    pub fn paste(mut self, text: &str) -> Bed {
        self.send(Event::Paste(text.to_owned()));
        self
    }

    pub fn resize(mut self, width: u16, height: u16) -> Bed {
        self.send(Event::Resize(width, height));
        self
    }

    pub fn click(mut self, x: u16, y: u16) -> Bed {
        self.mouse(MouseEventKind::Down(MouseButton::Left), x, y);
        self.mouse(MouseEventKind::Up(MouseButton::Left), x, y);
        self
    }

    pub fn drag(mut self, from: (u16, u16), to: (u16, u16)) -> Bed {
        self.mouse(MouseEventKind::Down(MouseButton::Left), from.0, from.1);
        self.mouse(MouseEventKind::Drag(MouseButton::Left), to.0, to.1);
        self.mouse(MouseEventKind::Up(MouseButton::Left), to.0, to.1);
        self
    }

    pub fn wheel(mut self, down: bool, x: u16, y: u16) -> Bed {
        self.mouse(
            if down {
                MouseEventKind::ScrollDown
            } else {
                MouseEventKind::ScrollUp
            },
            x,
            y,
        );
        self
    }

    fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        self.send(Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    /// Lets time pass.
    pub fn wait(mut self, millis: u64) -> Bed {
        self.now.millis += millis;
        self.now.unix += millis as i64 / 1_000;
        self.send(Event::Tick(self.now));
        self
    }

    /// A call comes in.
    pub fn fail(mut self, call: FailedCall) -> Bed {
        self.send(Event::Feed(FeedEvent::Failed(Box::new(call))));
        self
    }

    /// Answers the last wish that has an id.
    pub fn answer(mut self, outcome: Result<Outcome, &str>) -> Bed {
        let id = self.asked.iter().rev().find_map(|effect| match effect {
            Effect::Copy { id, .. }
            | Effect::Write { id, .. }
            | Effect::Accept { id, .. }
            | Effect::OpenFile { id, .. }
            | Effect::Complete { id, .. }
            | Effect::LoadTools { id, .. }
            | Effect::ReadClipboard { id }
            | Effect::EditExternally { id, .. }
            | Effect::ReadLine { id, .. } => Some(*id),
            _ => None,
        });
        self.send(Event::Done(
            id.expect("something was asked"),
            outcome.map_err(str::to_owned),
        ));
        self
    }

    /// What was copied last.
    pub fn copied(&self) -> Option<&str> {
        self.asked.iter().rev().find_map(|effect| match effect {
            Effect::Copy { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The code with which it wants to leave.
    pub fn code(&self) -> Option<u8> {
        self.asked.iter().find_map(|effect| match effect {
            Effect::Quit { code } => Some(*code),
            _ => None,
        })
    }

    /// The output, if there is one.
    pub fn output(&self) -> &str {
        self.app
            .bench
            .shown
            .as_ref()
            .map_or("", |shown| shown.text.as_str())
    }

    /// The decisions as the list shows them: `x`, `?`, space.
    pub fn marks(&self) -> String {
        let mark = |row: &jsonmedic::app::rows::EditRow| match row.decision {
            jsonmedic::repair::Decision::On => 'x',
            jsonmedic::repair::Decision::Off => '-',
            jsonmedic::repair::Decision::Undecided => '?',
        };
        self.app.bench.rows.list().iter().map(mark).collect()
    }

    /// The rule of the chosen row.
    pub fn rule(&self) -> &str {
        let row = self
            .app
            .bench
            .row()
            .and_then(|row| self.app.bench.rows.list().get(row));
        row.map_or("", |row| row.rule.id())
    }

    /// The buffer that `draw` fills.
    pub fn buffer(&self) -> Buffer {
        let (width, height) = self.app.size;
        let mut terminal =
            Terminal::new(TestBackend::new(width, height)).expect("a test backend has no errors");
        terminal
            .draw(|frame| draw(&self.app, frame))
            .expect("a test backend has no errors");
        terminal.backend().buffer().clone()
    }

    /// The screen as text.
    pub fn screen(&self) -> String {
        text(&self.buffer())
    }

    /// The line of the screen that holds `part`.
    pub fn line(&self, part: &str) -> String {
        let screen = self.screen();
        let line = screen.lines().find(|line| line.contains(part));
        line.unwrap_or_else(|| panic!("no `{part}` in\n{screen}"))
            .to_owned()
    }

    /// The message or question in the status row.
    pub fn status(&self) -> String {
        let screen = self.screen();
        let lines: Vec<&str> = screen.lines().collect();
        lines[lines.len() - 2].trim().to_owned()
    }
}

/// A buffer as text; the cell behind a wide character is part of it.
pub fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut out = String::new();
    for y in area.top()..area.bottom() {
        let mut x = area.left();
        while x < area.right() {
            let symbol = buffer[(x, y)].symbol();
            out.push_str(symbol);
            x += (jsonmedic::app::text::cells(symbol) as u16).max(1);
        }
        out.push('\n');
    }
    out
}

fn key(word: &str) -> (KeyCode, KeyModifiers) {
    if let Some(letter) = word.strip_prefix("ctrl-") {
        return (
            KeyCode::Char(letter.chars().next().expect("a letter")),
            KeyModifiers::CONTROL,
        );
    }
    let code = match word {
        "esc" => KeyCode::Esc,
        "enter" => KeyCode::Enter,
        "tab" => KeyCode::Tab,
        "shift-tab" => KeyCode::BackTab,
        "space" => KeyCode::Char(' '),
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "backspace" => KeyCode::Backspace,
        "F1" => KeyCode::F(1),
        "F5" => KeyCode::F(5),
        "delete" => KeyCode::Delete,
        letter => {
            assert_eq!(letter.chars().count(), 1, "no key `{letter}`");
            KeyCode::Char(letter.chars().next().expect("a letter"))
        }
    };
    (code, KeyModifiers::NONE)
}

/// A failed call with what a test leaves unsaid.
pub fn call(number: u64, tool: &str, raw: &str) -> FailedCall {
    let badges: Vec<Badge> = Vec::new();
    FailedCall {
        number,
        format: "claude-code",
        origin: Origin {
            path: "/home/user/.claude/projects/app/0f3c.jsonl".into(),
            line: Some(number),
            byte: Some(number * 100),
        },
        session: Some("s".into()),
        call_id: Some(format!("toolu_{number}")),
        tool: Some(tool.to_owned()),
        time: Some("2026-11-03T14:02:11Z".into()),
        kind: Kind::Malformed,
        raw: Some(raw.to_owned()),
        raw_from: Some(RawFrom::Verbatim),
        raw_complete: true,
        stop_reason: None,
        model: None,
        complaint: None,
        repair: Some(judge(raw, Some(tool), &badges)),
        badges,
        retry: None,
    }
}
