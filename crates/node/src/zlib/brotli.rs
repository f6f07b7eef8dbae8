//! Streams in the format of Brotli.

use super::{Space, Step, Trouble};
use brotli::enc::StandardAlloc;
use brotli::enc::backward_references::BrotliEncoderMode as Mode;
use brotli::enc::encode::{BrotliEncoderOperation as Operation, BrotliEncoderStateStruct};
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};

/// A parameter that was not set.
const UNSET: u32 = u32::MAX;

/// Node's number for an end that comes too early.
const BUFFER_ERROR: i32 = -5;

/// Compresses.
pub(super) struct Encoder {
    state: BrotliEncoderStateStruct<StandardAlloc>,
    parameters: Vec<u32>,
}

fn encoder(parameters: &[u32]) -> Option<BrotliEncoderStateStruct<StandardAlloc>> {
    let mut state = BrotliEncoderStateStruct::new(StandardAlloc::default());
    let params = &mut state.params;
    for (number, &value) in parameters.iter().enumerate() {
        match number {
            _ if value == UNSET => {}
            0 => {
                params.mode = match value {
                    1 => Mode::BROTLI_MODE_TEXT,
                    2 => Mode::BROTLI_MODE_FONT,
                    _ => Mode::BROTLI_MODE_GENERIC,
                }
            }
            1 => params.quality = value as i32,
            2 => params.lgwin = value as i32,
            3 => params.lgblock = value as i32,
            4 if value > 1 => return None,
            4 => params.disable_literal_context_modeling = value as i32,
            5 => params.size_hint = value as usize,
            6 => params.large_window = value != 0,
            // How distances are written: this encoder finds that out by itself.
            _ => {}
        }
    }
    Some(state)
}

impl Encoder {
    /// Nothing, if one of the parameters makes no sense.
    pub(super) fn new(parameters: Vec<u32>) -> Option<Self> {
        Some(Self { state: encoder(&parameters)?, parameters })
    }

    pub(super) fn write(&mut self, flush: i32, space: &mut Space<'_>) -> Step {
        let operation = match flush {
            0 => Operation::BROTLI_OPERATION_PROCESS,
            1 => Operation::BROTLI_OPERATION_FLUSH,
            2 => Operation::BROTLI_OPERATION_FINISH,
            _ => Operation::BROTLI_OPERATION_EMIT_METADATA,
        };
        let (mut input_left, mut output_left) = (space.input.len(), space.output.len());
        let went_well = self.state.compress_stream(
            operation,
            &mut input_left,
            space.input,
            &mut space.read,
            &mut output_left,
            space.output,
            &mut space.written,
            &mut None,
            &mut |_, _, _, _| {},
        );
        if went_well { Ok(()) } else { Err(Trouble::new("Compression failed", -1)) }
    }

    pub(super) fn reset(&mut self) -> Step {
        match encoder(&self.parameters) {
            Some(state) => self.state = state,
            None => return Err(Trouble::new("Could not initialize Brotli instance", -1)),
        }
        Ok(())
    }
}

/// Decompresses.
pub(super) struct Decoder {
    state: BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    has_large_windows: bool,
}

fn decoder(has_large_windows: bool) -> BrotliState<StandardAlloc, StandardAlloc, StandardAlloc> {
    let make = if has_large_windows { BrotliState::new } else { BrotliState::new_strict };
    make(StandardAlloc::default(), StandardAlloc::default(), StandardAlloc::default())
}

impl Decoder {
    /// Nothing, if there is a parameter that decoders do not have. The first of their two is about
    /// memory, which this one manages by itself.
    pub(super) fn new(parameters: &[u32]) -> Option<Self> {
        let set = |&value: &u32| value != UNSET;
        if parameters.iter().skip(2).any(set) {
            return None;
        }
        let has_large_windows = parameters.get(1).is_some_and(|value| set(value) && *value != 0);
        Some(Self { state: decoder(has_large_windows), has_large_windows })
    }

    pub(super) fn write(&mut self, flush: i32, space: &mut Space<'_>) -> Step {
        const FINISH: i32 = 2;
        let (mut input_left, mut output_left) = (space.input.len(), space.output.len());
        let result = BrotliDecompressStream(
            &mut input_left,
            &mut space.read,
            space.input,
            &mut output_left,
            &mut space.written,
            space.output,
            &mut 0,
            &mut self.state,
        );
        match result {
            BrotliResult::ResultFailure => {
                Err(Trouble::new("Decompression failed", self.state.error_code as i32))
            }
            BrotliResult::NeedsMoreInput if flush == FINISH => {
                Err(Trouble::new("unexpected end of file", BUFFER_ERROR))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn reset(&mut self) -> Step {
        self.state = decoder(self.has_large_windows);
        Ok(())
    }
}
