//! A pseudo-terminal around a program, and what it would show.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use vt100::{Parser, Screen};

use super::keys;

/// Long enough for a loaded machine; a condition that holds is seen at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program in a terminal.
pub struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    parser: Parser,
    /// All that the program wrote.
    pub written: Vec<u8>,
    before: String,
}

/// The real program in a terminal of that size, at home in `home`.
pub fn deltop(args: impl IntoIterator<Item = impl AsRef<OsStr>>, home: &Path, size: (u16, u16)) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_deltop"));
    command.args(args);
    Terminal::start(command, home, size)
}

impl Terminal {
    pub fn start(mut command: CommandBuilder, home: &Path, (width, height): (u16, u16)) -> Terminal {
        command.env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", home);
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env("LANG", "C.UTF-8");
        command.cwd(home);
        let pty = native_pty_system().openpty(pty_size(width, height)).expect("a pseudo-terminal");
        let before = modes(pty.master.as_ref());
        let child = pty.slave.spawn_command(command).expect("the program starts");
        drop(pty.slave);
        let mut reader = pty.master.try_clone_reader().unwrap();
        let (send, output) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 8192];
            // The end of the program shows as an error on Linux.
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if send.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let writer = pty.master.take_writer().unwrap();
        let parser = Parser::new(cells(height), cells(width), 0);
        Terminal { master: pty.master, writer, child, output, parser, written: Vec::new(), before }
    }

    pub fn screen(&self) -> &Screen {
        self.parser.screen()
    }

    /// Types keys. Nothing may follow an Esc before its effect was seen: a terminal that reads both
    /// at once takes them for one key with Alt.
    pub fn keys(&mut self, script: &str) -> &mut Self {
        assert!(!script.trim_end_matches("<Esc>").contains("<Esc>"), "see first what Esc does");
        self.writer.write_all(&keys::bytes(script)).expect("the terminal takes keys");
        self.writer.flush().unwrap();
        self
    }

    pub fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.parser.set_size(cells(height), cells(width));
        self.master.resize(pty_size(width, height)).unwrap();
        self
    }

    /// Waits until the text is on the screen.
    pub fn sees(&mut self, text: &str) -> &mut Self {
        self.wait(&format!("the screen shows \"{text}\""), |screen| screen.contents().contains(text))
    }

    pub fn sees_no(&mut self, text: &str) -> &mut Self {
        self.wait(&format!("\"{text}\" is gone"), |screen| !screen.contents().contains(text))
    }

    pub fn wait(&mut self, what: &str, done: impl Fn(&Screen) -> bool) -> &mut Self {
        let until = Instant::now() + PATIENCE;
        while !done(self.screen()) {
            match self.output.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.show(&bytes),
                Err(e) => panic!("waited in vain until {what} ({e}):\n{}", self.screen().contents()),
            }
        }
        self
    }

    /// Waits until the program was silent for that long.
    pub fn quiet(&mut self, silence: Duration) -> &mut Self {
        let until = Instant::now() + PATIENCE;
        while let Ok(bytes) = self.output.recv_timeout(silence) {
            self.show(&bytes);
            assert!(Instant::now() < until, "it never falls silent");
        }
        self
    }

    pub fn signal(&mut self, signal: i32) -> &mut Self {
        let pid = self.child.process_id().expect("a process");
        // SAFETY: no memory is involved; the child has not been waited for, so its id is its own.
        assert_eq!(unsafe { libc::kill(pid as i32, signal) }, 0);
        self
    }

    /// Waits for the program's end, having read all that it wrote.
    pub fn ends(&mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.output.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.show(&bytes),
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().unwrap(),
                Err(RecvTimeoutError::Timeout) => panic!("it does not end:\n{}", self.screen().contents()),
            }
        }
    }

    /// Panics unless the terminal is as it was before the program started.
    pub fn assert_restored(&self) {
        let screen = self.screen();
        assert!(!screen.alternate_screen(), "still on the alternate screen");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "bracketed paste is on");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(modes(self.master.as_ref()), self.before, "the terminal's modes differ");
    }

    fn show(&mut self, bytes: &[u8]) {
        self.written.extend_from_slice(bytes);
        self.parser.process(bytes);
    }
}

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).expect("a size above zero")
}

fn pty_size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn modes(master: &(dyn MasterPty + Send)) -> String {
    format!("{:?}", master.get_termios())
}
