//! The order of parts, on events written by hand.

use super::probe::Subject;
use super::{Outside, Probe};
use hemiola_time::{Delay, Instant, Label, Ordinal, Period, Tag, Unit};
use hemiola_trace::{Access, Class, Event, Invocation, Location, Operation, Origin, Outcome, Sink};

const NONE: [u64; 0] = [];

/// Writes the events of a run.
#[derive(Default)]
struct Script {
    probe: Probe,
    running: u64,
    invocations: u64,
    /// What the next callback was registered as.
    origin: Option<Origin>,
}

impl Script {
    fn main() -> Self {
        let mut script = Self::default();
        script.begin(None, None, None, 1, 1);
        script
    }

    fn begin(
        &mut self,
        class: Option<Class>,
        domain: Option<u64>,
        time_ms: Option<u64>,
        link: u64,
        cause: u64,
    ) -> u64 {
        if self.running > 0 {
            self.end();
        }
        self.invocations += 1;
        self.running = self.invocations;
        let tag = time_ms.map(tag);
        self.probe.event(Event::Began {
            invocation: Invocation(self.running),
            class,
            domain: domain.map(Ordinal),
            tag,
            origin: self.origin.take(),
            link: Invocation(link),
            cause: Invocation(cause),
            at: Instant::ZERO,
        });
        self.running
    }

    fn end(&mut self) {
        let invocation = Invocation(self.running);
        self.probe.event(Event::Ended { invocation, outcome: Outcome::Returned });
        self.running = 0;
    }

    fn write(&mut self, location: u64) {
        self.access(location, Access::Write);
    }

    fn read(&mut self, location: u64) {
        self.access(location, Access::Read);
    }

    fn access(&mut self, location: u64, access: Access) {
        let site = self.running as u32;
        self.probe.event(Event::Accessed { location: Location(location), access, site });
    }

    fn queue(&mut self, class: Class) {
        self.probe.event(Event::Queued {
            number: Ordinal(0),
            class,
            link: Invocation(self.running),
        });
    }

    fn ask(&mut self, operation: u64) {
        let by = Invocation(self.running);
        let what = String::new();
        self.probe.event(Event::Requested { operation: Operation(operation), by, what });
    }

    /// Answers an operation and begins its callback.
    fn answer(&mut self, operation: u64, by: u64) -> u64 {
        self.complete(operation);
        self.origin = Some(Origin::Operation(Operation(operation)));
        self.begin(Some(Class::Io), None, None, by, by)
    }

    fn complete(&mut self, operation: u64) {
        if self.running > 0 {
            self.end();
        }
        self.probe.event(Event::Completed { operation: Operation(operation), at: Instant::ZERO });
    }

    fn timer(&mut self, release: u64, domain: Option<u64>, due_ms: u64, delay_ms: u64) {
        self.release(release, domain, due_ms, delay_ms, None);
    }

    fn interval(&mut self, release: u64, domain: Option<u64>, due_ms: u64, period_ms: u64) {
        let period = Period::at_least_one(Delay::from_millis(period_ms), Unit::Millisecond);
        self.release(release, domain, due_ms, period_ms, Some(period));
    }

    fn release(
        &mut self,
        release: u64,
        domain: Option<u64>,
        due_ms: u64,
        delay_ms: u64,
        period: Option<Period>,
    ) {
        self.probe.event(Event::Released {
            release: Ordinal(release),
            domain: domain.map(Ordinal),
            tag: tag(due_ms),
            delay: Delay::from_millis(delay_ms),
            period,
            by: Invocation(self.running),
        });
    }

    fn open(&mut self, domain: u64) {
        let (label, origin) = (Label::new("A"), Instant::ZERO);
        self.probe.event(Event::Opened { domain: Ordinal(domain), label, origin });
    }

    fn fire(&mut self, domain: Option<u64>, time_ms: u64, by: u64) -> u64 {
        self.begin(Some(Class::Timer), domain, Some(time_ms), by, by)
    }

    /// The locations of the races.
    fn races(&self) -> Vec<u64> {
        let races = self.probe.races();
        let locations = races.iter().map(|race| match race.subject {
            Subject::Memory(location) => location.0,
            _ => 0,
        });
        locations.collect()
    }
}

fn tag(time_ms: u64) -> Tag {
    let time = Instant::ZERO + Delay::from_millis(time_ms);
    Tag { time, microstep: Default::default() }
}

#[test]
fn a_tick_comes_before_an_immediate_and_an_answer_does_not() {
    // The example of the paper, and an operation beside it.
    let mut script = Script::main();
    script.queue(Class::Immediate);
    script.queue(Class::Tick);
    script.ask(1);
    script.begin(Some(Class::Tick), None, None, 1, 1);
    script.write(7);
    script.begin(Some(Class::Immediate), None, None, 1, 1);
    script.read(7);
    script.write(8);
    script.answer(1, 1);
    script.read(7);
    script.read(8);
    assert_eq!(script.races(), [8]);
}

#[test]
fn immediates_are_in_the_order_of_their_registrars() {
    let mut script = Script::main();
    script.queue(Class::Immediate);
    script.queue(Class::Immediate);
    let first = script.begin(Some(Class::Immediate), None, None, 1, 1);
    script.write(1);
    script.queue(Class::Immediate);
    let second = script.begin(Some(Class::Immediate), None, None, 1, 1);
    script.write(1);
    script.queue(Class::Immediate);
    script.begin(Some(Class::Immediate), None, None, first, first);
    script.write(1);
    script.begin(Some(Class::Immediate), None, None, second, second);
    script.write(1);
    assert_eq!(script.races(), NONE);
}

#[test]
fn messages_of_one_callback_are_in_the_order_of_their_ports() {
    let mut script = Script::main();
    for number in [1, 2] {
        let (number, link) = (Ordinal(number), Invocation(1));
        script.probe.event(Event::Queued { number, class: Class::Io, link });
    }
    for number in [2, 1] {
        script.origin = Some(Origin::Queued(Ordinal(number)));
        script.begin(Some(Class::Io), None, None, 1, 1);
        script.write(1);
    }
    assert_eq!(script.races(), NONE);
}

#[test]
fn timers_are_ordered_by_delay_and_registrar() {
    // A shorter one that is set later may come later: time passes in between.
    let mut script = Script::main();
    script.timer(1, None, 30, 30);
    script.timer(2, None, 10, 10);
    script.timer(3, None, 40, 40);
    script.fire(None, 10, 1);
    script.write(1);
    script.fire(None, 30, 1);
    script.write(1);
    script.write(2);
    script.fire(None, 40, 1);
    script.write(2);
    assert_eq!(script.races(), [1]);
}

#[test]
fn an_immediate_of_a_poll_callback_comes_before_its_timer() {
    let arm = |script: &mut Script| {
        script.timer(1, None, 1, 1);
        script.queue(Class::Immediate);
    };
    let run = |script: &mut Script, by: u64| {
        script.begin(Some(Class::Immediate), None, None, by, by);
        script.write(1);
        script.fire(None, 1, by);
        script.read(1);
        script.races()
    };
    let mut of_main = Script::main();
    arm(&mut of_main);
    assert_eq!(run(&mut of_main, 1), [1]);

    let mut of_poll = Script::main();
    of_poll.ask(1);
    let by = of_poll.answer(1, 1);
    arm(&mut of_poll);
    assert_eq!(run(&mut of_poll, by), NONE);
}

#[test]
fn a_job_is_glued_to_the_callback_that_resolves_what_it_waits_for() {
    let mut script = Script::main();
    script.ask(1);
    script.ask(2);
    let first = script.answer(1, 1);
    script.write(1);
    // Attached by the main program, resolved here.
    script.begin(Some(Class::Promise), None, None, 1, first);
    script.read(1);
    script.write(2);
    script.queue(Class::Immediate);
    let second = script.answer(2, 1);
    script.write(3);
    // Attached in the first callback: had that been later, this would have run there.
    script.begin(Some(Class::Promise), None, None, first, second);
    script.read(1);
    script.read(3);
    script.read(2);
    assert_eq!(script.races(), [2]);
}

#[test]
fn a_tail_is_over_before_what_follows_begins() {
    let mut script = Script::main();
    script.ask(1);
    let callback = script.answer(1, 1);
    script.ask(2);
    script.queue(Class::Tick);
    script.begin(Some(Class::Tick), None, None, callback, callback);
    script.write(1);
    script.answer(2, callback);
    script.read(1);
    assert_eq!(script.races(), NONE);
}

#[test]
fn one_clock_is_in_order_and_what_an_answer_puts_on_it_is_not() {
    let mut script = Script::main();
    script.open(0);
    script.interval(1, Some(0), 10, 10);
    script.timer(2, Some(0), 15, 15);
    script.ask(1);
    let answer = script.answer(1, 1);
    script.timer(3, Some(0), 25, 25);
    script.fire(Some(0), 10, 1);
    script.write(1);
    script.fire(Some(0), 15, 1);
    script.write(1);
    script.fire(Some(0), 20, 1);
    script.write(1);
    script.fire(Some(0), 25, answer);
    script.read(1);
    script.read(2);
    script.fire(Some(0), 30, 1);
    script.write(2);
    assert_eq!(script.races(), [2]);
}

#[test]
fn clocks_of_one_origin_compare() {
    let mut script = Script::main();
    script.open(0);
    script.interval(1, Some(0), 10, 10);
    script.open(1);
    script.interval(2, Some(1), 20, 20);
    script.fire(Some(0), 10, 1);
    script.write(1);
    script.fire(Some(0), 20, 1);
    script.write(1);
    script.fire(Some(1), 20, 1);
    script.write(1);
    script.fire(Some(0), 30, 1);
    script.write(1);
    assert_eq!(script.races(), NONE);
}

#[test]
fn clocks_of_different_origin_do_not() {
    let mut script = Script::main();
    script.open(0);
    script.timer(1, Some(0), 30, 30);
    script.ask(1);
    let answer = script.answer(1, 1);
    script.open(1);
    script.timer(2, Some(1), 10, 10);
    script.fire(Some(1), 10, answer);
    script.write(1);
    script.fire(Some(0), 30, 1);
    script.read(1);
    assert_eq!(script.races(), [1]);
}

#[test]
fn an_operation_does_its_work_when_it_is_answered() {
    let file = |access| vec![(Outside::File("a".into()), access)];
    let mut script = Script::main();
    script.probe.effect(None, file(Access::Write), 0, None);
    script.ask(1);
    script.ask(2);
    script.end();
    script.probe.effect(Some(Operation(1)), file(Access::Write), 0, None);
    let first = script.answer(1, 1);
    script.ask(3);
    script.end();
    // Asked for by the callback of the first, but beside the second.
    script.probe.effect(Some(Operation(3)), file(Access::Read), 0, None);
    script.answer(3, first);
    assert_eq!(script.probe.races().len(), 0);
    script.end();
    script.probe.effect(Some(Operation(2)), file(Access::Read), 0, None);
    script.answer(2, 1);
    assert_eq!(script.probe.races().len(), 1, "the second reads what the first wrote");
}

/// A program in which a part, the main program or a poll callback, begins an operation of so many trips and sets
/// an immediate, which sets the next, and so on; one after the other they write locations 1, 2, 3, and so on, and
/// then the operation's callback reads them all.
fn beside_immediates(in_poll: bool, trips: u32, immediates: u64) -> Script {
    let mut script = Script::main();
    let mut by = 1;
    if in_poll {
        script.ask(1);
        by = script.answer(1, 1);
    }
    script.ask(2);
    let asked_by = by;
    for location in 1..=immediates {
        script.queue(Class::Immediate);
        by = script.begin(Some(Class::Immediate), None, None, by, by);
        script.write(location);
    }
    script.end();
    script.probe.effect(Some(Operation(2)), Vec::new(), trips - 1, None);
    script.answer(2, asked_by);
    (1..=immediates).for_each(|location| script.read(location));
    script
}

#[test]
fn immediates_come_before_the_callback_that_has_to_pass_the_poll_phase_after_them() {
    // The first immediate of the main program may come before the first trip or after it.
    assert_eq!(beside_immediates(false, 1, 3).races(), [1, 2, 3]);
    assert_eq!(beside_immediates(false, 4, 5).races(), [4, 5]);
    // That of a poll callback comes before it.
    assert_eq!(beside_immediates(true, 1, 3).races(), [2, 3]);
    assert_eq!(beside_immediates(true, 4, 6).races(), [5, 6]);
}

#[test]
fn each_step_of_an_operation_comes_after_what_its_trips_let_go_first() {
    let file = |access| vec![(Outside::File("a".into()), access)];
    let mut script = Script::main();
    script.ask(1);
    script.queue(Class::Immediate);
    script.end();
    script.probe.effect(Some(Operation(1)), file(Access::Read), 0, None);
    let first = script.begin(Some(Class::Immediate), None, None, 1, 1);
    script.probe.effect(None, file(Access::Write), 0, None);
    script.queue(Class::Immediate);
    script.end();
    assert_eq!(script.probe.races().len(), 1, "the first step beside the first immediate");
    script.probe.effect(Some(Operation(1)), file(Access::Read), 1, None);
    assert_eq!(script.probe.races().len(), 1, "the second step comes after it");
    script.begin(Some(Class::Immediate), None, None, first, first);
    script.probe.effect(None, file(Access::Write), 0, None);
    script.end();
    assert_eq!(script.probe.races().len(), 3, "both steps beside the second immediate");
}

#[test]
fn changes_of_a_directory_disturb_only_who_lists_it() {
    let entries = |access| vec![(Outside::Entries(".".into()), access)];
    let mut script = Script::main();
    for operation in 1..=3 {
        script.ask(operation);
    }
    script.end();
    for (operation, access) in [(1, Access::Write), (2, Access::Write)] {
        script.probe.effect(Some(Operation(operation)), entries(access), 0, None);
        script.answer(operation, 1);
        script.end();
    }
    assert_eq!(script.probe.races().len(), 0);
    script.probe.effect(Some(Operation(3)), entries(Access::Read), 0, None);
    assert_eq!(script.probe.races().len(), 2);
}

#[test]
fn data_orders_who_receives_after_who_sent() {
    let channel = || vec![(Outside::Channel("1".into()), Access::Write)];
    let mut script = Script::main();
    script.ask(1);
    script.timer(1, None, 5, 5);
    script.fire(None, 5, 1);
    script.write(1);
    script.probe.effect(None, channel(), 0, None);
    script.end();
    script.probe.effect(Some(Operation(1)), channel(), 0, None);
    script.answer(1, 1);
    script.read(1);
    assert_eq!(script.races(), NONE);
}

#[test]
fn a_timer_that_is_cleared_races_with_who_clears_it() {
    let mut script = Script::main();
    script.timer(1, None, 50, 50);
    script.ask(1);
    script.interval(2, None, 10, 10);
    script.answer(1, 1);
    script.probe.event(Event::Cleared { release: Ordinal(1) });
    assert_eq!(script.probe.races().len(), 1);
    // An interval that clears itself races with nobody.
    script.fire(None, 10, 1);
    script.probe.event(Event::Cleared { release: Ordinal(2) });
    assert_eq!(script.probe.races().len(), 1);
}

#[test]
fn what_runs_at_the_end_comes_after_everything() {
    let mut script = Script::main();
    script.ask(1);
    script.answer(1, 1);
    script.write(1);
    script.begin(None, None, None, 1, 1);
    script.read(1);
    assert_eq!(script.races(), NONE);
}
