//! What a program may do outside.

use crate::report::Failure;
use clap::Args;
use hemiola_gate::{Grant, INHERITED, Permissions};
use std::ffi::OsString;
use std::path::PathBuf;

/// What a program may do outside.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PermissionFlags {
    /// Deny the program everything outside that no other flag allows
    #[arg(long)]
    pub(crate) permission: bool,
    /// Files and directories that may be read, separated by commas, or `*`
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "permission")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Files and directories that may be written, separated by commas, or `*`
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "permission")]
    pub(crate) allow_write: Vec<PathBuf>,
    /// Hosts to connect to or listen on, also `host:port`, separated by commas; by default all
    #[arg(long, value_name = "HOSTS", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_net: Option<Vec<String>>,
    /// Programs that may be started, separated by commas; by default all
    #[arg(long, value_name = "FILES", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_run: Option<Vec<String>>,
    /// Environment variables that may be read and set, separated by commas; by default all
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_env: Option<Vec<String>>,
    /// Let the program start workers
    #[arg(long, requires = "permission")]
    pub(crate) allow_worker: bool,
    /// What the program that started this one may do itself
    #[arg(long, value_name = "PERMISSIONS", hide = true, value_parser = inherited)]
    pub(crate) inherited_permission: Vec<Permissions>,
}

/// The name of the flag that says what was inherited; it is not for who writes a command line.
pub(crate) const FLAG: &str = "inherited-permission";

fn inherited(text: &str) -> Result<Permissions, String> {
    let wrong = || format!("`{text}` says nothing about permissions");
    Permissions::from_text(text).ok_or_else(wrong)
}

impl PermissionFlags {
    /// Refuses to write a file of ours, if whoever started us may not write everywhere: a program must not do
    /// through us what it may not do itself.
    pub(crate) fn refuse_to_write(&self, what: &str) -> Result<(), Failure> {
        if self.may_write_anywhere() {
            return Ok(());
        }
        let message = format!("{what} would write a file, and who started this may not do that");
        Err(Failure::new(message)
            .help("leave it out, or start the first program with --allow-write=*"))
    }

    /// Whether whoever started us may write everywhere.
    pub(crate) fn may_write_anywhere(&self) -> bool {
        self.inherited_permission.iter().all(|inherited| inherited.write == Grant::All)
    }
}

/// Words of a command line, with what whoever started us may do, if that is not everything.
pub(super) fn inheriting(words: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    match std::env::var_os(INHERITED) {
        None => Ok(words),
        Some(inherited) => limited(words, inherited),
    }
}

fn limited(mut words: Vec<OsString>, inherited: OsString) -> Result<Vec<OsString>, Failure> {
    let first = words.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    let at = match first {
        "run" | "simulate" => 2,
        _ if super::names_program(&words) => 1,
        "" | "--help" | "-h" | "--version" | "-V" => return Ok(words),
        // Other commands read and write files by names that nobody has checked.
        name => {
            let message = format!("a program with --permission cannot start `hemiola {name}`");
            return Err(Failure::new(message).help("it can start `run` and `simulate`"));
        }
    };
    let mut word = OsString::from(format!("--{FLAG}="));
    word.push(inherited);
    words.insert(at, word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_started_cannot_leave_out_what_it_inherits() {
        let given = |words: &[&str]| {
            let words = ["hemiola"].iter().chain(words).map(OsString::from).collect();
            let words = limited(words, "env=*".into()).map_err(|failure| failure.to_string())?;
            Ok(words.join(std::ffi::OsStr::new(" ")).into_string().expect("it is text"))
        };
        let flag = "--inherited-permission=env=*";
        let ok = |words: String| Ok::<_, String>(words);
        assert_eq!(given(&["run", "a.js"]), ok(format!("hemiola run {flag} a.js")));
        assert_eq!(given(&["simulate", "-e", "0"]), ok(format!("hemiola simulate {flag} -e 0")));
        assert_eq!(given(&["a.js"]), ok(format!("hemiola {flag} a.js")));
        assert_eq!(given(&["-e", "0"]), ok(format!("hemiola {flag} -e 0")));
        assert_eq!(given(&["--version"]), ok("hemiola --version".into()));
        for other in ["replay", "runs", "trace", "debug", "view", "explore", "--color"] {
            assert!(given(&[other]).is_err(), "{other}");
        }
    }
}
