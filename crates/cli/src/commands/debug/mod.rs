//! `hemiola debug`: a run, forward and back.

mod launcher;
mod replaying;

use super::{fleet, traced};
use crate::args::{DebugArgs, DebugFlags, DebugScheduleArgs, Given};
use crate::console::{complain, shown};
use crate::done::Done;
use crate::progress::{Status, Ticking};
use crate::report::{Failure, note};
use hemiola_debug::dap::{self, codec};
use hemiola_debug::terminal::Tell;
use hemiola_debug::{
    Launcher, Listener, Process, Session, Sources, Target, Way, Wish, model, terminal,
};
use launcher::{Launch, What};
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

pub(super) fn run(args: &DebugArgs) -> Result<Done, Failure> {
    let words: Vec<String> =
        args.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if args.flags.replaying {
        return replaying::recording(words.first().map_or("latest", String::as_str), &args.flags);
    }
    if let [trace, rest @ ..] = &words[..]
        && let Some(header) = traced::header(trace)
    {
        let (host, process) = chosen(args, rest)?;
        let (id, notes) = fleet::record(trace, &header, host.as_deref(), process)?;
        complain(&notes);
        return front(Launch::new(What::Run(id), &args.flags), &args.flags);
    }
    if args.host.is_some() || args.process.is_some() {
        return Err(Failure::new("`--host` and `--process` choose a program of a fleet")
            .help("give its joined trace: hemiola fleet simulate FILE --trace TRACE"));
    }
    let what = What::of(words)?;
    front(Launch::new(what, &args.flags), &args.flags)
}

/// Which program of a fleet is meant. Flags after the trace are taken for words of a program at first.
fn chosen(args: &DebugArgs, rest: &[String]) -> Result<(Option<String>, Option<u32>), Failure> {
    let (mut host, mut process) = (args.host.clone(), args.process);
    let wrong = |word: &str| {
        Failure::new(format!("`{word}` is nothing that a joined trace can be debugged with"))
            .help("choose a program with --host HOST, or a process with --process N")
    };
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value.to_owned())),
            None => (word.as_str(), rest.next().cloned()),
        };
        match (flag, value) {
            ("--host", Some(value)) => host = Some(value),
            ("--process", Some(value)) => {
                process = Some(value.parse().map_err(|_| wrong(&value))?);
            }
            (flag, _) => return Err(wrong(flag)),
        }
    }
    Ok((host, process))
}

pub(super) fn run_schedule(args: &DebugScheduleArgs, given: &Given) -> Result<Done, Failure> {
    if args.flags.replaying {
        return replaying::schedule(args, given);
    }
    let modules = replaying::modules(&args.follow, given)?;
    let file = args.follow.program.words.first();
    let program = file.map(|file| file.to_string_lossy().into_owned());
    front(Launch::new(What::Schedule(modules, program), &args.flags), &args.flags)
}

/// Talks with whoever wants to debug.
fn front(mut launch: Launch, flags: &DebugFlags) -> Result<Done, Failure> {
    if flags.tty || !flags.log.is_empty() {
        return here(&mut launch, flags);
    }
    match flags.port {
        None => {
            if io::stdin().is_terminal() {
                complain(&note(
                    "an editor is to talk with this, by the Debug Adapter Protocol; for a terminal \
                     use --tty",
                ));
            }
            let incoming = listen(BufReader::new(io::stdin()))?;
            dap::serve(launch, None, incoming, Box::new(io::stdout()));
        }
        Some(port) => {
            let cannot = |error: io::Error| {
                let reason = crate::input::reason(&error);
                Failure::new(format!("cannot listen on port {port} of this computer: {reason}"))
                    .help("take any that is free: --port 0")
            };
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(cannot)?;
            let address = listener.local_addr().map_err(cannot)?;
            let token = hemiola_live::token();
            complain(&note(&format!("listening on {address}")));
            complain(&note(&format!("the editor's configuration needs \"token\": \"{token}\"")));
            let (input, stream) = client(&listener).map_err(cannot)?;
            // One client, one session.
            drop(listener);
            let incoming = listen(input)?;
            dap::serve(launch, Some(token), incoming, Box::new(stream));
        }
    }
    Ok(Done::silent(0))
}

/// How long somebody who connects may take to say a first word.
const PATIENCE: Duration = Duration::from_secs(20);

/// The first who speaks the protocol. A page in a browser can reach the port, too, but not without the headers of
/// HTTP: it is sent away.
fn client(listener: &TcpListener) -> io::Result<(impl BufRead + Send + 'static, TcpStream)> {
    loop {
        let (stream, _) = listener.accept()?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut input = stream.try_clone()?;
        if let Ok(Some(name)) = codec::first_name(&mut input) {
            stream.set_read_timeout(None)?;
            return Ok((BufReader::new(io::Cursor::new(name).chain(input)), stream));
        }
        complain(&note("somebody who does not speak the Debug Adapter Protocol was sent away"));
    }
}

/// Reads messages on a thread of its own, so that one of them can come while a program runs.
fn listen(mut input: impl BufRead + Send + 'static) -> Result<Receiver<codec::Incoming>, Failure> {
    let (sender, incoming) = channel();
    let read = move || {
        while let Ok(Some(message)) = codec::read(&mut input) {
            if sender.send(message).is_err() {
                break;
            }
        }
    };
    let started = std::thread::Builder::new().name("client".into()).spawn(read);
    started.map(|_| incoming).map_err(|error| {
        Failure::new(format!("cannot listen to a client: {error}")).help("end some other programs")
    })
}

/// Talks with a user at this terminal, or prints what log points say.
fn here(launch: &mut Launch, flags: &DebugFlags) -> Result<Done, Failure> {
    let interrupt = hemiola_live::first_interrupt().map_err(|error| {
        Failure::new(format!("cannot listen to the system: {error}"))
            .help("raise the number of files that may be open: ulimit -n")
    })?;
    let mut stdout = shown();
    let mut hearing = Hearing { interrupt: &interrupt, out: Vec::new(), tell: Box::new(|_| {}) };
    let status = Ticking::words("starting the replay");
    let opened = match launch.open(&Target::default(), &mut hearing) {
        Ok(opened) => opened,
        Err(reason) => {
            drop(status);
            let refusal = launch.refusal.take();
            return refusal.unwrap_or_else(|| {
                Err(Failure::new(reason).help("see what there is: hemiola runs list"))
            });
        }
    };
    let started = Session::start(opened.replica, &mut hearing);
    drop(status);
    complain(&opened.notes);
    let started = started.map_err(|trouble| broken(&trouble))?;
    hearing.tell = on_its_way(opened.inputs);
    // What is printed before the first statement is printed first.
    let _ = stdout.write_all(&hearing.out);
    let done = |code: u8, notes: String| Ok(Done::noted(notes, code));
    let mut session = match started {
        Ok(session) => session,
        Err(end) => return done(end.code, end.trouble.unwrap_or_default()),
    };
    let program = opened.program.as_deref().and_then(|path| opened.sources.by_path(path));
    if let (Some((_, source)), true) = (program, flags.log.is_empty()) {
        hearing.out.clear();
        let entered = session.enter(source, &opened.sources, &mut hearing);
        (hearing.tell)(None);
        let _ = stdout.write_all(&hearing.out);
        entered.map_err(|trouble| broken(&trouble))?;
    }
    if flags.log.is_empty() {
        converse(&mut session, &opened.sources, &interrupt, &mut stdout, hearing.tell)
    } else {
        let log = &flags.log;
        let sources = &opened.sources;
        let logged =
            terminal::log(&mut session, sources, log, &interrupt, &mut stdout, hearing.tell);
        let _ = stdout.flush();
        match logged {
            Ok(end) => done(end.code, end.trouble.unwrap_or_default()),
            Err(reason) => Err(Failure::new(reason).help("write --log 'FILE:LINE EXPR'")),
        }
    }
}

/// Talks with a user until one of both wants no more.
fn converse(
    session: &mut Session<Process>,
    sources: &Sources,
    interrupt: &Arc<AtomicBool>,
    stdout: &mut dyn Write,
    tell: Tell,
) -> Result<Done, Failure> {
    let is_terminal = io::stdin().is_terminal();
    let mut input = io::stdin().lock();
    let talked =
        terminal::converse(session, sources, &mut input, stdout, is_terminal, interrupt, tell);
    let trouble = session.end().and_then(|end| end.trouble.as_ref().map(|_| end.code));
    match talked {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(broken(&error)),
        _ => Ok(Done::silent(trouble.unwrap_or(0))),
    }
}

/// A line that says how far a run is on its way, until it has arrived. Its recording has so many inputs.
fn on_its_way(inputs: u64) -> Tell {
    let mut begun: Option<(Status, Way)> = None;
    Box::new(move |way| {
        let Some(Way { step, until, inputs: taken }) = way.copied() else {
            begun = None;
            return;
        };
        let (status, from) =
            begun.get_or_insert_with(|| (Status::new(), Way { step, until, inputs: taken }));
        let line = |of: Option<u64>| {
            let of = of.map_or(String::new(), |of| format!(" of {of}"));
            move || format!("running, step {step}{of}")
        };
        match until {
            Some(until) => {
                let [done, total] = [step, until].map(|step| step.saturating_sub(from.step));
                status.share(done, total, line(Some(until)));
            }
            None => {
                let [done, total] = [taken, inputs].map(|input| input.saturating_sub(from.inputs));
                status.share(done, total, line(None));
            }
        }
    })
}

/// A session that cannot go on.
fn broken(trouble: &dyn std::fmt::Display) -> Failure {
    Failure::new(trouble.to_string()).help("start the debugger again")
}

/// Hears a program until there is a session.
struct Hearing<'a> {
    interrupt: &'a Arc<AtomicBool>,
    out: Vec<u8>,
    /// Who is told how far it is.
    tell: Tell,
}

impl Listener for Hearing<'_> {
    fn printed(&mut self, _: bool, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn hit(&mut self, _: model::Hit) {}

    fn wish(&mut self, way: &Way) -> Wish {
        (self.tell)(Some(way));
        if self.interrupt.swap(false, Ordering::Relaxed) { Wish::Pause } else { Wish::GoOn }
    }
}
