//! `hemiola lineage`: who attached and who caused what in a run, and what it cost.

use super::facts::Facts;
use super::profile::nearer;
use super::traced::{self, Refusal};
use crate::args::{LineageArgs, LineageFormat, Tree};
use crate::done::Done;
use crate::report::{self, Failure};
use hemiola_lineage::{Accounts, Relation, Report, Requests, Trees, tables};
use hemiola_trace::Sink;
use serde_json::json;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

pub(super) fn run(args: &LineageArgs) -> Result<Done, Failure> {
    let shown = Shown::of(args)?;
    let (Seen { accounts, trees, requests }, mut notes) = match read(args, &shown) {
        Ok(read) => read,
        Err(refusal) => return refusal.answer(),
    };
    let report = accounts.finish();
    let output = match args.format {
        LineageFormat::Text => text(args, &shown, trees.as_ref(), &report, &requests),
        LineageFormat::Json => json(&shown, trees.as_ref(), &report, &requests),
        LineageFormat::Dot => dot(args, trees.as_ref()),
    };
    if args.format == LineageFormat::Text && (shown.sites || shown.requests) && !report.told {
        notes += &report::note(
            "this trace does not tell what invocations cost; one of `run --profile --trace FILE` does",
        );
    }
    Ok(Done { output, notes, code: 0 })
}

/// Reads a run, and notes about it.
fn read(args: &LineageArgs, shown: &Shown) -> Result<(Seen, String), Refusal> {
    let trees = shown.tree.map(|_| Trees::default());
    let seen = Rc::new(RefCell::new(Seen { trees, ..Seen::default() }));
    let all = Rc::clone(&seen);
    let directory = match args.format {
        // Who reads it by a program may read it elsewhere.
        LineageFormat::Json => String::new(),
        _ => std::env::current_dir().unwrap_or_default().display().to_string(),
    };
    let facts = Facts { sites: true, accounts: true, ..Facts::default() };
    let notes = traced::open(&args.run)?.with_status().each(facts, move |event| {
        let event = nearer(event, &directory);
        let Seen { accounts, trees, requests } = &mut *all.borrow_mut();
        if let Some(trees) = trees {
            trees.event(event.clone());
        }
        requests.event(event.clone());
        accounts.event(event);
        ControlFlow::Continue(())
    })?;
    Ok((seen.take(), notes))
}

/// What was asked for.
struct Shown {
    tree: Option<Tree>,
    sites: bool,
    requests: bool,
    /// Whether it was, or is what there is by default.
    asked: bool,
}

impl Shown {
    fn of(args: &LineageArgs) -> Result<Self, Failure> {
        let LineageArgs { tree, sites, requests, .. } = *args;
        let is_dot = args.format == LineageFormat::Dot;
        if is_dot && (sites || requests) {
            return Err(Failure::new("a table cannot be drawn").help("leave out --format dot"));
        }
        if is_dot && tree == Some(Tree::Both) {
            return Err(Failure::new("`--format dot` draws one tree")
                .help("choose one: --tree link or --tree cause"));
        }
        let everything = tree.is_none() && !sites && !requests;
        Ok(Self {
            tree: if everything { Some(Tree::Cause) } else { tree },
            sites: sites || everything,
            requests: requests || everything,
            asked: !everything,
        })
    }
}

#[derive(Default)]
struct Seen {
    accounts: Accounts,
    trees: Option<Trees>,
    requests: Requests,
}

fn relations(tree: Tree) -> &'static [Relation] {
    match tree {
        Tree::Link => &[Relation::Link],
        Tree::Cause => &[Relation::Cause],
        Tree::Both => &[Relation::Link, Relation::Cause],
    }
}

fn text(
    args: &LineageArgs,
    shown: &Shown,
    trees: Option<&Trees>,
    report: &Report,
    requests: &Requests,
) -> String {
    let mut parts = Vec::new();
    if let (Some(tree), Some(trees)) = (shown.tree, trees) {
        for &relation in relations(tree) {
            let tree = trees.text(relation, args.depth);
            parts.push(format!("tree of {}s\n{tree}", relation.name()));
        }
    }
    if shown.requests && (shown.asked || !report.requests.is_empty()) {
        parts.push(tables::requests(report, usize::MAX));
        parts.push(tables::routes(requests, usize::MAX));
    }
    if shown.sites {
        parts.push(tables::sites(report, usize::MAX));
    }
    parts.join("\n")
}

fn json(shown: &Shown, trees: Option<&Trees>, report: &Report, requests: &Requests) -> String {
    let mut object = json!({ "format": "hemiola-lineage", "version": 1 });
    if let Some(trees) = trees {
        object["invocations"] = trees.json();
    }
    let accounts = tables::json(report);
    object["costs"] = accounts["costs"].clone();
    object["total"] = accounts["total"].clone();
    if shown.sites {
        object["sites"] = accounts["sites"].clone();
    }
    if shown.requests {
        object["requests"] = accounts["requests"].clone();
        object["served"] = tables::served(requests);
    }
    format!("{object}\n")
}

fn dot(args: &LineageArgs, trees: Option<&Trees>) -> String {
    let relation = match args.tree {
        Some(Tree::Link) => Relation::Link,
        _ => Relation::Cause,
    };
    trees.map_or_else(String::new, |trees| trees.dot(relation, args.depth))
}
