//! What becomes of a panic: one line for the user, and an exit code of its own.

use crate::console::complain;
use crate::exit::BUG;
use std::any::Any;
use std::panic::{self, PanicHookInfo, UnwindSafe};

/// Runs the whole command; a panic in it is told in one line.
pub(crate) fn guard(command: impl FnOnce() -> u8 + UnwindSafe) -> u8 {
    panic::set_hook(Box::new(|info| complain(&line(info))));
    panic::catch_unwind(command).unwrap_or(BUG)
}

fn line(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(|place| format!(" ({place})")).unwrap_or_default();
    format!("error: this is a bug in hemiola: {}{place}\n", message(info.payload()))
}

/// What the panic says, on one line.
fn message(payload: &dyn Any) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_exit_code_70_and_one_line() {
        assert_eq!(guard(|| 7), 7);
        assert_eq!(guard(|| panic!("a test panics on purpose")), BUG);
        assert_eq!(message(&"on\n  two lines"), "on two lines");
        assert_eq!(message(&String::from("formatted")), "formatted");
        assert_eq!(message(&5), "no message");
    }
}
