//! What a run exchanges with its surroundings before its first choice, to be exchanged again.
//!
//! Runs that differ by nothing but what is chosen are the same until the first choice. Whoever goes on from there with
//! an engine that has come so far has to bring the new world and those who listen as far, too: they are asked and
//! told the same once more, in the same order.

use hemiola_engine::JavaScript;
use hemiola_gate::{Answer, Checked};
use hemiola_machine::{
    Alternatives, Answered, Chooser, Completion, Draw, Event, Gap, Instant, Limit, Move, Operation,
    Sink, Stream, World,
};
use std::cell::{Cell, RefCell};
use std::io;

/// When there is more than that, only what was written is kept.
const MOST: usize = 200_000;

/// What is noted of a run: what is chosen and in which steps, and what is exchanged if it is to be kept.
#[derive(Default)]
pub(crate) struct Notes {
    keeps: Cell<Keeps>,
    /// How much was exchanged before anything was chosen.
    before: Cell<usize>,
    kept: RefCell<Exchanged>,
    /// How many steps came before the one that is taken now.
    steps: Cell<u64>,
    /// What stands for all that was chosen so far.
    way: Cell<Way>,
    /// What had been chosen before each choice, and in which step that came.
    met: RefCell<Vec<(Way, u64)>>,
}

/// What is kept of what is exchanged.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Keeps {
    #[default]
    Nothing,
    Output,
    All,
}

/// A number for choices, one after the other: different ones have different numbers, as good as always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way(u64);

impl Way {
    fn and(self, taken: usize) -> Self {
        let mixed = self.0.rotate_left(23) ^ (taken as u64 + 1);
        Self(mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

/// What was exchanged, in order.
#[derive(Default)]
pub(crate) struct Exchanged {
    pub(crate) list: Vec<Exchange>,
    /// Whether it was too much, and the list is only of what was written.
    pub(crate) is_cut: bool,
}

impl Exchanged {
    fn push(&mut self, exchange: Exchange) {
        if self.is_cut && !exchange.is_output() {
            return;
        }
        self.list.push(exchange);
        if self.list.len() > MOST && !self.is_cut {
            self.is_cut = true;
            self.list.retain(Exchange::is_output);
        }
    }
}

/// Something that was asked of a world, with what it said; or that somebody was told.
pub(crate) enum Exchange {
    Now(Instant),
    Look(Instant),
    WallClock(u64),
    Random(u64),
    Write(Stream, Vec<u8>),
    Began,
    Breathe(Option<Limit>, bool),
    Submit(Operation, Checked),
    Perform(Checked, Answer),
    Cancel(Operation),
    Receive(Option<Completion<Answer>>),
    Wait(Option<Instant>, bool),
    GoRound(bool, bool),
    Moves(Gap, Option<Instant>, Vec<Move>),
    Answer(Operation, Answered<Answer>),
    Moved(Move),
    Seen(Operation, u32),
    Event(Event),
}

impl Exchange {
    fn is_output(&self) -> bool {
        matches!(self, Self::Write(..))
    }
}

/// Engines go from thread to thread, and what they keep of a run with them.
const _: () = {
    const fn may_be_sent<T: Send>() {}
    may_be_sent::<Exchange>();
};

impl Notes {
    /// Keeps what is exchanged.
    pub(crate) fn keeping() -> Self {
        Self { keeps: Cell::new(Keeps::All), ..Self::default() }
    }

    /// Keeps what is written, of a run that goes on from where that was chosen.
    pub(crate) fn further(way: Way) -> Self {
        Self { keeps: Cell::new(Keeps::Output), way: Cell::new(way), ..Self::default() }
    }

    /// Says how many steps came before the one that is taken now.
    pub(crate) fn step(&self, steps: u64) {
        self.steps.set(steps);
    }

    /// What was chosen so far.
    pub(crate) fn way(&self) -> Way {
        self.way.get()
    }

    /// In which step something was chosen first, if anything was.
    pub(crate) fn first(&self) -> Option<u64> {
        self.met.borrow().first().map(|met| met.1)
    }

    /// What had been chosen before each choice, and in which step that came.
    pub(crate) fn met(&self) -> Vec<(Way, u64)> {
        self.met.take()
    }

    fn chose(&self, taken: usize) {
        let way = self.way.get();
        self.met.borrow_mut().push((way, self.steps.get()));
        self.way.set(way.and(taken));
    }

    /// Keeps nothing any more but what is written, and gives what was kept.
    pub(crate) fn take(&self) -> Exchanged {
        self.keeps.set(Keeps::Output);
        self.kept.take()
    }

    /// How much was exchanged before anything was chosen.
    pub(crate) fn before(&self) -> usize {
        self.before.get()
    }

    fn note(&self, exchange: impl FnOnce() -> Exchange) {
        self.before.set(self.before.get() + usize::from(self.way.get() == Way::default()));
        if self.keeps.get() == Keeps::All {
            self.kept.borrow_mut().push(exchange());
        }
    }

    fn note_output(&self, stream: Stream, bytes: &[u8]) {
        self.note(|| Exchange::Write(stream, bytes.to_vec()));
        if self.keeps.get() == Keeps::Output {
            self.kept.borrow_mut().list.push(Exchange::Write(stream, bytes.to_vec()));
        }
    }
}

/// Writes the same once more.
pub(crate) fn write_again(kept: &[Exchange], world: &mut impl World<JavaScript>) {
    for exchange in kept {
        if let Exchange::Write(stream, bytes) = exchange {
            // Who reads what runs print may have gone: of that, a run learns with what it writes next.
            let _ = world.write(*stream, bytes);
        }
    }
}

/// Exchanges the same once more.
///
/// # Panics
///
/// When the world says something else than before: then the two runs are none that differ by choices only.
pub(crate) fn repeat(kept: &[Exchange], world: &mut impl World<JavaScript>, sink: &mut impl Sink) {
    let mut offered = Vec::new();
    for exchange in kept {
        // Nothing was open.
        let mut only = |_: usize| 0;
        let is_same = match exchange {
            Exchange::Now(said) => world.now() == *said,
            Exchange::Look(said) => world.look() == *said,
            Exchange::WallClock(said) => world.wall_clock() == *said,
            Exchange::Random(said) => world.random() == *said,
            Exchange::Write(stream, bytes) => {
                // Who reads what runs print may have gone: of that, a run learns with what it writes next.
                let _ = world.write(*stream, bytes);
                true
            }
            Exchange::Began => {
                world.began();
                true
            }
            Exchange::Breathe(limit, said) => world.breathe(*limit) == *said,
            Exchange::Submit(operation, request) => {
                world.submit(*operation, request.clone());
                true
            }
            Exchange::Perform(request, said) => {
                is_alike(&world.perform(request.clone(), Some(&mut only)), said)
            }
            Exchange::Cancel(operation) => {
                world.cancel(*operation);
                true
            }
            Exchange::Receive(said) => match (world.receive(), said) {
                (Some(one), Some(said)) => is_same_completion(&one, said),
                (one, said) => one.is_none() && said.is_none(),
            },
            Exchange::Wait(until, said) => world.wait(*until) == *said,
            Exchange::GoRound(due, said) => world.go_round(*due) == *said,
            Exchange::Moves(gap, due, said) => {
                offered.clear();
                world.moves(*gap, *due, &mut offered);
                offered == *said
            }
            Exchange::Answer(operation, said) => {
                match (world.answer(*operation, &mut only), said) {
                    (Answered::Whole(one), Answered::Whole(said)) => is_same_completion(&one, said),
                    (Answered::Part { trips }, Answered::Part { trips: said }) => trips == *said,
                    _ => false,
                }
            }
            Exchange::Moved(taken) => {
                world.moved(*taken);
                true
            }
            Exchange::Seen(operation, trips) => {
                world.seen(*operation, *trips);
                true
            }
            Exchange::Event(event) => {
                sink.event(event.clone());
                true
            }
        };
        assert!(is_same, "runs are the same until something is chosen");
    }
}

/// Whether two answers are alike. They are not looked at in full: a number that is none equals no other.
fn is_alike(one: &Answer, other: &Answer) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => std::mem::discriminant(one) == std::mem::discriminant(other),
        (Err(one), Err(other)) => one == other,
        _ => false,
    }
}

fn is_same_completion(one: &Completion<Answer>, other: &Completion<Answer>) -> bool {
    one.operation == other.operation
        && one.stamp == other.stamp
        && one.trips == other.trips
        && is_alike(&one.answer, &other.answer)
}

/// A world, what is asked of which is noted.
pub(crate) struct NotedWorld<'a, W>(pub(crate) &'a mut W, pub(crate) &'a Notes);

impl<W: World<JavaScript>> World<JavaScript> for NotedWorld<'_, W> {
    const ORACLE: bool = W::ORACLE;
    const STILL: bool = W::STILL;

    fn now(&mut self) -> Instant {
        let said = self.0.now();
        self.1.note(|| Exchange::Now(said));
        said
    }

    fn look(&mut self) -> Instant {
        let said = self.0.look();
        self.1.note(|| Exchange::Look(said));
        said
    }

    fn wall_clock(&mut self) -> u64 {
        let said = self.0.wall_clock();
        self.1.note(|| Exchange::WallClock(said));
        said
    }

    fn random(&mut self) -> u64 {
        let said = self.0.random();
        self.1.note(|| Exchange::Random(said));
        said
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let said = self.0.write(stream, bytes);
        self.1.note_output(stream, bytes);
        said
    }

    fn began(&mut self) {
        self.0.began();
        self.1.note(|| Exchange::Began);
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        let said = self.0.breathe(limit);
        self.1.note(|| Exchange::Breathe(limit, said));
        said
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        self.1.note(|| Exchange::Submit(operation, request.clone()));
        self.0.submit(operation, request);
    }

    fn perform(&mut self, request: Checked, draw: Option<Draw<'_>>) -> Answer {
        let Self(world, notes) = self;
        if notes.keeps.get() != Keeps::All {
            return world.perform(request, draw);
        }
        let said = world.perform(request.clone(), draw);
        notes.note(|| Exchange::Perform(request, said.clone()));
        said
    }

    fn cancel(&mut self, operation: Operation) {
        self.0.cancel(operation);
        self.1.note(|| Exchange::Cancel(operation));
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        let said = self.0.receive();
        self.1.note(|| Exchange::Receive(said.clone()));
        said
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let said = self.0.wait(until);
        self.1.note(|| Exchange::Wait(until, said));
        said
    }

    fn go_round(&mut self, due: bool) -> bool {
        let said = self.0.go_round(due);
        self.1.note(|| Exchange::GoRound(due, said));
        said
    }

    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        let before = moves.len();
        self.0.moves(gap, next_due, moves);
        self.1.note(|| Exchange::Moves(gap, next_due, moves[before..].to_vec()));
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<Answer> {
        let said = self.0.answer(operation, draw);
        self.1.note(|| Exchange::Answer(operation, said.clone()));
        said
    }

    fn moved(&mut self, taken: Move) {
        self.0.moved(taken);
        self.1.note(|| Exchange::Moved(taken));
    }

    fn seen(&mut self, operation: Operation, trips: u32) {
        self.0.seen(operation, trips);
        self.1.note(|| Exchange::Seen(operation, trips));
    }
}

/// A chooser of which is noted when it was asked, and what it took.
pub(crate) struct NotedChooser<'a, C>(pub(crate) &'a mut C, pub(crate) &'a Notes);

impl<C: Chooser> Chooser for NotedChooser<'_, C> {
    fn choose(&mut self, count: usize) -> usize {
        let taken = self.0.choose(count);
        self.1.chose(taken);
        taken
    }

    fn choose_from(&mut self, open: &Alternatives<'_>) -> usize {
        let taken = self.0.choose_from(open);
        self.1.chose(taken);
        taken
    }
}

/// A sink, what is told to which is noted.
pub(crate) struct NotedSink<'a, S>(pub(crate) &'a mut S, pub(crate) &'a Notes);

impl<S: Sink> Sink for NotedSink<'_, S> {
    const LISTENS: bool = S::LISTENS;

    fn event(&mut self, event: Event) {
        self.1.note(|| Exchange::Event(event.clone()));
        self.0.event(event);
    }
}
