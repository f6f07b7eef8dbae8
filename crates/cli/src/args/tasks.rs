//! What can be asked of `hemiola tasks`.

use super::format::Format;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(subcommand_precedence_over_arg = true)]
pub(crate) struct TasksArgs {
    /// Store: a file, or the address of a database; by default what HEMIOLA_STORE names
    #[arg(value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// Which scheduler of a database
    #[arg(long, value_name = "NAME", default_value = "default", global = true)]
    pub(crate) name: String,
    /// Format of the result: text or json
    #[arg(
        long,
        value_name = "FORM",
        default_value = "text",
        hide_possible_values = true,
        global = true
    )]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) what: Option<TasksCommand>,
}

/// What can be asked about tasks, and done to them.
#[derive(Debug, Subcommand)]
pub(crate) enum TasksCommand {
    /// List the tasks, their states and their next dues
    List,
    /// Show all that is known of a task or a job
    Show(TaskId),
    /// List the newest runs of a task
    History {
        #[command(flatten)]
        task: TaskId,
        /// List at most this many runs
        #[arg(short, value_name = "N", default_value_t = 20)]
        number: u32,
    },
    /// List the jobs: runs that were asked for once
    Jobs {
        /// Of this task only
        #[arg(value_name = "ID")]
        task: Option<String>,
    },
    /// List the tasks and jobs that were given up
    Dead,
    /// List the nodes of a scheduler on a database
    Nodes,
    /// Run a task once, beside its schedule
    Trigger(TaskId),
    /// Let a task start nothing until it is resumed
    Pause(TaskId),
    /// Let a paused task start again
    Resume(TaskId),
    /// Try a task or a job again that was given up, or waits for its next attempt
    Retry(TaskId),
    /// Remove a job that does not run
    Cancel(TaskId),
}

/// Which task.
#[derive(Debug, Args)]
pub(crate) struct TaskId {
    /// The id of the task, or of the job, which begins with @
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    pub(crate) id: String,
}

pub(super) const ABOUT: &str = "\
Look at the tasks of a scheduler

STORE is what the program gave to `initialize` of hemiola:scheduler: the path of a file, or
postgres://user@host/database. A file can be looked at while no program holds it; what is changed in it
counts when a program starts with it. Without a command the tasks are listed.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola tasks tasks.db
  hemiola tasks tasks.db history backup -n 5
  hemiola tasks postgres://ann@db/shop --name billing nodes
  hemiola tasks tasks.db retry backup";
