//! Where agents keep their logs on this machine.

use std::env;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::log::NOT_READ;
use super::walk::Unread;

/// A folder below a base.
struct Place {
    /// An environment variable that names another base.
    variable: Option<&'static str>,
    base: Base,
    /// Below the base, with `/`; below the variable the last part alone.
    folder: &'static str,
}

#[derive(Clone, Copy)]
enum Base {
    /// The home folder.
    Home,
    /// Where programs keep data.
    Data,
    /// Where programs keep settings.
    Config,
}

const fn home(folder: &'static str) -> Place {
    Place {
        variable: None,
        base: Base::Home,
        folder,
    }
}

const fn below(variable: &'static str, base: Base, folder: &'static str) -> Place {
    Place {
        variable: Some(variable),
        base,
        folder,
    }
}

const fn in_base(base: Base, folder: &'static str) -> Place {
    Place {
        variable: None,
        base,
        folder,
    }
}

#[rustfmt::skip]
const PLACES: &[Place] = &[
    below("CLAUDE_CONFIG_DIR", Base::Home, ".claude/projects"),
    in_base(Base::Config, "claude/projects"),
    below("CODEX_HOME", Base::Home, ".codex/sessions"),
    below("CODEX_HOME", Base::Home, ".codex/archived_sessions"),
    in_base(Base::Data, "opencode/storage"),
    home(".openhands/conversations"),
    home(".continue/sessions"),
    home(".cline/data/sessions"),
    in_base(Base::Data, "goose/sessions"),
    home(".gemini/tmp"),
    home(".qwen/projects"),
    home(".pi/agent/sessions"),
    home(".chatcli/sessions"),
];

/// SQLite stores of agents, which are named and not read. `*` stands for the rest of a name.
#[rustfmt::skip]
const STORES: &[Place] = &[
    in_base(Base::Data, "opencode/*.db"),
    in_base(Base::Data, "goose/sessions/sessions.db"),
    in_base(Base::Data, "zed/threads/threads.db"),
    in_base(Base::Config, "Cursor/User/globalStorage/state.vscdb"),
];

/// Editors that keep what their extensions store below the settings folder.
const EDITORS: &[&str] = &["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];
/// Extensions that keep conversations there.
const EXTENSIONS: &[&str] = &["saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline"];

/// The log folders of known agents that exist.
pub fn known() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = candidates()
        .into_iter()
        .filter(|folder| folder.is_dir())
        .collect();
    found.dedup();
    found
}

/// Stores of known agents that exist and lie in no log folder, where they would be met anyway.
pub fn stores() -> Vec<Unread> {
    let folders = known();
    let mut found = Vec::new();
    for place in STORES {
        let Some(path) = base(place.base).map(|base| base.join(place.folder)) else {
            continue;
        };
        match path.file_name().and_then(|name| name.to_str()) {
            Some(name) if name.starts_with('*') => {
                let entries = path.parent().and_then(|folder| folder.read_dir().ok());
                let names = entries.into_iter().flatten().flatten();
                let paths = names.map(|entry| entry.path());
                let end = &name[1..];
                found.extend(paths.filter(|path| path.to_string_lossy().ends_with(end)));
            }
            _ => found.push(path),
        }
    }
    // A project's own store.
    found.push(PathBuf::from(".crush/crush.db"));
    found.retain(|path| path.is_file() && !folders.iter().any(|folder| path.starts_with(folder)));
    let unread = |path| Unread {
        path,
        why: NOT_READ.to_owned(),
        is_named: false,
    };
    found.into_iter().map(unread).collect()
}

fn base(base: Base) -> Option<PathBuf> {
    let bases = etcetera::choose_base_strategy().ok()?;
    Some(match base {
        Base::Home => bases.home_dir().to_owned(),
        Base::Data => bases.data_dir(),
        Base::Config => bases.config_dir(),
    })
}

fn candidates() -> Vec<PathBuf> {
    let named = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty());
    let mut out = Vec::new();
    for place in PLACES {
        match place.variable.and_then(named) {
            // The variable may name several folders.
            Some(value) => {
                let last = place.folder.rsplit('/').next().unwrap_or_default();
                match value.to_str() {
                    Some(value) => {
                        out.extend(value.split(',').map(|base| Path::new(base).join(last)))
                    }
                    None => out.push(Path::new(&value).join(last)),
                }
            }
            None => out.extend(base(place.base).map(|base| base.join(place.folder))),
        }
    }
    let storage = |base: &Path, editor: &str, extension: &str| {
        base.join(editor)
            .join("User/globalStorage")
            .join(extension)
            .join("tasks")
    };
    let settings = match cfg!(target_os = "macos") {
        true => base(Base::Home).map(|home| home.join("Library/Application Support")),
        false => base(Base::Config),
    };
    if let Some(settings) = settings {
        for editor in EDITORS {
            out.extend(
                EXTENSIONS
                    .iter()
                    .map(|name| storage(&settings, editor, name)),
            );
        }
    }
    out
}
