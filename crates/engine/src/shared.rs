//! Memory that engines share: what is behind a `SharedArrayBuffer`.
#![expect(unsafe_code, reason = "the engine asks for memory and gives it back by its address")]

use crate::memory::Budget;
use crate::mirror::SHARED_ARRAY_BUFFER;
use hemiola_gate::{Taken, Word};
use rquickjs::{Context, Ctx, Result, Value, qjs};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::any::Any;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

/// A block, whose owners are counted across engines.
pub struct Memory {
    start: NonNull<u8>,
    layout: Layout,
    number: OnceLock<u64>,
    /// The memory that it takes of all engines.
    _taken: Taken,
}

// SAFETY: the block is only read and written by the engines, whose programs share it knowingly, and
// here by atomic operations.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

/// Before the bytes stands the address of their [`Memory`]; the room keeps the bytes aligned.
const HEADER: usize = 16;

impl Memory {
    /// A block of zeros with one owner; null if there is no memory.
    fn allocate(size: usize, taken: Taken) -> *mut u8 {
        let Some(layout) =
            size.checked_add(HEADER).and_then(|size| Layout::from_size_align(size, HEADER).ok())
        else {
            return std::ptr::null_mut();
        };
        // SAFETY: the layout has room for the header at least, which is written before anybody reads it.
        unsafe {
            let Some(start) = NonNull::new(alloc_zeroed(layout)) else {
                return std::ptr::null_mut();
            };
            let memory = Arc::new(Self { start, layout, number: OnceLock::new(), _taken: taken });
            start.cast::<*const Self>().write(Arc::into_raw(memory));
            start.as_ptr().add(HEADER)
        }
    }

    /// The block whose bytes begin there; the owner is not counted.
    ///
    /// # Safety
    ///
    /// The address is one that [`Memory::allocate`] gave, and has an owner.
    unsafe fn at(bytes: *mut u8) -> *const Self {
        // SAFETY: the caller's; the header was written when the block was made.
        unsafe { bytes.sub(HEADER).cast::<*const Self>().read() }
    }

    fn bytes(&self) -> *mut u8 {
        self.start.as_ptr().wrapping_add(HEADER)
    }
}

impl hemiola_gate::Memory for Memory {
    fn number(&self) -> &OnceLock<u64> {
        &self.number
    }

    fn holds(&self, offset: usize, word: Word) -> bool {
        let size = match word {
            Word::Narrow(_) => 4,
            Word::Wide(_) => 8,
        };
        if !offset.is_multiple_of(size) || offset + size > self.layout.size() - HEADER {
            return false;
        }
        let place = self.bytes().wrapping_add(offset);
        // SAFETY: the place is within the block and aligned; everybody else who writes there while
        // programs compare means it to be atomic, too.
        unsafe {
            match word {
                Word::Narrow(value) => {
                    AtomicI32::from_ptr(place.cast()).load(Ordering::SeqCst) == value
                }
                Word::Wide(value) => {
                    AtomicI64::from_ptr(place.cast()).load(Ordering::SeqCst) == value
                }
            }
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was allocated with that layout, and nobody owns it any more.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// Lets an engine's shared buffers be blocks that other engines can own, too; before there are any.
/// They take their memory from the room of that budget.
pub fn install(context: &Context, budget: &Budget) {
    let functions = qjs::JSSharedArrayBufferFunctions {
        sab_alloc: Some(allocate),
        sab_free: Some(free),
        sab_dup: Some(own),
        sab_opaque: context.with(|ctx| budget.address(ctx.as_raw().as_ptr())),
    };
    context.with(|ctx| {
        // SAFETY: the context is alive, and with it its runtime; the engine copies the table.
        unsafe {
            let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr());
            qjs::JS_SetSharedArrayBufferFunctions(runtime, &functions);
        }
    });
}

unsafe extern "C" fn allocate(budget: *mut c_void, size: qjs::size_t) -> *mut c_void {
    // SAFETY: `install` gave the engine the address of its own budget.
    match unsafe { Budget::share(budget, size as usize) } {
        Some(taken) => Memory::allocate(size as usize, taken).cast(),
        None => std::ptr::null_mut(),
    }
}

unsafe extern "C" fn free(_: *mut c_void, bytes: *mut c_void) {
    // SAFETY: the engine gives back what it was given, once for each owner.
    unsafe { Arc::decrement_strong_count(Memory::at(bytes.cast())) }
}

unsafe extern "C" fn own(_: *mut c_void, bytes: *mut c_void) {
    // SAFETY: the engine asks for bytes that have an owner.
    unsafe { Arc::increment_strong_count(Memory::at(bytes.cast())) }
}

/// The block behind a shared buffer; nothing for any other value.
pub fn behind(buffer: &Value<'_>) -> Option<Arc<Memory>> {
    let mut size = 0;
    // SAFETY: the value is alive. The bytes of a shared buffer are a block of ours, which the buffer
    // owns; one more owner is counted for the result.
    unsafe {
        if !is_shared(buffer) {
            return None;
        }
        let raw = buffer.ctx().as_raw().as_ptr();
        let bytes = NonNull::new(qjs::JS_GetArrayBuffer(raw, &mut size, buffer.as_raw()))?;
        let memory = Memory::at(bytes.as_ptr());
        Arc::increment_strong_count(memory);
        Some(Arc::from_raw(memory))
    }
}

/// The block of an engine that others have a share in.
pub fn of_engines(memory: Arc<dyn hemiola_gate::Memory>) -> Option<Arc<Memory>> {
    let memory: Arc<dyn Any + Send + Sync> = memory;
    memory.downcast().ok()
}

fn is_shared(buffer: &Value<'_>) -> bool {
    // SAFETY: the function looks at the value.
    unsafe { qjs::JS_GetClassID(buffer.as_raw()) == SHARED_ARRAY_BUFFER }
}

/// A shared buffer of so many bytes of a block; one that can grow has a greatest length.
pub fn buffer<'js>(
    ctx: &Ctx<'js>,
    memory: &Arc<Memory>,
    length: usize,
    most: usize,
) -> Result<Value<'js>> {
    let room = memory.layout.size() - HEADER;
    let (length, most) = (length.min(room), most.min(room));
    // SAFETY: the engine counts itself as an owner of the block, which is at least that long.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        let null = std::ptr::null_mut();
        let value =
            qjs::JS_NewArrayBuffer(raw, memory.bytes(), length as _, most as _, None, null, true);
        crate::raw::take(ctx, value)
    }
}
