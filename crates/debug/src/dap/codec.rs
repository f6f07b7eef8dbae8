//! Messages of the Debug Adapter Protocol: a header with a length, then JSON.

use serde_json::Value;
use std::io::{self, BufRead, Read, Write};

/// A message that is longer is not one.
const LONGEST: usize = 64 * 1024 * 1024;
/// How much of a header there can be.
const LONGEST_LINE: u64 = 16 * 1024;

/// What came in.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// A message.
    Message(Value),
    /// Something that is none, and why not. What follows may be one again.
    Bad(String),
}

/// The next message; nothing at the end.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut length: Option<Result<usize, String>> = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            match length {
                Some(Ok(length)) => return body(input, length).map(Some),
                Some(Err(reason)) => return Ok(Some(Incoming::Bad(reason))),
                // Lines between messages.
                None => continue,
            }
        }
        match text.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = Some(match value.trim().parse::<usize>() {
                    Ok(length) if length <= LONGEST => Ok(length),
                    _ => Err(format!("`{}` is not the length of a message", value.trim())),
                });
            }
            Some((name, _))
                if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') => {}
            // The rest of something. The next header is looked for in it.
            _ => match text.to_ascii_lowercase().rfind("content-length:") {
                Some(at) => {
                    let value = text[at + "content-length:".len()..].trim();
                    length = Some(
                        value
                            .parse::<usize>()
                            .ok()
                            .filter(|&length| length <= LONGEST)
                            .ok_or_else(|| format!("`{value}` is not the length of a message")),
                    );
                }
                None => {
                    let shown: String = text.chars().take(60).collect();
                    length = Some(Err(format!("`{shown}` is not the header of a message")));
                }
            },
        }
    }
}

fn body(input: &mut impl BufRead, length: usize) -> io::Result<Incoming> {
    let mut bytes = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Ok(Incoming::Bad(format!("it ends after {} of {length} bytes", bytes.len())));
    }
    Ok(match serde_json::from_slice(&bytes) {
        Ok(value) => Incoming::Message(value),
        Err(error) => Incoming::Bad(format!("it is not JSON: {error}")),
    })
}

/// Reads the name of a first header, with its colon. What begins otherwise, as the request of a browser does, is
/// nobody who speaks the protocol: nothing then.
pub fn first_name(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    const LONGEST: usize = 64;
    let mut name = Vec::new();
    let mut byte = [0];
    while name.len() < LONGEST && input.read(&mut byte)? == 1 {
        name.push(byte[0]);
        match byte[0] {
            b':' => return Ok((name.len() > 1).then_some(name)),
            byte if byte.is_ascii_alphabetic() || byte == b'-' => {}
            _ => break,
        }
    }
    Ok(None)
}

/// Writes a message.
pub fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all(text: &str) -> Vec<Incoming> {
        let mut input = text.as_bytes();
        std::iter::from_fn(|| read(&mut input).expect("memory can be read")).collect()
    }

    #[test]
    fn what_is_written_can_be_read() {
        let message = json!({ "seq": 1, "type": "request", "command": "äöü", "arguments": {} });
        let mut text = Vec::new();
        for _ in 0..3 {
            write(&mut text, &message).expect("memory can be written");
        }
        let text = String::from_utf8(text).expect("it is text");
        assert_eq!(all(&text), vec![Incoming::Message(message); 3]);
    }

    #[test]
    fn a_request_of_a_browser_is_no_message() {
        let begins =
            |text: &str| first_name(&mut text.as_bytes()).expect("memory can be read").is_some();
        assert!(begins("Content-Length: 2\r\n\r\n{}"));
        assert!(begins("content-type: x\r\ncontent-length:2\r\n\r\n{}"));
        for other in [
            "",
            ": 2\r\n\r\n{}",
            "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
            "GET /Content-Length: HTTP/1.1\r\nHost: x\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "\r\nContent-Length: 2\r\n\r\n{}",
            "\u{16}\u{3}\u{1}",
            "{\"seq\":1}",
        ] {
            assert!(!begins(other), "{other:?}");
        }
    }

    #[test]
    fn other_headers_are_passed_over() {
        let text = "Content-Type: x\ncontent-length:2\nOther: 1\r\n\n{}";
        assert_eq!(all(text), [Incoming::Message(json!({}))]);
    }

    #[test]
    fn what_follows_garbage_is_read() {
        for garbage in [
            "garbage\r\n\r\n",
            "Content-Length: -5\r\n\r\n",
            "Content-Length: 99999999999999\r\n\r\n",
            "Content-Length: 3\r\n\r\n{x}",
            "{\"seq\":1}\r\n\r\n",
        ] {
            let read = all(&format!("{garbage}Content-Length: 2\r\n\r\n{{}}"));
            assert!(matches!(read[0], Incoming::Bad(_)), "{garbage:?}: {read:?}");
            assert_eq!(read.last(), Some(&Incoming::Message(json!({}))), "{garbage:?}");
        }
    }

    #[test]
    fn a_length_that_is_too_small_loses_one_message() {
        let text = "Content-Length: 5\r\n\r\n{\"seq\":1}Content-Length: 2\r\n\r\n{}";
        let read = all(text);
        assert!(matches!(read[0], Incoming::Bad(_)), "{read:?}");
        assert_eq!(read.last(), Some(&Incoming::Message(json!({}))));
    }

    #[test]
    fn an_end_in_the_middle_is_the_end() {
        assert!(matches!(all("Content-Length: 50\r\n\r\n{}")[..], [Incoming::Bad(_)]));
        assert_eq!(all("Content-Length: 5"), []);
        assert_eq!(all(""), []);
    }
}
