//! Worlds that wrap another one: a program sees the same through them as in the world behind, and the same
//! whether the machine may pass over phases in which there is nothing to do (`World::STILL`) or not.
#![expect(clippy::disallowed_methods, reason = "one of the tests reads the sources")]

use crate::closures::{self, Closures, Log, Turn, ask, run_with};
use crate::overlay;
use hemiola_explore::schedules::{Plan, Reduction, Watch, Watching};
use hemiola_gate::{Answer, Checked, Datum};
use hemiola_machine::{
    Answered, Chooser, Class, Completion, Delay, Draw, Event, First, Gap, Group, Input, Instant,
    Limit, Move, Operation, Schedule, Sink, Stream, World,
};
use hemiola_world::crash::CrashTest;
use hemiola_world::recording::{Recorder, Tape};
use hemiola_world::{ByHand, Faults, Kept, Open, Order, Secure, Virtual};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

const SEED: u64 = 7;

/// The world that is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// One in virtual time.
    Timed,
    /// The same, and all phases are entered.
    Restless,
    /// One that leaves everything open.
    Open,
}

/// How a program is run through a wrapper; nothing where it does not wrap such a world.
type Through = fn(&Run, Behind) -> Option<Seen>;

/// Every world that wraps another one. What is neither here nor in [`BARE`] or [`OF_JAVASCRIPT`] is found in the sources.
const WRAPPERS: [(&str, Through); 6] = [
    ("Mortal", |run, behind| {
        let (seed, files) = (SEED, overlay());
        let (until, down) = (Delay::from_millis(100_000), Delay::ZERO);
        let test = CrashTest {
            seed,
            files,
            input: &|| Box::new(|| Ok(Vec::new())),
            until,
            down,
            is_up: &|| false,
        };
        // Nothing crashes.
        let lived = test.run(&[], &mut run.write(), |world, fate| {
            let sink = &mut fate.witness(Vec::new());
            match behind {
                Behind::Timed => Ok(run.see_with(world, &mut First, sink)),
                Behind::Restless => Ok(run.see_with(&mut Restless(world), &mut First, sink)),
                Behind::Open => Err(()),
            }
        });
        lived.ok().map(|lived| lived.code)
    }),
    ("Recorder", |run, behind| match behind {
        Behind::Timed => Some(run.see(&mut Recorder::new(run.timed(), tape()))),
        Behind::Restless => Some(run.see(&mut Recorder::new(Restless(&mut run.timed()), tape()))),
        Behind::Open => None,
    }),
    // Whose time nobody holds.
    ("ByHand", |run, behind| match behind {
        Behind::Timed => Some(run.see(&mut ByHand::new(run.timed(), Arc::default()))),
        Behind::Restless => {
            Some(run.see(&mut ByHand::new(Restless(&mut run.timed()), Arc::default())))
        }
        // An oracle has no time of its own.
        Behind::Open => None,
    }),
    ("Kept", |run, behind| match behind {
        Behind::Timed => Some(run.see(&mut Kept::new(run.timed(), Order::default()))),
        Behind::Restless => {
            Some(run.see(&mut Kept::new(Restless(&mut run.timed()), Order::default())))
        }
        // It follows its chooser.
        Behind::Open => None,
    }),
    ("Secure", |run, behind| match behind {
        Behind::Timed => Some(run.see(&mut Secure::new(&mut run.timed()))),
        Behind::Restless => Some(run.see(&mut Secure::new(&mut Restless(&mut run.timed())))),
        Behind::Open => Some(run.see(&mut Secure::new(&mut run.open()))),
    }),
    ("Watched", |run, behind| {
        let watching = Watching {
            reduction: Reduction::Order,
            known: Default::default(),
            clock: true,
            effects: false,
            steps: u64::MAX,
            explain: false,
            drifting: false,
            limit: Default::default(),
        };
        let watch = Watch::new(&Plan::Follow(Schedule::default()), watching, || {});
        let (mut chooser, mut sink) = (watch.chooser(), watch.sink());
        Some(match behind {
            Behind::Timed => run.see_with(&mut watch.world(run.timed()), &mut chooser, &mut sink),
            Behind::Restless => {
                run.see_with(&mut watch.world(Restless(&mut run.timed())), &mut chooser, &mut sink)
            }
            Behind::Open => run.see_with(&mut watch.world(run.open()), &mut chooser, &mut sink),
        })
    }),
];

/// The worlds that wrap none.
const BARE: [&str; 8] =
    ["Live", "Nowhere", "Open", "Oracle", "Recorded", "Simulated", "Still", "Virtual"];

/// Those that wrap worlds of programs in JavaScript only, which these are not: `alike.rs` in the tests of `js` holds them
/// to the same.
const OF_JAVASCRIPT: [&str; 1] = ["NotedWorld"];

#[test]
fn a_program_sees_the_same_through_every_wrapper() {
    for (name, program) in PROGRAMS {
        let run = |behind, through: Through| through(&Run { program, out: Out::default() }, behind);
        let bare = |behind| {
            let bare: Through = |run, behind| match behind {
                Behind::Timed => Some(run.see(&mut run.timed())),
                Behind::Restless => Some(run.see(&mut Restless(&mut run.timed()))),
                Behind::Open => Some(run.see(&mut run.open())),
            };
            run(behind, bare).expect("nothing is wrapped")
        };
        let timed = bare(Behind::Timed);
        assert!(!timed.log.is_empty(), "{name} says what it sees");
        assert_eq!(bare(Behind::Restless), timed, "{name}, with all phases");
        let open = bare(Behind::Open);
        for (wrapper, through) in WRAPPERS {
            for (behind, seen) in
                [(Behind::Timed, &timed), (Behind::Restless, &timed), (Behind::Open, &open)]
            {
                if let Some(through) = run(behind, through) {
                    assert_eq!(&through, seen, "{name}, through {wrapper}, {behind:?}");
                }
            }
        }
    }
}

#[test]
fn no_wrapper_is_forgotten() {
    let mut found = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("a folder can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !matches!(name.as_str(), "tests" | "benches" | "node_modules") {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).expect("a source can be read");
                found.extend(worlds(&text));
            }
        }
    }
    let known = WRAPPERS.map(|(name, _)| name).into_iter().chain(BARE).chain(OF_JAVASCRIPT);
    assert_eq!(found, known.map(str::to_owned).collect());
}

/// The names of the worlds in a source.
fn worlds(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split("\nimpl").skip(1).filter_map(|after| {
        let (head, _) = after.split_once('{')?;
        let (of, name) = head.split_once(" for ")?;
        let of = of.split_whitespace().next_back()?;
        let end = name.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(name.len());
        of.starts_with("World<").then(|| name[..end].to_owned())
    })
}

#[test]
fn worlds_are_found_in_sources() {
    let source = "\nimpl<L: Language, W: World<L>> World<L> for Some<W> {\n}\n\
        \nimpl<W: World<Js>> Gate<Js> for Other<W> {\n}\n\
        \nimpl<L, W> World<L>\n    for Third<W>\nwhere\n    W: World<L>,\n{\n}\n";
    assert_eq!(worlds(source).collect::<Vec<_>>(), ["Some", "Third"]);
}

type Program = fn(&mut Turn<'_>, &Log);

const PROGRAMS: [(&str, Program); 5] = [
    ("files", |turn, log| closures::files("")(turn, log)),
    ("timers", closures::timers),
    ("sockets", closures::sockets),
    ("everything that a world is asked", everything),
    ("a program that never waits", going_round),
];

/// Whatever a world answers by itself, time that is spent, and an operation that is given up.
fn everything(turn: &mut Turn<'_>, log: &Log) {
    let look = |turn: &mut Turn<'_>, log: &Log, what: &str| {
        let (now, wall, random) = (turn.now().as_micros(), turn.wall_clock(), turn.random());
        log.note(format!("{what}: {now} {wall} {random}"));
    };
    look(turn, log, "first");
    turn.write(Stream::Out, "out\n").expect("it is taken");
    turn.write(Stream::Err, "err\n").expect("it is taken");
    turn.breathe();
    let nobody = ask(turn, "fs.stat", vec![Datum::Text("/".into())], |_, _| {
        unreachable!("nobody waits for it")
    });
    turn.give_up(nobody);
    turn.spend(Delay::from_millis(3));
    look(turn, log, "spent");
    let log = log.clone();
    let late = move |turn: &mut Turn<'_>, _: Input<Answer>| {
        let ahead = turn.logical_now();
        turn.spend(Delay::from_millis(20));
        log.note(format!("{:?} late", turn.lag("A")));
        let done = log.clone();
        let next = move |turn: &mut Turn<'_>, _: Input<Answer>| look(turn, &done, "next");
        turn.release(Some("A"), Delay::from_millis(1), Some(Box::new(next)));
        log.note(format!("at {ahead}", ahead = ahead.as_micros()));
    };
    turn.release(Some("A"), Delay::from_millis(2), Some(Box::new(late)));
}

/// Time passes for it all the same (rule LOOP-7).
fn going_round(turn: &mut Turn<'_>, log: &Log) {
    let later = log.clone();
    let over = Rc::new(RefCell::new(false));
    let is_over = Rc::clone(&over);
    let timer = move |turn: &mut Turn<'_>, _: Input<Answer>| {
        later.note(format!("over at {}", turn.now().as_micros()));
        over.replace(true);
    };
    turn.release(None, Delay::from_millis(2), Some(Box::new(timer)));
    round(turn, log.clone(), is_over, 0);
}

fn round(turn: &mut Turn<'_>, log: Log, is_over: Rc<RefCell<bool>>, rounds: u32) {
    if *is_over.borrow() {
        return log.note(format!("{rounds} rounds"));
    }
    assert!(rounds < 100_000, "time passes in the world");
    let next = move |turn: &mut Turn<'_>, _: Input<Answer>| round(turn, log, is_over, rounds + 1);
    turn.queue(Class::Immediate, Group::default(), Some(Box::new(next)));
}

/// What a program and those who watch it see.
#[derive(Debug, PartialEq)]
struct Seen {
    log: Vec<String>,
    out: Vec<(Stream, Vec<u8>)>,
    events: Vec<Event>,
}

type Out = Rc<RefCell<Vec<(Stream, Vec<u8>)>>>;

/// One run of a program.
struct Run {
    program: Program,
    out: Out,
}

impl Run {
    fn write(&self) -> impl FnMut(Stream, &[u8]) -> io::Result<()> + 'static {
        let out = Rc::clone(&self.out);
        move |stream, bytes| {
            out.borrow_mut().push((stream, bytes.to_owned()));
            Ok(())
        }
    }

    fn timed(&self) -> Virtual<impl FnMut(Stream, &[u8]) -> io::Result<()> + 'static> {
        Virtual::new(SEED, overlay(), self.write())
    }

    fn open(&self) -> Open<impl FnMut(Stream, &[u8]) -> io::Result<()> + 'static> {
        Open::new(SEED, overlay(), Faults::NONE, self.write())
    }

    fn see(&self, world: &mut impl World<Closures>) -> Seen {
        self.see_with(world, &mut First, &mut Vec::new())
    }

    fn see_with(
        &self,
        world: &mut impl World<Closures>,
        chooser: &mut impl Chooser,
        also: &mut impl Sink,
    ) -> Seen {
        let mut sink = Both { events: Vec::new(), also };
        let log = run_with(self.program, world, chooser, &mut sink);
        Seen { log, out: self.out.take(), events: sink.events }
    }
}

/// Keeps events, and passes them on.
struct Both<'a, S> {
    events: Vec<Event>,
    also: &'a mut S,
}

impl<S: Sink> Sink for Both<'_, S> {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        self.events.push(event.clone());
        self.also.event(event);
    }
}

fn tape() -> Tape {
    Tape::new(Box::new(|_, _| true))
}

/// A world of which the machine is not to know that it is still.
struct Restless<'a, W>(&'a mut W);

impl<W: World<Closures>> World<Closures> for Restless<'_, W> {
    const ORACLE: bool = W::ORACLE;
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        self.0.now()
    }

    fn look(&mut self) -> Instant {
        self.0.look()
    }

    fn wall_clock(&mut self) -> u64 {
        self.0.wall_clock()
    }

    fn random(&mut self) -> u64 {
        self.0.random()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.0.write(stream, bytes)
    }

    fn began(&mut self) {
        self.0.began();
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        self.0.breathe(limit)
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        self.0.submit(operation, request);
    }

    fn perform(&mut self, request: Checked, draw: Option<Draw<'_>>) -> Answer {
        self.0.perform(request, draw)
    }

    fn cancel(&mut self, operation: Operation) {
        self.0.cancel(operation);
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.0.receive()
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        self.0.wait(until)
    }

    fn go_round(&mut self, due: bool) -> bool {
        self.0.go_round(due)
    }

    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        self.0.moves(gap, next_due, moves);
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<Answer> {
        self.0.answer(operation, draw)
    }

    fn moved(&mut self, taken: Move) {
        self.0.moved(taken);
    }

    fn seen(&mut self, operation: Operation, trips: u32) {
        self.0.seen(operation, trips);
    }
}
