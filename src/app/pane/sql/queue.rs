//! Statements that wait for the one that runs.

use std::collections::VecDeque;

use super::place::Origin;
use crate::app::msg::Ask;

/// A statement that is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub text: String,
    /// Where it starts in the editor.
    pub origin: Origin,
    pub ask: Ask,
    /// Rows that the screen takes.
    pub max_rows: usize,
}

/// In the order in which they run. Those that were given together are a batch: where one of them
/// fails, those after it do not run.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: VecDeque<(u64, Order)>,
    /// The batch that runs, or ran last.
    running: u64,
    batches: u64,
}

impl Queue {
    pub fn push(&mut self, orders: Vec<Order>) {
        self.batches += 1;
        self.waiting.extend(orders.into_iter().map(|order| (self.batches, order)));
    }

    pub fn pop(&mut self) -> Option<Order> {
        let (batch, order) = self.waiting.pop_front()?;
        self.running = batch;
        Some(order)
    }

    /// The rest of the batch that runs goes; gives how many statements that were.
    pub fn drop_batch(&mut self) -> usize {
        let before = self.waiting.len();
        self.waiting.retain(|(batch, _)| *batch != self.running);
        before - self.waiting.len()
    }

    /// Gives how many there were.
    pub fn clear(&mut self) -> usize {
        std::mem::take(&mut self.waiting).len()
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.waiting.iter().map(|(_, order)| order.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_ends_its_own_batch_only() {
        let order =
            |text: &str| Order { text: text.into(), origin: Origin::default(), ask: Ask::Rows, max_rows: 1 };
        let mut queue = Queue::default();
        queue.push(vec![order("a1"), order("a2"), order("a3")]);
        queue.push(vec![order("b1")]);
        assert_eq!(queue.pop().map(|o| o.text).as_deref(), Some("a1"));
        assert_eq!(queue.drop_batch(), 2);
        assert_eq!(queue.texts().collect::<Vec<_>>(), ["b1"]);
        assert_eq!(queue.clear(), 1);
        assert!(queue.pop().is_none() && queue.is_empty());
    }
}
