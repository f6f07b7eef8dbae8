//! Watched files: the system's list of what happened to them, and the thread that waits for it to fill.

use crate::deliveries::Sender;
use crate::tree::SystemTree;
use hemiola_gate::Datum;
use hemiola_gate::files::Change;
use hemiola_machine::Operation;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};
use rustix::io::{Errno, Result};
use std::ffi::OsStr;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, OnceLock, mpsc};

/// What is watched. The system keeps what happened, and merges what is the same, until it is taken: so
/// a program that changes a file several times hears of it as it does under Node.
#[derive(Default)]
pub(crate) struct Watches {
    list: OnceLock<OwnedFd>,
}

impl Watches {
    /// Watches a file from here on.
    pub(crate) fn add(&self, path: &Path) -> Result<i32> {
        let list = match self.list.get() {
            Some(list) => list,
            None => {
                let made = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
                self.list.get_or_init(|| made)
            }
        };
        let wanted = WatchFlags::ATTRIB
            | WatchFlags::CREATE
            | WatchFlags::MODIFY
            | WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO;
        inotify::add_watch(list, path, wanted)
    }

    /// Watches a file no longer.
    pub(crate) fn remove(&self, watch: i32) -> Result<()> {
        inotify::remove_watch(self.list.get().ok_or(Errno::INVAL)?, watch)
    }

    /// Takes what happened.
    pub(crate) fn take(&self) -> Vec<Change> {
        let Some(list) = self.list.get() else { return Vec::new() };
        let mut room = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(list, &mut room);
        let mut changes = Vec::new();
        // The list ends with an error: there is nothing more.
        while let Ok(event) = reader.next() {
            let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()).to_owned());
            changes.push(Change {
                watch: event.wd(),
                what: event.events().bits(),
                name: name.unwrap_or_default(),
            });
        }
        changes
    }

    /// Waits until something happened.
    pub(crate) fn wait(&self) {
        let Some(list) = self.list.get() else { return };
        let mut lists = [PollFd::from_borrowed_fd(list.as_fd(), PollFlags::IN)];
        while poll(&mut lists, None) == Err(Errno::INTR) {}
    }
}

/// The thread that waits.
pub(crate) struct Waiter {
    asked: mpsc::Sender<Operation>,
}

impl Waiter {
    pub(crate) fn new(sender: Sender, files: Arc<SystemTree>) -> Self {
        let (asked, operations) = mpsc::channel();
        // It ends with the process, or when the world does and something happens once more.
        std::thread::spawn(move || {
            for operation in operations {
                files.wait_for_changes();
                sender.deliver(operation, Ok(Datum::Undefined));
            }
        });
        Self { asked }
    }

    /// Answers an operation when something has happened.
    pub(crate) fn wait(&self, operation: Operation) {
        self.asked.send(operation).expect("the thread lives as long as this");
    }
}
