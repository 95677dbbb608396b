//! The only place with the terminal, the async runtime, signals and the clock.
//!
//! ```text
//! screen      runs the screen: takes the terminal, drives the loop, gives the terminal back
//! event_loop  keys, signals, answers and the clock into messages; effects out; a frame when due
//! pace        when a frame is due
//! surface     what the loop draws on: the real terminal, or a picture in tests
//! canvas      two buffers and their difference
//! guard       raw mode and the alternate screen, given back on every way out
//! input       terminal events and signals
//! jobs        background work, its answers and its cancellation
//! clipboard   OSC 52
//! terminal    what the terminal can show
//! settings    the configuration file
//! logging     the log file
//! notebook    what the SQL console keeps between sessions
//! executor    the async runtime of headless commands
//! memory      how the allocator keeps memory
//! ```

pub mod canvas;
pub mod clipboard;
pub mod editor;
pub mod event_loop;
pub mod executor;
pub mod guard;
pub mod input;
pub mod jobs;
pub mod logging;
pub mod memory;
mod notebook;
mod pace;
pub mod screen;
pub mod settings;
mod signals;
pub mod surface;
mod suspend;
pub mod terminal;
