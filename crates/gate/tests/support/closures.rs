//! Programs of closures that ask what a program can ask: worlds are tested with them, without an engine.

use hemiola_gate::{Answer, Checked, Datum, Known, Permissions, Request};
use hemiola_machine::{
    Chooser, Class, Context, Delay, DomainId, Eagerness, First, Group, Host, Input, Language,
    Machine, Named, Operation, Place, Progress, Signal, Silent, Sink, Site, Step, World,
};
use std::cell::RefCell;
use std::rc::Rc;

/// The host that runs closures.
pub struct Closures;

/// What a closure is handed.
pub type Turn<'a> = Context<'a, Closures>;

/// A closure; it runs once.
type Task = Option<Box<dyn FnOnce(&mut Turn<'_>, Input<Answer>)>>;

impl Language for Closures {
    type Callback = Task;
    type Request = Checked;
    type Answer = Answer;

    fn describe(request: &Checked) -> String {
        request.request().describe()
    }

    fn place() -> Option<Place> {
        None
    }
}

impl Host for Closures {
    type Language = Self;

    fn run(&mut self, task: &mut Task, input: Input<Answer>, turn: &mut Turn<'_>) -> Progress {
        let task = task.take().expect("nothing here is repeated");
        task(turn, input);
        Progress::RETURNED
    }

    fn site(&self, _: &Task) -> Option<Site> {
        None
    }

    fn dropped_holds(&mut self) -> Vec<DomainId> {
        Vec::new()
    }

    fn eagerness(&self, _: &Task) -> Eagerness {
        Eagerness::Free
    }

    fn begin_batch(&mut self) {}

    fn is_batch(&self, _: &Task) -> bool {
        false
    }

    fn take_in(&mut self, task: Task, answer: Answer, _: &mut Turn<'_>) -> Option<(Task, Answer)> {
        Some((task, answer))
    }

    fn endless(&mut self, _: &str) -> Option<<Self::Language as Language>::Callback> {
        None
    }

    fn resume(&mut self, _: &mut Turn<'_>) -> Progress {
        unreachable!("closures do not pause")
    }

    fn signal(&mut self, _: Signal, _: &mut Turn<'_>) {}
}

/// Runs a program to its end, and gives what it logged.
pub fn run(
    main: impl FnOnce(&mut Turn<'_>, &Log) + 'static,
    world: &mut impl World<Closures>,
) -> Vec<String> {
    run_with(main, world, &mut First, &mut Silent)
}

/// The same where somebody else picks, and listens.
pub fn run_with(
    main: impl FnOnce(&mut Turn<'_>, &Log) + 'static,
    world: &mut impl World<Closures>,
    chooser: &mut impl Chooser,
    sink: &mut impl Sink,
) -> Vec<String> {
    let log = Log::default();
    let lines = Rc::clone(&log.0);
    let main = move |turn: &mut Turn<'_>, _: Input<Answer>| main(turn, &log);
    let mut machine = Machine::new(Some(Box::new(main) as Box<_>));
    while machine.step(&mut Closures, &Named::NodePhases, world, chooser, sink) == Step::Moved {}
    lines.take()
}

/// What a program has seen.
#[derive(Clone, Default)]
pub struct Log(Rc<RefCell<Vec<String>>>);

impl Log {
    /// Notes one more thing.
    pub fn note(&self, line: impl Into<String>) {
        self.0.borrow_mut().push(line.into());
    }
}

fn request(kind: &str, arguments: Vec<Datum>) -> Checked {
    let request = Request::from_wire(kind, arguments).expect("there is such a request");
    let mut unasked = |_: Checked| unreachable!("who may do everything is asked nothing");
    let checked = Permissions::default().check(&Known::default(), request, &mut unasked);
    checked.expect("everything is allowed")
}

/// Asks for an operation.
pub fn ask(
    turn: &mut Turn<'_>,
    kind: &str,
    arguments: Vec<Datum>,
    then: impl FnOnce(&mut Turn<'_>, Answer) + 'static,
) -> Operation {
    let answered = |turn: &mut Turn<'_>, input: Input<Answer>| match input {
        Input::Answer(answer) => then(turn, answer),
        Input::Nothing | Input::Lag(_) => unreachable!("an operation is answered"),
    };
    let request = request(kind, arguments);
    turn.request(Class::Io, Group::default(), request, Some(Box::new(answered)))
}

fn text(text: &str) -> Datum {
    Datum::Text(text.into())
}

fn bytes(bytes: &str) -> Datum {
    Datum::Bytes(bytes.as_bytes().into())
}

fn record<const N: usize>(fields: [(&str, Datum); N]) -> Datum {
    Datum::Record(fields.map(|(name, value)| (name.to_owned(), value)).into())
}

/// Writes a file, reads it, and looks for one that is not there.
pub fn files(directory: &str) -> impl FnOnce(&mut Turn<'_>, &Log) + 'static {
    const WRITE: f64 = (1 | 0o100 | 0o1000) as f64;
    let path = text(&format!("{directory}/file.txt"));
    let nowhere = text(&format!("{directory}/nowhere.txt"));
    move |turn, log| {
        let mode = || Datum::Number(f64::from(0o644));
        let mut write = vec![path.clone(), Datum::Number(WRITE), mode(), bytes("one line")];
        write.push(Datum::Bool(false));
        let log = log.clone();
        ask(turn, "fs.writeFile", write, move |turn, written| {
            log.note(format!("written: {}", written.is_ok()));
            let read = vec![path, Datum::Number(0.0)];
            let noted = log.clone();
            ask(turn, "fs.readFile", read, move |_, read| {
                let is_all = match &read {
                    Ok(Datum::Held(read)) => read[..] == *b"one line",
                    read => *read == Ok(bytes("one line")),
                };
                log.note(format!("read: {is_all}"));
            });
            let fault =
                turn.perform(request("fs.stat", vec![nowhere])).map_err(|fault| fault.errno);
            noted.note(format!("nothing there: {fault:?}"));
        });
    }
}

/// What [`files`] sees.
pub const FILES: [&str; 3] = ["written: true", "nothing there: Err(2)", "read: true"];

/// Two timers, of which the one that was set later comes first.
pub fn timers(turn: &mut Turn<'_>, log: &Log) {
    for (label, delay) in [("B", 5), ("A", 2)] {
        let log = log.clone();
        let fired = move |_: &mut Turn<'_>, _: Input<Answer>| log.note(label);
        turn.release(Some(label), Delay::from_millis(delay), Some(Box::new(fired)));
    }
}

/// What [`timers`] sees.
pub const TIMERS: [&str; 2] = ["A", "B"];

/// A server and a client on one computer.
pub fn sockets(turn: &mut Turn<'_>, log: &Log) {
    let place = record([("host", text("127.0.0.1")), ("port", Datum::Number(0.0))]);
    let server = turn.perform(request("net.listen", vec![place])).expect("a port is free");
    let (id, port) = (of(&server, "id"), of(&server, "port"));
    let (hears, says, listener) = (log.clone(), log.clone(), id.clone());
    ask(turn, "net.accept", vec![id], move |turn, accepted| {
        let stream = of(&accepted.expect("somebody connects"), "id");
        ask(turn, "stream.read", vec![stream.clone()], move |turn, heard| {
            hears.note(format!("heard: {}", heard == Ok(bytes("hello"))));
            for (kind, id) in [("stream.close", stream), ("net.close", listener)] {
                turn.perform(request(kind, vec![id])).expect("it was open");
            }
        });
    });
    let to = record([("address", text("127.0.0.1")), ("port", port)]);
    ask(turn, "net.connect", vec![to], move |turn, connected| {
        let stream = of(&connected.expect("somebody listens"), "id");
        ask(turn, "stream.write", vec![stream.clone(), bytes("hello")], move |turn, _| {
            ask(turn, "stream.read", vec![stream.clone()], move |turn, end| {
                says.note(format!(
                    "the end: {}",
                    matches!(end, Ok(Datum::Undefined | Datum::Null | Datum::Bytes(_)))
                ));
                turn.perform(request("stream.close", vec![stream])).expect("it was open");
            });
        });
    });
}

/// What [`sockets`] sees.
pub const SOCKETS: [&str; 2] = ["heard: true", "the end: true"];

fn of(record: &Datum, name: &str) -> Datum {
    record.field(name).cloned().expect("the answer has it")
}
