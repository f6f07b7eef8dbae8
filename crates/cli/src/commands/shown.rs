//! `hemiola run --view`: the timeline of a program while it runs, as a page.

use super::facts::Facts;
use super::view::{bind, texts};
use super::watch::Watch;
use crate::args::RunArgs;
use crate::console::complain;
use crate::done::Done;
use crate::report::{Failure, note};
use hemiola_export::page::{self, Print, Reader};
use hemiola_live::{Body, Pages, end_at_once, open_browser};
use hemiola_machine::Event;
use serde_json::json;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Whoever asks for what is new and gets nothing for so long asks again.
const PATIENCE: Duration = Duration::from_secs(10);

/// A page that shows a run.
pub(super) struct Shown {
    show: Arc<Show>,
    address: String,
}

/// What the program's thread tells the threads that answer.
struct Show {
    seen: Mutex<Seen>,
    changed: Condvar,
    name: String,
    command: String,
    directory: String,
    strategy: String,
}

/// So many pages that look at the same run are sent only what is new to them.
const PAGES: usize = 8;

#[derive(Default)]
struct Seen {
    reader: Reader,
    /// How many events there were.
    count: u64,
    /// The exit status, once the program has ended.
    ended: Option<u8>,
    /// Whether a page has been sent the end.
    is_sent: bool,
    /// What pages were sent last, by the numbers of the answers.
    sent: VecDeque<(u64, Arc<Print>)>,
    answers: u64,
}

impl Shown {
    /// Opens the page, if that is asked for.
    pub(super) fn begin(args: &RunArgs, watch: &mut Watch) -> Result<Option<Self>, Failure> {
        if !args.view {
            return Ok(None);
        }
        let server = bind(0)?;
        let address = server.address();
        let program = &args.program;
        let words: Vec<_> = program.words.iter().map(|word| word.to_string_lossy()).collect();
        let file = words.first().map_or("[eval]", |word| &**word);
        let show = Arc::new(Show {
            seen: Mutex::default(),
            changed: Condvar::new(),
            name: file.rsplit('/').next().unwrap_or(file).to_owned(),
            command: format!("hemiola run --view {}", words.join(" ")),
            directory: std::env::current_dir().unwrap_or_default().display().to_string(),
            strategy: program.strategy.name().into(),
        });
        let told = Arc::clone(&show);
        let facts = Self::facts(true);
        watch.tell(Box::new(move |event| {
            if facts.wants(&event) {
                told.take(&event);
            }
        }));
        let asked = Arc::clone(&show);
        let pages: Arc<Pages> = Arc::new(move |path| asked.answer(path));
        std::thread::spawn(move || server.serve_live(pages));
        complain(&note(&format!("the timeline is at {address}")));
        open_browser(&address);
        Ok(Some(Self { show, address }))
    }

    /// What the program has to tell for it.
    pub(super) fn facts(is_on: bool) -> Facts {
        Facts { sites: is_on, accounts: is_on, ..Facts::default() }
    }

    /// Waits until a page has got all of the run, or somebody ends us.
    pub(super) fn end(self, done: Done) -> Result<Done, Failure> {
        let mut seen = self.show.seen();
        seen.ended = Some(done.code);
        self.show.changed.notify_all();
        end_at_once()
            .map_err(|error| Failure::new(format!("cannot listen to signals: {error}")))?;
        complain(&done.notes);
        if !seen.is_sent {
            let words = format!("the program has ended; its timeline is at {}", self.address);
            complain(&note(&format!("{words} until it is looked at, or until Ctrl-C")));
        }
        while !seen.is_sent {
            seen = self.show.changed.wait(seen).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(Done { notes: String::new(), ..done })
    }
}

impl Seen {
    /// What a page was sent with an answer, if that is still known.
    fn sent(&self, answer: u64) -> Option<Arc<Print>> {
        let found = self.sent.iter().find(|(number, _)| *number == answer);
        found.map(|(_, print)| Arc::clone(print))
    }

    /// Remembers what a page is sent; gives the number of the answer.
    fn send(&mut self, print: Print) -> u64 {
        if self.sent.len() == PAGES {
            self.sent.pop_front();
        }
        self.answers += 1;
        self.sent.push_back((self.answers, Arc::new(print)));
        self.answers
    }
}

impl Show {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, event: &Event) {
        let mut seen = self.seen();
        seen.reader.take(event);
        seen.count += 1;
        // Of what happens within a callback a page hears when it is over.
        if let Event::Ended { .. } = event {
            self.changed.notify_all();
        }
    }

    fn answer(self: &Arc<Self>, path: &str) -> Option<Body> {
        let (name, query) = path.split_once('?').unwrap_or((path, ""));
        match name {
            "" => Some(Body { kind: "text/html", text: page::live_html(), then: None }),
            "data" => {
                let after = query.strip_prefix("after=")?;
                let (after, to) = after.split_once("&to=").unwrap_or((after, "0"));
                Some(self.data(after.parse().ok()?, to.parse().ok()?))
            }
            _ => None,
        }
    }

    /// What of the run the page has not seen, as soon as there is something; all of it if it is not known what it saw.
    /// `to` is the number of the answer that it got last; 0 for none.
    fn data(self: &Arc<Self>, after: u64, to: u64) -> Body {
        let news = self.changed.wait_timeout_while(self.seen(), PATIENCE, |seen| {
            seen.count <= after && seen.ended.is_none()
        });
        let (seen, _) = news.unwrap_or_else(PoisonError::into_inner);
        let (reader, count, ended) = (seen.reader.clone(), seen.count, seen.ended);
        drop(seen);
        let actions = reader.finish();
        let state = ended.map_or("it runs".into(), |code| format!("exit {code}"));
        let run = page::Run {
            name: self.name.clone(),
            command: self.command.clone(),
            facts: vec![
                ("ended".into(), state),
                ("directory".into(), self.directory.clone()),
                ("strategy".into(), self.strategy.clone()),
            ],
            sources: texts(&actions),
            actions,
            ..page::Run::default()
        };
        let mut data = page::data(&[run]);
        let known = self.seen().sent(to);
        let print = Print::of(&data["runs"][0]);
        if let Some(known) = known {
            let runs = data["runs"].take();
            data["news"] = known.news(&runs[0]);
        }
        data["answer"] = json!(self.seen().send(print));
        data["seen"] = json!(count);
        data["over"] = json!(ended.is_some());
        let show = Arc::clone(self);
        let sent = move || {
            show.seen().is_sent = true;
            show.changed.notify_all();
        };
        let then = ended.map(|_| Box::new(sent) as Box<dyn FnOnce() + Send>);
        Body { kind: "application/json", text: data.to_string(), then }
    }
}
