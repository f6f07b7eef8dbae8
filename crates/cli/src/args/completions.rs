//! What can be asked of `hemiola completions` and `hemiola man`.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell: bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The directory that the pages are written to; it must exist
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

pub(crate) const ABOUT: &str = "\
Print a script that lets a shell complete commands and flags

The shell reads it at its start.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  hemiola completions bash > ~/.local/share/bash-completion/completions/hemiola
  hemiola completions zsh > ~/.zfunc/_hemiola
  hemiola completions fish > ~/.config/fish/completions/hemiola.fish
  hemiola completions powershell >> $PROFILE";

pub(crate) const MAN_EXAMPLES: &str = "\
Example:
  mkdir -p ~/.local/share/man/man1 && hemiola man ~/.local/share/man/man1 && man hemiola-run";
