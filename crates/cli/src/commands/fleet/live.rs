//! `hemiola fleet run`: a fleet as processes of this computer.

use super::file::{self, Description};
use super::judge;
use super::processes::{Crew, Ending, Heard, Plan, Why};
use super::simulate::read;
use crate::args::{FleetRunArgs, Record};
use crate::commands::recordings;
use crate::console::{self, complain};
use crate::done::Done;
use crate::exit::FOUND;
use crate::input::reason;
use crate::report::{self, Failure};
use hemiola_live::fleet::{Addresses, VARIABLE};
use hemiola_live::{SystemTree, asked_to_end, end_by};
use hemiola_machine::Delay;
use hemiola_world::fleet::{Expected, Fault, Kind, Rates, Troubles};
use hemiola_world::{Frozen, Link, Pace};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};

/// How long faults are drawn for where nothing says when the fleet ends.
const DAY: Delay = Delay::from_millis(24 * 3_600_000);

pub(super) fn run(args: &FleetRunArgs) -> Result<Done, Failure> {
    let disk = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
    let description = read(&args.file, &disk)?;
    let troubles = match (&args.faults, args.without_faults) {
        (Some(text), _) => file::read_faults(&description, text)?,
        (None, true) => Troubles::default(),
        (None, false) => description.faults.clone(),
    };
    refuse(&description, &troubles, args)?;
    let hosts = file::chosen(&description, args.hosts.as_deref())?;
    let until = args.until.or(description.until);
    file::bounded(&description, &troubles, until.unwrap_or(DAY))?;
    let Troubles { given, rates } = troubles;
    let faults = rates.beside(&given, args.seed, description.hosts.len(), until.unwrap_or(DAY));
    let faults = description.among(&faults, &hosts);
    let addresses = Addresses::take().map_err(|error| {
        Failure::new(format!("cannot have addresses for the hosts: {}", reason(&error)))
            .help("every fleet takes a network from 127.1.0.0 on; end those that run")
    })?;
    let crew = Crew::new(plans(&description, &hosts, &addresses, args), args.grace);
    let sender = crew.sender();
    asked_to_end(move |signal| drop(sender.send(Heard::Asked(signal)))).map_err(|error| {
        Failure::new(format!("cannot listen to the system: {}", reason(&error)))
            .help("raise the number of files that may be open: ulimit -n")
    })?;
    let mut judge =
        description.invariant.as_ref().map(|path| Judge::begin(path, crew.sender())).transpose()?;
    let mut awaited = description.eventually.clone();
    let ending = crew.run(until, &faults, |plan, at_ms, value| {
        let (host, _) = &plan.host;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        awaited.retain(|expected| !expected.is(host, &text));
        if let Some(judge) = &mut judge {
            judge.show(&judge::shown(host, plan.program, at_ms, &value));
        }
    });
    // What was observed last is judged, too.
    let last = judge.and_then(Judge::end);
    let ending = match (&ending.why, last) {
        (Why::Judged(_), _) | (_, None) => ending,
        (_, Some(said)) => Ending { why: Why::Judged(said), ..ending },
    };
    done(&description, ending, &awaited, args)
}

/// Refuses what only a simulation has, by its name.
fn refuse(
    description: &Description,
    troubles: &Troubles,
    args: &FleetRunArgs,
) -> Result<(), Failure> {
    let mut facts = Vec::new();
    if !args.without_faults {
        facts.extend(network(description));
        facts.extend(clocks(description));
    }
    facts.extend(faults(troubles));
    if facts.is_empty() {
        return Ok(());
    }
    let file = args.file.display();
    let failure =
        Failure::new(format!("{file}: real processes cannot have what the fleet asks for"));
    let failure = facts.into_iter().fold(failure, Failure::fact);
    Err(failure.help(match args.faults.is_some() && args.without_faults {
        true => "of what goes wrong, `crash` and `pause` can be had".into(),
        false => format!("leave it out: hemiola fleet run {file} --without-faults"),
    }))
}

fn network(description: &Description) -> Option<String> {
    let all = [description.link].into_iter().chain(description.links.values().copied());
    let plain = Link::default();
    let mut names: Vec<&str> = all
        .flat_map(|link| {
            let said = [
                ("latency", link.latency != plain.latency),
                ("loss", link.loss > 0.0),
                ("doubled", link.doubled > 0.0),
                ("bandwidth", link.bandwidth.is_some()),
            ];
            said.into_iter().filter_map(|(name, is_said)| is_said.then_some(name))
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| format!("links: {}", names.join(", ")))
}

fn clocks(description: &Description) -> Option<String> {
    let is_wrong = |host: &&file::HostPlan| host.pace != Pace::default() || !host.steps.is_empty();
    let names: Vec<&str> =
        description.hosts.iter().filter(is_wrong).map(|host| host.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("clocks: of {}", names.join(", ")))
}

fn faults(troubles: &Troubles) -> Option<String> {
    let kind = |fault: &Fault| match fault.kind {
        Kind::Crash { .. } | Kind::Pause { .. } => None,
        Kind::Power { .. } => Some("power"),
        Kind::Cut { .. } => Some("cut"),
        Kind::Clock { .. } => Some("clock"),
        Kind::Disk { .. } => Some("disk"),
        Kind::Database { trouble, .. } => Some(trouble.name()),
        Kind::DatabaseClock { .. } => Some("clock"),
    };
    let Rates { crash: _, pause: _, power, cut, clock, disk, restart, drop, slow, deaf } =
        troubles.rates;
    let rates = [
        ("power", power),
        ("cut", cut),
        ("clock", clock),
        ("disk", disk),
        ("restart", restart),
        ("drop", drop),
        ("slow", slow),
        ("deaf", deaf),
    ];
    let mut names: Vec<&str> = troubles.given.iter().filter_map(kind).collect();
    names.extend(rates.iter().filter(|(_, rate)| *rate > 0.0).map(|(name, _)| name));
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| format!("faults: {}", names.join(", ")))
}

/// How each program is started.
fn plans(
    description: &Description,
    hosts: &[usize],
    addresses: &Addresses,
    args: &FleetRunArgs,
) -> Vec<Plan> {
    let tells = description.invariant.is_some() || !description.eventually.is_empty();
    let names: Vec<String> = hosts.iter().map(|&at| description.hosts[at].name.clone()).collect();
    let mut plans = Vec::new();
    for (number, &at) in hosts.iter().enumerate() {
        let host = &description.hosts[at];
        for (program, one) in host.programs.iter().enumerate() {
            let record = args.record.map(|record| match record {
                Record::Always => "--record=always",
                Record::OnFailure => "--record=on-failure",
                Record::Off => "--record=off",
            });
            let words = [Some("run"), record].into_iter().flatten().map(OsString::from);
            let mut env = recordings::variables();
            env.extend(one.env.iter().map(|(name, value)| (name.clone(), value.into())));
            env.push((VARIABLE.into(), addresses.told(&names, number, tells).into()));
            let file = one.program.words.first().map(PathBuf::from).unwrap_or_default();
            let title = file.file_name().map(|name| name.display().to_string());
            plans.push(Plan {
                host: (host.name.clone(), number),
                program,
                title: title.unwrap_or_default(),
                words: words.chain(one.words.iter().map(OsString::from)).collect(),
                env,
                cwd: host.cwd.clone(),
                runs: one.runs,
                tells,
            });
        }
    }
    plans
}

/// Who holds the invariant: a process of its own, which is told what comes.
struct Judge {
    child: Child,
    /// Says what it has said last, when it has ended.
    listener: JoinHandle<Option<Value>>,
}

impl Judge {
    fn begin(path: &Path, sender: Sender<Heard>) -> Result<Self, Failure> {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let begin = || {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(["run", "--record=off", "--input-type=module", "-e", &judge::following()]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0).spawn()
        };
        let mut child = begin().map_err(|error| {
            judge::wrong(path, &format!("no process can be started for it: {}", reason(&error)))
        })?;
        let said = child.stdout.take().expect("it was asked for");
        let listener = thread::spawn(move || {
            let mut last = None;
            for line in BufReader::new(said).lines().map_while(Result::ok) {
                // An invariant may print, too.
                match serde_json::from_str::<Value>(&line) {
                    Ok(answer) if answer.get("own").or(answer.get("why")).is_some() => {
                        let _ = sender.send(Heard::Judged(answer.clone()));
                        last = Some(answer);
                    }
                    _ => drop(console::print(&format!("{line}\n"))),
                }
            }
            last
        });
        let mut judge = Self { child, listener };
        judge.show(&json!(whole.display().to_string()));
        Ok(judge)
    }

    /// Shows it a line. One that has ended has said why.
    fn show(&mut self, what: &Value) {
        if let Some(stdin) = &mut self.child.stdin {
            let _ = stdin.write_all(format!("{what}\n").as_bytes());
        }
    }

    /// What it has to say in the end.
    fn end(mut self) -> Option<Value> {
        drop(self.child.stdin.take());
        let last = self.listener.join().ok().flatten();
        let _ = self.child.wait();
        last
    }
}

/// What is to be said of a fleet that has ended.
fn done(
    description: &Description,
    ending: Ending,
    awaited: &[Expected],
    args: &FleetRunArgs,
) -> Result<Done, Failure> {
    let file = args.file.display();
    let found = |failure: Failure| {
        let help = format!("look for it in virtual time: hemiola fleet simulate {file}");
        Done::noted(failure.help(help).to_string(), FOUND)
    };
    if let (Why::Judged(said), Some(path)) = (&ending.why, &description.invariant) {
        if let Some(own) = said.get("own").and_then(Value::as_str) {
            return Err(judge::wrong(path, own));
        }
        let why = said.get("why").and_then(Value::as_str).unwrap_or_default();
        let host = said.get("host").and_then(Value::as_str).unwrap_or_default();
        let seconds = said.get("at").and_then(Value::as_f64).unwrap_or_default() / 1000.0;
        let fact = format!("observed on {host} after {seconds:.3} s");
        return Ok(found(Failure::new(format!("the invariant is violated: {why}")).fact(fact)));
    }
    if let Some((first, others)) = ending.failed.split_first() {
        let failure = others.iter().cloned().fold(Failure::new(first.clone()), Failure::fact);
        return Ok(found(failure));
    }
    match (&ending.why, awaited.first()) {
        (Why::Asked(signal), missing) => {
            if let Some(missing) = missing {
                complain(&report::note(&format!("{missing} did not come until then")));
            }
            // Who started us sees that it was a signal.
            end_by(*signal);
            Ok(Done::silent(128 + *signal as u8))
        }
        (_, Some(missing)) => Ok(found(Failure::new(format!("{missing} did not come")))),
        (_, None) => Ok(Done::silent(0)),
    }
}
