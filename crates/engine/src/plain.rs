//! Plain values as bytes and back: primitives, and ordinary objects and arrays of them.
//!
//! Most messages between machines are of these alone. The format is that of `internal/wire`, which
//! knows all the others; a value that is not plain is left to it. Nothing of the program runs in here, so
//! that a value can be left half way through.
#![expect(unsafe_code, reason = "it looks at objects as the engine has them")]

use crate::beyond;
use crate::mirror::PLAIN;
use crate::raw;
use rquickjs::{Array, Ctx, Error, IntoJs, Object, Result, String as Text, Value, qjs};
use rustc_hash::FxHashSet;

/// What is nested deeper is left to others, who look at the stack.
const DEEPEST: usize = 64;

/// The bytes of a value; nothing if it is not plain.
pub fn write(value: &Value<'_>) -> Result<Option<Vec<u8>>> {
    let mut writer = Writer { out: Vec::with_capacity(64), seen: FxHashSet::default() };
    Ok(writer.value(value, 0)?.then_some(writer.out))
}

struct Writer {
    out: Vec<u8>,
    /// The objects so far: one that comes twice is not for us.
    seen: FxHashSet<usize>,
}

impl Writer {
    /// Writes a value; false if it is not plain.
    fn value(&mut self, value: &Value<'_>, depth: usize) -> Result<bool> {
        if value.is_undefined() {
            self.out.push(b'_');
        } else if value.is_null() {
            self.out.push(b'0');
        } else if let Some(flag) = value.as_bool() {
            self.out.push(if flag { b'T' } else { b'F' });
        } else if let Some(number) = value.as_number() {
            self.number(number);
        } else if value.is_string() {
            self.text(&beyond::utf16(value)?);
        } else if value.is_object() && depth < DEEPEST {
            return self.object(value, depth);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn length(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.out.push((number % 0x80) as u8 | 0x80);
            number /= 0x80;
        }
        self.out.push(number as u8);
    }

    fn number(&mut self, number: f64) {
        let small = number as i32;
        if f64::from(small) == number && !(small == 0 && number.is_sign_negative()) {
            self.out.push(b'I');
            self.length(u64::from(((small << 1) ^ (small >> 31)) as u32));
        } else {
            self.out.push(b'N');
            self.out.extend(number.to_le_bytes());
        }
    }

    fn text(&mut self, units: &[u16]) {
        if units.iter().all(|&unit| unit <= 0xff) {
            self.out.push(b'"');
            self.length(units.len() as u64);
            self.out.extend(units.iter().map(|&unit| unit as u8));
            return;
        }
        // The units of a text begin at an even place.
        let bytes = 2 * units.len() as u64;
        let digits = (64 - bytes.leading_zeros()).div_ceil(7).max(1) as usize;
        if (self.out.len() + 1 + digits) % 2 == 1 {
            self.out.push(0);
        }
        self.out.push(b'c');
        self.length(bytes);
        self.out.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    }

    fn object(&mut self, value: &Value<'_>, depth: usize) -> Result<bool> {
        let Some(kind) = kind(value) else { return Ok(false) };
        // SAFETY: the value is an object.
        let address = unsafe { qjs::JS_VALUE_GET_PTR(value.as_raw()).addr() };
        if !self.seen.insert(address) {
            return Ok(false);
        }
        let names = Names::of(value)?;
        match kind {
            Kind::Object => {
                self.out.push(b'o');
                for at in 0..names.len() {
                    let Some(held) = names.value(at)? else { return Ok(false) };
                    self.name(&names.name(at)?);
                    if !self.value(&held, depth + 1)? {
                        return Ok(false);
                    }
                }
                self.out.push(b'{');
                self.length(names.len() as u64);
            }
            Kind::Array(length) => {
                // One with holes, or with more than elements, is not for us. Indices come first, in order.
                if names.len() != length {
                    return Ok(false);
                }
                if let Some(last) = length.checked_sub(1)
                    && index(&names.name(last)?).is_none_or(|index| index as usize != last)
                {
                    return Ok(false);
                }
                self.out.push(b'A');
                self.length(length as u64);
                for at in 0..length {
                    let Some(held) = names.value(at)? else { return Ok(false) };
                    if !self.value(&held, depth + 1)? {
                        return Ok(false);
                    }
                }
                self.out.push(b'$');
                self.length(0);
                self.length(length as u64);
            }
        }
        Ok(true)
    }

    fn name(&mut self, name: &[u16]) {
        match index(name) {
            Some(index) => self.number(f64::from(index)),
            None => self.text(name),
        }
    }
}

/// The number that a name is the index of, if it is.
fn index(name: &[u16]) -> Option<u32> {
    if name.is_empty() || name.len() > 10 || (name[0] == u16::from(b'0') && name.len() > 1) {
        return None;
    }
    let digit = |&unit: &u16| char::from_u32(unit.into())?.to_digit(10);
    let number =
        name.iter().try_fold(0_u64, |number, unit| Some(number * 10 + u64::from(digit(unit)?)))?;
    u32::try_from(number).ok().filter(|&index| index != u32::MAX)
}

enum Kind {
    Object,
    /// Of so many elements.
    Array(usize),
}

/// What kind of plain object it is; nothing for one with a class or a prototype of its own.
fn kind(value: &Value<'_>) -> Option<Kind> {
    let context = value.ctx().as_raw().as_ptr();
    // SAFETY: the value is an object of the context, which is alive; what is given is given back.
    unsafe {
        let class = qjs::JS_GetClassID(value.as_raw());
        let is_array = class != PLAIN && value.is_array() && !qjs::JS_IsProxy(value.as_raw());
        if class != PLAIN && !is_array {
            return None;
        }
        let [own, usual] =
            [qjs::JS_GetPrototype(context, value.as_raw()), qjs::JS_GetClassProto(context, class)];
        let is_usual = qjs::JS_VALUE_GET_PTR(own) == qjs::JS_VALUE_GET_PTR(usual)
            || (!is_array && qjs::JS_IsNull(own));
        qjs::JS_FreeValue(context, own);
        qjs::JS_FreeValue(context, usual);
        if !is_usual {
            return None;
        }
        Some(if is_array { Kind::Array(value.as_array()?.len()) } else { Kind::Object })
    }
}

/// The names of an object's own properties that are enumerable.
struct Names<'a, 'js> {
    object: &'a Value<'js>,
    start: *mut qjs::JSPropertyEnum,
    count: u32,
}

impl<'a, 'js> Names<'a, 'js> {
    fn of(object: &'a Value<'js>) -> Result<Self> {
        let (mut start, mut count) = (std::ptr::null_mut(), 0);
        let flags = (qjs::JS_GPN_STRING_MASK | qjs::JS_GPN_ENUM_ONLY) as i32;
        let context = object.ctx().as_raw().as_ptr();
        // SAFETY: the value is an object of the context; the list is given back with this.
        let failed = unsafe {
            qjs::JS_GetOwnPropertyNames(context, &mut start, &mut count, object.as_raw(), flags)
        };
        if failed < 0 { Err(Error::Exception) } else { Ok(Self { object, start, count }) }
    }

    fn len(&self) -> usize {
        self.count as usize
    }

    fn atom(&self, at: usize) -> qjs::JSAtom {
        assert!(at < self.len(), "there are as many names");
        // SAFETY: the list has as many.
        unsafe { (*self.start.add(at)).atom }
    }

    fn name(&self, at: usize) -> Result<Vec<u16>> {
        let ctx = self.object.ctx();
        // SAFETY: the atom is one of the context, alive as long as the list; the value takes over the new
        // reference.
        let name =
            unsafe { raw::take(ctx, qjs::JS_AtomToString(ctx.as_raw().as_ptr(), self.atom(at)))? };
        beyond::utf16(&name)
    }

    /// The value of a property; nothing if somebody would have to be called for it.
    fn value(&self, at: usize) -> Result<Option<Value<'js>>> {
        // SAFETY: the object is ordinary, so that nothing of the program runs, and the atom is one of its own.
        unsafe { raw::own_value(self.object, self.atom(at)) }
    }
}

impl Drop for Names<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: the engine gave the list, which is given back once.
        unsafe {
            let context = self.object.ctx().as_raw().as_ptr();
            qjs::JS_FreePropertyEnum(context, self.start, self.count);
        }
    }
}

/// The value of such bytes; nothing if there is more in them than plain values.
pub fn read<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Option<Value<'js>>> {
    let mut reader = Reader { ctx, bytes, at: 0 };
    let value = reader.value(0)?;
    Ok(value.filter(|_| reader.at == bytes.len()))
}

struct Reader<'a, 'js> {
    ctx: &'a Ctx<'js>,
    bytes: &'a [u8],
    at: usize,
}

impl<'js> Reader<'_, 'js> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// The next byte that is no filling.
    fn tag(&mut self) -> Option<u8> {
        loop {
            match self.byte()? {
                0 => {}
                tag => return Some(tag),
            }
        }
    }

    fn length(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return u32::try_from(number).ok();
            }
            if shift > 28 {
                return None;
            }
        }
    }

    fn raw(&mut self, length: usize) -> Option<&[u8]> {
        let end = self.at.checked_add(length)?;
        let bytes = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    fn number(&mut self, tag: u8) -> Option<f64> {
        if tag == b'I' {
            let bits = self.length()?;
            return Some(f64::from((bits >> 1) as i32 ^ -((bits & 1) as i32)));
        }
        self.raw(8)?.try_into().ok().map(f64::from_le_bytes)
    }

    fn text(&mut self, tag: u8) -> Option<String> {
        let length = self.length()? as usize;
        let bytes = self.raw(length)?;
        if tag == b'"' {
            return Some(bytes.iter().map(|&byte| char::from(byte)).collect());
        }
        let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        char::decode_utf16(units).collect::<std::result::Result<_, _>>().ok()
    }

    fn value(&mut self, depth: usize) -> Result<Option<Value<'js>>> {
        let Some(tag) = self.tag().filter(|_| depth <= DEEPEST) else { return Ok(None) };
        Ok(match tag {
            b'_' => Some(Value::new_undefined(self.ctx.clone())),
            b'0' => Some(Value::new_null(self.ctx.clone())),
            b'T' | b'F' => Some(Value::new_bool(self.ctx.clone(), tag == b'T')),
            b'I' => self.number(tag).map(|number| Value::new_int(self.ctx.clone(), number as i32)),
            // What has a sign keeps it, also if it is zero.
            b'N' => self.number(tag).map(|number| Value::new_float(self.ctx.clone(), number)),
            b'"' | b'c' => self.text(tag).map(|text| text.into_js(self.ctx)).transpose()?,
            b'o' => self.object(depth)?,
            b'A' => self.array(depth)?,
            _ => None,
        })
    }

    fn object(&mut self, depth: usize) -> Result<Option<Value<'js>>> {
        let object = Object::new(self.ctx.clone())?;
        let mut count = 0;
        loop {
            let name = match self.tag() {
                Some(b'{') => break,
                Some(tag @ (b'I' | b'N')) => self.number(tag).map(|index| index.to_string()),
                Some(tag @ (b'"' | b'c')) => self.text(tag),
                _ => None,
            };
            let Some(name) = name else { return Ok(None) };
            let Some(value) = self.value(depth + 1)? else { return Ok(None) };
            define(&object, &name, value)?;
            count += 1;
        }
        Ok((self.length() == Some(count)).then(|| object.into_value()))
    }

    fn array(&mut self, depth: usize) -> Result<Option<Value<'js>>> {
        let Some(length) = self.length() else { return Ok(None) };
        let array = Array::new(self.ctx.clone())?;
        for at in 0..length {
            let Some(value) = self.value(depth + 1)? else { return Ok(None) };
            // SAFETY: the array is one of the context; the engine takes over a reference to the value.
            let failed = unsafe {
                let context = self.ctx.as_raw().as_ptr();
                let flags = qjs::JS_PROP_C_W_E as i32;
                let value = qjs::JS_DupValue(context, value.as_raw());
                qjs::JS_DefinePropertyValueUint32(context, array.as_raw(), at, value, flags)
            };
            if failed < 0 {
                return Err(Error::Exception);
            }
        }
        let is_whole =
            self.tag() == Some(b'$') && self.length() == Some(0) && self.length() == Some(length);
        Ok(is_whole.then(|| array.into_value()))
    }
}

/// Gives an object a property, whatever its prototype has by that name.
fn define<'js>(object: &Object<'js>, name: &str, value: Value<'js>) -> Result<()> {
    let ctx = object.ctx();
    let name = Text::from_str(ctx.clone(), name)?;
    // SAFETY: all are of the context; the engine takes over a reference to the value, and the atom is given
    // back.
    let failed = unsafe {
        let context = ctx.as_raw().as_ptr();
        let atom = qjs::JS_ValueToAtom(context, name.as_raw());
        let flags = qjs::JS_PROP_C_W_E as i32;
        let value = qjs::JS_DupValue(context, value.as_raw());
        let failed = qjs::JS_DefinePropertyValue(context, object.as_raw(), atom, value, flags);
        qjs::JS_FreeAtom(context, atom);
        failed
    };
    if failed < 0 { Err(Error::Exception) } else { Ok(()) }
}
