//! Link and cause of every invocation (rules CTX-1 to CTX-5): in the trace, and as the program sees them.
//!
//! `links/table.txt` has small programs in which every callback gives itself a name, and below each of
//! them a line for each name: who linked it, who caused it. One without a name, such as a function of
//! `Promise.all`, is written as its own link and cause in brackets. `UPDATE=1` writes the lines anew.

mod checker;

use crate::common::{options, with_stack};
use hemiola_js::{Ending, Entry, Options};
use hemiola_live::SystemTree;
use hemiola_machine::{Event, First, Invocation, Silent, Stream};
use hemiola_world::{Overlay, Virtual};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

const TABLE: &str = include_str!("links/table.txt");

const PRELUDE: &str = "const context = require('hemiola:context'); const marks = []; \
    const at = (name) => { context.label(name); const { index, link, cause } = context.current(); \
    marks.push([name, index, link, cause]); }; \
    process.on('exit', () => console.log('marks ' + JSON.stringify(marks)));";

/// The events of a program, and what it wrote.
fn run(source: &str, change: impl FnOnce(&mut Options)) -> (Vec<Event>, String) {
    let mut options = program(source);
    change(&mut options);
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let mut world = Virtual::new(0, files, |_, _| Ok(()));
    let mut trace = Vec::new();
    hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut trace).expect("it starts");
    let mut written = String::new();
    for event in &trace {
        if let Event::Wrote { stream: Stream::Out, text } = event {
            written.push_str(text);
        }
        if let Event::Wrote { stream: Stream::Err, text } = event {
            panic!("the program failed:\n{source}\n{text}");
        }
    }
    (trace, written)
}

/// What the same program writes when nobody listens.
fn run_silently(source: &str) -> String {
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let written = std::rc::Rc::new(std::cell::RefCell::new(String::new()));
    let out = std::rc::Rc::clone(&written);
    let mut world = Virtual::new(0, files, move |_, bytes: &[u8]| {
        out.borrow_mut().push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    });
    hemiola_js::run(program(source), Ending::Freed, &mut world, &mut First, &mut Silent)
        .expect("it starts");
    written.take()
}

fn program(source: &str) -> Options {
    let source = format!("{PRELUDE}\n{source}");
    options(Entry::Text { source, name: "[eval]".into() })
}

type Marks = Vec<(String, u64, Option<u64>, Option<u64>)>;

/// What the program's callbacks called themselves.
fn marks(written: &str) -> Marks {
    let line = written.lines().find_map(|line| line.strip_prefix("marks "));
    serde_json::from_str(line.expect("the program ends")).expect("marks are JSON")
}

/// Link and cause of every invocation, from the trace.
fn relations(trace: &[Event]) -> BTreeMap<u64, (u64, u64)> {
    let relation = |event: &Event| match *event {
        Event::Began { invocation, link, cause, .. }
        | Event::Entered { invocation, link, cause } => Some((invocation.0, (link.0, cause.0))),
        _ => None,
    };
    trace.iter().filter_map(relation).collect()
}

/// An invocation by its name, or by its own link and cause.
fn name(
    index: u64,
    names: &BTreeMap<u64, String>,
    relations: &BTreeMap<u64, (u64, u64)>,
) -> String {
    if index == Invocation::MAIN.0 {
        return "global".into();
    }
    if let Some(name) = names.get(&index) {
        return format!("`{name}`");
    }
    let (link, cause) = relations[&index];
    format!("[{} {}]", name(link, names, relations), name(cause, names, relations))
}

/// The lines that belong below a program.
fn describe(source: &str) -> String {
    let (trace, written) = run(source, |_| {});
    let (marks, relations) = (marks(&written), relations(&trace));
    assert_eq!(
        marks,
        self::marks(&run_silently(source)),
        "it sees the same when nobody listens\n{source}"
    );
    let names: BTreeMap<u64, String> =
        marks.iter().map(|(name, index, ..)| (*index, name.clone())).collect();
    let mut lines = String::new();
    for (own, index, link, cause) in &marks {
        let (traced_link, traced_cause) = relations[index];
        if *index != Invocation::MAIN.0 {
            assert_eq!((*link, *cause), (Some(traced_link), Some(traced_cause)), "{own}\n{source}");
            assert!(traced_link < *index && traced_cause < *index, "both are trees\n{source}");
        }
        let (link, cause) =
            (name(traced_link, &names, &relations), name(traced_cause, &names, &relations));
        let _ = writeln!(lines, "//  `{own}` link {link} cause {cause}");
    }
    lines
}

#[test]
fn ctx_2_and_3_link_and_cause_of_small_programs() {
    let cases: Vec<(String, String)> = TABLE
        .split("\n# ")
        .map(|case| {
            let case = case.trim_start_matches("# ");
            let (title, body) = case.split_once('\n').expect("a case has a title");
            (title.to_owned(), format!("{}\n", body.trim_end()))
        })
        .collect();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    with_stack(move || {
        let mut updated = String::new();
        for (title, body) in &cases {
            let program: String = body
                .lines()
                .filter(|line| !line.starts_with("//  "))
                .map(|line| format!("{line}\n"))
                .collect();
            let _ = write!(updated, "# {title}\n{program}{}", describe(&program));
        }
        if std::env::var_os("UPDATE").is_some() {
            rewrite(&updated);
        } else {
            for (new, old) in updated.split("\n# ").zip(TABLE.split("\n# ")) {
                assert_eq!(new.trim_end(), old.trim_end());
            }
        }
    });
}

#[expect(clippy::disallowed_methods, reason = "the table is a file of this test")]
fn rewrite(table: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/links/table.txt");
    std::fs::write(path, table).expect("the table can be written");
}

#[test]
fn ctx_3_the_checker_agrees_on_the_table() {
    with_stack(|| {
        let mut checked = 0;
        for case in TABLE.split("\n# ") {
            let (trace, _) = run(case.split_once('\n').expect("a title").1, |options| {
                options.promises = true;
            });
            checked += checker::check(&trace);
        }
        assert!(checked > 100, "{checked} reactions");
    });
}

/// Random programs, in which stores follow links as well.
#[test]
fn ctx_3_the_checker_agrees_on_random_programs() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/contexts/carried.cjs");
    let path = path.to_str().expect("the path is text").to_owned();
    with_stack(move || {
        let (trace, written) = run("", |options| {
            options.entry = Entry::File(path.clone());
            options.argv.extend([path, "1".into(), "40".into()]);
            options.promises = true;
        });
        assert!(written.starts_with("looked "), "{written}");
        let checked = checker::check(&trace);
        assert!(checked > 1_000, "{checked} reactions");
    });
}
