//! What requests cost, by their names.

use crate::books::Row;
use crate::cost::Cost;
use std::collections::BTreeMap;

/// How many names are told apart.
const MOST_NAMES: usize = 1_000;

/// What stands for all others when there are too many.
const OTHERS: &str = "other requests";

pub(crate) type RequestIndex = u32;

/// Requests that go on, and what is known of those that are over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    rows: BTreeMap<String, Row>,
    open: Vec<Request>,
    free: Vec<RequestIndex>,
}

#[derive(Clone, Debug)]
struct Request {
    name: String,
    /// How many invocations belong to it that may still cause something.
    holds: u32,
    /// What the labelled invocation took itself, and what all of it took.
    own: Cost,
    whole: Cost,
}

impl Requests {
    /// Begins a request, held once.
    pub(crate) fn begin(&mut self, name: &str) -> RequestIndex {
        let name = name.to_owned();
        let request = Request { name, holds: 1, own: Cost::default(), whole: Cost::default() };
        match self.free.pop() {
            Some(index) => {
                self.open[index as usize] = request;
                index
            }
            None => {
                self.open.push(request);
                (self.open.len() - 1) as RequestIndex
            }
        }
    }

    pub(crate) fn rename(&mut self, index: RequestIndex, name: &str) {
        name.clone_into(&mut self.open[index as usize].name);
    }

    pub(crate) fn hold(&mut self, index: RequestIndex) {
        self.open[index as usize].holds += 1;
    }

    /// An invocation of it has ended.
    pub(crate) fn add(&mut self, index: RequestIndex, cost: Cost, is_labelled: bool) {
        let request = &mut self.open[index as usize];
        request.whole += cost;
        if is_labelled {
            request.own += cost;
        }
    }

    /// One invocation less may cause something; the last one ends the request.
    pub(crate) fn let_go(&mut self, index: RequestIndex) {
        let request = &mut self.open[index as usize];
        request.holds -= 1;
        if request.holds > 0 {
            return;
        }
        let Request { name, own, whole, .. } = request;
        let is_new = !self.rows.contains_key(name.as_str());
        let name = match is_new && self.rows.len() >= MOST_NAMES {
            true => OTHERS.to_owned(),
            false => std::mem::take(name),
        };
        let row = self.rows.entry(name).or_default();
        row.exclusive.add(*own);
        row.inclusive.add(*whole);
        self.free.push(index);
    }

    /// How many requests go on.
    pub(crate) fn len(&self) -> usize {
        self.open.len() - self.free.len()
    }

    pub(crate) fn into_rows(self) -> Vec<(String, Row)> {
        self.rows.into_iter().collect()
    }
}
