//! When a frame is due.

use std::time::Duration;

use tokio::time::Instant;

/// At most 30 frames a second: over SSH each one costs.
const FRAME: Duration = Duration::from_millis(33);

/// The time of the last frame, and whether another is wanted. The first change after a rest is
/// drawn at once; those that follow closely share a frame.
#[derive(Debug, Default)]
pub(super) struct Pace {
    wanted: bool,
    last: Option<Instant>,
}

impl Pace {
    /// State changed.
    pub fn want(&mut self) {
        self.wanted = true;
    }

    /// When the next frame is to be drawn; none if nothing changed.
    pub fn due(&self, now: Instant) -> Option<Instant> {
        self.wanted.then(|| self.last.map_or(now, |last| last + FRAME))
    }

    pub fn drawn(&mut self, now: Instant) {
        self.wanted = false;
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_at_once_then_thirty_a_second() {
        let start = Instant::now();
        let mut pace = Pace::default();
        assert_eq!(pace.due(start), None);
        pace.want();
        assert_eq!(pace.due(start), Some(start));
        pace.drawn(start);
        assert_eq!(pace.due(start), None);
        pace.want();
        assert_eq!(pace.due(start), Some(start + FRAME));
        assert!(pace.due(start + FRAME * 9).is_some_and(|at| at <= start + FRAME * 9));
    }
}
