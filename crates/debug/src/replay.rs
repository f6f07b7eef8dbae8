//! The side of a process that replays: it runs the program as it is told, and stands still.

use crate::history::{History, Now};
use crate::log;
use crate::model::{
    Answer, Breakpoint, Exceptions, Frame, Goal, Hit, Hits, Order, Pace, Place, Question, Reason,
    Report, Scope, Standing, Step, Stop, Thrown, Variable, Watched,
};
use crate::path;
use crate::processes::Line;
use hemiola_js::checkpoint::{Side, fork};
use hemiola_js::debug::{
    self, Condition, Debugger, ScopeKind, Stepping, Stopped, Throws, Until, Watch,
};
use hemiola_machine::{Event, Sink, Stream};
use rustix::process::{Signal, set_parent_process_death_signal};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many statements run before the clock is looked at, at first.
const CHUNK: u64 = 2_000;
/// How many variables are told together, if nobody says how many are wanted.
const MOST_VARIABLES: usize = 10_000;

/// What a shell shows for a program that was killed.
const KILLED: u8 = 137;

/// A program that is replayed for a debugger.
pub struct Stage {
    wire: Arc<Mutex<Wire>>,
    history: Arc<Mutex<History<Counter>>>,
    inputs: Arc<AtomicU64>,
}

/// The way to whoever gives orders, and what of the program's output is known there.
struct Wire {
    line: Line,
    printed: u64,
    known: u64,
    /// Nobody gives orders any more.
    is_over: bool,
}

/// Where the program is, by the engine's own count.
struct Counter;

impl Now for Counter {
    fn position(&self) -> Step {
        debug::position()
    }

    fn functions(&self) -> u32 {
        debug::functions()
    }
}

impl Stage {
    /// A program that takes its orders there.
    pub fn new(line: Line) -> Self {
        hemiola_js::checkpoint::follow_orders();
        Self {
            wire: Arc::new(Mutex::new(Wire { line, printed: 0, known: 0, is_over: false })),
            history: Arc::new(Mutex::new(History::new(Counter))),
            inputs: Arc::default(),
        }
    }

    /// Where whoever replays a recording says how many of its inputs were taken.
    pub fn inputs(&self) -> &Arc<AtomicU64> {
        &self.inputs
    }

    /// What the options of the program need.
    ///
    /// `began_us` is when the run began, in microseconds since the start of 1970.
    pub fn debug(&self, skip: Vec<String>, began_us: u64) -> debug::Debug {
        let director = Director {
            wire: Arc::clone(&self.wire),
            history: Arc::clone(&self.history),
            inputs: Arc::clone(&self.inputs),
            goal: Goal::default(),
            lines: Arc::default(),
            conditions: BTreeMap::new(),
            last: None,
            late: None,
            chunk: CHUNK,
            chunk_began: None,
            slice_began: None,
        };
        let mut debug = debug::Debug::new(Arc::new(Mutex::new(director)));
        debug.skip = skip;
        debug.began_us = began_us;
        debug
    }

    /// Who hears the events of the program.
    pub fn sink(&self) -> StageSink {
        StageSink(Arc::clone(&self.history))
    }

    /// Takes what the program prints.
    pub fn write(&self) -> impl FnMut(Stream, &[u8]) -> io::Result<()> + use<> {
        let wire = Arc::clone(&self.wire);
        move |stream, bytes| {
            let mut wire = lock(&wire);
            let before = wire.printed;
            wire.printed += bytes.len() as u64;
            let known = usize::try_from(wire.known.saturating_sub(before)).unwrap_or(usize::MAX);
            if let Some(fresh) = bytes.get(known..).filter(|fresh| !fresh.is_empty()) {
                let text = String::from_utf8_lossy(fresh).into_owned();
                wire.tell(&Report::Printed { err: stream == Stream::Err, text });
            }
            Ok(())
        }
    }

    /// Says that the program has come to its end.
    pub fn ended(&self, code: u8, trouble: Option<String>) {
        self.over(code, trouble, false);
    }

    /// Says that the run was killed here.
    pub fn killed(&self) {
        self.over(KILLED, None, true);
    }

    fn over(&self, code: u8, trouble: Option<String>, is_killed: bool) {
        let steps = lock(&self.history).position();
        let mut wire = lock(&self.wire);
        let printed = wire.printed;
        wire.tell(&Report::Ended { code, steps, printed, trouble, is_killed });
    }
}

impl Wire {
    fn tell(&mut self, report: &Report) {
        self.is_over |= self.is_over || !self.line.report(report);
    }
}

/// Hears the events of a program.
pub struct StageSink(Arc<Mutex<History<Counter>>>);

impl Sink for StageSink {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        lock(&self.0).event(event);
    }
}

/// Says how far the program runs.
struct Director {
    wire: Arc<Mutex<Wire>>,
    history: Arc<Mutex<History<Counter>>>,
    inputs: Arc<AtomicU64>,
    goal: Goal,
    /// The lines of its breakpoints, by file.
    lines: Arc<BTreeMap<String, BTreeSet<u32>>>,
    /// Conditions by their texts; none for one that may change something.
    conditions: BTreeMap<String, Option<Condition>>,
    /// The last position that counted.
    last: Option<Hit>,
    /// What changed with the last statement of a callback.
    late: Option<Reason>,
    /// How many statements run before the clock is looked at.
    chunk: u64,
    chunk_began: Option<Instant>,
    slice_began: Option<Instant>,
}

impl Debugger for Director {
    fn begin(&mut self) -> debug::Goal {
        loop {
            match self.order() {
                None => return debug::Goal::Quit,
                Some(Order::Run(goal)) => return self.set_out(goal, None),
                Some(Order::Fork) => self.fork(),
                Some(Order::Ask(_)) => {
                    let reason = "the program has not begun".into();
                    lock(&self.wire).tell(&Report::Answer(Answer::Refused(reason)));
                }
            }
        }
    }

    fn stopped(&mut self, at: &mut Stopped<'_>) -> debug::Goal {
        if lock(&self.wire).is_over {
            return debug::Goal::Quit;
        }
        let Some(reason) = self.reason(at) else { return self.go_on(at.step()) };
        // What is seen to have changed here was changed before, on the way.
        if reason == Reason::Step
            && self.goal.hits == Hits::Last
            && self.is_in_chain(at)
            && let Some(changed) = self.changed(at).or_else(|| self.late.take())
        {
            self.last = Some(hit(at, changed, None));
        }
        match (self.goal.hits, &reason) {
            (Hits::Stop, _) | (_, Reason::Step | Reason::Slice) => self.stand(at, reason),
            (Hits::Last, _) => {
                self.last = Some(hit(at, reason, None));
                self.go_on(at.step())
            }
            (Hits::All, _) => {
                for (reason, text) in self.texts(at, reason) {
                    lock(&self.wire).tell(&Report::Hit(hit(at, reason, text)));
                }
                self.go_on(at.step())
            }
        }
    }
}

impl Director {
    fn order(&mut self) -> Option<Order> {
        lock(&self.wire).line.order()
    }

    fn fork(&mut self) {
        let mut wire = lock(&self.wire);
        let heard = wire.line.fork();
        wire.is_over |= !heard;
    }

    /// Why the program is to stand still here; nothing if it is to go on.
    fn reason(&mut self, at: &mut Stopped<'_>) -> Option<Reason> {
        let step = at.step();
        if self.goal.until.is_some_and(|until| step >= until) {
            return Some(Reason::Step);
        }
        let counts = self.is_in_chain(at);
        let ids = if counts { self.breakpoints(at) } else { Vec::new() };
        if !ids.is_empty() {
            return Some(Reason::Breakpoint(ids));
        }
        if at.place().is_some()
            && let Some(changed) = self.late.take()
        {
            return Some(changed);
        }
        match at.reason().clone() {
            debug::Reason::Thrown(_)
            | debug::Reason::Uncaught(..)
            | debug::Reason::Changed(..)
            | debug::Reason::Statement
                if !counts =>
            {
                None
            }
            // Between two callbacks there is nothing to look at: the next statement is the place.
            debug::Reason::Changed(..) if at.place().is_none() => {
                self.late = self.changed(at);
                None
            }
            debug::Reason::Thrown(_) if self.goal.passed == Some(step) => None,
            debug::Reason::Thrown(text) => {
                Some(Reason::Exception(Thrown { text, is_uncaught: false, at: None }))
            }
            debug::Reason::Uncaught(text, begun) => {
                let at = begun.and_then(|begun| begun.checked_sub(1));
                if at.is_some() && at == self.goal.passed {
                    return None;
                }
                Some(Reason::Exception(Thrown { text, is_uncaught: true, at }))
            }
            debug::Reason::Changed(..) => self.changed(at),
            debug::Reason::Statement if self.goal.hits != Hits::All => {
                Some(Reason::Breakpoint(Vec::new()))
            }
            debug::Reason::Stepped => Some(Reason::Step),
            debug::Reason::Step if self.goal.pace == Pace::Each => Some(Reason::Step),
            debug::Reason::Step if self.is_slice_over() => Some(Reason::Slice),
            _ => None,
        }
    }

    /// Whether the running invocation is one in which anything counts.
    fn is_in_chain(&self, at: &Stopped<'_>) -> bool {
        let chain = self.goal.chain.as_ref();
        chain.is_none_or(|chain| chain.binary_search(&at.invocation()).is_ok())
    }

    /// The change of a watched value that was seen here.
    fn changed(&self, at: &Stopped<'_>) -> Option<Reason> {
        let debug::Reason::Changed(watch, before, after) = at.reason() else { return None };
        let is_it = |watched: &&Watched| watch_of(watched) == *watch;
        let id = self.goal.watches.iter().find(is_it).map_or(0, |watched| watched.id);
        Some(Reason::Changed(id, before.clone(), after.clone()))
    }

    /// The breakpoints that count here.
    fn breakpoints(&mut self, at: &mut Stopped<'_>) -> Vec<u64> {
        let step = at.step();
        let Some(place) = at.place().map(place_of) else { return Vec::new() };
        let invocation = at.invocation();
        let Self { goal, conditions, .. } = self;
        let is_among = |list: &Option<Vec<u64>>, one| {
            list.as_ref().is_none_or(|list| list.binary_search(one).is_ok())
        };
        let here = goal.breakpoints.iter().filter(|point| {
            point.place == place
                && is_among(&point.only, &step)
                && is_among(&point.chain, &invocation)
        });
        let mut holds = |point: &&Breakpoint| {
            let Some(text) = &point.condition else { return true };
            if !conditions.contains_key(text) {
                conditions.insert(text.clone(), Condition::read(text));
            }
            let condition = conditions.get(text).and_then(Option::as_ref);
            condition.and_then(|condition| at.holds(condition)).unwrap_or_else(|| {
                let condition = format!("!!({text}\n)");
                let value = apart(|| match at.evaluate(0, &condition) {
                    Ok(value) => value.value,
                    Err(error) => error,
                });
                value.is_ok_and(|value| value == "true")
            })
        };
        here.filter(|point| holds(point)).map(|point| point.id).collect()
    }

    /// What log points say here: each of them, and all others together.
    fn texts(&self, at: &mut Stopped<'_>, reason: Reason) -> Vec<(Reason, Option<String>)> {
        let Reason::Breakpoint(ids) = reason else { return vec![(reason, None)] };
        let all = ids.into_iter().map(|id| {
            let point = self.goal.breakpoints.iter().find(|point| point.id == id);
            let message = point.and_then(|point| point.log.as_ref());
            let text = message.map(|message| {
                let say = || {
                    log::text(message, |expression| match at.evaluate(0, expression) {
                        Ok(value) => log::plain(&value.value, &value.kind),
                        Err(error) => format!("({error})"),
                    })
                };
                apart(say).unwrap_or_else(|error| format!("({error})"))
            });
            (Reason::Breakpoint(vec![id]), text)
        });
        all.collect()
    }

    /// Lets the program stand still until it is told to run.
    fn stand(&mut self, at: &mut Stopped<'_>, reason: Reason) -> debug::Goal {
        let mut reason = Some(reason);
        loop {
            if let Some(reason) = reason.take() {
                let stop = self.stop(at, reason);
                lock(&self.wire).tell(&Report::Stopped(stop));
            }
            if lock(&self.wire).is_over {
                return debug::Goal::Quit;
            }
            match self.order() {
                None => return debug::Goal::Quit,
                Some(Order::Fork) => self.fork(),
                Some(Order::Ask(question)) => {
                    let answer = self.answer(at, &question);
                    lock(&self.wire).tell(&Report::Answer(answer));
                }
                Some(Order::Run(goal)) if goal.until.is_some_and(|until| until <= at.step()) => {
                    reason = Some(Reason::Step);
                }
                Some(Order::Run(goal)) => return self.set_out(goal, Some(at.step())),
            }
        }
    }

    fn stop(&mut self, at: &Stopped<'_>, reason: Reason) -> Stop {
        let invocation = at.invocation();
        let history = lock(&self.history);
        let (link, cause, began_at) = history.invocation(invocation);
        let standing = Standing {
            step: at.step(),
            place: at.place().map(place_of).unwrap_or_default(),
            invocation,
            link,
            cause,
            began_at,
            linked_at: history.linked_at(invocation),
            caused_at: history.caused_at(invocation),
        };
        drop(history);
        let inputs = self.inputs.load(Ordering::Relaxed);
        let printed = lock(&self.wire).printed;
        Stop { standing, reason, last: self.last.take(), printed, inputs }
    }

    #[expect(clippy::disallowed_methods, reason = "nothing of the program depends on it")]
    fn set_out(&mut self, goal: Goal, step: Option<Step>) -> debug::Goal {
        lock(&self.wire).known = goal.printed;
        let mut lines: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for Breakpoint { place, .. } in &goal.breakpoints {
            lines.entry(place.file.clone()).or_default().insert(place.line);
        }
        if lines != *self.lines {
            self.lines = Arc::new(lines);
        }
        self.goal = goal;
        self.last = None;
        self.late = None;
        self.slice_began = Some(Instant::now());
        self.chunk_began = self.slice_began;
        let stepping = match self.goal.pace {
            Pace::Over => Some(Stepping::Over),
            Pace::Out => Some(Stepping::Out),
            Pace::Free | Pace::Each => None,
        };
        debug::Goal::Run(self.until(step, stepping))
    }

    /// The same goal, from where the program stands now.
    fn go_on(&self, step: Step) -> debug::Goal {
        let stepping = match self.goal.pace {
            Pace::Over | Pace::Out => Some(Stepping::Still),
            Pace::Free | Pace::Each => None,
        };
        debug::Goal::Run(self.until(Some(step), stepping))
    }

    fn until(&self, step: Option<Step>, stepping: Option<Stepping>) -> Until {
        let next = match (step, self.goal.pace, self.goal.slice_us) {
            (None, ..) => Some(0),
            (Some(step), ..) if self.late.is_some() => Some(step),
            (Some(step), Pace::Each, _) => Some(step + 1),
            (Some(step), _, Some(_)) => Some(step + self.chunk),
            (Some(_), _, None) => None,
        };
        Until {
            step: match (next, self.goal.until) {
                (Some(next), Some(until)) => Some(next.min(until)),
                (next, until) => next.or(until),
            },
            breakpoints: debug::Breakpoints(Arc::clone(&self.lines)),
            stepping,
            throws: match self.goal.exceptions {
                Exceptions::None => Throws::None,
                Exceptions::Uncaught => Throws::Uncaught,
                Exceptions::All => Throws::All,
            },
            watches: self.goal.watches.iter().map(watch_of).collect(),
            statements: self.goal.hits != Hits::All,
            remember: self.goal.remember,
            ..Until::default()
        }
    }

    /// Whether the program has run for long enough; if not, when to look again.
    #[expect(clippy::disallowed_methods, reason = "nothing of the program depends on it")]
    fn is_slice_over(&mut self) -> bool {
        let Some(slice_us) = self.goal.slice_us else { return false };
        let now = Instant::now();
        let since = |began: Option<Instant>| {
            began.map_or(0, |began| now.saturating_duration_since(began).as_micros())
        };
        // About four looks in a slice.
        let wanted = u128::from(slice_us) / 4;
        let took = since(self.chunk_began).max(1);
        let chunk = u128::from(self.chunk) * wanted / took;
        let chunk = u64::try_from(chunk).unwrap_or(u64::MAX);
        self.chunk = chunk.clamp(self.chunk / 4, self.chunk * 4).clamp(16, 10_000_000);
        self.chunk_began = Some(now);
        since(self.slice_began) >= u128::from(slice_us)
    }

    fn answer(&self, at: &mut Stopped<'_>, question: &Question) -> Answer {
        match question {
            Question::Frames => {
                let frames = at
                    .frames()
                    .into_iter()
                    .map(|frame| Frame { function: frame.name, place: place_of(&frame.place) });
                let frames = frames.collect();
                Answer::Frames(frames, lock(&self.history).chain(at.invocation()))
            }
            Question::Scopes(frame) => match frame_id(at, *frame) {
                None => no_frame(),
                Some(id) => Answer::Scopes(at.scopes(id).iter().map(scope_of).collect()),
            },
            Question::Variables { reference, start, count } => {
                let Ok(reference) = u32::try_from(*reference) else { return no_frame() };
                let all = at.variables(reference);
                let total = all.len() as u64;
                let start = usize::try_from(*start).unwrap_or(usize::MAX);
                let count = match usize::try_from(*count).unwrap_or(usize::MAX) {
                    0 => MOST_VARIABLES,
                    count => count,
                };
                let shown = all.into_iter().skip(start).take(count).map(variable_of);
                Answer::Variables(shown.collect(), total)
            }
            Question::Evaluate(frame, text) => match frame_id(at, *frame) {
                None => no_frame(),
                Some(id) => match at.evaluate(id, text) {
                    Ok(value) => Answer::Value(variable_of(value)),
                    Err(reason) => Answer::Refused(reason),
                },
            },
            Question::Watch(frame, expression) => match frame_id(at, *frame) {
                None => no_frame(),
                Some(id) => {
                    let watch = watch_named(at, id, expression).ok_or_else(|| {
                        "name a variable that can be seen here, or a property of one".to_owned()
                    });
                    match watch.and_then(|watch| at.check(&watch_of(&watch)).map(|()| watch)) {
                        Ok(watch) => Answer::Watch(watch),
                        Err(reason) => Answer::Refused(format!(
                            "changes of `{expression}` cannot be watched: {reason}"
                        )),
                    }
                }
            },
            Question::Before(frame) => {
                let id = frame_id(at, *frame);
                Answer::Position(id.and_then(|id| at.previous(id)))
            }
            Question::Settled(reaction) => {
                Answer::Position(lock(&self.history).settled_at(*reaction))
            }
            Question::Chain => Answer::Chain(lock(&self.history).links(at.invocation())),
            Question::Statement(functions) => Answer::Position(at.statement_of(*functions)),
        }
    }
}

/// A text that another process finds out, which is over then: an expression may change a program, if only by
/// what it lets the library load, and this one has to go on as it was recorded.
#[expect(
    clippy::disallowed_methods,
    reason = "the other process is over in the middle of a program"
)]
fn apart(find: impl FnOnce() -> String) -> io::Result<String> {
    let (mut ours, mut theirs) = UnixStream::pair()?;
    match fork()? {
        Side::Other => {
            drop(ours);
            // What takes for ever is over with whoever waits for it.
            let _ = set_parent_process_death_signal(Some(Signal::KILL));
            let _ = theirs.write_all(find().as_bytes());
            std::process::exit(0)
        }
        Side::Same(_) => {
            drop(theirs);
            let mut text = String::new();
            ours.read_to_string(&mut text)?;
            Ok(text)
        }
    }
}

fn frame_id(at: &mut Stopped<'_>, frame: u32) -> Option<usize> {
    at.frames().get(frame as usize).map(|frame| frame.id)
}

/// What tells of changes of a variable, or of a property of it.
fn watch_named(at: &mut Stopped<'_>, frame: usize, expression: &str) -> Option<Watched> {
    let (name, properties) = path::read(expression)?;
    for scope in at.scopes(frame) {
        // A global object has thousands of properties that are nobody's variables.
        if scope.kind == ScopeKind::Global {
            continue;
        }
        let found = at.variables(scope.reference).into_iter().find(|one| one.name == name);
        if let Some(found) = found {
            let mut watch = variable_of(found).watch?;
            watch.path.extend(properties);
            return Some(watch);
        }
    }
    None
}

fn no_frame() -> Answer {
    Answer::Refused("nothing of that function runs any more: go to where it did".into())
}

fn hit(at: &Stopped<'_>, reason: Reason, text: Option<String>) -> Hit {
    Hit { step: at.step(), place: at.place().map(place_of).unwrap_or_default(), reason, text }
}

fn place_of(place: &hemiola_machine::Place) -> Place {
    Place { file: place.file.to_string(), line: place.line, column: place.column }
}

fn scope_of(scope: &debug::Scope) -> Scope {
    let (name, expensive) = match scope.kind {
        ScopeKind::Block => ("Block", false),
        ScopeKind::Local => ("Local", false),
        ScopeKind::Closure => ("Closure", false),
        ScopeKind::Module => ("Module", false),
        ScopeKind::Global => ("Global", true),
    };
    Scope { name: name.into(), reference: scope.reference.into(), expensive }
}

fn variable_of(variable: debug::Variable) -> Variable {
    let debug::Variable { name, value, kind, reference, watch } = variable;
    let watch = watch.map(|Watch { file, declared: (line, column), name, path }| Watched {
        id: 0,
        declared: Place { file, line, column },
        name,
        path,
    });
    Variable { name, value, kind, reference: reference.into(), watch }
}

fn watch_of(watched: &Watched) -> Watch {
    let Place { file, line, column } = watched.declared.clone();
    let Watched { name, path, .. } = watched;
    Watch { file, declared: (line, column), name: name.clone(), path: path.clone() }
}

fn lock<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
