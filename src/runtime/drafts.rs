//! Unfinished work on disk: one draft a process, never more than a moment behind, offered to the next one if this one
//! did not end cleanly.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use super::clock;
use crate::app::Draft;
use crate::files;
use crate::repair::{Decision, Span};

/// The drafts of all processes, in one folder.
pub struct Drafts {
    folder: PathBuf,
    /// This process's own, from the first save on.
    own: Option<Place>,
    /// The one of an earlier run that was offered in this one.
    offered: Option<Place>,
    /// The one that was taken, until this process's own holds its text.
    taken: Option<Place>,
}

/// What becomes of a draft that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// It is removed as soon as its text is in this process's own draft.
    Take,
    /// It is removed.
    Drop,
    /// It is left for another start.
    Leave,
}

/// A draft and the lock that says its process lives. The lock goes with the process, however it ends.
struct Place {
    path: PathBuf,
    lock: File,
}

/// A draft as it is written.
#[derive(Serialize, Deserialize)]
struct Record<'a> {
    version: u32,
    name: String,
    source: Cow<'a, str>,
    tool: Option<String>,
    rung: Option<u8>,
    /// Rule, start and end of the first edit, decision.
    decisions: Vec<(String, u32, u32, String)>,
    /// The folder that a relative name begins at.
    #[serde(default)]
    folder: Option<String>,
}

const WORDS: [(Decision, &str); 3] = [
    (Decision::On, "on"),
    (Decision::Off, "off"),
    (Decision::Undecided, "undecided"),
];

impl Drafts {
    /// The drafts below the state folder.
    pub fn open(state: &Path) -> Result<Drafts, String> {
        let folder = state.join("drafts");
        files::private_folder(&folder)?;
        Ok(Drafts {
            folder,
            own: None,
            offered: None,
            taken: None,
        })
    }

    /// The newest draft whose process is gone, of this file if one is named. Others wait for the next start.
    pub fn offer(&mut self, file: Option<&Path>) -> Option<Draft> {
        let entries = fs::read_dir(&self.folder).ok()?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut paths: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect();
        // Names begin with the time of the first save.
        paths.sort();
        for path in paths.into_iter().rev() {
            let Some(place) = Place::claim(path) else {
                continue;
            };
            let Ok(bytes) = files::read_file(&place.path) else {
                continue;
            };
            let Ok(record) = serde_json::from_slice::<Record>(&bytes) else {
                continue;
            };
            if file.is_some_and(|file| !record.is_of(file)) {
                continue;
            }
            let draft = Draft {
                saved: clock::modified(&place.path),
                ..record.into()
            };
            self.offered = Some(place);
            return Some(draft);
        }
        None
    }

    /// Writes the draft of this process.
    pub fn save(&mut self, draft: &Draft) -> Result<(), String> {
        let place = match self.own.take() {
            Some(place) => place,
            None => {
                let name = format!("{:013}-{}.json", clock::unix_millis(), std::process::id());
                Place::claim(self.folder.join(name)).ok_or("the draft's lock is taken")?
            }
        };
        let place = self.own.insert(place);
        let record = Record::from(draft);
        files::write_file(&place.path, |out| {
            serde_json::to_writer(out, &record).map_err(Into::into)
        })?;
        // Only now is the text of the one that was taken safe in this one.
        if let Some(taken) = self.taken.take() {
            taken.remove();
        }
        Ok(())
    }

    /// The work is done: nothing is left of this process's draft, nor of the one that it took.
    pub fn remove(&mut self) {
        for place in [self.own.take(), self.taken.take()].into_iter().flatten() {
            place.remove();
        }
    }

    /// The user said what becomes of the draft that was offered.
    pub fn answered(&mut self, answer: Offered) {
        let Some(place) = self.offered.take() else {
            return;
        };
        match answer {
            Offered::Take => self.taken = Some(place),
            Offered::Drop => place.remove(),
            Offered::Leave => {}
        }
    }

    /// Whether a draft of this process is on disk.
    pub fn has_own(&self) -> bool {
        self.own.is_some()
    }
}

impl Place {
    /// The draft at `path` if no living process holds it.
    fn claim(path: PathBuf) -> Option<Place> {
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path.with_extension("lock"))
            .ok()?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            // A file system without locks cannot tell; then the draft counts as left behind.
            Err(rustix::io::Errno::WOULDBLOCK) => None,
            _ => Some(Place { path, lock }),
        }
    }

    fn remove(self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(self.path.with_extension("lock"));
    }
}

impl Drop for Place {
    /// A child that is just being started still has the file open, so closing it would not always do.
    fn drop(&mut self) {
        let _ = flock(&self.lock, FlockOperation::Unlock);
    }
}

impl Record<'_> {
    /// Whether its text came from this file.
    fn is_of(&self, file: &Path) -> bool {
        let folder = self.folder.as_deref().unwrap_or_default();
        let own = std::path::absolute(Path::new(folder).join(&self.name));
        matches!((own, std::path::absolute(file)), (Ok(own), Ok(file)) if own == file)
    }
}

impl<'a> From<&'a Draft> for Record<'a> {
    fn from(draft: &'a Draft) -> Record<'a> {
        let word = |decision| WORDS.iter().find(|(one, _)| *one == decision);
        Record {
            version: 1,
            name: draft.name.clone(),
            source: Cow::Borrowed(&draft.source),
            tool: draft.tool.clone(),
            rung: draft.rung,
            decisions: draft
                .decisions
                .iter()
                .filter_map(|(rule, span, decision)| {
                    let word = word(*decision)?.1.to_owned();
                    Some((rule.clone(), span.start, span.end, word))
                })
                .collect(),
            folder: std::env::current_dir()
                .ok()
                .and_then(|folder| folder.into_os_string().into_string().ok()),
        }
    }
}

impl From<Record<'_>> for Draft {
    fn from(record: Record<'_>) -> Draft {
        let decision = |word: &str| WORDS.iter().find(|(_, one)| *one == word);
        Draft {
            name: record.name,
            source: Arc::new(record.source.into_owned()),
            tool: record.tool,
            rung: record.rung,
            decisions: record
                .decisions
                .into_iter()
                .filter(|(_, start, end, _)| start <= end)
                .filter_map(|(rule, start, end, word)| {
                    Some((rule, Span::new(start, end), decision(&word)?.0))
                })
                .collect(),
            saved: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(source: &str) -> Draft {
        Draft {
            name: "a.json".into(),
            source: Arc::new(source.into()),
            tool: Some("Edit".into()),
            rung: Some(9),
            decisions: vec![
                ("cut-off".into(), Span::new(3, 3), Decision::Undecided),
                ("non-finite".into(), Span::new(1, 2), Decision::Off),
            ],
            saved: None,
        }
    }

    /// The newest draft, without its age.
    fn offer(drafts: &mut Drafts) -> Option<Draft> {
        let draft = drafts.offer(None)?;
        assert!(draft.saved.is_some());
        Some(Draft {
            saved: None,
            ..draft
        })
    }

    #[test]
    fn a_draft_is_offered_for_its_own_file_and_waits_while_it_is_not_taken() -> Result<(), String> {
        let state = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut first = Drafts::open(state.path())?;
        first.save(&draft("{'a'"))?;
        drop(first);
        let here = std::env::current_dir().map_err(|error| error.to_string())?;
        for (file, found) in [
            (Some("a.json".into()), true),
            (Some(here.join("a.json")), true),
            (Some("b.json".into()), false),
            (Some("/a.json".into()), false),
            (None, true),
        ] {
            let mut drafts = Drafts::open(state.path())?;
            let offered = drafts.offer(file.as_deref()).is_some();
            assert_eq!(offered, found, "{file:?}");
            // A clean end of a run that did not take it leaves it there.
            drafts.answered(Offered::Leave);
            drafts.remove();
        }
        let mut drafts = Drafts::open(state.path())?;
        assert!(drafts.offer(None).is_some());
        drafts.answered(Offered::Drop);
        assert_eq!(drafts.offer(None), None);
        Ok(())
    }

    #[test]
    fn a_draft_is_offered_when_its_process_is_gone_and_only_then() -> Result<(), String> {
        let state = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut first = Drafts::open(state.path())?;
        assert_eq!(offer(&mut first), None);
        first.save(&draft("{\u{0}'a'\r\n"))?;
        first.save(&draft("{'a': \u{1F980}"))?;

        let mut second = Drafts::open(state.path())?;
        assert_eq!(offer(&mut second), None, "its process lives");
        drop(first);
        assert_eq!(offer(&mut second), Some(draft("{'a': \u{1F980}")));
        let mut third = Drafts::open(state.path())?;
        assert_eq!(offer(&mut third), None, "another process was offered it");

        second.answered(Offered::Take);
        second.save(&draft("more"))?;
        assert!(second.has_own());
        second.remove();
        let left = fs::read_dir(state.path().join("drafts"));
        assert_eq!(left.map_err(|error| error.to_string())?.count(), 0);
        Ok(())
    }

    #[test]
    fn a_draft_that_is_taken_moves_and_is_never_gone() -> Result<(), String> {
        let state = tempfile::tempdir().map_err(|error| error.to_string())?;
        let folder = state.path().join("drafts");
        let left = || {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            names.sort();
            names
        };
        let mut first = Drafts::open(state.path())?;
        let record = serde_json::to_vec(&Record::from(&draft("kept")));
        // An older name than any that is made here.
        fs::write(
            folder.join("1-1.json"),
            record.map_err(|error| error.to_string())?,
        )
        .map_err(|error| error.to_string())?;
        assert_eq!(offer(&mut first), Some(draft("kept")));
        first.answered(Offered::Leave);
        let before = left();
        // Taken, and the process ends before it wrote its own: the old one is still there.
        let mut second = Drafts::open(state.path())?;
        assert_eq!(offer(&mut second), Some(draft("kept")));
        second.answered(Offered::Take);
        assert_eq!(left(), before);
        drop(second);
        // It cannot be written: the same.
        let mut third = Drafts::open(state.path())?;
        assert_eq!(offer(&mut third), Some(draft("kept")));
        third.answered(Offered::Take);
        let there = std::mem::replace(&mut third.folder, state.path().join("missing"));
        assert!(third.save(&draft("kept")).is_err());
        assert_eq!(left(), before);
        // Written: only the new one is left, with its lock.
        third.folder = there;
        third.save(&draft("kept"))?;
        assert_eq!(left().len(), 2);
        assert!(left().iter().all(|name| !before.contains(name)));
        drop(third);
        // Offered and not answered, an end of this run is no answer.
        let mut fourth = Drafts::open(state.path())?;
        assert_eq!(offer(&mut fourth), Some(draft("kept")));
        fourth.remove();
        drop(fourth);
        assert_eq!(offer(&mut Drafts::open(state.path())?), Some(draft("kept")));
        Ok(())
    }

    #[test]
    fn what_is_no_draft_is_passed_over() -> Result<(), String> {
        let state = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut drafts = Drafts::open(state.path())?;
        for (name, text) in [
            (
                "1-1.json",
                r#"{"version":1,"name":"a","source":"{}","tool":null,"rung":null,"decisions":[]}"#,
            ),
            ("2-1.json", "{"),
            ("3-1.txt", "{}"),
        ] {
            let path = state.path().join("drafts").join(name);
            fs::write(path, text).map_err(|error| error.to_string())?;
        }
        let found = drafts.offer(None).map(|draft| draft.source.to_string());
        assert_eq!(found.as_deref(), Some("{}"));
        Ok(())
    }
}
