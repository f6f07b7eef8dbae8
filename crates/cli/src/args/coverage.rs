//! What can be asked of `hemiola test` about coverage.

use crate::report::BadValue;
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub(crate) struct CoverageArgs {
    /// Say how many lines, branches and functions the tests execute
    ///
    /// Each of the flags that begin with `--coverage-` asks for it, too.
    #[arg(long, conflicts_with = "explore")]
    coverage: bool,
    /// How coverage is reported: text or lcov; NAME=FILE writes to a file
    ///
    /// May be given more than once. The default is `text`. `lcov` goes to coverage/lcov.info if no file is given.
    #[arg(long = "coverage-reporter", conflicts_with = "explore", value_name = "NAME", value_parser = reporter)]
    reporters: Vec<CoverageReporter>,
    /// Cover only files that match a pattern, such as 'src/**'; those that no test loads, too
    #[arg(long = "coverage-include", conflicts_with = "explore", value_name = "PATTERN")]
    include: Vec<String>,
    /// Do not cover files that match a pattern
    ///
    /// By default these are test files, what is in `test`, `tests`, `__tests__` and `__mocks__`, and files that
    /// configure tools. Packages in `node_modules` are never covered.
    #[arg(long = "coverage-exclude", conflicts_with = "explore", value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Fail if less is covered, in percent: 90, or lines=90, branches=80, functions=85
    ///
    /// May be given more than once. A negative number is how many may be left uncovered: lines=-10.
    #[arg(long = "coverage-threshold", conflicts_with = "explore", value_name = "N", value_parser = threshold)]
    #[arg(allow_hyphen_values = true, value_delimiter = ',')]
    thresholds: Vec<Threshold>,
    /// Hold each file to the thresholds, not all files together
    #[arg(long = "coverage-per-file", conflicts_with = "explore")]
    per_file: bool,
}

/// What is wanted of coverage.
#[derive(Clone, Debug)]
pub(crate) struct CoverageWishes {
    pub(crate) reporters: Vec<CoverageReporter>,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) thresholds: Vec<Threshold>,
    pub(crate) per_file: bool,
}

impl CoverageArgs {
    /// What is wanted, if coverage is at all; what the flags do not say, the configuration of the project may.
    pub(crate) fn wishes(&self, project: &Value) -> Option<CoverageWishes> {
        let Self { coverage, reporters, include, exclude, thresholds, per_file } = self;
        let is_said = *coverage
            || *per_file
            || !reporters.is_empty()
            || !include.is_empty()
            || !exclude.is_empty()
            || !thresholds.is_empty();
        if !is_said && project["enabled"] != true {
            return None;
        }
        let patterns = |given: &[String], name: &str| match given {
            [] => {
                let list = project[name].as_array().into_iter().flatten();
                list.filter_map(Value::as_str).map(str::to_owned).collect()
            }
            given => given.to_vec(),
        };
        let limits = || {
            let limits = project["thresholds"].as_object().into_iter().flatten();
            limits.filter_map(|(name, least)| {
                let metric = Some(Metric::from_str(name, false).ok()?);
                Some(Threshold { metric, least: least.as_f64()? })
            })
        };
        let usual = || vec![CoverageReporter { kind: CoverageKind::Text, file: None }];
        Some(CoverageWishes {
            reporters: if reporters.is_empty() { usual() } else { reporters.clone() },
            include: patterns(include, "include"),
            exclude: patterns(exclude, "exclude"),
            thresholds: if thresholds.is_empty() { limits().collect() } else { thresholds.clone() },
            per_file: *per_file || project["perFile"] == true,
        })
    }
}

/// A way to report coverage, and where to.
#[derive(Clone, Debug)]
pub(crate) struct CoverageReporter {
    pub(crate) kind: CoverageKind,
    pub(crate) file: Option<PathBuf>,
}

/// A way to report coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoverageKind {
    /// A table.
    Text,
    /// What `lcov` and services that show coverage read.
    Lcov,
}

/// What is covered or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Metric {
    /// Lines.
    Lines,
    /// Branches.
    Branches,
    /// Functions.
    Functions,
}

/// How much must be covered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Threshold {
    /// Of what; of everything if nothing is said.
    pub(crate) metric: Option<Metric>,
    /// Percent, or if it is negative, how many may be uncovered.
    pub(crate) least: f64,
}

fn reporter(text: &str) -> Result<CoverageReporter, BadValue> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let kind = CoverageKind::from_str(name, false).map_err(|_| BadValue {
        message: format!("does not know the reporter `{}`", name.escape_debug()),
        help: "write text or lcov, such as --coverage-reporter lcov=lcov.info".into(),
    })?;
    let usual = || (kind == CoverageKind::Lcov).then(|| PathBuf::from("coverage/lcov.info"));
    Ok(CoverageReporter { kind, file: file.or_else(usual) })
}

fn threshold(text: &str) -> Result<Threshold, BadValue> {
    let (metric, number) = match text.split_once('=') {
        Some((name, number)) => (Some(Metric::from_str(name, false)), number),
        None => (None, text),
    };
    let least = number.parse().ok().filter(|least: &f64| *least <= 100.0);
    match (metric.transpose(), least) {
        (Ok(metric), Some(least)) => Ok(Threshold { metric, least }),
        _ => Err(BadValue {
            message: format!("is no part that must be covered: `{}`", text.escape_debug()),
            help: "write percent, such as 90 or branches=80, or how many may be uncovered, such as lines=-10".into(),
        }),
    }
}
