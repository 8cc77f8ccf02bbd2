//! Which text a new file is a copy of: what was read of the one is not read again in the other.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Instant;

use super::{News, Tailer, Text};
use crate::feed::followed::Followed;
use crate::feed::original::{Known, Original, OriginalSearch};

impl Tailer {
    /// The name under which the text of the file at `path` was read first.
    pub fn name_of(&self, path: &Path) -> Option<&Path> {
        self.files.get(path).map(|followed| followed.name.as_path())
    }

    /// Texts that were read and are no longer where they were: copies of them may turn up.
    pub fn past_texts(&self) -> Vec<Text> {
        let named = self.files.iter();
        let cut = named.flat_map(|(path, followed)| {
            let before = followed.before.iter();
            before.map(move |(_, position)| (path, followed, *position))
        });
        let gone = self
            .nameless
            .iter()
            .map(|(path, followed, _)| (path, followed, followed.position));
        cut.chain(gone)
            .map(|(path, followed, position)| Text {
                path: path.clone(),
                name: followed.name.clone(),
                position,
            })
            .collect()
    }

    /// Takes over which texts an earlier run has read.
    pub fn have_read(&mut self, texts: impl IntoIterator<Item = Text>) {
        for text in texts {
            let folder = text.path.parent().unwrap_or(Path::new(""));
            self.texts.entry(folder.to_owned()).or_default().push(text);
        }
    }

    /// Compares a file that gives up its name: what was written aside and renamed is a copy, also where nobody saw more
    /// of it than what its handle still holds.
    pub(super) fn compare_last(&mut self, path: &Path, now: Instant, news: &mut Vec<News>) {
        let Some(followed) = self.files.get_mut(path) else {
            return;
        };
        followed.learn_shape();
        let Some(handle) = followed.handle.take() else {
            return;
        };
        let is_due = followed.is_to_be_compared(&handle).unwrap_or(false);
        let original = match is_due {
            true => self.original_of(path, &handle),
            false => Ok(None),
        };
        if let Some(followed) = self.files.get_mut(path) {
            if is_due {
                followed.is_compared_with(original.unwrap_or(None), path, now, news);
            }
            followed.is_compared = true;
            followed.handle = Some(handle);
        }
    }

    /// The text that a new one is a copy of, if there is one: logs are copied before they are cut, and written aside
    /// before they are replaced. A copy lies beside its original; the same text elsewhere is another log.
    pub(super) fn original_of(&self, path: &Path, file: &File) -> io::Result<Option<Original>> {
        let Some(folder) = path.parent() else {
            return Ok(None);
        };
        let mut search = OriginalSearch::new(path, file)?;
        let is_beside = |name: &Path| {
            let bytes = name.as_os_str().as_encoded_bytes();
            bytes.starts_with(folder.as_os_str().as_encoded_bytes())
                && name.parent() == Some(folder)
        };
        for (name, followed) in &self.files {
            let is_beside = is_beside(name);
            if is_beside || !followed.before.is_empty() {
                search.look_at_past(name, is_beside, followed)?;
            }
            // A file is no copy of itself, and what is still there was not moved.
            if is_beside && name != path {
                search.look_at(name, true, followed.known())?;
            }
        }
        for (name, followed, _) in &self.nameless {
            let is_beside = is_beside(name);
            search.look_at_past(name, is_beside, followed)?;
            search.look_at(name, is_beside, followed.known())?;
        }
        for (of, texts) in &self.texts {
            for text in texts {
                let is_there = |followed: &Followed| followed.position.id == text.position.id;
                let is_beside = of == folder;
                let is_still_there = self.files.get(&text.path).is_some_and(is_there);
                if !is_beside && is_still_there {
                    continue;
                }
                let known = Known {
                    name: &text.name,
                    stream: None,
                    begin: text.position,
                    position: text.position,
                    is_gone: !is_still_there,
                };
                search.look_at(&text.path, is_beside, known)?;
            }
        }
        Ok(search.found)
    }
}
