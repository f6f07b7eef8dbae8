//! The terminal behind standard input: whole lines, or every key as it is pressed.

use rustix::termios::{self, OptionalActions, Termios};
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How the terminal was before a program changed it. It belongs to the process, as the terminal does.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

fn before() -> MutexGuard<'static, Option<Termios>> {
    BEFORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the terminal give every key as it is pressed, or lines again.
pub(crate) fn set_raw(raw: bool) -> io::Result<()> {
    if !raw {
        return restore();
    }
    let mut before = before();
    let now = termios::tcgetattr(io::stdin())?;
    let mut changed = now.clone();
    before.get_or_insert(now);
    changed.make_raw();
    // What is printed still begins each line at the left.
    changed.output_modes |= termios::OutputModes::OPOST;
    termios::tcsetattr(io::stdin(), OptionalActions::Drain, &changed)?;
    Ok(())
}

/// Makes the terminal what it was before the program.
pub(crate) fn restore() -> io::Result<()> {
    if let Some(before) = before().take() {
        termios::tcsetattr(io::stdin(), OptionalActions::Drain, &before)?;
    }
    Ok(())
}
