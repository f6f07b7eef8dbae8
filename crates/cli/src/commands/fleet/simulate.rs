//! `hemiola fleet simulate`: a fleet in virtual time, for one seed or many.

use super::again;
use super::file::{self, Description, Troubles};
use super::joint;
use super::judge::{self, Verdict};
use super::once::{self, Conditions, Shown, Which, Wishes};
use super::small::small;
use crate::args::{FleetSimulateArgs, Format};
use crate::commands::property::Property;
use crate::commands::running::world;
use crate::commands::searching::threads;
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::input;
use crate::progress::Status;
use crate::report::Failure;
use crate::shell;
use hemiola_gate::Stop;
use hemiola_live::{SystemTree, spawn, stack_room};
use hemiola_machine::{Delay, Instant};
use hemiola_trace::joined::Header;
use hemiola_world::Frozen;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// What evaluates a module and shows its default export.
const EXPORTED: &str = "
const { default: fleet } = await import(JSON.parse((await process.stdin.toArray()).join('')));
process.stdout.write(JSON.stringify(typeof fleet === 'function' ? await fleet() : fleet) ?? 'null');
";

pub(super) fn run(args: &FleetSimulateArgs) -> Result<Done, Failure> {
    let disk = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
    let description = read(&args.file, &disk)?;
    let troubles = match &args.faults {
        Some(text) => description.read_faults(text)?,
        None => description.faults.clone(),
    };
    let (stop, _live) = world(args.time)?;
    let until = args.until.unwrap_or_else(|| description.end());
    let hosts = description.chosen(args.hosts.as_deref())?;
    let wanted = Wanted::of(args);
    let property = args.spec.as_deref().map(Property::given).transpose()?;
    let study =
        Arc::new(Study { description, troubles, hosts, until, disk, property, stop, args: wanted });
    match args.seeds {
        None => study.one(args),
        Some(seeds) => study.many(seeds.first, seeds.last, threads(args.jobs)),
    }
}

/// What of the command line is needed while runs go on.
struct Wanted {
    file: PathBuf,
    format: Format,
    shrink: Delay,
}

impl Wanted {
    fn of(args: &FleetSimulateArgs) -> Self {
        Self { file: args.file.clone(), format: args.format, shrink: args.shrink }
    }
}

/// Reads a fleet.
pub(super) fn read(path: &Path, disk: &Arc<Frozen>) -> Result<Description, Failure> {
    let name = path.display().to_string();
    let value = if input::is_javascript(path) {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if !whole.is_file() {
            return Err(Failure::new(format!("cannot read `{name}`: there is no such file"))
                .help("give the path of a fleet"));
        }
        let said = judge::run_text(EXPORTED, json!(whole.display().to_string()).to_string(), disk)?;
        serde_json::from_str(&said).map_err(|_| {
            Failure::new(format!("{name}: it has no default export that can be written as JSON"))
                .help(format!("see what it says: hemiola run {name}"))
        })?
    } else {
        file::json(path)?
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = std::path::absolute(folder.unwrap_or(Path::new("."))).unwrap_or_default();
    Description::read(&value, &name, &folder)
}

/// A fleet and what is to be found out about it.
pub(super) struct Study {
    description: Description,
    troubles: Troubles,
    /// Which hosts are there.
    hosts: Vec<usize>,
    until: Delay,
    disk: Arc<Frozen>,
    property: Option<Property>,
    stop: Stop,
    args: Wanted,
}

/// What became of a seed.
struct Tried {
    conditions: Conditions,
    verdict: Option<Verdict>,
    shown: Shown,
}

/// A failing seed.
struct Failing {
    conditions: Conditions,
    verdict: Verdict,
    small: Option<(Conditions, Verdict)>,
}

impl Tried {
    /// What is kept of it, if it failed.
    fn failing(self) -> Option<Failing> {
        let Self { conditions, verdict, .. } = self;
        verdict.map(|verdict| Failing { conditions, verdict, small: None })
    }
}

impl Study {
    /// The fleet of a joined trace, with what went wrong there. Its file is where it was, or beside the trace.
    pub(super) fn of_trace(trace: &str, header: &Header) -> Result<Self, Failure> {
        let disk = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
        let beside = Path::new(trace).parent().map(|folder| folder.join(&header.fleet));
        let file = PathBuf::from(&header.fleet);
        let file = beside.filter(|beside| !file.is_file() && beside.is_file()).unwrap_or(file);
        let description = read(&file, &disk)?;
        let faults = match header.faults.is_empty() {
            true => "none".to_owned(),
            false => header.faults.join("; "),
        };
        let troubles = description.read_faults(&faults)?;
        let names: Vec<String> = header.hosts.iter().map(|host| host.name.clone()).collect();
        let hosts = description.chosen(Some(&names))?;
        let (stop, _live) = world(None)?;
        let args = Wanted { file, format: Format::Text, shrink: Delay::ZERO };
        let (until, property) = (header.until, None);
        Ok(Self { description, troubles, hosts, until, disk, property, stop, args })
    }

    pub(super) fn description(&self) -> &Description {
        &self.description
    }

    /// Runs it once.
    pub(super) fn run(&self, conditions: &Conditions, wishes: &Wishes) -> Result<Shown, Failure> {
        once::run(&self.description, conditions, &self.disk, wishes, &self.stop)
    }

    pub(super) fn conditions(&self, seed: u64) -> Conditions {
        let all = self.description.hosts.len();
        let mut faults = self.troubles.given.clone();
        faults.extend(self.troubles.rates.draw(seed, all, self.until));
        faults.sort_by_key(|fault| fault.at);
        let faults = self.description.among(&faults, &self.hosts);
        Conditions { seed, faults, until: self.until, hosts: self.hosts.clone() }
    }

    fn try_once(&self, conditions: Conditions, wishes: &Wishes) -> Result<Tried, Failure> {
        let shown = self.run(&conditions, wishes)?;
        let verdict = match self.stop.asked() {
            Some(_) => None,
            None => {
                let property = self.property.as_ref();
                judge::verdict(&self.description, &conditions, &shown, property, &self.disk)?
            }
        };
        Ok(Tried { conditions, verdict, shown })
    }

    /// One seed, with what the programs print.
    fn one(&self, args: &FleetSimulateArgs) -> Result<Done, Failure> {
        let print = args.format == Format::Text;
        let conditions = self.conditions(args.seed);
        let trace = args.trace.is_some();
        let trace = trace.then(|| joint::header(&args.file, &self.description, &conditions));
        let tried = self.try_once(
            conditions,
            &Wishes { print, trace, record: args.record.then_some(Which::All) },
        )?;
        if let Some(path) = &args.trace {
            joint::write(path, &tried.shown.trace)?;
        }
        let recorded = again::kept(&tried.shown.recorded);
        let (events, end) = (tried.shown.events, tried.shown.outcome.end);
        let failing = self.made_small(tried.failing().into_iter().collect(), &mut Status::new())?;
        let done = self.report(1, false, failing, end.since(Instant::ZERO).as_millis(), events)?;
        Ok(Done { notes: recorded + &done.notes, ..done })
    }

    /// Many seeds, side by side.
    fn many(self: &Arc<Self>, first: u64, last: u64, jobs: usize) -> Result<Done, Failure> {
        let next = Arc::new(AtomicU64::new(first));
        let (sender, results) = mpsc::channel();
        for _ in 0..jobs {
            let (study, next, sender) = (Arc::clone(self), Arc::clone(&next), sender.clone());
            let work = move || {
                while study.stop.asked().is_none() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > last || seed < first {
                        break;
                    }
                    let tried = study.try_once(study.conditions(seed), &Wishes::default());
                    let is_over = tried.is_err();
                    if sender.send(tried).is_err() || is_over {
                        break;
                    }
                }
            };
            spawn(stack_room(), work).map_err(|fault| {
                Failure::new(format!("cannot start a thread: {fault:?}"))
                    .help("raise the number of threads that may run: ulimit -u")
            })?;
        }
        drop(sender);
        let mut status = Status::new();
        let (mut count, mut virtual_ms, mut events) = (0, 0, 0);
        let mut failed = Vec::new();
        for tried in results {
            let tried = tried?;
            if self.stop.asked().is_some() {
                continue;
            }
            count += 1;
            virtual_ms += tried.shown.outcome.end.since(Instant::ZERO).as_millis();
            events += tried.shown.events;
            failed.extend(tried.failing());
            let (total, failing) = (last - first + 1, failed.len());
            status.line(|| format!("seeds {count} of {total}, failing {failing}"));
        }
        failed.sort_by_key(|one: &Failing| one.conditions.seed);
        let is_early = count < last - first + 1;
        let failing = self.made_small(failed, &mut status)?;
        drop(status);
        self.report(count, is_early, failing, virtual_ms, events)
    }

    /// Some failing runs; of each kind of failure, one is made small.
    fn made_small(
        &self,
        mut all: Vec<Failing>,
        status: &mut Status,
    ) -> Result<Vec<Failing>, Failure> {
        // Those with the fewest faults become small soonest.
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&at| (all[at].conditions.faults.len(), all[at].conditions.seed));
        let mut known: Vec<Verdict> = Vec::new();
        for at in order {
            if known.iter().any(|verdict| verdict.is_like(&all[at].verdict)) {
                continue;
            }
            known.push(all[at].verdict.clone());
            let limit = Duration::from_micros(self.args.shrink.as_micros());
            let began = status.now();
            let mut runs = 0;
            let found = small(&all[at].conditions, &all[at].verdict, |conditions| {
                if self.stop.asked().is_some() || status.now().duration_since(began) >= limit {
                    return Ok(None);
                }
                runs += 1;
                status.line(|| format!("making seed {} small, run {runs}", conditions.seed));
                let tried = self.try_once(conditions.clone(), &Wishes::default())?;
                Ok(Some(tried.verdict))
            })?;
            all[at].small = Some(found);
        }
        Ok(all)
    }

    fn written(&self, conditions: &Conditions) -> Vec<String> {
        let names: Vec<String> =
            conditions.hosts.iter().map(|&at| self.description.hosts[at].name.clone()).collect();
        conditions.faults.iter().map(|fault| fault.written(&names)).collect()
    }

    /// The line that runs a small failing run again.
    fn repeat(&self, conditions: &Conditions) -> String {
        let faults = self.written(conditions);
        let faults = if faults.is_empty() { "none".to_owned() } else { faults.join("; ") };
        let mut line = format!(
            "hemiola fleet simulate {} --seed {} --faults '{faults}'",
            self.args.file.display(),
            conditions.seed
        );
        if conditions.until != self.description.end() {
            let _ = write!(line, " --until {}ms", conditions.until.as_millis());
        }
        if conditions.hosts.len() < self.description.hosts.len() {
            let names: Vec<&str> = conditions
                .hosts
                .iter()
                .map(|&at| self.description.hosts[at].name.as_str())
                .collect();
            let _ = write!(line, " --hosts {}", names.join(","));
        }
        if let Some(property) = &self.property {
            let words = ["--spec".into(), property.text.clone().into()];
            let _ = write!(line, " {}", shell::line(words));
        }
        line
    }

    fn report(
        &self,
        seeds: u64,
        is_early: bool,
        failing: Vec<Failing>,
        virtual_ms: u64,
        events: u64,
    ) -> Result<Done, Failure> {
        let code = match (failing.is_empty(), is_early) {
            (false, _) => FOUND,
            (true, true) => STOPPED,
            (true, false) => 0,
        };
        let output = match self.args.format {
            Format::Json => {
                let all: Vec<Value> = failing.iter().map(|one| self.json(one)).collect();
                let object = json!({
                    "version": 1,
                    "seeds": seeds,
                    "failing": all,
                    "virtual_ms": virtual_ms,
                    "events": events,
                });
                format!("{object}\n")
            }
            Format::Text => self.text(seeds, is_early, &failing, virtual_ms, events),
        };
        Ok(Done::with(output, code))
    }

    fn json(&self, one: &Failing) -> Value {
        let small = one.small.as_ref().map_or(&one.conditions, |(small, _)| small);
        json!({
            "seed": one.conditions.seed,
            "why": one.verdict.why,
            "host": one.verdict.host,
            "at_ms": one.verdict.at.as_millis(),
            "faults": self.written(&one.conditions),
            "small": { "seed": small.seed, "faults": self.written(small) },
            "repeat": self.repeat(small),
        })
    }

    fn text(
        &self,
        seeds: u64,
        is_early: bool,
        failing: &[Failing],
        virtual_ms: u64,
        events: u64,
    ) -> String {
        const LISTED: usize = 20;
        let s = |count: u64| if count == 1 { "" } else { "s" };
        let mut text = String::new();
        for one in failing.iter().take(LISTED) {
            let at = one.verdict.at.as_micros() as f64 / 1e6;
            let host =
                one.verdict.host.as_ref().map_or(String::new(), |host| format!(" on {host}"));
            let _ = writeln!(
                text,
                "seed {} fails at {at:.3} s{host}: {}",
                one.conditions.seed, one.verdict.why
            );
            if let Some((small, verdict)) = &one.small {
                let faults = self.written(small);
                let count = faults.len();
                let of = one.conditions.faults.len();
                let _ = writeln!(
                    text,
                    "  small: {count} of {of} faults, {} of {} hosts, at {:.3} s",
                    small.hosts.len(),
                    one.conditions.hosts.len(),
                    verdict.at.as_micros() as f64 / 1e6
                );
                for fault in &faults {
                    let _ = writeln!(text, "    {fault}");
                }
                let _ = writeln!(text, "  repeat: {}", self.repeat(small));
            }
        }
        if failing.len() > LISTED {
            let _ = writeln!(text, "and {} more", failing.len() - LISTED);
        }
        let count = failing.len() as u64;
        let result = match count {
            0 => "no failure".to_owned(),
            _ => format!("{count} failing"),
        };
        let early = if is_early { ", stopped early" } else { "" };
        let hours = virtual_ms as f64 / 3_600_000.0;
        let _ = writeln!(
            text,
            "{seeds} seed{}, {result}{early}; {hours:.2} hours of virtual time, {events} events",
            s(seeds)
        );
        text
    }
}
