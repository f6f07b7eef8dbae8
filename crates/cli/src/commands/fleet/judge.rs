//! Whether a run of a fleet is as it should be (rule FLEET-8).

use super::conditions::Conditions;
use super::file::Description;
use super::once::{Seen, Shown};
use crate::args::javascript_words;
use crate::commands::options::{self, Surroundings};
use crate::commands::property::{self, Property};
use crate::report::Failure;
use hemiola_gate::Stop;
use hemiola_js::{Ending, Entry, InputType};
use hemiola_machine::{First, Instant, Observation, Silent, Stream};
use hemiola_monitor::End;
use hemiola_world::fleet::Expected;
use hemiola_world::{Frozen, Overlay, Secure, Virtual};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Verdict {
    pub(in crate::commands) kind: Kind,
    pub(in crate::commands) why: String,
    pub(in crate::commands) host: Option<String>,
    pub(in crate::commands) at: Instant,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Kind {
    Invariant,
    Property,
    Uncaught,
    Deadlock,
    Missing,
}

impl Verdict {
    /// Whether two runs fail for one reason: numbers may differ.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let plain = |text: &str| text.replace(|letter: char| letter.is_ascii_digit(), "");
        self.kind == other.kind && plain(&self.why) == plain(&other.why)
    }
}

/// What is wrong with a run; nothing if it is as it should be.
pub(super) fn verdict(
    description: &Description,
    conditions: &Conditions,
    shown: &Shown,
    property: Option<&Property>,
    disk: &Arc<Frozen>,
) -> Result<Option<Verdict>, Failure> {
    let name = |host: usize| description.hosts[conditions.hosts[host]].name.clone();
    let may_fail = |host: usize, program: usize| {
        description.hosts[conditions.hosts[host]].programs[program].runs.may_fail
    };
    let uncaught = shown.failed(may_fail).map(|(host, at, why)| Verdict {
        kind: Kind::Uncaught,
        why: format!("{} ended with {why}", name(host)),
        host: Some(name(host)),
        at,
    });
    let violated = match &description.invariant {
        Some(_) => violated(description, &shown.seen, disk)?,
        None => None,
    };
    let broken = property.and_then(|property| broken(property, shown));
    // What came first is the reason of the rest.
    let all = [uncaught, violated, broken];
    if let Some(first) = all.into_iter().flatten().min_by_key(|one| one.at) {
        return Ok(Some(first));
    }
    Ok(missing(description, shown))
}

/// Where observations leave a property.
fn broken(property: &Property, shown: &Shown) -> Option<Verdict> {
    // A world that was ended at its time might have gone on.
    let end = match shown.outcome.rests_since {
        Some(_) => End::Complete,
        None => End::Cut,
    };
    let all = shown
        .seen
        .iter()
        .map(|one| property::Shown { host: Some(one.host.as_str()), value: &one.value });
    let at = property.broken(all, end)?;
    Some(match shown.seen.get(at) {
        Some(one) => Verdict {
            kind: Kind::Property,
            why: format!("`{}` breaks the property", text(&one.value)),
            host: Some(one.host.clone()),
            at: one.at,
        },
        None => Verdict {
            kind: Kind::Property,
            why: "the property does not allow that nothing more is observed".into(),
            host: None,
            at: shown.outcome.rests_since.unwrap_or(shown.outcome.end),
        },
    })
}

/// What must come and did not.
fn missing(description: &Description, shown: &Shown) -> Option<Verdict> {
    let came = |expected: &&Expected| {
        shown.seen.iter().any(|seen| expected.is(&seen.host, &text(&seen.value)))
    };
    let expected = description.eventually.iter().find(|expected| !came(expected))?;
    let what = format!("{expected} did not come");
    let (kind, why, at) = match shown.outcome.rests_since {
        Some(since) => (Kind::Deadlock, format!("{what}, and nothing can happen any more"), since),
        None => (Kind::Missing, format!("{what} until the end"), shown.outcome.end),
    };
    Some(Verdict { kind, why, host: expected.host.clone(), at })
}

/// An observation as people write it.
fn text(value: &Observation) -> String {
    match value {
        Observation::Number(number) => number.to_string(),
        Observation::Name(name) => name.to_string(),
    }
}

/// Shows the invariant what was observed, and says where it threw.
fn violated(
    description: &Description,
    seen: &[Seen],
    disk: &Arc<Frozen>,
) -> Result<Option<Verdict>, Failure> {
    let Some(path) = &description.invariant else { return Ok(None) };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let all: Vec<Value> = seen
        .iter()
        .map(|one| {
            let value = match &one.value {
                Observation::Number(number) => json!(number),
                Observation::Name(name) => json!(&**name),
            };
            let at = one.at.as_micros() as f64 / 1000.0;
            shown(&one.host, one.program, at, &value)
        })
        .collect();
    let said = evaluate(&path.display().to_string(), &Value::Array(all), disk)?;
    let answer: Value =
        serde_json::from_str(&said).map_err(|_| wrong(&path, "it has no result"))?;
    if let Some(own) = answer.get("own").and_then(Value::as_str) {
        return Err(wrong(&path, own));
    }
    let Some(at) = answer.get("at").and_then(Value::as_u64) else { return Ok(None) };
    let why = answer.get("why").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(seen.get(at as usize).map(|one| Verdict {
        kind: Kind::Invariant,
        why,
        host: Some(one.host.clone()),
        at: one.at,
    }))
}

/// What loads an invariant, and shows it an observation. What it throws by mistake is no verdict.
const LOAD: &str = "
const mistakes = new Set(['TypeError', 'ReferenceError', 'SyntaxError', 'RangeError', 'EvalError', 'URIError']);
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\\n`);
async function load(path) {
  try {
    const { default: check } = await import(path);
    if (typeof check === 'function') return check;
    say({ own: 'its default export is no function' });
  } catch (error) {
    say({ own: `it cannot be loaded: ${error?.stack ?? error}` });
  }
  process.exit();
}
async function verdict(check, seen) {
  try {
    await check(seen);
  } catch (error) {
    const { name, stack, message } = error ?? {};
    return mistakes.has(name) ? { own: `it fails by itself: ${stack}` } : { why: String(message ?? error) };
  }
}
";

/// What shows it all observations, in order.
const SHOW: &str = "
const { path, all } = JSON.parse((await process.stdin.toArray()).join(''));
const check = await load(path);
let answer = {};
for (let at = 0; at < all.length; at += 1) {
  const bad = await verdict(check, all[at]);
  if (!bad) continue;
  answer = { at, ...bad };
  break;
}
say(answer);
";

/// What shows it each observation when it comes: the first line is its path, each of the others an observation.
const FOLLOW: &str = "
const { createInterface } = await import('node:readline');
let check;
for await (const line of createInterface({ input: process.stdin })) {
  if (!check) {
    check = await load(JSON.parse(line));
    continue;
  }
  const seen = JSON.parse(line);
  const bad = await verdict(check, seen);
  if (!bad) continue;
  say({ ...bad, host: seen.host, at: seen.at });
  break;
}
process.exit();
";

/// The program of a process that shows an invariant what comes.
pub(super) fn following() -> String {
    format!("{LOAD}{FOLLOW}")
}

/// What an observation looks like for an invariant.
pub(super) fn shown(host: &str, program: usize, at_ms: f64, value: &Value) -> Value {
    json!({ "host": host, "program": program + 1, "at": at_ms, "value": value })
}

/// What is wrong with the invariant itself.
pub(super) fn wrong(path: &Path, what: &str) -> Failure {
    Failure::new(format!("the invariant {}: {what}", path.display())).help(
        "its default export is a function of an observation that throws when something must not be",
    )
}

/// What a module says of something, in a world of its own.
fn evaluate(path: &str, all: &Value, disk: &Arc<Frozen>) -> Result<String, Failure> {
    let source = format!("{LOAD}{SHOW}");
    run_text(&source, json!({ "path": path, "all": all }).to_string(), disk)
}

/// Runs a text as a module with that on standard input, and gives what it prints.
pub(super) fn run_text(source: &str, input: String, disk: &Arc<Frozen>) -> Result<String, Failure> {
    let program = javascript_words(vec!["-e".into(), source.into()])?;
    let cwd = std::env::current_dir().unwrap_or_default();
    let surroundings = Surroundings::of_host(&cwd, Vec::new());
    let files = Arc::new(Overlay::over(disk));
    let mut said = Vec::new();
    let write = |stream: Stream, bytes: &[u8]| {
        if stream == Stream::Out {
            said.extend_from_slice(bytes);
        }
        Ok(())
    };
    let mut options =
        options::options(&program, surroundings, Arc::clone(&files) as _, Stop::default())?;
    options.entry = Entry::Text { source: source.to_owned(), name: "[fleet]".into() };
    options.input_type = InputType::Module;
    let mut world =
        Virtual::new(0, files, write).input(Box::new(move || Ok(input.clone().into_bytes())));
    let world = &mut Secure::new(&mut world);
    hemiola_js::run(options, Ending::Freed, world, &mut First, &mut Silent)
        .map_err(|error| Failure::new(error.to_string()).help("give it more memory"))?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}
