//! What can be asked of `hemiola view`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// The run: `latest`, the beginning of its id, its path, or the file of a trace
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(crate) run: String,
    /// Another run, to be shown side by side with the first difference
    #[arg(value_name = "RUN2")]
    pub(crate) other: Option<String>,
    /// Look for accesses that come in either order, too
    ///
    /// The program is replayed with what tells of reads and writes put in, which takes longer, and what
    /// its actions cost is then not its own. The file of a trace has its accesses or not.
    #[arg(long)]
    pub(crate) races: bool,
    /// Write the page to a file, which needs no network and no hemiola to be opened
    #[arg(long, value_name = "FILE", conflicts_with_all = ["port", "no_open"])]
    pub(crate) out: Option<PathBuf>,
    /// Port of the page's address; else any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Print the address, and leave it to you to open it
    #[arg(long)]
    pub(crate) no_open: bool,
}

pub(super) const ABOUT: &str = "\
Open the timeline of a run in the browser

One lane for each logical clock, and lanes for unlabelled timers, microtasks, immediates, input and
output. The page is served on this computer only, until Ctrl-C. A recording is replayed for it, from
the recorded source; nothing outside is touched.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola run --record app.js
  hemiola view
  hemiola view 7f3a --out report.html
  hemiola view 7f3a 91c2

Exit codes:
  101  the program asked for something else than was recorded
  103  the recording is damaged, or of a newer version";
