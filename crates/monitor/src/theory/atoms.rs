//! What happens at a position, by name.

use super::syntax::Var;
use hemiola_trace::source::{SourceError, Span};

/// What happens at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Atom {
    Crash,
    StopStart,
    StopEnd,
    InitSuccess,
    MinuteStart,
    Compute,
    Action,
    Simultaneous,
    NewList,
    RunStart,
    RunSuccess,
    RunFailure,
    Due,
    Listed,
    InitStart,
    CallSuccess,
    InitFailure,
    Valid,
    Triggered,
    Paused,
    Resumed,
    Interrupted,
    Lapsed,
    Refused,
    Leased,
    Fenced,
    Excused,
    SetBack,
}

impl Atom {
    pub(super) fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The atoms by their names, and what they are about.
pub(super) const ATOMS: [(&str, Option<Var>, Atom); 28] = [
    ("Crash", None, Atom::Crash),
    ("StopStart", None, Atom::StopStart),
    ("StopEnd", None, Atom::StopEnd),
    ("InitSuccess", None, Atom::InitSuccess),
    ("MinuteStart", None, Atom::MinuteStart),
    ("Compute", None, Atom::Compute),
    ("Action", None, Atom::Action),
    ("Simultaneous", None, Atom::Simultaneous),
    ("NewList", None, Atom::NewList),
    ("RunStart", Some(Var::Task), Atom::RunStart),
    ("RunSuccess", Some(Var::Task), Atom::RunSuccess),
    ("RunFailure", Some(Var::Task), Atom::RunFailure),
    ("Due", Some(Var::Task), Atom::Due),
    ("Listed", Some(Var::Task), Atom::Listed),
    ("Triggered", Some(Var::Task), Atom::Triggered),
    ("Paused", Some(Var::Task), Atom::Paused),
    ("Resumed", Some(Var::Task), Atom::Resumed),
    ("Interrupted", Some(Var::Task), Atom::Interrupted),
    ("Lapsed", Some(Var::Task), Atom::Lapsed),
    ("Refused", Some(Var::Task), Atom::Refused),
    ("Leased", Some(Var::Task), Atom::Leased),
    ("Fenced", Some(Var::Task), Atom::Fenced),
    ("Excused", Some(Var::Task), Atom::Excused),
    ("SetBack", None, Atom::SetBack),
    ("InitStart", Some(Var::Call), Atom::InitStart),
    ("InitSuccess", Some(Var::Call), Atom::CallSuccess),
    ("InitFailure", Some(Var::Call), Atom::InitFailure),
    ("Valid", Some(Var::Call), Atom::Valid),
];

/// What is wrong with a name that means nothing.
pub(super) fn unknown(name: &str, span: Span) -> SourceError {
    let form = |var: &Option<Var>| match var {
        None => "",
        Some(Var::Task) => "(x)",
        Some(Var::Call) => "(c)",
    };
    let same = ATOMS.iter().filter(|(known, ..)| *known == name);
    let same: Vec<String> = same.map(|(_, var, _)| format!("`{name}{}`", form(var))).collect();
    let all = ATOMS.iter().map(|(name, var, _)| format!("{name}{}", form(var)));
    SourceError {
        message: format!("nothing is called `{name}` here"),
        span,
        label: "neither defined before nor something that happens".into(),
        help: match same.as_slice() {
            [] => format!(
                "define it with `let`; what happens is {}",
                all.collect::<Vec<_>>().join(", ")
            ),
            forms => format!("write {}", forms.join(" or ")),
        },
    }
}
