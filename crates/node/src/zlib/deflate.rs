//! Streams in the formats of zlib: zlib's own, gzip and raw deflate, both ways.

use super::{Space, Step, Trouble};
use hemiola_engine::zstream::{Went, ZStream};

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
    stream: ZStream,
    mode: Mode,
    settings: Settings,
    /// The mode at the start.
    made_as: Mode,
    /// How much was read since the start; nothing for one that only looks for what is wrong.
    read: Option<usize>,
}

/// Zlib's numbers: how to flush, and what became of a call.
const NO_FLUSH: i32 = 0;
const FINISH: i32 = 4;
const OK: i32 = 0;
const STREAM_END: i32 = 1;
const NEED_DICT: i32 = 2;
const DATA_ERROR: i32 = -3;
const BUF_ERROR: i32 = -5;

const GZIP_MARK: [u8; 2] = [0x1f, 0x8b];

impl Stream {
    pub(super) fn new(mode: Mode, settings: Settings) -> Self {
        Self { stream: ZStream::default(), mode, settings, made_as: mode, read: Some(0) }
    }

    fn set_up(&mut self) -> Step {
        if self.stream.is_set_up() {
            return Ok(());
        }
        let Settings { window_bits, level, memory, strategy, .. } = self.settings;
        let bits = self.mode.window_bits(window_bits);
        let result = match self.mode.compresses() {
            true => self.stream.set_up_deflate(level, bits, memory, strategy),
            false => self.stream.set_up_inflate(bits),
        };
        if result != OK {
            return Err(self.trouble("Init error", result));
        }
        self.set_dictionary()
    }

    fn set_dictionary(&mut self) -> Step {
        let Settings { dictionary, .. } = &self.settings;
        if dictionary.is_empty() {
            return Ok(());
        }
        let result = match self.mode {
            Mode::Deflate | Mode::DeflateRaw | Mode::InflateRaw => {
                self.stream.set_dictionary(dictionary)
            }
            // The others ask for it when they see that they need one.
            Mode::Inflate | Mode::Gzip | Mode::Gunzip | Mode::Unzip(_) => OK,
        };
        if result == OK { Ok(()) } else { Err(self.trouble("Failed to set dictionary", result)) }
    }

    /// Goes on with a chunk.
    pub(super) fn write(&mut self, flush: i32, space: &mut Space<'_>) -> Step {
        self.set_up()?;
        let result = if self.mode.compresses() {
            self.step(flush, space)
        } else {
            self.recognise(space.input);
            self.inflate(flush, space)
        };
        let before = self.read;
        self.read = before.map(|read| read + space.read);
        let is_unfinished = space.written < space.output.len() && flush == FINISH;
        match result {
            OK | BUF_ERROR if is_unfinished => {
                Err(self.trouble("unexpected end of file", BUF_ERROR))
            }
            OK | BUF_ERROR | STREAM_END => Ok(()),
            NEED_DICT if self.settings.dictionary.is_empty() => {
                Err(self.trouble("Missing dictionary", result))
            }
            NEED_DICT => Err(self.trouble("Bad dictionary", result)),
            _ => {
                let mut trouble = self.trouble("Zlib error", result);
                self.explain(&mut trouble, before, space);
                Err(trouble)
            }
        }
    }

    /// Goes on as far as the space allows.
    fn step(&mut self, flush: i32, space: &mut Space<'_>) -> i32 {
        let (input, output) = (&space.input[space.read..], &mut space.output[space.written..]);
        let Went { code, read, written } = self.stream.step(flush, input, output);
        space.read += read;
        space.written += written;
        code
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
                match again.write(NO_FLUSH, &mut space) {
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

    fn inflate(&mut self, flush: i32, space: &mut Space<'_>) -> i32 {
        let mut result = self.step(flush, space);
        let Settings { dictionary, .. } = &self.settings;
        if result == NEED_DICT && self.mode != Mode::InflateRaw && !dictionary.is_empty() {
            result = self.stream.set_dictionary(dictionary);
            if result == OK {
                result = self.step(flush, space);
            } else if result == DATA_ERROR {
                // It is another one than the stream was made with.
                result = NEED_DICT;
            }
        }
        // What follows a member of gzip is the next one; zeros only fill up, and end it.
        while self.mode == Mode::Gunzip
            && result == STREAM_END
            && space.input.get(space.read).is_some_and(|&next| next != 0)
        {
            if self.start_again().is_err() {
                break;
            }
            result = self.step(flush, space);
        }
        result
    }

    /// Forgets all that was read or written.
    pub(super) fn reset(&mut self) -> Step {
        self.read = Some(0);
        self.start_again()
    }

    fn start_again(&mut self) -> Step {
        self.set_up()?;
        let result = match self.mode {
            Mode::Unzip(_) => OK,
            _ => self.stream.reset(),
        };
        if result != OK {
            return Err(self.trouble("Failed to reset stream", result));
        }
        self.set_dictionary()
    }

    /// Changes how hard it tries.
    pub(super) fn set_params(&mut self, level: i32, strategy: i32) -> Step {
        self.set_up()?;
        let result = match self.mode {
            Mode::Deflate | Mode::DeflateRaw => self.stream.set_params(level, strategy),
            _ => OK,
        };
        match result {
            OK | BUF_ERROR => Ok(()),
            _ => Err(self.trouble("Failed to set parameters", result)),
        }
    }

    /// What zlib says about its trouble, or else these words.
    fn trouble(&self, words: &str, number: i32) -> Trouble {
        match self.stream.message() {
            None => Trouble::new(words, number),
            Some(message) => Trouble { message, number },
        }
    }
}
