//! What can be asked of `hemiola lineage`.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct LineageArgs {
    /// The run: `latest`, the beginning of its id, its path, or a trace file
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(crate) run: String,
    /// Show a tree: link, cause or both
    ///
    /// `link` is the invocation that attached a callback, `cause` the one that made it able to run.
    /// Equal subtrees are folded.
    #[arg(long, value_name = "RELATION", hide_possible_values = true)]
    pub(crate) tree: Option<Tree>,
    /// Number of levels of a tree to show
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) depth: usize,
    /// Show costs of callbacks, by the place where they were registered
    #[arg(long)]
    pub(crate) sites: bool,
    /// Show costs of requests, by name
    #[arg(long)]
    pub(crate) requests: bool,
    /// Format of the result: text, json or dot
    ///
    /// `json` is one object on one line, with a version; `dot` is a tree for Graphviz.
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: LineageFormat,
}

/// Which trees are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tree {
    Link,
    Cause,
    Both,
}

/// Who reads the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LineageFormat {
    Text,
    Json,
    Dot,
}

pub(super) const ABOUT: &str = "\
Show links, causes and costs of the callbacks of a run

Without --tree, --sites or --requests it shows the tree of causes and both tables. A recording is
replayed, and the CPU time of the replay is measured; nothing outside is touched. A trace contains
costs and places if it was written with --profile.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola run --record app.js
  hemiola lineage
  hemiola lineage latest --tree link --depth 4
  hemiola lineage 7f3a --tree cause --format dot | dot -Tsvg > causes.svg

Exit status:
  101  the program requested something else than was recorded
  103  the recording or the trace is damaged, or of a newer version";
