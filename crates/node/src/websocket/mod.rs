//! Frames of the WebSocket client: what every byte goes through is native.

use hemiola_engine::bytes::seen;
use rquickjs::{Ctx, Function, Result, TypedArray};

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "websocketFrame" => Function::new(ctx.clone(), websocket_frame),
        _ => return None,
    })
}

/// `websocketFrame(first, payload, key)`: a frame that begins with that byte and is masked with the key.
fn websocket_frame<'js>(
    ctx: Ctx<'js>,
    first: u8,
    payload: TypedArray<'js, u8>,
    key: u32,
) -> Result<TypedArray<'js, u8>> {
    let frame = frame(first, seen(&payload), key);
    TypedArray::new(ctx, frame)
}

fn frame(first: u8, payload: &[u8], key: u32) -> Vec<u8> {
    const MASKED: u8 = 0x80;
    let mut frame = Vec::with_capacity(payload.len() + 14);
    frame.push(first);
    match payload.len() {
        length @ 0..=125 => frame.push(MASKED | length as u8),
        length @ 126..=0xffff => {
            frame.push(MASKED | 126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(MASKED | 127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    let key = key.to_be_bytes();
    frame.extend(key);
    frame.extend(payload.iter().zip(key.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

#[cfg(test)]
mod tests {
    use super::frame;

    #[test]
    fn a_frame_says_how_long_it_is() {
        // The masked text of RFC 6455, section 5.7.
        let expected = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];
        assert_eq!(frame(0x81, b"Hello", 0x37fa_213d), expected);
        assert_eq!(frame(0x82, &[0; 126], 0)[..8], [0x82, 0xfe, 0, 126, 0, 0, 0, 0]);
        assert_eq!(frame(0x82, &[0; 65_536], 0)[..10], [0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 0]);
        assert_eq!(frame(0x88, &[], 5), [0x88, 0x80, 0, 0, 0, 5]);
    }
}
