//! Where two runs part, for who looks at them side by side.
//!
//! Physical time differs between any two live runs, and so does everything that is counted from it.
//! Compared is what the programs mean: which callbacks ran, in which order, attached and enabled by
//! whom, at which logical time since their clock began, and what they showed and asked for.

use super::actions::{Action, Actions, Effect, Kind};
use std::fmt::Write;

/// The first action that is not the same in two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// How many actions they share before it.
    pub at: usize,
    /// What differs, in a word.
    pub what: &'static str,
    /// That of the first run; nothing when it ends there.
    pub left: Option<String>,
    /// That of the second run; nothing when it ends there.
    pub right: Option<String>,
}

/// The first difference, if there is one.
pub fn first_difference(left: &Actions, right: &Actions) -> Option<Difference> {
    let (one, other) = (Described::new(left), Described::new(right));
    let common = left.list.len().min(right.list.len());
    for at in 0..common {
        for (what, describe) in ASPECTS {
            let (left, right) = (describe(&one, at), describe(&other, at));
            if left != right {
                return Some(Difference { at, what, left: Some(left), right: Some(right) });
            }
        }
    }
    (left.list.len() != right.list.len()).then(|| Difference {
        at: common,
        what: "end",
        left: left.list.get(common).map(|action| one.kind(action)),
        right: right.list.get(common).map(|action| other.kind(action)),
    })
}

type Describe = fn(&Described<'_>, usize) -> String;

const ASPECTS: [(&str, Describe); 7] = [
    ("callback", |run, at| run.kind(&run.actions.list[at])),
    ("time", |run, at| run.time(at)),
    ("link", |run, at| format!("#{}", run.actions.list[run.actions.list[at].link].number)),
    ("cause", |run, at| format!("#{}", run.actions.list[run.actions.list[at].cause].number)),
    ("site", |run, at| run.site(at)),
    ("output", |run, at| run.shown(at)),
    ("requests", |run, at| run.asked(at)),
];

/// A run with what its actions did, found by the action.
struct Described<'a> {
    actions: &'a Actions,
    effects: Vec<Vec<usize>>,
    operations: Vec<Vec<usize>>,
    releases: Vec<Vec<usize>>,
}

impl<'a> Described<'a> {
    fn new(actions: &'a Actions) -> Self {
        let group = |by: &mut dyn Iterator<Item = usize>| {
            let mut groups = vec![Vec::new(); actions.list.len()];
            for (index, action) in by.enumerate() {
                if let Some(group) = groups.get_mut(action) {
                    group.push(index);
                }
            }
            groups
        };
        Self {
            actions,
            effects: group(&mut actions.effects.iter().map(|(action, _)| *action)),
            operations: group(&mut actions.operations.iter().map(|operation| operation.by)),
            releases: group(&mut actions.releases.iter().map(|release| release.by)),
        }
    }

    fn kind(&self, action: &Action) -> String {
        match action.kind {
            Kind::Main => "main program".into(),
            Kind::Nested => "callback of a queue".into(),
            Kind::Exit => "end of the program".into(),
            Kind::Of(class) => match action.domain {
                Some(domain) => {
                    format!("{} of clock {}", class.name(), self.actions.domains[domain].label)
                }
                None => class.name().into(),
            },
        }
    }

    /// Only clocks with a label have a time that is the program's own.
    fn time(&self, at: usize) -> String {
        let action = &self.actions.list[at];
        match (action.domain, action.tag) {
            (Some(domain), Some(tag)) => {
                let origin = self.actions.domains[domain].origin;
                let since = tag.time.as_micros().saturating_sub(origin);
                format!("{} ms after its clock began, microstep {}", since / 1000, tag.microstep.0)
            }
            _ => String::new(),
        }
    }

    fn site(&self, at: usize) -> String {
        let site = self.actions.list[at].site;
        site.map_or_else(String::new, |site| self.actions.sites[site].to_string())
    }

    fn shown(&self, at: usize) -> String {
        let mut text = String::new();
        for &effect in &self.effects[at] {
            match &self.actions.effects[effect].1 {
                Effect::Wrote(stream, shown) => write!(text, "{} {shown:?} ", stream.name()),
                Effect::Observed(shown) => write!(text, "observed {shown} "),
                Effect::Threw(shown) => write!(text, "threw {shown} "),
                Effect::Task(shown) => write!(text, "{shown} "),
                // How late a clock is is physical.
                Effect::Late(_) => Ok(()),
            }
            .expect("a text takes any text");
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn asked(&self, at: usize) -> String {
        let operations = self.operations[at].iter();
        let operations = operations.map(|&index| self.actions.operations[index].what.clone());
        let releases = self.releases[at].iter().map(|&index| {
            let release = &self.actions.releases[index];
            let label = release.domain.map(|domain| self.actions.domains[domain].label.as_str());
            format!("timer of {} us, clock {}", release.delay, label.unwrap_or("none"))
        });
        operations.chain(releases).collect::<Vec<_>>().join(", ")
    }
}
