//! What a program can ask of its invocations: who attached them, and who made them able to run.

use hemiola_machine::Invocation;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How many invocations a chain holds at least. A program that goes on by timers for a year has a
/// chain that is as long as the year.
const KEPT: u32 = 16_384;

/// One invocation. It lives while a chain leads over it.
pub struct Record {
    /// Its number.
    pub invocation: Invocation,
    /// What the program calls it.
    pub label: RefCell<Option<String>>,
    /// Where it was attached, if places are noted: a stack, as text.
    pub site: RefCell<Option<Rc<str>>>,
    link: RefCell<Parent>,
    cause: RefCell<Parent>,
    /// How many came before it since chains were last cut.
    depth: Cell<u32>,
    /// Whether a request of a connection begins with it.
    is_request: Cell<bool>,
}

/// The invocation that a chain goes on with.
#[derive(Clone)]
pub enum Parent {
    Known(Rc<Record>),
    /// Of which only the number is known: it was over before anybody asked.
    Number(Invocation),
}

impl Parent {
    pub fn invocation(&self) -> Invocation {
        match self {
            Self::Known(record) => record.invocation,
            Self::Number(invocation) => *invocation,
        }
    }

    fn take(&mut self) -> Option<Rc<Record>> {
        let number = Self::Number(self.invocation());
        match std::mem::replace(self, number) {
            Self::Known(record) => Some(record),
            Self::Number(_) => None,
        }
    }

    fn known(&self) -> Option<Rc<Record>> {
        match self {
            Self::Known(record) => Some(Rc::clone(record)),
            Self::Number(_) => None,
        }
    }
}

impl From<Option<Rc<Record>>> for Parent {
    fn from(record: Option<Rc<Record>>) -> Self {
        record.map_or(Self::Number(Invocation::MAIN), Self::Known)
    }
}

impl Record {
    /// An invocation with the records that it comes from.
    pub fn new(
        invocation: Invocation,
        link: Option<Rc<Self>>,
        cause: Option<Rc<Self>>,
    ) -> Rc<Self> {
        let record = Self::orphan(invocation, Invocation::MAIN, Invocation::MAIN);
        record.set_link(link);
        record.set_cause(cause);
        record
    }

    /// An invocation of whose origin only numbers are known.
    pub fn orphan(invocation: Invocation, link: Invocation, cause: Invocation) -> Rc<Self> {
        Rc::new(Self {
            invocation,
            label: RefCell::default(),
            site: RefCell::default(),
            link: RefCell::new(Parent::Number(link)),
            cause: RefCell::new(Parent::Number(cause)),
            depth: Cell::new(0),
            is_request: Cell::new(false),
        })
    }

    /// It was attached there.
    pub fn set_link(&self, link: Option<Rc<Self>>) {
        self.deepen(link.as_ref());
        *self.link.borrow_mut() = link.into();
    }

    /// That one made it able to run.
    pub fn set_cause(&self, cause: Option<Rc<Self>>) {
        self.deepen(cause.as_ref());
        *self.cause.borrow_mut() = cause.into();
    }

    /// The invocation that attached it; nothing for the main program.
    pub fn link(&self) -> Option<Parent> {
        (self.invocation != Invocation::MAIN).then(|| self.link.borrow().clone())
    }

    /// The invocation that made it able to run; nothing for the main program.
    pub fn cause(&self) -> Option<Parent> {
        (self.invocation != Invocation::MAIN).then(|| self.cause.borrow().clone())
    }

    /// A request of a connection begins with it. What came in before on the same connection is over: the
    /// chains go on where those of that request do, with the connection.
    pub fn begin_request(&self, is_first: bool) {
        self.is_request.set(true);
        if is_first {
            return;
        }
        let before = |next: fn(&Self) -> Option<Rc<Self>>| {
            std::iter::successors(next(self), |record| next(record))
                .find(|record| record.is_request.get())
        };
        if let Some(before) = before(Self::link_of) {
            let link = before.link.borrow().clone();
            self.depth.set(link.known().map_or(0, |record| record.depth.get() + 1));
            let outer = self.link.replace(link);
            drop(outer);
        }
        if let Some(before) = before(Self::cause_of) {
            let cause = before.cause.borrow().clone();
            let outer = self.cause.replace(cause);
            drop(outer);
        }
    }

    /// Counts the depth, and cuts chains that have become twice as long as needed.
    fn deepen(&self, parent: Option<&Rc<Self>>) {
        let Some(parent) = parent else { return };
        let depth = parent.depth.get() + 1;
        self.depth.set(self.depth.get().max(depth));
        if depth < 2 * KEPT {
            return;
        }
        self.depth.set(KEPT);
        for next in [Self::link_of, Self::cause_of] {
            let mut at = Some(Rc::clone(parent));
            for _ in 0..KEPT {
                at = at.and_then(|record| next(&record));
            }
            if let Some(last) = at {
                let parents = [last.link.borrow_mut().take(), last.cause.borrow_mut().take()];
                drop(parents);
            }
        }
        parent.depth.set(KEPT);
    }

    fn link_of(&self) -> Option<Rc<Self>> {
        self.link.borrow().known()
    }

    fn cause_of(&self) -> Option<Rc<Self>> {
        self.cause.borrow().known()
    }
}

impl Drop for Record {
    /// One after the other: a chain is longer than the stack is deep.
    fn drop(&mut self) {
        let mut open: Vec<_> = [self.link.get_mut().take(), self.cause.get_mut().take()]
            .into_iter()
            .flatten()
            .collect();
        while let Some(record) = open.pop() {
            if let Some(mut record) = Rc::into_inner(record) {
                open.extend(record.link.get_mut().take());
                open.extend(record.cause.get_mut().take());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_chain_is_cut_and_dropped_without_deep_recursion() {
        let mut last = Record::orphan(Invocation::MAIN, Invocation::MAIN, Invocation::MAIN);
        for index in 2..200_000 {
            last = Record::new(Invocation(index), Some(Rc::clone(&last)), Some(last));
        }
        let mut length = 0;
        let mut at = Some(last);
        while let Some(record) = at {
            length += 1;
            at = record.link_of();
        }
        assert!((KEPT..=2 * KEPT + 1).contains(&length), "{length}");
    }
}
