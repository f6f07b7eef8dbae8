//! Random numbers of the system, fit for keys and tokens.

use rustix::rand::{GetRandomFlags, getrandom};

/// How many numbers are asked for at once.
const BATCH: usize = 128;

/// Hands out numbers that the system drew.
#[derive(Debug)]
pub(crate) struct Random {
    drawn: [u8; 8 * BATCH],
    left: usize,
}

impl Default for Random {
    fn default() -> Self {
        Self { drawn: [0; 8 * BATCH], left: 0 }
    }
}

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        if self.left == 0 {
            self.draw();
            self.left = BATCH;
        }
        self.left -= 1;
        let bytes = &mut self.drawn[8 * self.left..][..8];
        let number = u64::from_le_bytes((&*bytes).try_into().expect("these are eight bytes"));
        // A number that was given away is not kept.
        bytes.fill(0);
        number
    }

    fn draw(&mut self) {
        let mut filled = 0;
        while filled < self.drawn.len() {
            match getrandom(&mut self.drawn[filled..], GetRandomFlags::empty()) {
                Ok(count) => filled += count,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => panic!("the system gives no random numbers: {error}"),
            }
        }
    }
}

/// A word that nobody guesses.
pub fn token() -> String {
    let mut random = Random::default();
    format!("{:016x}{:016x}", random.next(), random.next())
}
