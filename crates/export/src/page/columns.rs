//! A run as JSON, in columns: a hundred thousand objects would take the page seconds to read.

use super::actions::{Action, Actions, Effect, Kind, Origin};
use super::{Race, Run};
use hemiola_trace::{Class, Place, Stream};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One run. In the columns of actions, links and causes count backwards, and numbers and times are
/// differences to the action before: small numbers make a small page.
pub(super) fn run(run: &Run) -> Value {
    let actions = &run.actions;
    let files: Vec<&str> = files(run);
    let texts: Vec<Option<&String>> = files.iter().map(|file| run.sources.get(*file)).collect();
    let file = |place: &Place| files.binary_search(&&*place.file).unwrap_or_default();
    json!({
        "name": run.name,
        "command": run.command,
        "facts": run.facts,
        "started": run.started_us,
        "files": files,
        "texts": texts,
        "sites": {
            "file": actions.sites.iter().map(file).collect::<Vec<_>>(),
            "line": actions.sites.iter().map(|place| place.line).collect::<Vec<_>>(),
            "column": actions.sites.iter().map(|place| place.column).collect::<Vec<_>>(),
        },
        "domains": actions.domains.iter().map(|domain| json!([domain.label, domain.origin])).collect::<Vec<_>>(),
        "hasTimes": actions.has_times,
        "actions": columns(actions),
        "effects": effects(&actions.effects),
        "releases": releases(actions),
        "operations": operations(actions),
        "choices": actions.choices.iter().map(|choice| {
            json!([choice.before, choice.taken, choice.of, choice.others, choice.words])
        }).collect::<Vec<_>>(),
        "transfers": actions.transfers.iter().map(|transfer| {
            json!([transfer.action, u8::from(transfer.is_network), transfer.read, transfer.written])
        }).collect::<Vec<_>>(),
        "tasks": actions.tasks.iter().map(|task| {
            let (end, is_well) = task.end.map_or((-1, true), |(end, is_well)| (signed(end), is_well));
            json!([task.id, task.start, end, u8::from(is_well)])
        }).collect::<Vec<_>>(),
        "requests": actions.requests.iter().map(|(request, first, last)| {
            let [wall, waited] = [request.wall(), request.waited()].map(|nanos| nanos / 1000);
            let parts = request.invocations.iter().map(|part| whole(part.0)).take(PARTS);
            let parts = differences(parts);
            json!([request.route(), request.name, first, last, request.errors.len(), wall, waited, parts])
        }).collect::<Vec<_>>(),
        "labels": actions.labels,
        "fleet": actions.fleet.json(),
        "races": run.races.iter().map(race).collect::<Vec<_>>(),
    })
}

/// A request that has more invocations is drawn with its first ones.
const PARTS: usize = 500;

/// So many of the last errors are looked through for files.
const ERRORS: usize = 20;

/// The files of all sites, and those that errors name: a stack is shown with the lines of the program.
fn files(run: &Run) -> Vec<&str> {
    let mut files: Vec<&str> = run.actions.sites.iter().map(|place| &*place.file).collect();
    let errors = run.actions.effects.iter().rev().filter_map(|(_, effect)| match effect {
        Effect::Wrote(Stream::Err, text) | Effect::Threw(text) => Some(text),
        Effect::Wrote(Stream::Out, _) | Effect::Observed(_) | Effect::Task(_) | Effect::Late(_) => {
            None
        }
    });
    for text in errors.take(ERRORS) {
        files.extend(run.sources.keys().map(String::as_str).filter(|file| text.contains(file)));
    }
    files.sort_unstable();
    files.dedup();
    files
}

fn columns(actions: &Actions) -> Value {
    let list = &actions.list;
    let each = |value: &dyn Fn(&Action) -> i64| -> Vec<i64> { list.iter().map(value).collect() };
    let indexed = |value: &dyn Fn(usize, &Action) -> i64| -> Vec<i64> {
        list.iter().enumerate().map(|(index, action)| value(index, action)).collect()
    };
    let back = |index: usize, other: usize| signed(index) - signed(other);
    json!({
        "number": differences(list.iter().map(|action| whole(action.number))),
        "kind": list.iter().map(kind).collect::<String>(),
        "head": list.iter().map(|action| if action.is_head { '1' } else { '0' }).collect::<String>(),
        "domain": each(&|action| optional(action.domain)),
        // Relative to the physical time: small, and mostly zero.
        "lag": list.iter().map(|action| {
            action.tag.map(|tag| whole(action.at) - whole(tag.time.as_micros()))
        }).collect::<Vec<_>>(),
        "step": list.iter().enumerate().filter_map(|(index, action)| {
            let step = action.tag?.microstep.0;
            (step > 0).then(|| json!([index, step]))
        }).collect::<Vec<_>>(),
        "at": differences(list.iter().map(|action| whole(action.at))),
        "link": indexed(&|index, action| back(index, action.link)),
        "cause": indexed(&|index, action| back(index, action.cause)),
        "site": each(&|action| optional(action.site)),
        "release": each(&|action| match action.origin {
            Origin::Release(release) => signed(release),
            _ => -1,
        }),
        "operation": each(&|action| match action.origin {
            Origin::Operation(operation) => signed(operation),
            _ => -1,
        }),
        "process": (!actions.fleet.processes.is_empty()).then(|| {
            each(&|action| signed(action.process))
        }),
        "spent": list.iter().any(|action| action.spent.is_some()).then(|| {
            each(&|action| action.spent.map_or(-1, whole))
        }),
    })
}

fn kind(action: &Action) -> char {
    match action.kind {
        Kind::Main => 'm',
        Kind::Of(Class::Tick) => 't',
        Kind::Of(Class::Promise) => 'p',
        Kind::Of(Class::Immediate) => 'i',
        Kind::Of(Class::Timer) => 'd',
        Kind::Of(Class::Io) => 'o',
        Kind::Of(Class::Close) => 'c',
        Kind::Nested => 'n',
        Kind::Exit => 'x',
    }
}

/// What was shown most often is the same again and again, so every text is there once.
fn effects(effects: &[(usize, Effect)]) -> Value {
    let mut texts = Texts::default();
    let mut kinds = String::new();
    let mut at = Vec::new();
    let mut text = Vec::new();
    for (action, effect) in effects {
        let (kind, shown) = match effect {
            Effect::Wrote(Stream::Out, text) => ('o', text),
            Effect::Wrote(Stream::Err, text) => ('e', text),
            Effect::Observed(text) => ('v', text),
            Effect::Threw(text) => ('t', text),
            Effect::Task(text) => ('s', text),
            Effect::Late(text) => ('l', text),
        };
        kinds.push(kind);
        at.push(signed(*action));
        text.push(texts.number(shown));
    }
    // An effect within a nested callback may come before one of the callback around it.
    json!({ "action": differences(at.into_iter()), "kind": kinds, "text": text, "texts": texts.list })
}

fn releases(actions: &Actions) -> Value {
    let list = &actions.releases;
    json!({
        "by": list.iter().map(|release| release.by).collect::<Vec<_>>(),
        "domain": list.iter().map(|release| optional(release.domain)).collect::<Vec<_>>(),
        "time": list.iter().map(|release| release.tag.time.as_micros()).collect::<Vec<_>>(),
        "delay": list.iter().map(|release| release.delay).collect::<Vec<_>>(),
        "period": list.iter().map(|release| {
            release.period.map_or(0, |period| period.delay().as_micros())
        }).collect::<Vec<_>>(),
        "site": list.iter().map(|release| optional(release.site)).collect::<Vec<_>>(),
        "cleared": list.iter().map(|release| optional(release.cleared)).collect::<Vec<_>>(),
    })
}

fn operations(actions: &Actions) -> Value {
    let list = &actions.operations;
    let mut texts = Texts::default();
    let what: Vec<usize> = list.iter().map(|operation| texts.number(&operation.what)).collect();
    json!({
        "by": list.iter().map(|operation| operation.by).collect::<Vec<_>>(),
        "what": what,
        "texts": texts.list,
        "site": list.iter().map(|operation| optional(operation.site)).collect::<Vec<_>>(),
        "done": list.iter().map(|operation| operation.done.map_or(-1, whole)).collect::<Vec<_>>(),
        "dropped": list.iter().map(|operation| optional(operation.dropped)).collect::<Vec<_>>(),
    })
}

fn race(race: &Race) -> Value {
    let sides = race.sides.iter().map(|side| json!([side.invocation, side.access, side.place]));
    json!({ "what": race.what, "sides": sides.collect::<Vec<_>>() })
}

/// Texts that are written once, and the numbers that stand for them.
#[derive(Default)]
struct Texts<'a> {
    list: Vec<&'a str>,
    numbers: BTreeMap<&'a str, usize>,
}

impl<'a> Texts<'a> {
    fn number(&mut self, text: &'a str) -> usize {
        *self.numbers.entry(text).or_insert_with(|| {
            self.list.push(text);
            self.list.len() - 1
        })
    }
}

fn differences(values: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut before = 0;
    values.map(|value| value - std::mem::replace(&mut before, value)).collect()
}

fn optional(index: Option<usize>) -> i64 {
    index.map_or(-1, signed)
}

fn signed(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

/// The end of time is where the numbers of the page end.
fn whole(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX).min(1 << 53)
}
