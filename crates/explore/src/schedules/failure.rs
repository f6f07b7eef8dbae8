//! What is wrong with a run that has ended, in a line, and which runs fail in the same way.

use super::plan::Outcome;
use hemiola_trace::{Event, Place};
use std::collections::BTreeMap;

/// How long a line is at most that says what is wrong.
const LONGEST: usize = 240;

/// What is wrong with the end of a program: another exit code than 0, and why, as far as it said so.
pub fn failure(outcome: &Outcome, thrown: Option<&str>, cut: bool) -> Option<String> {
    if outcome.code == 0 || cut {
        return None;
    }
    let [err, out] = [&outcome.err, &outcome.out].map(|bytes| String::from_utf8_lossy(bytes));
    let [err, out] = [&err, &out].map(|text| text.lines().collect::<Vec<&str>>());
    let thrown: Vec<&str> = thrown.unwrap_or_default().lines().collect();
    let from = |lines: &[&str], is_first: &dyn Fn(&&str) -> bool| {
        lines.iter().position(is_first).map(|at| in_a_line(&lines[at..]))
    };
    let says = |line: &&str| !line.trim().is_empty();
    let told = from(&err, &is_error)
        .or_else(|| from(&thrown, &|_| true))
        // Reports of tests go there.
        .or_else(|| from(&out, &is_error))
        .or_else(|| from(&err, &says));
    Some(told.unwrap_or_else(|| format!("exit status {}", outcome.code)))
}

/// Whether a line begins with the name of an error.
fn is_error(line: &&str) -> bool {
    let name = line.trim_start().split([':', ' ']).next().unwrap_or_default();
    name.ends_with("Error") || name.ends_with("Exception")
}

/// The first of some lines. Where it only announces what follows, that is added; the properties of an error are not.
fn in_a_line(lines: &[&str]) -> String {
    let first = lines.first().copied().unwrap_or_default().trim();
    let first = if is_error(&first) { first.trim_end_matches(" {") } else { first };
    let mut line = first.to_owned();
    let is_announcement = line.ends_with([':', '{', '[', '(', ',']);
    if is_announcement {
        let more = lines[1..].iter().map(|line| line.trim());
        for more in more.take_while(|line| !line.starts_with("at ")).filter(|more| !more.is_empty())
        {
            line = format!("{line} {more}");
            if line.chars().count() > LONGEST {
                break;
            }
        }
    }
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// What failed, and where. Runs that have this in common fail in the same way, whatever values their messages have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blame {
    /// The kind of error where its place is known, if it is one, else the failure with its numbers left out.
    pub what: String,
    /// The first line of the program in the error's stack, if it has one.
    pub place: Option<Place>,
}

impl Blame {
    /// How an outcome fails, if it does.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let failure = outcome.failure.as_deref()?;
        let texts = [&outcome.err, &outcome.out].map(|bytes| String::from_utf8_lossy(bytes));
        Some(Self::new(failure, texts.iter().find_map(|text| place_in(text, failure))))
    }

    /// A failure that is told by a line, and is at this place, if that is known.
    pub fn new(failure: &str, place: Option<Place>) -> Self {
        let what = match &place {
            Some(_) if is_error(&failure) => failure.split(':').next().unwrap_or_default(),
            // The place says what failed there.
            Some(_) => "",
            None => &without_numbers(failure),
        };
        Self { what: what.to_owned(), place }
    }
}

/// Where an error was thrown that a text shows with its stack: the program's own files go before its packages.
fn place_in(text: &str, failure: &str) -> Option<Place> {
    let is_told = |line: &&str| tells(line, failure);
    let mut frames = text.lines().skip_while(|line| !is_told(line)).skip(1).filter_map(frame);
    let first = frames.next()?;
    if !is_package(&first) {
        return Some(first);
    }
    Some(frames.find(|place| !is_package(place)).unwrap_or(first))
}

/// Whether a line of a text is the first of what a failure is told by.
pub fn tells(line: &str, failure: &str) -> bool {
    let line = line.trim().trim_end_matches(" {");
    !line.is_empty() && failure.starts_with(line)
}

fn is_package(place: &Place) -> bool {
    place.file.contains("/node_modules/")
}

/// The place of a line of a stack, if that is the program's: `    at name (/app.js:1:2)`.
fn frame(line: &str) -> Option<Place> {
    let called = line.trim_start().strip_prefix("at ")?;
    let called = called.trim_end_matches([' ', '{']);
    let at = match called.strip_suffix(')') {
        Some(called) => called.rsplit_once('(')?.1,
        None => called.strip_prefix("async ").unwrap_or(called),
    };
    let mut parts = at.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let file = parts.next()?;
    let file = file.strip_prefix("file://").unwrap_or(file);
    let is_library = file.starts_with("node:") || file.starts_with("hemiola:");
    (!is_library).then(|| Place { file: file.into(), line, column })
}

fn without_numbers(text: &str) -> String {
    let mut kept = String::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' if kept.ends_with('#') => {}
            '0'..='9' => kept.push('#'),
            letter => kept.push(letter),
        }
    }
    kept
}

/// The promises that somebody waits for, as far as the program tells.
#[derive(Clone, Debug, Default)]
pub struct Awaited {
    promises: BTreeMap<u64, Unsettled>,
    /// What was attached to last: a place that follows is where, and one that follows that is where it was made.
    last: Option<(u64, Told)>,
}

/// Which place of a promise was told last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    Awaited,
}

/// A promise that somebody waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsettled {
    /// Where the program made it, if that is told.
    pub made: Option<Place>,
    /// Where it is awaited, where that is told.
    pub awaited: Vec<Place>,
}

impl Awaited {
    /// Hears what happens to promises.
    pub fn hear(&mut self, event: &Event) {
        let last = self.last.take();
        match event {
            Event::Attached { promise: Some(promise), .. } => {
                self.promises.entry(*promise).or_default();
                self.last = Some((*promise, Told::Nothing));
            }
            Event::Settled { promise } => {
                self.promises.remove(promise);
            }
            Event::Site(place) => {
                let Some((promise, told)) = last else { return };
                let Some(unsettled) = self.promises.get_mut(&promise) else { return };
                match told {
                    Told::Nothing => {
                        unsettled.awaited.push(place.clone());
                        self.last = Some((promise, Told::Awaited));
                    }
                    Told::Awaited => unsettled.made = Some(place.clone()),
                }
            }
            _ => {}
        }
    }

    /// What is wrong with a run after which promises are waited for that nobody can settle any more.
    pub fn deadlock(&self, cut: bool) -> Option<String> {
        (!self.promises.is_empty() && !cut).then(|| {
            let promises = if self.promises.len() == 1 { "a promise is" } else { "promises are" };
            format!("deadlock: {promises} awaited that nothing settles")
        })
    }

    /// Those of which places of the program are known, in the order in which they were first awaited.
    pub fn unsettled(&self) -> Vec<Unsettled> {
        let mut all: Vec<Unsettled> = self.promises.values().cloned().collect();
        all.retain(|promise| !promise.awaited.is_empty());
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(err: &str) -> Outcome {
        let mut outcome = Outcome { code: 1, err: err.into(), ..Outcome::default() };
        outcome.failure = failure(&outcome, None, false);
        outcome
    }

    fn told(err: &str) -> String {
        ended(err).failure.expect("it fails")
    }

    #[test]
    fn a_line_that_only_announces_is_told_with_what_follows() {
        let strict = "/a.js:3\n  assert\n  ^\n\nAssertionError [ERR_ASSERTION]: Expected values to be equal:\n\n\
                      1 !== 2\n\n    at f (/a.js:3:9) {\n  code: 'ERR_ASSERTION'\n}\n";
        let line = "AssertionError [ERR_ASSERTION]: Expected values to be equal: 1 !== 2";
        assert_eq!(told(strict), line);
        assert_eq!(told("{\n  a: 1,\n  b: 2\n}\n"), "{ a: 1, b: 2 }");
        assert_eq!(told("Error: plain\n    at /a.js:1:1\n"), "Error: plain");
        assert_eq!(told("Error: ENOENT 'x' {\n  errno: -2\n}\n"), "Error: ENOENT 'x'");
        assert_eq!(told(""), "exit status 1");
        let long = told(&format!("{{\n{}", "  a: 'ä',\n".repeat(200)));
        assert!(long.ends_with('…') && long.chars().count() <= LONGEST + 1, "{long}");
    }

    #[test]
    fn what_fails_at_one_place_fails_in_the_same_way() {
        let at = |message: &str, place: &str| {
            let err = format!("Error: {message}\n    at f (node:x:1:1)\n    at g ({place})\n");
            Blame::of(&ended(&err)).expect("it fails")
        };
        assert_eq!(at("lock 1 is held", "/a.js:3:9"), at("lock is gone", "file:///a.js:3:9"));
        assert_ne!(at("lock 1 is held", "/a.js:3:9"), at("lock 1 is held", "/a.js:4:9"));
        let package = "Error: x\n    at f (/m/node_modules/p/i.js:1:2)\n    at async /a.js:5:6\n";
        let place = Blame::of(&ended(package)).and_then(|blame| blame.place);
        assert_eq!(place.map(|place| place.to_string()), Some("/a.js:5:6".into()));
        let of = |err: &str| Blame::of(&ended(err)).expect("it fails");
        assert_eq!(of("lost 12 of 30\n"), of("lost 3 of 30\n"));
        let new = |failure: &str, place: &str| Blame::new(failure, frame(place));
        let [here, there] = ["    at /a.js:3:9", "    at /a.js:4:9"];
        assert_eq!(new("TypeError: 1", here), new("TypeError: 2", here));
        assert_ne!(new("TypeError: 1", here), new("RangeError: 1", here));
        assert_eq!(new("toBe: 1", here), new("toBe two", here), "words of the test itself");
        assert_ne!(new("toBe: 1", here), new("toBe: 1", there));
        assert_ne!(of("lost 12 of 30\n"), of("gained 12 of 30\n"));
    }

    #[test]
    fn promises_that_nothing_settles_are_told_with_their_places() {
        let place = |line| Place { file: "/a.js".into(), line, column: 1 };
        let attached = |reaction, promise| Event::Attached { reaction, promise: Some(promise) };
        let mut awaited = Awaited::default();
        for event in [
            attached(1, 1),
            Event::Site(place(3)),
            Event::Site(place(1)),
            attached(2, 2),
            Event::Site(place(4)),
            attached(3, 1),
            Event::Site(place(5)),
            Event::Settled { promise: 2 },
            // Somebody else's.
            Event::Site(place(6)),
        ] {
            awaited.hear(&event);
        }
        let first = Unsettled { made: Some(place(1)), awaited: vec![place(3), place(5)] };
        assert_eq!(awaited.unsettled(), [first]);
        assert!(awaited.deadlock(false).is_some() && awaited.deadlock(true).is_none());
    }
}
