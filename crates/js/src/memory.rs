//! The memory of an engine, with a limit that is told in time.
//!
//! An engine that gets no memory fails wherever it happens to be, and not everywhere can it say so. So
//! the limit has two steps: past the first, what is asked for is still granted, and the engine is
//! stopped at the next opportunity; past the second there is none.
#![expect(unsafe_code, reason = "this is an allocator, over that of the system")]

use rquickjs::allocator::Allocator;
use std::cell::Cell;
use std::rc::Rc;

/// How much of its memory an engine uses, seen from outside.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Rc<Account>);

#[derive(Debug)]
struct Account {
    used: Cell<usize>,
    /// How much is meant to be used.
    limit: usize,
    /// How much is granted at most.
    last: usize,
    /// Whether something was refused that was not large by itself.
    refused: Cell<bool>,
}

/// What is small enough to be granted, were there anything left.
const SMALL: usize = 64 * 1024;

impl Budget {
    /// So many bytes; 0 is no limit.
    pub(crate) fn new(limit: usize) -> Self {
        let limit = if limit == 0 { usize::MAX } else { limit };
        let last = limit.saturating_add(limit / 8).saturating_add(4 * 1024 * 1024);
        Self(Rc::new(Account { used: Cell::new(0), limit, last, refused: Cell::new(false) }))
    }

    /// Whether more is used, or was wanted, than is meant to be.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.used.get() > self.0.limit || self.0.refused.get()
    }

    /// How much is meant to be used, in bytes.
    pub(crate) fn limit(&self) -> usize {
        self.0.limit
    }

    fn grants(&self, size: usize) -> bool {
        let grants = self.0.used.get().saturating_add(size) <= self.0.last;
        if !grants && size <= SMALL {
            self.0.refused.set(true);
        }
        grants
    }

    fn took(&self, pointer: *mut u8) -> *mut u8 {
        if !pointer.is_null() {
            // SAFETY: the system has just given us this pointer.
            self.0.used.set(self.0.used.get() + unsafe { size_of_block(pointer) });
        }
        pointer
    }

    fn gave(&self, size: usize) {
        self.0.used.set(self.0.used.get() - size);
    }
}

// SAFETY: every function hands on to the allocator of the system, whose blocks are aligned for any
// type and whose size the system tells; or gives null.
unsafe impl Allocator for Budget {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if !self.grants(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: any size may be asked for.
        self.took(unsafe { libc::malloc(size) }.cast())
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        if !self.grants(count.saturating_mul(size)) {
            return std::ptr::null_mut();
        }
        // SAFETY: any size may be asked for; the system looks for overflow.
        self.took(unsafe { libc::calloc(count, size) }.cast())
    }

    unsafe fn dealloc(&mut self, pointer: *mut u8) {
        if pointer.is_null() {
            return;
        }
        // SAFETY: the caller says that the pointer comes from this allocator, so from the system.
        unsafe {
            self.gave(size_of_block(pointer));
            libc::free(pointer.cast());
        }
    }

    unsafe fn realloc(&mut self, pointer: *mut u8, size: usize) -> *mut u8 {
        if pointer.is_null() {
            return self.alloc(size);
        }
        // SAFETY: the caller says that the pointer comes from this allocator, so from the system.
        unsafe {
            let before = size_of_block(pointer);
            if size > before && !self.grants(size - before) {
                return std::ptr::null_mut();
            }
            let moved: *mut u8 = libc::realloc(pointer.cast(), size).cast();
            if !moved.is_null() {
                self.gave(before);
            }
            self.took(moved)
        }
    }

    unsafe fn usable_size(pointer: *mut u8) -> usize {
        // SAFETY: the caller says that the pointer comes from this allocator.
        unsafe { size_of_block(pointer) }
    }
}

/// How much a block of the system holds.
///
/// # Safety
///
/// The pointer comes from the allocator of the system and has not been freed.
unsafe fn size_of_block(pointer: *mut u8) -> usize {
    // SAFETY: as above.
    unsafe { libc::malloc_usable_size(pointer.cast()) }
}
