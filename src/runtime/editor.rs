//! The person's own editor, with a text in a file of its own.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::model::{Fault, Outcome};

/// What the environment names, `$VISUAL` before `$EDITOR` (environ(7)), or `vi`. It is a command of
/// the shell, with arguments perhaps, such as `code --wait`.
pub(super) fn command(env: impl Fn(&str) -> Option<String>) -> String {
    let named = ["VISUAL", "EDITOR"].iter().find_map(|name| env(name).filter(|v| !v.trim().is_empty()));
    named.unwrap_or_else(|| "vi".to_owned())
}

/// Lets the person edit the text; gives what they made of it. The terminal must have been given back.
///
/// # Errors
/// `editor` if it cannot be started, ends badly, or leaves no text. What it wrote stays in a file
/// then, which the fault names, unless it is the text of before.
pub(super) fn edit(text: &str, editor: &str) -> Outcome<String> {
    let folder = tempdir().map_err(|e| failed("No file for the editor can be made", e))?;
    let path = folder.join("query.sql");
    let edited = in_file(text, editor, &path);
    let now = fs::read(&path).unwrap_or_default();
    if edited.is_ok() || now == text.as_bytes() || now.is_empty() {
        // What stays is in a folder for such things.
        drop(fs::remove_dir_all(&folder));
        return edited;
    }
    edited.map_err(|fault| fault.hint(format!("What it wrote is in {}", path.display())))
}

fn in_file(text: &str, editor: &str, path: &Path) -> Outcome<String> {
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|e| failed("No file for the editor can be made", e))?;
    let status = run(editor, path).map_err(|e| failed("The editor cannot be started", e))?;
    if !status.success() {
        return Err(failed("The editor ended badly; the text is as before", status));
    }
    let bytes = fs::read(path).map_err(|e| failed("The editor left no text", e))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| failed("What the editor left is not UTF-8; the text is as before", editor))?;
    // Editors end a file with a line break, a query has none.
    Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
}

fn failed(what: &str, why: impl std::fmt::Display) -> Fault {
    Fault::read("editor", what).because(why)
}

/// A folder that only this person can look into.
fn tempdir() -> io::Result<PathBuf> {
    let path = std::env::temp_dir().join(format!("deltop-{}", uuid::Uuid::new_v4().simple()));
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&path)?;
    Ok(path)
}

#[cfg(unix)]
fn run(editor: &str, path: &Path) -> io::Result<ExitStatus> {
    use std::os::unix::process::CommandExt;

    // As git does: the shell takes the command apart, the path comes as it is.
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).arg(path);
    let _calm = Calm::take();
    // SAFETY: signal(2) is async-signal-safe, and nothing else is called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            libc::signal(libc::SIGQUIT, libc::SIG_DFL);
            Ok(())
        });
    }
    command.status()
}

#[cfg(not(unix))]
fn run(editor: &str, path: &Path) -> io::Result<ExitStatus> {
    let mut words = editor.split_whitespace();
    Command::new(words.next().unwrap_or("notepad")).args(words).arg(path).status()
}

/// While it lives, Ctrl-C and Ctrl-\ are the editor's alone, and Ctrl-Z stops both, so that the
/// shell gets the terminal.
#[cfg(unix)]
struct Calm(Vec<(i32, libc::sigaction)>);

#[cfg(unix)]
impl Calm {
    fn take() -> Calm {
        let wanted =
            [(libc::SIGINT, libc::SIG_IGN), (libc::SIGQUIT, libc::SIG_IGN), (libc::SIGTSTP, libc::SIG_DFL)];
        let mut before = Vec::new();
        for (signal, handler) in wanted {
            // SAFETY: an all-zero `sigaction` is a valid one with no flags and an empty mask; `old` is
            // read only if the call filled it; both pointers are valid for the call.
            unsafe {
                let mut new: libc::sigaction = std::mem::zeroed();
                let mut old: libc::sigaction = std::mem::zeroed();
                new.sa_sigaction = handler;
                if libc::sigaction(signal, &new, &mut old) == 0 {
                    before.push((signal, old));
                }
            }
        }
        Calm(before)
    }
}

#[cfg(unix)]
impl Drop for Calm {
    fn drop(&mut self) {
        for (signal, old) in &self.0 {
            // SAFETY: `old` is what sigaction gave for this very signal.
            unsafe {
                libc::sigaction(*signal, old, std::ptr::null_mut());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visual_comes_before_editor() {
        let of = |visual: &str, editor: &str| {
            let (visual, editor) = (visual.to_owned(), editor.to_owned());
            command(move |name| Some(if name == "VISUAL" { visual.clone() } else { editor.clone() }))
        };
        assert_eq!(of("code --wait", "ed"), "code --wait");
        assert_eq!(of(" ", "ed"), "ed");
        assert_eq!(of("", ""), "vi");
    }

    #[cfg(unix)]
    #[test]
    fn what_an_editor_does_and_what_a_bad_one_loses() {
        // The path comes as the last argument.
        assert_eq!(edit("select 1", "printf ' + 1\\n' | tee -a").unwrap(), "select 1 + 1");
        assert_eq!(edit("select 'ü'", "true").unwrap(), "select 'ü'");
        assert!(edit("select 1", "false").is_err());
        assert!(edit("select 1", "/no/such/editor").is_err());
        assert!(edit("select 1", "rm").is_err());
        assert!(edit("select 1", "printf '\\377' | tee").is_err());
        let wrote = edit("select 1", "f() { echo other > \"$1\"; exit 3; }; f").unwrap_err();
        let kept = PathBuf::from(wrote.hint.strip_prefix("What it wrote is in ").unwrap());
        assert_eq!(fs::read_to_string(&kept).unwrap(), "other\n");
        fs::remove_dir_all(kept.parent().unwrap()).unwrap();
    }
}
