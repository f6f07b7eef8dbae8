//! L as a host: the rules s1 to s5 of the language and r2 to r11 of the machine.
//!
//! The queues C, Q and P are the machine's ticks, completions and immediates, R is what it has
//! outstanding; what remains here is the globals G, the heap H, the listeners E and the stack S.

use super::bounds::{Bounds, Mode};
use super::env::{Env, Envs, Slot, Value};
use super::syntax::{BlockId, Expr, Function, FunctionId, Instruction, Program};
use crate::hunt::Hunt;
use crate::names::Symbol;
use crate::study::Following;
use hemiola_explore::End;
use hemiola_machine::{
    Class, Context, DomainId, Eagerness, Group, Host, Input, Language, Machine, Observation, Place,
    Progress, Ready, Signal, Site,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The values that an operation answers with.
pub(crate) type Answer = Rc<[Value]>;

/// What is asked of an oracle: how many values to answer with, and for whom. Of two equal requests it
/// does not matter which is answered first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) arity: usize,
    env: Env,
    function: Symbol,
    watched: bool,
}

/// Something that the machine can run.
#[derive(Clone, Debug)]
pub(crate) enum Callback {
    /// The program.
    Main,
    /// A call in a queue: ⟨ℓ, f(v)⟩.
    Call(Queued),
}

/// A call in a queue, or the callback of an operation that has no arguments yet.
#[derive(Clone, Debug)]
pub(crate) struct Queued {
    pub(crate) env: Env,
    pub(crate) function: Symbol,
    pub(crate) args: Answer,
    /// Whether this is the one whose waiting is measured.
    pub(crate) watched: bool,
}

/// ⟨ℓ, w⟩: an environment, and the rest of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) env: Env,
    pub(crate) block: BlockId,
    pub(crate) next: u32,
}

/// One entry of a listener: an environment, and callbacks in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listener {
    pub(crate) event: Symbol,
    pub(crate) env: Env,
    pub(crate) callbacks: Rc<[Symbol]>,
}

/// What all executions of a program share.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) program: Program,
    pub(crate) mode: Mode,
    pub(crate) bounds: Bounds,
    pub(crate) values: Vec<Value>,
    pub(crate) external: Vec<Symbol>,
    /// Names that the program stores to: these live in cells.
    stored: Vec<bool>,
    /// The functions that each function was defined together with.
    siblings: Vec<Rc<[FunctionId]>>,
    pub(crate) following: Following,
    /// The hunt for callbacks that starve, if this is one.
    pub(crate) hunt: Option<Hunt>,
}

impl Setting {
    pub(crate) fn new(
        mut program: Program,
        mode: Mode,
        bounds: Bounds,
        following: Following,
    ) -> Self {
        let mut prey = BTreeSet::new();
        let value = |text: &String, program: &mut Program| match text.parse() {
            Ok(number) => Value::Number(number),
            Err(_) => Value::Name(program.names.intern(text)),
        };
        let values = bounds.values.iter().map(|text| value(text, &mut program)).collect();
        let external =
            bounds.external.iter().map(|(event, _)| program.names.intern(event)).collect();
        let mut stored = vec![false; program.names.len()];
        let alone: Rc<[FunctionId]> = Rc::new([]);
        let mut siblings = vec![alone; program.functions.len()];
        for instruction in program.blocks.iter().flat_map(|block| &block.instructions) {
            match instruction {
                Instruction::Store { name, .. } => stored[name.0 as usize] = true,
                Instruction::Async { callback, .. } => drop(prey.insert(*callback)),
                Instruction::NextTick { function, .. }
                | Instruction::SetImmediate { function, .. } => drop(prey.insert(*function)),
                Instruction::Register { callbacks, .. } => prey.extend(callbacks),
                Instruction::LetFunctions(functions) => {
                    let together: Rc<[FunctionId]> = functions.as_slice().into();
                    for function in functions {
                        siblings[function.0 as usize] = Rc::clone(&together);
                    }
                }
                _ => {}
            }
        }
        let hunt = following.hunting.then(|| Hunt::for_any_of(prey));
        Self { program, mode, bounds, values, external, stored, siblings, following, hunt }
    }

    fn function(&self, id: FunctionId) -> &Function {
        &self.program.functions[id.0 as usize]
    }

    pub(crate) fn text(&self, name: Symbol) -> &str {
        self.program.names.text(name)
    }
}

/// ⟨G, H, E, S⟩, and how much of the bounds is used up.
#[derive(Clone, Debug)]
pub(crate) struct L {
    pub(crate) setting: Rc<Setting>,
    pub(crate) envs: Envs,
    /// Sorted by name.
    pub(crate) globals: Vec<(Symbol, Value)>,
    pub(crate) heap: Vec<Value>,
    pub(crate) listeners: Vec<Listener>,
    pub(crate) stack: Vec<Frame>,
    pub(crate) observations: u32,
    pub(crate) calls: u32,
    pub(crate) dispatches: u32,
    /// How long the watched callback has waited, once one is watched.
    pub(crate) waited: Option<u32>,
    /// Why the host halted.
    pub(crate) end: Option<End>,
}

/// Why evaluation cannot go on.
type Stop = End;

impl L {
    pub(crate) fn new(setting: Rc<Setting>) -> Self {
        Self {
            setting,
            envs: Envs::new(),
            globals: Vec::new(),
            heap: Vec::new(),
            listeners: Vec::new(),
            stack: Vec::new(),
            observations: 0,
            calls: 0,
            dispatches: 0,
            waited: None,
            end: None,
        }
    }

    fn literal(&self) -> bool {
        self.setting.mode == Mode::Literal
    }

    /// Runs frames until the stack is empty or the outside may come first.
    fn go(&mut self, context: &mut Context<'_, Self>, resumed: bool) -> Progress {
        let mut at_gap = resumed;
        let setting = Rc::clone(&self.setting);
        while let Some(&Frame { env, block, next }) = self.stack.last() {
            let block = &setting.program.blocks[block.0 as usize];
            let Some(instruction) = block.instructions.get(next as usize) else {
                self.stack.pop(); // s5
                continue;
            };
            if !std::mem::take(&mut at_gap) && self.is_gap(instruction, context) {
                return Progress::Paused;
            }
            self.stack.last_mut().expect("the frame is on the stack").next += 1;
            // A frame with nothing left to do after a call need not wait for its return: the paper
            // calls the stacks with and without it equivalent.
            let is_call = matches!(instruction, Instruction::Call { .. } | Instruction::Group(_));
            if is_call && next as usize + 1 == block.instructions.len() {
                self.stack.pop();
            }
            if let Err(end) = self.execute(instruction, env, context) {
                self.end = Some(end);
                return Progress::Halted;
            }
        }
        Progress::RETURNED
    }

    /// Whether it matters if the outside comes before this instruction.
    ///
    /// An answer (r6) and an external event (r7) only append to the poll queue. They commute with
    /// every instruction but those that append there too, those that change who listens, and, when
    /// waiting is measured, calls.
    fn is_gap(&self, instruction: &Instruction, context: &Context<'_, Self>) -> bool {
        // A call that never returns is a step after every call.
        if self.setting.following.endless && matches!(instruction, Instruction::Call { .. }) {
            return true;
        }
        let external = !self.setting.external.is_empty();
        let matters = match instruction {
            Instruction::Trigger { event, .. } => self.listens(*event),
            Instruction::Register { .. } | Instruction::Unregister { .. } => external,
            Instruction::Call { .. } => self.setting.hunt.is_some(),
            _ => false,
        };
        matters && (external || context.machine().outstanding().next().is_some())
    }

    fn listens(&self, event: Symbol) -> bool {
        self.listeners.iter().any(|listener| listener.event == event)
    }

    fn execute(
        &mut self,
        instruction: &Instruction,
        env: Env,
        context: &mut Context<'_, Self>,
    ) -> Result<(), Stop> {
        match instruction {
            // s1v
            Instruction::LetValue { name, value } => {
                let value = self.evaluate(value, env, !self.literal(), context)?;
                let env = self.bind(env, *name, value);
                self.continue_in(env);
            }
            // s1f
            Instruction::LetFunctions(functions) => {
                let env = self.define(env, functions);
                self.continue_in(env);
            }
            // s2
            Instruction::Observe(value) => {
                let value = self.evaluate(value, env, !self.literal(), context)?;
                if !self.setting.following.endless {
                    if self.observations == self.setting.bounds.observations {
                        return Err(self.cut(Bounds::OBSERVATIONS, watched(context)));
                    }
                    self.observations += 1;
                }
                context.observe(self.observation(value));
            }
            // s3g and s3l
            Instruction::Store { name, value } => {
                let slot = self.envs.get(env, *name);
                let global = slot.is_none();
                let value = self.evaluate(value, env, global || !self.literal(), context)?;
                if let Value::Function(function, _) = value {
                    let name = self.setting.function(function).name;
                    return Err(End::Stuck(format!(
                        "store of function {}",
                        self.setting.text(name)
                    )));
                }
                match slot {
                    None => self.set_global(*name, value),
                    Some(Slot::Cell(cell)) => self.heap[cell as usize] = value,
                    Some(Slot::Value(_)) => unreachable!("a name that is stored to has a cell"),
                }
            }
            // s4
            Instruction::Call { function, args } => {
                let callee = self.callee(env, *function)?;
                let args = self.arguments(args, env, Some(callee.1), context)?;
                if !self.setting.following.endless {
                    if self.calls == self.setting.bounds.calls {
                        return Err(self.cut(Bounds::CALLS, watched(context)));
                    }
                    self.calls += 1;
                    self.wait(context);
                }
                self.enter(callee, env, &args);
            }
            // r5
            Instruction::Async { operation: _, callback } => {
                let arity = match self.callee(env, *callback) {
                    Ok((function, _)) => self.setting.function(function).params.len(),
                    Err(_) => 0,
                };
                let callback = self.queued(env, *callback, Rc::new([]), context);
                let Callback::Call(Queued { env, function, watched, .. }) = callback else {
                    unreachable!("the main program is never in a queue");
                };
                let request = Request { arity, env, function, watched };
                context.request(Class::Io, Group::default(), request, callback);
            }
            // r8
            Instruction::NextTick { function, args } => {
                let args = self.arguments(args, env, None, context)?;
                let callback = self.queued(env, *function, args, context);
                context.queue(Class::Tick, Group::default(), callback);
            }
            // r9
            Instruction::SetImmediate { function, args } => {
                let args = self.arguments(args, env, None, context)?;
                let callback = self.queued(env, *function, args, context);
                context.queue(Class::Immediate, Group::default(), callback);
            }
            // r4
            Instruction::Trigger { event, args } => {
                let args = self.arguments(args, env, None, context)?;
                self.notify(*event, &args, context);
            }
            // r2
            Instruction::Register { event, callbacks } => {
                let callbacks = callbacks.as_slice().into();
                self.listeners.push(Listener { event: *event, env, callbacks });
            }
            // r3
            Instruction::Unregister { event, callbacks } => {
                for listener in self.listeners.iter_mut().filter(|one| one.event == *event) {
                    let left = listener.callbacks.iter().filter(|name| !callbacks.contains(name));
                    listener.callbacks = left.copied().collect();
                }
                self.listeners.retain(|listener| !listener.callbacks.is_empty());
            }
            Instruction::Group(block) => {
                self.stack.push(Frame { env, block: *block, next: 0 });
            }
        }
        Ok(())
    }

    /// Enqueues the callbacks of everyone who listens to an event (rule MACH-6).
    fn notify(&mut self, event: Symbol, args: &Answer, context: &mut Context<'_, Self>) {
        for at in 0..self.listeners.len() {
            let Listener { event: other, env, ref callbacks } = self.listeners[at];
            if other != event {
                continue;
            }
            for &function in Rc::clone(callbacks).iter() {
                let callback = self.queued(env, function, Rc::clone(args), context);
                context.queue(Class::Io, Group::default(), callback);
            }
        }
    }

    /// Lets the rest of the current block see an environment.
    fn continue_in(&mut self, env: Env) {
        self.stack.last_mut().expect("a `let` stands in a frame").env = env;
    }

    fn queued(
        &mut self,
        env: Env,
        function: Symbol,
        args: Answer,
        context: &mut Context<'_, Self>,
    ) -> Callback {
        let hunt = self.setting.hunt.as_ref();
        let wanted = self.waited.is_none() && hunt.is_some_and(|hunt| hunt.wants(function));
        let watched = wanted && context.draw(2) == 1;
        if watched {
            self.waited = Some(0);
        }
        Callback::Call(Queued { env, function, args, watched })
    }

    /// The function that a name stands for, with its environment.
    fn callee(&self, env: Env, name: Symbol) -> Result<(FunctionId, Env), Stop> {
        match self.look_up(env, name, false) {
            Value::Function(function, defined) => Ok((function, defined)),
            _ => Err(End::Stuck(format!("call of non-function {}", self.setting.text(name)))),
        }
    }

    /// Pushes the frame of a call (s4; r10 and r11 with rule MACH-1).
    fn enter(&mut self, (id, defined): (FunctionId, Env), caller: Env, args: &[Value]) {
        let setting = Rc::clone(&self.setting);
        let function = setting.function(id);
        let mut env = match setting.mode {
            Mode::Dynamic | Mode::Literal => caller,
            Mode::Lexical if self.has_stored_sibling(id) => defined,
            Mode::Lexical => self.define(defined, &Rc::clone(&setting.siblings[id.0 as usize])),
        };
        for (at, &param) in function.params.iter().enumerate() {
            let value = args.get(at).copied().unwrap_or(Value::Undefined);
            env = self.bind(env, param, value);
        }
        self.stack.push(Frame { env, block: function.body, next: 0 });
    }

    /// Binds functions that are defined together (s1f).
    ///
    /// In `lexical` mode they see each other. Where none is stored to, a closure keeps the
    /// environment outside, and the call binds them anew, which comes to the same; else they share
    /// cells, and the closure keeps the environment with these.
    fn define(&mut self, outer: Env, functions: &[FunctionId]) -> Env {
        let setting = Rc::clone(&self.setting);
        let shared = functions.first().is_some_and(|&first| self.has_stored_sibling(first));
        let mut env = outer;
        if setting.mode == Mode::Lexical && shared {
            let first_cell = self.heap.len();
            for &id in functions {
                env = self.bind_cell(env, setting.function(id).name, Value::Undefined);
            }
            for (at, &id) in functions.iter().enumerate() {
                self.heap[first_cell + at] = Value::Function(id, env);
            }
            return env;
        }
        // A dynamic callee never looks where it was defined.
        let defined = if setting.mode == Mode::Dynamic { Env::EMPTY } else { outer };
        for &id in functions {
            env = self.bind(env, setting.function(id).name, Value::Function(id, defined));
        }
        env
    }

    fn has_stored_sibling(&self, id: FunctionId) -> bool {
        let siblings = &self.setting.siblings[id.0 as usize];
        let stored =
            |id: &FunctionId| self.setting.stored[self.setting.function(*id).name.0 as usize];
        siblings.iter().any(stored)
    }

    fn bind(&mut self, env: Env, name: Symbol, value: Value) -> Env {
        if self.setting.stored[name.0 as usize] {
            self.bind_cell(env, name, value)
        } else {
            self.envs.bind(env, name, Slot::Value(value))
        }
    }

    fn bind_cell(&mut self, env: Env, name: Symbol, value: Value) -> Env {
        self.heap.push(value);
        self.envs.bind(env, name, Slot::Cell(self.heap.len() as u32 - 1))
    }

    fn set_global(&mut self, name: Symbol, value: Value) {
        match self.globals.binary_search_by_key(&name, |&(name, _)| name) {
            Ok(at) => self.globals[at].1 = value,
            Err(at) => self.globals.insert(at, (name, value)),
        }
    }

    /// What a name stands for; itself when it is bound nowhere (rule MACH-3).
    fn look_up(&self, env: Env, name: Symbol, globals: bool) -> Value {
        match self.envs.get(env, name) {
            Some(Slot::Value(value)) => value,
            Some(Slot::Cell(cell)) => self.heap[cell as usize],
            None if globals => {
                let at = self.globals.binary_search_by_key(&name, |&(name, _)| name);
                at.map_or(Value::Name(name), |at| self.globals[at].1)
            }
            None => Value::Name(name),
        }
    }

    fn evaluate(
        &self,
        expr: &Expr,
        env: Env,
        globals: bool,
        context: &mut Context<'_, Self>,
    ) -> Result<Value, Stop> {
        self.evaluate_in(expr, None, env, globals, context)
    }

    /// Evaluates in an environment that is looked at first, if there is one, and in another.
    fn evaluate_in(
        &self,
        expr: &Expr,
        inner: Option<Env>,
        env: Env,
        globals: bool,
        context: &mut Context<'_, Self>,
    ) -> Result<Value, Stop> {
        Ok(match expr {
            Expr::Name(name) => {
                let first = inner.filter(|&inner| self.envs.get(inner, *name).is_some());
                self.look_up(first.unwrap_or(env), *name, globals)
            }
            Expr::Number(number) => Value::Number(*number),
            Expr::Any => self.setting.values[context.draw(self.setting.values.len())],
            Expr::Add(left, right) | Expr::Subtract(left, right) => {
                let left = self.evaluate_in(left, inner, env, globals, context)?;
                let right = self.evaluate_in(right, inner, env, globals, context)?;
                let (left, right) = (self.number(left)?, self.number(right)?);
                let result = match expr {
                    Expr::Add(..) => left.checked_add(right),
                    _ => left.checked_sub(right),
                };
                Value::Number(result.ok_or_else(|| End::Stuck("number out of range".into()))?)
            }
        })
    }

    fn number(&self, value: Value) -> Result<i64, Stop> {
        match value {
            Value::Number(number) => Ok(number),
            other => {
                Err(End::Stuck(format!("arithmetic on non-number {}", self.observation(other))))
            }
        }
    }

    /// Arguments, evaluated once (rule MACH-3). As printed, s4 also looks where the callee was
    /// defined, and there first.
    fn arguments(
        &self,
        args: &[Expr],
        env: Env,
        callee: Option<Env>,
        context: &mut Context<'_, Self>,
    ) -> Result<Answer, Stop> {
        let inner = callee.filter(|_| self.literal());
        args.iter().map(|arg| self.evaluate_in(arg, inner, env, true, context)).collect()
    }

    pub(crate) fn observation(&self, value: Value) -> Observation {
        match value {
            Value::Undefined => Observation::name("undefined"),
            Value::Number(number) => Observation::Number(number),
            Value::Name(name) => Observation::Name(self.setting.program.names.text(name).clone()),
            Value::Function(id, _) => {
                let name = self.setting.function(id).name;
                Observation::Name(self.setting.program.names.text(name).clone())
            }
        }
    }

    /// Counts a call or a dispatch during which the watched callback sat in a queue.
    fn wait(&mut self, context: &Context<'_, Self>) {
        if let Some(waited) = self.waited
            && watched(context).is_some()
        {
            self.waited = Some((waited + 1).min(self.setting.bounds.starve_window));
        }
    }

    /// The end of a run at a bound, with this callback watched in a queue.
    fn cut(&self, bound: &'static str, watched: Option<Symbol>) -> End {
        let Some(hunt) = &self.setting.hunt else { return End::Cut(bound) };
        match watched {
            Some(name) if self.waited >= Some(self.setting.bounds.starve_window) => {
                hunt.found(name);
                End::Starved(self.setting.text(name).to_owned())
            }
            _ => End::Dropped,
        }
    }
}

/// The name of the watched callback, if it sits in a queue.
fn watched(context: &Context<'_, L>) -> Option<Symbol> {
    watched_in(context.machine())
}

/// The name of the watched callback, if it sits in a queue of that machine.
pub(crate) fn watched_in(machine: &Machine<L>) -> Option<Symbol> {
    let queues = [Class::Tick, Class::Io, Class::Immediate];
    let mut ready = queues.into_iter().flat_map(|class| machine.ready(class));
    ready.find_map(|Ready { callback, .. }| match callback {
        Callback::Call(queued) if queued.watched => Some(queued.function),
        _ => None,
    })
}

impl Language for L {
    type Callback = Callback;
    type Request = Request;
    type Answer = Answer;

    fn describe(_: &Request) -> String {
        String::new()
    }

    fn place() -> Option<Place> {
        None
    }
}

impl Host for L {
    type Language = Self;

    fn run(
        &mut self,
        callback: &mut Callback,
        input: Input<Answer>,
        context: &mut Context<'_, Self>,
    ) -> Progress {
        let setting = Rc::clone(&self.setting);
        match callback {
            Callback::Main => {
                self.stack.push(Frame { env: Env::EMPTY, block: setting.program.main, next: 0 });
            }
            // r10 and r11
            Callback::Call(Queued { env, function, args, watched: is_watched }) => {
                if let Input::Answer(answer) = input {
                    *args = answer;
                }
                let callee = match self.callee(*env, *function) {
                    Ok(callee) => callee,
                    Err(end) => {
                        self.end = Some(end);
                        return Progress::Halted;
                    }
                };
                let counts = !setting.following.endless;
                if counts && self.dispatches == setting.bounds.dispatches {
                    // What was picked still sat in its queue.
                    let waiting = if *is_watched { Some(*function) } else { watched(context) };
                    let end = self.cut(Bounds::DISPATCHES, waiting);
                    self.end = Some(end);
                    return Progress::Halted;
                }
                self.dispatches += 1;
                if *is_watched {
                    self.end = Some(End::Dropped);
                    return Progress::Halted;
                }
                if counts {
                    self.wait(context);
                }
                if setting.mode == Mode::Literal {
                    // As printed: ℓ′ and no parameters.
                    let block = setting.function(callee.0).body;
                    self.stack.push(Frame { env: callee.1, block, next: 0 });
                } else {
                    self.enter(callee, *env, args);
                }
            }
        }
        self.go(context, false)
    }

    fn site(&self, _: &Callback) -> Option<Site> {
        None
    }

    fn dropped_holds(&mut self) -> Vec<DomainId> {
        Vec::new()
    }

    fn eagerness(&self, _: &Callback) -> Eagerness {
        Eagerness::Free
    }

    fn begin_batch(&mut self) {}

    fn is_batch(&self, _: &Callback) -> bool {
        false
    }

    fn take_in(
        &mut self,
        callback: Callback,
        answer: Answer,
        _: &mut Context<'_, Self>,
    ) -> Option<(Callback, Answer)> {
        Some((callback, answer))
    }

    fn endless(&mut self, _: &str) -> Option<<Self::Language as Language>::Callback> {
        None
    }

    fn resume(&mut self, context: &mut Context<'_, Self>) -> Progress {
        self.go(context, true)
    }

    /// r7: the same values for every callback, as many as the one with the most parameters takes.
    fn signal(&mut self, Signal(event): Signal, context: &mut Context<'_, Self>) {
        let event = self.setting.external[event as usize];
        let listening = self.listeners.iter().filter(|listener| listener.event == event);
        let arity = listening
            .flat_map(|listener| listener.callbacks.iter().map(|&name| (listener.env, name)))
            .filter_map(|(env, name)| self.callee(env, name).ok())
            .map(|(function, _)| self.setting.function(function).params.len())
            .max()
            .unwrap_or(0);
        let values = &self.setting.values;
        let args: Answer = (0..arity).map(|_| values[context.draw(values.len())]).collect();
        self.notify(event, &args, context);
    }
}
