//! What can be asked of `hemiola test`.

use super::values::duration;
use crate::report::BadValue;
use clap::{Args, ValueEnum};
use hemiola_machine::Delay;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub(crate) struct TestArgs {
    /// How results are reported: spec, dot, tap, junit, github or json; NAME=FILE writes to a file
    ///
    /// May be given more than once. The default is `spec`, and `github` beside it where GITHUB_ACTIONS is
    /// set.
    #[arg(long, value_name = "NAME", value_parser = reporter)]
    pub(crate) reporter: Vec<Reporter>,
    /// Run tests whose name, after those of the suites around it, matches a regular expression
    #[arg(long, short = 't', value_name = "REGEXP")]
    pub(crate) grep: Option<String>,
    /// Run only tests marked `only`
    ///
    /// Where a file marks tests so, its others do not run in any case; this leaves out other files, too.
    #[arg(long)]
    pub(crate) only: bool,
    /// Stop after the first failure
    #[arg(long, short = 'b')]
    pub(crate) bail: bool,
    /// Run only the tests that failed last time
    #[arg(long)]
    pub(crate) rerun_failed: bool,
    /// Run each test that often; one that fails only sometimes is flaky
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) repeat: u32,
    /// Run a test that fails up to that many times more
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<u32>,
    /// Run the files of one part of several: 2/3 is the second of three
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
    /// Write snapshots anew that do not match, and remove those that no test asks for
    #[arg(long, short = 'u')]
    pub(crate) update_snapshots: bool,
    /// Run the tests again when a file changes
    #[arg(long, short = 'w')]
    pub(crate) watch: bool,
    /// How long a test may take: 500ms, 90s, 5m
    ///
    /// By default 5 seconds, mocha's 2 seconds where the project uses mocha, or what the project's
    /// configuration says. 0ms is no limit.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Delay>,
    /// How many files run at the same time
    #[arg(long, short = 'j', value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Files, directories, patterns with `*`, or parts of paths
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<String>,
}

/// One test file, in a process of its own.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestFileArgs {
    /// What is wanted of it
    #[arg(long)]
    pub(crate) settings: String,
    /// The file
    pub(crate) file: PathBuf,
}

/// How results are written, and where to if not to standard output.
#[derive(Clone, Debug)]
pub(crate) struct Reporter {
    pub(crate) kind: ReporterKind,
    pub(crate) file: Option<PathBuf>,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReporterKind {
    /// A line for each test, as a tree.
    Spec,
    /// A character for each test.
    Dot,
    /// The Test Anything Protocol, version 13.
    Tap,
    /// XML as JUnit writes it.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
    /// One object.
    Json,
}

fn reporter(text: &str) -> Result<Reporter, BadValue> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let kind = ReporterKind::from_str(name, false).map_err(|_| BadValue {
        message: format!("does not know the reporter `{}`", name.escape_debug()),
        help: "write spec, dot, tap, junit, github or json, such as --reporter junit=report.xml"
            .into(),
    })?;
    Ok(Reporter { kind, file })
}

/// One part of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Which one, from 1.
    pub(crate) part: usize,
    /// Of how many.
    pub(crate) of: usize,
}

fn shard(text: &str) -> Result<Shard, BadValue> {
    let parts =
        text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
        _ => Err(BadValue {
            message: format!("is not a part of several: `{}`", text.escape_debug()),
            help: "write which part of how many, such as --shard 2/3".into(),
        }),
    }
}

pub(super) const ABOUT: &str = "\
Run the tests of a project

Finds test files by their names (`*.test.*`, `*_test.*`, `*-test.*`, `*.spec.*`, and those in `test` and
`__tests__`) and runs each in a process of its own, several at a time. Files written for node:test, mocha,
jest, vitest and bun run without these runners: their globals and their imports are there.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola test
  hemiola test test/parser --grep 'empty input' --timeout 30s
  hemiola test --reporter spec --reporter junit=report.xml --shard 1/4

Exit status:
    0  all tests passed or were skipped
    1  a test failed
    2  the command line is wrong, or there is no test
   70  a bug in hemiola
  100  with --repeat: a test failed only sometimes, and no other failed";
