//! What others write to the program's own streams, for its recording.
//!
//! A child that inherits a stream writes to it past us. In a run that is recorded it gets a pipe instead, and what
//! comes through is passed on and noted. At a terminal it gets the terminal all the same: it may want to know its
//! size, or to ask for a password.

use super::lock::lock;
use hemiola_machine::Stream;
use hemiola_world::recording::Tape;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex};

/// How much is passed on at once.
const CHUNK: usize = 64 * 1024;

/// Where it is noted what others write.
#[derive(Clone)]
pub struct Echo {
    /// The recording.
    pub tape: Tape,
    /// Whether what children write is noted, too.
    pub of_children: bool,
}

impl Echo {
    /// What a child gets as that stream, and who passes on what it writes there; nothing if it gets the stream
    /// itself.
    pub(super) fn tee(
        &self,
        stream: Stream,
        detached: bool,
    ) -> io::Result<Option<(OwnedFd, Arc<Tee>)>> {
        let is_terminal = match stream {
            Stream::Out => io::stdout().is_terminal(),
            Stream::Err => io::stderr().is_terminal(),
        };
        // A detached child may outlive us, and its pipe would not.
        if !self.of_children || detached || is_terminal {
            self.tape.miss();
            return Ok(None);
        }
        let (ours, theirs) = io::pipe()?;
        rustix::io::ioctl_fionbio(&ours, true)?;
        let (ours, out) = (File::from(OwnedFd::from(ours)), copy(stream)?);
        let tee =
            Arc::new(Tee { pipe: Mutex::new(Some((ours, out))), stream, tape: self.tape.clone() });
        let passing = Arc::clone(&tee);
        std::thread::Builder::new().name("echo".into()).spawn(move || passing.pass_all())?;
        Ok(Some((theirs.into(), tee)))
    }
}

/// A stream of the program, without what waits in it to be written.
fn copy(stream: Stream) -> io::Result<File> {
    let copy = match stream {
        Stream::Out => io::stdout().as_fd().try_clone_to_owned(),
        Stream::Err => io::stderr().as_fd().try_clone_to_owned(),
    };
    copy.map(File::from)
}

/// Passes on what a child writes.
pub(super) struct Tee {
    /// Our end, and where it goes; nothing after the end.
    pipe: Mutex<Option<(File, File)>>,
    stream: Stream,
    tape: Tape,
}

impl Tee {
    /// Passes on what is there, so that it is seen before whatever comes next.
    pub(super) fn settle(&self) {
        self.pass();
    }

    /// Passes on what is there. False at the end.
    fn pass(&self) -> bool {
        let mut pipe = lock(&self.pipe);
        let mut chunk = vec![0; CHUNK];
        while let Some((ours, out)) = &mut *pipe {
            match ours.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return true,
                Ok(count) if count > 0 && write_all(out, &chunk[..count]).is_ok() => {
                    self.tape.show(self.stream, &chunk[..count]);
                }
                // Whoever writes on hears that nobody reads it.
                Ok(_) | Err(_) => *pipe = None,
            }
        }
        false
    }

    fn pass_all(&self) {
        loop {
            let waiting = match &*lock(&self.pipe) {
                Some((ours, _)) => ours.try_clone(),
                None => return,
            };
            let Ok(waiting) = waiting else { return };
            let mut fds = [PollFd::from_borrowed_fd(waiting.as_fd(), PollFlags::IN)];
            // Woken for nothing, it looks and comes back.
            let _ = poll(&mut fds, None);
            if !self.pass() {
                return;
            }
        }
    }
}

/// Writes everything, also where the stream was told not to wait.
fn write_all(out: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let mut fds = [PollFd::from_borrowed_fd(out.as_fd(), PollFlags::OUT)];
                match poll(&mut fds, None) {
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
