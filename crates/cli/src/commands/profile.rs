//! `--profile`: what a run cost, said when it ends, however it does.

use crate::args::{Format, ProfileFlags};
use crate::console::remark;
use crate::input::reason;
use crate::report::Failure;
use hemiola_lineage::{Accounts, Report, tables};
use hemiola_trace::{Event, Sink};
use std::cell::RefCell;
use std::rc::Rc;

use super::facts::Facts;
use super::watch::Watch;

/// How many lines of a table are shown at the end of a program.
const MOST: usize = 40;

/// Accounts that are kept while a program runs.
pub(super) struct Profile {
    accounts: Rc<RefCell<Accounts>>,
}

impl Profile {
    /// Begins to keep accounts, if that is asked for.
    pub(super) fn begin(flags: &ProfileFlags, watch: &mut Watch) -> Option<Self> {
        if !flags.is_on() {
            return None;
        }
        let accounts = Rc::new(RefCell::new(Accounts::default()));
        let kept = Rc::clone(&accounts);
        let directory = match flags.profile {
            // Who reads it by a program may read it elsewhere.
            Some(Format::Json) => String::new(),
            _ => std::env::current_dir().unwrap_or_default().display().to_string(),
        };
        watch.tell(Box::new(move |event| kept.borrow_mut().event(nearer(event, &directory))));
        Some(Self { accounts })
    }

    /// What the program has to tell for it.
    pub(super) fn facts(flags: &ProfileFlags) -> Facts {
        let on = flags.is_on();
        Facts { sites: on, accounts: on, ..Facts::default() }
    }

    /// Says what the run cost. At once, since a program that was ended by a signal ends us, too.
    pub(super) fn show(self, flags: &ProfileFlags) -> Result<(), Failure> {
        let report = self.accounts.take().finish();
        let text = match flags.profile {
            Some(Format::Json) => format!("{}\n", tables::json(&report)),
            Some(Format::Text) | None => text(&report),
        };
        let Some(path) = &flags.profile_out else {
            // If nobody can be told, the program is none the worse.
            remark(&text);
            return Ok(());
        };
        std::fs::write(path, text).map_err(|error| {
            let reason = reason(&error);
            Failure::new(format!("cannot write the profile to {}: {reason}", path.display()))
                .help("choose another file: --profile-out FILE")
        })
    }
}

fn text(report: &Report) -> String {
    let mut text = format!("\n{}", tables::total(report));
    if !report.requests.is_empty() {
        text += "\n";
        text += &tables::requests(report, MOST);
    }
    text += "\n";
    text += &tables::sites(report, MOST);
    text
}

/// A place as it is read from here: without the directory that everything is in, if one is given.
pub(super) fn nearer(event: Event, directory: &str) -> Event {
    match event {
        Event::Site(mut place) if !directory.is_empty() => {
            let below = place.file.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'));
            if let Some(below) = below {
                place.file = below.into();
            }
            Event::Site(place)
        }
        other => other,
    }
}
