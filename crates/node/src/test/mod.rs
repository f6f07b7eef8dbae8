//! Which of a program's tests run, for whoever runs them one by one.

use crate::state::state;
use rquickjs::{Ctx, Function, Result, Value};
use std::sync::{Arc, Mutex, PoisonError};

/// Which tests of `node:test` run.
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
        _ => return None,
    })
}

/// `wantedTest()`: the place of the only test that runs, null if none does, and undefined if all do.
fn wanted_test(ctx: Ctx<'_>) -> Result<Value<'_>> {
    Ok(match &state(&ctx).options.tests {
        Tests::All => Value::new_undefined(ctx.clone()),
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
