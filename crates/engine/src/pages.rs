//! The pages that an engine's small blocks are made of.
//!
//! The engine divides about four kilobytes at a time into blocks of one size, and writes at their
//! beginning whenever it frees one. From this allocator each such piece is a page of its own: who knows
//! a block knows where its page begins, and can fetch that ahead. Many pages come from the system
//! together, and when there are very many, as huge ones: a program with a million timers then waits
//! less for memory, and far less for the system to hand it out.
#![expect(unsafe_code, reason = "this is an allocator, over that of the system")]

use std::alloc::Layout;

/// The size of a page, and what its address is a multiple of.
pub const PAGE: usize = 4096;
/// What is at least this much, and fits, gets a page.
pub const ALMOST_PAGE: usize = PAGE - 640;
/// How many pages are asked for together, at first and at most.
const FEW: usize = 64;
const MANY: usize = 4096;
/// A huge page.
const HUGE: usize = 2 * 1024 * 1024;

/// Whether an address is that of a page.
pub fn is_page(pointer: *const u8) -> bool {
    pointer.addr().is_multiple_of(PAGE)
}

/// Pages, given back to the system when this is dropped.
#[derive(Debug, Default)]
pub struct Pages {
    /// Pages that were given back.
    free: Vec<*mut u8>,
    /// What was never handed out.
    fresh: usize,
    chunks: Vec<Chunk>,
    total: usize,
}

#[derive(Debug)]
struct Chunk {
    start: *mut u8,
    layout: Layout,
}

impl Pages {
    /// A page; null if there is none.
    pub fn take(&mut self) -> *mut u8 {
        if let Some(page) = self.free.pop() {
            return page;
        }
        if self.fresh == 0 && !self.grow() {
            return std::ptr::null_mut();
        }
        let Some(Chunk { start, layout }) = self.chunks.last() else { return std::ptr::null_mut() };
        let page = start.wrapping_add(layout.size() - self.fresh * PAGE);
        self.fresh -= 1;
        page
    }

    /// Takes a page back.
    pub fn give(&mut self, page: *mut u8) {
        self.free.push(page);
    }

    fn grow(&mut self) -> bool {
        let size = (self.total / 4).clamp(FEW, MANY) * PAGE;
        let (size, align) =
            if size < HUGE { (size, PAGE) } else { (size.next_multiple_of(HUGE), HUGE) };
        let Ok(layout) = Layout::from_size_align(size, align) else { return false };
        // SAFETY: the size is not zero.
        let start = unsafe { std::alloc::alloc(layout) };
        if start.is_null() {
            return false;
        }
        if self.chunks.is_empty() {
            // An engine uses all of these before its program begins. If the system cannot hand them out together it
            // does so one by one.
            // SAFETY: the memory is ours.
            unsafe { libc::madvise(start.cast(), size, libc::MADV_POPULATE_WRITE) };
        }
        if align == HUGE {
            // SAFETY: the memory is ours. If the system has no huge pages it has small ones.
            unsafe { libc::madvise(start.cast(), size, libc::MADV_HUGEPAGE) };
        }
        self.fresh = size / PAGE;
        self.total += self.fresh;
        self.chunks.push(Chunk { start, layout });
        true
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        for Chunk { start, layout } in self.chunks.drain(..) {
            // SAFETY: it was allocated with that layout, and whoever had pages of it has ended before.
            unsafe { std::alloc::dealloc(start, layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn pages_are_aligned_distinct_and_used_again() {
        let mut pages = Pages::default();
        let taken: BTreeSet<usize> = (0..10_000).map(|_| pages.take().addr()).collect();
        assert_eq!(taken.len(), 10_000);
        assert!(taken.iter().all(|address| address.is_multiple_of(PAGE)));
        let page = pages.take();
        pages.give(page);
        assert_eq!(pages.take(), page);
    }
}
