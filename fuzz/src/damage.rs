//! Damage: what is done to a whole input to make one that its reader must survive.
//!
//! Some of it knows nothing of what the bytes mean; most of it takes them for text with numbers, words, lines and
//! brackets, so that readers are led further than to their first refusal.

use crate::rng::Rng;

/// No input is longer, whatever is repeated in it.
const LONGEST: usize = 256 * 1024;
/// How deep brackets are nested at most.
const DEEPEST: usize = 20_000;

/// Numbers at limits, as they are written.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9007199254740991",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e308",
    "1e309",
    "-1e309",
    "1e-400",
    "0.1",
    "00",
    "0x7f",
    "NaN",
];

/// Brackets and what goes with them where something can stand in itself.
const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("{\"a\":", "}"),
    ("[[", "]]"),
    ("!", ""),
    ("-", ""),
    ("not ", ""),
    ("a=>", ""),
    ("async()=>{await ", "}"),
    ("if(a){", "}"),
    ("`${", "}`"),
    ("a?", ":b"),
    ("once (", ")"),
    ("a=", ""),
    ("new ", ""),
    ("x.", ""),
    ("<", ">"),
    ("(a|", ")"),
    ("try{", "}finally{}"),
    ("class{a=", "}"),
];

/// Pieces of text that are trouble somewhere.
const ODD: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\xe2\x80\xa8",
    b"\\u0000",
    b"\\ud800",
    b"\\",
    b"\"",
    b"'",
    b"`",
    b"../../x",
    b"/dev/zero",
    b"__proto__",
    b"null",
    b"\x1b[2J",
    b"%s%n",
    b"constructor",
    b"\xf0\x9f\x98\x80",
    b"\xcc\x81",
    b"\t",
    b" ",
    b",",
    b":",
    b";",
    b"//",
    b"/*",
];

/// Whole inputs, and words that mean something in them.
pub struct Material<'a> {
    /// The corpus of a target: never empty.
    pub seeds: &'a [Vec<u8>],
    /// Words of its language.
    pub words: &'a [&'a str],
}

impl Material<'_> {
    /// A damaged input; now and then a whole one.
    pub fn damaged(&self, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = rng.pick(self.seeds).clone();
        if rng.once_in(32) {
            return bytes;
        }
        let most = if rng.once_in(4) { 12 } else { 3 };
        for _ in 0..=rng.below(most) {
            self.damage(&mut bytes, rng);
            bytes.truncate(LONGEST);
        }
        bytes
    }

    /// One more damage.
    fn damage(&self, bytes: &mut Vec<u8>, rng: &mut Rng) {
        match rng.below(20) {
            0 => flip(bytes, rng),
            1 => bytes.truncate(rng.below(bytes.len() + 1)),
            2 => drop(bytes.drain(rng.range(bytes.len()))),
            3 => repeat(bytes, rng),
            4 => self.splice(bytes, rng),
            5 | 6 => self.word(bytes, rng),
            7..=9 => number(bytes, rng),
            10 => binary_number(bytes, rng),
            11 | 12 => lines(bytes, rng),
            13 if rng.once_in(4) => nest(bytes, rng),
            13 | 14 => sections(bytes, rng),
            15 | 16 => tokens(bytes, rng),
            17 => {
                let at = rng.below(bytes.len() + 1);
                let piece: &[u8] = rng.pick::<&[u8]>(ODD);
                insert(bytes, at, piece);
            }
            18 => self.foreign_section(bytes, rng),
            _ => overwrite(bytes, rng),
        }
    }

    /// The beginning of this and the end of another one.
    fn splice(&self, bytes: &mut Vec<u8>, rng: &mut Rng) {
        let other = rng.pick(self.seeds);
        bytes.truncate(rng.below(bytes.len() + 1));
        bytes.extend_from_slice(&other[rng.below(other.len() + 1)..]);
    }

    /// A section of another input, in the place of one here.
    fn foreign_section(&self, bytes: &mut Vec<u8>, rng: &mut Rng) {
        let other = rng.pick(self.seeds);
        let piece = match section(other, rng) {
            Some(range) => other[range].to_vec(),
            None => other[rng.range(other.len())].to_vec(),
        };
        let place = section(bytes, rng).unwrap_or_else(|| rng.range(bytes.len()));
        drop(bytes.splice(place, piece));
    }

    fn word(&self, bytes: &mut Vec<u8>, rng: &mut Rng) {
        if self.words.is_empty() {
            return flip(bytes, rng);
        }
        let word = rng.pick(self.words).as_bytes();
        match rng.below(2) {
            0 => {
                let at = rng.below(bytes.len() + 1);
                insert(bytes, at, word);
            }
            _ => {
                let place = token(bytes, rng).unwrap_or_else(|| rng.range(bytes.len()));
                drop(bytes.splice(place, word.iter().copied()));
            }
        }
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    drop(bytes.splice(at..at, piece.iter().copied()));
}

fn flip(bytes: &mut [u8], rng: &mut Rng) {
    if !bytes.is_empty() {
        let at = rng.below(bytes.len());
        bytes[at] ^= 1 << rng.below(8);
    }
}

fn overwrite(bytes: &mut [u8], rng: &mut Rng) {
    let range = rng.range(bytes.len());
    let value = *rng.pick(&[0, 0xff, 0x7f, 0x80, b' ', b'\n', b'0', b'{', b'"']);
    let any = rng.once_in(2);
    let most = range.len().min(1 << rng.below(6));
    for byte in &mut bytes[range][..most] {
        *byte = if any { rng.byte() } else { value };
    }
}

/// A piece many times.
fn repeat(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let range =
        section(bytes, rng).filter(|_| rng.once_in(2)).unwrap_or_else(|| rng.range(bytes.len()));
    let piece = bytes[range.clone()].to_vec();
    let most = if rng.once_in(8) { 12 } else { 4 };
    let times = 1 << rng.below(most);
    let room = LONGEST.saturating_sub(bytes.len()) / piece.len().max(1);
    insert(bytes, range.end, &piece.repeat(times.min(room)));
}

/// A number as it is written becomes one at a limit.
fn number(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let runs = runs(bytes, |byte| byte.is_ascii_digit());
    if runs.is_empty() {
        return flip(bytes, rng);
    }
    let run = rng.pick(&runs).clone();
    drop(bytes.splice(run, rng.pick(NUMBERS).bytes()));
}

/// A number as computers keep it becomes one at a limit.
fn binary_number(bytes: &mut [u8], rng: &mut Rng) {
    let width = 1 << rng.below(4);
    if bytes.len() < width {
        return;
    }
    let at = rng.below(bytes.len() - width + 1);
    let limits = [
        0,
        1,
        u64::MAX,
        u64::MAX >> 1,
        1 << 63,
        0x7fff_ffff,
        0x8000_0000,
        0xffff,
        0x80,
        0x7f,
        126,
        127,
    ];
    let value = rng.pick(&limits).wrapping_add(rng.below(3) as u64).wrapping_sub(1);
    let all = if rng.once_in(2) {
        value.to_le_bytes()
    } else {
        value.rotate_right(8 * width as u32).to_be_bytes()
    };
    bytes[at..at + width].copy_from_slice(&all[..width]);
}

/// Lines are doubled, left out or exchanged.
fn lines(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut all: Vec<Vec<u8>> =
        bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if all.len() < 2 {
        return repeat(bytes, rng);
    }
    let (one, other) = (rng.below(all.len()), rng.below(all.len()));
    match rng.below(3) {
        0 => all.insert(other, all[one].clone()),
        1 => drop(all.remove(one)),
        _ => all.swap(one, other),
    }
    *bytes = all.concat();
}

/// A piece in brackets in brackets in brackets.
fn nest(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let range =
        section(bytes, rng).or_else(|| token(bytes, rng)).unwrap_or_else(|| rng.range(bytes.len()));
    let (open, close) = rng.pick(NESTS);
    let room = LONGEST.saturating_sub(bytes.len()) / (open.len() + close.len());
    let times = (1 << rng.below(15)).min(DEEPEST).min(room);
    insert(bytes, range.end, close.repeat(times).as_bytes());
    // Without an end, too.
    if rng.once_in(8) {
        bytes.truncate(range.end);
    }
    insert(bytes, range.start, open.repeat(times).as_bytes());
}

/// A section is doubled, left out, or put into the place of another.
fn sections(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let Some(one) = section(bytes, rng) else { return tokens(bytes, rng) };
    let piece = bytes[one.clone()].to_vec();
    match rng.below(3) {
        0 => insert(bytes, one.end, &piece),
        1 => drop(bytes.drain(one)),
        _ => {
            let other = section(bytes, rng).unwrap_or(one);
            drop(bytes.splice(other, piece));
        }
    }
}

/// A word is doubled, left out, or put into the place of another.
fn tokens(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let Some(one) = token(bytes, rng) else { return flip(bytes, rng) };
    let piece = bytes[one.clone()].to_vec();
    match rng.below(4) {
        0 => insert(bytes, one.end, &piece),
        1 => drop(bytes.drain(one)),
        _ => {
            let other = token(bytes, rng).unwrap_or(one);
            drop(bytes.splice(other, piece));
        }
    }
}

/// What stands between brackets or quotes that belong together, with them.
fn section(bytes: &[u8], rng: &mut Rng) -> Option<std::ops::Range<usize>> {
    let opens = |byte: u8| matches!(byte, b'(' | b'[' | b'{' | b'<');
    let start =
        (rng.below(bytes.len() + 1)..bytes.len()).take(4096).find(|&at| opens(bytes[at]))?;
    let mut depth = 0_usize;
    for (at, &byte) in bytes.iter().enumerate().skip(start).take(16 * 1024) {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(start..at + 1);
        }
    }
    None
}

fn token(bytes: &[u8], rng: &mut Rng) -> Option<std::ops::Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let start =
        (rng.below(bytes.len() + 1)..bytes.len()).take(4096).find(|&at| is_part(bytes[at]))?;
    let length = bytes[start..].iter().take(256).take_while(|&&byte| is_part(byte)).count();
    Some(start..start + length)
}

/// Where bytes of a kind stand together.
fn runs(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|&&byte| is_part(byte)).count();
        if length > 0 {
            runs.push(at..at + length);
        }
        at += length.max(1);
    }
    runs
}
