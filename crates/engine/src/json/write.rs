//! Plain data as a text.

use super::{Characters, DEEPEST, Stop, characters};
use crate::mirror::{ARRAY, ArrayObject, PLAIN, Shape, ShapeProperty};
use rquickjs::qjs::{self, JSAtom, JSContext, JSValue};
use std::io::Write as _;

/// A longer text is made by the engine, whose memory is limited.
const LONGEST: usize = 16 << 20;

/// How much room there is at first: most texts are shorter.
const ROOM: usize = 1024;

/// The text of an object.
///
/// # Safety
///
/// The value is an object of the context, and alive.
pub(super) unsafe fn write(ctx: *mut JSContext, value: JSValue) -> Result<JSValue, Stop> {
    // SAFETY: the caller's.
    unsafe {
        let name = qjs::JS_NewAtomLen(ctx, c"toJSON".as_ptr(), 6);
        let out = Vec::with_capacity(ROOM);
        let mut writer = Writer { ctx, out, to_json: name, usual: [std::ptr::null(); 4], next: 0 };
        let written = writer.value(value, 0);
        qjs::JS_FreeAtom(ctx, name);
        if !written? {
            return Err(Stop::Elsewhere);
        }
        let text = qjs::JS_NewStringLen(ctx, writer.out.as_ptr().cast(), writer.out.len() as _);
        if qjs::JS_IsException(text) { Err(Stop::Thrown) } else { Ok(text) }
    }
}

struct Writer {
    ctx: *mut JSContext,
    /// What is written, as UTF-8.
    out: Vec<u8>,
    to_json: JSAtom,
    /// Prototypes that are known not to have a `toJSON`, nor those that they inherit from.
    usual: [*const ArrayObject; 4],
    next: usize,
}

impl Writer {
    /// Writes a value; false if it is none for JSON.
    unsafe fn value(&mut self, value: JSValue, depth: u32) -> Result<bool, Stop> {
        // SAFETY: the caller's: the value is alive, and nothing of the engine runs that could change it.
        unsafe {
            match qjs::JS_VALUE_GET_NORM_TAG(value) {
                qjs::JS_TAG_INT => self.integer(qjs::JS_VALUE_GET_INT(value)),
                qjs::JS_TAG_FLOAT64 => self.number(qjs::JS_VALUE_GET_FLOAT64(value)),
                qjs::JS_TAG_BOOL => {
                    let is_true = qjs::JS_VALUE_GET_BOOL(value);
                    self.out.extend_from_slice(if is_true { b"true" } else { b"false" });
                }
                qjs::JS_TAG_NULL => self.out.extend_from_slice(b"null"),
                qjs::JS_TAG_STRING => self.quoted(value)?,
                qjs::JS_TAG_OBJECT => self.object(value, depth)?,
                qjs::JS_TAG_UNDEFINED | qjs::JS_TAG_SYMBOL => return Ok(false),
                _ => return Err(Stop::Elsewhere),
            }
        }
        Ok(true)
    }

    unsafe fn object(&mut self, value: JSValue, depth: u32) -> Result<(), Stop> {
        if depth >= DEEPEST || self.out.len() > LONGEST {
            return Err(Stop::Elsewhere);
        }
        // SAFETY: as in `value`.
        unsafe {
            let object = qjs::JS_VALUE_GET_PTR(value).cast::<ArrayObject>().cast_const();
            let ArrayObject { class, shape, .. } = *object;
            if !self.is_usual((*shape).prototype.cast())? {
                return Err(Stop::Elsewhere);
            }
            match u32::from(class) {
                PLAIN => self.properties(object, depth),
                ARRAY => self.elements(object, depth),
                _ => Err(Stop::Elsewhere),
            }
        }
    }

    /// Whether a prototype and those that it inherits from are plain objects without a `toJSON`.
    unsafe fn is_usual(&mut self, prototype: *const ArrayObject) -> Result<bool, Stop> {
        if prototype.is_null() || self.usual.contains(&prototype) {
            return Ok(true);
        }
        // SAFETY: as in `value`; asked like that, the engine only looks whether the object has such a property.
        unsafe {
            let ArrayObject { class, shape, .. } = *prototype;
            if u32::from(class) != PLAIN && u32::from(class) != ARRAY {
                return Ok(false);
            }
            let object = qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, prototype.cast_mut().cast());
            let none = std::ptr::null_mut();
            match qjs::JS_GetOwnProperty(self.ctx, none, object, self.to_json) {
                0 => {}
                1 => return Ok(false),
                _ => return Err(Stop::Thrown),
            }
            if !self.is_usual((*shape).prototype.cast())? {
                return Ok(false);
            }
        }
        self.usual[self.next % 4] = prototype;
        self.next += 1;
        Ok(true)
    }

    unsafe fn properties(&mut self, object: *const ArrayObject, depth: u32) -> Result<(), Stop> {
        self.out.push(b'{');
        let begun = self.out.len();
        // SAFETY: as in `value`; an object has a value for each property of its shape.
        unsafe {
            let shape = (*object).shape;
            for at in 0..(*shape).count as usize {
                let ShapeProperty { bits, name } = *Shape::properties(shape).add(at);
                if name == qjs::JS_ATOM_NULL {
                    continue; // It was deleted.
                }
                if name == self.to_json || ShapeProperty::kind(bits) != ShapeProperty::VALUE {
                    return Err(Stop::Elsewhere);
                }
                if bits & ShapeProperty::ENUMERABLE == 0 {
                    continue;
                }
                let key = qjs::JS_AtomToValue(self.ctx, name);
                // The shape keeps the name alive.
                qjs::JS_FreeValue(self.ctx, key);
                if qjs::JS_VALUE_GET_TAG(key) == qjs::JS_TAG_SYMBOL {
                    continue;
                }
                let before = self.out.len();
                if before > begun {
                    self.out.push(b',');
                }
                self.key(key)?;
                self.out.push(b':');
                let value = *(*object).properties.cast::<JSValue>().add(at);
                if !self.value(value, depth + 1)? {
                    self.out.truncate(before);
                }
            }
        }
        self.out.push(b'}');
        Ok(())
    }

    /// A key. Numbers come first, in their order, which is not that of the shape.
    unsafe fn key(&mut self, key: JSValue) -> Result<(), Stop> {
        // SAFETY: as in `value`.
        unsafe {
            match characters(key) {
                None => return Err(Stop::Elsewhere),
                Some(Characters::Narrow(name)) => {
                    if !name.is_empty() && name.iter().all(u8::is_ascii_digit) {
                        return Err(Stop::Elsewhere);
                    }
                    self.narrow(name);
                }
                Some(Characters::Wide(name)) => self.wide(name),
            }
        }
        Ok(())
    }

    unsafe fn elements(&mut self, object: *const ArrayObject, depth: u32) -> Result<(), Stop> {
        // SAFETY: as in `value`; a dense array has so many values, and its length is its first property.
        unsafe {
            let ArrayObject { flags, shape, properties, values, count, .. } = *object;
            let length = *properties.cast::<JSValue>();
            let is_dense = flags[0] & ArrayObject::DENSE != 0
                && (*shape).count == 1
                && qjs::JS_IsInt(length)
                && qjs::JS_VALUE_GET_INT(length) as u32 == count;
            if !is_dense {
                return Err(Stop::Elsewhere);
            }
            self.out.push(b'[');
            for at in 0..count as usize {
                if at > 0 {
                    self.out.push(b',');
                }
                if !self.value(*values.add(at), depth + 1)? {
                    self.out.extend_from_slice(b"null");
                }
            }
        }
        self.out.push(b']');
        Ok(())
    }

    fn integer(&mut self, number: i32) {
        // A vector takes whatever is written.
        let _ = write!(self.out, "{number}");
    }

    /// A number as the language writes it: its shortest digits, with an exponent if it is very large or small.
    fn number(&mut self, number: f64) {
        if !number.is_finite() {
            return self.out.extend_from_slice(b"null");
        }
        if number == 0.0 {
            return self.out.push(b'0');
        }
        let mut text = [0; 32];
        let mut left = &mut text[..];
        let _ = write!(left, "{:e}", number.abs());
        let length = 32 - left.len();
        let at = text.iter().position(|&byte| byte == b'e').expect("it has an exponent");
        let exponent = std::str::from_utf8(&text[at + 1..length]).ok();
        let point = 1 + exponent.and_then(|one| one.parse::<i32>().ok()).expect("it is a number");
        // The digits without the point, which stands behind the first.
        let mut digits = [0; 24];
        digits[0] = text[0];
        let more = at.saturating_sub(2);
        digits[1..1 + more].copy_from_slice(&text[2..2 + more]);
        let digits = &mut digits[..1 + more];
        if digits.len() > SURE || number.abs() < f64::MIN_POSITIVE {
            settle(number.abs(), digits, point);
        }
        let count = digits.len() as i32;
        if number < 0.0 {
            self.out.push(b'-');
        }
        let zeros = |out: &mut Vec<u8>, count: i32| out.resize(out.len() + count as usize, b'0');
        match point {
            1..=21 if count <= point => {
                self.out.extend_from_slice(digits);
                zeros(&mut self.out, point - count);
            }
            1..=21 => {
                let (whole, part) = digits.split_at(point as usize);
                self.out.extend_from_slice(whole);
                self.out.push(b'.');
                self.out.extend_from_slice(part);
            }
            -5..=0 => {
                self.out.extend_from_slice(b"0.");
                zeros(&mut self.out, -point);
                self.out.extend_from_slice(digits);
            }
            _ => {
                self.out.push(digits[0]);
                if count > 1 {
                    self.out.push(b'.');
                    self.out.extend_from_slice(&digits[1..]);
                }
                let _ = write!(self.out, "e{:+}", point - 1);
            }
        }
    }

    unsafe fn quoted(&mut self, value: JSValue) -> Result<(), Stop> {
        // SAFETY: as in `value`.
        match unsafe { characters(value) } {
            None => return Err(Stop::Elsewhere),
            Some(Characters::Narrow(text)) => self.narrow(text),
            Some(Characters::Wide(text)) => self.wide(text),
        }
        Ok(())
    }

    fn narrow(&mut self, text: &[u8]) {
        self.out.push(b'"');
        let mut rest = text;
        loop {
            let plain = rest.iter().position(|&byte| !PLAIN_BYTES[usize::from(byte)]);
            let Some(plain) = plain else { break };
            self.out.extend_from_slice(&rest[..plain]);
            self.character(char::from(rest[plain]));
            rest = &rest[plain + 1..];
        }
        self.out.extend_from_slice(rest);
        self.out.push(b'"');
    }

    fn wide(&mut self, text: &[u16]) {
        self.out.push(b'"');
        for unit in char::decode_utf16(text.iter().copied()) {
            match unit {
                Ok(character) => self.character(character),
                Err(lone) => {
                    let _ = write!(self.out, "\\u{:04x}", lone.unpaired_surrogate());
                }
            }
        }
        self.out.push(b'"');
    }

    fn character(&mut self, character: char) {
        let escaped = match character {
            '"' => b"\\\"",
            '\\' => b"\\\\",
            '\n' => b"\\n",
            '\r' => b"\\r",
            '\t' => b"\\t",
            '\u{8}' => b"\\b",
            '\u{c}' => b"\\f",
            '\0'..='\x1f' => {
                let _ = write!(self.out, "\\u{:04x}", u32::from(character));
                return;
            }
            _ => {
                let mut bytes = [0; 4];
                self.out.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
                return;
            }
        };
        self.out.extend_from_slice(escaped);
    }
}

/// Texts of so many digits are numbers of their own.
const SURE: usize = 15;

/// Of two texts that are as short and as close to a number the language takes the even one, and the library any.
fn settle(number: f64, digits: &mut [u8], point: i32) {
    let last = digits.len() - 1;
    let taken = digits[last];
    // What is between them has a digit more, and nearly all numbers have many more.
    let places_between = digits.len() as i32 + 1 - point;
    if taken.is_multiple_of(2) || decimal_places(number).is_some_and(|has| has != places_between) {
        return;
    }
    for other in [taken - 1, taken + 1] {
        digits[last] = other;
        let mut text = [0; 40];
        let mut left = &mut text[..];
        let _ = left.write_all(b"0.");
        let _ = left.write_all(digits);
        let _ = write!(left, "e{point}");
        let length = 40 - left.len();
        let read = std::str::from_utf8(&text[..length]).ok().and_then(|text| text.parse().ok());
        if read == Some(number) && is_between(number, &digits[..last], taken.min(other)) {
            return;
        }
        digits[last] = taken;
    }
}

/// How many digits a positive number has behind its point when it is written in full; nothing for a whole one.
fn decimal_places(number: f64) -> Option<i32> {
    const FRACTION: u64 = (1 << 52) - 1;
    let (exponent, fraction) = ((number.to_bits() >> 52) as i32, number.to_bits() & FRACTION);
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    // An odd number of halves of halves takes a place for each of them.
    let halved = -(exponent + mantissa.trailing_zeros() as i32);
    (halved > 0).then_some(halved)
}

/// Whether a number is these digits, this one, and a half of it.
fn is_between(number: f64, digits: &[u8], last: u8) -> bool {
    // A few more digits tell nearly all apart, and no number has more than so many.
    [24, 1100].into_iter().all(|places| {
        let exact = format!("{number:.places$e}");
        let exact = exact.bytes().filter(|byte| *byte != b'.').take_while(|&byte| byte != b'e');
        let half = digits.iter().copied().chain([last, b'5']).chain(std::iter::repeat(b'0'));
        exact.zip(half).all(|(one, other)| one == other)
    })
}

/// Which bytes are written as they are.
static PLAIN_BYTES: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0x20;
    while byte < 0x80 {
        plain[byte] = byte != b'"' as usize && byte != b'\\' as usize;
        byte += 1;
    }
    plain
};
