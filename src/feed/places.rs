//! Where agents keep their logs on this machine.

use std::env;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

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

fn candidates() -> Vec<PathBuf> {
    let bases = etcetera::choose_base_strategy().ok();
    let base = |base: Base| {
        let bases = bases.as_ref()?;
        Some(match base {
            Base::Home => bases.home_dir().to_owned(),
            Base::Data => bases.data_dir(),
            Base::Config => bases.config_dir(),
        })
    };
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
