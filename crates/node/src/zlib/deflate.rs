//! Streams in the formats of zlib: zlib's own, gzip and raw deflate, both ways.
#![expect(
    unsafe_code,
    reason = "zlib's functions take pointers, in whatever language it is written"
)]

use super::{Space, Step, Trouble};
use libz_rs_sys as z;
use std::ffi::CStr;

/// What a stream does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Deflate,
    Inflate,
    Gzip,
    Gunzip,
    DeflateRaw,
    InflateRaw,
    /// Gzip or zlib, whichever it turns out to be; with how many bytes of gzip's mark were seen.
    Unzip(u8),
}

impl Mode {
    /// The mode that Node gives this number.
    pub(super) fn numbered(number: i32) -> Option<Self> {
        Some(match number {
            1 => Self::Deflate,
            2 => Self::Inflate,
            3 => Self::Gzip,
            4 => Self::Gunzip,
            5 => Self::DeflateRaw,
            6 => Self::InflateRaw,
            7 => Self::Unzip(0),
            _ => return None,
        })
    }

    fn compresses(self) -> bool {
        matches!(self, Self::Deflate | Self::Gzip | Self::DeflateRaw)
    }

    /// How zlib is told of the format: by the size of the window.
    fn window_bits(self, bits: i32) -> i32 {
        match self {
            Self::Deflate | Self::Inflate => bits,
            Self::Gzip | Self::Gunzip => bits + 16,
            Self::DeflateRaw | Self::InflateRaw => -bits,
            Self::Unzip(_) => bits + 32,
        }
    }
}

/// What a stream is made with.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) window_bits: i32,
    pub(super) level: i32,
    pub(super) memory: i32,
    pub(super) strategy: i32,
    pub(super) dictionary: Vec<u8>,
}

/// A stream. It is set up with its first use, which is when Node hears of settings that do not fit.
pub(super) struct Stream {
    /// Whether it has a state is whether it is set up.
    stream: Box<z::z_stream>,
    mode: Mode,
    settings: Settings,
    /// The mode at the start.
    made_as: Mode,
    /// How much was read since the start; nothing for one that only looks for what is wrong.
    read: Option<usize>,
}

const GZIP_MARK: [u8; 2] = [0x1f, 0x8b];

impl Stream {
    pub(super) fn new(mode: Mode, settings: Settings) -> Self {
        Self { stream: Box::default(), mode, settings, made_as: mode, read: Some(0) }
    }

    fn set_up(&mut self) -> Step {
        if !self.stream.state.is_null() {
            return Ok(());
        }
        let Settings { window_bits, level, memory, strategy, .. } = self.settings;
        let bits = self.mode.window_bits(window_bits);
        let (version, size) = (z::zlibVersion(), size_of::<z::z_stream>() as i32);
        let stream = &mut *self.stream;
        // SAFETY: the stream is new, with the allocator that it comes with.
        let result = unsafe {
            if self.mode.compresses() {
                z::deflateInit2_(
                    stream,
                    level,
                    z::Z_DEFLATED,
                    bits,
                    memory,
                    strategy,
                    version,
                    size,
                )
            } else {
                z::inflateInit2_(stream, bits, version, size)
            }
        };
        if result != z::Z_OK {
            return Err(self.trouble("Init error", result));
        }
        self.set_dictionary()
    }

    fn set_dictionary(&mut self) -> Step {
        let Settings { dictionary, .. } = &self.settings;
        if dictionary.is_empty() {
            return Ok(());
        }
        let (bytes, length) = (dictionary.as_ptr(), dictionary.len() as u32);
        // SAFETY: the stream is set up for that direction; the bytes are copied.
        let result = unsafe {
            match self.mode {
                Mode::Deflate | Mode::DeflateRaw => {
                    z::deflateSetDictionary(&mut *self.stream, bytes, length)
                }
                Mode::InflateRaw => z::inflateSetDictionary(&mut *self.stream, bytes, length),
                // The others ask for it when they see that they need one.
                _ => z::Z_OK,
            }
        };
        if result == z::Z_OK {
            Ok(())
        } else {
            Err(self.trouble("Failed to set dictionary", result))
        }
    }

    /// Goes on with a chunk.
    pub(super) fn write(&mut self, flush: i32, space: &mut Space<'_>) -> Step {
        self.set_up()?;
        let (input, output) = (space.input.len() as u32, space.output.len() as u32);
        let stream = &mut *self.stream;
        (stream.next_in, stream.avail_in) = (space.input.as_ptr().cast_mut(), input);
        (stream.next_out, stream.avail_out) = (space.output.as_mut_ptr(), output);
        let result = if self.mode.compresses() {
            // SAFETY: the stream is set up to compress, and was told of room that is there.
            unsafe { z::deflate(stream, flush) }
        } else {
            self.recognise(space.input);
            self.inflate(flush)
        };
        let stream = &mut *self.stream;
        space.read = (input - stream.avail_in) as usize;
        space.written = (output - stream.avail_out) as usize;
        let before = self.read;
        self.read = before.map(|read| read + space.read);
        let is_unfinished = stream.avail_out != 0 && flush == z::Z_FINISH;
        // The room is the caller's, and gone when this is over.
        (stream.next_in, stream.avail_in) = (std::ptr::dangling_mut(), 0);
        (stream.next_out, stream.avail_out) = (std::ptr::dangling_mut(), 0);
        match result {
            z::Z_OK | z::Z_BUF_ERROR if is_unfinished => {
                Err(self.trouble("unexpected end of file", z::Z_BUF_ERROR))
            }
            z::Z_OK | z::Z_BUF_ERROR | z::Z_STREAM_END => Ok(()),
            z::Z_NEED_DICT if self.settings.dictionary.is_empty() => {
                Err(self.trouble("Missing dictionary", result))
            }
            z::Z_NEED_DICT => Err(self.trouble("Bad dictionary", result)),
            _ => {
                let mut trouble = self.trouble("Zlib error", result);
                self.explain(&mut trouble, before, space);
                Err(trouble)
            }
        }
    }

    /// Puts zlib's usual words in place of those of this implementation, where the two differ.
    fn explain(&self, trouble: &mut Trouble, read: Option<usize>, space: &Space<'_>) {
        const TOO_FAR: &str = "invalid distance too far back";
        match trouble.message.as_str() {
            "invalid distance code too far back" => trouble.message = TOO_FAR.to_owned(),
            // Its fast path forgets what was wrong. If all of the stream is at hand, which it is whenever
            // something is decompressed at once, then reading it again on the slow path tells; if not,
            // this is what it most often is.
            "repeated call with bad state" => {
                let begins_here = read == Some(space.before.len());
                let found = begins_here.then(|| self.find_trouble(&[space.before, space.input]));
                trouble.message = found.flatten().unwrap_or_else(|| TOO_FAR.to_owned());
            }
            _ => {}
        }
    }

    /// What is wrong with this stream, found out slowly.
    fn find_trouble(&self, parts: &[&[u8]]) -> Option<String> {
        /// The fast path is taken with more room than that.
        const ROOM: usize = 256;
        let mut again = Self::new(self.made_as, self.settings.clone());
        again.read = None;
        for mut input in parts.iter().copied() {
            loop {
                let output = &mut [0; ROOM];
                let mut space = Space { before: &[], input, output, read: 0, written: 0 };
                match again.write(z::Z_NO_FLUSH, &mut space) {
                    Err(trouble) => return Some(trouble.message),
                    Ok(()) if space.written < ROOM => break,
                    Ok(()) => input = &input[space.read..],
                }
            }
        }
        None
    }

    /// Finds out whether it is gzip. zlib does that by itself, but further members come only after gzip.
    fn recognise(&mut self, input: &[u8]) {
        let Mode::Unzip(seen) = self.mode else { return };
        let wanted = &GZIP_MARK[usize::from(seen)..];
        let fits = input.iter().zip(wanted).take_while(|(byte, mark)| byte == mark).count();
        self.mode = if fits == wanted.len() {
            Mode::Gunzip
        } else if fits < input.len() {
            Mode::Inflate
        } else {
            Mode::Unzip(seen + fits as u8)
        };
    }

    fn inflate(&mut self, flush: i32) -> i32 {
        // SAFETY, for all of these: the stream is set up to decompress, and was told of room that is
        // there.
        let mut result = unsafe { z::inflate(&mut *self.stream, flush) };
        let Settings { dictionary, .. } = &self.settings;
        if result == z::Z_NEED_DICT && self.mode != Mode::InflateRaw && !dictionary.is_empty() {
            let (bytes, length) = (dictionary.as_ptr(), dictionary.len() as u32);
            // SAFETY: as above; the bytes are copied.
            result = unsafe { z::inflateSetDictionary(&mut *self.stream, bytes, length) };
            if result == z::Z_OK {
                // SAFETY: as above.
                result = unsafe { z::inflate(&mut *self.stream, flush) };
            } else if result == z::Z_DATA_ERROR {
                // It is another one than the stream was made with.
                result = z::Z_NEED_DICT;
            }
        }
        // What follows a member of gzip is the next one; zeros only fill up, and end it.
        while self.mode == Mode::Gunzip && result == z::Z_STREAM_END && self.next_byte() != Some(0)
        {
            if self.next_byte().is_none() || self.start_again().is_err() {
                break;
            }
            // SAFETY: as above.
            result = unsafe { z::inflate(&mut *self.stream, flush) };
        }
        result
    }

    fn next_byte(&self) -> Option<u8> {
        let Self { stream, .. } = self;
        // SAFETY: so many bytes of the input are left there.
        (stream.avail_in > 0).then(|| unsafe { *stream.next_in })
    }

    /// Forgets all that was read or written.
    pub(super) fn reset(&mut self) -> Step {
        self.read = Some(0);
        self.start_again()
    }

    fn start_again(&mut self) -> Step {
        self.set_up()?;
        // SAFETY: the stream is set up for that direction.
        let result = unsafe {
            match self.mode {
                Mode::Unzip(_) => z::Z_OK,
                mode if mode.compresses() => z::deflateReset(&mut *self.stream),
                _ => z::inflateReset(&mut *self.stream),
            }
        };
        if result != z::Z_OK {
            return Err(self.trouble("Failed to reset stream", result));
        }
        self.set_dictionary()
    }

    /// Changes how hard it tries.
    pub(super) fn set_params(&mut self, level: i32, strategy: i32) -> Step {
        self.set_up()?;
        let result = match self.mode {
            Mode::Deflate | Mode::DeflateRaw => {
                // It has no room for output, so whatever is left in it stays there; callers flush first.
                self.stream.next_out = std::ptr::dangling_mut();
                // SAFETY: the stream is set up to compress, and was told that there is no room.
                unsafe { z::deflateParams(&mut *self.stream, level, strategy) }
            }
            _ => z::Z_OK,
        };
        match result {
            z::Z_OK | z::Z_BUF_ERROR => Ok(()),
            _ => Err(self.trouble("Failed to set parameters", result)),
        }
    }

    /// What zlib says about its trouble, or else these words.
    fn trouble(&self, words: &str, number: i32) -> Trouble {
        if self.stream.msg.is_null() {
            return Trouble::new(words, number);
        }
        // SAFETY: zlib's messages are texts that live as long as the process.
        let message = unsafe { CStr::from_ptr(self.stream.msg) };
        Trouble { message: message.to_string_lossy().into_owned(), number }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.stream.state.is_null() {
            return;
        }
        // SAFETY: the stream is set up for that direction, and not used any more.
        unsafe {
            if self.mode.compresses() {
                z::deflateEnd(&mut *self.stream);
            } else {
                z::inflateEnd(&mut *self.stream);
            }
        }
    }
}
