//! The loop of the screen: inputs, answers and the clock become messages, effects are carried
//! out, and a frame is drawn when state changed.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use futures::poll;
use futures::stream::{Stream, StreamExt};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use crate::app::{self, App, Effect, Msg};

use super::input::{HUNG_UP, Input};
use super::jobs::Jobs;
use super::pace::Pace;
use super::surface::Surface;

/// Messages that are taken between two looks at the frame clock.
const AT_ONCE: usize = 256;

/// Runs the screen to its end; gives the exit status. The first frame is drawn before anything
/// is started.
pub async fn run<S: Surface>(
    app: App,
    first: Vec<Effect>,
    surface: S,
    inputs: impl Stream<Item = Input> + Unpin,
    jobs: Jobs,
) -> u8 {
    let mut screen = Driver { app, surface, jobs, pace: Pace::default(), end: None };
    let ended = screen.run(first, inputs).await;
    screen.jobs.end().await;
    match ended {
        Ok(status) => status,
        Err(e) => {
            tracing::error!("the terminal is gone: {e}");
            HUNG_UP
        }
    }
}

struct Driver<S> {
    app: App,
    surface: S,
    jobs: Jobs,
    pace: Pace,
    end: Option<u8>,
}

impl<S: Surface> Driver<S> {
    async fn run(
        &mut self,
        first: Vec<Effect>,
        mut inputs: impl Stream<Item = Input> + Unpin,
    ) -> io::Result<u8> {
        self.draw()?;
        self.carry_out(first)?;
        let mut clock = interval(Duration::from_secs(1));
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            if let Some(status) = self.end {
                return Ok(status);
            }
            let now = Instant::now();
            let due = self.pace.due(now);
            if due.is_some_and(|at| at <= now) {
                self.draw()?;
                continue;
            }
            let wants_clock = self.app.wants_clock();
            tokio::select! {
                biased;
                input = inputs.next() => self.input(input.unwrap_or(Input::End(HUNG_UP)))?,
                (id, event) = self.jobs.next() => self.message(Msg::Job(id, event))?,
                () = sleep_until(due.unwrap_or(now)), if due.is_some() => {}
                _ = clock.tick(), if wants_clock => {
                    self.message(Msg::Now(chrono::Utc::now().timestamp_millis()))?;
                }
            }
            self.drain(&mut inputs).await?;
        }
    }

    /// What is there already shares the next frame.
    async fn drain(&mut self, inputs: &mut (impl Stream<Item = Input> + Unpin)) -> io::Result<()> {
        for _ in 0..AT_ONCE {
            if self.end.is_some() {
                break;
            }
            if let std::task::Poll::Ready(input) = poll!(inputs.next()) {
                self.input(input.unwrap_or(Input::End(HUNG_UP)))?;
            } else if let Some((id, event)) = self.jobs.try_next() {
                self.message(Msg::Job(id, event))?;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        let frame = self.surface.draw(&self.app)?;
        self.pace.drawn(Instant::now());
        // Tells the state what was drawn; wants no other frame.
        let effects = app::update(&mut self.app, Msg::Drawn(frame.drawn));
        self.carry_out(effects)
    }

    fn input(&mut self, input: Input) -> io::Result<()> {
        match input {
            Input::Msg(msg) => self.message(msg),
            Input::Suspend => self.carry_out(vec![Effect::Suspend]),
            Input::Continued => {
                let (width, height) = self.surface.retake()?;
                self.message(Msg::Resize { width, height })
            }
            Input::End(status) => {
                self.message(Msg::Terminate)?;
                self.end = Some(status);
                Ok(())
            }
        }
    }

    fn message(&mut self, msg: Msg) -> io::Result<()> {
        let effects = self.update(msg);
        self.carry_out(effects)
    }

    fn update(&mut self, msg: Msg) -> Vec<Effect> {
        if let Msg::Resize { width, height } = msg {
            self.surface.resize(width, height);
        }
        self.pace.want();
        app::update(&mut self.app, msg)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Start(id, job) => self.jobs.start(id, job),
                Effect::Cancel(id) => self.jobs.cancel(id),
                Effect::Copy(text) => {
                    if let Err(fault) = self.surface.copy(&text) {
                        effects.extend(self.update(Msg::Notice(fault)));
                    }
                }
                Effect::Keep(what) => self.surface.keep(&what),
                Effect::Mouse { capture } => self.surface.mouse(capture)?,
                Effect::Suspend => {
                    let (width, height) = self.surface.suspend()?;
                    effects.extend(self.update(Msg::Resize { width, height }));
                }
                Effect::Edit(text) => {
                    let (edited, (width, height)) = self.surface.edit(&text)?;
                    effects.extend(self.update(Msg::Resize { width, height }));
                    let answer = edited.map_or_else(Msg::Notice, Msg::Edited);
                    effects.extend(self.update(answer));
                }
                Effect::Quit => self.end = Some(0),
            }
        }
        Ok(())
    }
}
