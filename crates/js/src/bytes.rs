//! Text to bytes and back: what `Buffer` and its kin do most.
#![expect(unsafe_code, reason = "bytes of a typed array are read while nothing else runs")]

use rquickjs::{Ctx, Function, Object, Result, TypedArray};

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("decodeUtf8", Function::new(ctx.clone(), decode_utf8)?)?;
    function("decodeLatin1", Function::new(ctx.clone(), decode_latin1)?)?;
    function("hexEncode", Function::new(ctx.clone(), hex_encode)?)?;
    function("base64Encode", Function::new(ctx.clone(), base64_encode)?)?;
    function("compare", Function::new(ctx.clone(), compare)?)
}

/// A copy of some bytes of an array: the engine may move them as soon as it runs again.
pub(crate) fn copy(array: &TypedArray<'_, u8>, start: usize, end: usize) -> Vec<u8> {
    // SAFETY: nothing of the engine runs between taking the slice and copying it.
    let bytes = unsafe { array.as_bytes() }.unwrap_or_default();
    bytes.get(start.min(bytes.len())..end.min(bytes.len())).unwrap_or_default().to_vec()
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

fn compare(left: TypedArray<'_, u8>, right: TypedArray<'_, u8>) -> i32 {
    copy(&left, 0, usize::MAX).cmp(&copy(&right, 0, usize::MAX)) as i32
}
