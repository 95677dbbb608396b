//! The clipboard of the person's own terminal, also over SSH: OSC 52.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::model::{Fault, Outcome, units};

/// Bytes of text that are copied at most: terminals drop longer sequences without a word, the
/// strictest common limit being 100,000 bytes of base64 (xterm, hterm).
pub const MOST: usize = 74_994;

/// What stands between the program and the terminal, as far as it must be told to pass things on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multiplexer {
    None,
    Tmux,
    Screen,
}

impl Multiplexer {
    /// By the environment variables that tmux and GNU screen set.
    pub fn detect(env: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| env(name).is_some_and(|v| !v.is_empty());
        match () {
            () if set("TMUX") => Multiplexer::Tmux,
            () if set("STY") => Multiplexer::Screen,
            () => Multiplexer::None,
        }
    }
}

/// The bytes that put `text` on the clipboard.
pub fn copy_sequence(text: &str, through: Multiplexer) -> Outcome<String> {
    if text.len() > MOST {
        return Err(Fault::usage("copy-too-large", "Too much text to copy through the terminal").because(
            format!(
                "{} where terminals take at most {}",
                units::bytes(text.len() as u64),
                units::bytes(MOST as u64)
            ),
        ));
    }
    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    Ok(match through {
        Multiplexer::None => plain,
        // With `set-clipboard on` tmux takes the plain sequence, with `allow-passthrough on` the
        // wrapped one; it ignores the other.
        Multiplexer::Tmux => format!("{plain}\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")),
        // GNU screen passes device control strings on, each of at most 768 bytes.
        Multiplexer::Screen => {
            let chunks = plain.as_bytes().chunks(512).map(String::from_utf8_lossy);
            chunks.map(|c| format!("\x1bP{c}\x1b\\")).collect()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences() {
        assert_eq!(copy_sequence("hi", Multiplexer::None).unwrap(), "\x1b]52;c;aGk=\x07");
        let tmux = copy_sequence("hi", Multiplexer::Tmux).unwrap();
        assert!(tmux.ends_with("\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\"));
        let screen = copy_sequence(&"x".repeat(1000), Multiplexer::Screen).unwrap();
        assert_eq!(screen.matches("\x1bP").count(), 3);
        assert_eq!(
            copy_sequence(&"x".repeat(MOST + 1), Multiplexer::None).unwrap_err().code,
            "copy-too-large"
        );
    }

    #[test]
    fn multiplexers_by_environment() {
        let env = |name: &'static str| move |n: &str| (n == name).then(|| "1".to_owned());
        assert_eq!(Multiplexer::detect(env("TMUX")), Multiplexer::Tmux);
        assert_eq!(Multiplexer::detect(env("STY")), Multiplexer::Screen);
        assert_eq!(Multiplexer::detect(env("TERM")), Multiplexer::None);
    }
}
