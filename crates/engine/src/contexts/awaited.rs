//! What promises wait for, so that what a more urgent callback awaits becomes as urgent (rule PRIO-2).
//!
//! A promise waits for what was given to the machine within its `new Promise`. That of an async function waits for what
//! the function awaits, a promise of `then` for the one that `then` was called on, one of `Promise.all` for each that it
//! called `then` on, and one that was resolved with another for that one. What settles a promise by other ways is not
//! known: then nothing is promoted.
//!
//! Which promise is being made is seen in the engine's stack frames: the native that makes it is around whatever
//! happens meanwhile, and the one of an async function was made where the function was called. All this is kept only
//! while tasks have levels. Addresses are compared and never followed.

use super::{Contexts, LEVELS};
use crate::bridge;
use crate::call::Alive;
use crate::debug::{Layout, Standpoint};
use crate::held;
use crate::state::state_of;
use hemiola_machine::{Awaited, Level};
use rquickjs::{Ctx, qjs};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

held! {
    /// What is known of promises, by their addresses. The engine does not tell when one is gone, but a new one at its
    /// address takes its place.
    #[derive(Default)]
    pub(super) struct Waits {
        layout: Cell<Option<Layout>>,
        table: RefCell<BTreeMap<usize, Entry>>,
        /// The promises that were made last, by the frames in which that was, with the functions in those.
        begun: RefCell<BTreeMap<usize, (usize, usize)>>,
        /// The promises of async functions that were suspended, by their frames.
        functions: RefCell<BTreeMap<usize, usize>>,
        /// The promise that waits for the thenable whose `then` is being called.
        follower: Cell<Option<usize>>,
    }
}

/// What is known of a promise.
struct Entry {
    on: Vec<On>,
    /// The most urgent level of those who await it, if they are more urgent than who asked for what it waits for.
    wanted: Level,
    /// The level of who asked for that, if it was given to the machine.
    asker: Option<Level>,
}

impl Default for Entry {
    fn default() -> Self {
        Self { on: Vec::new(), wanted: Level::Background, asker: None }
    }
}

/// What a promise waits for.
#[derive(Clone, Copy)]
enum On {
    Promise(usize),
    /// Something that waits, and the level of who asked for it.
    Machine(Awaited, Level),
}

impl Waits {
    /// Promises are followed from now on.
    pub(super) fn begin(&self, ctx: &Ctx<'_>) {
        if self.layout.get().is_none() {
            self.layout.set(Layout::find(ctx));
        }
    }

    /// Another callback or job begins: nothing is being made.
    pub(super) fn reset(&self) {
        if !self.begun.borrow().is_empty() {
            self.begun.borrow_mut().clear();
        }
        self.follower.set(None);
    }

    /// A promise was made; `parent` is what `then` was called on, if it was.
    pub(super) fn made(&self, ctx: *mut qjs::JSContext, promise: usize, parent: Option<usize>) {
        let on = parent.map(On::Promise).into_iter().collect();
        let is_derived = parent.is_some();
        self.table.borrow_mut().insert(promise, Entry { on, ..Entry::default() });
        if let Some(layout) = self.layout.get().filter(|_| !is_derived) {
            let (address, function) = place(layout.frames(ctx).next());
            self.begun.borrow_mut().insert(address, (function, promise));
        }
    }

    /// A promise was fulfilled.
    pub(super) fn fulfilled(&self, promise: usize) {
        self.table.borrow_mut().remove(&promise);
        self.begun.borrow_mut().retain(|_, (_, made)| *made != promise);
    }

    /// The `then` of a thenable is called for a promise that was resolved with it, or that is over.
    pub(super) fn follows(&self, promise: Option<usize>) {
        self.follower.set(promise);
    }

    /// Something was given to the machine.
    fn started(&self, ctx: *mut qjs::JSContext, what: Awaited) {
        if let Some(promise) = self.being_made(ctx) {
            let asker = bridge::with(|context| context.standing().asker());
            let asker = match what {
                // Who is urgent and awaits a task of its own would wait for all that is more urgent than that.
                Awaited::Queued(_) => asker.max(Level::Low),
                Awaited::Continued(_) | Awaited::Operation(_) | Awaited::Timer(_) => asker,
            };
            self.add(promise, On::Machine(what, asker));
        }
    }

    /// `then` was called on a promise; whether by a program, and not by the engine for another promise.
    fn attached(&self, ctx: *mut qjs::JSContext, to: usize) -> bool {
        let follower = self.follower.take();
        if let Some(promise) = follower.or_else(|| self.being_made(ctx)) {
            self.add(promise, On::Promise(to));
        }
        let mut callers =
            self.layout.get().into_iter().flat_map(|layout| layout.frames(ctx)).skip(1);
        follower.is_none() && callers.next().is_none_or(|caller| caller.has_code)
    }

    /// The function that calls the running native awaits a promise, and nothing else any more.
    fn awaits(&self, ctx: *mut qjs::JSContext, promise: usize) {
        let Some(layout) = self.layout.get() else { return };
        let mut frames = layout.frames(ctx).skip(1);
        let Some(own) = frames.next() else { return };
        // The first time it stands in the frame of who called it, and that is where its promise was made.
        let (address, function) = place(frames.next());
        let made = self.begun.borrow().get(&address).filter(|made| made.0 == function).copied();
        let of_function = match made {
            Some((_, of_function)) => {
                self.begun.borrow_mut().remove(&address);
                self.functions.borrow_mut().insert(own.address, of_function);
                of_function
            }
            None => match self.functions.borrow().get(&own.address) {
                Some(&of_function) => of_function,
                None => return,
            },
        };
        if let Some(entry) = self.table.borrow_mut().get_mut(&of_function) {
            entry.on.clear();
        }
        self.add(of_function, On::Promise(promise));
    }

    /// The promise that is being made where the running native was called.
    fn being_made(&self, ctx: *mut qjs::JSContext) -> Option<usize> {
        let begun = self.begun.borrow();
        if begun.is_empty() {
            return None;
        }
        let mut frames = self.layout.get()?.frames(ctx).skip(1).peekable();
        // Whoever calls the native is no async function that it calls itself.
        frames.next_if(|frame| frame.has_code);
        let (is_native, promise) =
            frames.find_map(|Standpoint { address, function, has_code }| {
                let made = begun.get(&address).filter(|made| made.0 == function);
                made.map(|made| (!has_code, made.1))
            })?;
        // What an async function starts it need not wait for.
        is_native.then_some(promise)
    }

    /// A promise waits for something more, which is as urgent as whoever waits for the promise.
    fn add(&self, promise: usize, on: On) {
        let wanted = match self.table.borrow_mut().get_mut(&promise) {
            Some(entry) => {
                entry.on.push(on);
                if let On::Machine(_, asker) = on {
                    entry.asker = Some(asker);
                }
                entry.wanted
            }
            None => return,
        };
        match on {
            On::Machine(what, asker) => promote(&[(what, asker)], wanted),
            On::Promise(other) => self.wanted(other, wanted),
        }
    }

    /// Somebody of that level waits for a promise.
    fn wanted(&self, promise: usize, level: Level) {
        if level == Level::Background {
            return;
        }
        let mut found = Vec::new();
        let (mut left, mut seen) = (vec![promise], BTreeSet::new());
        let mut table = self.table.borrow_mut();
        while let Some(promise) = left.pop() {
            let Some(entry) = table.get_mut(&promise).filter(|_| seen.insert(promise)) else {
                continue;
            };
            if entry.asker.is_some_and(|asker| asker <= level) {
                continue;
            }
            entry.wanted = entry.wanted.min(level);
            for on in &entry.on {
                match *on {
                    On::Promise(other) => left.push(other),
                    On::Machine(what, asker) => found.push((what, asker)),
                }
            }
        }
        drop(table);
        promote(&found, level);
    }
}

/// A frame and the function in it; nothing is where the engine itself was called.
fn place(frame: Option<Standpoint>) -> (usize, usize) {
    frame.map_or((0, 0), |frame| (frame.address, frame.function))
}

/// Promotes what less urgent ones have asked for.
fn promote(found: &[(Awaited, Level)], level: Level) {
    for &(what, asker) in found {
        if level < asker {
            bridge::with(|context| context.raise(what, level));
        }
    }
}

/// How something was attached to a promise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Then,
    Await,
}

/// Something was given to the machine by the running native: whoever awaits the promise that is being made awaits it.
pub fn started(ctx: Alive<'_>, what: impl FnOnce() -> Awaited) {
    let ctx = ctx.as_ptr();
    // SAFETY: natives run in contexts of ours.
    let contexts = unsafe { &state_of(ctx).contexts };
    if contexts.has(LEVELS) {
        contexts.waits.started(ctx, what());
    }
}

impl Contexts {
    /// The running callback attaches something to a value, by the running native.
    pub(super) fn attached_to(&self, ctx: *mut qjs::JSContext, value: qjs::JSValue, by: By) {
        // SAFETY: the value is an argument of the native.
        let promise =
            unsafe { qjs::JS_IsPromise(value).then(|| qjs::JS_VALUE_GET_PTR(value).addr()) };
        let Some(promise) = promise else { return };
        let is_wanted = match by {
            By::Then => self.waits.attached(ctx, promise),
            By::Await => {
                self.waits.awaits(ctx, promise);
                true
            }
        };
        if is_wanted {
            self.waits.wanted(promise, bridge::with(|context| context.level()));
        }
    }
}
