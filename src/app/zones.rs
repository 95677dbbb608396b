//! The time zone that times are shown in.

use crate::model::calendar::Zone;

/// The local zone, and whether UTC is shown in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Zones {
    /// As the machine has it now; the same for past times, whatever summer time was then.
    pub local: Zone,
    utc: bool,
}

impl Zones {
    pub fn new(local: Zone) -> Self {
        Zones { local, utc: false }
    }

    pub fn shown(self) -> Zone {
        if self.utc { Zone::UTC } else { self.local }
    }

    pub fn switch(&mut self) {
        self.utc = !self.utc;
    }
}
