//! What is known of a program that is run by a debugger: its texts, how far it is, and its goal.

use super::engine::{Activation, Layout};
use super::goal::{Goal, Stepping, Throws, Until};
use super::look::Reason;
use super::memory::Memory;
use super::readers::Reader;
use super::stepping::Start;
use super::watch::Watched;
use super::{Debug, Stopped};
use crate::held;
use crate::instrument;
use crate::interrupts::Hooks;
use crate::part::LetGo;
use crate::raw::Owned;
use crate::state::{State, state_of};
use hemiola_gate::Disk;
use hemiola_transform::{
    Exchanged, Goal as TextGoal, Language, Statement, Steps, SyntaxError, step,
};
use rquickjs::Ctx;
use rquickjs::qjs::{self, JSContext, JSValue};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

/// A text with hooks.
pub struct Text {
    /// The name that the engine knows it by.
    pub(super) name: Box<str>,
    /// The file, or the name of a text without one.
    pub(super) file: Arc<str>,
    /// The number of its first statement.
    first: u32,
    pub(super) steps: Steps,
    /// A function that sees all of its variables, once it runs.
    pub(super) module: RefCell<Option<Owned>>,
}

/// A program that is run by a debugger.
pub struct Session {
    debug: Debug,
    pub(super) layout: Cell<Option<Layout>>,
    pub(super) held: Held,
    /// Whether a hook is being called: it gives back what the count is to be.
    in_hook: Cell<bool>,
    /// By number of the statement: the line of the breakpoint there.
    breakpoints: RefCell<BTreeMap<u32, u32>>,
    pub(super) until: RefCell<Until>,
    /// How many statements had begun when the count was last set.
    done: Cell<u64>,
    /// What the count was set to.
    given: Cell<i32>,
    /// Whether the program stands still: what runs is not its own.
    pub(super) standing: Cell<bool>,
    /// The same, for the disk.
    still: Arc<AtomicBool>,
    /// Whether the invocation that is waited for has begun.
    awaited: Cell<bool>,
    start: RefCell<Option<Start>>,
    pub(super) memory: RefCell<Memory>,
    /// The statement that began last, where that is known.
    last: Cell<Option<u32>>,
    /// The one before that.
    pub(super) before: Cell<Option<u32>>,
    /// The position at which it stands.
    stood: Cell<u64>,
    /// Whether something is looked for that the statements before the next one did.
    looks_back: Cell<bool>,
    /// The engine's functions that make errors, by address.
    pub(super) constructors: RefCell<Vec<usize>>,
    /// Its functions that change nothing, likewise.
    pub(super) readers: RefCell<BTreeMap<usize, Reader>>,
}

held! {
    /// What a session has of the engine.
    #[derive(Default)]
    pub(super) struct Held {
        /// The engine's context, once the program has begun.
        ctx: Cell<Option<NonNull<JSContext>>>,
        /// Functions that read and write the variable which hooks count down.
        counter: RefCell<Vec<Owned>>,
        pub(super) texts: RefCell<Vec<Rc<Text>>>,
        watched: RefCell<Vec<Watched>>,
        /// What was thrown last, and how many statements had begun.
        thrown: RefCell<Option<(Owned, u64)>>,
    }
}

/// What a hook is called for.
pub(super) struct Here {
    pub(super) number: u32,
    pub(super) statement: Statement,
    pub(super) text: Rc<Text>,
    /// How many statements have begun before it.
    pub(super) step: u64,
    pub(super) activation: Option<Activation>,
    pub(super) depth: usize,
    pub(super) epoch: u64,
}

impl Session {
    /// A program that has not begun.
    pub fn new(debug: Debug) -> Self {
        Self {
            debug,
            layout: Cell::new(None),
            held: Held::default(),
            in_hook: Cell::new(false),
            breakpoints: RefCell::default(),
            until: RefCell::default(),
            done: Cell::new(0),
            given: Cell::new(0),
            standing: Cell::new(false),
            still: Arc::default(),
            awaited: Cell::new(false),
            start: RefCell::default(),
            memory: RefCell::default(),
            last: Cell::new(None),
            before: Cell::new(None),
            stood: Cell::new(0),
            looks_back: Cell::new(false),
            constructors: RefCell::default(),
            readers: RefCell::default(),
        }
    }

    /// When the run began, by the clock on the wall.
    pub(super) fn began_us(&self) -> u64 {
        self.debug.began_us
    }

    /// Whether the program stands still: what runs is not its own.
    pub fn stands_still(&self) -> bool {
        self.standing.get()
    }

    /// A disk that has no files for code that is not the program's: a recording knows nothing of what it
    /// would read.
    pub fn disk(&self, disk: Arc<dyn Disk>) -> Arc<dyn Disk> {
        Arc::new(super::aside::StillDisk { disk, still: Arc::clone(&self.still) })
    }

    /// Makes a text ready; nothing for one that is to be left alone.
    pub fn prepare(
        &self,
        source: &str,
        name: &str,
        language: Language,
        goal: TextGoal,
        exchanged: Exchanged,
    ) -> Result<Option<hemiola_transform::Transformed<'static>>, SyntaxError> {
        let path = name.strip_prefix("file://").unwrap_or(name);
        if self.debug.skip.iter().any(|pattern| instrument::matches(pattern, path)) {
            return Ok(None);
        }
        let first = self.held.texts.borrow().last().map_or(0, |text| text.after());
        let mut transformed = step(source, language, goal, exchanged, first)?;
        let Some(steps) = transformed.steps.take() else { return Ok(None) };
        let text = Text {
            name: name.into(),
            file: path.into(),
            first,
            steps: steps.clone(),
            module: RefCell::default(),
        };
        let statements = &text.steps.statements;
        let places: Vec<_> = statements.iter().map(|one| (one.line, one.column)).collect();
        if !self.standing.get() {
            let mut debugger = self.debug.debugger.lock().unwrap_or_else(PoisonError::into_inner);
            debugger.loaded(&text.file, &places);
        }
        self.held.texts.borrow_mut().push(Rc::new(text));
        self.find_breakpoints();
        self.count_again();
        let code = std::borrow::Cow::Owned(transformed.code.into_owned());
        Ok(Some(hemiola_transform::Transformed { code, steps: Some(steps), ..transformed }))
    }

    /// The program is about to begin: there are the functions of the count, and the engine's frames, if
    /// they are known.
    pub(super) fn begin(
        &self,
        ctx: *mut JSContext,
        counter: Vec<Owned>,
        layout: Option<Layout>,
    ) -> Goal {
        self.held.ctx.set(NonNull::new(ctx));
        *self.held.counter.borrow_mut() = counter;
        self.layout.set(layout);
        let mut debugger = self.debug.debugger.lock().unwrap_or_else(PoisonError::into_inner);
        debugger.begin()
    }

    /// The text that has a statement.
    pub(super) fn text_of(&self, number: u32) -> Option<Rc<Text>> {
        let texts = self.held.texts.borrow();
        let index = texts.partition_point(|text| text.first <= number).checked_sub(1)?;
        Some(Rc::clone(&texts[index]))
    }

    /// The text that the engine knows by that name: the newest, if there were several.
    pub(super) fn text_named(&self, name: &str) -> Option<Rc<Text>> {
        self.held.texts.borrow().iter().rfind(|text| *text.name == *name).cloned()
    }

    fn find_breakpoints(&self) {
        let until = self.until.borrow();
        let mut found = BTreeMap::new();
        for text in &*self.held.texts.borrow() {
            let Some(lines) = until.breakpoints.0.get(&*text.file) else { continue };
            for &line in lines {
                let statements = text.steps.statements.iter().enumerate();
                let after = statements.filter(|(_, one)| one.line >= line);
                if let Some((index, _)) = after.min_by_key(|(_, one)| (one.line, one.column)) {
                    found.insert(text.first + index as u32, line);
                }
            }
        }
        *self.breakpoints.borrow_mut() = found;
    }

    /// How many statements had begun when the program came to stand still.
    pub(super) fn position(&self) -> u64 {
        self.stood.get()
    }

    /// How many statements have begun.
    pub(super) fn begun(&self) -> u64 {
        match self.standing.get() {
            true => self.stood.get(),
            false => self.step() - u64::from(self.looks_back.get()),
        }
    }

    /// How many functions run, from the innermost that has hooks to the outermost; 0 if none has.
    pub(super) fn functions(&self) -> u32 {
        let (Some(layout), Some(ctx)) = (self.layout.get(), self.held.ctx.get()) else { return 0 };
        let mut count = 0;
        for activation in layout.activations(ctx.as_ptr()) {
            let has_hooks = || {
                let name = super::engine::text_of(ctx.as_ptr(), activation.file());
                self.text_named(&name).is_some()
            };
            if count > 0 || has_hooks() {
                count += 1;
            }
        }
        count
    }

    /// How far the program is by its hooks.
    pub fn hooks(&self) -> Hooks {
        Hooks {
            passed: self.step(),
            is_calling: !self.in_hook.get() && self.count(None) == 0,
            stands_still: self.standing.get(),
        }
    }

    /// How many statements have begun.
    fn step(&self) -> u64 {
        self.done.get() + self.since()
    }

    /// How many statements have begun since the count was set.
    fn since(&self) -> u64 {
        if self.in_hook.get() {
            return 0;
        }
        self.given.get().saturating_sub(self.count(None)).max(0) as u64
    }

    /// Reads the count, or writes it.
    #[expect(unsafe_code, reason = "the functions are called next to the engine")]
    fn count(&self, set: Option<i32>) -> i32 {
        let counter = self.held.counter.borrow();
        let Some(function) = counter.get(usize::from(set.is_some())) else {
            return self.given.get();
        };
        let Some(ctx) = self.held.ctx.get() else { return self.given.get() };
        // SAFETY: the context and the functions are alive until both are let go of; the argument is a
        // whole number, which owns nothing.
        unsafe {
            let mut argument = qjs::JS_MKVAL(qjs::JS_TAG_INT, set.unwrap_or_default());
            let first = &raw mut argument;
            let count = state_of(ctx.as_ptr()).interrupts.uncounted(0, || {
                qjs::JS_Call(ctx.as_ptr(), function.as_raw(), qjs::JS_UNDEFINED, 1, first)
            });
            if qjs::JS_IsInt(count) { qjs::JS_VALUE_GET_INT(count) } else { 0 }
        }
    }

    fn set_count(&self, count: i32) {
        self.given.set(count);
        if !self.in_hook.get() {
            self.count(Some(count));
        }
    }

    /// Sets the count to the next statement that somebody wants to know of.
    pub(super) fn count_again(&self) {
        if self.held.ctx.get().is_none() || self.standing.get() {
            return;
        }
        self.done.set(self.step());
        let until = self.until.borrow();
        let every = self.start.borrow().is_some()
            || self.awaited.get()
            || until.remember
            || !until.watches.is_empty()
            || !self.breakpoints.borrow().is_empty();
        let left = match until.step.and_then(|step| step.checked_sub(self.done.get())) {
            _ if every => 1,
            Some(left) => i32::try_from(left + 1).unwrap_or(i32::MAX),
            None => i32::MAX,
        };
        self.set_count(left);
    }

    /// A statement is about to begin, and somebody may want to know: gives the next count. Nothing when
    /// the program is to end.
    pub(super) fn statement(
        &self,
        ctx: *mut JSContext,
        state: &State,
        number: u32,
        count: i32,
    ) -> Option<i32> {
        if self.standing.get() {
            return Some(i32::MAX);
        }
        let since = self.given.get().saturating_sub(count).max(1) as u64;
        self.done.set(self.done.get() + since);
        self.in_hook.set(true);
        let goes_on = self.look(ctx, state, number);
        self.in_hook.set(false);
        goes_on.then(|| self.given.get())
    }

    /// Looks whether the program is to stand still before a statement. False when it is to end.
    fn look(&self, ctx: *mut JSContext, state: &State, number: u32) -> bool {
        let step = self.done.get() - 1;
        let found = self.text_of(number);
        let statement = found.as_ref().and_then(|text| text.statement(number)).copied();
        let (Some(text), Some(statement)) = (found, statement) else {
            self.count_again();
            return true;
        };
        let layout = self.layout.get();
        let activation = layout.and_then(|layout| layout.activations(ctx).next());
        let depth = layout.map_or(0, |layout| layout.depth(ctx));
        let epoch = state.run.job.get();
        let here = Here { number, statement, text, step, activation, depth, epoch };
        if self.until.borrow().remember {
            self.memory.borrow_mut().note(&here);
            // A promise that the statement before has rejected is seen now.
            self.looks_back.set(true);
            state.contexts.look_at_promises(ctx);
            self.looks_back.set(false);
        }
        let reason = self.reason(ctx, &here);
        self.before.set(self.last.replace(Some(number)));
        match reason {
            Some(reason) => self.stop(ctx, state, reason, Some(here)),
            None => {
                self.count_again();
                true
            }
        }
    }

    fn reason(&self, ctx: *mut JSContext, here: &Here) -> Option<Reason> {
        let until = self.until.borrow();
        if let Some(reason) = self.changed(ctx, Some(here)) {
            return Some(reason);
        }
        // Before what may turn out to be no reason to stand still: that leaves a step as it is.
        if self.start.borrow_mut().as_mut().is_some_and(|start| start.is_reached(here)) {
            return Some(Reason::Stepped);
        }
        if until.step == Some(here.step) {
            return Some(Reason::Step);
        }
        if self.awaited.replace(false) {
            return Some(Reason::Invocation);
        }
        if here.statement.is_debugger && until.statements {
            return Some(Reason::Statement);
        }
        if let Some(&line) = self.breakpoints.borrow().get(&here.number) {
            return Some(Reason::Breakpoint(line));
        }
        None
    }

    /// What has changed among what is watched.
    fn changed(&self, ctx: *mut JSContext, here: Option<&Here>) -> Option<Reason> {
        if self.held.watched.borrow().is_empty() {
            return None;
        }
        self.unnoticed(|| {
            let mut watched = self.held.watched.borrow_mut();
            // All are looked at, so that each knows its last value.
            let changes: Vec<_> =
                watched.iter_mut().filter_map(|one| one.look(ctx, self, here)).collect();
            changes.into_iter().next()
        })
    }

    /// Runs code that may come to code of the program, which does not count.
    fn unnoticed<R>(&self, act: impl FnOnce() -> R) -> R {
        // A count of 0 takes long to come back to 0.
        let count = if self.in_hook.get() { 0 } else { self.count(None) };
        let outer = self.standing.replace(true);
        self.still.store(true, Ordering::Relaxed);
        let result = act();
        self.standing.set(outer);
        self.still.store(outer, Ordering::Relaxed);
        if !self.in_hook.get() {
            self.count(Some(count));
        }
        result
    }

    /// The program stands still. False when it is to end.
    pub(super) fn stop(
        &self,
        ctx: *mut JSContext,
        state: &State,
        reason: Reason,
        here: Option<Here>,
    ) -> bool {
        self.stood.set(self.step());
        let goal = self.unnoticed(|| {
            let debugger = Arc::clone(&self.debug.debugger);
            let mut debugger = debugger.lock().unwrap_or_else(PoisonError::into_inner);
            let mut stopped = Stopped::new(ctx, self, state, reason, here.as_ref());
            debugger.stopped(&mut stopped)
        });
        self.follow(ctx, state, goal, here.as_ref())
    }

    /// Takes up a goal. False when the program is to end.
    pub(super) fn follow(
        &self,
        ctx: *mut JSContext,
        state: &State,
        goal: Goal,
        here: Option<&Here>,
    ) -> bool {
        let until = match goal {
            Goal::Quit => {
                state.run.exit.set(Some(0));
                return false;
            }
            Goal::Run(until) => until,
        };
        if until.stepping != Some(Stepping::Still) {
            *self.start.borrow_mut() =
                until.stepping.and_then(|stepping| Start::new(stepping, here?));
        }
        match here {
            _ if !until.remember => self.memory.borrow_mut().forget(),
            // The statement that is next is the first to be remembered.
            Some(here) if !self.until.borrow().remember => self.memory.borrow_mut().note(here),
            _ => {}
        }
        let watched = until.watches.iter().map(|watch| Watched::new(watch.clone()));
        *self.held.watched.borrow_mut() = watched.collect();
        let lines = Arc::clone(&until.breakpoints.0);
        let before = self.until.replace(until);
        // What they are now is where changes begin.
        self.changed(ctx, here);
        self.awaited.set(false);
        if !Arc::ptr_eq(&lines, &before.breakpoints.0) {
            self.find_breakpoints();
        }
        self.count_again();
        true
    }

    /// An invocation begins.
    pub fn began(&self, invocation: u64) {
        if self.until.borrow().invocation == Some(invocation) {
            self.awaited.set(true);
            self.count_again();
        } else if self.awaited.replace(false) {
            // The one that was waited for had no statement.
            self.count_again();
        }
    }

    /// An invocation has ended: what its last statement changed shows now. False when the program is to
    /// end.
    pub fn ended(&self, ctx: &Ctx<'_>, state: &State) -> bool {
        if self.standing.get() || self.held.watched.borrow().is_empty() {
            return true;
        }
        let raw = ctx.as_raw().as_ptr();
        self.before.set(self.last.get());
        match self.changed(raw, None) {
            Some(reason) => self.stop(raw, state, reason, None),
            None => true,
        }
    }

    /// Something is thrown. False when the program is to end.
    #[expect(unsafe_code, reason = "the value is kept next to the engine")]
    pub(super) fn throws(&self, ctx: *mut JSContext, state: &State, value: JSValue) -> bool {
        if self.standing.get() {
            return true;
        }
        let step = self.step();
        // The engine tells of most errors when they are made, when they are thrown, or both.
        let is_known = self.held.thrown.borrow().as_ref().is_some_and(|(known, at)| {
            // SAFETY: both values are alive.
            *at == step && unsafe { qjs::JS_IsSameValue(ctx, known.as_raw(), value) }
        });
        if is_known {
            return true;
        }
        // SAFETY: the value is alive, and given back before the engine ends.
        let kept = unsafe { Owned::new(ctx, value) };
        *self.held.thrown.borrow_mut() = Some((kept, step));
        if self.until.borrow().throws != Throws::All {
            return true;
        }
        let here = self.here(ctx, state);
        let text = self.unnoticed(|| super::values::describe_thrown(ctx, value));
        self.stop(ctx, state, Reason::Thrown(text), here)
    }

    /// Nobody caught something. False when the program is to end.
    #[expect(unsafe_code, reason = "values are compared next to the engine")]
    pub(super) fn uncaught(&self, ctx: *mut JSContext, state: &State, value: JSValue) -> bool {
        if self.standing.get() || self.until.borrow().throws == Throws::None {
            return true;
        }
        // SAFETY: both values are alive.
        let is_it =
            |one: &&(Owned, u64)| unsafe { qjs::JS_IsSameValue(ctx, one.0.as_raw(), value) };
        let step = self.held.thrown.borrow().as_ref().filter(is_it).map(|(_, step)| *step);
        let text = self.unnoticed(|| super::values::describe_thrown(ctx, value));
        self.stop(ctx, state, Reason::Uncaught(text, step), None)
    }

    /// The statement that the innermost function with hooks is in, found by its place: for a stop that
    /// no hook is the reason of.
    fn here(&self, ctx: *mut JSContext, state: &State) -> Option<Here> {
        let layout = self.layout.get()?;
        let texts = &state.texts;
        let found = layout.activations(ctx).find_map(|activation| {
            let name = super::engine::text_of(ctx, activation.file());
            Some((self.text_named(&name)?, activation))
        });
        let (text, activation) = found?;
        let (line, column) = activation.place();
        let column = texts.column(&text.name, line, column)?;
        let statements = text.steps.statements.iter().enumerate();
        let before = statements.filter(|(_, one)| (one.line, one.column) <= (line, column));
        let (index, &statement) = before.max_by_key(|(_, one)| (one.line, one.column))?;
        let number = text.first + index as u32;
        let (depth, epoch) = (layout.depth(ctx), state.run.job.get());
        let step = self.step().saturating_sub(1);
        let activation = Some(activation);
        Some(Here { number, statement, text, step, activation, depth, epoch })
    }
}

impl LetGo for Session {
    fn let_go(&self) {
        self.held.let_go();
    }
}

impl Text {
    /// A statement, by its number.
    pub(super) fn statement(&self, number: u32) -> Option<&Statement> {
        self.steps.statements.get(number.checked_sub(self.first)? as usize)
    }

    /// The number after its last statement.
    fn after(&self) -> u32 {
        self.first + self.steps.statements.len() as u32
    }
}
