//! The open world: for small programs every schedule is tried, and the outcomes are those that are
//! written down here.

mod common;

use common::{options, with_stack};
use hemiola_js::{Ending, Entry};
use hemiola_live::SystemTree;
use hemiola_machine::{Chooser, Silent, Stream};
use hemiola_world::{Faults, Open, Overlay};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Takes given alternatives, then the first, and notes how many there were.
#[derive(Default)]
struct Path {
    taken: Vec<(usize, usize)>,
    at: usize,
}

impl Chooser for Path {
    fn choose(&mut self, count: usize) -> usize {
        if self.at == self.taken.len() {
            self.taken.push((0, count));
        }
        let (taken, of) = self.taken[self.at];
        assert_eq!(of, count, "the same choices offer the same");
        self.at += 1;
        taken
    }
}

impl Path {
    /// The next path in the tree of all.
    fn next(mut self) -> Option<Self> {
        while let Some((taken, of)) = self.taken.pop() {
            if taken + 1 < of {
                self.taken.push((taken + 1, of));
                return Some(Self { taken: self.taken, at: 0 });
            }
        }
        None
    }
}

/// What the program prints, on one line, under every schedule; the default's first.
fn outcomes(source: &str, faults: Faults) -> (String, BTreeSet<String>, usize) {
    let mut path = Some(Path::default());
    let (mut default, mut all, mut count) = (None, BTreeSet::new(), 0);
    while let Some(mut chooser) = path.take() {
        let shown = run(source, faults, &mut chooser);
        default.get_or_insert(shown.clone());
        all.insert(shown);
        count += 1;
        assert!(count < 20_000, "too many schedules of {source}");
        path = chooser.next();
    }
    (default.expect("there is a default"), all, count)
}

fn run(source: &str, faults: Faults, chooser: &mut impl Chooser) -> String {
    let output = RefCell::new(String::new());
    let write = |_: Stream, bytes: &[u8]| {
        output.borrow_mut().push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    };
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let mut world = Open::new(0, Arc::clone(&files), faults, write);
    let entry = Entry::Text { source: source.into(), name: "[eval]".into() };
    let mut options = options(entry);
    options.disk = files;
    let code = hemiola_js::run(options, Ending::Freed, &mut world, chooser, &mut Silent);
    let code = code.expect("an engine starts");
    drop(world);
    let mut shown = output.into_inner().replace('\n', " ").trim_end().to_owned();
    if code != 0 {
        shown.push_str(&format!(" [{code}]"));
    }
    shown
}

/// Checks the outcomes of a program: the default first, then all others.
fn check(source: &'static str, expected: &'static [&'static str]) {
    with_stack(move || {
        let (default, all, count) = outcomes(source, Faults::NONE);
        println!("{count} schedules of {source}");
        assert_eq!(default, expected[0], "by default: {source}");
        let expected: BTreeSet<String> = expected.iter().map(|&one| one.to_owned()).collect();
        assert_eq!(all, expected, "{source}");
    });
}

#[test]
fn a_zero_timer_and_an_immediate_come_in_either_order() {
    check(
        "setTimeout(() => console.log('t'), 0); setImmediate(() => console.log('i'));",
        &["i t", "t i"],
    );
}

#[test]
fn timers_of_one_delay_keep_their_order() {
    check(
        "setTimeout(() => console.log('a'), 1); setTimeout(() => console.log('b'), 1);",
        &["a b"],
    );
}

#[test]
fn time_may_pass_between_two_statements() {
    check(
        "setTimeout(() => console.log('a'), 3); setTimeout(() => console.log('b'), 2);",
        &["b a", "a b"],
    );
    check(
        "setTimeout(() => console.log('a'), 50); setTimeout(() => console.log('b'), 40);",
        &["b a", "a b"],
    );
    check(
        "setTimeout(() => console.log('a'), 2); setTimeout(() => console.log('b'), 3);",
        &["a b"],
    );
}

#[test]
fn operations_are_answered_in_any_order_and_outlast_timers() {
    check(
        "const fs = require('fs');
         fs.stat('/', () => console.log('a')); fs.stat('/', () => console.log('b'));",
        &["a b", "b a"],
    );
    check(
        "require('fs').stat('/', () => console.log('io')); setTimeout(() => console.log('t'), 1000);",
        &["io t", "t io"],
    );
}

#[test]
fn an_operation_takes_effect_when_it_is_answered() {
    check(
        "const fs = require('fs');
         fs.writeFile('/tmp/hemiola-open', 'x', () => {});
         setTimeout(() => console.log(fs.existsSync('/tmp/hemiola-open')), 5);",
        &["true", "false"],
    );
}

#[test]
fn what_nobody_waits_for_does_not_come() {
    check("setTimeout(() => console.log('no'), 5).unref(); console.log('end');", &["end"]);
    check(
        "setTimeout(() => console.log('u'), 5).unref(); setTimeout(() => console.log('t'), 9);",
        &["u t"],
    );
}

#[test]
fn a_program_that_looks_again_and_again_is_served() {
    with_stack(|| {
        let source = "let done = false; require('fs').stat('/', () => { done = true; });
            (function look() { if (!done) setImmediate(look); else console.log('done'); })();";
        assert_eq!(run(source, Faults::NONE, &mut Path::default()), "done");
        let source = "let done = false; setTimeout(() => { done = true; }, 50);
            (function look() { if (!done) setImmediate(look); else console.log('done'); })();";
        assert_eq!(run(source, Faults::NONE, &mut Path::default()), "done");
    });
}

#[test]
fn labelled_clocks_keep_their_promises() {
    check(
        "for (const [label, name] of [['A', 'a'], ['B', 'b']]) {
           let n = 0;
           const timer = setInterval(() => { console.log(name); if (++n === 2) clearInterval(timer); }, 10, label);
         }",
        &["a b a b"],
    );
    check(
        "setTimeout(() => console.log('u'), 12); setTimeout(() => console.log('l'), 10, 'A');",
        &["l u", "u l"],
    );
}
