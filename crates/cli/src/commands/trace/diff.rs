//! `hemiola trace diff`: where two runs part.

use super::super::facts::Facts;
use super::super::traced::{self, Refusal};
use super::lines::Lines;
use crate::args::{Format, TraceDiffArgs};
use crate::done::Done;
use crate::exit::FOUND;
use crate::report::Failure;
use hemiola_machine::{Delay, Event, Instant, Tag, TaskFact};
use hemiola_trace::wire;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A column is at most so wide.
const MOST_WIDTH: usize = 76;

pub(super) fn run(args: &TraceDiffArgs) -> Result<Done, Refusal> {
    if args.left == "-" && args.right == "-" {
        return Err(Failure::new("standard input can be one of the runs, not both")
            .help("write one of them to a file")
            .into());
    }
    let left = traced::traced(&args.left, Facts::default())?;
    let (compare, notes) = compare(args, &left.events)?;
    let notes = left.notes + &notes;
    if !compare.is_different && compare.equal == compare.expected.len() {
        let equal = compare.equal;
        let output = match args.format {
            Format::Text => format!("the same: {equal} events\n"),
            Format::Json => {
                format!("{}\n", json!({ "version": 1, "equal": true, "events": equal }))
            }
        };
        return Ok(Done { output, notes, code: 0 });
    }
    let (around, first) = around(args, &left.events, left.sources, compare.equal);
    let output = match args.format {
        Format::Text => side_by_side(args, &compare, &around),
        Format::Json => {
            let nothing = || Value::Null;
            let object = json!({
                "version": 1, "equal": false, "events": compare.equal,
                "left": first.unwrap_or_else(nothing),
                "right": compare.first.unwrap_or_else(nothing),
            });
            format!("{object}\n")
        }
    };
    Ok(Done { output, notes, code: FOUND })
}

/// Reads the second run as far as it takes, and notes about it.
fn compare(args: &TraceDiffArgs, left: &[Event]) -> Result<(Compare, String), Refusal> {
    let mut plain = Plain::new(args.exact);
    let mut right = traced::open(&args.right)?.with_status();
    let compare = Rc::new(RefCell::new(Compare {
        expected: left.iter().filter_map(|event| plain.event(event)).collect(),
        plain: Plain::new(args.exact),
        lines: Lines::new(std::mem::take(&mut right.sources)),
        equal: 0,
        is_different: false,
        around: Vec::new(),
        first: None,
        context: args.context.into(),
    }));
    let each = Rc::clone(&compare);
    let notes = right.each(Facts::default(), move |event| each.borrow_mut().event(&event))?;
    let compare = Rc::into_inner(compare).expect("nobody hears the run any more");
    Ok((compare.into_inner(), notes))
}

/// The lines of the first run around its first difference, and the event that differs.
///
/// Numbers of events count those that are compared, in the order of `trace show`.
fn around(
    args: &TraceDiffArgs,
    events: &[Event],
    sources: BTreeMap<String, String>,
    equal: usize,
) -> (Vec<String>, Option<Value>) {
    let context = usize::from(args.context);
    let shown = equal.saturating_sub(context)..=equal.saturating_add(context);
    let mut lines = Lines::new(sources);
    let mut counting = Plain::new(args.exact);
    let (mut around, mut first, mut at) = (Vec::new(), None, 0);
    for event in events {
        let line = lines.line(event);
        if counting.event(event).is_none() {
            continue;
        }
        if at == equal {
            first = Some(wire::to_json(event));
        }
        if shown.contains(&at) {
            around.push(line);
        }
        at += 1;
    }
    (around, first)
}

/// Compares events with those of another run, as they come.
struct Compare {
    expected: Vec<Event>,
    plain: Plain,
    lines: Lines,
    equal: usize,
    is_different: bool,
    /// The lines around the first difference.
    around: Vec<String>,
    /// The event that differs.
    first: Option<Value>,
    context: usize,
}

impl Compare {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        let line = self.lines.line(event);
        let Some(plain) = self.plain.event(event) else { return ControlFlow::Continue(()) };
        if !self.is_different {
            if self.expected.get(self.equal) == Some(&plain) {
                self.equal += 1;
                if self.around.len() == self.context {
                    self.around.drain(..1.min(self.context));
                }
                if self.context > 0 {
                    self.around.push(line);
                }
                return ControlFlow::Continue(());
            }
            self.is_different = true;
            self.first = Some(wire::to_json(event));
        }
        let most = self.equal.min(self.context) + 1 + self.context;
        self.around.push(line);
        if self.around.len() >= most {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

fn side_by_side(args: &TraceDiffArgs, compare: &Compare, left: &[String]) -> String {
    let Compare { equal, context, around: right, .. } = compare;
    let equal = *equal;
    let before = equal.min(*context);
    let width = left.iter().map(|line| line.trim_end().chars().count()).max().unwrap_or_default();
    let width = width.max(args.left.chars().count()).clamp(20, MOST_WIDTH);
    let mut text = match equal {
        0 => "the runs differ from the first event on\n".to_owned(),
        1 => "the runs are the same for 1 event, then differ\n".to_owned(),
        _ => format!("the runs are the same for {equal} events, then differ\n"),
    };
    let mut row = |mark: &str, number: &str, left: &str, right: &str| {
        let (left, right) = (cut(left, width), cut(right, MOST_WIDTH));
        let pad = width - left.chars().count();
        let line = format!("{mark} {number:>7}  {left}{:pad$}  {right}", "");
        writeln!(text, "{}", line.trim_end()).expect("a text takes any text");
    };
    row(" ", "", &args.left, &args.right);
    for index in 0..left.len().max(right.len()) {
        let number = equal - before + index + 1;
        let end = |side: &[String]| match index == side.len() {
            true => "(the end)".to_owned(),
            false => side.get(index).cloned().unwrap_or_default(),
        };
        let (left, right) = (end(left), end(right));
        let mark = if index < before || left == right { " " } else { ">" };
        row(mark, &number.to_string(), &left, &right);
    }
    let first = equal.saturating_sub(10) + 1;
    text + &format!("see more: hemiola trace show {} --at {first} -n 30\n", args.left)
}

fn cut(text: &str, width: usize) -> String {
    let text = text.trim_end();
    match text.chars().count() > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// Events as far as they are compared: what is told only on request is left out, and so is physical time,
/// unless it is to count. A logical time counts from the beginning of its clock.
struct Plain {
    exact: bool,
    origins: BTreeMap<u64, Instant>,
}

impl Plain {
    fn new(exact: bool) -> Self {
        Self { exact, origins: BTreeMap::new() }
    }

    fn event(&mut self, event: &Event) -> Option<Event> {
        if matches!(event, Event::Site(_) | Event::Spent { .. } | Event::Transferred { .. }) {
            return None;
        }
        let mut event = event.clone();
        if self.exact {
            return Some(event);
        }
        if let Event::Task { what: TaskFact::Compute { .. }, .. } = event {
            return None;
        }
        match &mut event {
            Event::Opened { domain, origin, .. } => {
                self.origins.insert(domain.0, std::mem::take(origin));
            }
            Event::Released { domain: Some(domain), tag, .. }
            | Event::Began { domain: Some(domain), tag: Some(tag), .. } => {
                tag.time = self.since(domain.0, tag.time);
            }
            Event::Released { domain: None, tag, .. }
            | Event::Began { domain: None, tag: Some(tag), .. } => *tag = Tag::default(),
            Event::Skipped { domain, until, .. } => *until = self.since(domain.0, *until),
            Event::Completed { at, .. } => *at = Instant::default(),
            Event::Lagged { lag, .. } => *lag = Delay::default(),
            Event::Task { at, .. } => *at = 0,
            Event::Fleet(fact) => *fact = fact.clone().timeless(),
            _ => {}
        }
        if let Event::Began { at, .. } = &mut event {
            *at = Instant::default();
        }
        Some(event)
    }

    /// How long after its clock began an instant is.
    fn since(&self, domain: u64, time: Instant) -> Instant {
        let origin = self.origins.get(&domain).map_or(0, |origin| origin.as_micros());
        Instant::from_micros(time.as_micros().saturating_sub(origin))
    }
}
