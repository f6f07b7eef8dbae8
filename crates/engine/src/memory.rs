//! The memory of an engine, with a limit that is told in time.
//!
//! An engine that gets no memory fails wherever it happens to be, and not everywhere can it say so. So
//! the limit has two steps: past the first, what is asked for is still granted, and the engine is
//! stopped at the next opportunity; past the second there is none.
#![expect(unsafe_code, reason = "this is an allocator, over that of the system")]

use crate::pages::{ALMOST_PAGE, PAGE, Pages, is_page};
use hemiola_gate::{Room, Taken};
use rquickjs::allocator::Allocator;
use rquickjs::qjs;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;

/// How much of its memory an engine uses, seen from outside.
#[derive(Clone, Debug)]
pub struct Budget(Rc<Account>);

#[derive(Debug)]
struct Account {
    used: Cell<usize>,
    /// How much is meant to be used.
    limit: usize,
    /// How much is granted at most.
    last: usize,
    /// How much of that is reserved in the room.
    reserved: Cell<usize>,
    /// The memory of all engines of the run.
    room: Room,
    /// Where an engine that is refused memory throws, if somebody else has to do that for it.
    context: Cell<*mut qjs::JSContext>,
    /// Whether something was refused that was not large by itself.
    refused: Cell<bool>,
    /// What small blocks are made of.
    pages: RefCell<Pages>,
}

/// What is small enough to be granted, were there anything left.
const SMALL: usize = 64 * 1024;

/// How much is reserved at once, so that engines seldom meet.
const PART: usize = 1024 * 1024;

/// How much may be reserved and not used.
const SPARE: usize = 8 * PART;

impl Budget {
    /// So many bytes of a room; 0 is no limit but that of the room.
    pub fn new(limit: usize, room: Room) -> Self {
        let limit = if limit == 0 { usize::MAX } else { limit };
        Self(Rc::new(Account {
            used: Cell::new(0),
            limit,
            last: Room::last(limit),
            reserved: Cell::new(0),
            room,
            context: Cell::new(std::ptr::null_mut()),
            refused: Cell::new(false),
            pages: RefCell::default(),
        }))
    }

    /// Whether more is used, or was wanted, than is meant to be.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.0.used.get() > self.0.limit || self.0.refused.get()
    }

    /// How much is used, in bytes.
    pub fn used(&self) -> usize {
        self.0.used.get()
    }

    /// How much is meant to be used, in bytes.
    pub fn limit(&self) -> usize {
        self.0.limit
    }

    /// The memory of all engines of the run.
    pub fn room(&self) -> &Room {
        &self.0.room
    }

    /// An address by which [`Budget::share`] finds this again, as long as the engine of that context lives: its
    /// allocator counts here.
    pub(crate) fn address(&self, context: *mut qjs::JSContext) -> *mut c_void {
        self.0.context.set(context);
        Rc::as_ptr(&self.0).cast_mut().cast()
    }

    /// Takes memory for all engines of the run; throws if there is none, which the engine leaves to us here.
    ///
    /// # Safety
    ///
    /// The address is that of a budget whose engine is alive.
    pub(crate) unsafe fn share(address: *mut c_void, size: usize) -> Option<Taken> {
        // SAFETY: the caller's; a context is alive while its engine is.
        unsafe {
            let account = &*address.cast::<Account>().cast_const();
            let taken = Taken::from(&account.room, size);
            if taken.is_none() {
                qjs::JS_ThrowOutOfMemory(account.context.get());
            }
            taken
        }
    }

    /// Whether so much more may be handed out.
    pub fn grants(&self, size: usize) -> bool {
        self.0.used.get().saturating_add(size) <= self.0.reserved.get() || self.reserves(size)
    }

    /// Reserves so much more than is used, if there is as much.
    #[cold]
    fn reserves(&self, size: usize) -> bool {
        let Account { used, last, reserved, room, refused, .. } = &*self.0;
        let wanted = used.get().saturating_add(size);
        let more = wanted.saturating_sub(reserved.get());
        let part = more.next_multiple_of(PART).min(last.saturating_sub(reserved.get()));
        let grants = wanted <= *last
            && [part, more].into_iter().any(|more| {
                let takes = room.take(more);
                if takes {
                    reserved.set(reserved.get() + more);
                }
                takes
            });
        // Whoever goes past what all have together is stopped, as soon as that can be said.
        let is_past = grants && room.left() == 0;
        if (!grants && size <= SMALL) || is_past {
            refused.set(true);
        }
        grants
    }

    /// Gives back what is reserved for nothing.
    #[cold]
    fn give_back(&self) {
        let kept = self.0.used.get() + PART;
        let more = self.0.reserved.get() - kept;
        self.0.reserved.set(kept);
        self.0.room.give(more);
    }

    /// Counts a block that was handed out.
    pub fn took(&self, size: usize) {
        self.0.used.set(self.0.used.get() + size);
    }

    /// Counts a block that was given back.
    pub fn gave(&self, size: usize) {
        self.0.used.set(self.0.used.get() - size);
        if self.0.reserved.get() > self.0.used.get() + SPARE {
            self.give_back();
        }
    }

    /// Counts as it did when so much was used, and nothing had been refused.
    pub fn go_back(&self, used: usize) {
        self.0.used.set(used);
        self.0.refused.set(false);
    }

    fn took_block(&self, pointer: *mut u8) -> *mut u8 {
        if !pointer.is_null() {
            // SAFETY: the system has just given us this pointer.
            self.took(unsafe { size_of_block(pointer) });
        }
        pointer
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        self.room.give(self.reserved.get());
    }
}

// SAFETY: a page is aligned for any type and holds as much as it says; every other block comes from
// the allocator of the system, whose blocks are aligned for any type and whose size the system tells,
// and is at no address of a page. Or it is null.
unsafe impl Allocator for Budget {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if !self.grants(size) {
            return std::ptr::null_mut();
        }
        if (ALMOST_PAGE..=PAGE).contains(&size) {
            return self.took_block(self.0.pages.borrow_mut().take());
        }
        // SAFETY: any size may be asked for.
        self.took_block(unsafe { malloc(size) })
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let Some(bytes) = count.checked_mul(size).filter(|&bytes| self.grants(bytes)) else {
            return std::ptr::null_mut();
        };
        // SAFETY: any size may be asked for. A block at a page's address is replaced.
        let pointer: *mut u8 = unsafe { libc::calloc(1, rounded(bytes)) }.cast();
        if !is_page(pointer) || pointer.is_null() {
            return self.took_block(pointer);
        }
        // SAFETY: both blocks hold as much as was asked for; the first is the system's.
        unsafe {
            let other = malloc(bytes);
            if !other.is_null() {
                other.write_bytes(0, bytes);
            }
            libc::free(pointer.cast());
            self.took_block(other)
        }
    }

    unsafe fn dealloc(&mut self, pointer: *mut u8) {
        if pointer.is_null() {
            return;
        }
        // SAFETY: the caller says that the pointer comes from this allocator.
        unsafe {
            self.gave(size_of_block(pointer));
            if is_page(pointer) {
                self.0.pages.borrow_mut().give(pointer);
            } else {
                libc::free(pointer.cast());
            }
        }
    }

    unsafe fn realloc(&mut self, pointer: *mut u8, size: usize) -> *mut u8 {
        if pointer.is_null() {
            return self.alloc(size);
        }
        // SAFETY: the caller says that the pointer comes from this allocator; what is copied is in both
        // blocks.
        unsafe {
            let before = size_of_block(pointer);
            if size > before && !self.grants(size - before) {
                return std::ptr::null_mut();
            }
            if is_page(pointer) {
                if size <= PAGE {
                    return pointer;
                }
                let larger = malloc(size);
                if !larger.is_null() {
                    larger.copy_from_nonoverlapping(pointer, PAGE);
                    self.dealloc(pointer);
                }
                return self.took_block(larger);
            }
            let mut moved: *mut u8 = libc::realloc(pointer.cast(), rounded(size)).cast();
            if is_page(moved) && !moved.is_null() {
                let other = malloc(size);
                if other.is_null() {
                    // The system itself has nothing left, and the first move cannot be undone.
                    std::alloc::handle_alloc_error(std::alloc::Layout::new::<u8>());
                }
                other.copy_from_nonoverlapping(moved, size);
                libc::free(moved.cast());
                moved = other;
            }
            if !moved.is_null() {
                self.gave(before);
            }
            self.took_block(moved)
        }
    }

    unsafe fn usable_size(pointer: *mut u8) -> usize {
        // SAFETY: the caller says that the pointer comes from this allocator.
        unsafe { size_of_block(pointer) }
    }
}

/// A block of the system at no address of a page; null if there is none.
///
/// # Safety
///
/// The block is given back to the system.
unsafe fn malloc(size: usize) -> *mut u8 {
    let ask = |size: usize| -> *mut u8 {
        // SAFETY: any size may be asked for.
        unsafe { libc::malloc(size).cast() }
    };
    let first = ask(rounded(size));
    if !is_page(first) || first.is_null() {
        return first;
    }
    // Another while the first is there begins elsewhere. Blocks of a whole page beside each other would all
    // begin at one, so one of another size is put between them.
    let mut unused = vec![first];
    let found = loop {
        unused.push(ask(rounded(size) + 32));
        let next = ask(rounded(size));
        if !is_page(next) || next.is_null() {
            break next;
        }
        unused.push(next);
    };
    for block in unused {
        // SAFETY: the system gave it, and nobody else knows of it.
        unsafe { libc::free(block.cast()) };
    }
    found
}

/// Up to this size blocks are rounded finely.
const FINE: usize = 32 * 1024 - 8;

/// What is asked of the system for a block.
///
/// The system may give a little more, as it happens to have it: 16 bytes, or the rest of a page. When the
/// engine collects garbage depends on the sizes of its blocks, and so does what a program sees of that
/// through weak references; hence sizes are rounded to steps which are wider than what may be added.
fn rounded(size: usize) -> usize {
    if size <= FINE {
        ((size + 8 + 31) & !31) - 8
    } else {
        (size.saturating_add(40 + 4095) & !4095) - 40
    }
}

/// How much a block holds, whatever the system added.
///
/// # Safety
///
/// The pointer comes from this allocator and has not been freed.
unsafe fn size_of_block(pointer: *mut u8) -> usize {
    if is_page(pointer) {
        return PAGE;
    }
    // SAFETY: as above; it is a block of the system.
    let size = unsafe { libc::malloc_usable_size(pointer.cast()) };
    if size < FINE + 32 { ((size + 8) & !31) - 8 } else { ((size + 40) & !4095) - 40 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of a whole page follow each other at addresses of pages, if the first is at one: wherever the
    /// heap ends, one is found that is at none.
    #[test]
    fn blocks_of_a_whole_page_begin_at_none() {
        let mut kept = Vec::new();
        for _ in 0..512 {
            // SAFETY: the blocks are given back below.
            unsafe {
                kept.push(libc::malloc(24).cast());
                kept.extend([4_088, 8_184].map(|size| malloc(size)));
            }
            let found = &kept[kept.len() - 2..];
            assert!(found.iter().all(|block| !is_page(*block)), "{found:?}");
        }
        for block in kept {
            // SAFETY: the system gave it, and it is given back once.
            unsafe { libc::free(block.cast()) };
        }
    }

    /// Whatever the heap looks like, a block of one size counts for one size.
    #[test]
    fn the_size_of_a_block_follows_from_what_was_asked_for() {
        let mut budget = Budget::new(0, Room::default());
        let mut kept: Vec<(usize, *mut u8)> = Vec::new();
        let mut seed = 1_u64;
        let mut draw = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for round in 0..20_000 {
            let size = match draw(4) {
                0 => 1 + draw(600),
                1 => 1 + draw(40_000),
                2 => 3_000 + draw(3_000),
                _ => 1 + draw(if round % 50 == 0 { 3_000_000 } else { 5_000 }),
            };
            let known = kept.len();
            let at = if known > 0 { draw(known) } else { 0 };
            // SAFETY: every pointer is used as long as it is among those that are kept.
            unsafe {
                match draw(4) {
                    0 if known > 0 => budget.dealloc(kept.swap_remove(at).1),
                    1 if known > 0 && !is_page(kept[at].1) => {
                        let moved = budget.realloc(kept[at].1, size);
                        kept[at] = (rounded(size), moved);
                    }
                    2 => kept.push((rounded(size), budget.calloc(1, size))),
                    _ => kept.push((rounded(size), budget.alloc(size))),
                }
            }
            let unseen = if round % 64 == 0 { 0 } else { known.saturating_sub(1) };
            for (asked, pointer) in kept.iter().skip(unseen) {
                // SAFETY: as above.
                let size = unsafe { Budget::usable_size(*pointer) };
                assert_eq!(size, if is_page(*pointer) { PAGE } else { *asked });
            }
            if kept.len() > 500 {
                // SAFETY: as above.
                kept.drain(..250).for_each(|(_, pointer)| unsafe { budget.dealloc(pointer) });
            }
        }
        // SAFETY: as above.
        kept.drain(..).for_each(|(_, pointer)| unsafe { budget.dealloc(pointer) });
        assert_eq!(budget.used(), 0);
    }
}
