//! Work on several threads, of which the results come in order.

use super::outcome::FileResult;
use super::reporters::Report;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError, mpsc};

/// Does something with each of these, so many at a time, and takes what comes of it as it comes, with its number.
/// `work` gives nothing for what is not to be done any more.
pub(super) fn each<T: Send, R: Send>(
    items: Vec<T>,
    jobs: usize,
    stack: Option<usize>,
    work: impl Fn(T) -> Option<R> + Sync,
    mut take: impl FnMut(usize, R),
) {
    let jobs = jobs.min(items.len()).max(1);
    let queue: Mutex<VecDeque<(usize, T)>> = Mutex::new(items.into_iter().enumerate().collect());
    let (sender, receiver) = mpsc::channel();
    let (queue, work) = (&queue, &work);
    std::thread::scope(|scope| {
        let labour = |sender: mpsc::Sender<(usize, R)>| {
            move || {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some((at, item)) = next else { return };
                    let Some(result) = work(item) else { continue };
                    if sender.send((at, result)).is_err() {
                        return;
                    }
                }
            }
        };
        let mut started = 0;
        for _ in 0..jobs {
            let thread = std::thread::Builder::new();
            let thread = stack.into_iter().fold(thread, std::thread::Builder::stack_size);
            let spawned = thread.spawn_scoped(scope, labour(sender.clone()));
            started += usize::from(spawned.is_ok());
        }
        // Whoever cannot have threads does it alone.
        if started == 0 {
            labour(sender.clone())();
        }
        drop(sender);
        for (at, result) in receiver {
            take(at, result);
        }
    });
}

/// Results of files, reported in their order: each when those before it are there.
pub(super) struct InOrder<'a> {
    report: &'a mut Report,
    early: BTreeMap<usize, FileResult>,
    results: Vec<FileResult>,
}

impl<'a> InOrder<'a> {
    pub(super) fn new(report: &'a mut Report) -> Self {
        Self { report, early: BTreeMap::new(), results: Vec::new() }
    }

    /// Takes the result of the file with that number.
    pub(super) fn take(&mut self, at: usize, result: FileResult) {
        self.report.progress(&result);
        self.early.insert(at, result);
        while let Some(next) = self.early.remove(&self.results.len()) {
            self.report.file(&next);
            self.results.push(next);
        }
    }

    /// All of them. With --bail, some were never run.
    pub(super) fn finish(mut self) -> Vec<FileResult> {
        for (_, result) in self.early {
            self.report.file(&result);
            self.results.push(result);
        }
        self.results
    }
}
