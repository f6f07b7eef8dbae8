//! What failed calls are told as.

use super::Errno;
use crate::request::FilePath;
use crate::value::Fault;

/// An error of a call about an open file.
pub(super) fn on_file(call: &'static str) -> impl Fn(Errno) -> Fault {
    move |error| Fault::system(error.0, call)
}

/// An error of a call about a path, which it names as the program did.
pub(super) fn on_path(call: &'static str, path: &FilePath) -> impl Fn(Errno) -> Fault {
    move |error| Fault::system(error.0, call).at(path.as_path().to_owned())
}

/// The same for a call about two.
pub(super) fn on_both(
    call: &'static str,
    from: &FilePath,
    to: &FilePath,
) -> impl Fn(Errno) -> Fault {
    move |error| on_path(call, from)(error).to(to.as_path().to_owned())
}
