//! What can be asked of `hemiola lineage`.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct LineageArgs {
    /// The run: `latest`, the beginning of its id, its path, or the file of a trace
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(crate) run: String,
    /// Show a tree: link, cause or both
    ///
    /// `link` says who attached a callback, `cause` who made it able to run. What looks the same is
    /// folded.
    #[arg(long, value_name = "RELATION", hide_possible_values = true)]
    pub(crate) tree: Option<Tree>,
    /// Show how many levels of a tree
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) depth: usize,
    /// Show what callbacks cost, by the place where they were registered
    #[arg(long)]
    pub(crate) sites: bool,
    /// Show what requests cost, by their names
    #[arg(long)]
    pub(crate) requests: bool,
    /// Form of the result: text, json or dot
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
Show who attached and who caused what in a run, and what it cost

Without --tree, --sites or --requests it shows the tree of causes and both tables. A recording is
replayed for it, which measures the processor time of the replay; nothing outside is touched. A trace
has costs and places if it was written with --profile.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola run --record app.js
  hemiola lineage
  hemiola lineage latest --tree link --depth 4
  hemiola lineage 7f3a --tree cause --format dot | dot -Tsvg > causes.svg

Exit codes:
  101  the program asked for something else than was recorded
  103  the recording or the trace is damaged, or of a newer version";
