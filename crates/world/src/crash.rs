//! A computer on which a process crashes, once or several times, and is started again with what is left of its
//! stores and files.
//!
//! A [`CrashPoint`] says where. Up to there the process runs as in any simulation; from there on nothing that
//! it does has an effect and nobody hears of it, and it is stopped as soon as it can be.

use crate::{Overlay, Source, Stores, Virtual};
use hemiola_gate::{Answer, Checked, Fault, Gated, Reason, Request, Stop, StoreCall};
use hemiola_machine::{
    Answered, Class, Completion, Delay, Draw, Event, Gap, Instant, Limit, Move, Operation, Sink,
    Stream, TaskFact, World,
};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;

/// How long a program that was started again runs at least: what it owes comes at once.
const AFTERWARDS: Delay = Delay::from_millis(150_000);

/// Where a process crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPoint {
    /// At a write of a store, counted from 1.
    Write(u64, Loss),
    /// Where a callback begins, or something has become durable and was told; counted from 1.
    Callback(u64),
}

/// What becomes of the write that a crash comes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It was not begun.
    Before,
    /// It was begun and is lost.
    Lost,
    /// It is durable, but nobody was told.
    After,
}

impl Loss {
    const ALL: [Self; 3] = [Self::Before, Self::Lost, Self::After];

    fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::Lost => "lost",
            Self::After => "after",
        }
    }
}

/// What is no crash point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPoint;

impl fmt::Display for CrashPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(number, loss) => write!(f, "w{number}-{}", loss.name()),
            Self::Callback(number) => write!(f, "c{number}"),
        }
    }
}

impl FromStr for CrashPoint {
    type Err = UnknownPoint;

    /// Reads what [`CrashPoint`] displays as: `w3-after`, `c12`.
    fn from_str(text: &str) -> Result<Self, UnknownPoint> {
        let number = |text: &str| text.parse().ok().filter(|number| *number > 0);
        let write = |text: &str| {
            let (write, loss) = text.split_once('-')?;
            let loss = Loss::ALL.into_iter().find(|known| known.name() == loss)?;
            Some(Self::Write(number(write)?, loss))
        };
        let point = match (text.strip_prefix('w'), text.strip_prefix('c')) {
            (Some(text), _) => write(text),
            (None, Some(callback)) => number(callback).map(Self::Callback),
            (None, None) => None,
        };
        point.ok_or(UnknownPoint)
    }
}

/// How many points a process came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Points {
    /// Writes of a store.
    pub writes: u64,
    /// Callbacks, and facts that became known.
    pub callbacks: u64,
}

impl Points {
    /// All crashes that can be made there.
    pub fn all(self) -> impl Iterator<Item = CrashPoint> {
        let writes = (1..=self.writes)
            .flat_map(|number| Loss::ALL.map(|loss| CrashPoint::Write(number, loss)));
        writes.chain((1..=self.callbacks).map(CrashPoint::Callback))
    }

    /// Whether a process that came so far came to that point.
    pub fn contain(self, point: CrashPoint) -> bool {
        match point {
            CrashPoint::Write(number, _) => number <= self.writes,
            CrashPoint::Callback(number) => number <= self.callbacks,
        }
    }
}

/// A simulated computer on which a program runs, crashes, and is started again.
pub struct CrashTest<'a> {
    /// What random numbers and latencies follow from.
    pub seed: u64,
    /// Its files, which a crash does not touch.
    pub files: Arc<Overlay>,
    /// Where standard input comes from, for each process.
    pub input: &'a dyn Fn() -> Source,
    /// How long the program runs in virtual time.
    pub until: Delay,
    /// How long it is down after a crash.
    pub down: Delay,
    /// Whether whoever waits for it has no more time: then the running process is stopped.
    pub is_up: &'a dyn Fn() -> bool,
}

/// What became of a program.
#[derive(Clone, Debug)]
pub struct Lived<C> {
    /// The points that each of its processes came to, up to its crash or its end.
    pub points: Vec<Points>,
    /// What its last process gave.
    pub code: C,
    /// When it came to its end with nothing under way, in microseconds since 1970, if it did.
    pub rests_at: Option<u64>,
    /// Whether it was stopped because nobody had more time for it: then the rest says nothing.
    pub interrupted: bool,
}

/// Takes what a program writes.
pub type Output<'o> = dyn FnMut(Stream, &[u8]) -> io::Result<()> + 'o;

impl CrashTest<'_> {
    /// Runs a program, and once more after each crash: its first process at the first of the points, the next at
    /// the next. `process` runs one process of it to its end in a world, and gives its exit code.
    pub fn run<C, E>(
        &self,
        crashes: &[CrashPoint],
        write: &mut Output<'_>,
        mut process: impl FnMut(&mut Mortal<'_, &mut Output<'_>>, &Fate) -> Result<C, E>,
    ) -> Result<Lived<C>, E> {
        let (mut begin, mut end) = (Instant::ZERO, Instant::ZERO + self.until);
        let mut crashes = crashes.iter().copied();
        let mut fate = Fate::new(crashes.next(), false);
        let mut stores = Stores::default();
        let mut points = Vec::new();
        loop {
            let world = Virtual::new(self.seed, Arc::clone(&self.files), &mut *write)
                .input((self.input)())
                .with_stores(stores.clone())
                .begin_at(begin)
                .until(end.since(Instant::ZERO))
                .stopping(fate.stop.clone());
            let mut world = Mortal { world, fate: &fate, stores, last: None, is_up: self.is_up };
            let code = process(&mut world, &fate)?;
            points.push(fate.points.get());
            let Mortal { world, stores: left, .. } = world;
            let interrupted = fate.interrupted.get();
            if interrupted || !fate.is_dead() {
                let rests_at = if interrupted { None } else { world.rests_at() };
                return Ok(Lived { points, code, rests_at, interrupted });
            }
            begin = world.now() + self.down;
            end = end.max(begin + AFTERWARDS);
            stores = fate.left.take().unwrap_or(left);
            stores.let_go();
            fate = Fate::new(crashes.next(), true);
        }
    }
}

/// Where a process is on its way to its crash.
#[derive(Debug)]
pub struct Fate {
    point: Option<CrashPoint>,
    points: Cell<Points>,
    is_dead: Cell<bool>,
    /// Whether it died because nobody had more time for it.
    interrupted: Cell<bool>,
    is_second: bool,
    stop: Stop,
    /// What a lost write left of the stores.
    left: RefCell<Option<Stores>>,
}

impl Fate {
    fn new(point: Option<CrashPoint>, is_second: bool) -> Self {
        Self {
            point,
            points: Cell::default(),
            is_dead: Cell::new(false),
            interrupted: Cell::new(false),
            is_second,
            stop: Stop::default(),
            left: RefCell::new(None),
        }
    }

    /// Whether this process follows one that has crashed.
    pub fn is_second(&self) -> bool {
        self.is_second
    }

    /// What stops the process when it crashes.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Lets somebody hear what happens as long as the process lives.
    pub fn witness<S: Sink>(&self, sink: S) -> Witness<'_, S> {
        Witness { sink, fate: self }
    }

    fn is_dead(&self) -> bool {
        self.is_dead.get()
    }

    /// From now on nothing that the program does has an effect; it is stopped as soon as it can be.
    fn die(&self) {
        self.is_dead.set(true);
        self.stop.ask(Reason::Ended);
    }

    /// The loss with which the process dies at the write that comes now, if it does.
    fn comes_to_write(&self) -> Option<Loss> {
        let mut points = self.points.get();
        points.writes += 1;
        self.points.set(points);
        match self.point {
            Some(CrashPoint::Write(at, loss)) if at == points.writes => Some(loss),
            _ => None,
        }
    }

    /// Whether the process dies where something begins or has become known.
    fn comes_to_callback(&self) -> bool {
        let mut points = self.points.get();
        points.callbacks += 1;
        self.points.set(points);
        self.point == Some(CrashPoint::Callback(points.callbacks))
    }
}

/// Hears what happens as long as the process lives.
#[derive(Debug)]
pub struct Witness<'a, S> {
    sink: S,
    fate: &'a Fate,
}

impl<S: Sink> Sink for Witness<'_, S> {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        if self.fate.is_dead() {
            return;
        }
        let is_point = match &event {
            // Ticks and promise jobs belong to the callback before.
            Event::Began { class, .. } => {
                !matches!(class, None | Some(Class::Tick | Class::Promise))
            }
            Event::Task { what, .. } => !matches!(
                what,
                TaskFact::InitStart { .. }
                    | TaskFact::Stored { .. }
                    | TaskFact::Compute { .. }
                    | TaskFact::Supernatural(_)
            ),
            _ => false,
        };
        self.sink.event(event);
        if is_point && self.fate.comes_to_callback() {
            self.fate.die();
        }
    }
}

/// A world that a process may die in.
pub struct Mortal<'a, F> {
    world: Virtual<F>,
    fate: &'a Fate,
    stores: Stores,
    /// The write with which the process dies, and the stores before it if it is lost.
    last: Option<(Operation, Option<Stores>)>,
    is_up: &'a dyn Fn() -> bool,
}

impl<F> Mortal<'_, F> {
    /// Ends the process if nobody has more time for it.
    fn look_at_time(&self) {
        if !self.fate.is_dead() && (self.is_up)() {
            self.fate.interrupted.set(true);
            self.fate.die();
        }
    }
}

impl<L: Gated, F: FnMut(Stream, &[u8]) -> io::Result<()>> World<L> for Mortal<'_, F> {
    const ORACLE: bool = <Virtual<F> as World<L>>::ORACLE;
    const STILL: bool = <Virtual<F> as World<L>>::STILL;

    fn now(&mut self) -> Instant {
        World::<L>::now(&mut self.world)
    }

    fn look(&mut self) -> Instant {
        World::<L>::look(&mut self.world)
    }

    fn wall_clock(&mut self) -> u64 {
        World::<L>::wall_clock(&mut self.world)
    }

    fn random(&mut self) -> u64 {
        World::<L>::random(&mut self.world)
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        if self.fate.is_dead() { Ok(()) } else { World::<L>::write(&mut self.world, stream, bytes) }
    }

    fn began(&mut self) {
        World::<L>::began(&mut self.world);
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        self.look_at_time();
        World::<L>::breathe(&mut self.world, limit)
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        if self.fate.is_dead() {
            return;
        }
        if let Request::Store(StoreCall::Commit { .. }) = request.request() {
            match self.fate.comes_to_write() {
                Some(Loss::Before) => return self.fate.die(),
                Some(Loss::Lost) => self.last = Some((operation, Some(self.stores.copy()))),
                Some(Loss::After) => self.last = Some((operation, None)),
                None => {}
            }
        }
        World::<L>::submit(&mut self.world, operation, request);
    }

    fn perform(&mut self, request: Checked, draw: Option<Draw<'_>>) -> Answer {
        if self.fate.is_dead() {
            return Err(Fault::new("EIO", "the process has crashed"));
        }
        World::<L>::perform(&mut self.world, request, draw)
    }

    fn cancel(&mut self, operation: Operation) {
        if !self.fate.is_dead() {
            World::<L>::cancel(&mut self.world, operation);
        }
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.look_at_time();
        if self.fate.is_dead() {
            return None;
        }
        let completion = World::<L>::receive(&mut self.world)?;
        if let Some((_, before)) = self.last.take_if(|(last, _)| *last == completion.operation) {
            *self.fate.left.borrow_mut() = before;
            self.fate.die();
            return None;
        }
        Some(completion)
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        self.look_at_time();
        !self.fate.is_dead() && World::<L>::wait(&mut self.world, until)
    }

    fn go_round(&mut self, due: bool) -> bool {
        self.look_at_time();
        !self.fate.is_dead() && World::<L>::go_round(&mut self.world, due)
    }

    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        World::<L>::moves(&mut self.world, gap, next_due, moves);
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<Answer> {
        World::<L>::answer(&mut self.world, operation, draw)
    }

    fn moved(&mut self, taken: Move) {
        World::<L>::moved(&mut self.world, taken);
    }

    fn seen(&mut self, operation: Operation, trips: u32) {
        World::<L>::seen(&mut self.world, operation, trips);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_read_as_it_is_written() {
        let points = Points { writes: 2, callbacks: 2 };
        let written: Vec<String> = points.all().map(|point| point.to_string()).collect();
        let all = "w1-before w1-lost w1-after w2-before w2-lost w2-after c1 c2";
        assert_eq!(written.join(" "), all);
        for point in points.all() {
            assert_eq!(point.to_string().parse(), Ok(point));
            assert!(points.contain(point));
        }
        for wrong in ["", "w", "c", "w0-lost", "c0", "w1", "w1-", "w1-later", "c-1", "x1", "middle"]
        {
            assert_eq!(wrong.parse::<CrashPoint>(), Err(UnknownPoint), "{wrong}");
        }
    }
}
