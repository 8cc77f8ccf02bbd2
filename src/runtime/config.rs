//! The user's configuration. A fault in it is said with its line, and everything else in it counts all the same.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::audit::Audit;
use super::clipboard::Choice;
use crate::app::Theme;
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
        if let Err(expected) = set(&mut config, key.get_ref(), value)
            && faults.iter().all(|(line, _)| *line != at)
        {
            faults.push((at, format!("`{}`: expected {expected}", key.get_ref())));
        }
    }
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
                (_, Some("full")) => Audit::Full,
                _ => return Err("true, false or \"full\""),
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
        "keys" => {
            let table = value.as_table().ok_or("a table of actions and keys")?;
            for (action, key) in table {
                let key = key.get_ref().as_str();
                let key =
                    key.ok_or("a table of actions and keys, such as \"edit.accept\" = \"ctrl-a\"")?;
                config
                    .keys
                    .push((action.get_ref().to_string(), key.to_owned()));
            }
        }
        _ => return Err("one of theme, session, audit, clipboard, keys"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
                "c:2: `audit`: expected true, false or \"full\"",
            ),
            (
                "\n\ncolour = true",
                "c:3: `colour`: expected one of theme, session, audit, clipboard, keys",
            ),
            (
                "keys = 3",
                "c:1: `keys`: expected a table of actions and keys",
            ),
            (
                "[keys]\n\"a.b\" = 1",
                "c:1: `keys`: expected a table of actions and keys, such as \"edit.accept\" = \"ctrl-a\"",
            ),
        ] {
            let (config, faults) = parse(&format!("{text}\n"), "c");
            assert_eq!(faults.join("\n"), want);
            assert_eq!(config, Config::default());
        }
        let (config, faults) = parse("theme = \"pink\"\nsession = true\n", "c");
        assert_eq!((config.session, faults.len()), (true, 1));
        let (config, faults) = parse("session = true\naudit =\n", "c");
        assert_eq!((config.session, faults.len()), (true, 1));
        assert!(faults[0].starts_with("c:2: "), "{faults:?}");
    }
}
