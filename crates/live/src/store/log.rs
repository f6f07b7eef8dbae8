//! Whether the write-ahead log beside a store is whole.
//!
//! SQLite reads a log up to the first frame that is not right and takes the rest for the torn end of a commit that
//! nobody was told of. That is what a loss of power leaves. Behind a frame that was damaged later there are commits
//! that were durable, and what they wrote would be gone without a word.

/// What is before the frames, and before the page of each.
const HEADER: usize = 32;
const FRAME: usize = 24;

/// Two sums that every word of a log goes into, in one of two orders of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sums {
    first: u32,
    second: u32,
    is_big: bool,
}

impl Sums {
    fn add(&mut self, bytes: &[u8]) {
        for pair in bytes.chunks_exact(8) {
            let word = |at: usize| {
                let word = [pair[at], pair[at + 1], pair[at + 2], pair[at + 3]];
                if self.is_big { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
            };
            self.first = self.first.wrapping_add(word(0)).wrapping_add(self.second);
            self.second = self.second.wrapping_add(word(4)).wrapping_add(self.first);
        }
    }

    /// Whether these are the sums that stand there.
    fn are_at(self, bytes: &[u8], at: usize) -> bool {
        number(bytes, at) == self.first && number(bytes, at + 4) == self.second
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Whether nothing is behind the first frame that is not right but what a torn commit leaves.
pub(super) fn is_whole(log: &[u8]) -> bool {
    // Nothing was written, or no byte of it has come to the disk.
    if log.len() <= HEADER || log.iter().all(|byte| *byte == 0) {
        return true;
    }
    let (header, frames) = log.split_at(HEADER);
    let is_big = match number(header, 0) {
        0x377f_0682 => false,
        0x377f_0683 => true,
        _ => return false,
    };
    let mut sums = Sums { first: 0, second: 0, is_big };
    sums.add(&header[..24]);
    let page = number(header, 8) as usize;
    if !sums.are_at(header, 24) || !page.is_power_of_two() || !(512..=65536).contains(&page) {
        return false;
    }
    let salts = [number(header, 16), number(header, 20)];
    let mut is_right = true;
    let mut left = frames.chunks_exact(FRAME + page);
    while let Some(frame) = left.next() {
        let own = [number(frame, 8), number(frame, 12)];
        // What was written before the log was begun anew has other salts, both of them.
        let is_ours = own[0] == salts[0] || own[1] == salts[1];
        if is_right {
            sums.add(&frame[..8]);
            sums.add(&frame[FRAME..]);
            is_right = own == salts && sums.are_at(frame, 16);
            // Over what an earlier log has left, a process can be killed between the two writes of a frame: then a
            // commit is there without its page. At the end of a log it would be shorter.
            if !is_right && left.len() > 0 {
                continue;
            }
        }
        let is_commit = number(frame, 4) != 0;
        if !is_right && is_ours && is_commit {
            return false;
        }
    }
    true
}
