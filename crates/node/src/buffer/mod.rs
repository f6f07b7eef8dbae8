//! Encodings that need large tables: those of East Asia.

use encoding_rs::{BIG5, Decoder, DecoderResult, EUC_JP, EUC_KR, Encoding, GB18030, GBK};
use encoding_rs::{ISO_2022_JP, REPLACEMENT, SHIFT_JIS};
use hemiola_engine::bytes;
use rquickjs::{Ctx, Function, Result, TypedArray};
use std::cell::RefCell;

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "legacyEncoding" => Function::new(ctx.clone(), |label: String| legacy_encoding(&label)),
        "legacyDecoder" => Function::new(ctx.clone(), legacy_decoder),
        _ => return None,
    })
}

/// The encodings of this file, and the one that stands for those that nobody should decode.
static KNOWN: [&Encoding; 8] =
    [BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, REPLACEMENT];

/// `legacyEncoding(label)`: the name of the encoding that a label means, or undefined.
fn legacy_encoding(label: &str) -> Option<String> {
    let found = Encoding::for_label(label.as_bytes())?;
    KNOWN.contains(&found).then(|| found.name().to_ascii_lowercase())
}

/// `legacyDecoder(name, fatal)`: a function of bytes and whether they are the last, which gives their text; undefined
/// where they are not well formed and that matters.
fn legacy_decoder<'js>(ctx: Ctx<'js>, name: String, fatal: bool) -> Result<Function<'js>> {
    let encoding = Encoding::for_label(name.as_bytes()).unwrap_or(REPLACEMENT);
    let decoder = RefCell::new(encoding.new_decoder_without_bom_handling());
    Function::new(ctx, move |piece: TypedArray<'js, u8>, last: bool| {
        let piece = bytes::copy(&piece, 0, usize::MAX);
        let mut decoder = decoder.borrow_mut();
        let text = decode(&mut decoder, &piece, last, fatal);
        if last || text.is_none() {
            *decoder = encoding.new_decoder_without_bom_handling();
        }
        text
    })
}

fn decode(decoder: &mut Decoder, piece: &[u8], last: bool, fatal: bool) -> Option<String> {
    let room = decoder.max_utf8_buffer_length(piece.len())?;
    let mut text = String::with_capacity(room);
    if fatal {
        let (result, _) = decoder.decode_to_string_without_replacement(piece, &mut text, last);
        return matches!(result, DecoderResult::InputEmpty).then_some(text);
    }
    let _ = decoder.decode_to_string(piece, &mut text, last);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A character in pieces of one byte each is that character.
    #[test]
    fn pieces_make_the_text_of_the_whole() {
        for encoding in KNOWN.iter().filter(|encoding| **encoding != REPLACEMENT) {
            let (whole, _, _) = encoding.encode("漢a字");
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let mut text = String::new();
            for byte in whole.iter() {
                text += &decode(&mut decoder, &[*byte], false, true).expect("it is well formed");
            }
            text += &decode(&mut decoder, &[], true, true).expect("it is whole");
            assert_eq!(text, "漢a字", "{}", encoding.name());
        }
    }
}
