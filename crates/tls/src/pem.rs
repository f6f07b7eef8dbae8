//! PEM: DER as text between two lines.

/// One part of a text: what it says it is, its headers, and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What stands after `BEGIN`, such as `CERTIFICATE`.
    pub label: String,
    /// Lines such as `Proc-Type: 4,ENCRYPTED`.
    pub headers: Vec<(String, String)>,
    /// What it holds.
    pub der: Vec<u8>,
}

/// The parts of a text in their order; what is between them does not count, and neither does a part
/// that is not whole.
pub fn blocks(text: &[u8]) -> Vec<Block> {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().map(str::trim_end);
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        let Some(label) =
            line.strip_prefix("-----BEGIN ").and_then(|rest| rest.strip_suffix("-----"))
        else {
            continue;
        };
        let end = format!("-----END {label}-----");
        let (mut headers, mut digits, mut whole) = (Vec::new(), String::new(), false);
        for line in lines.by_ref() {
            if line == end {
                whole = true;
                break;
            }
            match line.split_once(": ") {
                Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
                None => digits.push_str(line.trim()),
            }
        }
        if let (true, Some(der)) = (whole, decode(&digits)) {
            blocks.push(Block { label: label.to_owned(), headers, der });
        }
    }
    blocks
}

/// The text of one part.
pub fn text(label: &str, der: &[u8]) -> String {
    let digits = encode(der);
    let mut text = format!("-----BEGIN {label}-----\n");
    for line in digits.as_bytes().chunks(64) {
        text.push_str(std::str::from_utf8(line).expect("the digits are ASCII"));
        text.push('\n');
    }
    text.push_str(&format!("-----END {label}-----\n"));
    text
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |sum, at| sum << 8 | u32::from(*three.get(at).unwrap_or(&0)));
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0u32, 0);
    for digit in text.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for length in [0, 1, 2, 3, 47, 48, 49, 200] {
            let der: Vec<u8> = (0..length).map(|at| (at * 7) as u8).collect();
            let text = text("THING", &der);
            let all = blocks(format!("hello\n{text}between\r\n{text}").as_bytes());
            assert_eq!(all, vec![Block { label: "THING".into(), headers: vec![], der }; 2]);
        }
    }

    #[test]
    fn what_is_not_whole_is_left_out() {
        assert_eq!(blocks(b"-----BEGIN A-----\nAAAA\n"), []);
        assert_eq!(blocks(b"-----BEGIN A-----\n??\n-----END A-----\n"), []);
    }
}
