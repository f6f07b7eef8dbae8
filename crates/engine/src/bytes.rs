//! Text to bytes and back: what `Buffer` and its kin do most.
#![expect(unsafe_code, reason = "bytes of a typed array are read while nothing else runs")]

use crate::beyond;
use crate::memory::Budget;
use crate::mirror::BYTES;
use crate::raw;
use crate::state::state;
use hemiola_gate::Taken;
use rquickjs::{ArrayBuffer, Ctx, Function, Object, Result, TypedArray, Value, qjs};
use std::ffi::c_void;

/// Puts the functions of this file on `binding`.
pub fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("decodeUtf8", Function::new(ctx.clone(), decode_utf8)?)?;
    function("decodeLatin1", Function::new(ctx.clone(), decode_latin1)?)?;
    function("hexEncode", Function::new(ctx.clone(), hex_encode)?)?;
    function("base64Encode", Function::new(ctx.clone(), base64_encode)?)?;
    function("compare", Function::new(ctx.clone(), compare)?)?;
    function("encodeUtf8", Function::new(ctx.clone(), encode_utf8)?)?;
    function("utf8Length", Function::new(ctx.clone(), utf8_length)?)?;
    function("encodeLatin1", Function::new(ctx.clone(), encode_latin1)?)?;
    function("hexDecode", Function::new(ctx.clone(), hex_decode)?)?;
    function("base64Decode", Function::new(ctx.clone(), base64_decode)?)?;
    function("indexOf", Function::new(ctx.clone(), index_of)?)
}

/// A copy of some bytes of an array: the engine may move them as soon as it runs again.
pub fn copy(array: &TypedArray<'_, u8>, start: usize, end: usize) -> Vec<u8> {
    // SAFETY: nothing of the engine runs between taking the slice and copying it.
    let bytes = unsafe { array.as_bytes() }.unwrap_or_default();
    bytes.get(start.min(bytes.len())..end.min(bytes.len())).unwrap_or_default().to_vec()
}

/// The bytes of an array, to be looked at where they are: only until something of the engine runs, which may
/// move them or change them.
pub fn seen<'a>(array: &'a TypedArray<'_, u8>) -> &'a [u8] {
    // SAFETY: whoever asks lets nothing of the engine run while it looks.
    unsafe { array.as_bytes() }.unwrap_or_default()
}

/// Fills an array with bytes that are made for it.
pub fn fill(array: &TypedArray<'_, u8>, make: impl FnOnce(usize) -> Vec<u8>) {
    let length = array.as_raw().map_or(0, |bytes| bytes.len());
    let made = make(length);
    let Some(bytes) = array.as_raw() else { return };
    let length = made.len().min(bytes.len());
    // SAFETY: the pointer is to the bytes of an array that is alive, of which there are so many, and nothing
    // of the engine runs between asking for it and writing.
    unsafe { bytes.cast::<u8>().as_ptr().copy_from_nonoverlapping(made.as_ptr(), length) };
}

/// Lets `act` read bytes of one array and write to a part of another, from an offset on, so many at most.
/// Nothing of the engine may run in it.
pub fn between<R>(
    input: &TypedArray<'_, u8>,
    output: &TypedArray<'_, u8>,
    offset: usize,
    length: usize,
    act: impl FnOnce(&[u8], &mut [u8]) -> R,
) -> R {
    let input = seen(input);
    let Some(bytes) = output.as_raw() else { return act(input, &mut []) };
    let offset = offset.min(bytes.len());
    let length = length.min(bytes.len() - offset);
    // SAFETY: the part is within the bytes of an array that is alive, and nothing of the engine runs while
    // they are used. Where the two overlap, which only a program that uses its output as input brings
    // about, the input is a copy.
    let output =
        unsafe { std::slice::from_raw_parts_mut(bytes.cast::<u8>().as_ptr().add(offset), length) };
    let (first, second) = (input.as_ptr_range(), output.as_ptr_range());
    if first.start < second.end && second.start < first.end {
        let copy = input.to_vec();
        act(&copy, output)
    } else {
        act(input, output)
    }
}

/// Bytes as an array, which counts as memory of the engine.
pub fn array<'js>(ctx: &Ctx<'js>, bytes: Vec<u8>) -> Result<TypedArray<'js, u8>> {
    let budget = state(ctx).settings.budget.clone();
    let length = bytes.len();
    let raw = ctx.as_raw().as_ptr();
    if budget.used().saturating_add(length) > budget.limit() || length > budget.room().left() {
        collect(ctx);
    }
    if !budget.grants(length) {
        return Err(no_memory(ctx));
    }
    budget.took(length);
    let counted = Box::into_raw(Box::new(Counted { bytes, budget }));
    // SAFETY: the bytes do not move while the engine has them, and it gives them back once, by `resize`;
    // where there is no memory for the buffer, it has not taken them.
    let buffer = unsafe {
        let start = (*counted).bytes.as_mut_ptr();
        let length = length as qjs::size_t;
        let made =
            qjs::JS_NewArrayBuffer(raw, start, length, 0, Some(resize), counted.cast(), false);
        raw::take(ctx, made).inspect_err(|_| drop(Box::from_raw(counted)))?
    };
    let buffer = ArrayBuffer::from_value(buffer).expect("the engine has just made it");
    TypedArray::from_arraybuffer(buffer)
}

/// Takes memory of the run for so many bytes outside of the engine; throws if there is none.
pub fn held(ctx: &Ctx<'_>, length: usize) -> Result<Taken> {
    let budget = &state(ctx).settings.budget;
    if length > budget.room().left() {
        collect(ctx);
    }
    Taken::from(budget.room(), length)
        .filter(|_| budget.room().left() > 0)
        .ok_or_else(|| no_memory(ctx))
}

/// Finds bytes that nobody has any more, which may be behind objects that only this finds.
fn collect(ctx: &Ctx<'_>) {
    // SAFETY: the runtime is that of a context that is alive, and nothing of the engine runs.
    unsafe { qjs::JS_RunGC(qjs::JS_GetRuntime(ctx.as_raw().as_ptr())) };
}

/// Throws what the engine throws that has no memory.
pub fn no_memory(ctx: &Ctx<'_>) -> rquickjs::Error {
    // SAFETY: the context is alive; the error is left for the caller to throw.
    unsafe { qjs::JS_ThrowOutOfMemory(ctx.as_raw().as_ptr()) };
    rquickjs::Error::Exception
}

/// Bytes that an engine has, and where they are counted.
struct Counted {
    bytes: Vec<u8>,
    budget: Budget,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.budget.gave(self.bytes.len());
    }
}

/// Takes back bytes that an engine had; or gives it more or less of them, where they are then.
unsafe extern "C" fn resize(
    _: *mut qjs::JSRuntime,
    counted: *mut c_void,
    _: *mut c_void,
    size: qjs::size_t,
) -> *mut c_void {
    let counted: *mut Counted = counted.cast();
    let size = size as usize;
    if size == 0 {
        // SAFETY: this is what `array` gave the engine, which gives it back once.
        drop(unsafe { Box::from_raw(counted) });
        return std::ptr::null_mut();
    }
    // SAFETY: as above; the engine has it, and looks at nothing of it meanwhile.
    let Counted { bytes, budget } = unsafe { &mut *counted };
    let more = size.saturating_sub(bytes.len());
    if !budget.grants(more) || bytes.try_reserve_exact(more).is_err() {
        return std::ptr::null_mut();
    }
    budget.took(more);
    budget.gave(bytes.len().saturating_sub(size));
    bytes.resize(size, 0);
    bytes.as_mut_ptr().cast()
}

/// Bytes as a Buffer. The first of them loads the class; without a library it is a plain array.
pub fn buffer<'js>(ctx: &Ctx<'js>, bytes: Vec<u8>) -> Result<Value<'js>> {
    /// So many bytes are copied faster than their memory is handed over.
    const SMALL: usize = 1024;
    let make = || {
        if bytes.len() > SMALL {
            return array(ctx, bytes).map(TypedArray::into_value);
        }
        // SAFETY: the engine copies the bytes; the value takes over the new reference.
        unsafe {
            let raw = ctx.as_raw().as_ptr();
            raw::take(ctx, qjs::JS_NewUint8ArrayCopy(raw, bytes.as_ptr(), bytes.len() as _))
        }
    };
    match buffer_prototype(ctx)? {
        Some(prototype) => inheriting(&prototype, make),
        None => make(),
    }
}

/// Makes an array of bytes that inherits from that from the start: the engine would keep what it looks like for
/// each one that is given another prototype afterwards. Nothing of the program may run in it.
fn inheriting<'js>(
    prototype: &Object<'js>,
    make: impl FnOnce() -> Result<Value<'js>>,
) -> Result<Value<'js>> {
    let ctx = prototype.ctx().as_raw().as_ptr();
    // SAFETY: the prototype belongs to the context, which takes over a reference to it, and then its own again.
    unsafe {
        let usual = qjs::JS_GetClassProto(ctx, BYTES);
        qjs::JS_SetClassProto(ctx, BYTES, qjs::JS_DupValue(ctx, prototype.as_raw()));
        let made = make();
        qjs::JS_SetClassProto(ctx, BYTES, usual);
        made
    }
}

/// What Buffers inherit from: whatever a program does first, it gets Buffers.
fn buffer_prototype<'js>(ctx: &Ctx<'js>) -> Result<Option<Object<'js>>> {
    let state = state(ctx);
    let known = || state.registered.buffer_prototype.borrow().clone();
    if known().is_none() && state.registered.library.borrow().is_some() {
        // It registers itself.
        state.library(ctx, "buffer")?;
    }
    known().map(|prototype| prototype.restore(ctx)).transpose()
}

fn decode_utf8(array: TypedArray<'_, u8>, start: usize, end: usize) -> String {
    match String::from_utf8(copy(&array, start, end)) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

fn decode_latin1(array: TypedArray<'_, u8>, start: usize, end: usize) -> String {
    copy(&array, start, end).into_iter().map(char::from).collect()
}

fn hex_encode(array: TypedArray<'_, u8>, start: usize, end: usize) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    copy(&array, start, end)
        .into_iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

fn base64_encode(array: TypedArray<'_, u8>, start: usize, end: usize, url: bool) -> String {
    const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let alphabet = if url { URL } else { STANDARD };
    let mut text = String::new();
    for chunk in copy(&array, start, end).chunks(3) {
        let mut group = [0; 4];
        group[1..=chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes(group);
        for at in 0..=chunk.len() {
            text.push(char::from(alphabet[(bits >> (18 - 6 * at)) as usize & 63]));
        }
        if !url {
            text.extend(std::iter::repeat_n('=', 3 - chunk.len()));
        }
    }
    text
}

fn encode_utf8<'js>(ctx: Ctx<'js>, text: Value<'js>) -> Result<TypedArray<'js, u8>> {
    array(&ctx, beyond::utf8(&text)?)
}

fn utf8_length(text: Value<'_>) -> Result<usize> {
    Ok(beyond::utf8(&text)?.len())
}

/// The low bytes of a text's characters.
fn narrow(text: &Value<'_>) -> Result<Vec<u8>> {
    Ok(beyond::utf16(text)?.into_iter().map(|unit| unit as u8).collect())
}

fn encode_latin1<'js>(ctx: Ctx<'js>, text: Value<'js>) -> Result<TypedArray<'js, u8>> {
    array(&ctx, narrow(&text)?)
}

/// Ends at the first pair that is not two digits.
fn hex_decode<'js>(ctx: Ctx<'js>, text: Value<'js>) -> Result<TypedArray<'js, u8>> {
    let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8);
    let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(pair[1])?);
    let bytes: Vec<u8> = narrow(&text)?.chunks_exact(2).map_while(pair).collect();
    array(&ctx, bytes)
}

/// Takes both alphabets, passes over what belongs to neither, and ends at the first `=`.
fn base64_decode<'js>(ctx: Ctx<'js>, text: Value<'js>) -> Result<TypedArray<'js, u8>> {
    let text = narrow(&text)?;
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut group, mut bits) = (0u32, 0);
    for code in text.into_iter().take_while(|&code| code != b'=') {
        let value = match code {
            b'A'..=b'Z' => code - b'A',
            b'a'..=b'z' => code - b'a' + 26,
            b'0'..=b'9' => code - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        group = group << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((group >> bits) as u8);
        }
    }
    array(&ctx, bytes)
}

/// `indexOf(haystack, needle, start, forward)`: where the needle is next from there, or -1.
fn index_of(
    haystack: TypedArray<'_, u8>,
    needle: TypedArray<'_, u8>,
    start: usize,
    forward: bool,
) -> i64 {
    let needle = copy(&needle, 0, usize::MAX);
    // SAFETY: nothing of the engine runs while the bytes are searched.
    let bytes = unsafe { haystack.as_bytes() }.unwrap_or_default();
    let found = if forward {
        let rest = bytes.get(start..).unwrap_or_default();
        memchr::memmem::find(rest, &needle).map(|at| start + at)
    } else {
        let end = start.saturating_add(needle.len()).min(bytes.len());
        memchr::memmem::rfind(&bytes[..end], &needle)
    };
    found.map_or(-1, |at| at as i64)
}

fn compare(left: TypedArray<'_, u8>, right: TypedArray<'_, u8>) -> i32 {
    copy(&left, 0, usize::MAX).cmp(&copy(&right, 0, usize::MAX)) as i32
}
