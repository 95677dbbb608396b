//! What comes from outside: the terminal's events, signals, the terminal's end.

use std::cell::RefCell;
use std::rc::Rc;

use crossterm::event::{
    Event, EventStream, KeyCode as Code, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
use futures::stream::{self, BoxStream, Stream, StreamExt};

use crate::app::Msg;
use crate::app::key::{Key, KeyCode, Mouse, MouseKind};

/// An input of the event loop.
#[derive(Debug, Clone)]
pub enum Input {
    Msg(Msg),
    /// Asked to stop (SIGTSTP) by another program.
    Suspend,
    /// Continued after a stop: the terminal is in an unknown state.
    Continued,
    /// End now, with this exit status.
    End(u8),
}

/// The exit status when the terminal is gone: as a shell gives it for SIGHUP.
pub const HUNG_UP: u8 = 129;

/// The reading of the terminal, which can rest while another program has the terminal. It has a thread
/// that waits for keys, so it must be gone then.
#[derive(Debug, Clone, Default)]
pub(super) struct Keyboard(Rc<RefCell<Option<EventStream>>>);

impl Keyboard {
    /// Nothing is read until the next event is waited for.
    pub fn rest(&self) {
        self.0.borrow_mut().take();
    }
}

/// The events of the process's terminal; ends it if they cannot be read any more.
pub(super) fn terminal_events(keyboard: Keyboard) -> impl Stream<Item = Input> + Unpin {
    // No combinator that polls with a waker of its own: `EventStream` keeps the first it gets.
    let events = stream::poll_fn(move |cx| {
        keyboard.0.borrow_mut().get_or_insert_with(EventStream::new).poll_next_unpin(cx)
    });
    events.filter_map(|event| {
        std::future::ready(match event {
            Ok(event) => message(event).map(Input::Msg),
            Err(e) => {
                tracing::error!("cannot read from the terminal: {e}");
                Some(Input::End(HUNG_UP))
            }
        })
    })
}

/// One input when the terminal is gone.
///
/// crossterm reads on in a closed terminal for ever, and SIGHUP does not come where the terminal
/// is not the session's own, so the end is watched for apart. If the loop does not end by itself
/// then, the process is ended: nobody can see it any more.
#[cfg(unix)]
pub(super) fn hang_up() -> BoxStream<'static, Input> {
    use std::time::Duration;

    let (send, receive) = tokio::sync::oneshot::channel();
    let watch = std::thread::Builder::new().name("deltop-hangup".into()).spawn(move || {
        let mut stdin = libc::pollfd { fd: libc::STDIN_FILENO, events: 0, revents: 0 };
        loop {
            // SAFETY: one valid pollfd, for the duration of the call.
            let ready = unsafe { libc::poll(&mut stdin, 1, -1) };
            if ready > 0 && stdin.revents & (libc::POLLHUP | libc::POLLERR) != 0 {
                break;
            }
            let interrupted =
                ready < 0 && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted;
            if !interrupted {
                // This kind of terminal cannot be watched.
                return;
            }
        }
        // The loop may have ended already.
        let _ = send.send(());
        std::thread::sleep(Duration::from_secs(2));
        std::process::exit(i32::from(HUNG_UP));
    });
    match watch {
        Ok(_) => stream::once(receive)
            .filter_map(|gone| std::future::ready(gone.ok().map(|()| Input::End(HUNG_UP))))
            .chain(stream::pending())
            .boxed(),
        Err(_) => stream::pending().boxed(),
    }
}

#[cfg(not(unix))]
pub(super) fn hang_up() -> BoxStream<'static, Input> {
    stream::pending().boxed()
}

/// A terminal event in the state machine's words; none for what it does not know.
fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) => self::key(key).map(Msg::Key),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Resize(width, height) => Some(Msg::Resize { width, height }),
        Event::Mouse(event) => mouse(event).map(Msg::Mouse),
        Event::FocusGained | Event::FocusLost => None,
    }
}

fn key(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let code = match event.code {
        Code::Char(c) => KeyCode::Char(c),
        Code::Enter => KeyCode::Enter,
        Code::Esc => KeyCode::Esc,
        Code::Tab => KeyCode::Tab,
        Code::BackTab => KeyCode::BackTab,
        Code::Backspace => KeyCode::Backspace,
        Code::Delete => KeyCode::Delete,
        Code::Insert => KeyCode::Insert,
        Code::Home => KeyCode::Home,
        Code::End => KeyCode::End,
        Code::PageUp => KeyCode::PageUp,
        Code::PageDown => KeyCode::PageDown,
        Code::Up => KeyCode::Up,
        Code::Down => KeyCode::Down,
        Code::Left => KeyCode::Left,
        Code::Right => KeyCode::Right,
        Code::F(n) => KeyCode::F(n),
        // Ctrl-Space.
        Code::Null => KeyCode::Char(' '),
        _ => return None,
    };
    let has = |modifier| event.modifiers.contains(modifier);
    Some(Key {
        code,
        ctrl: has(KeyModifiers::CONTROL) || event.code == Code::Null,
        alt: has(KeyModifiers::ALT),
        // A capital and BackTab say it already.
        shift: has(KeyModifiers::SHIFT) && !matches!(code, KeyCode::Char(_) | KeyCode::BackTab),
    })
}

fn mouse(event: MouseEvent) -> Option<Mouse> {
    let kind = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseKind::Click,
        MouseEventKind::ScrollUp => MouseKind::WheelUp,
        MouseEventKind::ScrollDown => MouseKind::WheelDown,
        _ => return None,
    };
    Some(Mouse { kind, column: event.column, row: event.row })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: Code, modifiers: KeyModifiers) -> Option<Key> {
        key(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn keys() {
        assert_eq!(of(Code::Char('G'), KeyModifiers::SHIFT), Some(Key::char('G')));
        assert_eq!(of(Code::Char('c'), KeyModifiers::CONTROL), Some(Key::ctrl('c')));
        assert_eq!(of(Code::Char('3'), KeyModifiers::ALT), Some(Key::alt('3')));
        assert_eq!(of(Code::BackTab, KeyModifiers::SHIFT), Some(Key::new(KeyCode::BackTab)));
        assert!(of(Code::Up, KeyModifiers::SHIFT).is_some_and(|k| k.shift));
        assert_eq!(of(Code::Null, KeyModifiers::NONE), Some(Key::ctrl(' ')));
        assert_eq!(of(Code::CapsLock, KeyModifiers::NONE), None);
        let release = KeyEvent::new_with_kind(Code::Char('a'), KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(key(release), None);
    }
}
