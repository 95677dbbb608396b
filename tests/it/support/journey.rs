//! The real event loop and jobs, with scripted keys and a picture in the place of the terminal.

use std::io;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use deltop::app::msg::Keepsake;
use deltop::app::{App, Msg, Startup};
use deltop::model::Outcome;
use deltop::model::table::AsOf;
use deltop::runtime::canvas::Canvas;
use deltop::runtime::event_loop;
use deltop::runtime::input::Input;
use deltop::runtime::jobs::{Jobs, Powers};
use deltop::runtime::surface::Surface;
use deltop::ui::{self, Colours, FrameInfo, Look};
use futures::channel::mpsc::{UnboundedSender, unbounded};
use ratatui::backend::TestBackend;
use ratatui::layout::Size;

use super::keys::keys;

/// Long enough for a loaded machine; a condition that holds is seen at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running screen.
pub struct Journey {
    inputs: UnboundedSender<Input>,
    seen: Arc<Seen>,
    thread: Option<JoinHandle<u8>>,
}

#[derive(Default)]
struct Seen {
    shown: Mutex<Shown>,
    changed: Condvar,
}

#[derive(Default)]
struct Shown {
    screen: String,
    copied: Vec<String>,
    kept: Vec<Keepsake>,
    suspended: usize,
    frames: usize,
    ended: bool,
}

impl Journey {
    pub fn start(location: &str, width: u16, height: u16) -> Journey {
        Journey::with(location, width, height, false, 0)
    }

    /// Changes may be run.
    pub fn writing(location: &str, width: u16, height: u16) -> Journey {
        Journey::with(location, width, height, true, 0)
    }

    /// With that many seconds between two looks for newer commits.
    pub fn following(location: &str, width: u16, height: u16, interval: u32) -> Journey {
        Journey::with(location, width, height, false, interval)
    }

    fn with(location: &str, width: u16, height: u16, allow_writes: bool, interval: u32) -> Journey {
        let powers = Powers { allow_writes, ..Powers::default() };
        let startup = Startup {
            location: location.to_owned(),
            as_of: AsOf::Latest,
            allow_writes,
            width,
            height,
            mouse: false,
            max_rows: 1000,
            interval,
        };
        let (inputs, incoming) = unbounded();
        let seen = Arc::new(Seen::default());
        let picture = Picture::new(width, height, seen.clone());
        let thread = std::thread::spawn(move || {
            let _ended = Ended(picture.seen.clone());
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let (app, effects) = App::new(startup);
            let jobs = Jobs::new(Vec::new(), powers).unwrap();
            runtime.block_on(event_loop::run(app, effects, picture, incoming, jobs))
        });
        Journey { inputs, seen, thread: Some(thread) }
    }

    pub fn keys(&self, script: &str) -> &Self {
        for key in keys(script) {
            self.input(Input::Msg(Msg::Key(key)));
        }
        self
    }

    pub fn input(&self, input: Input) -> &Self {
        // The screen may have ended; who waits for it will notice.
        let _ = self.inputs.unbounded_send(input);
        self
    }

    /// Pastes a text, as a terminal with bracketed paste does.
    pub fn paste(&self, text: &str) -> &Self {
        self.input(Input::Msg(Msg::Paste(text.to_owned())))
    }

    /// Waits until the text is on the screen.
    pub fn sees(&self, text: &str) -> &Self {
        self.wait(&format!("the screen shows \"{text}\""), |shown| shown.screen.contains(text))
    }

    /// Waits until the text is no longer on the screen.
    pub fn sees_no(&self, text: &str) -> &Self {
        self.wait(&format!("the screen no longer shows \"{text}\""), |shown| !shown.screen.contains(text))
    }

    /// What was kept for later sessions.
    pub fn kept(&self) -> Vec<Keepsake> {
        self.seen.shown.lock().unwrap().kept.clone()
    }

    /// Waits until that text of the SQL editor was kept.
    pub fn waits_for_draft(&self, text: &str) -> &Self {
        let is = |what: &Keepsake| matches!(what, Keepsake::Draft { text: kept, .. } if kept == text);
        self.wait("the draft was kept", |shown| shown.kept.iter().any(is))
    }

    pub fn copied(&self) -> Vec<String> {
        self.seen.shown.lock().unwrap().copied.clone()
    }

    pub fn waits_for_copies(&self, count: usize) -> &Self {
        self.wait("it copied", |shown| shown.copied.len() == count)
    }

    pub fn waits_until_suspended(&self, times: usize) -> &Self {
        self.wait("it was suspended", |shown| shown.suspended == times)
    }

    /// Waits for the end; gives the exit status.
    pub fn ends(mut self) -> u8 {
        self.wait("it ended", |shown| shown.ended);
        self.thread.take().unwrap().join().expect("the screen must not panic")
    }

    fn wait(&self, what: &str, done: impl Fn(&Shown) -> bool) -> &Self {
        let until = Instant::now() + PATIENCE;
        let mut shown = self.seen.shown.lock().unwrap();
        while !done(&shown) {
            let left = until.saturating_duration_since(Instant::now());
            let over = left.is_zero() || (shown.ended && !done(&shown));
            assert!(!over, "waited in vain until {what}\n{}", shown.screen);
            shown = self.seen.changed.wait_timeout(shown, left).unwrap().0;
        }
        drop(shown);
        self
    }
}

/// Tells who waits that there is nothing more to come, also after a panic.
struct Ended(Arc<Seen>);

impl Drop for Ended {
    fn drop(&mut self) {
        if let Ok(mut shown) = self.0.shown.lock() {
            shown.ended = true;
        }
        self.0.changed.notify_all();
    }
}

struct Picture {
    canvas: Canvas,
    backend: TestBackend,
    seen: Arc<Seen>,
}

impl Picture {
    fn new(width: u16, height: u16, seen: Arc<Seen>) -> Self {
        let canvas = Canvas::new(Size::new(width, height));
        Picture { canvas, backend: TestBackend::new(width, height), seen }
    }

    fn change(&self, change: impl FnOnce(&mut Shown)) {
        change(&mut self.seen.shown.lock().unwrap());
        self.seen.changed.notify_all();
    }

    fn size(&self) -> (u16, u16) {
        let area = self.backend.buffer().area;
        (area.width, area.height)
    }
}

impl Surface for Picture {
    fn draw(&mut self, app: &App) -> io::Result<FrameInfo> {
        let look = Look { colours: Colours::True, ascii: false };
        let drawn = self.canvas.draw(&mut self.backend, |area, buffer| ui::render(app, look, area, buffer));
        let info = drawn.map_err(io::Error::other)?;
        let screen = self.backend.to_string();
        self.change(|shown| {
            shown.screen = screen;
            shown.frames += 1;
        });
        Ok(info)
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.canvas.resize(Size::new(width, height));
        self.backend.resize(width, height);
    }

    fn copy(&mut self, text: &str) -> Outcome<()> {
        self.change(|shown| shown.copied.push(text.to_owned()));
        Ok(())
    }

    fn keep(&mut self, what: &Keepsake) {
        self.change(|shown| shown.kept.push(what.clone()));
    }

    fn mouse(&mut self, _capture: bool) -> io::Result<()> {
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<(u16, u16)> {
        self.canvas.invalidate();
        self.change(|shown| shown.suspended += 1);
        Ok(self.size())
    }

    fn edit(&mut self, text: &str) -> io::Result<(Outcome<String>, (u16, u16))> {
        self.canvas.invalidate();
        Ok((Ok(format!("{text} -- edited\n")), self.size()))
    }

    fn retake(&mut self) -> io::Result<(u16, u16)> {
        self.canvas.invalidate();
        Ok(self.size())
    }
}
