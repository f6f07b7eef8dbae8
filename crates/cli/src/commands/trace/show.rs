//! `hemiola trace show`: events one by one, as they come, so that a pager need not wait for the end.

use super::super::facts::Facts;
use super::super::traced::{self, Refusal};
use super::lines::Lines;
use crate::args::{Format, TraceFilter, TraceShowArgs};
use crate::console::shown;
use crate::done::Done;
use crate::report::Failure;
use hemiola_lineage::{Requests, tables};
use hemiola_machine::{Class, Event, Instant, Invocation, Sink};
use hemiola_trace::{FleetFact, joined, wire};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

pub(super) fn run(args: &TraceShowArgs) -> Result<Done, Refusal> {
    let members = match &args.filter.request {
        None => None,
        Some(request) => Some(members(args, request)?),
    };
    let mut opened = traced::open(&args.run)?;
    // Whoever sees the lines sees how far it is.
    if !io::stdout().is_terminal() {
        opened = opened.with_status();
    }
    let lines = Lines::new(std::mem::take(&mut opened.sources));
    let is_of_request = members.is_some();
    let show = Rc::new(RefCell::new(Show {
        out: BufWriter::new(shown()),
        format: args.format,
        lines,
        sieve: Sieve::new(&args.filter, members),
        pending: None,
        result: Ok(()),
    }));
    if args.format == Format::Json {
        let mut show = show.borrow_mut();
        show.result = wire::write(&mut show.out, []);
    }
    let all = Rc::clone(&show);
    let facts = Facts { sites: true, accounts: is_of_request, ..Facts::default() };
    let notes = opened.each(facts, move |event| all.borrow_mut().event(&event));
    let mut show = show.borrow_mut();
    show.flush();
    let result = std::mem::replace(&mut show.result, Ok(())).and_then(|()| show.out.flush());
    match result {
        // Whoever reads it wants no more.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Done::silent(0)),
        Err(error) => {
            let reason = crate::input::reason(&error);
            Err(Failure::new(format!("cannot write the result: {reason}"))
                .help("make room where standard output goes, or send it elsewhere")
                .into())
        }
        Ok(()) => Ok(Done::noted(notes?, 0)),
    }
}

/// The invocations of the requests that are meant, after what there is to say of each.
fn members(args: &TraceShowArgs, request: &str) -> Result<BTreeSet<Invocation>, Refusal> {
    let requests = Rc::new(RefCell::new(Requests::default()));
    let all = Rc::clone(&requests);
    let facts = Facts { accounts: true, ..Facts::default() };
    traced::open(&args.run)?.with_status().each(facts, move |event| {
        all.borrow_mut().event(event);
        ControlFlow::Continue(())
    })?;
    let requests = requests.borrow();
    let meant = requests.meant(request);
    if meant.is_empty() {
        let count = requests.all().len();
        return Err(Failure::new(format!("there is no request `{request}` among {count}"))
            .help(format!("see what there is: hemiola lineage --requests {}", args.run))
            .into());
    }
    if args.format == Format::Text {
        let facts: String =
            meant.iter().map(|one| tables::request(one, requests.told) + "\n").collect();
        // A reader who wants no more is noticed with the events.
        let _ = shown().write_all(facts.as_bytes());
    }
    Ok(meant.iter().flat_map(|one| one.invocations.iter().copied()).collect())
}

struct Show {
    out: BufWriter<Box<dyn Write>>,
    format: Format,
    lines: Lines,
    sieve: Sieve,
    pending: Option<Pending>,
    result: io::Result<()>,
}

/// The line before, to which a place may be added.
struct Pending {
    /// What is searched.
    line: String,
    /// What is shown: its number and time before it, or its objects.
    shown: String,
}

impl Show {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        if let Event::Site(place) = event {
            let place = self.lines.site(place);
            if let Some(pending) = &mut self.pending {
                pending.line.push_str(&place);
                match self.format {
                    Format::Text => pending.shown.push_str(&place),
                    Format::Json => pending.shown.push_str(&self.sieve.object(event)),
                }
            }
            return ControlFlow::Continue(());
        }
        self.flush();
        let is_wanted = self.sieve.takes(event);
        let line = self.lines.line(event);
        if self.result.is_err() || self.sieve.is_over() {
            return ControlFlow::Break(());
        }
        if is_wanted {
            let shown = match self.format {
                Format::Text => {
                    let time = match event {
                        Event::Began { at, .. } | Event::Completed { at, .. } => millis(*at),
                        Event::Fleet(fact) => fact.at().map_or(String::new(), millis),
                        _ => String::new(),
                    };
                    format!("{:>7} {time:>11}  {line}", self.sieve.number)
                }
                Format::Json => self.sieve.object(event),
            };
            self.pending = Some(Pending { line, shown });
        }
        ControlFlow::Continue(())
    }

    /// Writes the line before, now that it is complete.
    fn flush(&mut self) {
        let Some(Pending { line, shown }) = self.pending.take() else { return };
        if self.sieve.has_text(&line) {
            self.sieve.shown += 1;
            let shown = shown.trim_end();
            self.write(|out| writeln!(out, "{shown}"));
        }
    }

    fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if self.result.is_ok() {
            self.result = write(&mut self.out);
        }
    }
}

/// What is wanted of a trace.
struct Sieve {
    class: Option<Class>,
    clock: Option<String>,
    host: Option<String>,
    invocation: Option<Invocation>,
    /// Those of the wanted requests.
    members: Option<BTreeSet<Invocation>>,
    from: Instant,
    until: Option<Instant>,
    grep: Option<String>,
    at: u64,
    count: Option<u64>,
    /// The number of the event, from 1.
    number: u64,
    /// How many were shown.
    shown: u64,
    labels: BTreeMap<u64, String>,
    /// Physical time as far as it is known.
    now: Instant,
    /// What runs, the innermost last.
    running: Vec<Running>,
    /// The program of a fleet whose events these are.
    program: Option<Arc<str>>,
}

#[derive(Clone, Copy)]
struct Running {
    invocation: Invocation,
    class: Option<Class>,
    domain: Option<u64>,
}

impl Sieve {
    fn new(filter: &TraceFilter, members: Option<BTreeSet<Invocation>>) -> Self {
        let instant = |delay: hemiola_machine::Delay| Instant::from_micros(delay.as_micros());
        Self {
            class: filter.class.map(Class::from),
            clock: filter.clock.clone(),
            host: filter.host.clone(),
            invocation: filter.invocation.map(Invocation),
            members,
            from: filter.from.map(instant).unwrap_or_default(),
            until: filter.until.map(instant),
            grep: filter.grep.clone(),
            at: filter.at.unwrap_or_default(),
            count: filter.count,
            number: 0,
            shown: 0,
            labels: BTreeMap::new(),
            now: Instant::default(),
            running: Vec::new(),
            program: None,
        }
    }

    /// Whether nothing more can come.
    fn is_over(&self) -> bool {
        self.count.is_some_and(|count| self.shown >= count)
            || self.until.is_some_and(|until| self.now >= until)
    }

    /// An event as a line of JSON, with its number.
    fn object(&self, event: &Event) -> String {
        let mut object = wire::to_json(event);
        object["event"] = self.number.into();
        format!("{object}\n")
    }

    fn has_text(&self, line: &str) -> bool {
        self.grep.as_ref().is_none_or(|text| line.contains(text))
    }

    /// Counts an event, and says whether it is wanted, whatever its line says.
    fn takes(&mut self, event: &Event) -> bool {
        self.number += 1;
        match event {
            Event::Opened { domain, label, .. } => {
                self.labels.insert(domain.0, label.as_str().to_owned());
            }
            Event::Began { invocation, class, domain, at, .. } => {
                self.now = self.now.max(*at);
                let domain = domain.map(|domain| domain.0);
                self.running = vec![Running { invocation: *invocation, class: *class, domain }];
            }
            Event::Entered { invocation, .. } => {
                let around = self.running.last().copied();
                self.running.push(Running {
                    invocation: *invocation,
                    class: around.and_then(|around| around.class),
                    domain: around.and_then(|around| around.domain),
                });
            }
            Event::Completed { at, .. } => self.now = self.now.max(*at),
            Event::Fleet(fact) => {
                self.now = self.now.max(fact.at().unwrap_or_default());
                if let FleetFact::Turned { name, .. } = fact {
                    self.program = Some(Arc::clone(name));
                    self.running.clear();
                }
            }
            _ => {}
        }
        let is_wanted = self.number >= self.at
            && self.now >= self.from
            && self.until.is_none_or(|until| self.now < until)
            && self.is_of_host(event)
            && self.is_of_class(event)
            && self.is_of_clock(event)
            && self.is_of_invocation();
        if matches!(event, Event::Ended { .. } | Event::Left { .. }) {
            self.running.pop();
        }
        is_wanted
    }

    fn is_of_host(&self, event: &Event) -> bool {
        let Some(wanted) = &self.host else { return true };
        if let Event::Fleet(FleetFact::Fault { hosts, .. }) = event {
            return hosts.iter().any(|host| joined::is_of(wanted, host));
        }
        self.program.as_ref().is_some_and(|program| joined::is_of(program, wanted))
    }

    fn is_of_class(&self, event: &Event) -> bool {
        let Some(wanted) = self.class else { return true };
        let running = self.running.last().and_then(|running| running.class);
        running == Some(wanted) || matches!(event, Event::Queued { class, .. } if *class == wanted)
    }

    fn is_of_clock(&self, event: &Event) -> bool {
        let Some(clock) = &self.clock else { return true };
        let own = match event {
            Event::Opened { domain, .. }
            | Event::Collected { domain }
            | Event::Skipped { domain, .. }
            | Event::Lagged { domain, .. }
            | Event::Released { domain: Some(domain), .. } => Some(domain.0),
            _ => None,
        };
        let running = self.running.last().and_then(|running| running.domain);
        let is_it = |domain: u64| self.labels.get(&domain) == Some(clock);
        own.is_some_and(is_it) || running.is_some_and(is_it)
    }

    fn is_of_invocation(&self) -> bool {
        let running = self.running.last().map(|running| running.invocation);
        let is_among =
            |members: &BTreeSet<Invocation>| running.is_some_and(|one| members.contains(&one));
        self.invocation.is_none_or(|wanted| running == Some(wanted))
            && self.members.as_ref().is_none_or(is_among)
    }
}

/// An instant in milliseconds.
fn millis(at: Instant) -> String {
    let micros = at.as_micros();
    format!("{}.{:03} ms", micros / 1000, micros % 1000)
}
