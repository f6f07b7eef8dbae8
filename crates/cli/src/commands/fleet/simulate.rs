//! `hemiola fleet simulate`: a fleet in virtual time, for one seed or many.

use super::conditions::Conditions;
use super::file::{self, Description};
use super::joint;
use super::judge::{self, Verdict};
use super::once::{self, Recorded, Shown, Which, Wishes};
use super::order::{self, Ordered};
use super::study::{Study, Subject, Tried};
use crate::args::{FleetSimulateArgs, Format, SLOW};
use crate::commands::property::Property;
use crate::commands::recordings;
use crate::commands::running::world;
use crate::commands::searching::threads;
use crate::done::Done;
use crate::input;
use crate::report::Failure;
use hemiola_explore::schedules::{Plan, Watchers};
use hemiola_gate::Stop;
use hemiola_live::SystemTree;
use hemiola_machine::{Delay, Schedule};
use hemiola_trace::joined::Header;
use hemiola_world::fleet::Troubles;
use hemiola_world::{Arrivals, Frozen};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What evaluates a module and shows its default export.
const EXPORTED: &str = "
const { default: fleet } = await import(JSON.parse((await process.stdin.toArray()).join('')));
process.stdout.write(JSON.stringify(typeof fleet === 'function' ? await fleet() : fleet) ?? 'null');
";

pub(super) fn run(args: &FleetSimulateArgs) -> Result<Done, Failure> {
    let (stop, _live) = world(args.time)?;
    let fleet = fleet(args, &stop)?;
    let study = Study { subject: &fleet, stop: &stop, format: args.format, shrink: args.shrink };
    match args.seeds {
        None => {
            let (tried, recorded) = fleet.printed(args)?;
            let done = study.told(tried)?;
            Ok(Done { notes: recorded + &done.notes, ..done })
        }
        Some(seeds) => study.many(seeds.first, seeds.last, threads(args.jobs)),
    }
}

/// The fleet that is asked for; `stop` ends its runs.
pub(super) fn fleet(args: &FleetSimulateArgs, stop: &Stop) -> Result<Simulated, Failure> {
    let disk = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
    let description = read(&args.file, &disk)?;
    let troubles = match &args.faults {
        Some(text) => file::read_faults(&description, text)?,
        None => description.faults.clone(),
    };
    let until = args.until.unwrap_or_else(|| description.end());
    file::bounded(&description, &troubles, until)?;
    let hosts = file::chosen(&description, args.hosts.as_deref())?;
    let property = args.spec.as_deref().map(Property::given).transpose()?;
    let (stop, file, schedule) = (stop.clone(), args.file.clone(), args.schedule.clone());
    Ok(Simulated { description, troubles, hosts, until, disk, property, stop, file, schedule })
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
    file::read(&value, &name, &folder)
}

/// A fleet that is simulated.
pub(super) struct Simulated {
    description: Description,
    troubles: Troubles,
    /// Which hosts are there.
    hosts: Vec<usize>,
    until: Delay,
    disk: Arc<Frozen>,
    property: Option<Property>,
    stop: Stop,
    file: PathBuf,
    /// In which order messages arrive, if the seed does not decide that.
    schedule: Option<Schedule>,
}

impl Simulated {
    /// The fleet of a joined trace, with what went wrong there. Its file is where it was, or beside the trace.
    pub(super) fn of_trace(trace: &str, header: &Header) -> Result<Self, Failure> {
        let disk = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
        let beside = Path::new(trace).parent().map(|folder| folder.join(&header.fleet));
        let file = PathBuf::from(&header.fleet);
        let file = beside.filter(|beside| !file.is_file() && beside.is_file()).unwrap_or(file);
        let description = read(&file, &disk)?;
        let troubles = file::read_faults(&description, &joint::given(&header.faults))?;
        let names: Vec<String> = header.hosts.iter().map(|host| host.name.clone()).collect();
        let hosts = file::chosen(&description, Some(&names))?;
        let (stop, _live) = world(None)?;
        let (until, property) = (header.until, None);
        let schedule = header.schedule.as_deref().map(str::parse).transpose().map_err(|_| {
            Failure::new(format!("the trace `{trace}` has a schedule that is none"))
                .help("write it again: hemiola fleet simulate FILE --trace FILE")
        })?;
        Ok(Self { description, troubles, hosts, until, disk, property, stop, file, schedule })
    }

    pub(super) fn description(&self) -> &Description {
        &self.description
    }

    /// Runs it once.
    pub(super) fn run(&self, conditions: &Conditions, wishes: &Wishes) -> Result<Shown, Failure> {
        let (shown, misfit) = self.run_as_told(conditions, wishes)?;
        misfit.map_or(Ok(shown), Err)
    }

    /// The same, and what is wrong with the order of messages that it was told, if it was.
    fn run_as_told(
        &self,
        conditions: &Conditions,
        wishes: &Wishes,
    ) -> Result<(Shown, Option<Failure>), Failure> {
        let Some(schedule) = &self.schedule else {
            return Ok((self.run_with(conditions, wishes, &self.stop, None)?, None));
        };
        let plan = Plan::Follow(schedule.clone());
        let ordered = Ordered::new(&plan, &Watchers::alone(), false, &self.stop);
        let arrivals = Some(ordered.arrivals(SLOW));
        let shown = self.run_with(conditions, wishes, &self.stop, arrivals)?;
        Ok((shown, order::fits(&ordered, schedule).err()))
    }

    /// The same, where somebody else ends it or decides in which order messages arrive.
    pub(super) fn run_with(
        &self,
        conditions: &Conditions,
        wishes: &Wishes,
        stop: &Stop,
        arrivals: Option<Arrivals>,
    ) -> Result<Shown, Failure> {
        once::run(&self.description, conditions, &self.disk, wishes, stop, arrivals)
    }

    /// What is wrong with a run.
    pub(super) fn verdict(
        &self,
        conditions: &Conditions,
        shown: &Shown,
    ) -> Result<Option<Verdict>, Failure> {
        let property = self.property.as_ref();
        judge::verdict(&self.description, conditions, shown, property, &self.disk)
    }

    /// The line that makes a run again, with messages in that order.
    pub(super) fn line(&self, conditions: &Conditions, schedule: Option<&Schedule>) -> String {
        let is_all = conditions.hosts.len() == self.description.hosts.len();
        joint::Again {
            fleet: &self.file.display().to_string(),
            seed: conditions.seed,
            faults: &self.written(conditions),
            until: Some(conditions.until).filter(|&until| until != self.description.end()),
            hosts: (!is_all).then(|| joint::names(&self.description, conditions)),
            spec: self.property.as_ref().map(|property| property.text.as_str()),
            schedule: schedule.map(Schedule::to_string),
        }
        .line()
    }

    /// What is to be said of a run.
    fn tried(&self, conditions: Conditions, shown: &Shown) -> Result<Tried, Failure> {
        let verdict = match self.stop.asked() {
            Some(_) => None,
            None => self.verdict(&conditions, shown)?,
        };
        Ok(Tried { conditions, verdict, end: shown.outcome.end, events: shown.events })
    }

    /// What the joined trace of a run is of.
    pub(super) fn header(&self, file: &Path, conditions: &Conditions) -> Header {
        let schedule = self.schedule.as_ref().map(Schedule::to_string);
        Header { schedule, ..joint::header(file, &self.description, conditions) }
    }

    /// One seed, with what the programs print, and what was recorded of them.
    fn printed(&self, args: &FleetSimulateArgs) -> Result<(Tried, String), Failure> {
        let print = args.format == Format::Text;
        let conditions = self.conditions(args.seed);
        let trace = args.trace.is_some();
        let trace = trace.then(|| self.header(&args.file, &conditions));
        let record = args.record.then_some(Which::All);
        let shown = self.run(&conditions, &Wishes { print, trace, record })?;
        if let Some(path) = &args.trace {
            joint::write(path, &shown.trace)?;
        }
        Ok((self.tried(conditions, &shown)?, kept(&shown.recorded)))
    }
}

/// What is said of processes that were recorded.
fn kept(recorded: &[Recorded]) -> String {
    recorded.iter().map(|one| format!("{}: {}", one.name, recordings::kept(&one.id))).collect()
}

impl Subject for Simulated {
    fn conditions(&self, seed: u64) -> Conditions {
        let all = self.description.hosts.len();
        let Troubles { given, rates } = &self.troubles;
        let faults = rates.beside(given, seed, all, self.until);
        let faults = self.description.among(&faults, &self.hosts);
        Conditions { seed, faults, until: self.until, hosts: self.hosts.clone() }
    }

    fn attempt(&self, conditions: Conditions) -> Result<Tried, Failure> {
        let (shown, misfit) = self.run_as_told(&conditions, &Wishes::default())?;
        let tried = self.tried(conditions, &shown)?;
        // A smaller run may not offer what the order asks for: then it is another one.
        let verdict = tried.verdict.filter(|_| misfit.is_none());
        Ok(Tried { verdict, ..tried })
    }

    fn written(&self, conditions: &Conditions) -> Vec<String> {
        let names = joint::names(&self.description, conditions);
        conditions.faults.iter().map(|fault| fault.written(&names)).collect()
    }

    fn repeat(&self, conditions: &Conditions) -> String {
        self.line(conditions, self.schedule.as_ref())
    }
}
