//! The user's own editor, on a private file, with the terminal handed over.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::store;
use crate::files;

/// The editor's command line: `$VISUAL`, `$EDITOR`, `vi`.
pub fn command() -> String {
    let named = |name| env::var(name).ok().filter(|text| !text.trim().is_empty());
    named("VISUAL")
        .or_else(|| named("EDITOR"))
        .unwrap_or_else(|| "vi".into())
}

/// Lets the editor change `text`, and gives what it left. The caller has given the terminal free.
/// The file lies in the user's own state folder and is gone afterwards.
pub fn edit(command: &str, text: &str, state: &Path, terminal: &File) -> Result<String, String> {
    let folder = state.join("edit");
    files::private_folder(&folder)?;
    let path = folder.join(format!("{}.json", std::process::id()));
    files::write_file(&path, |out| out.write_all(text.as_bytes()))?;
    let edited = run(command, &path, terminal).and_then(|()| {
        let bytes = files::read_file(&path)?;
        let text =
            store::text(bytes).map_err(|why| format!("the editor's text was not taken: {why}"))?;
        Ok(text.to_string())
    });
    let _ = fs::remove_file(&path);
    edited
}

fn run(command: &str, path: &Path, terminal: &File) -> Result<(), String> {
    let stream = || terminal.try_clone().map(Stdio::from);
    let start = || -> io::Result<std::process::ExitStatus> {
        // By the shell, since the variable may hold arguments; the path is no part of its text.
        Command::new("/bin/sh")
            .arg("-c")
            .arg(format!("exec {command} \"$1\""))
            .arg("sh")
            .arg(path)
            .stdin(stream()?)
            .stdout(stream()?)
            .stderr(stream()?)
            .status()
    };
    let status = start().map_err(|error| format!("`{command}`: {}", files::words(&error)))?;
    if status.success() {
        return Ok(());
    }
    Err(format!(
        "`{command}` ended with {}; the text is as it was (set $VISUAL or $EDITOR for another editor)",
        match status.code() {
            Some(code) => format!("status {code}"),
            None => "a signal".into(),
        }
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_changes_a_private_file_that_goes_afterwards() -> io::Result<()> {
        let state = tempfile::tempdir()?;
        let nowhere = File::options().read(true).write(true).open("/dev/null")?;
        let edit = |command: &str| edit(command, "{'a': 1}", state.path(), &nowhere);
        assert_eq!(edit("true"), Ok("{'a': 1}".into()));
        assert_eq!(edit("sed -i s/a/b/"), Ok("{'b': 1}".into()));
        assert_eq!(
            edit("false"),
            Err("`false` ended with status 1; the text is as it was (set $VISUAL or $EDITOR for another editor)".into())
        );
        let folder = state.path().join("edit");
        assert_eq!(fs::read_dir(folder)?.count(), 0);
        Ok(())
    }
}
