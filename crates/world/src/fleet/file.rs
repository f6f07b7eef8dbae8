//! The form in which a fleet is written down.

use super::description::{
    Description, Expected, HOUR, HostPlan, ProgramPlan, Troubles, Wrong, wrong,
};
use super::{Fault, Program, Rates, Restart, hourly, length};
use crate::{Computer, Link, Pace};
use hemiola_machine::{Delay, Instant};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How many hosts a fleet may have.
const MOST_HOSTS: usize = 10_000;

/// What tells whether the files of a fleet are there.
pub trait Look {
    /// Whether there is a file.
    fn is_file(&self, path: &Path) -> bool;
    /// Whether there is a folder.
    fn is_folder(&self, path: &Path) -> bool;
}

impl Description {
    /// Reads a description from a value; paths in it are relative to `folder`.
    ///
    /// # Errors
    ///
    /// When it is no fleet.
    pub fn read(value: &Value, folder: &Path, look: &dyn Look) -> Result<Self, Wrong> {
        let reader = Reader { folder, look };
        let top = Fields::of(value, "the fleet", &reader)?;
        top.known(&[
            "$schema",
            "hosts",
            "link",
            "links",
            "faults",
            "invariant",
            "eventually",
            "until",
            "commands",
        ])?;
        let stand_ins = reader.stand_ins(&top)?;
        let mut hosts = reader.hosts(top.required("hosts")?)?;
        for host in &mut hosts {
            let own = std::mem::replace(&mut host.stand_ins, stand_ins.clone());
            host.stand_ins.extend(own);
        }
        let names: Vec<String> = hosts.iter().map(|host| host.name.clone()).collect();
        let counts: Vec<usize> = hosts.iter().map(|host| host.programs.len()).collect();
        let link = match top.get("link") {
            Some(value) => reader.link(&Fields::of(value, "`link`", &reader)?, Link::default())?,
            None => Link::default(),
        };
        let links = match top.get("links") {
            Some(value) => reader.links(value, &names, link)?,
            None => BTreeMap::new(),
        };
        let faults = match top.get("faults") {
            Some(value) => reader.faults(value, &names, &counts)?,
            None => Troubles::default(),
        };
        let invariant = top.text("invariant")?.map(|path| folder.join(path));
        if let Some(path) = invariant.as_ref().filter(|path| !look.is_file(path)) {
            return Err(wrong(format!("there is no invariant `{}`", path.display())));
        }
        let eventually = match top.get("eventually") {
            Some(Value::Array(all)) => {
                all.iter().map(|one| reader.expected(one, &names)).collect::<Result<_, _>>()?
            }
            Some(one) => vec![reader.expected(one, &names)?],
            None => Vec::new(),
        };
        let until = top.length("until")?;
        faults.bounded(hosts.len(), until.unwrap_or(HOUR))?;
        Ok(Self { hosts, link, links, faults, invariant, eventually, until })
    }
}

/// What every part of the file needs to be read.
#[derive(Clone, Copy)]
struct Reader<'r> {
    folder: &'r Path,
    look: &'r dyn Look,
}

/// The fields of an object in the file, and what it is.
struct Fields<'f> {
    fields: &'f Map<String, Value>,
    what: String,
    reader: &'f Reader<'f>,
}

impl<'f> Fields<'f> {
    fn of(value: &'f Value, what: &str, reader: &'f Reader<'f>) -> Result<Self, Wrong> {
        match value {
            Value::Object(fields) => Ok(Self { fields, what: what.to_owned(), reader }),
            other => Err(wrong(format!("{what} must be an object, not {}", kind(other)))),
        }
    }

    /// Refuses what nobody reads: it was meant to say something.
    fn known(&self, names: &[&str]) -> Result<(), Wrong> {
        match self.fields.keys().find(|name| !names.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                Err(wrong(format!("{} has a field `{name}` that nobody knows", self.what))
                    .fact(format!("it may have: {}", names.join(", "))))
            }
        }
    }

    fn get(&self, name: &str) -> Option<&'f Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    fn required(&self, name: &str) -> Result<&'f Value, Wrong> {
        self.get(name).ok_or_else(|| wrong(format!("{} has no `{name}`", self.what)))
    }

    fn bad(&self, name: &str, expected: &str, value: &Value) -> Wrong {
        let Self { what, .. } = self;
        wrong(format!("`{name}` of {what} must be {expected}, not {}", kind(value)))
    }

    fn text(&self, name: &str) -> Result<Option<&'f str>, Wrong> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.bad(name, "a text", other)),
        }
    }

    fn share(&self, name: &str) -> Result<Option<f64>, Wrong> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => match value.as_f64().filter(|share| (0.0..=1.0).contains(share)) {
                Some(share) => Ok(Some(share)),
                None => Err(self.bad(name, "a number from 0 to 1", value)),
            },
        }
    }

    fn flag(&self, name: &str) -> Result<bool, Wrong> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.bad(name, "true or false", other)),
        }
    }

    fn length(&self, name: &str) -> Result<Option<Delay>, Wrong> {
        self.get(name).map(|value| self.reader.length(value, name)).transpose()
    }

    fn texts(&self, name: &str) -> Result<Vec<String>, Wrong> {
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(value) => value
                .as_array()
                .and_then(|all| all.iter().map(text).collect())
                .ok_or_else(|| self.bad(name, "a list of texts", value)),
        }
    }
}

impl Reader<'_> {
    /// A length of time: a text with a unit, or milliseconds.
    fn length(&self, value: &Value, name: &str) -> Result<Delay, Wrong> {
        match value {
            Value::Number(number) => number
                .as_f64()
                .filter(|millis| (0.0..9e12).contains(millis))
                .map(|millis| Delay::from_micros((millis * 1000.0).round() as u64))
                .ok_or_else(|| wrong(format!("`{name}` is out of range"))),
            Value::String(text) => {
                length(text).map_err(|error| wrong(format!("`{name}`: {error}")))
            }
            other => Err(wrong(format!("`{name}` must be a length of time, not {}", kind(other)))),
        }
    }

    /// The same where it may be negative, in microseconds.
    fn shift(&self, value: &Value, name: &str) -> Result<i64, Wrong> {
        match value {
            Value::String(text) if text.starts_with('-') => {
                let back =
                    length(&text[1..]).map_err(|error| wrong(format!("`{name}`: {error}")))?;
                Ok(-(back.as_micros() as i64))
            }
            Value::Number(number) if number.as_f64().is_some_and(|millis| millis < 0.0) => {
                Ok((number.as_f64().unwrap_or(0.0).max(-9e12) * 1000.0) as i64)
            }
            other => Ok(self.length(other, name)?.as_micros() as i64),
        }
    }

    fn hosts(&self, value: &Value) -> Result<Vec<HostPlan>, Wrong> {
        let mut hosts = Vec::new();
        match value {
            Value::Object(all) => {
                for (name, value) in all {
                    hosts.push(self.host(name, value)?);
                }
            }
            Value::Array(all) => {
                for value in all {
                    let name = value.get("name").and_then(Value::as_str);
                    let name = name.ok_or_else(|| wrong("a host has no `name`"))?;
                    hosts.push(self.host(name, value)?);
                }
            }
            other => {
                return Err(wrong(format!("`hosts` must be an object, not {}", kind(other))));
            }
        }
        if hosts.is_empty() || hosts.len() > MOST_HOSTS {
            return Err(wrong(format!("a fleet has between 1 and {MOST_HOSTS} hosts")));
        }
        let mut names = BTreeSet::new();
        match hosts
            .iter()
            .map(|host| host.name.to_lowercase())
            .find(|name| !names.insert(name.clone()))
        {
            Some(name) => Err(wrong(format!("there are two hosts `{name}`"))),
            None => Ok(hosts),
        }
    }

    fn host(&self, name: &str, value: &Value) -> Result<HostPlan, Wrong> {
        let is_name = !name.is_empty()
            && name.len() <= 63
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
            && !name.eq_ignore_ascii_case("localhost")
            && name.parse::<std::net::IpAddr>().is_err();
        if !is_name {
            return Err(wrong(format!("`{}` is no name of a host", name.escape_debug())));
        }
        let what = format!("host `{name}`");
        let fields = Fields::of(value, &what, self)?;
        fields.known(&["name", "program", "programs", "disk", "clock", "commands"])?;
        let stand_ins = self.stand_ins(&fields)?;
        let cwd = match fields.text("disk")? {
            None => self.folder.to_owned(),
            Some(disk) => {
                let disk = self.folder.join(disk);
                if !self.look.is_folder(&disk) {
                    return Err(wrong(format!(
                        "the disk of {what}, {}, is no folder",
                        disk.display()
                    )));
                }
                disk
            }
        };
        let (pace, steps) = match fields.get("clock") {
            None => (Pace::default(), Vec::new()),
            Some(value) => {
                self.clock(&Fields::of(value, &format!("the clock of {what}"), self)?)?
            }
        };
        let one = fields.get("program").map(std::slice::from_ref);
        let programs = match (one, fields.get("programs")) {
            (Some(one), None) => one,
            (None, Some(Value::Array(all))) => all,
            (None, Some(other)) => return Err(fields.bad("programs", "a list", other)),
            (None, None) => return Err(wrong(format!("{what} has no `programs`"))),
            (Some(_), Some(_)) => {
                return Err(wrong(format!("{what} has `program` and `programs`")));
            }
        };
        let programs =
            programs.iter().map(|value| self.program(value, &what)).collect::<Result<_, _>>()?;
        Ok(HostPlan { name: name.to_owned(), pace, steps, cwd, stand_ins, programs })
    }

    /// Which programs stand in for which commands.
    fn stand_ins(&self, fields: &Fields<'_>) -> Result<BTreeMap<String, PathBuf>, Wrong> {
        let Some(value) = fields.get("commands") else { return Ok(BTreeMap::new()) };
        let bad = |value| fields.bad("commands", "an object of names and files", value);
        let mut stand_ins = BTreeMap::new();
        for (name, file) in value.as_object().ok_or_else(|| bad(value))? {
            let path = self.folder.join(file.as_str().ok_or_else(|| bad(file))?);
            if !self.look.is_file(&path) {
                let what = format!("what stands in for `{name}`, {}, is missing", path.display());
                return Err(wrong(what));
            }
            stand_ins.insert(name.clone(), path);
        }
        Ok(stand_ins)
    }

    fn clock(&self, fields: &Fields<'_>) -> Result<(Pace, Vec<(Instant, i64)>), Wrong> {
        const MOST: f64 = 500_000.0;
        fields.known(&["offset", "drift", "steps"])?;
        let offset = fields.get("offset").map_or(Ok(0), |value| self.shift(value, "offset"))?;
        let drift = match fields.get("drift") {
            None => 0,
            Some(value) => match value.as_f64().filter(|ppm| ppm.abs() <= MOST) {
                Some(ppm) => ppm.round() as i64,
                None => {
                    return Err(fields.bad("drift", "a number of microseconds in a second", value));
                }
            },
        };
        let mut steps = Vec::new();
        if let Some(value) = fields.get("steps") {
            let all = value.as_array().ok_or_else(|| fields.bad("steps", "a list", value))?;
            for step in all {
                let step = Fields::of(step, "a step of a clock", self)?;
                step.known(&["at", "by"])?;
                let at = self.length(step.required("at")?, "at")?;
                steps.push((Instant::ZERO + at, self.shift(step.required("by")?, "by")?));
            }
        }
        Ok((Pace { offset, drift }, steps))
    }

    fn program(&self, value: &Value, host: &str) -> Result<ProgramPlan, Wrong> {
        let shorthand;
        let value = match value {
            Value::String(file) => {
                shorthand = serde_json::json!({ "file": file });
                &shorthand
            }
            other => other,
        };
        let what = format!("a program of {host}");
        let fields = Fields::of(value, &what, self)?;
        fields.known(&["file", "args", "env", "restart", "flags", "mayFail"])?;
        let file = fields.text("file")?;
        let file = file.ok_or_else(|| wrong(format!("{what} has no `file`")))?;
        let path = self.folder.join(file);
        if !self.look.is_file(&path) {
            return Err(wrong(format!("{what}, {}, is missing", path.display())));
        }
        let restart = match fields.text("restart")? {
            None | Some("on-failure") => Restart::OnFailure,
            Some("never") => Restart::Never,
            Some("always") => Restart::Always,
            Some(other) => {
                let known = "never, on-failure and always";
                return Err(wrong(format!("{what} cannot restart `{other}`: there are {known}")));
            }
        };
        let mut env = Vec::new();
        if let Some(value) = fields.get("env") {
            let all = value.as_object().ok_or_else(|| fields.bad("env", "an object", value))?;
            for (name, value) in all {
                let value = match value {
                    Value::String(text) => text.clone(),
                    Value::Number(_) | Value::Bool(_) => value.to_string(),
                    other => return Err(fields.bad("env", "an object of texts", other)),
                };
                env.push((name.clone(), value));
            }
        }
        let flags = fields.texts("flags")?;
        let args = fields.texts("args")?;
        let name = std::iter::once(file.to_owned()).chain(args.iter().cloned());
        let name = name.collect::<Vec<_>>().join(" ");
        let words = flags.into_iter().chain([path.display().to_string()]).chain(args).collect();
        let runs = Program { restart, may_fail: fields.flag("mayFail")? };
        Ok(ProgramPlan { name, program: (), words, env, runs })
    }

    fn link(&self, fields: &Fields<'_>, default: Link) -> Result<Link, Wrong> {
        fields.known(&["between", "from", "to", "latency", "loss", "doubled", "bandwidth"])?;
        let latency = match fields.get("latency") {
            None => default.latency,
            Some(Value::String(text)) if text.contains("..") => {
                let (least, most) = text.split_once("..").expect("it has two dots");
                let read = |text: &str| {
                    length(text.trim()).map_err(|error| wrong(format!("`latency`: {error}")))
                };
                (read(least)?, read(most)?)
            }
            Some(value) => {
                let latency = self.length(value, "latency")?;
                (latency, latency)
            }
        };
        if latency.0 > latency.1 {
            return Err(wrong("`latency`: the least comes first, as in `1ms..20ms`"));
        }
        let loss = fields.share("loss")?.unwrap_or(default.loss);
        if loss >= 1.0 {
            return Err(wrong("`loss` must be less than 1: what is always lost is a cut"));
        }
        let doubled = fields.share("doubled")?.unwrap_or(default.doubled);
        let bandwidth = match fields.get("bandwidth") {
            None => default.bandwidth,
            Some(value) => match value.as_u64().filter(|&bytes| bytes > 0) {
                Some(bytes) => Some(bytes),
                None => {
                    return Err(fields.bad("bandwidth", "a number of bytes in a second", value));
                }
            },
        };
        Ok(Link { latency, loss, doubled, bandwidth })
    }

    fn links(
        &self,
        value: &Value,
        names: &[String],
        default: Link,
    ) -> Result<BTreeMap<(Computer, Computer), Link>, Wrong> {
        let all = value.as_array().ok_or_else(|| wrong("`links` must be a list"))?;
        let host = |name: &str| match names.iter().position(|known| known == name) {
            Some(at) => Ok(Computer(at as u16 + 1)),
            None => Err(wrong(format!("a link is about a host `{name}` that is not there"))
                .fact(format!("there are: {}", names.join(", ")))),
        };
        let mut links = BTreeMap::new();
        for value in all {
            let fields = Fields::of(value, "a link", self)?;
            let link = self.link(&fields, default)?;
            let between = fields.texts("between")?;
            match (between.as_slice(), fields.text("from")?, fields.text("to")?) {
                ([a, b], None, None) => {
                    let (a, b) = (host(a)?, host(b)?);
                    links.insert((a, b), link);
                    links.insert((b, a), link);
                }
                ([], Some(from), Some(to)) => {
                    links.insert((host(from)?, host(to)?), link);
                }
                _ => {
                    return Err(wrong(
                        "a link has either `between` with two hosts, or `from` and `to`",
                    ));
                }
            }
        }
        Ok(links)
    }

    fn faults(
        &self,
        value: &Value,
        names: &[String],
        programs: &[usize],
    ) -> Result<Troubles, Wrong> {
        let fault = |value: &Value| match value {
            Value::String(text) => Fault::read(text, names, programs)
                .map_err(|error| wrong(format!("`faults`: {error}"))),
            other => Err(wrong(format!("a fault must be a text, not {}", kind(other)))),
        };
        if let Value::Array(all) = value {
            let given = all.iter().map(fault).collect::<Result<_, _>>()?;
            return Ok(Troubles { given, rates: Rates::default() });
        }
        let fields = Fields::of(value, "`faults`", self)?;
        let mut known = vec!["schedule"];
        known.extend(Rates::NAMES);
        fields.known(&known)?;
        let mut troubles = Troubles::default();
        for (name, value) in fields.fields {
            if name == "schedule" {
                let all =
                    value.as_array().ok_or_else(|| fields.bad("schedule", "a list", value))?;
                troubles.given = all.iter().map(&fault).collect::<Result<_, _>>()?;
            } else {
                let rate = value
                    .as_str()
                    .ok_or_else(|| fields.bad(name, "a rate such as `2/h`", value))?;
                let rate = hourly(rate).map_err(|error| wrong(format!("`faults`: {error}")))?;
                troubles.rates.set(name, rate);
            }
        }
        Ok(troubles)
    }

    fn expected(&self, value: &Value, names: &[String]) -> Result<Expected, Wrong> {
        let shown = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        if let Some(value) = shown(value) {
            return Ok(Expected { host: None, value });
        }
        let fields = Fields::of(value, "an observation in `eventually`", self)?;
        fields.known(&["host", "obs"])?;
        let host = fields.text("host")?;
        if let Some(host) = host.filter(|host| !names.iter().any(|name| name == host)) {
            return Err(wrong(format!("`eventually` is about a host `{host}` that is not there")));
        }
        let value = fields.required("obs")?;
        let value = shown(value).ok_or_else(|| fields.bad("obs", "a text or a number", value))?;
        Ok(Expected { host: host.map(str::to_owned), value })
    }
}

/// What a value is, in words.
fn kind(value: &Value) -> String {
    match value {
        Value::Null => "nothing".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("`{}`", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
    }
}
