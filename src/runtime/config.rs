//! The user's configuration. A fault in it is said with its line, and everything else in it counts all the same.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::audit::Audit;
use super::clipboard::Choice;
use crate::app::Theme;
use crate::app::keys::{self, ROWS};
use crate::files;
use crate::repair::{LineIndex, encoding};

/// What the user configured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The colours; `None` asks the terminal for its background.
    pub theme: Option<Theme>,
    /// Whether the session is kept.
    pub session: bool,
    /// What the audit file gets.
    pub audit: Audit,
    /// The way to the clipboard.
    pub clipboard: Choice,
    /// Own keys: action and key.
    pub keys: Vec<(String, String)>,
}

/// Reads a configuration file, and says what is wrong in it. A file that is not there is an empty one.
pub fn read(path: &Path) -> (Config, Vec<String>) {
    if path.symlink_metadata().is_err() {
        return (Config::default(), Vec::new());
    }
    let name = files::shown(path);
    let text = files::read_file(path).and_then(|bytes| {
        let text = encoding::decode(&bytes).map_err(|unreadable| unreadable.message())?;
        Ok(text.to_owned())
    });
    match text {
        Ok(text) => parse(&text, &name),
        Err(why) => (
            Config::default(),
            vec![format!("{name}: {why}; the defaults are used")],
        ),
    }
}

fn parse(text: &str, name: &str) -> (Config, Vec<String>) {
    let lines = LineIndex::new(text);
    let line = |at: usize| lines.position(text, at as u32).line;
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut faults: Vec<(usize, String)> = errors
        .iter()
        .map(|error| {
            let at = error.span().map_or(0, |span| span.start);
            (line(at), error.message().to_owned())
        })
        .collect();
    let mut config = Config::default();
    for (key, value) in table.get_ref() {
        let at = line(key.span().start);
        // What stands on a line that is no TOML says nothing about the setting.
        let mut own = |at, why| {
            if faults.iter().all(|(line, _)| *line != at) {
                faults.push((at, why));
            }
        };
        if key.get_ref() == "keys"
            && let Some(table) = value.get_ref().as_table()
        {
            // In the order of the file, so that the later of two that clash is the one at fault.
            let mut rows: Vec<_> = table.iter().collect();
            rows.sort_by_key(|(action, _)| action.span().start);
            for (action, key) in &rows {
                let at = line(action.span().start);
                if let Err(why) = set_key(&mut config, action.get_ref(), key.get_ref()) {
                    own(at, why);
                }
            }
            while let Some((id, why)) = keys::clash(&config.keys) {
                let id = id.to_owned();
                let row = rows.iter().find(|(action, _)| *action.get_ref() == id);
                own(row.map_or(at, |(action, _)| line(action.span().start)), why);
                config.keys.retain(|(action, _)| *action != id);
            }
        } else if let Err(expected) = set(&mut config, key.get_ref(), value) {
            own(at, format!("`{}`: expected {expected}", key.get_ref()));
        }
    }
    faults.sort_by_key(|(line, _)| *line);
    let faults = faults.into_iter();
    let faults = faults
        .map(|(line, why)| format!("{name}:{line}: {why}"))
        .collect();
    (config, faults)
}

/// Takes one setting; the error says what would have been right.
fn set(config: &mut Config, key: &str, value: &Spanned<DeValue>) -> Result<(), &'static str> {
    let value = value.get_ref();
    let (word, truth) = (value.as_str(), value.as_bool());
    match key {
        "theme" => {
            config.theme = match word {
                Some("auto") => None,
                Some("dark") => Some(Theme::Dark),
                Some("light") => Some(Theme::Light),
                Some("high-contrast") => Some(Theme::HighContrast),
                _ => return Err("\"auto\", \"dark\", \"light\" or \"high-contrast\""),
            };
        }
        "session" => config.session = truth.ok_or("true or false")?,
        "audit" => {
            config.audit = match (truth, word) {
                (Some(false), _) => Audit::Off,
                (Some(true), _) => Audit::Hashes,
                (_, Some("reviewed")) => Audit::Reviewed,
                (_, Some("full")) => Audit::Full,
                _ => return Err("true, false, \"reviewed\" or \"full\""),
            };
        }
        "clipboard" => {
            config.clipboard = match word {
                Some("auto") => Choice::Auto,
                Some("native") => Choice::Native,
                Some("terminal") => Choice::Terminal,
                _ => return Err("\"auto\", \"native\" or \"terminal\""),
            };
        }
        "keys" => return Err(KEYS),
        _ => return Err("one of theme, session, audit, clipboard, keys"),
    }
    Ok(())
}

/// What the keys have to be.
const KEYS: &str = "a table of commands and keys, such as \"edit.accept\" = \"ctrl-a\"";

/// Takes the keys of one command: a key, or a list of them.
fn set_key(config: &mut Config, action: &str, value: &DeValue) -> Result<(), String> {
    let one = |value: &DeValue| value.as_str().map(str::to_owned);
    let words = match value.as_array() {
        Some(list) => list.iter().map(|value| one(value.get_ref())).collect(),
        None => one(value).map(|word| vec![word]),
    };
    let words: Option<Vec<String>> = words;
    let words = words.filter(|words| !words.is_empty()).ok_or_else(|| {
        format!("`{action}`: expected a key such as \"ctrl-a\", or a list of keys")
    })?;
    for word in &words {
        keys::check(action, word)?;
    }
    let own = words.into_iter().map(|word| (action.to_owned(), word));
    config.keys.extend(own);
    Ok(())
}

/// The configuration in force as TOML: what can be set, what is set, and where it was read. A file with this in it would
/// change nothing.
pub fn print() -> (String, Vec<String>) {
    let path = files::config_file();
    let (config, faults) = match &path {
        Some(path) => read(path),
        None => (Config::default(), Vec::new()),
    };
    let from = match &path {
        None => "no home folder, so no file: these are the defaults".to_owned(),
        Some(path) if path.symlink_metadata().is_err() => {
            format!(
                "{}: not there, so these are the defaults",
                files::shown(path)
            )
        }
        Some(path) => files::shown(path),
    };
    (format!("# {from}\n{}", config.to_toml()), faults)
}

impl Config {
    /// As a file of it would look, with every command's own keys as comments.
    fn to_toml(&self) -> String {
        let theme = match self.theme {
            None => "auto",
            Some(Theme::Dark) => "dark",
            Some(Theme::Light) => "light",
            Some(Theme::HighContrast) => "high-contrast",
        };
        let audit = match self.audit {
            Audit::Off => "false",
            Audit::Reviewed => "\"reviewed\"",
            Audit::Hashes => "true",
            Audit::Full => "\"full\"",
        };
        let clipboard = match self.clipboard {
            Choice::Auto => "auto",
            Choice::Native => "native",
            Choice::Terminal => "terminal",
        };
        let mut out = format!(
            "theme = \"{theme}\"          # \"auto\" (asks the terminal), \"dark\", \"light\", \"high-contrast\"\n\
             session = {}        # whether pane sizes and dismissed calls are kept\n\
             audit = {audit}     # a line for a result that leaves: \"reviewed\" (with a loss or a guess), true (each), \"full\" (with its texts), false\n\
             clipboard = \"{clipboard}\"      # \"auto\", \"native\", \"terminal\" (OSC 52)\n\
             \n[keys]\n",
            self.session
        );
        for row in &ROWS {
            let own = self.keys.iter().filter(|(id, _)| id == row.id);
            let own: Vec<&str> = own.map(|(_, word)| word.as_str()).collect();
            let (sign, words) = match own.is_empty() {
                false => ("", own),
                true => {
                    let all = row.keys.iter().flat_map(|(_, words)| *words).copied();
                    let mut words: Vec<&str> = all.collect();
                    let mut seen = std::collections::HashSet::new();
                    words.retain(|word| seen.insert(*word));
                    ("# ", words)
                }
            };
            let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
            let words = match words.as_slice() {
                [one] => one.clone(),
                many => format!("[{}]", many.join(", ")),
            };
            out.push_str(&format!("{sign}\"{}\" = {words}\n", row.id));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_as_the_same_configuration() {
        let full = Config {
            theme: Some(Theme::HighContrast),
            session: true,
            audit: Audit::Full,
            clipboard: Choice::Native,
            keys: vec![
                ("edit.accept".into(), "F2".into()),
                ("edit.accept".into(), "ctrl-a".into()),
                ("rung.next".into(), "\\".into()),
            ],
        };
        for config in [Config::default(), full] {
            let text = config.to_toml();
            assert_eq!(parse(&text, "c"), (config, Vec::new()), "{text}");
        }
        // And the keys of the comments are the keys in force.
        let text = Config::default().to_toml().replace("\n# ", "\n");
        let (config, faults) = parse(&text, "c");
        assert_eq!(faults, Vec::<String>::new());
        assert!(ROWS.len() <= config.keys.len());
        let (own, _) = keys::Keymap::new(&config.keys);
        let (table, _) = keys::Keymap::new(&[]);
        for (row, context) in ROWS
            .iter()
            .flat_map(|row| keys::Context::ALL.map(|context| (row, context)))
        {
            let own: Vec<_> = own.keys(context, row.action).collect();
            let table: Vec<_> = table.keys(context, row.action).collect();
            assert_eq!(own, table, "{}", row.id);
        }
    }

    #[test]
    fn a_whole_configuration() {
        let text = "theme = \"light\"\nsession = true\naudit = \"full\"\nclipboard = \"terminal\"\n\n[keys]\n\"edit.accept\" = \"ctrl-a\"\n";
        let (config, faults) = parse(text, "config.toml");
        assert_eq!(faults, Vec::<String>::new());
        assert_eq!(
            config,
            Config {
                theme: Some(Theme::Light),
                session: true,
                audit: Audit::Full,
                clipboard: Choice::Terminal,
                keys: vec![("edit.accept".into(), "ctrl-a".into())],
            }
        );
    }

    #[test]
    fn a_fault_is_said_with_its_line_and_the_rest_counts() {
        for (text, want) in [
            ("", ""),
            (
                "theme = \"pink\"",
                "c:1: `theme`: expected \"auto\", \"dark\", \"light\" or \"high-contrast\"",
            ),
            (
                "\naudit = 1",
                "c:2: `audit`: expected true, false, \"reviewed\" or \"full\"",
            ),
            (
                "\n\ncolour = true",
                "c:3: `colour`: expected one of theme, session, audit, clipboard, keys",
            ),
            (
                "keys = 3",
                "c:1: `keys`: expected a table of commands and keys, such as \"edit.accept\" = \"ctrl-a\"",
            ),
            (
                "[keys]\n\"a.b\" = 1",
                "c:2: `a.b`: expected a key such as \"ctrl-a\", or a list of keys",
            ),
            (
                "[keys]\n\n\"edit.acept\" = \"F2\"",
                "c:3: no command `edit.acept`: is it `edit.accept`? (`:` lists all)",
            ),
            (
                "[keys]\n\"edit.accept\" = \"hyper-a\"",
                "c:2: no key `hyper-a` for `edit.accept`: such as `ctrl-k`, `F5`, `gg`",
            ),
            (
                "[keys]\n\"edit.accept\" = []",
                "c:2: `edit.accept`: expected a key such as \"ctrl-a\", or a list of keys",
            ),
            (
                "[keys]\n\n\"edit.reject\" = [\"F2\", \"a\"]",
                "c:3: `edit.reject`: `a` is a key of `edit.accept` (reviewing): expected one that is free there, so the default is kept",
            ),
            (
                "[keys]\n\"undo\" = \"F2\"\n\"history.undo\" = \"g\"",
                "c:2: no command `undo`: `:` lists them\nc:3: `history.undo`: `g` is a key of `move.first` (everywhere): expected one that is free there, so the default is kept",
            ),
            (
                "[keys]\n\"edit.accept\" = \"ctrl-c\"",
                "c:2: `edit.accept`: `ctrl-c` is a key of `app.interrupt` (at any time): expected one that is free there, so the default is kept",
            ),
            // The first takes the key of the second, which lost its own choice.
            (
                "[keys]\n\"rule.reject\" = \"x\"\n\"edit.reject\" = \"x\"",
                "c:2: `rule.reject`: `x` is a key of `edit.reject` (reviewing): expected one that is free there, so the default is kept\nc:3: `edit.reject`: `x` is a key of `rule.reject` (reviewing): expected one that is free there, so the default is kept",
            ),
        ] {
            let (config, faults) = parse(&format!("{text}\n"), "c");
            assert_eq!(faults.join("\n"), want);
            assert_eq!(config, Config::default());
        }
        // Of two new ones that clash, the later goes; two can change places.
        for (text, kept, count) in [
            (
                "\"view.wrap\" = \"F2\"\n\"edit.accept\" = \"F3\"\n\"view.zoom\" = \"F2\"",
                2,
                1,
            ),
            ("\"edit.accept\" = \"x\"\n\"edit.reject\" = \"a\"", 2, 0),
        ] {
            let (config, faults) = parse(&format!("[keys]\n{text}\n"), "c");
            assert_eq!(
                (config.keys.len(), faults.len()),
                (kept, count),
                "{faults:?}"
            );
            assert!(config.keys.iter().all(|(id, _)| id != "view.zoom"));
        }
        let (config, faults) = parse("theme = \"pink\"\nsession = true\n", "c");
        assert_eq!((config.session, faults.len()), (true, 1));
        let (config, faults) = parse("session = true\naudit =\n", "c");
        assert_eq!((config.session, faults.len()), (true, 1));
        assert!(faults[0].starts_with("c:2: "), "{faults:?}");
    }
}
