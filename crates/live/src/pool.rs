//! Threads that do what takes a while: files may be on slow disks.

use crate::inbox::Sender;
use hemiola_js::Answer;
use hemiola_machine::Operation;
use std::sync::{Arc, Mutex, PoisonError, mpsc};

/// How many operations run at a time, as in Node.
const THREADS: usize = 4;

type Work = Box<dyn FnOnce() -> Answer + Send>;

/// A few threads, started when there is work for them.
pub(crate) struct Pool {
    sender: Sender,
    asked: mpsc::Sender<(Operation, Work)>,
    questions: Arc<Mutex<mpsc::Receiver<(Operation, Work)>>>,
    threads: usize,
}

impl Pool {
    pub(crate) fn new(sender: Sender) -> Self {
        let (asked, questions) = mpsc::channel();
        Self { sender, asked, questions: Arc::new(Mutex::new(questions)), threads: 0 }
    }

    /// Does the work on some thread, and delivers what comes of it.
    pub(crate) fn run(&mut self, operation: Operation, work: Work) {
        if self.threads < THREADS {
            self.threads += 1;
            let (sender, questions) = (self.sender.clone(), Arc::clone(&self.questions));
            // It ends with the process, or with the pool.
            std::thread::spawn(move || {
                loop {
                    let next = questions.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((operation, work)) = next else { return };
                    sender.deliver(operation, work());
                }
            });
        }
        self.asked.send((operation, work)).expect("the pool holds the other end itself");
    }
}
