//! Compression, for `node:zlib`: streams of zlib and Brotli that are fed chunk by chunk.
//!
//! It is pure computation, so nothing of it goes through the gate; only that it is done does, since a
//! program may not hear of that before its callback is over.

mod brotli;
mod deflate;

use hemiola_engine::class::{self, Instance, Kind};
use hemiola_engine::{bytes, zstream};
use rquickjs::function::Rest;
use rquickjs::{Array, Ctx, Exception, Function, Object, Result, TypedArray};

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("zlibNew", Function::new(ctx.clone(), new_zlib)?)?;
    function("brotliNew", Function::new(ctx.clone(), new_brotli)?)?;
    function("zlibWrite", Function::new(ctx.clone(), write)?)?;
    function("zlibReset", Function::new(ctx.clone(), reset)?)?;
    function("zlibParams", Function::new(ctx.clone(), params)?)?;
    function("zlibClose", Function::new(ctx.clone(), close)?)?;
    function("crc32", Function::new(ctx.clone(), crc32)?)
}

/// Where a stream stands in its input and its output.
struct Space<'a> {
    /// What comes before the input in its array; an earlier step of the same chunk has read it.
    before: &'a [u8],
    input: &'a [u8],
    output: &'a mut [u8],
    /// How many bytes of the input were used.
    read: usize,
    /// How many bytes of the output are there.
    written: usize,
}

/// Why a stream cannot go on.
struct Trouble {
    message: String,
    /// The number by which the library knows it.
    number: i32,
}

impl Trouble {
    fn new(message: &str, number: i32) -> Self {
        Self { message: message.to_owned(), number }
    }
}

/// What became of a step.
type Step = std::result::Result<(), Trouble>;

enum Codec {
    Zlib(deflate::Stream),
    Encoder(Box<brotli::Encoder>),
    Decoder(Box<brotli::Decoder>),
}

/// A stream as JavaScript holds it; nothing once it was closed.
pub(crate) struct Handle(Option<Codec>);

impl Kind for Handle {
    const NAME: &'static str = "Codec";
}

/// `zlibNew(mode, windowBits, level, memLevel, strategy, dictionary)`: the mode is Node's number for it.
fn new_zlib<'js>(
    ctx: Ctx<'js>,
    mode: i32,
    window_bits: i32,
    level: i32,
    memory: i32,
    strategy: i32,
    dictionary: TypedArray<'js, u8>,
) -> Result<Instance<'js, Handle>> {
    let Some(mode) = deflate::Mode::numbered(mode) else {
        return Err(Exception::throw_type(&ctx, "there is no such mode of zlib"));
    };
    let settings = deflate::Settings {
        window_bits,
        level,
        memory,
        strategy,
        dictionary: bytes::copy(&dictionary, 0, usize::MAX),
    };
    class::make(ctx, Handle(Some(Codec::Zlib(deflate::Stream::new(mode, settings)))))
}

/// `brotliNew(isEncoder, parameters)`: a parameter that was not set is 2^32 - 1. Undefined if one of
/// them makes no sense.
fn new_brotli<'js>(
    ctx: Ctx<'js>,
    is_encoder: bool,
    parameters: Vec<f64>,
) -> Result<Option<Instance<'js, Handle>>> {
    let parameters: Vec<u32> = parameters.into_iter().map(|value| value as u32).collect();
    let codec = if is_encoder {
        brotli::Encoder::new(parameters).map(|encoder| Codec::Encoder(Box::new(encoder)))
    } else {
        brotli::Decoder::new(&parameters).map(|decoder| Codec::Decoder(Box::new(decoder)))
    };
    codec.map(|codec| class::make(ctx, Handle(Some(codec)))).transpose()
}

/// What a step gave, for JavaScript: undefined, or `[message, number]`.
fn told<'js>(ctx: &Ctx<'js>, step: Step) -> Result<Option<Array<'js>>> {
    let Err(Trouble { message, number }) = step else { return Ok(None) };
    let told = Array::new(ctx.clone())?;
    told.set(0, message)?;
    told.set(1, number)?;
    Ok(Some(told))
}

/// `zlibWrite(handle, state, flush, input, offset, length, output, offset, length)`: goes on as far as
/// input and output allow, and puts into `state` how much is left of the output and of the input.
fn write<'js>(
    ctx: Ctx<'js>,
    handle: Instance<'js, Handle>,
    state: TypedArray<'js, u32>,
    flush: i32,
    input: TypedArray<'js, u8>,
    rest: Rest<rquickjs::Value<'js>>,
) -> Result<Option<Array<'js>>> {
    let number = |at: usize| rest.get(at).and_then(|value| value.as_number()).unwrap_or(0.0);
    let Some(output) = rest.get(2) else {
        return Err(Exception::throw_type(&ctx, "there is no output"));
    };
    let output = TypedArray::<u8>::from_value(output.clone())?;
    let mut handle = handle.borrow_mut();
    let Some(codec) = handle.0.as_mut() else {
        return told(&ctx, Err(Trouble::new("zlib binding closed", -2)));
    };
    let (start, room) = (number(3) as usize, number(4) as usize);
    let (step, left) = bytes::between(&input, &output, start, room, |input, output| {
        let offset = (number(0) as usize).min(input.len());
        let input_length = (number(1) as usize).min(input.len() - offset);
        let output_length = output.len();
        let (before, input) = input[..offset + input_length].split_at(offset);
        let mut space = Space { before, input, output, read: 0, written: 0 };
        let step = match codec {
            Codec::Zlib(stream) => stream.write(flush, &mut space),
            Codec::Encoder(encoder) => encoder.write(flush, &mut space),
            Codec::Decoder(decoder) => decoder.write(flush, &mut space),
        };
        (step, [output_length - space.written, input_length - space.read])
    });
    let state = Object::from_value(state.into_value())?;
    for (at, count) in left.into_iter().enumerate() {
        state.set(at as u32, count as f64)?;
    }
    told(&ctx, step)
}

/// `zlibReset(handle)`: as at the start.
fn reset<'js>(ctx: Ctx<'js>, handle: Instance<'js, Handle>) -> Result<Option<Array<'js>>> {
    let step = match handle.borrow_mut().0.as_mut() {
        Some(Codec::Zlib(stream)) => stream.reset(),
        Some(Codec::Encoder(encoder)) => encoder.reset(),
        Some(Codec::Decoder(decoder)) => decoder.reset(),
        None => Ok(()),
    };
    told(&ctx, step)
}

/// `zlibParams(handle, level, strategy)`: how hard to try from here on.
fn params<'js>(
    ctx: Ctx<'js>,
    handle: Instance<'js, Handle>,
    level: i32,
    strategy: i32,
) -> Result<Option<Array<'js>>> {
    let step = match handle.borrow_mut().0.as_mut() {
        Some(Codec::Zlib(stream)) => stream.set_params(level, strategy),
        _ => Ok(()),
    };
    told(&ctx, step)
}

/// `zlibClose(handle)`: its memory is free at once.
fn close(handle: Instance<'_, Handle>) {
    handle.borrow_mut().0 = None;
}

/// `crc32(bytes, before)`: the checksum of bytes that come after others with that checksum.
fn crc32(bytes: TypedArray<'_, u8>, before: f64) -> f64 {
    zstream::crc32(bytes::seen(&bytes), before as u64) as f64
}
