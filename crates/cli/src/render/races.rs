//! Races, for people and for programs.

use super::outcomes::coverage;
use super::words::count;
use crate::input;
use hemiola_explore::races::{Account, Also, Judged, Kind, Named, Verdict};
use hemiola_explore::schedules::{Covered, Search};
use hemiola_js::Unseen;
use hemiola_machine::{Class, Schedule};
use hemiola_trace::{Access, Place};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The version of the JSON object.
const VERSION: u32 = 1;

/// How many steps of a chain are shown.
const STEPS: usize = 6;

/// What a search for races found.
pub(crate) struct Report<'a> {
    /// How every run fails, if every one does, and a schedule.
    pub(crate) fails: Option<(&'a str, &'a Schedule)>,
    /// Where the program does what it does not tell of.
    pub(crate) unseen: &'a [(Place, Unseen)],
    /// Whether immediates were let change places.
    pub(crate) potential: bool,
    pub(crate) races: &'a [Judged],
    pub(crate) search: &'a Search,
    pub(crate) steps: u64,
    /// Paths below it are shown without it.
    pub(crate) directory: &'a str,
    /// The command that runs a schedule again.
    pub(crate) command: &'a dyn Fn(&Schedule) -> String,
}

pub(crate) fn json(report: &Report<'_>) -> String {
    let counts = report.search.counts();
    let object = json!({
        "version": VERSION,
        "races": report.races.iter().map(|race| race_json(race, report)).collect::<Vec<_>>(),
        "fails": report.fails.map(|(failure, schedule)| json!({
            "failure": failure,
            "schedule": schedule.to_string(),
            "command": (report.command)(schedule),
        })),
        "unseen": report.unseen.iter().map(|(place, why)| json!({
            "what": unseen_word(*why),
            "place": place_json(Some(place)),
        })).collect::<Vec<_>>(),
        "schedules": counts.runs(),
        "cut": counts.cut,
        "interrupted": counts.interrupted,
        "complete": report.search.covered() == Covered::All && counts.cut == 0,
    });
    format!("{object}\n")
}

fn race_json(race: &Judged, report: &Report<'_>) -> Value {
    let (schedule, failure) = match &race.verdict {
        Verdict::Harmful { schedule, failure, .. } => (Some(schedule), failure.as_ref()),
        Verdict::Benign | Verdict::Unreached => (None, None),
    };
    let also = |one: &Also| json!({ "location": one.what, "accesses": one.sides.each_ref().map(side_json) });
    json!({
        "verdict": word(race),
        "class": match &race.verdict {
            Verdict::Harmful { slow: true, .. } => Some("slow"),
            Verdict::Harmful { slow: false, .. } => Some("order"),
            Verdict::Benign | Verdict::Unreached => None,
        },
        "also": race.also.iter().map(also).collect::<Vec<_>>(),
        "location": race.what,
        "accesses": race.sides.each_ref().map(side_json),
        "schedule": schedule.map(ToString::to_string),
        "failure": failure,
        "command": schedule.map(|schedule| (report.command)(schedule)),
        "seen": race.seen,
    })
}

fn side_json(side: &Account) -> Value {
    let step = |step: &Named| json!({ "by": by(step), "place": place_json(step.place.as_ref()) });
    json!({
        "access": side.access.name(),
        "place": place_json(side.place.as_ref()),
        "links": side.links.iter().map(step).collect::<Vec<_>>(),
        "causes": side.causes.iter().map(step).collect::<Vec<_>>(),
    })
}

fn place_json(place: Option<&Place>) -> Value {
    match place {
        None => Value::Null,
        Some(Place { file, line, column }) => {
            json!({ "file": &**file, "line": line, "column": column })
        }
    }
}

pub(crate) fn text(report: &Report<'_>) -> String {
    let harmful = |race: &&Judged| matches!(race.verdict, Verdict::Harmful { .. });
    let harmful = report.races.iter().filter(harmful).count();
    let mut out = match report.races.len() {
        0 => "no races\n".to_owned(),
        all => format!("{}, {harmful} of them harmful\n", count(all, "race")),
    };
    let mut sources = Sources { texts: BTreeMap::new(), directory: report.directory };
    for race in report.races {
        race_text(race, report, &mut sources, &mut out);
    }
    if let Some((failure, schedule)) = report.fails {
        let _ = writeln!(out, "\nevery run fails: {failure}");
        let _ = writeln!(out, "  = see it with: {}", (report.command)(schedule));
        if !report.potential {
            let help = "--potential tells whether another order of registrations would help";
            let _ = writeln!(out, "  = {help}");
        }
    }
    unseen_text(report.unseen, &sources, &mut out);
    let _ = writeln!(out, "{}", coverage(report.search, report.steps));
    out
}

/// How many places are listed where accesses are not seen.
const UNSEEN: usize = 5;

fn unseen_text(unseen: &[(Place, Unseen)], sources: &Sources<'_>, out: &mut String) {
    let mut places: BTreeMap<Unseen, Vec<String>> = BTreeMap::new();
    for (place, why) in unseen {
        places.entry(*why).or_default().push(sources.place(place));
    }
    for (why, places) in places {
        let what = match why {
            Unseen::Code => "accesses in code that is made at run time",
            Unseen::Arguments => "accesses to parameters by way of `arguments`",
            Unseen::With => "accesses to names within `with`",
            Unseen::Imported => "reads of variables that other modules export and change",
        };
        let more = match places.len().saturating_sub(UNSEEN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let shown = places[..places.len().min(UNSEEN)].join(", ");
        let _ = writeln!(out, "\nnot seen: {what}, at {shown}{more}");
    }
}

fn unseen_word(why: Unseen) -> &'static str {
    match why {
        Unseen::Code => "eval",
        Unseen::Arguments => "arguments",
        Unseen::With => "with",
        Unseen::Imported => "import",
    }
}

fn race_text(race: &Judged, report: &Report<'_>, sources: &mut Sources<'_>, out: &mut String) {
    let what = match race.what.as_str() {
        "" => "the order of two callbacks".to_owned(),
        "timer" => "a timer that is cleared, or runs before".to_owned(),
        what => sources.short(what),
    };
    let _ = writeln!(out, "\n{}: {what}", word(race));
    for side in &race.sides {
        side_text(side, race, sources, out);
    }
    match &race.verdict {
        Verdict::Harmful { schedule, failure, slow } => {
            let _ = match failure {
                Some(failure) if race.potential && schedule.deviations() == 0 => {
                    writeln!(
                        out,
                        "  = only because they are registered in this order it fails: {failure}"
                    )
                }
                Some(failure) if race.potential => {
                    writeln!(
                        out,
                        "  = only the order of the two registrations keeps it from failing: {failure}"
                    )
                }
                Some(failure) => writeln!(out, "  = the other way round it fails: {failure}"),
                None => writeln!(out, "  = the other way round the program shows something else"),
            };
            if *slow {
                let _ = writeln!(out, "  = only if answers are slow, more than --slow allows");
            }
            also_text(&race.also, sources, out);
            let _ = writeln!(out, "  = see it with: {}", (report.command)(schedule));
        }
        Verdict::Benign => {
            let _ = writeln!(out, "  = in both orders the program shows the same");
        }
        Verdict::Unreached => {
            let _ = writeln!(out, "  = no schedule that was tried has them the other way round");
        }
    }
}

/// How many races are listed that come of the same.
const ALSO: usize = 4;

fn also_text(also: &[Also], sources: &Sources<'_>, out: &mut String) {
    let at = |side: &Account| {
        let place = side.place.as_ref().map(|place| sources.place(place));
        place.or_else(|| side.links.first().map(by)).unwrap_or_default()
    };
    for Also { what, sides: [one, other] } in also.iter().take(ALSO) {
        let what = sources.short(what);
        let _ = writeln!(out, "  = with it: {what}, {} and {}", at(one), at(other));
    }
    if let Some(more) = also.len().checked_sub(ALSO).filter(|more| *more > 0) {
        let _ = writeln!(out, "  = and with {}", count(more, "more race"));
    }
}

fn side_text(side: &Account, race: &Judged, sources: &mut Sources<'_>, out: &mut String) {
    let Some(first) = side.links.first() else { return };
    let label = format!("{}, in {}", verb(&race.what, side.access), by(first));
    match &side.place {
        None => {
            let _ = writeln!(out, "  --> {label}");
        }
        Some(place) => sources.excerpt(place, &label, out),
    }
    let links = chain(&side.links, sources);
    let causes = chain(&side.causes, sources);
    if !links.is_empty() {
        let _ = writeln!(out, "   = attached by {links}");
    }
    if !causes.is_empty() && causes != links {
        let _ = writeln!(out, "   = caused by {causes}");
    }
}

/// What one side of a race does.
pub(crate) fn verb(what: &str, access: Access) -> &'static str {
    match (what, access) {
        ("", _) => "comes",
        ("timer", Access::Write) => "clears",
        ("timer", Access::Read) => "runs",
        (_, Access::Read) => "reads",
        (_, Access::Write) => "writes",
    }
}

/// The steps after the first one.
fn chain(steps: &[Named], sources: &Sources<'_>) -> String {
    let at = |step: &Named| match &step.place {
        None => by(step),
        Some(place) => format!("{} ({})", by(step), sources.place(place)),
    };
    let mut words: Vec<String> = steps.iter().skip(1).take(STEPS).map(at).collect();
    if steps.len() > STEPS + 1 {
        words.push("…".into());
    }
    words.join(", by ")
}

fn by(step: &Named) -> String {
    let of = |what: &str| {
        if step.what.is_empty() { String::new() } else { format!("{what}{}", step.what) }
    };
    match step.kind {
        Kind::Main => "the main program".into(),
        Kind::End => "what runs at the end".into(),
        Kind::Effect if step.what.is_empty() => "an operation".into(),
        Kind::Effect => step.what.clone(),
        Kind::Callback(Class::Tick) => "a tick".into(),
        Kind::Callback(Class::Promise) => "a promise job".into(),
        Kind::Callback(Class::Immediate) => "an immediate".into(),
        Kind::Callback(Class::Timer) => "a timer".into(),
        Kind::Callback(Class::Io) => format!("the callback{}", of(" of ")),
        Kind::Callback(Class::Close) => "a closing callback".into(),
    }
}

fn word(race: &Judged) -> &'static str {
    match &race.verdict {
        Verdict::Harmful { .. } if race.potential => "potential",
        Verdict::Harmful { .. } => "harmful",
        Verdict::Benign => "benign",
        Verdict::Unreached => "unconfirmed",
    }
}

/// The texts of the program's files, as far as they can be read.
struct Sources<'a> {
    texts: BTreeMap<String, Option<String>>,
    directory: &'a str,
}

impl Sources<'_> {
    /// A text with paths below the directory made short.
    fn short(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.directory), "")
    }

    fn place(&self, place: &Place) -> String {
        self.short(&place.to_string())
    }

    /// The line of a place, with a mark and what it is about.
    fn excerpt(&mut self, place: &Place, label: &str, out: &mut String) {
        let file = place.file.to_string();
        let read = || input::read(Path::new(&file)).ok().map(|source| source.text);
        let is_file = Path::new(&file).is_absolute();
        let text = self.texts.entry(file.clone()).or_insert_with(|| is_file.then(read).flatten());
        let line = text.as_ref().and_then(|text| text.lines().nth(place.line as usize - 1));
        let line = line.map(str::to_owned);
        let _ = writeln!(out, "  --> {}", self.place(place));
        let Some(line) = line else {
            let _ = writeln!(out, "   = {label}");
            return;
        };
        let number = place.line.to_string();
        let space = " ".repeat(number.len());
        // Columns count UTF-16 units; the mark stands below the character.
        let mut units = 1;
        let before = line.chars().take_while(|character| {
            let here = units < place.column;
            units += character.len_utf16() as u32;
            here
        });
        let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let _ = writeln!(out, " {space} |\n {number} | {line}\n {space} | {indent}^ {label}");
    }
}
