//! A stream of zlib, whose functions take pointers in whatever language it is written.
//!
//! It stands here because `unsafe` does; nothing of it knows the engine.
#![expect(unsafe_code, reason = "zlib's functions take pointers")]

use libz_rs_sys as z;
use std::ffi::CStr;

/// A stream, once it is set up for a direction.
#[derive(Default)]
pub struct ZStream {
    /// Whether it has a state is whether it is set up.
    stream: Box<z::z_stream>,
    compresses: bool,
}

/// How far a step got.
pub struct Went {
    /// What zlib says of it.
    pub code: i32,
    /// How many bytes were read.
    pub read: usize,
    /// How many bytes were written.
    pub written: usize,
}

impl ZStream {
    /// Whether it is set up.
    pub fn is_set_up(&self) -> bool {
        !self.stream.state.is_null()
    }

    /// Sets it up to compress, if it is not set up yet.
    pub fn set_up_deflate(&mut self, level: i32, bits: i32, memory: i32, strategy: i32) -> i32 {
        if self.is_set_up() {
            return z::Z_OK;
        }
        self.compresses = true;
        let (version, size) = (z::zlibVersion(), size_of::<z::z_stream>() as i32);
        let (stream, method) = (&mut *self.stream, z::Z_DEFLATED);
        // SAFETY: the stream is new, with the allocator that it comes with.
        unsafe { z::deflateInit2_(stream, level, method, bits, memory, strategy, version, size) }
    }

    /// Sets it up to decompress, if it is not set up yet.
    pub fn set_up_inflate(&mut self, bits: i32) -> i32 {
        if self.is_set_up() {
            return z::Z_OK;
        }
        self.compresses = false;
        let (version, size) = (z::zlibVersion(), size_of::<z::z_stream>() as i32);
        // SAFETY: as above.
        unsafe { z::inflateInit2_(&mut *self.stream, bits, version, size) }
    }

    /// Gives it a dictionary. One that is not set up has no use for it.
    pub fn set_dictionary(&mut self, dictionary: &[u8]) -> i32 {
        if !self.is_set_up() {
            return z::Z_STREAM_ERROR;
        }
        let (bytes, length) = (dictionary.as_ptr(), dictionary.len() as u32);
        // SAFETY: the stream is set up for that direction; the bytes are copied.
        unsafe {
            match self.compresses {
                true => z::deflateSetDictionary(&mut *self.stream, bytes, length),
                false => z::inflateSetDictionary(&mut *self.stream, bytes, length),
            }
        }
    }

    /// Goes on as far as input and output allow.
    pub fn step(&mut self, flush: i32, input: &[u8], output: &mut [u8]) -> Went {
        if !self.is_set_up() {
            return Went { code: z::Z_STREAM_ERROR, read: 0, written: 0 };
        }
        let (before, after) = (input.len() as u32, output.len() as u32);
        let stream = &mut *self.stream;
        (stream.next_in, stream.avail_in) = (input.as_ptr().cast_mut(), before);
        (stream.next_out, stream.avail_out) = (output.as_mut_ptr(), after);
        // SAFETY: the stream is set up for that direction, and was told of room that is there.
        let code = unsafe {
            match self.compresses {
                true => z::deflate(stream, flush),
                false => z::inflate(stream, flush),
            }
        };
        let read = (before - stream.avail_in) as usize;
        let written = (after - stream.avail_out) as usize;
        // The room is the caller's, and gone when this is over.
        (stream.next_in, stream.avail_in) = (std::ptr::dangling_mut(), 0);
        (stream.next_out, stream.avail_out) = (std::ptr::dangling_mut(), 0);
        Went { code, read, written }
    }

    /// Forgets all that was read or written.
    pub fn reset(&mut self) -> i32 {
        if !self.is_set_up() {
            return z::Z_STREAM_ERROR;
        }
        // SAFETY: the stream is set up for that direction.
        unsafe {
            match self.compresses {
                true => z::deflateReset(&mut *self.stream),
                false => z::inflateReset(&mut *self.stream),
            }
        }
    }

    /// Changes how hard it tries to compress. It has no room for output, so whatever is left in it stays
    /// there; callers flush first.
    pub fn set_params(&mut self, level: i32, strategy: i32) -> i32 {
        if !self.is_set_up() || !self.compresses {
            return z::Z_STREAM_ERROR;
        }
        self.stream.next_out = std::ptr::dangling_mut();
        // SAFETY: the stream is set up to compress, and was told that there is no room.
        unsafe { z::deflateParams(&mut *self.stream, level, strategy) }
    }

    /// What zlib says about its trouble.
    pub fn message(&self) -> Option<String> {
        if self.stream.msg.is_null() {
            return None;
        }
        // SAFETY: zlib's messages are texts that live as long as the process.
        let message = unsafe { CStr::from_ptr(self.stream.msg) };
        Some(message.to_string_lossy().into_owned())
    }
}

impl Drop for ZStream {
    fn drop(&mut self) {
        if !self.is_set_up() {
            return;
        }
        // SAFETY: the stream is set up for that direction, and not used any more.
        unsafe {
            match self.compresses {
                true => z::deflateEnd(&mut *self.stream),
                false => z::inflateEnd(&mut *self.stream),
            };
        }
    }
}

/// The checksum of bytes that come after others with that checksum.
pub fn crc32(bytes: &[u8], before: u64) -> u64 {
    // SAFETY: so many bytes are there.
    unsafe { z::crc32_z(before, bytes.as_ptr(), bytes.len()) }
}
