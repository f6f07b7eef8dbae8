//! `hemiola view`: the timeline of a run, as a page.

use super::explored::{Ears, Listener, Modules, does_not_fit};
use super::facts::Facts;
use super::fleet;
use super::searching::{command, from_here};
use super::test;
use super::traced::{self, Refusal};
use crate::args::{FollowArgs, Given, ViewArgs, ViewFlags, ViewScheduleArgs};
use crate::console::{complain, print};
use crate::done::Done;
use crate::progress::Ticking;
use crate::report::{Failure, note};
use hemiola_explore::races::{Probe, Race, Side};
use hemiola_explore::schedules::{Deviation, Ended, Plan, Watchers};
use hemiola_export::page::{self, Actions, Reader};
use hemiola_live::runs::Manifest;
use hemiola_live::{PageServer, open_browser};
use hemiola_machine::{Event, Sink, Stream};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, PoisonError};

pub(super) fn run(args: &ViewArgs) -> Result<Done, Failure> {
    let server = server(&args.flags)?;
    let mut runs = Vec::new();
    let mut notes = String::new();
    for name in std::iter::once(&args.run).chain(&args.other) {
        match read(name, args.flags.races) {
            Ok((run, more)) => {
                runs.push(run);
                notes += &more;
            }
            Err(refusal) => return refusal.answer(),
        }
    }
    show(runs, notes, server, &args.flags)
}

/// Shows a program under a schedule.
pub(super) fn run_schedule(args: &ViewScheduleArgs, given: &Given) -> Result<Done, Failure> {
    let server = server(&args.flags)?;
    let (run, notes) = follow(&args.follow, args.flags.races, given)?;
    show(vec![run], notes, server, &args.flags)
}

/// Where the page is served, unless it is written to a file. A port that is taken is told before a long run is made.
fn server(flags: &ViewFlags) -> Result<Option<PageServer>, Failure> {
    match flags.out {
        None => bind(flags.port).map(Some),
        Some(_) => Ok(None),
    }
}

fn show(
    runs: Vec<page::Run>,
    notes: String,
    server: Option<PageServer>,
    flags: &ViewFlags,
) -> Result<Done, Failure> {
    let status = Ticking::words("writing the page");
    let html = page::html(&runs);
    drop(runs);
    drop(status);
    match (&flags.out, server) {
        (Some(path), _) => {
            write(path, &html)?;
            let output = format!("{}\n", path.display());
            Ok(Done { output, notes, code: 0 })
        }
        (None, Some(server)) => {
            let address = server.address();
            complain(&notes);
            print(&format!("{address}\n"))?;
            if !flags.no_open {
                open_browser(&address);
            }
            let error = server.serve(html);
            Err(Failure::new(format!("cannot go on serving the page: {error}"))
                .help("write it to a file: hemiola view --out FILE"))
        }
        (None, None) => unreachable!("without a file there is a server"),
    }
}

/// Takes a port for a page, whose address nobody guesses.
pub(super) fn bind(port: u16) -> Result<PageServer, Failure> {
    PageServer::bind(port).map_err(|error| {
        let reason = crate::input::reason(&error);
        Failure::new(format!("cannot listen on port {port} of this computer: {reason}"))
            .help("leave out --port to get one that is free, or write a file: --out FILE")
    })
}

fn write(path: &Path, html: &str) -> Result<(), Failure> {
    std::fs::write(path, html).map_err(|error| {
        let reason = crate::input::reason(&error);
        Failure::new(format!("cannot write {}: {reason}", path.display()))
            .help("choose another file, in a directory that is there: --out FILE")
    })
}

/// Everything that the page shows of a run, and what there is to be said about it.
fn read(name: &str, with_races: bool) -> Result<(page::Run, String), Refusal> {
    let mut opened = traced::open(name)?.with_status();
    let (manifest, sources) = (opened.manifest.take(), std::mem::take(&mut opened.sources));
    let facts = Facts {
        sites: true,
        accounts: true,
        // A file tells all that it has.
        accesses: with_races || manifest.is_none(),
        ..Facts::default()
    };
    let heard = Rc::new(RefCell::new((Reader::default(), Probe::default())));
    let all = Rc::clone(&heard);
    let notes = opened.each(facts, move |event: Event| {
        let (reader, probe) = &mut *all.borrow_mut();
        reader.take(&event);
        probe.event(event);
        ControlFlow::Continue(())
    })?;
    let (reader, probe) = heard.take();
    let actions = reader.finish();
    // Programs of a fleet share nothing but what they send each other.
    let is_fleet = !actions.fleet.processes.is_empty();
    let races = if is_fleet { Vec::new() } else { races(&probe) };
    let run = describe(name, manifest, sources, actions, races);
    Ok((run, notes))
}

/// Everything that the page shows of a program under a schedule, and what there is to be said about it.
fn follow(
    args: &FollowArgs,
    with_races: bool,
    given: &Given,
) -> Result<(page::Run, String), Failure> {
    let FollowArgs { schedule, schedules, program } = args;
    let facts = Facts { sites: true, accounts: true, accesses: with_races, ..Facts::default() };
    let (explored, followed) = test::followed(args, given)?;
    let explored = explored.telling(facts);
    let reader = Rc::new(RefCell::new(Reader::default()));
    let probe = Rc::new(RefCell::new(Probe::default()));
    let modules = Modules::default();
    let take = Rc::clone(&reader);
    let trace: Listener = Box::new(move |event| {
        if facts.wants(&event) {
            take.borrow_mut().take(&event);
        }
    });
    let ears = Ears {
        probe: with_races.then(|| Rc::clone(&probe)),
        modules: Some(Arc::clone(&modules)),
        trace: Some(trace),
        ..Ears::default()
    };
    let plan = Plan::Follow(schedule.clone());
    let silent = |_: Stream, _: &[u8]| Ok(());
    let status = Ticking::words("running the schedule");
    let (report, deviations) = explored.run_heard(&plan, &Watchers::alone(), true, silent, ears)?;
    drop(status);
    let (ended, notes) = match &report.ended {
        Ended::Outcome(outcome) => (format!("exit {}", outcome.code), String::new()),
        Ended::Cut => {
            let steps = schedules.max_steps;
            let cut = format!("cut after {steps} callbacks; see more with --max-steps");
            (cut.clone(), note(&cut))
        }
        Ended::Misfit(misfit) => {
            return Err(does_not_fit(schedule, *misfit, report.choices.len()));
        }
        Ended::Known(_) | Ended::Interrupted => {
            unreachable!("nothing is known to a run alone, and it has all the time")
        }
    };
    let mut sources = std::mem::take(&mut *modules.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(code) = program.code() {
        sources.insert("[eval]".into(), code.clone());
    }
    let mut actions = reader.take().finish();
    if actions.choices.len() == report.choices.len() {
        for Deviation { choice, taken, instead } in deviations {
            let words = [taken, instead].map(|words| from_here(&words, explored.directory()));
            actions.choices[choice as usize].words = Some(words);
        }
    }
    let run = page::Run {
        name: format!("schedule {schedule}"),
        command: match &followed {
            Some(followed) => followed.command(schedule, Path::new(explored.directory())),
            None => command(program, schedules, schedule, given),
        },
        facts: vec![
            ("ended".into(), ended),
            ("directory".into(), explored.directory().to_owned()),
            ("strategy".into(), program.strategy.name().into()),
        ],
        actions,
        sources,
        races: races(&probe.borrow()),
        ..page::Run::default()
    };
    Ok((run, notes))
}

fn describe(
    name: &str,
    manifest: Option<Manifest>,
    sources: BTreeMap<String, String>,
    actions: Actions,
    races: Vec<page::Race>,
) -> page::Run {
    let Some(manifest) = manifest else {
        let header = traced::header(name);
        let file = Path::new(name).file_name().unwrap_or(name.as_ref());
        let name = file.to_string_lossy().into_owned();
        let sources = texts(&actions);
        let mut facts = match sources.is_empty() {
            true => Vec::new(),
            false => vec![("source".into(), "as it is now; a trace has none".into())],
        };
        let command = match header {
            None => String::new(),
            Some(header) => {
                facts.push(("seed".into(), header.seed.to_string()));
                facts.push(("virtual time".into(), format!("{} ms", header.until.as_millis())));
                fleet::command(&header)
            }
        };
        return page::Run { name, command, facts, actions, sources, races, ..page::Run::default() };
    };
    let ended = manifest.code.map_or("it was killed".into(), |code| format!("exit {code}"));
    page::Run {
        name: manifest.id,
        command: format!("hemiola {}", manifest.words.join(" ")),
        facts: vec![
            ("ended".into(), ended),
            ("directory".into(), manifest.cwd),
            ("strategy".into(), manifest.strategy),
            ("runtime".into(), manifest.runtime),
        ],
        started_us: Some(manifest.started_us),
        actions,
        sources,
        races,
    }
}

/// The files that a trace names, as they are now: it does not say what they were.
pub(super) fn texts(actions: &Actions) -> BTreeMap<String, String> {
    let files: BTreeSet<&str> = actions.sites.iter().map(|place| &*place.file).collect();
    let text = |file: &&str| {
        let path = Path::new(file);
        // Names that are no paths from the root stand for texts without a file.
        let is_file = path.is_absolute() && path.is_file();
        let text = if is_file { std::fs::read_to_string(path).ok() } else { None };
        Some(((*file).to_owned(), text?))
    };
    files.iter().filter_map(text).collect()
}

/// More would be the same again.
const MOST_RACES: usize = 500;

/// The races of a run, one for each pair of places in the program.
fn races(probe: &Probe) -> Vec<page::Race> {
    let mut seen = BTreeSet::new();
    let all = probe.races();
    // What counts something up comes to the same in any order.
    let harmful = all.iter().filter(|race| !race.commutes);
    let each = harmful.filter(|race| {
        let second = race.second.as_ref().map(|side| (side.access, side.place.clone()));
        seen.insert((race.first.access, race.first.place.clone(), second, race.other_place.clone()))
    });
    each.take(MOST_RACES).map(|race| shown(race, probe)).collect()
}

fn shown(race: &Race, probe: &Probe) -> page::Race {
    let side = |side: &Side| page::Side {
        invocation: probe.invocation(side.part).map(|invocation| invocation.0),
        access: side.access.name().into(),
        place: side.place.as_ref().map(ToString::to_string),
    };
    let second = race.second.as_ref().map_or_else(
        || page::Side {
            invocation: None,
            access: "would have run".into(),
            place: race.other_place.as_ref().map(ToString::to_string),
        },
        side,
    );
    page::Race { what: race.what.clone(), sides: vec![side(&race.first), second] }
}
