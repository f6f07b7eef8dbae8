//! A fleet that was written down.

use super::{Fault, Program, Rates, hourly};
use crate::{Computer, Link, Pace};
use hemiola_machine::{Delay, Instant};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// How long a fleet lives if nobody says.
pub(super) const HOUR: Delay = Delay::from_millis(3_600_000);

/// How many faults rates may make of a fleet.
const MOST_FAULTS: f64 = 1e6;

/// A fleet as it is written down. Its programs are command lines at first; `P` is what the caller makes of one.
#[derive(Debug)]
pub struct Description<P = ()> {
    /// The hosts, at least one.
    pub hosts: Vec<HostPlan<P>>,
    /// What is between two hosts of which nothing else is said.
    pub link: Link,
    /// What is between others.
    pub links: BTreeMap<(Computer, Computer), Link>,
    /// What goes wrong.
    pub faults: Troubles,
    /// The module that is shown what was observed.
    pub invariant: Option<PathBuf>,
    /// The observations that must come.
    pub eventually: Vec<Expected>,
    /// When it ends, if that is said.
    pub until: Option<Delay>,
}

/// A host.
#[derive(Debug)]
pub struct HostPlan<P = ()> {
    /// What it is called.
    pub name: String,
    /// How its clocks go.
    pub pace: Pace,
    /// When its clock is set, and by how many microseconds.
    pub steps: Vec<(Instant, i64)>,
    /// Where its programs begin.
    pub cwd: PathBuf,
    /// Programs that stand in for commands.
    pub stand_ins: BTreeMap<String, PathBuf>,
    /// What runs there.
    pub programs: Vec<ProgramPlan<P>>,
}

/// A program.
#[derive(Debug)]
pub struct ProgramPlan<P = ()> {
    /// Its file and its arguments, as the fleet names them.
    pub name: String,
    /// What the caller made of its command line.
    pub program: P,
    /// Its command line: flags, file and arguments.
    pub words: Vec<String>,
    /// Its environment variables.
    pub env: Vec<(String, String)>,
    /// How it ends, and whether it is started again.
    pub runs: Program,
}

/// What goes wrong: given, and drawn.
#[derive(Clone, Debug, Default)]
pub struct Troubles {
    /// What goes wrong in any case.
    pub given: Vec<Fault>,
    /// How often what else goes wrong.
    pub rates: Rates,
}

impl Troubles {
    /// Reads faults and rates in a line: `crash b at 12s for 2s; cut=2/h`, or `none`. `programs` is how many each of the
    /// hosts has.
    ///
    /// # Errors
    ///
    /// When it is none of that.
    pub fn read(text: &str, names: &[String], programs: &[usize]) -> Result<Self, Wrong> {
        let mut troubles = Self::default();
        for part in text.split([';', ',']).map(str::trim).filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                _ if part == "none" => {}
                Some((name, rate)) => {
                    let rate = hourly(rate.trim()).map_err(|error| wrong(error.to_string()))?;
                    if !troubles.rates.set(name.trim(), rate) {
                        let known = Rates::NAMES.join(", ");
                        return Err(wrong(format!(
                            "there are no faults `{name}`: there are {known}"
                        )));
                    }
                }
                None => {
                    let fault = Fault::read(part, names, programs);
                    troubles.given.push(fault.map_err(|error| wrong(error.to_string()))?);
                }
            }
        }
        Ok(troubles)
    }

    /// Refuses rates that make too many faults of so many hosts until an end.
    ///
    /// # Errors
    ///
    /// When they do.
    pub fn bounded(&self, hosts: usize, until: Delay) -> Result<(), Wrong> {
        let count = self.rates.expected(hosts, until);
        match count > MOST_FAULTS {
            false => Ok(()),
            true => Err(wrong(format!(
                "the rates make about {count:.0} faults until the end, and {MOST_FAULTS:.0} are the most"
            ))),
        }
    }
}

/// Why something is no fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// What is wrong.
    pub what: String,
    /// What there is instead.
    pub fact: Option<String>,
}

impl Wrong {
    pub(super) fn fact(self, fact: String) -> Self {
        Self { fact: Some(fact), ..self }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Wrong {}

pub(super) fn wrong(what: impl Into<String>) -> Wrong {
    Wrong { what: what.into(), fact: None }
}

/// An observation that must come.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Where, if that matters.
    pub host: Option<String>,
    /// What is observed.
    pub value: String,
}

impl Expected {
    /// Whether that is it.
    pub fn is(&self, host: &str, value: &str) -> bool {
        self.host.as_ref().is_none_or(|known| known == host) && self.value == value
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.value)?;
        self.host.as_ref().map_or(Ok(()), |host| write!(f, " on {host}"))
    }
}

impl<P> Description<P> {
    /// What the hosts are called.
    pub fn names(&self) -> Vec<String> {
        self.hosts.iter().map(|host| host.name.clone()).collect()
    }

    /// The links between some of the hosts, which count anew.
    pub fn links_between(&self, hosts: &[usize]) -> BTreeMap<(Computer, Computer), Link> {
        let new = |old: Computer| {
            let at = hosts.iter().position(|&host| host + 1 == usize::from(old.0))?;
            Some(Computer(at as u16 + 1))
        };
        let links = self.links.iter();
        links.filter_map(|(&(a, b), &link)| Some(((new(a)?, new(b)?), link))).collect()
    }

    /// When it ends in virtual time.
    pub fn end(&self) -> Delay {
        self.until.unwrap_or(HOUR)
    }

    /// What goes wrong where only some of the hosts are, which count anew.
    pub fn among(&self, faults: &[Fault], hosts: &[usize]) -> Vec<Fault> {
        let kept: Vec<Option<usize>> =
            (0..self.hosts.len()).map(|host| hosts.iter().position(|&one| one == host)).collect();
        faults.iter().filter_map(|fault| fault.without(&kept)).collect()
    }

    /// How many programs each has.
    pub fn programs(&self) -> Vec<usize> {
        self.hosts.iter().map(|host| host.programs.len()).collect()
    }

    /// The same with what `make` makes of each command line.
    ///
    /// # Errors
    ///
    /// The first of `make`.
    pub fn with_programs<Q, E>(
        self,
        mut make: impl FnMut(&[String]) -> Result<Q, E>,
    ) -> Result<Description<Q>, E> {
        let Self { hosts, link, links, faults, invariant, eventually, until } = self;
        let mut made = Vec::with_capacity(hosts.len());
        for HostPlan { name, pace, steps, cwd, stand_ins, programs } in hosts {
            let programs = programs.into_iter().map(|plan| {
                let ProgramPlan { name, words, env, runs, .. } = plan;
                Ok(ProgramPlan { program: make(&words)?, name, words, env, runs })
            });
            let programs = programs.collect::<Result<_, E>>()?;
            made.push(HostPlan { name, pace, steps, cwd, stand_ins, programs });
        }
        Ok(Description { hosts: made, link, links, faults, invariant, eventually, until })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thousand crashes a second for a century would not fit into memory.
    #[test]
    fn rates_that_make_too_many_faults_are_refused() {
        let read = |text: &str| Troubles::read(text, &["a".into()], &[1]);
        let often = read("crash=1000/s; cut=1/h").expect("it can be read");
        assert_eq!(often.bounded(3, Delay::from_millis(60_000)), Ok(()));
        let refused = often.bounded(3, HOUR).expect_err("too many");
        assert_eq!(
            refused.what,
            "the rates make about 10800001 faults until the end, and 1000000 are the most"
        );
        let rare = read("crash=10/h, none; deaf=1/d").expect("it can be read");
        assert_eq!(rare.bounded(9_000, Delay::from_millis(36_000_000)), Ok(()));
        assert_eq!(
            read("crush=1/h").expect_err("none").what.split(':').next(),
            Some("there are no faults `crush`")
        );
    }
}
