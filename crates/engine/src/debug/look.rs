//! What can be seen of a program that stands still.
#![expect(unsafe_code, reason = "values are taken from where the engine has them")]

use super::aside::aside;
use super::engine::{self, Activation};
use super::goal::Watch;
use super::places::{Seen, Sight};
use super::session::{Here, Session, Text};
use super::values;
use super::watch::Watched;
use crate::bridge;
use crate::raw::{self, Owned};
use crate::sites::called_at;
use crate::state::State;
use hemiola_machine::Place;
use hemiola_transform::Statement;
use rquickjs::qjs::{JSContext, JSValue};
use rquickjs::{Ctx, Exception, Function, Value};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;

/// Why a program stands still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its position is the one that was asked for.
    Step,
    /// A breakpoint on that line, as it was asked for.
    Breakpoint(u32),
    /// The step over or out is done.
    Stepped,
    /// The invocation that was asked for begins.
    Invocation,
    /// A `debugger` statement.
    Statement,
    /// Something is thrown, which this text describes.
    Thrown(String),
    /// Something was thrown that nobody caught. It was thrown when so many statements had begun, if that
    /// is known: the position before the last of them.
    Uncaught(String, Option<u64>),
    /// A watched value changed, from one to the other, within the statement before this position.
    Changed(Watch, String, String),
}

/// A function that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The name of the function; empty if it has none.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// The number that [`Stopped::scopes`] and the like take.
    pub id: usize,
}

/// Variables that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// What they are.
    pub kind: ScopeKind,
    /// What [`Stopped::variables`] takes.
    pub reference: u32,
}

/// What variables belong to, from the inside out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// A block within a function.
    Block,
    /// A function: parameters, variables, `this`.
    Local,
    /// Functions around it: what the function uses of them.
    Closure,
    /// The module.
    Module,
    /// All.
    Global,
}

/// A named value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The value in words, on one line.
    pub value: String,
    /// What `typeof` says, or the name of its class.
    pub kind: String,
    /// What [`Stopped::variables`] takes to show what is inside; 0 where nothing is.
    pub reference: u32,
    /// What tells of changes, where that is possible.
    pub watch: Option<Watch>,
}

/// A program that stands still.
///
/// References and the numbers of frames are good until it goes on.
pub struct Stopped<'a> {
    ctx: *mut JSContext,
    pub(super) session: &'a Session,
    state: &'a State,
    pub(super) here: Option<&'a Here>,
    reason: Reason,
    place: Option<Place>,
    frames: Option<Vec<Known>>,
    held: Vec<Held>,
}

/// A function of a text with hooks.
#[derive(Clone)]
struct Known {
    name: String,
    text: Rc<Text>,
    activation: Activation,
    place: (u32, u32),
}

/// What a reference stands for.
enum Held {
    /// Variables, with their values if they have any.
    Scope(Vec<(String, Option<Owned>, Option<Watch>)>),
    /// A value, and how it is watched.
    Value(Owned, Option<Watch>),
}

impl<'a> Stopped<'a> {
    pub(super) fn new(
        ctx: *mut JSContext,
        session: &'a Session,
        state: &'a State,
        reason: Reason,
        here: Option<&'a Here>,
    ) -> Self {
        let place = here.map(|here| {
            let (file, Statement { line, column, .. }) =
                (Arc::clone(&here.text.file), here.statement);
            Place { file, line, column }
        });
        Self { ctx, session, state, here, reason, place, frames: None, held: Vec::new() }
    }

    /// How many statements have begun before this moment: the position.
    pub fn step(&self) -> u64 {
        self.here.map_or_else(|| self.session.position(), |here| here.step)
    }

    /// Why it stands still.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }

    /// The statement that is next, or that threw; none between two callbacks.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// The statement that the program looked up at last before this one: the one that changed what is
    /// watched.
    pub fn changed_by(&self) -> Option<Place> {
        let number = self.session.before.get()?;
        let text = self.session.text_of(number)?;
        let statement = text.statement(number)?;
        Some(Place { file: Arc::clone(&text.file), line: statement.line, column: statement.column })
    }

    /// The invocation that runs, by the number that the trace has for it.
    pub fn invocation(&self) -> u64 {
        bridge::with(|context| context.invocation().0)
    }

    pub(super) fn bindings<'js>(&self) -> Ctx<'js> {
        // SAFETY: the engine stands still in a call with this context.
        unsafe { Ctx::from_raw(NonNull::new_unchecked(self.ctx)) }
    }

    /// The functions on the stack.
    fn known(&mut self) -> &[Known] {
        let (ctx, session, state, here) = (self.ctx, self.session, self.state, self.here);
        let bindings = self.bindings();
        self.frames.get_or_insert_with(|| {
            let Some(layout) = session.layout.get() else { return Vec::new() };
            // What a function called last says where in its text it is.
            let mut callee = None;
            let known = |activation: Activation| {
                let name = values::function_name(&bindings, activation.function());
                let callee = callee.replace(name.clone());
                let file = engine::text_of(ctx, activation.file());
                let text = session.text_named(&file)?;
                let is_here = |here: &&Here| {
                    here.activation.is_some_and(|one| one.identity() == activation.identity())
                };
                let place = match here.filter(is_here) {
                    Some(here) => (here.statement.line, here.statement.column),
                    None => called_at(ctx, state, activation, &file, &callee.unwrap_or_default()),
                };
                Some(Known { name, text, activation, place })
            };
            layout.activations(ctx).filter_map(known).collect()
        })
    }

    /// The functions of the program on the stack, the innermost first.
    pub fn frames(&mut self) -> Vec<Frame> {
        let frames = self.known().iter().enumerate().map(|(id, known)| {
            let file = Arc::clone(&known.text.file);
            let (line, column) = known.place;
            Frame { name: known.name.clone(), place: Place { file, line, column }, id }
        });
        frames.collect()
    }

    /// The variables that a frame sees, the innermost first.
    pub fn scopes(&mut self, frame: usize) -> Vec<Scope> {
        let ctx = self.bindings();
        let Some(known) = self.known().get(frame).cloned() else { return Vec::new() };
        let Known { text, activation, place, .. } = &known;
        let sight = Sight { session: self.session, text, activation: *activation, place: *place };
        let mut scopes = Vec::new();
        let mut has_this = false;
        for (kind, seen) in sight.scopes(&ctx) {
            let mut list = Vec::new();
            // The function's own come first, but for `this`, which says what it is a method of.
            let is_function = matches!(kind, ScopeKind::Local | ScopeKind::Module);
            if is_function && !std::mem::replace(&mut has_this, true) {
                // SAFETY: the address is that of a variable of a function that runs.
                let this = sight.this(&ctx).map(|at| unsafe { self.own(*at) });
                list.extend(this.map(|this| ("this".to_owned(), this, None)));
            }
            for Seen { declared, at } in seen {
                let watch = Watch {
                    file: text.file.to_string(),
                    declared: declared.place,
                    name: declared.name.to_string(),
                    path: Vec::new(),
                };
                // SAFETY: as above.
                let value = unsafe { self.own(*at) };
                list.push((declared.name.to_string(), value, Some(watch)));
            }
            scopes.push(Scope { kind, reference: self.hold(Held::Scope(list)) });
        }
        let global = ctx.globals().into_value();
        // SAFETY: the value is alive.
        let global = unsafe { Owned::new(self.ctx, global.as_raw()) };
        let reference = self.hold(Held::Value(global, None));
        scopes.push(Scope { kind: ScopeKind::Global, reference });
        scopes
    }

    /// A reference of our own to a value; nothing for a variable that has none.
    ///
    /// # Safety
    ///
    /// The value is alive.
    unsafe fn own(&self, value: JSValue) -> Option<Owned> {
        // SAFETY: the caller's.
        (!values::is_uninitialized(value)).then(|| unsafe { Owned::new(self.ctx, value) })
    }

    fn hold(&mut self, held: Held) -> u32 {
        self.held.push(held);
        self.held.len() as u32
    }

    /// What is in a scope or a value.
    pub fn variables(&mut self, reference: u32) -> Vec<Variable> {
        let ctx = self.bindings();
        let index = (reference as usize).wrapping_sub(1);
        // Names, values, how they are watched, and what stands for a value that is not there.
        let list: Vec<(String, Result<Owned, &str>, Option<Watch>)> = match self.held.get(index) {
            None => return Vec::new(),
            Some(Held::Scope(list)) => list
                .iter()
                .map(|(name, value, watch)| {
                    // SAFETY: the value is alive.
                    let value =
                        value.as_ref().map(|one| unsafe { Owned::new(self.ctx, one.as_raw()) });
                    (name.clone(), value.ok_or("<uninitialized>"), watch.clone())
                })
                .collect(),
            Some(Held::Value(value, watch)) => {
                let value = self.value(&ctx, value);
                let children = self.aside(|| values::children(&ctx, value));
                let children = children.into_iter().map(|(name, value, is_property)| {
                    // SAFETY: the value is alive.
                    let value = value.map(|one| unsafe { Owned::new(self.ctx, one.as_raw()) });
                    let watch =
                        watch.as_ref().filter(|_| is_property && value.is_some()).map(|watch| {
                            let mut watch = watch.clone();
                            watch.path.push(name.clone());
                            watch
                        });
                    (name, value.ok_or("(...)"), watch)
                });
                children.collect()
            }
        };
        let variables = list.into_iter().map(|(name, value, watch)| match value {
            Ok(value) => self.variable(&ctx, name, value, watch),
            Err(value) => {
                let kind = if value == "(...)" { "accessor" } else { "undefined" };
                Variable { name, value: value.into(), kind: kind.into(), reference: 0, watch }
            }
        });
        variables.collect()
    }

    fn value<'js>(&self, ctx: &Ctx<'js>, value: &Owned) -> Value<'js> {
        // SAFETY: the value is alive.
        unsafe { raw::copy(ctx, value.as_raw()) }
    }

    fn variable(
        &mut self,
        ctx: &Ctx<'_>,
        name: String,
        value: Owned,
        watch: Option<Watch>,
    ) -> Variable {
        let one = self.value(ctx, &value);
        let variable = self.aside(|| values::variable(ctx, name, &one));
        let reference = match values::has_children(&one) {
            true => self.hold(Held::Value(value, watch.clone())),
            false => 0,
        };
        Variable { reference, watch, ..variable }
    }

    fn aside<R>(&self, act: impl FnOnce() -> R) -> R {
        aside(self.ctx, self.state, self.session.layout.get(), act)
    }

    /// The value of an expression, or of the last of some statements, as code in that frame would have
    /// it. Whatever it asks of the outside is refused. It must not change what the program has, or the
    /// program will not do what it did when it was recorded; variables it cannot change.
    ///
    /// # Errors
    ///
    /// What it throws, in words.
    pub fn evaluate(&mut self, frame: usize, text: &str) -> Result<Variable, String> {
        let ctx = self.bindings();
        let known = self.known().get(frame).cloned();
        let sight = known.as_ref().map(|Known { text, activation, place, .. }| Sight {
            session: self.session,
            text,
            activation: *activation,
            place: *place,
        });
        let mut names: Vec<(String, *mut JSValue)> = Vec::new();
        let scopes = sight.as_ref().map(|sight| sight.scopes(&ctx)).unwrap_or_default();
        for seen in scopes.iter().flat_map(|(_, seen)| seen) {
            names.push((seen.declared.name.to_string(), seen.at));
        }
        if let Some(sight) = &sight {
            names.extend(sight.wrapper(&ctx));
        }
        let result = self.aside(|| {
            evaluation(&ctx, text, &names, sight.as_ref()).map_err(|error| match error {
                rquickjs::Error::Exception => {
                    let thrown = ctx.catch();
                    match self.state.run.exit.get() {
                        Some(_) => "the program cannot end while it stands still".to_owned(),
                        None => values::failure(&ctx, thrown),
                    }
                }
                other => other.to_string(),
            })
        })?;
        // SAFETY: the value is alive.
        let value = unsafe { Owned::new(self.ctx, result.as_raw()) };
        Ok(self.variable(&ctx, text.to_owned(), value, None))
    }

    /// Whether changes of something can be told, as far as that is seen from here; why not, if they cannot.
    pub fn check(&self, watch: &Watch) -> Result<(), String> {
        self.aside(|| Watched::new(watch.clone()).check(self.ctx, self.session, self.here))
    }

    /// The position of the statement that the frame, or one that called it, began last before this
    /// one; only where the goal said to remember that, and as far back as it did.
    pub fn previous(&mut self, frame: usize) -> Option<u64> {
        let step = self.step();
        let activations: Vec<_> =
            self.known().iter().skip(frame).map(|known| known.activation).collect();
        self.session.memory.borrow().previous(activations.into_iter(), step)
    }

    /// The position of the statement in which the function is that has so many running ones below it and
    /// itself; for 0, the outermost that is remembered. Only where the goal said to remember that.
    pub fn statement_of(&self, functions: u32) -> Option<u64> {
        let layout = self.session.layout.get()?;
        let activations: Vec<Activation> = layout.activations(self.ctx).collect();
        let memory = self.session.memory.borrow();
        match activations.len().checked_sub(functions as usize) {
            _ if functions == 0 => activations.iter().rev().find_map(|one| memory.statement(*one)),
            index => memory.statement(*activations.get(index?)?),
        }
    }
}

/// Runs a text where names mean what they mean in a frame.
fn evaluation<'js>(
    ctx: &Ctx<'js>,
    text: &str,
    names: &[(String, *mut JSValue)],
    sight: Option<&Sight<'_>>,
) -> rquickjs::Result<Value<'js>> {
    let function: Function<'js> = values::library(ctx)?.get("evaluate")?;
    let addresses: Vec<_> = names.iter().map(|(name, at)| (name.clone(), *at)).collect();
    let get = move |ctx: Ctx<'js>, index: usize| -> rquickjs::Result<Value<'js>> {
        let (name, at) = &addresses[index];
        // SAFETY: the variable is alive while its function stands still.
        match unsafe { engine::read(&ctx, *at)? } {
            Some(value) => Ok(value),
            None => {
                let message = format!("Cannot access '{name}' before initialization");
                Err(Exception::throw_reference(&ctx, &message))
            }
        }
    };
    let get = Function::new(ctx.clone(), get)?;
    let undefined = || Value::new_undefined(ctx.clone());
    let (mut this, mut is_strict, mut arguments) = (undefined(), false, Vec::new());
    if let Some(sight) = sight {
        is_strict = sight.activation.is_strict();
        if let Some(at) = sight.this(ctx) {
            // SAFETY: as above.
            this = unsafe { engine::read(ctx, at)? }.unwrap_or_else(undefined);
        }
        for argument in sight.activation.arguments() {
            // SAFETY: as above.
            arguments.extend(unsafe { engine::read(ctx, argument)? });
        }
    }
    let names: Vec<&str> = names.iter().map(|(name, _)| &**name).collect();
    function.call((text, names, get, is_strict, this, arguments))
}
