//! Memory of an engine that can be put back to how it was.
//!
//! All blocks of the engine, and what this allocator knows about them, are in one region. An
//! [`Image`](crate::image::Image) is a copy of its beginning; to copy it back undoes whatever the engine
//! has done since. Only very large blocks are the system's, which an image must not contain.
#![expect(unsafe_code, reason = "this is an allocator, over memory of the system")]

use crate::memory::Budget;
use crate::pages::{ALMOST_PAGE, PAGE, is_page};
use rquickjs::allocator::Allocator;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ptr::{NonNull, null_mut};
use std::rc::Rc;

/// How much an engine can have in its region. It is only reserved: what is never touched costs nothing.
const REGION: usize = 1 << 30;
/// Before each block that is no page stands its size.
const HEADER: usize = 16;
/// What headers begin at a multiple of, so that no block is where a page could be.
const GRAIN: usize = 32;
/// Larger blocks come from the system.
const HUGE: usize = 1 << 20;
/// How many pages are cut off together.
const PAGES: usize = 16;
/// How many sizes of blocks there are: four to each power of two.
const SIZES: usize = 64;

/// The engine's way to its region.
#[derive(Clone)]
pub struct Arena(Rc<Region>);

/// The memory of one engine.
pub struct Region {
    start: NonNull<u8>,
    budget: Budget,
    /// Blocks of the system.
    huge: RefCell<BTreeSet<usize>>,
}

/// What the allocator knows: it stands at the beginning of the region, and so is part of an image.
#[repr(C)]
struct Book {
    /// What was never handed out begins there.
    fresh: usize,
    /// Pages that were given back, each with the address of the next.
    free_pages: *mut u8,
    /// Blocks of each size that were given back, likewise.
    free: [*mut u8; SIZES],
}

impl Arena {
    /// A region of its own; nothing if the system has none.
    pub fn new(budget: Budget) -> Option<Self> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: new memory is asked for, wherever there is room; it is zero, as the book is at first.
        let start = unsafe { libc::mmap(null_mut(), REGION, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        let start = NonNull::new(start.cast::<u8>())?;
        let region = Region { start, budget, huge: RefCell::default() };
        region.change(|book| book.fresh = size_of::<Book>().next_multiple_of(GRAIN));
        Some(Self(Rc::new(region)))
    }

    /// The memory that it hands out.
    pub fn region(&self) -> Rc<Region> {
        Rc::clone(&self.0)
    }
}

impl Region {
    /// Where it begins.
    pub fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// How much of it has been handed out, in whole pages.
    pub fn touched(&self) -> usize {
        self.change(|book| book.fresh.next_multiple_of(PAGE))
    }

    /// Whether an address is within it.
    pub fn contains(&self, pointer: *const u8) -> bool {
        pointer.addr().wrapping_sub(self.start.as_ptr().addr()) < REGION
    }

    /// Whether the engine has blocks that are not in it.
    pub fn has_huge_blocks(&self) -> bool {
        !self.huge.borrow().is_empty()
    }

    /// How much of it is used.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Gives all blocks back that are not in it: whoever has them is about to be forgotten.
    pub fn drop_huge_blocks(&self) {
        for block in self.huge.take() {
            // SAFETY: the system gave the block, which is in the list until it is given back.
            unsafe { libc::free(std::ptr::with_exposed_provenance_mut(block)) };
        }
    }

    fn change<R>(&self, act: impl FnOnce(&mut Book) -> R) -> R {
        // SAFETY: the book is at the beginning of the region; nobody else touches it, and the callers here
        // do not meet each other.
        act(unsafe { self.start.cast::<Book>().as_mut() })
    }

    fn take(&self, size: usize) -> *mut u8 {
        if !self.budget.grants(size) {
            return null_mut();
        }
        let pointer = if (ALMOST_PAGE..=PAGE).contains(&size) {
            self.page()
        } else if size > HUGE {
            self.huge(size)
        } else {
            self.block(size)
        };
        if !pointer.is_null() {
            // SAFETY: the block is new.
            self.budget.took(unsafe { size_of_block(pointer) });
        }
        pointer
    }

    fn page(&self) -> *mut u8 {
        self.change(|book| {
            if book.free_pages.is_null() {
                let first = book.fresh.next_multiple_of(PAGE);
                if first + PAGES * PAGE > REGION {
                    return null_mut();
                }
                book.fresh = first + PAGES * PAGE;
                for at in (0..PAGES).rev() {
                    let page = self.start.as_ptr().wrapping_add(first + at * PAGE);
                    // SAFETY: the page is within the region, and nobody has it.
                    unsafe { page.cast::<*mut u8>().write(book.free_pages) };
                    book.free_pages = page;
                }
            }
            let page = book.free_pages;
            // SAFETY: a page that is free holds the address of the next.
            book.free_pages = unsafe { page.cast::<*mut u8>().read() };
            page
        })
    }

    fn block(&self, size: usize) -> *mut u8 {
        let (index, room) = size_class(size);
        self.change(|book| {
            let free = book.free[index];
            if !free.is_null() {
                // SAFETY: a block that is free holds the address of the next.
                book.free[index] = unsafe { free.cast::<*mut u8>().read() };
                return free;
            }
            let whole = (HEADER + room).next_multiple_of(GRAIN);
            if book.fresh + whole > REGION {
                return null_mut();
            }
            let header = self.start.as_ptr().wrapping_add(book.fresh);
            book.fresh += whole;
            // SAFETY: the block is within the region, and nobody has it.
            unsafe { header.cast::<usize>().write(room) };
            header.wrapping_add(HEADER)
        })
    }

    fn huge(&self, size: usize) -> *mut u8 {
        let Some(whole) = size.checked_add(GRAIN + HEADER) else { return null_mut() };
        // SAFETY: any size may be asked for. There is room for the header before the first address that is
        // half a grain after a whole one, where no page begins.
        unsafe {
            let start: *mut u8 = libc::malloc(whole).cast();
            if start.is_null() {
                return null_mut();
            }
            let skip = start.addr().next_multiple_of(GRAIN) - start.addr();
            let header = start.wrapping_add(skip);
            header.cast::<usize>().write(size);
            header.cast::<*mut u8>().wrapping_add(1).write(start);
            self.huge.borrow_mut().insert(start.expose_provenance());
            header.wrapping_add(HEADER)
        }
    }

    /// # Safety
    ///
    /// The block is one of this region's, and is not used any more.
    unsafe fn give(&self, pointer: *mut u8) {
        // SAFETY: the caller's; a block that is free has room for an address.
        unsafe {
            let size = size_of_block(pointer);
            self.budget.gave(size);
            if is_page(pointer) {
                self.change(|book| {
                    pointer.cast::<*mut u8>().write(book.free_pages);
                    book.free_pages = pointer;
                });
            } else if self.contains(pointer) {
                let (index, _) = size_class(size);
                self.change(|book| {
                    pointer.cast::<*mut u8>().write(book.free[index]);
                    book.free[index] = pointer;
                });
            } else {
                let start = pointer.sub(HEADER).cast::<*mut u8>().add(1).read();
                self.huge.borrow_mut().remove(&start.expose_provenance());
                libc::free(start.cast());
            }
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        self.drop_huge_blocks();
        // SAFETY: the region was mapped with that size, and the engine that had it is gone.
        unsafe { libc::munmap(self.start.as_ptr().cast(), REGION) };
    }
}

/// The number of the smallest size that holds so much, and that size: a power of two, or a quarter, half
/// or three quarters more.
fn size_class(size: usize) -> (usize, usize) {
    let size = size.max(GRAIN);
    let power = (size - 1).ilog2() as usize;
    let quarter = (1 << power) / 4;
    let quarters = (size - (1 << power)).div_ceil(quarter);
    ((power * 4 + quarters).saturating_sub(20), (1 << power) + quarters * quarter)
}

// SAFETY: a page is aligned for any type and holds as much as it says; any other block is aligned to 16
// bytes and holds what is written before it. Or it is null.
unsafe impl Allocator for Arena {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        self.0.take(size)
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let Some(size) = count.checked_mul(size) else { return null_mut() };
        let pointer = self.0.take(size);
        if !pointer.is_null() {
            // SAFETY: the block holds as much.
            unsafe { pointer.write_bytes(0, size) };
        }
        pointer
    }

    unsafe fn dealloc(&mut self, pointer: *mut u8) {
        if !pointer.is_null() {
            // SAFETY: the caller says that the pointer comes from this allocator.
            unsafe { self.0.give(pointer) };
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
            // What becomes much smaller moves.
            if size <= before && size > before / 2 {
                return pointer;
            }
            let moved = self.0.take(size);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(pointer, before.min(size));
                self.0.give(pointer);
            }
            moved
        }
    }

    unsafe fn usable_size(pointer: *mut u8) -> usize {
        // SAFETY: the caller says that the pointer comes from this allocator.
        unsafe { size_of_block(pointer) }
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
    // SAFETY: the caller's; the size stands before the block.
    unsafe { pointer.sub(HEADER).cast::<usize>().read() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_class_holds_what_is_asked_for_and_little_more() {
        let mut before = size_class(1);
        for size in 1..=HUGE {
            let (index, room) = size_class(size);
            assert!(room >= size && room <= size.max(GRAIN) * 5 / 4 + 8, "{size}: {room}");
            assert!(index < SIZES, "{size}: {index}");
            assert!((index, room) == before || (index > before.0 && room > before.1), "{size}");
            assert_eq!(size_class(room), (index, room));
            before = (index, room);
        }
    }

    #[test]
    fn blocks_keep_their_bytes_apart_and_are_used_again() {
        let budget = Budget::new(0, hemiola_gate::Room::default());
        let mut arena = Arena::new(budget.clone()).expect("there is memory");
        let sizes = [1, 24, 700, 3_500, 4_000, 4_096, 4_097, 70_000, 1 << 20, (1 << 20) + 1];
        let blocks: Vec<_> = sizes.iter().map(|&size| (arena.alloc(size), size)).collect();
        for (at, &(block, size)) in blocks.iter().enumerate() {
            // SAFETY: the block holds as much.
            unsafe { block.write_bytes(at as u8, size) };
            assert_eq!(block.addr() % 16, 0);
        }
        for (at, &(block, size)) in blocks.iter().enumerate() {
            // SAFETY: as above; each block is given back once.
            unsafe {
                assert!((0..size).all(|byte| *block.add(byte) == at as u8), "{size}");
                let longer = arena.realloc(block, size * 3);
                assert!((0..size).all(|byte| *longer.add(byte) == at as u8), "{size}");
                arena.dealloc(longer);
            }
        }
        assert_eq!(budget.used(), 0);
        let block = arena.alloc(5_000);
        // SAFETY: it is given back once.
        unsafe { arena.dealloc(block) };
        assert_eq!(arena.alloc(5_100), block);
    }
}
