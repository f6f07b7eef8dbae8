//! The memory of an engine, with a limit that is told in time.
//!
//! An engine that gets no memory fails wherever it happens to be, and not everywhere can it say so. So
//! the limit has two steps: past the first, what is asked for is still granted, and the engine is
//! stopped at the next opportunity; past the second there is none.
#![expect(unsafe_code, reason = "this is an allocator, over that of the system")]

use crate::pages::{ALMOST_PAGE, PAGE, Pages, is_page};
use rquickjs::allocator::Allocator;
use std::cell::{Cell, RefCell};
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
    /// What small blocks are made of.
    pages: RefCell<Pages>,
}

/// What is small enough to be granted, were there anything left.
const SMALL: usize = 64 * 1024;

impl Budget {
    /// So many bytes; 0 is no limit.
    pub(crate) fn new(limit: usize) -> Self {
        let limit = if limit == 0 { usize::MAX } else { limit };
        let last = limit.saturating_add(limit / 8).saturating_add(4 * 1024 * 1024);
        Self(Rc::new(Account {
            used: Cell::new(0),
            limit,
            last,
            refused: Cell::new(false),
            pages: RefCell::default(),
        }))
    }

    /// Whether more is used, or was wanted, than is meant to be.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.used.get() > self.0.limit || self.0.refused.get()
    }

    /// How much is used, in bytes.
    pub(crate) fn used(&self) -> usize {
        self.0.used.get()
    }

    /// How much is meant to be used, in bytes.
    pub(crate) fn limit(&self) -> usize {
        self.0.limit
    }

    /// Whether so much more may be handed out.
    pub(crate) fn grants(&self, size: usize) -> bool {
        let grants = self.0.used.get().saturating_add(size) <= self.0.last;
        if !grants && size <= SMALL {
            self.0.refused.set(true);
        }
        grants
    }

    /// Counts a block that was handed out.
    pub(crate) fn took(&self, size: usize) {
        self.0.used.set(self.0.used.get() + size);
    }

    /// Counts a block that was given back.
    pub(crate) fn gave(&self, size: usize) {
        self.0.used.set(self.0.used.get() - size);
    }

    /// Counts as it did when so much was used, and nothing had been refused.
    pub(crate) fn go_back(&self, used: usize) {
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
        let pointer: *mut u8 = unsafe { libc::calloc(count, size) }.cast();
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
            let mut moved: *mut u8 = libc::realloc(pointer.cast(), size).cast();
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
    // SAFETY: any size may be asked for, and what is not used is given back.
    unsafe {
        let first: *mut u8 = libc::malloc(size).cast();
        if !is_page(first) || first.is_null() {
            return first;
        }
        // A second one while the first is there begins elsewhere; that it has such an address, too, is
        // so rare that it may cost another.
        let second = malloc(size);
        libc::free(first.cast());
        second
    }
}

/// How much a block holds.
///
/// # Safety
///
/// The pointer comes from this allocator and has not been freed.
unsafe fn size_of_block(pointer: *mut u8) -> usize {
    if is_page(pointer) {
        return PAGE;
    }
    // SAFETY: as above; it is a block of the system.
    unsafe { libc::malloc_usable_size(pointer.cast()) }
}
