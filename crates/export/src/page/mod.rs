//! The timeline page: one file of HTML with the runs that it shows.
//!
//! A [`Reader`] makes [`Actions`] of the events of a trace, [`html`] writes the page around them. What
//! the page does with them is written in TypeScript in `viewer/`; its bundle is committed and becomes
//! part of this crate, so that nothing but Rust is needed to build it.

mod actions;
mod columns;
mod difference;
mod fleet;
mod news;

pub use actions::{
    Action, Actions, Choice, Domain, Effect, Kind, Operation, Origin, Reader, Release, Task,
    Transfer,
};
pub use difference::{Difference, first_difference};
pub use fleet::{Fault, Fleet, Message, Process};
pub use news::Print;

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What the page is given.
const FORMAT: &str = "hemiola-page";

/// The version of what the page is given; its own is the same, since both are in one file.
const VERSION: u64 = 1;

// Links to the files in `viewer/dist`, so that they are in the crate's package, too.
const PAGE: &str = include_str!("../../dist/page.html");
const SCRIPT: &str = include_str!("../../dist/page.js");
const STYLE: &str = include_str!("../../dist/page.css");

/// One run, as the page shows it.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The id of its recording, or the path of its trace.
    pub name: String,
    /// The command line that it was started with; empty if it is not known.
    pub command: String,
    /// Further facts, in words: name and value.
    pub facts: Vec<(String, String)>,
    /// When it began, in microseconds since 1970.
    pub started_us: Option<u64>,
    /// What happened.
    pub actions: Actions,
    /// The texts of the files that the sites are in, as the run read them.
    pub sources: BTreeMap<String, String>,
    /// Accesses that come in either order.
    pub races: Vec<Race>,
}

/// Two accesses to one location that no rule orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The location, in words.
    pub what: String,
    /// Who did it, what, and where.
    pub sides: Vec<Side>,
}

/// One of the accesses of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The number of the invocation, if it ran.
    pub invocation: Option<u64>,
    /// What it did, in words.
    pub access: String,
    /// Where, if that is known.
    pub place: Option<String>,
}

/// The page with one run, or with two runs and their first difference.
pub fn html(runs: &[Run]) -> String {
    around(PAGE, &data(runs))
}

/// The page of a program that runs. It asks for its [`data`] at `data?after=N&to=M` next to its own address, where N is
/// the `seen` and M the `answer` that it was given last, until `over` says that this was the end. Whoever names an answer
/// that is still known gets `news` of the run instead of all of it: see [`Print::news`].
pub fn live_html() -> String {
    let page = PAGE.replace("img-src data:", "img-src data:; connect-src 'self'");
    around(&page, &json!({ "format": FORMAT, "version": VERSION, "live": true, "runs": [] }))
}

fn around(page: &str, data: &Value) -> String {
    let data = data.to_string();
    // The page is cut at its marks once, so that no text of a program can be taken for one.
    let mut whole = String::with_capacity(page.len() + SCRIPT.len() + STYLE.len() + data.len());
    let mut rest = page;
    // Within JSON the character stands in texts only, where the escape means the same; the bundle is
    // built without anything that could end its element.
    let data = data.replace('<', "\\u003c");
    for (mark, text) in [("/*style*/", STYLE), ("/*data*/", &data), ("/*script*/", SCRIPT)] {
        let (before, after) = rest.split_once(mark).expect("the page has its marks in this order");
        whole.push_str(before);
        whole.push_str(text);
        rest = after;
    }
    whole + rest
}

/// What the page is given, as JSON.
pub fn data(runs: &[Run]) -> Value {
    let difference = match runs {
        [left, right, ..] => {
            let is_same_program = left.sources == right.sources;
            first_difference(&left.actions, &right.actions, is_same_program)
        }
        _ => None,
    };
    json!({
        "format": FORMAT,
        "version": VERSION,
        "runs": runs.iter().map(columns::run).collect::<Vec<_>>(),
        "difference": difference.map(|difference| json!({
            "at": difference.at,
            "what": difference.what,
            "left": difference.left,
            "right": difference.right,
        })),
    })
}
