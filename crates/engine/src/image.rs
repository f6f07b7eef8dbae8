//! How the memory of an engine was at a moment, to be put back.
//!
//! An engine that has loaded some of the library has megabytes, of which a small program changes a tenth.
//! So pages are write-protected until one is first written to: then the system tells, the page is noted,
//! and from then on it is copied back each time. The programs that an engine is reset for are alike, and
//! after a few of them no page is noted any more.
#![expect(unsafe_code, reason = "memory is protected, and copied as bytes")]

use crate::arena::Region;
use crate::pages::PAGE;
use std::cell::Cell;
use std::ptr::{null, null_mut};
use std::rc::Rc;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A copy of what an engine had. While the engine is in use, [`Image::watch`] is to know of it.
pub struct Image {
    bytes: Vec<u8>,
    used: usize,
    /// In a box: its address is known while the engine is in use.
    watch: Box<Watch>,
    region: Rc<Region>,
}

/// The pages of an image, and which of them have been written to since.
struct Watch {
    start: usize,
    length: usize,
    written: Vec<AtomicU64>,
    /// What was watched in the same thread before.
    next: Cell<*const Watch>,
}

thread_local! {
    /// What is watched in this thread, and is running in it: its faults are the thread's.
    static WATCHED: Cell<*const Watch> = const { Cell::new(null()) };
}

/// How the memory was at a later moment, as far as that differs from an image.
pub struct Change {
    /// The pages that had been written to by then.
    written: Vec<u64>,
    /// What was there, piece by piece.
    bytes: Vec<u8>,
    /// What had been handed out by then behind what the image holds.
    behind: Vec<u8>,
    used: usize,
}

impl Change {
    /// How many bytes it holds.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.behind.len()
    }
}

/// How much may be left behind what an image holds before it is given back to the system.
const LEFT: usize = 16 << 20;

impl Image {
    /// Copies a region; nothing if the engine has blocks elsewhere, or pages cannot be watched.
    pub fn take(region: Rc<Region>) -> Option<Self> {
        if !handle_faults() {
            return None;
        }
        let start = region.start().addr();
        let watch = Watch { start, length: 0, written: Vec::new(), next: Cell::new(null()) };
        let mut image = Self { bytes: Vec::new(), used: 0, watch: Box::new(watch), region };
        image.take_again().then_some(image)
    }

    /// Copies the region as it is now, after its pages were [opened](Self::open); false if the engine has
    /// blocks elsewhere. What was written to after the earlier moment is forgotten: much of it is what runs no longer do.
    pub fn take_again(&mut self) -> bool {
        if self.region.has_huge_blocks() {
            return false;
        }
        let length = self.region.touched();
        // SAFETY: so much of the region is there, and nobody writes to it meanwhile.
        let bytes = unsafe { std::slice::from_raw_parts(self.region.start(), length) };
        self.bytes = bytes.to_vec();
        self.used = self.region.budget().used();
        self.watch.length = length;
        self.watch.written.resize_with(length.div_ceil(PAGE * 64), || AtomicU64::new(0));
        self.watch.written.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        // If it cannot be protected, every page counts as written.
        if !self.protect(libc::PROT_READ) {
            self.open();
            self.watch.written.iter().for_each(|word| word.store(u64::MAX, Ordering::Relaxed));
        }
        true
    }

    /// Lets all pages be written to, without anybody noticing.
    pub fn open(&self) {
        self.protect(libc::PROT_READ | libc::PROT_WRITE);
    }

    /// Notes in this thread what is written to, until the guard is dropped. Guards are dropped in the
    /// opposite order.
    pub fn watch(&self) -> Watching {
        self.watch.next.set(WATCHED.replace(&raw const *self.watch));
        Watching(&raw const *self.watch)
    }

    /// Puts back what has changed. Whoever holds anything of the engine that is newer has let go of it.
    pub fn restore(&self) {
        self.restore_to(None);
    }

    /// The same up to a later moment, if one is given.
    pub fn restore_to(&self, change: Option<&Change>) {
        self.region.drop_huge_blocks();
        let touched = self.region.touched();
        let later = |index| change.map_or(0, |change| change.written[index]);
        self.each_piece(
            |index| self.written(index) & !later(index),
            |from, length| self.put(from, &self.bytes[from..from + length]),
        );
        let (mut end, mut used) = (self.bytes.len(), self.used);
        if let Some(change) = change {
            let mut left = change.bytes.as_slice();
            self.each_piece(later, |from, length| {
                let piece;
                (piece, left) = left.split_at(length);
                self.put(from, piece);
            });
            self.put(end, &change.behind);
            end += change.behind.len();
            used = change.used;
        }
        let end = end + LEFT;
        if touched > end {
            // SAFETY: nothing of the engine is there any more.
            unsafe {
                let start = self.region.start().add(end);
                libc::madvise(start.cast(), touched - end, libc::MADV_DONTNEED);
            }
        }
        self.region.budget().go_back(used);
    }

    /// What has changed by now; nothing if the engine has blocks elsewhere.
    pub fn change(&self) -> Option<Change> {
        if self.region.has_huge_blocks() {
            return None;
        }
        let written = (0..self.watch.written.len()).map(|index| self.written(index)).collect();
        let (mut bytes, end) = (Vec::with_capacity(self.sizes().1), self.bytes.len());
        self.each_piece(
            |index| self.written(index),
            |from, length| bytes.extend_from_slice(self.part(from, length)),
        );
        let behind = self.part(end, self.region.touched().saturating_sub(end)).to_vec();
        Some(Change { written, bytes, behind, used: self.region.budget().used() })
    }

    /// What is in a part of the region now, which nobody writes to meanwhile.
    fn part(&self, from: usize, length: usize) -> &[u8] {
        // SAFETY: so much of the region is there.
        unsafe { std::slice::from_raw_parts(self.region.start().add(from), length) }
    }

    /// Puts bytes into a part of the region that has been written to.
    fn put(&self, from: usize, bytes: &[u8]) {
        // SAFETY: there is room, and pages that have been written to may be.
        unsafe {
            let to = self.region.start().add(from);
            bytes.as_ptr().copy_to_nonoverlapping(to, bytes.len());
        }
    }

    /// Puts all of it back after an image of a later moment was in its place, which is gone by now.
    pub fn restore_whole(&self) {
        self.open();
        self.watch.written.iter().for_each(|word| word.store(u64::MAX, Ordering::Relaxed));
        self.restore();
        self.watch.written.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        if !self.protect(libc::PROT_READ) {
            self.open();
            self.watch.written.iter().for_each(|word| word.store(u64::MAX, Ordering::Relaxed));
        }
    }

    /// Which of so many pages have been written to.
    fn written(&self, index: usize) -> u64 {
        self.watch.written[index].load(Ordering::Relaxed)
    }

    /// Goes through pages: where each piece of them begins, and how long it is.
    fn each_piece(&self, words: impl Fn(usize) -> u64, mut act: impl FnMut(usize, usize)) {
        for index in 0..self.watch.written.len() {
            let mut word = words(index);
            while word != 0 {
                let first = word.trailing_zeros();
                let count = (word >> first).trailing_ones();
                let from = (index * 64 + first as usize) * PAGE;
                let length = (count as usize * PAGE).min(self.bytes.len().saturating_sub(from));
                if length > 0 {
                    act(from, length);
                }
                word = if first + count == 64 { 0 } else { word & (u64::MAX << (first + count)) };
            }
        }
    }

    /// How many bytes it holds, and how many of them are copied back.
    pub fn sizes(&self) -> (usize, usize) {
        let pages: u32 =
            self.watch.written.iter().map(|word| word.load(Ordering::Relaxed).count_ones()).sum();
        (self.bytes.len(), pages as usize * PAGE)
    }

    fn protect(&self, protection: i32) -> bool {
        // SAFETY: the pages are the region's; a write to a page that is protected ends in `fault`.
        unsafe { libc::mprotect(self.region.start().cast(), self.bytes.len(), protection) == 0 }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        self.open();
    }
}

/// An image is watched as long as this is there, which is not longer than the image is.
pub struct Watching(*const Watch);

impl Drop for Watching {
    fn drop(&mut self) {
        // SAFETY: the image is there.
        let next = unsafe { (*self.0).next.replace(null()) };
        let last = WATCHED.replace(next);
        debug_assert_eq!(last, self.0, "who was watched last is forgotten first");
    }
}

/// Who was told of faults before: an address, or what the system knows in its place.
static BEFORE: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);

/// Whether faults are told to `fault`, from the first time on.
fn handle_faults() -> bool {
    static ONCE: Once = Once::new();
    static HANDLED: AtomicUsize = AtomicUsize::new(0);
    ONCE.call_once(|| {
        // SAFETY: the structs are plain numbers and addresses; the handler only does what a handler may,
        // and hands on what is not its own.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGSEGV, null(), &mut before) != 0 {
                return;
            }
            // Handlers that want no more than the signal's number are not passed on to.
            if before.sa_sigaction > libc::SIG_IGN && before.sa_flags & libc::SA_SIGINFO == 0 {
                return;
            }
            BEFORE.store(before.sa_sigaction, Ordering::SeqCst);
            action.sa_sigaction = fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            if libc::sigaction(libc::SIGSEGV, &action, null_mut()) == 0 {
                HANDLED.store(1, Ordering::SeqCst);
            }
        }
    });
    HANDLED.load(Ordering::SeqCst) == 1
}

/// A thread has touched memory that it may not.
unsafe extern "C" fn fault(
    signal: i32,
    info: *mut libc::siginfo_t,
    context: *mut std::ffi::c_void,
) {
    // SAFETY: the system passes what belongs to the signal. The list is of this thread, which does not
    // change it at this moment: it was touching the memory of an engine.
    unsafe {
        let address = (*info).si_addr().addr();
        let mut at = WATCHED.get();
        while let Some(watch) = at.as_ref() {
            let offset = address.wrapping_sub(watch.start);
            if offset < watch.length {
                let page = offset / PAGE;
                let bit = 1 << (page % 64);
                let before = watch.written[page / 64].fetch_or(bit, Ordering::Relaxed);
                let start: *mut std::ffi::c_void =
                    std::ptr::with_exposed_provenance_mut(watch.start + page * PAGE);
                let protection = libc::PROT_READ | libc::PROT_WRITE;
                // A page that may be written to already has some other trouble.
                if before & bit == 0 && libc::mprotect(start, PAGE, protection) == 0 {
                    return;
                }
                break;
            }
            at = watch.next.get();
        }
        match BEFORE.load(Ordering::SeqCst) {
            libc::SIG_DFL | libc::SIG_IGN => {
                // The instruction is tried again, and then it is the system's.
                libc::signal(signal, libc::SIG_DFL);
            }
            handler => {
                let handler = std::mem::transmute::<
                    usize,
                    unsafe extern "C" fn(i32, *mut libc::siginfo_t, *mut std::ffi::c_void),
                >(handler);
                handler(signal, info, context);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;
    use crate::memory::Budget;
    use rquickjs::allocator::Allocator;

    #[test]
    fn what_was_written_is_undone_and_what_was_taken_is_free_again() {
        let budget = Budget::new(0, hemiola_gate::Room::default());
        let mut arena = Arena::new(budget.clone()).expect("there is memory");
        let blocks: Vec<_> = (0..200).map(|_| arena.alloc(4_096)).collect();
        // SAFETY: each block holds as much.
        blocks.iter().for_each(|block| unsafe { block.write_bytes(1, 4_096) });
        let image = Image::take(arena.region()).expect("pages can be watched");
        let other = Image::take(
            Arena::new(Budget::new(0, hemiola_gate::Room::default()))
                .expect("there is memory")
                .region(),
        );
        let used = budget.used();
        let watching = image.watch();
        let further = other.as_ref().expect("pages can be watched").watch();
        for round in 0..3 {
            let new = arena.alloc(5_000);
            let huge = arena.alloc(3 << 20);
            // SAFETY: as above, and nobody uses a block that was given back.
            unsafe {
                new.write_bytes(2, 5_000);
                huge.write_bytes(2, 3 << 20);
                blocks[round].write_bytes(2, 4_096);
                arena.dealloc(blocks[100]);
            }
            image.restore();
            assert_eq!(budget.used(), used);
            assert_eq!(arena.alloc(5_000), new);
            image.restore();
            // SAFETY: as above.
            unsafe {
                assert!(blocks.iter().all(|block| **block == 1 && *block.add(4_095) == 1));
            }
        }
        drop((further, watching));
        drop(other);
        let (all, copied) = image.sizes();
        assert!(all > 200 * 4_096 && copied < 10 * 4_096, "{copied} of {all} bytes");
        drop(image);
        // SAFETY: as above.
        unsafe { blocks[150].write_bytes(3, 4_096) };
    }
}
