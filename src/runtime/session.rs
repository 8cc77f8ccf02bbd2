//! The session: pane sizes and dismissed calls, kept only if the user turned that on.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::app::Session;
use crate::files;

#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Record {
    version: u32,
    shares: Vec<i16>,
    dismissed: Vec<String>,
}

/// What the last run kept; nothing where there is none or it cannot be read.
pub fn read(state: &Path) -> Session {
    let bytes = files::read_file(&state.join("session.json")).unwrap_or_default();
    let record: Record = serde_json::from_slice(&bytes).unwrap_or_default();
    Session {
        shares: record.shares,
        dismissed: record.dismissed,
    }
}

/// Keeps the session.
pub fn write(state: &Path, session: &Session) -> Result<(), String> {
    let record = Record {
        version: 1,
        shares: session.shares.clone(),
        dismissed: session.dismissed.clone(),
    };
    files::write_file(&state.join("session.json"), |out| {
        serde_json::to_writer(out, &record).map_err(Into::into)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_comes_back() -> std::io::Result<()> {
        let state = tempfile::tempdir()?;
        assert_eq!(read(state.path()), Session::default());
        let session = Session {
            shares: vec![1, -2],
            dismissed: vec!["toolu_1".into()],
        };
        assert_eq!(write(state.path(), &session), Ok(()));
        assert_eq!(read(state.path()), session);
        std::fs::write(state.path().join("session.json"), "{\"shares\": 1")?;
        assert_eq!(read(state.path()), Session::default());
        Ok(())
    }
}
