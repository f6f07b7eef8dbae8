//! Callbacks that are able to run, by class.

use crate::domains::DomainId;
use crate::host::Host;
use hemiola_time::Instant;
use hemiola_trace::{Class, Invocation};
use std::collections::VecDeque;

/// Callbacks of one group run in the order in which they came; the order between groups is the
/// strategy's. In a calculus a group is a promise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(pub u32);

/// A callback that is able to run.
pub struct Ready<H: Host> {
    /// What runs.
    pub callback: H::Callback,
    /// What the world answered, for the completion of an operation.
    pub answer: Option<H::Answer>,
    /// Whom it runs in order with.
    pub group: Group,
    /// Who attached it.
    pub link: Invocation,
    /// Who made it able to run.
    pub cause: Invocation,
    /// When it became able to run, for the completion of an operation.
    pub stamp: Instant,
    pub(crate) domain: Option<DomainId>,
}

impl<H: Host> Clone for Ready<H>
where
    H::Callback: Clone,
    H::Answer: Clone,
{
    fn clone(&self) -> Self {
        Self {
            callback: self.callback.clone(),
            answer: self.answer.clone(),
            group: self.group,
            link: self.link,
            cause: self.cause,
            stamp: self.stamp,
            domain: self.domain,
        }
    }
}

/// The ready queues, and which part of them belongs to the current turn.
///
/// Invariant: `frozen[class]` is at most the length of that class's queue, and counts callbacks at
/// its front.
pub(crate) struct Queues<H: Host> {
    queues: [VecDeque<Ready<H>>; 6],
    frozen: [usize; 6],
    /// The group that runs at present within a frozen batch: it is not interrupted by others.
    open: Option<(Class, Group)>,
}

impl<H: Host> Default for Queues<H> {
    fn default() -> Self {
        Self { queues: Default::default(), frozen: [0; 6], open: None }
    }
}

impl<H: Host> Clone for Queues<H>
where
    H::Callback: Clone,
    H::Answer: Clone,
{
    fn clone(&self) -> Self {
        Self { queues: self.queues.clone(), frozen: self.frozen, open: self.open }
    }
}

impl<H: Host> Queues<H> {
    pub(crate) fn push(&mut self, class: Class, ready: Ready<H>) {
        self.queues[class as usize].push_back(ready);
    }

    pub(crate) fn queue(&self, class: Class) -> &VecDeque<Ready<H>> {
        &self.queues[class as usize]
    }

    pub(crate) fn len(&self, class: Class) -> usize {
        self.queues[class as usize].len()
    }

    /// How many callbacks at the front of a queue belong to the current turn.
    pub(crate) fn frozen(&self, class: Class) -> usize {
        self.frozen[class as usize]
    }

    /// Makes everything that waits in a queue part of the current turn.
    pub(crate) fn freeze(&mut self, class: Class) {
        self.frozen[class as usize] = self.len(class);
    }

    /// Makes one group that waits in a queue the current turn.
    ///
    /// The group is moved to the front, in order, so that what is frozen stays a prefix.
    pub(crate) fn freeze_group(&mut self, class: Class, group: Group) {
        let queue = &mut self.queues[class as usize];
        queue.make_contiguous().sort_by_key(|ready| ready.group != group);
        self.frozen[class as usize] = queue.iter().take_while(|ready| ready.group == group).count();
    }

    pub(crate) fn open_group(&self) -> Option<(Class, Group)> {
        self.open
    }

    /// The groups within the first `count` callbacks of a queue, each once, oldest first.
    pub(crate) fn groups(&self, class: Class, count: usize, mut each: impl FnMut(Group)) {
        let queue = &self.queues[class as usize];
        for (at, ready) in queue.iter().take(count).enumerate() {
            if !queue.iter().take(at).any(|earlier| earlier.group == ready.group) {
                each(ready.group);
            }
        }
    }

    /// Takes the oldest callback of a group out of its queue.
    pub(crate) fn take(&mut self, class: Class, group: Group) -> Ready<H> {
        let index = class as usize;
        let queue = &mut self.queues[index];
        let is_first = queue.front().is_some_and(|ready| ready.group == group);
        let (at, ready) = if is_first {
            (0, queue.pop_front())
        } else {
            let at = queue.iter().position(|ready| ready.group == group);
            let at = at.expect("a group that was picked has a ready callback");
            (at, queue.remove(at))
        };
        let ready = ready.expect("the position is within the queue");
        if at < self.frozen[index] {
            self.frozen[index] -= 1;
            let more = self.queues[index].iter().take(self.frozen[index]);
            self.open = { more }.any(|other| other.group == group).then_some((class, group));
        }
        ready
    }

    /// Moves everything of one class to the end of another (rule r12 of the abstract machine).
    pub(crate) fn transfer(&mut self, from: Class, to: Class) {
        let mut moved = std::mem::take(&mut self.queues[from as usize]);
        self.frozen[from as usize] = 0;
        self.queues[to as usize].append(&mut moved);
        self.queues[from as usize] = moved;
    }
}
