//! Which of a program's tests run, for whoever runs them one by one, or many files of them.

use crate::state::state;
use rquickjs::{Ctx, Function, Result, Value};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Which tests run.
#[derive(Clone, Debug, Default)]
pub enum Tests {
    /// All of them, with a report.
    #[default]
    All,
    /// None: they are listed. Suites are looked into; neither tests nor hooks run.
    List(TestList),
    /// One, with the hooks around it and without a report: it is at this place among the children of the
    /// program, of those, and so on, counted from 1.
    Only(Vec<u32>),
    /// Those of any runner that the settings ask for; what becomes of each is told.
    Suite(Suite),
}

/// A test file as one of many.
#[derive(Clone)]
pub struct Suite {
    /// What is wanted of it, as JSON; `lib/internal/suite/main.js` says what there is.
    pub settings: Arc<str>,
    /// Is told what becomes of its tests, an object in JSON each.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
}

impl fmt::Debug for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Suite").field(&self.settings).finish()
    }
}

/// The tests that a program declared.
#[derive(Clone, Debug, Default)]
pub struct TestList(Arc<Mutex<Vec<TestCase>>>);

impl TestList {
    /// The tests, in the order in which they were declared.
    pub fn take(&self) -> Vec<TestCase> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, case: TestCase) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(case);
    }
}

/// A test that a program declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// Where it is, as in [`Tests::Only`].
    pub path: Vec<u32>,
    /// Its name, after those of the suites around it.
    pub names: Vec<String>,
    /// Whether it is to be skipped.
    pub skipped: bool,
    /// Whether it may fail.
    pub todo: bool,
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "wantedTest" => Function::new(ctx.clone(), wanted_test),
        "listTest" => Function::new(ctx.clone(), list_test),
        "testSettings" => Function::new(ctx.clone(), test_settings),
        "tellTests" => Function::new(ctx.clone(), tell_tests),
        _ => return None,
    })
}

/// `wantedTest()`: the place of the only test that runs, null if none does, and undefined if all do.
fn wanted_test(ctx: Ctx<'_>) -> Result<Value<'_>> {
    Ok(match &state(&ctx).options.tests {
        Tests::All | Tests::Suite(_) => Value::new_undefined(ctx.clone()),
        Tests::List(_) => Value::new_null(ctx.clone()),
        Tests::Only(path) => {
            let array = rquickjs::Array::new(ctx.clone())?;
            for (at, number) in path.iter().enumerate() {
                array.set(at, *number)?;
            }
            array.into_value()
        }
    })
}

/// `listTest(path, names, skipped, todo)`: tells of a test.
fn list_test(ctx: Ctx<'_>, path: Vec<u32>, names: Vec<String>, skipped: bool, todo: bool) {
    if let Tests::List(list) = &state(&ctx).options.tests {
        list.push(TestCase { path, names, skipped, todo });
    }
}

/// `testSettings()`: what is wanted of a test file that is one of many, as JSON; undefined for any other
/// program.
fn test_settings(ctx: Ctx<'_>) -> Option<String> {
    match &state(&ctx).options.tests {
        Tests::Suite(suite) => Some(suite.settings.to_string()),
        Tests::All | Tests::List(_) | Tests::Only(_) => None,
    }
}

/// `tellTests(event)`: tells what became of a test, as JSON.
fn tell_tests(ctx: Ctx<'_>, event: String) {
    if let Tests::Suite(suite) = &state(&ctx).options.tests {
        (suite.tell)(&event);
    }
}

/// Whether a program is a test file that is one of many.
pub(crate) fn is_suite(ctx: &Ctx<'_>) -> bool {
    matches!(state(ctx).options.tests, Tests::Suite(_))
}
