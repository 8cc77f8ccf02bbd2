//! Where the last run stopped, kept in the user's state folder.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use etcetera::BaseStrategy;
use serde_json::{Value, json};

use super::file::FileId;
use super::mark::{Mark, Position, WINDOW};
use super::tail::Text;

/// What a run leaves for the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// Where the reading of each file stopped.
    pub files: Vec<Text>,
    /// Texts that were read and are gone from where they were.
    pub past: Vec<Text>,
    /// Hashes of the failures that were listed.
    pub seen: Vec<u64>,
}

/// The file in which positions are kept.
pub fn default_path() -> Option<PathBuf> {
    let bases = etcetera::choose_base_strategy().ok()?;
    let state = bases.state_dir().unwrap_or_else(|| bases.data_dir());
    Some(state.join("jsonmedic").join("positions.json"))
}

/// Reads what the last run left; `None` if there is nothing.
pub fn load(path: &Path) -> io::Result<Option<Saved>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let no_positions = || io::Error::other("expected saved positions, found something else");
    let document: Value = serde_json::from_slice(&bytes).map_err(|_| no_positions())?;
    if document["version"] != 1 {
        return Err(no_positions());
    }
    let files = document["files"].as_array().ok_or_else(no_positions)?;
    let seen = document["seen"].as_array().ok_or_else(no_positions)?;
    // An earlier version did not keep these.
    let past = document["past"].as_array().map_or(&[][..], Vec::as_slice);
    let notes = |path| fs::read_to_string(path).unwrap_or_default();
    let noted = notes(closed_notes_of(path)) + "\n" + &notes(notes_of(path));
    // The last line may lack its end.
    let noted = noted
        .split_inclusive('\n')
        .filter_map(|line| u64::from_str_radix(line.strip_suffix('\n')?, 16).ok());
    Ok(Some(Saved {
        files: files.iter().filter_map(text_of).collect(),
        past: past.iter().filter_map(text_of).collect(),
        seen: seen.iter().filter_map(hash_of).chain(noted).collect(),
    }))
}

/// Writes positions, so that the file holds either the old ones or the new ones: to a file beside it that only the
/// user can read, onto the disk, then by rename.
pub fn save(path: &Path, saved: &Saved) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_folder(folder)?;
    let values = |texts: &[Text]| texts.iter().map(text_value).collect::<Vec<Value>>();
    let (files, past) = (values(&saved.files), values(&saved.past));
    let seen: Vec<String> = saved.seen.iter().map(|hash| format!("{hash:x}")).collect();
    let document = json!({"version": 1, "files": files, "past": past, "seen": seen});
    let mut fresh = tempfile::Builder::new()
        .prefix(".positions-")
        .tempfile_in(folder)?;
    fresh.write_all(document.to_string().as_bytes())?;
    fresh.as_file().sync_all()?;
    fresh.persist(path).map_err(|error| error.error)?;
    match fs::remove_file(closed_notes_of(path)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // Not every file system lets a folder be synced; the content is safe already.
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Notes failures that were told since positions were saved: cheap enough for each, so that a run that is killed in
/// between tells none of them again. A system that stops may lose the last ones.
pub fn note_seen(path: &Path, hashes: &[u64]) -> io::Result<()> {
    let lines: String = hashes.iter().map(|hash| format!("{hash:x}\n")).collect();
    crate::files::append_private(&notes_of(path), &lines)
}

/// What is noted so far will be in the positions that are written next.
pub fn close_notes(path: &Path) {
    let closed = closed_notes_of(path);
    // Where an earlier writing failed, its notes count still.
    if !closed.exists() {
        let _ = fs::rename(notes_of(path), closed);
    }
}

fn closed_notes_of(path: &Path) -> PathBuf {
    path.with_extension("seen.old")
}

/// The file beside the positions that holds such notes.
fn notes_of(path: &Path) -> PathBuf {
    path.with_extension("seen")
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

fn text_value(text: &Text) -> Value {
    let Position {
        id,
        offset,
        head,
        first,
        tail,
    } = &text.position;
    let mut value = json!({
        "path": path_value(&text.path),
        "device": id.device,
        "inode": id.inode,
        "offset": offset,
        "head": mark_value(*head),
        "first": mark_value(*first),
        "tail": mark_value(*tail),
    });
    if text.name != text.path {
        value["name"] = path_value(&text.name);
    }
    value
}

fn path_value(path: &Path) -> Value {
    STANDARD.encode(path.as_os_str().as_encoded_bytes()).into()
}

fn mark_value(mark: Mark) -> Value {
    json!([mark.length, format!("{:x}", mark.hash)])
}

fn mark_of(value: &Value) -> Option<Mark> {
    Some(Mark {
        length: value[0].as_u64()?,
        hash: hash_of(&value[1])?,
    })
}

fn hash_of(value: &Value) -> Option<u64> {
    u64::from_str_radix(value.as_str()?, 16).ok()
}

fn text_of(value: &Value) -> Option<Text> {
    let path_in = |name: &str| path_of(STANDARD.decode(value[name].as_str()?).ok()?);
    let path = path_in("path")?;
    let position = Position {
        id: FileId {
            device: value["device"].as_u64()?,
            inode: value["inode"].as_u64()?,
        },
        offset: value["offset"].as_u64()?,
        head: mark_of(&value["head"])?,
        first: mark_of(&value["first"])?,
        tail: mark_of(&value["tail"])?,
    };
    // Marks lie inside what was read; what says otherwise was not written by us.
    let is_sound = |mark: Mark| mark.length <= WINDOW.min(position.offset);
    (is_sound(position.head) && is_sound(position.tail)).then(|| Text {
        name: path_in("name").unwrap_or_else(|| path.clone()),
        path,
        position,
    })
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_loaded_and_only_the_user_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/jsonmedic/positions.json");
        assert_eq!(load(&path).unwrap(), None);
        let mark = Mark::of(b"abc");
        let position = Position {
            id: FileId {
                device: 1,
                inode: u64::MAX,
            },
            offset: 3,
            head: mark,
            first: mark,
            tail: mark,
        };
        let mut saved = Saved {
            files: vec![Text {
                path: "/a b/\u{202e}".into(),
                name: "/a b/\u{202e}".into(),
                position,
            }],
            past: vec![Text {
                path: "/a".into(),
                name: "/b".into(),
                position,
            }],
            seen: vec![0, u64::MAX],
        };
        #[cfg(unix)]
        saved.past.push(Text {
            path: path_of(b"/\xff".to_vec()).unwrap(),
            name: "/c".into(),
            position,
        });
        save(&path, &saved).unwrap();
        assert_eq!(load(&path).unwrap(), Some(saved));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&path), 0o600);
            assert_eq!(mode(path.parent().unwrap()), 0o700);
        }
    }

    #[test]
    fn what_is_no_positions_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p");
        for text in [
            "",
            "[]",
            "{\"version\":2}",
            "{\"version\":1,\"files\":3,\"seen\":[]}",
        ] {
            fs::write(&path, text).unwrap();
            assert!(load(&path).is_err(), "{text}");
        }
        fs::write(
            &path,
            r#"{"version":1,"files":[{"path":"YQ==","offset":1}],"seen":["x"]}"#,
        )
        .unwrap();
        assert_eq!(load(&path).unwrap(), Some(Saved::default()));
    }
}
