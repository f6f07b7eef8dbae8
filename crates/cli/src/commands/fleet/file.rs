//! The file of a fleet, and what the command line says about it.

use crate::args::{JavaScript, javascript_words};
use crate::input;
use crate::report::Failure;
use hemiola_machine::Delay;
use hemiola_world::fleet::{self, Look, Troubles, Wrong};
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;

/// A fleet whose command lines were read.
pub(super) type Description = fleet::Description<JavaScript>;

/// A host of one.
pub(super) type HostPlan = fleet::HostPlan<JavaScript>;

/// The files of the system.
struct Here;

impl Look for Here {
    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }
}

/// What is said of something that is no fleet.
fn failure(about: &str, wrong: Wrong) -> Failure {
    let failure = Failure::new(format!("{about}: {}", wrong.what));
    match wrong.fact {
        Some(fact) => failure.fact(fact),
        None => failure,
    }
}

/// Reads a file in JSON.
pub(super) fn json(path: &Path) -> Result<Value, Failure> {
    let source = input::read_of(path, "a fleet")?;
    serde_json::from_str(&source.text).map_err(|error| {
        Failure::new(format!("{}: {error}", path.display()))
            .help("a fleet is written in JSON, or as a module")
    })
}

/// Reads the fleet of that name from a value; paths in it are relative to `folder`.
pub(super) fn read(value: &Value, name: &str, folder: &Path) -> Result<Description, Failure> {
    let read = fleet::Description::read(value, folder, &Here);
    let read = read.map_err(|wrong| {
        failure(name, wrong).help("docs/fleets.md says what a fleet is made of")
    })?;
    read.with_programs(|words| javascript_words(words.iter().map(OsString::from).collect()))
}

/// Which hosts are meant: all, or those of some names.
pub(super) fn chosen(
    description: &Description,
    names: Option<&[String]>,
) -> Result<Vec<usize>, Failure> {
    let Some(names) = names else { return Ok((0..description.hosts.len()).collect()) };
    let at = |name: &String| {
        description.hosts.iter().position(|host| host.name == *name).ok_or_else(|| {
            Failure::new(format!("`--hosts`: there is no host `{name}`"))
                .help(format!("there are {}", description.names().join(", ")))
        })
    };
    let mut chosen: Vec<usize> = names.iter().map(at).collect::<Result<_, _>>()?;
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// Reads what `--faults` says.
pub(super) fn read_faults(description: &Description, text: &str) -> Result<Troubles, Failure> {
    Troubles::read(text, &description.names(), &description.programs()).map_err(|wrong| {
        failure("`--faults`", wrong)
            .help("write faults as in `crash b at 12s for 2s; cut a at 3s for 10s`, rates as in `crash=2/h`, or `none`")
    })
}

/// Refuses rates that would make too many faults until an end.
pub(super) fn bounded(
    description: &Description,
    troubles: &Troubles,
    until: Delay,
) -> Result<(), Failure> {
    troubles.bounded(description.hosts.len(), until).map_err(|wrong| {
        failure("the fleet", wrong)
            .help("let it end earlier with `--until`, or give lower rates with `--faults`")
    })
}
