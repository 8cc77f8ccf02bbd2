//! The one table of commands and keys. Hints, help, palette and the README's key list are made from it.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use Action::*;
use Context::*;

/// A command of the workbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Action {
    Interrupt,
    Suspend,
    Redraw,
    Help,
    Palette,
    Back,
    Quit,
    FocusNext,
    FocusPrevious,
    FocusSource,
    FocusOutput,
    FocusEdits,
    Zoom,
    ViewNext,
    ViewPrevious,
    Grow,
    Shrink,
    Wrap,
    ScrollLeft,
    ScrollRight,
    Search,
    SearchNext,
    SearchPrevious,
    Undo,
    Redo,
    Copy,
    CopyMenu,
    Accept,
    Insert,
    Editor,
    PasteSource,
    OpenFile,
    Tool,
    Feed,
    FeedColumn,
    Messages,
    Down,
    Up,
    Left,
    Right,
    First,
    Last,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    EditNext,
    EditPrevious,
    OpenNext,
    OpenPrevious,
    EditAccept,
    EditReject,
    EditToggle,
    RuleAccept,
    RuleReject,
    Reset,
    EditShow,
    Unfold,
    Fold,
    Sort,
    HideBlank,
    OutputDown,
    OutputUp,
    RungNext,
    RungPrevious,
    RungAuto,
    Strategies,
    RungPick,
    Chatcli,
    Candidates,
    CandidateKeep,
    CandidateSplit,
    AllowGuesses,
    Typographic,
    Message,
    CallNext,
    CallPrevious,
    CallOpen,
    CallDismiss,
    ShowDismissed,
    Filter,
    FeedSort,
    Choose,
    LeaveInsert,
    RepairNow,
}

/// Where a key means something. A screen asks its contexts in order, the narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// Everywhere, while typing too.
    Always,
    /// Both screens, but not while typing or under a list.
    Normal,
    /// The Bench, whichever pane has the focus.
    Bench,
    /// The Source pane of the Bench.
    Source,
    /// The Output pane of the Bench.
    Output,
    /// The Edits pane of the Bench.
    Edits,
    /// The Feed.
    FeedList,
    /// Every list that lies over a screen.
    List,
    /// The list of strategies.
    StrategyList,
    /// The list of candidates.
    CandidateList,
    /// Insert mode.
    Typing,
}

impl Context {
    /// All contexts, in the order of the help.
    pub const ALL: [Context; 11] = [
        Normal,
        Bench,
        Edits,
        Source,
        Output,
        StrategyList,
        CandidateList,
        FeedList,
        List,
        Typing,
        Always,
    ];

    /// Its heading in the help.
    pub const fn title(self) -> &'static str {
        match self {
            Always => "at any time",
            Normal => "everywhere",
            Bench => "reviewing",
            Source => "in Source",
            Output => "in Output",
            Edits => "in Edits",
            FeedList => "in the Feed",
            List => "in every list",
            StrategyList => "in Strategies",
            CandidateList => "in Candidates",
            Typing => "in Insert mode",
        }
    }
}

/// One command: its name, its keys, and what is said about it.
#[derive(Debug)]
pub struct Row {
    /// The command.
    pub action: Action,
    /// Its name in the palette and in the configuration.
    pub id: &'static str,
    /// Where which keys call it.
    pub keys: &'static [(Context, &'static [&'static str])],
    /// A word or two for the hints.
    pub hint: &'static str,
    /// A line for help, palette and README.
    pub help: &'static str,
}

const fn row(
    action: Action,
    id: &'static str,
    keys: &'static [(Context, &'static [&'static str])],
    hint: &'static str,
    help: &'static str,
) -> Row {
    Row {
        action,
        id,
        keys,
        hint,
        help,
    }
}

/// All commands, in the order of [`Action`].
#[rustfmt::skip]
pub const ROWS: [Row; 85] = [
    row(Interrupt, "app.interrupt", &[(Always, &["ctrl-c"])], "stop", "leave at once with exit code 130; the draft stays"),
    row(Suspend, "app.suspend", &[(Always, &["ctrl-z"])], "suspend", "suspend the whole process group"),
    row(Redraw, "app.redraw", &[(Always, &["ctrl-l"])], "redraw", "draw everything again"),
    row(Help, "help.show", &[(Always, &["F1"]), (Normal, &["?"]), (List, &["?"])], "help", "all keys, and what the signs mean"),
    row(Palette, "palette.show", &[(Normal, &[":", "ctrl-p"])], "palette", "every command by its name"),
    row(Back, "app.back", &[(Normal, &["esc"]), (List, &["esc", "q"])], "close", "close what is open, end a search, stop the work"),
    row(Quit, "app.quit", &[(Normal, &["q"])], "quit", "leave and remove the draft; asks if a decision would be lost"),
    row(FocusNext, "focus.next", &[(Normal, &["tab"]), (List, &["tab"])], "preview", "focus the next pane"),
    row(FocusPrevious, "focus.previous", &[(Normal, &["shift-tab"])], "back", "focus the previous pane"),
    row(FocusSource, "focus.source", &[(Bench, &["1"])], "source", "focus Source"),
    row(FocusOutput, "focus.output", &[(Bench, &["2"])], "output", "focus Output"),
    row(FocusEdits, "focus.edits", &[(Bench, &["3"])], "edits", "focus Edits"),
    row(Zoom, "view.zoom", &[(Normal, &["z"])], "zoom", "give the focused pane the whole screen, and back"),
    row(ViewNext, "view.next", &[(Bench, &["v"])], "view", "next view of the output: text, diff, tree, the agent's own retry"),
    row(ViewPrevious, "view.previous", &[(Bench, &["V"])], "view", "previous view of the output"),
    row(Grow, "pane.grow", &[(Normal, &["+"])], "grow", "make the focused pane bigger"),
    row(Shrink, "pane.shrink", &[(Normal, &["-"])], "shrink", "make the focused pane smaller"),
    row(Wrap, "view.wrap", &[(Normal, &["W"])], "wrap", "wrap long lines, or scroll them sideways"),
    row(ScrollLeft, "view.left", &[(Normal, &["H"])], "left", "scroll long lines to the left"),
    row(ScrollRight, "view.right", &[(Normal, &["L"])], "right", "scroll long lines to the right"),
    row(Search, "search.start", &[(Bench, &["/"]), (List, &["/"])], "search", "search in the focused pane or list"),
    row(SearchNext, "search.next", &[(Normal, &["n"]), (List, &["n"])], "next", "next match"),
    row(SearchPrevious, "search.previous", &[(Normal, &["N"]), (List, &["N"])], "previous", "previous match"),
    row(Undo, "history.undo", &[(Normal, &["u"])], "undo", "undo the last change of text or decision"),
    row(Redo, "history.redo", &[(Normal, &["ctrl-r"])], "redo", "redo what was undone"),
    row(Copy, "output.copy", &[(Bench, &["y"])], "copy", "copy the output; asks while a lossy edit is undecided"),
    row(CopyMenu, "output.menu", &[(Normal, &["Y"])], "menu", "copy in another form: compact, pretty, source, edits, diff, message, log line"),
    row(Accept, "output.accept", &[(Bench, &["w", "ctrl-s"])], "write", "accept the output: to stdout, to a file, or mark the call done"),
    row(Insert, "source.edit", &[(Bench, &["i"]), (Source, &["enter"])], "edit here", "edit the source here (Insert mode)"),
    row(Editor, "source.editor", &[(Bench, &["e"])], "editor", "edit the source in $VISUAL or $EDITOR"),
    row(PasteSource, "source.paste", &[(Normal, &["p"])], "paste", "take the clipboard as source"),
    row(OpenFile, "source.open", &[(Normal, &["o"])], "open", "open a file as source"),
    row(Tool, "tool.pick", &[(Bench, &["s"])], "tool", "name the tool and its schema"),
    row(Feed, "feed.show", &[(Normal, &["f"])], "bench", "to the failed calls, and back"),
    row(FeedColumn, "feed.column", &[(Bench, &["F"])], "column", "show the failed calls at the left (from 160 columns)"),
    row(Messages, "messages.show", &[(Normal, &["!"])], "messages", "what was said before"),
    row(Down, "move.down", &[(Normal, &["j", "down"]), (List, &["j", "down"])], "move", "move down"),
    row(Up, "move.up", &[(Normal, &["k", "up"]), (List, &["k", "up"])], "move", "move up"),
    row(Left, "move.left", &[(Source, &["left"]), (Output, &["left"])], "left", "move left in the text"),
    row(Right, "move.right", &[(Source, &["right"]), (Output, &["right"])], "right", "move right in the text"),
    row(First, "move.first", &[(Normal, &["gg", "home"]), (List, &["gg", "home"])], "first", "to the first"),
    row(Last, "move.last", &[(Normal, &["G", "end"]), (List, &["G", "end"])], "last", "to the last"),
    row(HalfDown, "move.half-down", &[(Normal, &["ctrl-d"]), (List, &["ctrl-d"])], "down", "half a page down"),
    row(HalfUp, "move.half-up", &[(Normal, &["ctrl-u"]), (List, &["ctrl-u"])], "up", "half a page up"),
    row(PageDown, "move.page-down", &[(Normal, &["pgdn"]), (List, &["pgdn"])], "down", "a page down"),
    row(PageUp, "move.page-up", &[(Normal, &["pgup"]), (List, &["pgup"])], "up", "a page up"),
    row(EditNext, "edit.next", &[(Bench, &["]"])], "next", "next edit"),
    row(EditPrevious, "edit.previous", &[(Bench, &["["])], "previous", "previous edit"),
    row(OpenNext, "edit.next-open", &[(Bench, &["}"])], "next lossy", "next edit that waits for a decision"),
    row(OpenPrevious, "edit.previous-open", &[(Bench, &["{"])], "previous lossy", "previous edit that waits for a decision"),
    row(EditAccept, "edit.accept", &[(Bench, &["a"])], "accept", "accept the edit and go on"),
    row(EditReject, "edit.reject", &[(Bench, &["x"])], "reject", "reject the edit and go on"),
    row(EditToggle, "edit.toggle", &[(Bench, &["space"])], "toggle", "accept or reject the edit and stay"),
    row(RuleAccept, "rule.accept", &[(Bench, &["A"])], "accept all", "accept all edits of this rule"),
    row(RuleReject, "rule.reject", &[(Bench, &["X"])], "reject all", "reject all edits of this rule"),
    row(Reset, "edits.reset", &[(Bench, &["R"])], "reset", "back to the decisions before yours"),
    row(EditShow, "edit.show", &[(Edits, &["enter"])], "show", "show the edit in Source"),
    row(Unfold, "edits.unfold", &[(Edits, &["right", "l"])], "unfold", "list each edit of a folded row; open a branch of the tree"),
    row(Fold, "edits.fold", &[(Edits, &["left", "h"])], "fold", "fold equal edits into one row; close a branch of the tree"),
    row(Sort, "edits.sort", &[(Bench, &["S"])], "sort", "sort the edits by position, level or rule"),
    row(HideBlank, "edits.hide-blank", &[(Bench, &["b"])], "blanks", "hide edits of white space only, and show them again"),
    row(OutputDown, "output.down", &[(Edits, &["J"])], "scroll", "scroll Output down from Edits"),
    row(OutputUp, "output.up", &[(Edits, &["K"])], "scroll", "scroll Output up from Edits"),
    row(RungNext, "rung.next", &[(Bench, &[">"])], "rung", "next rung of the ladder"),
    row(RungPrevious, "rung.previous", &[(Bench, &["<"])], "rung", "previous rung of the ladder"),
    row(RungAuto, "rung.auto", &[(Bench, &["="]), (StrategyList, &["="])], "auto", "the rung that auto takes"),
    row(Strategies, "strategies.show", &[(Bench, &["t"])], "rungs", "what each rung found, and where it stopped"),
    row(RungPick, "rung.pick", &[(StrategyList, &["enter"])], "pick", "take the chosen rung"),
    row(Chatcli, "rung.chatcli", &[(StrategyList, &["C"])], "chatcli", "the first of rungs 1 to 7 that gives valid JSON"),
    row(Candidates, "candidates.show", &[(Bench, &["c"])], "candidates", "the values among which to choose"),
    row(CandidateKeep, "candidate.keep", &[(CandidateList, &["enter"])], "keep this", "keep this value; dropping the others is listed as your own edit"),
    row(CandidateSplit, "candidate.split", &[(CandidateList, &["b"])], "split", "split into calls, each repaired on its own"),
    row(AllowGuesses, "guesses.allow", &[(Bench, &["M"])], "guesses", "allow guesses for this text (asks)"),
    row(Typographic, "typographic.toggle", &[(Bench, &["T"])], "plain quotes", "replace curly quotes and other typographic signs inside strings, or leave them (off unless asked)"),
    row(Message, "message.copy", &[(Bench, &["m"]), (CandidateList, &["m"])], "message", "copy a message for the model: send it again, this is why"),
    row(CallNext, "call.next", &[(Bench, &["."])], "next call", "next failed call"),
    row(CallPrevious, "call.previous", &[(Bench, &[","])], "previous call", "previous failed call"),
    row(CallOpen, "call.open", &[(FeedList, &["enter"])], "open", "open the call in the Bench"),
    row(CallDismiss, "call.dismiss", &[(FeedList, &["d"])], "dismiss", "dismiss the call, or bring it back"),
    row(ShowDismissed, "feed.show-dismissed", &[(FeedList, &["D"])], "dismissed", "show dismissed calls, and hide them again"),
    row(Filter, "feed.filter", &[(FeedList, &["/"])], "filter", "filter by tool: format: file: rule: kind: level: since: and words; in the preview: search"),
    row(FeedSort, "feed.sort", &[(FeedList, &["S"])], "sort", "sort the calls by time, tool or outcome"),
    row(Choose, "list.choose", &[(List, &["enter"])], "choose", "take the chosen row"),
    row(LeaveInsert, "insert.leave", &[(Typing, &["esc"])], "done", "back to Normal mode"),
    row(RepairNow, "insert.repair", &[(Typing, &["F5"])], "repair now", "repair what is typed so far, without waiting"),
];

impl Action {
    /// Its row of the table.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The action of that name.
    pub fn find(id: &str) -> Option<Action> {
        ROWS.iter().find(|row| row.id == id).map(|row| row.action)
    }
}

/// One press: a key with the modifiers that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Press {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Press {
    /// The press behind an event; `None` for releases.
    pub fn of(key: KeyEvent) -> Option<Press> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let mut modifiers = key.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
        let code = match key.code {
            // Some terminals say shift-tab, some back-tab; the letter of a shifted key already is the other letter.
            KeyCode::Tab if key.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            KeyCode::Char(letter) if modifiers.contains(KeyModifiers::CONTROL) => {
                KeyCode::Char(letter.to_ascii_lowercase())
            }
            code => code,
        };
        if code == KeyCode::BackTab {
            modifiers = KeyModifiers::NONE;
        }
        Some(Press { code, modifiers })
    }

    /// Reads `ctrl-p`, `F1`, `pgdn`, `space`, `a`.
    pub fn parse(word: &str) -> Option<Press> {
        let (modifiers, name) = match (word.strip_prefix("ctrl-"), word.strip_prefix("alt-")) {
            (Some(name), _) => (KeyModifiers::CONTROL, name),
            (_, Some(name)) => (KeyModifiers::ALT, name),
            _ => (KeyModifiers::NONE, word),
        };
        let named = NAMED
            .iter()
            .find(|(word, _)| *word == name)
            .map(|(_, code)| *code);
        let code = named.or_else(|| {
            let mut letters = name.chars();
            let letter = letters.next()?;
            letters.as_str().is_empty().then_some(KeyCode::Char(letter))
        })?;
        Some(Press { code, modifiers })
    }

    /// Whether the press types a character where text is typed.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(letter) if self.modifiers.is_empty() => Some(letter),
            _ => None,
        }
    }

    /// The key alone, without modifiers.
    pub fn code(self) -> KeyCode {
        self.code
    }

    /// Whether this is the key of that name.
    pub fn is(self, word: &str) -> bool {
        Press::parse(word) == Some(self)
    }
}

const NAMED: [(&str, KeyCode); 20] = [
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("space", KeyCode::Char(' ')),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("F1", KeyCode::F(1)),
    ("F2", KeyCode::F(2)),
    ("F3", KeyCode::F(3)),
    ("F4", KeyCode::F(4)),
    ("F5", KeyCode::F(5)),
];

/// One key or two in a row.
fn chord(word: &str) -> Option<Vec<Press>> {
    match Press::parse(word) {
        Some(press) => Some(vec![press]),
        None if word.chars().count() == 2 => word
            .chars()
            .map(|letter| Press::parse(&letter.to_string()))
            .collect(),
        None => None,
    }
}

/// Whether `word` can be the key of the command named `id`; else what is wrong.
pub fn check(id: &str, word: &str) -> Result<(), String> {
    choice(id, word).map(|_| ())
}

/// The last of the user's own choices (command and key) that takes a key from another command, and what is wrong with
/// it. A command that was given other keys has lost its own, so that two can change places.
pub fn clash(own: &[(String, String)]) -> Option<(&str, String)> {
    let (map, _) = Keymap::new(own);
    own.iter().rev().find_map(|(id, _)| {
        let action = Action::find(id)?;
        let mine = map.bindings.iter().filter(|one| one.action == action);
        let (one, two) = mine
            .flat_map(|one| map.bindings.iter().map(move |two| (one, two)))
            .find(|(one, two)| one.action != two.action && one.hides(two))?;
        let why = format!(
            "`{id}`: `{}` is a key of `{}` ({}): expected one that is free there, so the default is kept",
            one.word,
            two.action.row().id,
            two.context.title()
        );
        Some((id.as_str(), why))
    })
}

fn choice(id: &str, word: &str) -> Result<(Action, Vec<Press>), String> {
    let action = Action::find(id).ok_or_else(|| match nearest(id) {
        Some(near) => format!("no command `{id}`: is it `{near}`? (`:` lists all)"),
        None => format!("no command `{id}`: `:` lists them"),
    })?;
    let chord = chord(word)
        .ok_or_else(|| format!("no key `{word}` for `{id}`: such as `ctrl-k`, `F5`, `gg`"))?;
    Ok((action, chord))
}

/// The command whose name differs least, if it differs by little.
fn nearest(id: &str) -> Option<&'static str> {
    let like = |row: &Row| {
        let ratio = similar::TextDiff::from_chars(id, row.id).ratio();
        (ratio, row.id)
    };
    let near = ROWS.iter().map(like);
    let (ratio, near) = near.max_by(|one, two| one.0.total_cmp(&two.0))?;
    (0.75 <= ratio).then_some(near)
}

/// The keys as they are in force: the table, with the user's own choices in place of the table's keys.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

#[derive(Clone, Debug)]
struct Binding {
    context: Context,
    chord: Vec<Press>,
    word: String,
    action: Action,
}

impl Binding {
    /// Whether only one of the two can ever be meant: the same key, or one that begins the other.
    fn hides(&self, other: &Binding) -> bool {
        let meet =
            self.context == other.context || self.context == Always || other.context == Always;
        meet && (self.chord.starts_with(&other.chord) || other.chord.starts_with(&self.chord))
    }
}

/// What a press means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// This command.
    Do(Action),
    /// The first half of a chord.
    Wait,
    /// Nothing.
    Nothing,
}

impl Keymap {
    /// The table's keys with `own` choices (action id, key) on top; the faults among them in words.
    /// An action named in `own` loses the table's keys, in each context where it had some. A key that the table gives it
    /// in one context comes to no other, unless that would be left without any.
    pub fn new(own: &[(String, String)]) -> (Keymap, Vec<String>) {
        let mut faults = Vec::new();
        let mut chosen: Vec<(Action, &str, Vec<Press>)> = Vec::new();
        for (id, word) in own {
            match choice(id, word) {
                Ok((action, chord)) => chosen.push((action, word, chord)),
                Err(fault) => faults.push(fault),
            }
        }
        let mut bindings: Vec<Binding> = Vec::new();
        for row in &ROWS {
            let mine: Vec<_> = chosen
                .iter()
                .filter(|(action, ..)| *action == row.action)
                .collect();
            for (context, words) in row.keys {
                let bind = |word: &str, chord: Vec<Press>| Binding {
                    context: *context,
                    chord,
                    word: word.to_owned(),
                    action: row.action,
                };
                if mine.is_empty() {
                    let known = words
                        .iter()
                        .filter_map(|word| Some(bind(word, chord(word)?)));
                    bindings.extend(known);
                } else {
                    let elsewhere = |word: &&str| {
                        !words.contains(word) && row.keys.iter().any(|(_, all)| all.contains(word))
                    };
                    let all_are = mine.iter().all(|(_, word, _)| elsewhere(word));
                    let here = mine
                        .iter()
                        .filter(|(_, word, _)| all_are || !elsewhere(word));
                    bindings.extend(here.map(|(_, word, chord)| bind(word, chord.clone())));
                }
            }
        }
        // The user's own keys win over the table's where both name the same key.
        bindings
            .sort_by_key(|binding| !chosen.iter().any(|(action, ..)| *action == binding.action));
        (Keymap { bindings }, faults)
    }

    /// What `press` means in the first of `contexts` that knows it, after the half chord `before`.
    pub fn meaning(&self, contexts: &[Context], before: Option<Press>, press: Press) -> Meaning {
        for context in contexts {
            let mut own = self
                .bindings
                .iter()
                .filter(|binding| binding.context == *context);
            let hit = own.clone().find(|binding| match before {
                Some(first) => binding.chord == [first, press],
                None => binding.chord == [press],
            });
            if let Some(binding) = hit {
                return Meaning::Do(binding.action);
            }
            if before.is_none()
                && own.any(|binding| 1 < binding.chord.len() && binding.chord[0] == press)
            {
                return Meaning::Wait;
            }
        }
        Meaning::Nothing
    }

    /// The first key of an action in the first of `contexts` where it has one, as it is written.
    pub fn key(&self, contexts: &[Context], action: Action) -> Option<&str> {
        contexts.iter().find_map(|context| {
            let found = self
                .bindings
                .iter()
                .find(|binding| binding.context == *context && binding.action == action);
            found.map(|binding| binding.word.as_str())
        })
    }

    /// All keys of an action in one context, as they are written.
    pub fn keys(&self, context: Context, action: Action) -> impl Iterator<Item = &str> {
        let own = self
            .bindings
            .iter()
            .filter(move |binding| binding.context == context && binding.action == action);
        own.map(|binding| binding.word.as_str())
    }
}

/// What a situation hints at: each entry one command, or two that go together under one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// Edits to review.
    Review,
    /// A text that needed no edit.
    Valid,
    /// A refusal.
    Refused,
    /// Nothing to work on yet.
    Empty,
    /// The Feed.
    Feed,
    /// The list of strategies.
    Strategies,
    /// The list of candidates.
    Candidates,
    /// Any other list.
    List,
    /// A text that is only read: help and messages.
    Reading,
    /// A list with a line to type in.
    Finder,
    /// Insert mode.
    Typing,
}

/// One hint: its commands, and its word where the table's does not fit.
pub type Hint = (&'static [Action], &'static str);

impl Situation {
    /// The hints, the most useful first. `wide` screens have room to name pairs.
    pub const fn hints(self, wide: bool) -> &'static [Hint] {
        match (self, wide) {
            (Situation::Review, false) => &[
                (&[EditAccept], ""),
                (&[EditReject], ""),
                (&[EditNext], ""),
                (&[OpenNext], ""),
                (&[RungNext], ""),
                (&[Action::Strategies], ""),
                (&[Copy], ""),
            ],
            (Situation::Review, true) => &[
                (&[EditAccept], ""),
                (&[EditReject], ""),
                (&[EditToggle], ""),
                (&[EditNext, EditPrevious], "edit"),
                (&[OpenNext, OpenPrevious], "open"),
                (&[RungNext, RungPrevious], ""),
                (&[Action::Strategies], ""),
                (&[AllowGuesses], ""),
                (&[ViewNext], ""),
                (&[Copy], ""),
                (&[Accept], ""),
                (&[CopyMenu], ""),
                (&[CallNext, CallPrevious], "calls"),
                (&[Undo], ""),
            ],
            (Situation::Valid, _) => &[
                (&[Copy], ""),
                (&[Accept], ""),
                (&[CopyMenu], ""),
                (&[Insert], ""),
                (&[Action::Strategies], ""),
                (&[CallNext], ""),
                (&[ViewNext], ""),
                (&[Quit], ""),
            ],
            (Situation::Refused, _) => &[
                (&[Insert], ""),
                (&[Message], "message for the model"),
                (&[Action::Strategies], ""),
                (&[CallNext], ""),
                (&[Action::Candidates], ""),
            ],
            (Situation::Empty, _) => &[
                (&[Insert], ""),
                (&[OpenFile], ""),
                (&[PasteSource], ""),
                (&[Action::Feed], "feed"),
                (&[Quit], ""),
            ],
            (Situation::Feed, _) => &[
                (&[CallOpen], ""),
                (&[Filter], ""),
                (&[Action::Feed], ""),
                (&[CallDismiss], ""),
                (&[FeedSort], ""),
                (&[FocusNext], ""),
                (&[ShowDismissed], ""),
                (&[Quit], ""),
            ],
            (Situation::Strategies, _) => &[
                (&[Down, Up], ""),
                (&[RungPick], ""),
                (&[RungAuto], ""),
                (&[Chatcli], ""),
                (&[Search], ""),
                (&[Back], ""),
            ],
            (Situation::Candidates, _) => &[
                (&[Down, Up], ""),
                (&[CandidateKeep], ""),
                (&[CandidateSplit], ""),
                (&[Message], ""),
                (&[Back], "back"),
            ],
            (Situation::Reading, _) => &[(&[Down, Up], ""), (&[Search], ""), (&[Back], "")],
            (Situation::List, _) => &[(&[Down, Up], ""), (&[Choose], ""), (&[Back], "")],
            (Situation::Finder, _) => &[(&[Choose], ""), (&[Back], "")],
            (Situation::Typing, _) => &[(&[LeaveInsert], ""), (&[RepairNow], "")],
        }
    }
}

/// The key list of the README: one table a context.
pub fn markdown() -> String {
    let mut out = String::new();
    for context in Context::ALL {
        out.push_str(&format!(
            "**{}**\n\n| key | does | command |\n|---|---|---|\n",
            context.title()
        ));
        for row in &ROWS {
            for (_, words) in row.keys.iter().filter(|(on, _)| *on == context) {
                let keys: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                out.push_str(&format!(
                    "| {} | {} | `{}` |\n",
                    keys.join(" "),
                    row.help,
                    row.id
                ));
            }
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_stands_at_its_action_and_every_key_can_be_read() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.action as usize, index, "{}", row.id);
            assert_eq!(Action::find(row.id), Some(row.action));
            assert!(
                !row.keys.is_empty() && !row.hint.is_empty() && !row.help.is_empty(),
                "{}",
                row.id
            );
            for word in row.keys.iter().flat_map(|(_, words)| *words) {
                assert!(chord(word).is_some(), "{word}");
            }
        }
        assert_eq!(ROWS[ROWS.len() - 1].action, RepairNow);
    }

    #[test]
    fn no_key_has_two_meanings_in_one_context() {
        let (map, faults) = Keymap::new(&[]);
        assert!(faults.is_empty());
        for (index, one) in map.bindings.iter().enumerate() {
            for two in &map.bindings[index + 1..] {
                let same = one.context == two.context && one.chord == two.chord;
                assert!(!same, "{} in {:?}", one.word, one.context);
            }
        }
    }

    #[test]
    fn the_users_own_keys_take_the_place_of_the_tables() {
        let own = [
            ("edit.accept", "F2"),
            ("edit.reject", "a"),
            ("no.such", "x"),
            ("app.quit", "hyper-q"),
        ];
        let own: Vec<_> = own
            .iter()
            .map(|(id, key)| (id.to_string(), key.to_string()))
            .collect();
        let (map, faults) = Keymap::new(&own);
        let contexts = [Edits, Bench, Normal, Always];
        let meaning = |word| map.meaning(&contexts, None, Press::parse(word).unwrap());
        assert_eq!(meaning("F2"), Meaning::Do(EditAccept));
        assert_eq!(meaning("a"), Meaning::Do(EditReject));
        assert_eq!(meaning("x"), Meaning::Nothing);
        assert_eq!(meaning("q"), Meaning::Do(Quit));
        assert_eq!(
            faults,
            [
                "no command `no.such`: `:` lists them",
                "no key `hyper-q` for `app.quit`: such as `ctrl-k`, `F5`, `gg`"
            ]
        );
    }

    #[test]
    fn chords_wait_for_their_second_key() {
        let (map, _) = Keymap::new(&[]);
        let contexts = [Edits, Bench, Normal, Always];
        let g = Press::parse("g").unwrap();
        assert_eq!(map.meaning(&contexts, None, g), Meaning::Wait);
        assert_eq!(map.meaning(&contexts, Some(g), g), Meaning::Do(First));
        assert_eq!(
            map.meaning(&contexts, Some(g), Press::parse("j").unwrap()),
            Meaning::Nothing
        );
    }
}
