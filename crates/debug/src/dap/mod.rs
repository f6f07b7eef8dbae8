//! The Debug Adapter Protocol.
//!
//! One client, one run. Requests are answered in the order in which they come; while the program runs,
//! only a pause and the end of the session come first.

mod breaks;
pub mod codec;
mod inspect;
mod outbox;
mod progress;
mod show;

use crate::launch::{Launcher, Opened, Target};
use crate::model::{Hit, Place, Reason, Watched};
use crate::replica::{Listener, Trouble, Way, Wish};
use crate::session::{Session, Verb};
use crate::sources::Sources;
use breaks::Asked;
use codec::Incoming;
use outbox::{Inbox, Outbox};
use serde_json::{Value, json};
use show::Lines;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::mpsc::Receiver;

/// How many lines of log points are shown; a run may have millions.
const MOST_LINES: usize = 100_000;

/// Serves a client until it leaves. One that comes through a port has to know the `token`, if there is one: whoever
/// does not say it when it launches is sent away, and before that is told nothing but what a debugger can do.
pub fn serve<L: Launcher>(
    launcher: L,
    token: Option<String>,
    incoming: Receiver<Incoming>,
    output: Box<dyn Write>,
) {
    let mut server = Server {
        launcher,
        token,
        inbox: Inbox::new(incoming),
        out: Outbox::new(output),
        state: State::Fresh,
        sources: None,
        lines: Lines { line: 1, column: 1 },
        is_configured: false,
        is_launched: false,
        stop_on_entry: false,
        has_stopped: false,
        program: None,
        asked: Asked::default(),
        logged: BTreeSet::new(),
        paths: BTreeMap::new(),
        watchable: BTreeMap::new(),
        is_over: false,
    };
    while let Some(incoming) = server.inbox.next() {
        server.take(incoming);
        if server.is_over || server.out.is_closed {
            break;
        }
    }
}

struct Server<L: Launcher> {
    launcher: L,
    /// What the client has yet to say.
    token: Option<String>,
    inbox: Inbox,
    out: Outbox,
    state: State<L::Replica>,
    sources: Option<Sources>,
    lines: Lines,
    is_configured: bool,
    is_launched: bool,
    stop_on_entry: bool,
    /// Whether the client has been told of a stop.
    has_stopped: bool,
    /// The file that the program is.
    program: Option<String>,
    /// Breakpoints as the client last asked for them.
    asked: Asked,
    /// Log points that have printed already.
    logged: BTreeSet<(Place, String, Option<String>)>,
    /// What the references of variables stand for: a frame, and an expression there.
    paths: BTreeMap<u64, (u32, String)>,
    /// What tells of changes of variables, by the reference of what they are in and their name.
    watchable: BTreeMap<(u64, String), Watched>,
    is_over: bool,
}

/// How far a session has come.
enum State<R> {
    /// There is no run yet.
    Fresh,
    /// There is one, and the program stands at its first statement or further on.
    Standing(Box<Session<R>>),
    /// The program had no statement at all.
    Empty(u8),
}

/// Answers are bodies of responses, or why there is none.
type Answered = Result<Value, String>;

impl<L: Launcher> Server<L> {
    fn take(&mut self, incoming: Incoming) {
        let request = match incoming {
            Incoming::Message(message) if message["type"] == "request" => message,
            // Nothing was asked of the client.
            Incoming::Message(message) if message["type"] == "response" => return,
            Incoming::Message(message) => {
                return self.out.response(&message, Err("that is not a request".into()));
            }
            Incoming::Bad(reason) => {
                return self
                    .out
                    .response(&Value::Null, Err(format!("cannot read a message: {reason}")));
            }
        };
        let command = request["command"].as_str().unwrap_or("").to_owned();
        let arguments = request["arguments"].clone();
        if !self.admits(&command, &arguments) {
            let reason = "this needs the token that `hemiola debug --port` printed, as \"token\" of launch or attach";
            self.is_over = true;
            return self.out.response(&request, Err(reason.into()));
        }
        match command.as_str() {
            "initialize" => self.initialize(&request, &arguments),
            "launch" | "attach" => self.launch(&request, &arguments),
            "configurationDone" => {
                self.is_configured = true;
                self.out.response(&request, Ok(json!({})));
                self.begin();
            }
            "disconnect" => {
                self.is_over = true;
                self.state = State::Fresh;
                self.out.response(&request, Ok(json!({})));
            }
            "terminate" => {
                self.out.response(&request, Ok(json!({})));
                self.terminate();
            }
            "restart" => {
                self.moved(&request, |session| Verb::Goto(session.entry()));
            }
            "continue" if self.is_at_end() => {
                self.out.response(&request, Ok(json!({ "allThreadsContinued": true })));
                self.terminate();
            }
            "continue" => self.moved(&request, |_| Verb::Continue),
            "next" => self.moved(&request, |_| Verb::Next),
            "stepIn" => self.moved(&request, |_| Verb::StepIn),
            "stepOut" => self.moved(&request, |_| Verb::StepOut),
            "stepBack" => self.moved(&request, |_| Verb::Back),
            "reverseContinue" => self.moved(&request, |_| Verb::ReverseContinue),
            "hemiola/reverseContinueChain" => {
                self.moved(&request, |_| Verb::ReverseContinueChain);
            }
            "hemiola/stepBackInto" => self.moved(&request, |_| Verb::BackInto),
            "hemiola/stepBackOut" => self.moved(&request, |_| Verb::BackOut),
            "hemiola/reverseToLink" => self.moved(&request, |_| Verb::Link),
            "hemiola/reverseToCause" => self.moved(&request, |_| Verb::Cause),
            "hemiola/goto" => match arguments["step"].as_u64() {
                Some(step) => self.moved(&request, |_| Verb::Goto(step)),
                None => {
                    self.out.response(&request, Err("`step` must be a position: a number".into()))
                }
            },
            // It stands still already.
            "pause" => self.out.response(&request, Ok(json!({}))),
            "setBreakpoints" => {
                self.open_early();
                let answer = self.set_breakpoints(&arguments);
                self.out.response(&request, answer);
                self.recount();
            }
            _ => {
                let answer = self.answer(&command, &arguments);
                self.out.response(&request, answer);
            }
        }
    }

    /// Requests that change nothing but what they answer.
    fn answer(&mut self, command: &str, arguments: &Value) -> Answered {
        match command {
            "threads" => Ok(json!({ "threads": [{ "id": 1, "name": "main" }] })),
            "setExceptionBreakpoints" => self.set_exceptions(arguments),
            "setDataBreakpoints" => self.set_data_breakpoints(arguments),
            "dataBreakpointInfo" => self.data_breakpoint_info(arguments),
            "breakpointLocations" => self.breakpoint_locations(arguments),
            "stackTrace" => self.stack_trace(arguments),
            "scopes" => self.scopes(arguments),
            "variables" => self.variables(arguments),
            "evaluate" => self.evaluate(arguments),
            "exceptionInfo" => self.exception_info(),
            "loadedSources" => Ok(self.loaded_sources()),
            "source" => self.source(arguments),
            "hemiola/where" => {
                let session = self.session()?;
                Ok(show::stopped(session.at(), session.reason(), session.end()))
            }
            "cancel" => Ok(json!({})),
            "" => Err("a request has a command".into()),
            other => Err(format!("there is no request `{other}`")),
        }
    }

    /// Whether a client may ask that. Its token counts once.
    fn admits(&mut self, command: &str, arguments: &Value) -> bool {
        let Some(token) = &self.token else { return true };
        match command {
            "initialize" | "disconnect" => true,
            "launch" | "attach" if arguments["token"].as_str() == Some(token) => {
                self.token = None;
                self.out.event("initialized", json!({}));
                true
            }
            _ => false,
        }
    }

    fn initialize(&mut self, request: &Value, arguments: &Value) {
        let from = |name: &str| u32::from(arguments[name] != false);
        self.lines = Lines { line: from("linesStartAt1"), column: from("columnsStartAt1") };
        self.out.progress.is_wanted = arguments["supportsProgressReporting"] == true;
        self.out.response(request, Ok(show::capabilities()));
        // Breakpoints are of interest once it is clear who asks for them.
        if self.token.is_none() {
            self.out.event("initialized", json!({}));
        }
    }

    fn launch(&mut self, request: &Value, arguments: &Value) {
        let text = |name: &str| arguments[name].as_str().map(str::to_owned);
        let words = arguments["args"].as_array().cloned().unwrap_or_default();
        let target = Target {
            run: text("run"),
            program: text("program"),
            args: words
                .iter()
                .map(|word| word.as_str().map_or(word.to_string(), str::to_owned))
                .collect(),
            cwd: text("cwd"),
            schedule: text("schedule"),
        };
        self.stop_on_entry = arguments["stopOnEntry"] == true;
        if matches!(self.state, State::Fresh)
            && let Err(reason) = self.open(&target)
        {
            self.out.response(request, Err(reason));
            self.terminate();
            return;
        }
        self.is_launched = true;
        self.out.response(request, Ok(json!({})));
        self.begin();
    }

    /// What the command line names is opened when it is first needed.
    fn open_early(&mut self) {
        if matches!(self.state, State::Fresh) && self.launcher.knows_target() {
            // What is wrong with it is told to whoever launches it.
            let _ = self.open(&Target::default());
        }
    }

    fn open(&mut self, target: &Target) -> Result<(), String> {
        let mut ear = Ear { inbox: &mut self.inbox, out: &mut self.out };
        let Opened { replica, sources, program, notes, inputs } =
            self.launcher.open(target, &mut ear)?;
        ear.out.progress.inputs = inputs;
        if !notes.is_empty() {
            ear.out.output("console", &notes);
        }
        self.sources = Some(sources);
        self.program = program;
        self.state =
            match Session::start(replica, &mut ear).map_err(|trouble| trouble.to_string())? {
                Ok(session) => State::Standing(Box::new(session)),
                Err(end) => {
                    if let Some(trouble) = end.trouble {
                        return Err(trouble);
                    }
                    State::Empty(end.code)
                }
            };
        drop(ear);
        self.resolve_breakpoints();
        Ok(())
    }

    /// Runs to the first position that counts, once the client has said everything.
    fn begin(&mut self) {
        if !self.is_configured || !self.is_launched {
            return;
        }
        match &self.state {
            State::Fresh => return,
            State::Empty(_) => return self.terminate(),
            State::Standing(_) => {}
        }
        self.out.event("thread", json!({ "reason": "started", "threadId": 1 }));
        self.recount();
        if self.stop_on_entry {
            return self.enter();
        }
        let State::Standing(session) = &mut self.state else { return };
        if session.is_hit_at_first() {
            self.tell_stop();
        } else {
            self.go(Verb::Continue);
        }
    }

    /// Goes to the first statement of the program's own file.
    fn enter(&mut self) {
        let State::Standing(session) = &mut self.state else { return };
        let source = self.sources.as_ref().zip(self.program.as_deref());
        let source = source.and_then(|(all, path)| Some((all.by_path(path)?.1, all)));
        let mut ear = Ear { inbox: &mut self.inbox, out: &mut self.out };
        let entered = source.map_or(Ok(()), |(source, all)| session.enter(source, all, &mut ear));
        drop(ear);
        match entered {
            Err(Trouble::Left) => return,
            Err(trouble) => self.out.output("important", &format!("{trouble}\n")),
            Ok(()) => {}
        }
        self.tell_stop();
    }

    fn session(&mut self) -> Result<&mut Session<L::Replica>, String> {
        match &mut self.state {
            State::Standing(session) => Ok(session),
            State::Fresh => Err("there is no run yet: launch or attach first".into()),
            State::Empty(_) => Err("the program has no statement".into()),
        }
    }

    fn is_at_end(&self) -> bool {
        matches!(&self.state, State::Standing(session) if *session.reason() == Reason::End)
    }

    /// Answers a request to move, and moves.
    fn moved(&mut self, request: &Value, verb: impl FnOnce(&Session<L::Replica>) -> Verb) {
        let verb = match self.session() {
            Err(reason) => return self.out.response(request, Err(reason)),
            Ok(session) => verb(session),
        };
        if let Ok(Err(trouble)) = self.session().map(|session| session.check(verb)) {
            return self.out.response(request, Err(trouble.to_string()));
        }
        self.out.response(request, Ok(json!({ "allThreadsContinued": true })));
        self.go(verb);
    }

    /// Moves, and tells where to.
    fn go(&mut self, verb: Verb) {
        let State::Standing(session) = &mut self.state else { return };
        self.paths.clear();
        self.watchable.clear();
        let mut ear = Ear { inbox: &mut self.inbox, out: &mut self.out };
        let gone = session.go(verb, &mut ear);
        drop(ear);
        match gone {
            Ok(()) => self.tell_stop(),
            // The request that says so is still to be answered.
            Err(Trouble::Left) => {}
            Err(trouble) => {
                self.out.output("important", &format!("{trouble}\n"));
                self.tell_stop();
            }
        }
    }

    fn tell_stop(&mut self) {
        let State::Standing(session) = &self.state else { return };
        let body = show::stopped(session.at(), session.reason(), session.end());
        let trouble = session.end().and_then(|end| end.trouble.clone());
        if let (Some(trouble), Reason::End) = (trouble, session.reason()) {
            self.out.output("important", &format!("{trouble}\n"));
        }
        self.out.event("stopped", body);
        if !std::mem::replace(&mut self.has_stopped, true)
            && let Err(reason) = self.keep_to_chain()
        {
            self.out.output("important", &format!("{reason}\n"));
        }
    }

    fn terminate(&mut self) {
        let code = match &self.state {
            State::Standing(session) => session.end().map(|end| end.code),
            State::Empty(code) => Some(*code),
            State::Fresh => None,
        };
        self.state = State::Fresh;
        if let Some(code) = code {
            self.out.event("exited", json!({ "exitCode": code }));
        }
        self.out.event("terminated", json!({}));
    }

    /// Finds out at which positions breakpoints with a count stop, and lets new log points print.
    fn recount(&mut self) {
        if !self.is_configured {
            return;
        }
        let State::Standing(session) = &mut self.state else { return };
        let mut ear = Ear { inbox: &mut self.inbox, out: &mut self.out };
        let counted = session.count_hits(&mut ear);
        drop(ear);
        if let Err(trouble) = counted {
            self.out.output("important", &format!("{trouble}\n"));
            return;
        }
        let is_new = |place: &Place, log: &String, condition: &Option<String>| {
            !self.logged.contains(&(place.clone(), log.clone(), condition.clone()))
        };
        let points: Vec<_> = session
            .breakpoints
            .iter()
            .filter(|(point, _)| {
                point.log.as_ref().is_some_and(|log| is_new(&point.place, log, &point.condition))
            })
            .map(|(point, _)| point.clone())
            .collect();
        // What is not asked for any more may be asked for again.
        let current = session.breakpoints.iter().filter_map(|(point, _)| {
            Some((point.place.clone(), point.log.clone()?, point.condition.clone()))
        });
        self.logged = current.collect();
        if points.is_empty() {
            return;
        }
        let mut logging = Logging {
            ear: Ear { inbox: &mut self.inbox, out: &mut self.out },
            sources: self.sources.as_ref(),
            lines: self.lines,
            left: MOST_LINES,
        };
        let surveyed = session.survey(points, false, &mut logging);
        drop(logging);
        if let Err(trouble) = surveyed
            && trouble != Trouble::Left
        {
            self.out.output("important", &format!("{trouble}\n"));
        }
    }
}

/// Hears a run for a client.
struct Ear<'a> {
    inbox: &'a mut Inbox,
    out: &'a mut Outbox,
}

impl Listener for Ear<'_> {
    fn printed(&mut self, err: bool, text: &str) {
        self.out.output(if err { "stderr" } else { "stdout" }, text);
    }

    fn hit(&mut self, _: Hit) {}

    fn wish(&mut self, way: &Way) -> Wish {
        self.out.is_at(way);
        if self.is_leaving() {
            return Wish::Leave;
        }
        match self.inbox.take("pause") {
            Some(request) => {
                self.out.response(&request, Ok(json!({})));
                Wish::Pause
            }
            None => Wish::GoOn,
        }
    }

    fn is_leaving(&mut self) -> bool {
        self.inbox.look();
        self.out.is_closed || self.inbox.is_leaving()
    }
}

impl Drop for Ear<'_> {
    fn drop(&mut self) {
        self.out.has_arrived();
    }
}

/// Shows what log points say.
struct Logging<'a> {
    ear: Ear<'a>,
    sources: Option<&'a Sources>,
    lines: Lines,
    left: usize,
}

impl Listener for Logging<'_> {
    fn printed(&mut self, _: bool, _: &str) {}

    fn hit(&mut self, hit: Hit) {
        match self.left {
            0 => return,
            1 => self.ear.out.output("important", "log points say more than is shown here\n"),
            _ => {
                let text = format!("[{}] {}\n", hit.step, hit.text.unwrap_or_default());
                self.ear.out.event(
                    "output",
                    json!({
                        "category": "console",
                        "output": text,
                        "source": show::source(self.sources, &hit.place.file),
                        "line": self.lines.line_out(hit.place.line),
                        "column": self.lines.column_out(hit.place.column),
                    }),
                );
            }
        }
        self.left -= 1;
    }

    fn wish(&mut self, way: &Way) -> Wish {
        match self.ear.wish(way) {
            // There is nowhere to stand.
            Wish::Pause => Wish::GoOn,
            wish => wish,
        }
    }

    fn is_leaving(&mut self) -> bool {
        self.ear.is_leaving()
    }
}
