//! Plain data of a text.

use super::{DEEPEST, Stop};
use rquickjs::qjs::{self, JSAtom, JSContext, JSValue};

/// Names that were met last, by a number that is made of them.
const NAMES: usize = 64;

/// The value that a text says.
///
/// # Safety
///
/// The context is alive, and so is the text meanwhile.
pub(super) unsafe fn read(ctx: *mut JSContext, text: &[u8]) -> Result<JSValue, Stop> {
    let mut reader =
        Reader { ctx, text, at: 0, open: Vec::new(), names: [(0, 0, qjs::JS_ATOM_NULL); NAMES] };
    // SAFETY: the caller's; what was made is given back unless it is handed on.
    unsafe {
        let read = reader.value(0).and_then(|value| {
            if reader.next().is_none() {
                return Ok(value);
            }
            qjs::JS_FreeValue(ctx, value);
            Err(Stop::Elsewhere)
        });
        for (_, _, name) in reader.names {
            qjs::JS_FreeAtom(ctx, name);
        }
        reader.open.into_iter().for_each(|value| qjs::JS_FreeValue(ctx, value));
        read
    }
}

struct Reader<'a> {
    ctx: *mut JSContext,
    /// Each character is a byte.
    text: &'a [u8],
    at: usize,
    /// Elements of arrays that have not ended.
    open: Vec<JSValue>,
    /// Where names stand in the text, and how long they are. Each owns its atom.
    names: [(usize, usize, JSAtom); NAMES],
}

impl Reader<'_> {
    /// The next character that is no space, which stays the next.
    fn next(&mut self) -> Option<u8> {
        while let Some(&byte) = self.text.get(self.at) {
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// Takes the next character that is no space, if it is this.
    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, byte: u8) -> Result<(), Stop> {
        if self.takes(byte) { Ok(()) } else { Err(Stop::Elsewhere) }
    }

    fn word(&mut self, word: &[u8], value: JSValue) -> Result<JSValue, Stop> {
        let is_next = self.text[self.at..].starts_with(word);
        self.at += word.len();
        if is_next { Ok(value) } else { Err(Stop::Elsewhere) }
    }

    unsafe fn value(&mut self, depth: u32) -> Result<JSValue, Stop> {
        if depth >= DEEPEST {
            return Err(Stop::Elsewhere);
        }
        // SAFETY: the context is alive.
        unsafe {
            match self.next() {
                Some(b'"') => self.string(),
                Some(b'{') => self.object(depth),
                Some(b'[') => self.array(depth),
                Some(b'-' | b'0'..=b'9') => self.number(),
                Some(b't') => self.word(b"true", qjs::JS_TRUE),
                Some(b'f') => self.word(b"false", qjs::JS_FALSE),
                Some(b'n') => self.word(b"null", qjs::JS_NULL),
                _ => Err(Stop::Elsewhere),
            }
        }
    }

    unsafe fn object(&mut self, depth: u32) -> Result<JSValue, Stop> {
        self.at += 1;
        // SAFETY: the object is new, and given back if it does not get complete.
        unsafe {
            let object = made(qjs::JS_NewObject(self.ctx))?;
            let filled = if self.takes(b'}') { Ok(()) } else { self.properties(object, depth) };
            match filled {
                Ok(()) => Ok(object),
                Err(stop) => {
                    qjs::JS_FreeValue(self.ctx, object);
                    Err(stop)
                }
            }
        }
    }

    unsafe fn properties(&mut self, object: JSValue, depth: u32) -> Result<(), Stop> {
        loop {
            // SAFETY: as in `object`; the engine takes over the value.
            unsafe {
                let name = self.name()?;
                let value = self.expect(b':').and_then(|()| self.value(depth + 1));
                let defined = value.and_then(|value| {
                    let flags = qjs::JS_PROP_C_W_E as i32;
                    match qjs::JS_DefinePropertyValue(self.ctx, object, name, value, flags) {
                        0.. => Ok(()),
                        _ => Err(Stop::Thrown),
                    }
                });
                qjs::JS_FreeAtom(self.ctx, name);
                defined?;
            }
            if !self.takes(b',') {
                return self.expect(b'}');
            }
        }
    }

    /// A name, as a new reference.
    unsafe fn name(&mut self) -> Result<JSAtom, Stop> {
        if self.next() != Some(b'"') {
            return Err(Stop::Elsewhere);
        }
        let start = self.at + 1;
        let length = self.plain(start);
        // SAFETY: the name is part of the text; what is replaced among the last is given back.
        unsafe {
            let name = &self.text[start..start + length];
            if self.text.get(start + length) != Some(&b'"') || name.is_empty() {
                let value = self.string()?;
                let name = qjs::JS_ValueToAtom(self.ctx, value);
                qjs::JS_FreeValue(self.ctx, value);
                return if name == qjs::JS_ATOM_NULL { Err(Stop::Thrown) } else { Ok(name) };
            }
            self.at = start + length + 1;
            let (first, last) = (usize::from(name[0]), usize::from(name[length - 1]));
            let place = (first * 7 + last * 3 + length) % NAMES;
            let (at, long, known) = self.names[place];
            if known != qjs::JS_ATOM_NULL && &self.text[at..at + long] == name {
                return Ok(qjs::JS_DupAtom(self.ctx, known));
            }
            let made = qjs::JS_NewAtomLen(self.ctx, name.as_ptr().cast(), length as _);
            if made == qjs::JS_ATOM_NULL {
                return Err(Stop::Thrown);
            }
            qjs::JS_FreeAtom(self.ctx, known);
            self.names[place] = (start, length, qjs::JS_DupAtom(self.ctx, made));
            Ok(made)
        }
    }

    unsafe fn array(&mut self, depth: u32) -> Result<JSValue, Stop> {
        self.at += 1;
        let begun = self.open.len();
        // SAFETY: what is open is given back at the end; the engine takes over what a new array is made of.
        unsafe {
            if !self.takes(b']') {
                loop {
                    let value = self.value(depth + 1)?;
                    self.open.push(value);
                    if !self.takes(b',') {
                        break self.expect(b']')?;
                    }
                }
            }
            let values = &self.open[begun..];
            let array = qjs::JS_NewArrayFrom(self.ctx, values.len() as i32, values.as_ptr());
            self.open.truncate(begun);
            made(array)
        }
    }

    /// How many characters from there on are ASCII, and written as they are.
    fn plain(&self, from: usize) -> usize {
        let is_plain = |&byte: &u8| byte != b'"' && byte != b'\\' && (0x20..0x80).contains(&byte);
        let rest = &self.text[from..];
        rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len())
    }

    unsafe fn string(&mut self) -> Result<JSValue, Stop> {
        let start = self.at + 1;
        let length = self.plain(start);
        if self.text.get(start + length) == Some(&b'"') {
            self.at = start + length + 1;
            // SAFETY: the characters are part of the text.
            return made(unsafe {
                qjs::JS_NewStringLen(self.ctx, self.text[start..].as_ptr().cast(), length as _)
            });
        }
        let mut text = String::with_capacity(2 * length + 16);
        self.at = start;
        loop {
            let byte = *self.text.get(self.at).ok_or(Stop::Elsewhere)?;
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => text.push(self.escaped()?),
                0..0x20 => return Err(Stop::Elsewhere),
                byte => text.push(char::from(byte)),
            }
        }
        // SAFETY: the characters are those of the string.
        made(unsafe { qjs::JS_NewStringLen(self.ctx, text.as_ptr().cast(), text.len() as _) })
    }

    /// The character of an escape, whose backslash was taken. Halves of characters are the engine's.
    fn escaped(&mut self) -> Result<char, Stop> {
        let byte = *self.text.get(self.at).ok_or(Stop::Elsewhere)?;
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let digits = self.text.get(self.at..self.at + 4).ok_or(Stop::Elsewhere)?;
                self.at += 4;
                let mut code = 0;
                for &digit in digits {
                    let digit = char::from(digit).to_digit(16).ok_or(Stop::Elsewhere)?;
                    code = code * 16 + digit;
                }
                char::from_u32(code).ok_or(Stop::Elsewhere)?
            }
            _ => return Err(Stop::Elsewhere),
        })
    }

    fn digits(&mut self) -> Result<(), Stop> {
        let rest = &self.text[self.at..];
        let count = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        self.at += count;
        if count > 0 { Ok(()) } else { Err(Stop::Elsewhere) }
    }

    fn has(&mut self, bytes: &[u8]) -> bool {
        let has = self.text.get(self.at).is_some_and(|byte| bytes.contains(byte));
        self.at += usize::from(has);
        has
    }

    fn number(&mut self) -> Result<JSValue, Stop> {
        let start = self.at;
        let is_negative = self.has(b"-");
        let first = self.at;
        self.digits()?;
        let whole = &self.text[first..self.at];
        if whole.len() > 1 && whole[0] == b'0' {
            return Err(Stop::Elsewhere);
        }
        let is_whole = !matches!(self.text.get(self.at), Some(b'.' | b'e' | b'E'));
        if is_whole && whole.len() <= 9 && !(is_negative && whole == b"0") {
            let number = whole.iter().fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'));
            let number = if is_negative { -number } else { number };
            return Ok(qjs::JS_MKVAL(qjs::JS_TAG_INT, number));
        }
        if self.has(b".") {
            self.digits()?;
        }
        if self.has(b"eE") {
            self.has(b"+-");
            self.digits()?;
        }
        let text = std::str::from_utf8(&self.text[start..self.at]).ok();
        let number = text.and_then(|text| text.parse::<f64>().ok()).ok_or(Stop::Elsewhere)?;
        Ok(qjs::JS_NewFloat64(number))
    }
}

/// What the engine has made.
fn made(value: JSValue) -> Result<JSValue, Stop> {
    // SAFETY: the function looks at the value's tag.
    if unsafe { qjs::JS_IsException(value) } { Err(Stop::Thrown) } else { Ok(value) }
}
