//! Why a store is refused, or a commit: each reason has a code, and says what to do.

use hemiola_gate::Fault;
use rusqlite::ErrorCode;

/// What an error means to whoever declared tasks, and what to do about it.
pub(super) fn about(error: &rusqlite::Error, path: &str) -> Fault {
    let code = error.sqlite_error_code();
    match code {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            let message = format!(
                "another process holds {path}: stop it, or give this one a store of its own"
            );
            Fault::new("ERR_STORE_LOCKED", message)
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            damaged(path, &error.to_string())
        }
        _ => {
            let fault = fault(error);
            Fault::new(fault.code.clone(), format!("{path}: {}", fault.message))
        }
    }
}

/// What is in a store is not what was written to it.
pub(super) fn damaged(path: &str, what: &str) -> Fault {
    let message = format!(
        "{path} is damaged ({what}): put back a copy, or move it away to begin with an empty store"
    );
    Fault::new("ERR_STORE_DAMAGED", message)
}

/// What a store fails with whose path leads over a link that it must not follow.
pub(super) const LINKED: &str = "ELOOP";

fn fault(error: &rusqlite::Error) -> Fault {
    let extended = error.sqlite_error().map(|error| error.extended_code);
    let (code, help) = match error.sqlite_error_code() {
        _ if extended == Some(rusqlite::ffi::SQLITE_CANTOPEN_SYMLINK) => {
            (LINKED, "its path leads over a link")
        }
        Some(ErrorCode::DiskFull) => ("ENOSPC", "the disk is full: make room"),
        Some(ErrorCode::ReadOnly) => ("EROFS", "it cannot be written: change its permissions"),
        Some(ErrorCode::CannotOpen) => {
            ("ERR_STORE_OPEN", "it cannot be opened: see that its directory exists and is writable")
        }
        Some(ErrorCode::SystemIoFailure) => ("EIO", "the system cannot write it"),
        _ => ("ERR_STORE", "the store failed"),
    };
    Fault::new(code, format!("{help} ({error})"))
}
