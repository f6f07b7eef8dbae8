//! L, held to an interpreter that is nothing but its rules.
//!
//! The interpreter below keeps the whole configuration ⟨G, H, E, S, C, Q, P, R⟩ of Ancona et al.,
//! takes one rule at a time, tries r6 and r7 between any two steps, and lists every run. It shares
//! nothing with the machine but the parser.

use crate::support;
use crate::support::examples::examples;
use crate::support::{Choices, Counts, line};
use hemiola_calculus::Study as _;
use hemiola_calculus::l::syntax::{BlockId, Expr, FunctionId, Instruction, Program};
use hemiola_calculus::l::{self, Bounds, Mode};
use hemiola_calculus::{Names, Symbol, l::syntax::Function};
use hemiola_explore::{Limits, Outcomes};
use hemiola_trace::Observation;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::rc::Rc;

/// ℓ: names and locations, the innermost last.
#[derive(Clone, Debug, Default)]
struct Env(Rc<Vec<(Symbol, usize)>>);

impl Ord for Env {
    fn cmp(&self, other: &Self) -> Ordering {
        if Rc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.0.cmp(&other.0) }
    }
}

impl PartialOrd for Env {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Env {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Env {}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Undefined,
    Number(i64),
    Name(Symbol),
    Closure(Env, FunctionId),
}

/// ⟨ℓ, w⟩: an environment and what is left of a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    block: BlockId,
    next: usize,
    env: Env,
}

/// ⟨ℓ, p(v)⟩ in a queue, and how many calls and dispatches it has seen there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pending {
    function: Symbol,
    age: u32,
    args: Vec<Value>,
    env: Env,
}

/// ⟨ℓ, u⟩ of an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Listener {
    event: Symbol,
    env: Env,
    callbacks: Vec<Symbol>,
}

/// ⟨G, H, E, S, C, Q, P, R⟩, what was observed so far, and what the bounds have counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Configuration {
    trace: Vec<Observation>,
    calls: u32,
    dispatches: u32,
    external: Vec<u32>,
    stack: Vec<Frame>,
    ticks: Vec<Pending>,
    poll: Vec<Pending>,
    immediates: Vec<Pending>,
    /// A multiset, kept sorted.
    running: Vec<(Env, Symbol)>,
    globals: BTreeMap<Symbol, Value>,
    listeners: Vec<Listener>,
    heap: Vec<Value>,
}

impl Configuration {
    fn local(&self, env: &Env, name: Symbol) -> Option<Value> {
        let found = env.0.iter().rev().find(|(bound, _)| *bound == name);
        found.map(|&(_, location)| self.heap[location].clone())
    }

    fn closure(&self, env: &Env, name: Symbol) -> Option<(Env, FunctionId)> {
        match self.local(env, name) {
            Some(Value::Closure(env, function)) => Some((env, function)),
            _ => None,
        }
    }

    /// ℓ[x/l] and H[l/v] with a fresh l.
    fn bind(&mut self, env: &Env, name: Symbol, value: Value) -> Env {
        self.heap.push(value);
        let mut pairs = (*env.0).clone();
        pairs.push((name, self.heap.len() - 1));
        Env(Rc::new(pairs))
    }

    /// A call or a dispatch has happened: whatever waits has waited for one more.
    fn grow_older(&mut self) {
        let queues = [&mut self.ticks, &mut self.poll, &mut self.immediates];
        queues.into_iter().flatten().for_each(|pending| pending.age += 1);
    }
}

/// All that a program can do.
#[derive(Debug, Default, PartialEq, Eq)]
struct Results {
    traces: BTreeSet<Vec<Observation>>,
    cut: BTreeSet<Vec<Observation>>,
    stuck: BTreeSet<(Vec<Observation>, String)>,
    starves: BTreeSet<String>,
}

/// The ways an evaluation can go: `any` may be any value.
type Ways<T> = Vec<Result<T, String>>;

struct Interpreter<'a> {
    program: &'a Program,
    /// Those of the program and of the values.
    names: Names,
    mode: Mode,
    bounds: &'a Bounds,
    values: Vec<Value>,
    results: Results,
    next: Vec<Configuration>,
}

/// Every run of a program; nothing if there are more configurations than anyone wants to see.
fn enumerate(program: &Program, mode: Mode, bounds: &Bounds, most: usize) -> Option<Results> {
    let mut names = program.names.clone();
    let values = bounds.values.iter().map(|text| match text.parse() {
        Ok(number) => Value::Number(number),
        Err(_) => Value::Name(names.intern(text)),
    });
    let values = values.collect();
    let (results, next) = (Results::default(), Vec::new());
    let mut interpreter = Interpreter { program, names, mode, bounds, values, results, next };
    interpreter.next.push(Configuration {
        stack: vec![Frame { env: Env::default(), block: program.main, next: 0 }],
        external: bounds.external.iter().map(|&(_, budget)| budget).collect(),
        ..Configuration::default()
    });
    let mut seen = BTreeSet::new();
    while let Some(configuration) = interpreter.next.pop() {
        if seen.contains(&configuration) {
            continue;
        }
        interpreter.successors(&configuration);
        seen.insert(configuration);
        if seen.len() > most {
            return None;
        }
    }
    Some(interpreter.results)
}

impl Interpreter<'_> {
    fn function(&self, id: FunctionId) -> &Function {
        &self.program.functions[id.0 as usize]
    }

    fn show(&self, value: &Value) -> Observation {
        match value {
            Value::Undefined => "undefined".into(),
            Value::Number(number) => (*number).into(),
            Value::Name(name) => (&**self.names.text(*name)).into(),
            Value::Closure(_, id) => (&**self.names.text(self.function(*id).name)).into(),
        }
    }

    fn successors(&mut self, now: &Configuration) {
        // r6: any outstanding call may end.
        for at in 0..now.running.len() {
            if at > 0 && now.running[at] == now.running[at - 1] {
                continue;
            }
            let (env, callback) = now.running[at].clone();
            let params = self.params(now, &env, callback);
            for args in self.vectors(params) {
                let mut then = now.clone();
                then.running.remove(at);
                let env = env.clone();
                then.poll.push(Pending { env, function: callback, args, age: 0 });
                self.next.push(then);
            }
        }
        // r7: any external event may happen, within its budget.
        for (at, (event, _)) in self.bounds.external.iter().enumerate() {
            if now.external[at] == 0 {
                continue;
            }
            let event = self.names.get(event);
            let listeners = now.listeners.iter().filter(|one| Some(one.event) == event);
            let called: Vec<(Env, Symbol)> = listeners
                .flat_map(|listener| {
                    let callbacks = listener.callbacks.iter();
                    callbacks.map(|&callback| (listener.env.clone(), callback))
                })
                .collect();
            let params = called.iter().map(|(env, name)| self.params(now, env, *name)).max();
            for args in self.vectors(params.unwrap_or(0)) {
                let mut then = now.clone();
                then.external[at] -= 1;
                then.poll.extend(called.iter().cloned().map(|(env, function)| Pending {
                    env,
                    function,
                    args: args.clone(),
                    age: 0,
                }));
                self.next.push(then);
            }
        }
        if let Some(frame) = now.stack.last() {
            let block = &self.program.blocks[frame.block.0 as usize];
            let mut then = now.clone();
            match block.instructions.get(frame.next) {
                None => {
                    // s5
                    then.stack.pop();
                    self.next.push(then);
                }
                Some(instruction) => {
                    then.stack.last_mut().expect("there is a frame").next += 1;
                    let env = frame.env.clone();
                    self.instruction(instruction, &env, now, then);
                }
            }
        } else if !now.ticks.is_empty() {
            // r10
            let mut then = now.clone();
            let pending = then.ticks.remove(0);
            self.dispatch(pending, now, then);
        } else if !now.poll.is_empty() {
            // r11
            let mut then = now.clone();
            let pending = then.poll.remove(0);
            self.dispatch(pending, now, then);
        } else if !now.immediates.is_empty() {
            // r12
            let mut then = now.clone();
            then.poll = std::mem::take(&mut then.immediates);
            self.next.push(then);
        } else if now.running.is_empty() {
            self.results.traces.insert(now.trace.clone());
        }
    }

    /// The rules for the instruction on top of the stack. `then` has already stepped over it.
    fn instruction(
        &mut self,
        instruction: &Instruction,
        env: &Env,
        now: &Configuration,
        then: Configuration,
    ) {
        let printed = self.mode == Mode::Literal;
        match instruction {
            // s1v: as printed, globals are not consulted.
            Instruction::LetValue { name, value } => {
                let ways = self.evaluate(value, now, &[env], !printed);
                self.each(ways, now, |_, value| {
                    let mut then = then.clone();
                    let env = then.bind(env, *name, value);
                    then.stack.last_mut().expect("the frame is there").env = env;
                    Some(then)
                });
            }
            // s1f: as printed, the closures do not see themselves.
            Instruction::LetFunctions(ids) => {
                let mut then = then;
                let mut inner = env.clone();
                let first = then.heap.len();
                for id in ids {
                    let name = self.function(*id).name;
                    inner = then.bind(&inner, name, Value::Closure(env.clone(), *id));
                }
                if self.mode == Mode::Lexical {
                    for (at, id) in ids.iter().enumerate() {
                        then.heap[first + at] = Value::Closure(inner.clone(), *id);
                    }
                }
                then.stack.last_mut().expect("the frame is there").env = inner;
                self.next.push(then);
            }
            // s2: as printed, globals are not consulted.
            Instruction::Observe(value) => {
                let ways = self.evaluate(value, now, &[env], !printed);
                self.each(ways, now, |this, value| {
                    if now.trace.len() as u32 == this.bounds.observations {
                        return None;
                    }
                    let mut then = then.clone();
                    then.trace.push(this.show(&value));
                    Some(then)
                });
            }
            // s3l, where as printed globals are not consulted, and s3g.
            Instruction::Store { name, value } => {
                let bound = env.0.iter().rev().find(|(bound, _)| bound == name);
                let ways = self.evaluate(value, now, &[env], !printed || bound.is_none());
                let ways = ways.into_iter().map(|way| match way {
                    Ok(function @ Value::Closure(..)) => {
                        Err(format!("store of function {}", self.show(&function)))
                    }
                    way => way,
                });
                let ways = ways.collect();
                self.each(ways, now, |_, value| {
                    let mut then = then.clone();
                    match bound {
                        Some(&(_, location)) => then.heap[location] = value,
                        None => {
                            then.globals.insert(*name, value);
                        }
                    }
                    Some(then)
                });
            }
            // s4: as printed, the callee's own environment is consulted for the arguments.
            Instruction::Call { function, args } => {
                let Some((defined_in, id)) = now.closure(env, *function) else {
                    return self.not_a_function(now, *function);
                };
                let envs: &[&Env] = if printed { &[env, &defined_in] } else { &[env] };
                let ways = self.arguments(args, now, envs);
                let base = if self.mode == Mode::Lexical { &defined_in } else { env };
                self.each(ways, now, |this, args| {
                    if now.calls == this.bounds.calls {
                        return None;
                    }
                    let mut then = then.clone();
                    then.calls += 1;
                    then.grow_older();
                    this.enter(id, base, &args, &mut then);
                    Some(then)
                });
            }
            // r2
            Instruction::Register { event, callbacks } => {
                let mut then = then;
                let (event, env, callbacks) = (*event, env.clone(), callbacks.clone());
                then.listeners.push(Listener { event, env, callbacks });
                self.next.push(then);
            }
            // r3
            Instruction::Unregister { event, callbacks } => {
                let mut then = then;
                for listener in then.listeners.iter_mut().filter(|one| one.event == *event) {
                    listener.callbacks.retain(|callback| !callbacks.contains(callback));
                }
                self.next.push(then);
            }
            // r4
            Instruction::Trigger { event, args } => {
                let ways = self.arguments(args, now, &[env]);
                self.each(ways, now, |_, args| {
                    let mut then = then.clone();
                    for listener in now.listeners.iter().filter(|one| one.event == *event) {
                        for callback in &listener.callbacks {
                            then.poll.push(Pending {
                                env: listener.env.clone(),
                                function: *callback,
                                args: args.clone(),
                                age: 0,
                            });
                        }
                    }
                    Some(then)
                });
            }
            // r5
            Instruction::Async { operation: _, callback } => {
                let mut then = then;
                then.running.push((env.clone(), *callback));
                then.running.sort();
                self.next.push(then);
            }
            // r8
            Instruction::NextTick { function, args } => {
                let ways = self.arguments(args, now, &[env]);
                self.each(ways, now, |_, args| {
                    let mut then = then.clone();
                    let (env, function) = (env.clone(), *function);
                    then.ticks.push(Pending { env, function, args, age: 0 });
                    Some(then)
                });
            }
            // r9
            Instruction::SetImmediate { function, args } => {
                let ways = self.arguments(args, now, &[env]);
                self.each(ways, now, |_, args| {
                    let mut then = then.clone();
                    let (env, function) = (env.clone(), *function);
                    then.immediates.push(Pending { env, function, args, age: 0 });
                    Some(then)
                });
            }
            Instruction::Group(block) => {
                let mut then = then;
                then.stack.push(Frame { env: env.clone(), block: *block, next: 0 });
                self.next.push(then);
            }
        }
    }

    /// r10 and r11. As printed the frame is ⟨ℓ′, s⟩: the callback sees no argument.
    fn dispatch(&mut self, pending: Pending, now: &Configuration, mut then: Configuration) {
        let Pending { env, function, args, .. } = pending;
        let Some((defined_in, id)) = now.closure(&env, function) else {
            return self.not_a_function(now, function);
        };
        if now.dispatches == self.bounds.dispatches {
            return self.cut(now);
        }
        then.dispatches += 1;
        then.grow_older();
        match self.mode {
            Mode::Dynamic => self.enter(id, &env, &args, &mut then),
            Mode::Lexical => self.enter(id, &defined_in, &args, &mut then),
            Mode::Literal => {
                let block = self.function(id).body;
                then.stack.push(Frame { env: defined_in, block, next: 0 });
            }
        }
        self.next.push(then);
    }

    /// Pushes the frame of a function, with its parameters bound in `base`.
    fn enter(&self, id: FunctionId, base: &Env, args: &[Value], then: &mut Configuration) {
        let function = self.function(id);
        let mut env = base.clone();
        for (at, &param) in function.params.iter().enumerate() {
            let value = args.get(at).cloned().unwrap_or(Value::Undefined);
            env = then.bind(&env, param, value);
        }
        then.stack.push(Frame { env, block: function.body, next: 0 });
    }

    /// Follows every way of an evaluation; one without a successor is cut.
    fn each<T>(
        &mut self,
        ways: Ways<T>,
        now: &Configuration,
        mut rule: impl FnMut(&Self, T) -> Option<Configuration>,
    ) {
        for way in ways {
            match way {
                Err(reason) => self.stuck(now, reason),
                Ok(value) => match rule(self, value) {
                    Some(then) => self.next.push(then),
                    None => self.cut(now),
                },
            }
        }
    }

    fn stuck(&mut self, now: &Configuration, reason: String) {
        self.results.stuck.insert((now.trace.clone(), reason));
    }

    fn not_a_function(&mut self, now: &Configuration, name: Symbol) {
        let reason = format!("call of non-function {}", self.names.text(name));
        self.stuck(now, reason);
    }

    fn cut(&mut self, now: &Configuration) {
        self.results.cut.insert(now.trace.clone());
        for pending in [&now.ticks, &now.poll, &now.immediates].into_iter().flatten() {
            if pending.age >= self.bounds.starve_window {
                self.results.starves.insert(self.names.text(pending.function).to_string());
            }
        }
    }

    /// How many parameters a callback has; none if it is no function.
    fn params(&self, now: &Configuration, env: &Env, name: Symbol) -> usize {
        now.closure(env, name).map_or(0, |(_, id)| self.function(id).params.len())
    }

    /// All vectors of so many values.
    fn vectors(&self, length: usize) -> Vec<Vec<Value>> {
        (0..length).fold(vec![Vec::new()], |shorter, _| {
            let longer = shorter.iter().flat_map(|vector| {
                self.values.iter().map(|value| {
                    let mut vector = vector.clone();
                    vector.push(value.clone());
                    vector
                })
            });
            longer.collect()
        })
    }

    fn arguments(&self, args: &[Expr], now: &Configuration, envs: &[&Env]) -> Ways<Vec<Value>> {
        args.iter().fold(vec![Ok(Vec::new())], |ways, arg| {
            let longer = ways.into_iter().flat_map(|way| match way {
                Err(reason) => vec![Err(reason)],
                Ok(vector) => {
                    let values = self.evaluate(arg, now, envs, true).into_iter();
                    let extend = values.map(|value| {
                        let mut vector = vector.clone();
                        vector.push(value?);
                        Ok(vector)
                    });
                    extend.collect()
                }
            });
            longer.collect()
        })
    }

    /// Evaluates in the environments, the last first, and then in G.
    fn evaluate(
        &self,
        expr: &Expr,
        now: &Configuration,
        envs: &[&Env],
        globals: bool,
    ) -> Ways<Value> {
        match expr {
            Expr::Number(number) => vec![Ok(Value::Number(*number))],
            Expr::Any => self.values.iter().cloned().map(Ok).collect(),
            Expr::Name(name) => {
                let local = envs.iter().rev().find_map(|env| now.local(env, *name));
                let global = || now.globals.get(name).filter(|_| globals).cloned();
                vec![Ok(local.or_else(global).unwrap_or(Value::Name(*name)))]
            }
            Expr::Add(left, right) => {
                self.arithmetic(left, right, now, envs, globals, i64::checked_add)
            }
            Expr::Subtract(left, right) => {
                self.arithmetic(left, right, now, envs, globals, i64::checked_sub)
            }
        }
    }

    fn arithmetic(
        &self,
        left: &Expr,
        right: &Expr,
        now: &Configuration,
        envs: &[&Env],
        globals: bool,
        operation: fn(i64, i64) -> Option<i64>,
    ) -> Ways<Value> {
        let number = |value: &Value| match value {
            Value::Number(number) => Ok(*number),
            other => Err(format!("arithmetic on non-number {}", self.show(other))),
        };
        let mut ways = Vec::new();
        for a in self.evaluate(left, now, envs, globals) {
            for b in self.evaluate(right, now, envs, globals) {
                ways.push((|| {
                    let (a, b) = (a.clone()?, b?);
                    let result = operation(number(&a)?, number(&b)?);
                    result.map(Value::Number).ok_or_else(|| "number out of range".to_owned())
                })());
            }
        }
        ways
    }
}

/// What the machine makes of a program.
fn explored(program: &Program, mode: Mode, bounds: &Bounds) -> Results {
    let limits = Limits { states: 2_000_000 };
    let graph = l::Study { program, mode, bounds }.executions(limits, &mut |_| {});
    let sequences = Outcomes::of(&graph).sequences(usize::MAX);
    Results {
        traces: sequences.traces.into_iter().collect(),
        cut: sequences.cut.into_iter().collect(),
        stuck: sequences.stuck.into_iter().collect(),
        starves: l::Study { program, mode, bounds }.starving(limits, &mut |_| {}),
    }
}

/// Nothing if both sets are equal.
fn difference<T: Ord>(
    what: &str,
    rules: &BTreeSet<T>,
    machine: &BTreeSet<T>,
    show: impl Fn(&T) -> String,
) -> String {
    let list = |set: Vec<&T>| set.into_iter().map(&show).collect::<Vec<_>>().join(" ");
    let mut text = String::new();
    let (missing, extra) =
        (rules.difference(machine).collect(), machine.difference(rules).collect());
    for (side, found) in [("only by the rules", missing), ("only by the machine", extra)] {
        let found: Vec<&T> = found;
        if !found.is_empty() {
            let _ = writeln!(text, "  {what} {side}: {}", list(found));
        }
    }
    text
}

fn agree(mode: Mode, rules: &Results, machine: &Results) -> Result<(), String> {
    let stuck = |(trace, reason): &(Vec<Observation>, String)| format!("{} {reason};", line(trace));
    let text = difference("traces", &rules.traces, &machine.traces, |trace| line(trace))
        + &difference("cut", &rules.cut, &machine.cut, |trace| line(trace))
        + &difference("stuck", &rules.stuck, &machine.stuck, stuck)
        + &difference("starves", &rules.starves, &machine.starves, String::clone);
    if text.is_empty() { Ok(()) } else { Err(format!("{} mode disagrees:\n{text}", mode.name())) }
}

/// A program and its bounds.
pub struct Case {
    pub text: String,
    pub bounds: Bounds,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { observations, calls, dispatches, values, external, starve_window } =
            &self.bounds;
        writeln!(f, "# observations={observations} calls={calls} dispatches={dispatches}")?;
        writeln!(f, "# values={values:?} external={external:?} window={starve_window}")?;
        f.write_str(&self.text)
    }
}

/// Grows programs in which most names mean something.
pub struct Grower<'c> {
    choices: &'c mut Choices,
    /// What is in scope where the text is being written: functions, and everything else.
    functions: Vec<&'static str>,
    variables: Vec<&'static str>,
    /// How many more instructions may be written.
    left: usize,
    /// How many names were observed: each place shows another.
    observed: usize,
    /// One program in five does what makes no sense more often.
    wild: bool,
}

const FUNCTIONS: [&str; 4] = ["f", "g", "h", "k"];
const GLOBALS: [&str; 2] = ["n", "m"];
const EVENTS: [&str; 2] = ["evt", "ext"];

impl Grower<'_> {
    pub fn case(choices: &mut Choices) -> Case {
        let wild = choices.once_in(5);
        let values: &[&[&str]] = &[&["d"], &["1"], &["d", "e"], &["1", "d"], &["n", "2"]];
        let values = &values[..if wild { 5 } else { 3 }];
        let values = choices.pick(values).iter().map(|&value| value.into()).collect();
        let external = match choices.below(4) {
            0 | 1 => vec![],
            2 => vec![("ext".into(), 1)],
            _ => vec![("ext".into(), 1), ("evt".into(), 1)],
        };
        let bounds = Bounds {
            observations: 3 + choices.below(3) as u32,
            calls: 2 + choices.below(3) as u32,
            dispatches: 2 + choices.below(4) as u32,
            values,
            external,
            starve_window: 1 + choices.below(4) as u32,
        };
        let (functions, variables) = (vec![], vec![]);
        let mut grower = Grower { choices, functions, variables, left: 10, observed: 0, wild };
        let text = grower.let_functions(0);
        Case { text, bounds }
    }

    fn let_functions(&mut self, depth: usize) -> String {
        let (functions, variables) = (self.functions.len(), self.variables.len());
        let count = if depth == 0 { 2 } else { 1 } + self.choices.below(2);
        // The outermost are `f` and those after it: the parser wants a name to be bound somewhere.
        let first = if depth == 0 { 0 } else { self.choices.below(FUNCTIONS.len()) };
        let names: Vec<&str> =
            (0..count).map(|at| FUNCTIONS[(first + at) % FUNCTIONS.len()]).collect();
        self.functions.extend(&names);
        let mut body = self.body(depth);
        if depth == 0 && !self.wild {
            body = format!("store(n, 0); {body}");
        }
        let mut bindings = Vec::new();
        for name in names {
            let (functions, variables) = (self.functions.len(), self.variables.len());
            let params: &[&[&str]] =
                &[&["x"], &[], &["x"], &["y"], &["x", "y"], &["n"], &["x", "g"], &["f"]];
            let params = &params[..if self.wild { 8 } else { 5 }];
            let params = self.choices.pick(params);
            for &param in params {
                // A parameter may be a function, too.
                if FUNCTIONS.contains(&param) || self.wild && self.choices.once_in(3) {
                    self.functions.push(param);
                }
                self.variables.push(param);
            }
            let params = params.join(", ");
            bindings.push(format!(r"{name} = \{params}. ({})", self.body(depth + 1)));
            self.functions.truncate(functions);
            self.variables.truncate(variables);
        }
        self.functions.truncate(functions);
        self.variables.truncate(variables);
        format!("let {} in {body}", bindings.join(", "))
    }

    fn body(&mut self, depth: usize) -> String {
        let mut items = Vec::new();
        let variables = self.variables.len();
        let count = if depth == 0 { 3 } else { 1 } + self.choices.below(3);
        for _ in 0..count.min(self.left) {
            self.left = self.left.saturating_sub(1);
            items.push(self.item(depth));
        }
        self.variables.truncate(variables);
        if items.is_empty() { "()".into() } else { items.join("; ") }
    }

    fn item(&mut self, depth: usize) -> String {
        // The outermost body mostly sets things going.
        let skipped = if depth == 0 { 14 } else { 0 };
        match (skipped + self.choices.below(37 - skipped)).saturating_sub(8) {
            0..=5 => self.obs(),
            6 | 7 => {
                let name = self.stored();
                format!("store({name}, {})", self.expr())
            }
            8 | 9 => {
                let name = self.callee();
                format!("{name}({})", self.args().join(", "))
            }
            10..=14 => format!("call(op, {})", self.callee()),
            15..=17 => self.queued("setimmediate"),
            18 | 19 => self.queued("nexttick"),
            20 | 21 => {
                let event = self.choices.pick(&EVENTS);
                let callbacks: Vec<_> =
                    (0..1 + self.choices.below(2)).map(|_| self.callee()).collect();
                format!("reg({event}, [{}])", callbacks.join(", "))
            }
            22 | 23 => {
                let event = self.choices.pick(&EVENTS);
                let args: String = self.args().iter().map(|arg| format!(", {arg}")).collect();
                format!("trigger({event}{args})")
            }
            24 => format!("unreg({}, {{{}}})", self.choices.pick(&EVENTS), self.callee()),
            25 | 26 => {
                let name = self.choices.pick(&["v", "x", "n", "f"]);
                let value = if self.choices.once_in(2) { "2".into() } else { self.expr() };
                self.variables.push(name);
                let body = self.body(depth + 1);
                self.variables.pop();
                let text = format!("let {name} = {value} in {body}");
                if self.choices.once_in(3) { format!("({text})") } else { text }
            }
            _ if depth < 2 => self.let_functions(depth + 1),
            _ => format!("({})", self.body(depth + 1)),
        }
    }

    fn obs(&mut self) -> String {
        if self.choices.once_in(2) {
            return format!("obs({})", self.expr());
        }
        self.observed += 1;
        format!("obs(o{})", self.observed)
    }

    fn queued(&mut self, word: &str) -> String {
        let name = self.callee();
        let args: String = self.args().iter().map(|arg| format!(", {arg}")).collect();
        format!("{word}({name}{args})")
    }

    fn callee(&mut self) -> &'static str {
        if self.wild && self.choices.once_in(8) || self.functions.is_empty() {
            return "f";
        }
        self.choices.pick(&self.functions)
    }

    /// Mostly a variable: a function that was overwritten is gone.
    fn stored(&mut self) -> &'static str {
        if self.wild && self.choices.once_in(5) {
            return self.callee();
        }
        if self.variables.is_empty() || self.choices.once_in(2) {
            return self.choices.pick(&GLOBALS);
        }
        self.choices.pick(&self.variables)
    }

    fn args(&mut self) -> Vec<String> {
        (0..self.choices.below(3)).map(|_| self.argument()).collect()
    }

    fn argument(&mut self) -> String {
        match self.choices.below(6) {
            0..=2 => self.expr(),
            3 if !self.variables.is_empty() => {
                format!("{} + 1", self.choices.pick(&self.variables))
            }
            _ => self.callee().into(),
        }
    }

    fn expr(&mut self) -> String {
        match self.choices.below(if self.wild { 14 } else { 12 }) {
            0..=2 if !self.variables.is_empty() => self.choices.pick(&self.variables).into(),
            0..=4 => self.choices.pick(&GLOBALS).into(),
            5 | 6 => self.choices.below(3).to_string(),
            7 => self.choices.pick(&["a", "b"]).into(),
            8 | 9 => "any".into(),
            10 => format!("{} + 1", self.choices.below(3)),
            11 if self.variables.contains(&"n") => "n".into(),
            11 => "n + 1".into(),
            12 => self.callee().into(),
            _ => match self.choices.below(5) {
                0 => format!("{} + {}", self.expr(), self.choices.pick(&["1", "n", "x"])),
                1 => "9223372036854775807 + n".into(),
                2 => format!("{} - ({} + 1)", self.expr(), self.expr()),
                _ => format!("n - {}", self.choices.pick(&["1", "m", "x"])),
            },
        }
    }
}

/// How many configurations of one program are enumerated at most.
const MOST: usize = 3_000;

/// MACH-1, MACH-2, MACH-3, MACH-4, MACH-5, MACH-6, MACH-7.
#[test]
fn grown_programs_do_what_the_rules_say() {
    let counts = Counts::default();
    support::check(300, 500, Grower::case, |case| {
        let program = l::parse(&case.text).map_err(|error| error.message)?;
        for mode in Mode::ALL {
            counts.add("explorations", true);
            let Some(rules) = enumerate(&program, mode, &case.bounds, MOST) else {
                counts.add("too large", true);
                continue;
            };
            agree(mode, &rules, &explored(&program, mode, &case.bounds))?;
            let Results { traces, cut, stuck, starves } = &rules;
            counts.add("with traces", !traces.is_empty());
            counts.add("cut", !cut.is_empty());
            counts.add("stuck", !stuck.is_empty());
            counts.add("starving", !starves.is_empty());
            counts.add("with several outcomes", traces.len() + cut.len() + stuck.len() > 1);
            let long = traces.iter().chain(cut).any(|trace| trace.len() > 1);
            counts.add("with several observations", long);
        }
        Ok(())
    });
    println!("{counts}");
    let all = counts.get("explorations");
    assert!(counts.get("too large") * 4 < all, "most programs are small enough to enumerate");
    for what in ["with several outcomes", "with several observations", "stuck", "starving"] {
        assert!(counts.get(what) * 10 > all, "the programs are worth running: {what}");
    }
}

#[test]
fn examples_do_what_the_rules_say() {
    for example in examples("l") {
        let program = l::parse(&example.text).expect("an example is a program");
        let bounds = example.l_bounds();
        for mode in Mode::ALL {
            let rules = enumerate(&program, mode, &bounds, 10_000);
            let rules = rules.expect("an example is small");
            let result = agree(mode, &rules, &explored(&program, mode, &bounds));
            assert_eq!(result, Ok(()), "in examples/l/{}.l", example.name);
        }
    }
}
