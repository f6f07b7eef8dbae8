//! Programs as they come from a file or from standard input.

use crate::report::Failure;
use crate::source::Source;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// More than any program may have; the parsers refuse earlier. It keeps an endless file from being
/// read to its end.
const ENOUGH: u64 = 2 << 20;
/// More than any trace may have.
const ENOUGH_TRACE: u64 = 1 << 30;

/// Reads the program in a file, or on standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    read_up_to(path, "a program", ENOUGH)
}

/// The same for something that is no program, and may be longer.
pub(crate) fn read_of(path: &Path, what: &str) -> Result<Source, Failure> {
    read_up_to(path, what, ENOUGH_TRACE)
}

fn read_up_to(path: &Path, what: &str, most: u64) -> Result<Source, Failure> {
    let (name, bytes) = if is_stdin(path) {
        ("<stdin>".to_owned(), bytes(io::stdin().lock(), most))
    } else {
        (path.display().to_string(), File::open(path).and_then(|file| bytes(file, most)))
    };
    let bytes = bytes.map_err(|error| {
        Failure::new(format!("cannot read `{name}`: {}", reason(&error)))
            .help(format!("give the path of {what}, or `-` to read it from standard input"))
    })?;
    let text = String::from_utf8(bytes).or_else(|error| {
        let (end, broken) = (error.utf8_error().valid_up_to(), error.utf8_error().error_len());
        let mut bytes = error.into_bytes();
        if broken.is_none() && bytes.len() as u64 == most {
            bytes.truncate(end);
            return Ok(String::from_utf8(bytes).expect("valid up to there"));
        }
        Err(Failure::new(format!("cannot read `{name}`: byte {} is not UTF-8", end + 1))
            .help(format!("save {} as UTF-8 text", what.replacen("a ", "the ", 1))))
    })?;
    Ok(Source { name, text })
}

/// Whether a file holds a program in JavaScript or TypeScript, by its name.
pub(crate) fn is_javascript(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str());
    end.is_some_and(|end| ["js", "mjs", "cjs", "ts", "mts", "cts"].contains(&end))
}

/// Whether a path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn bytes(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Why the operating system refused, without its error number.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        ErrorKind::IsADirectory => "it is a directory".into(),
        ErrorKind::NotADirectory => "a part of its path is no directory".into(),
        ErrorKind::StorageFull => "no space left".into(),
        _ => error.to_string(),
    }
}
