//! Random numbers as the crates for keys take them.

use hemiola_engine::bridge;
use std::convert::Infallible;

/// Random numbers of the world.
pub(super) struct Draws;

impl rsa::rand_core::TryRng for Draws {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> std::result::Result<u32, Infallible> {
        Ok((bridge::with(|context| context.random()) >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> std::result::Result<u64, Infallible> {
        Ok(bridge::with(|context| context.random()))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> std::result::Result<(), Infallible> {
        for piece in bytes.chunks_mut(8) {
            let drawn = bridge::with(|context| context.random()).to_le_bytes();
            piece.copy_from_slice(&drawn[..piece.len()]);
        }
        Ok(())
    }
}

impl rsa::rand_core::TryCryptoRng for Draws {}
