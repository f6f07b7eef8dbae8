//! Structures and numbers of QuickJS-NG that are read from outside, all in one place.
//!
//! They are those of the one version that the manifest allows. A test has the C compiler compare them
//! with the engine's sources. [`check`](crate::familiar::check) makes values that it knows and reads them
//! back, before anything else does; where the engine keeps stack frames, promise jobs and classes is
//! looked for by who needs it, and given up if it is not there.
#![expect(unsafe_code, reason = "it reads structs of the engine")]

use rquickjs::qjs::{self, JSValue};
use std::ffi::c_void;

pub(crate) mod instructions;
#[cfg(test)]
mod tests;

/// The engine's numbers of its classes: objects without one of their own, what modules export, buffers.
pub(crate) const PLAIN: qjs::JSClassID = 1;
/// See [`PLAIN`].
pub(crate) const MODULE_NAMESPACE: qjs::JSClassID = 11;
/// See [`PLAIN`].
pub(crate) const ARRAY_BUFFER: qjs::JSClassID = 20;
/// See [`PLAIN`].
pub(crate) const SHARED_ARRAY_BUFFER: qjs::JSClassID = 21;
/// See [`PLAIN`]: arrays of bytes.
pub(crate) const BYTES: qjs::JSClassID = 24;
/// See [`PLAIN`].
pub(crate) const DATE: qjs::JSClassID = 10;
/// See [`PLAIN`].
pub(crate) const MAP_ITERATOR: qjs::JSClassID = 44;
/// See [`PLAIN`].
pub(crate) const SET_ITERATOR: qjs::JSClassID = 45;
/// See [`PLAIN`].
pub(crate) const ARRAY_ITERATOR: qjs::JSClassID = 46;

/// See [`PLAIN`].
pub(crate) const PROXY: qjs::JSClassID = 51;

/// See [`PLAIN`]: functions that are bound, natives that have values of their own, promises, what resolves one, and what an async function
/// goes on with. After each of the last two comes the one that rejects.
pub(crate) const BOUND_FUNCTION: qjs::JSClassID = 14;
pub(crate) const DATA_FUNCTION: qjs::JSClassID = 15;
pub(crate) const PROMISE: qjs::JSClassID = 52;
pub(crate) const RESOLVE: qjs::JSClassID = 53;
pub(crate) const ASYNC_RESUME: qjs::JSClassID = 56;

/// See [`PLAIN`], as objects have it: functions with code, and of these the ones that are generators, async, or both.
pub(crate) const CODE: u16 = 13;
pub(crate) const GENERATOR: u16 = 17;
pub(crate) const ASYNC: u16 = 55;
pub(crate) const ASYNC_GENERATOR: u16 = 59;

/// A function that runs, or a native that it calls.
#[repr(C)]
pub(crate) struct StackFrame {
    pub(crate) previous: *const StackFrame,
    pub(crate) function: JSValue,
    pub(crate) arguments: *mut JSValue,
    pub(crate) variables: *mut JSValue,
    pub(crate) references: *const *const Reference,
    /// After the instruction that is being executed.
    pub(crate) pc: *const u8,
    pub(crate) reference_count: u16,
    pub(crate) argument_count: u16,
    pub(crate) is_strict: bool,
    pub(crate) is_constructor: bool,
    pub(crate) sp: *const JSValue,
    /// What owns a frame that can be suspended.
    pub(crate) owner: *const c_void,
}

/// A function that can be suspended, with its frame.
#[repr(C)]
pub(crate) struct Coroutine {
    pub(crate) this: JSValue,
    pub(crate) argument_count: i32,
    pub(crate) throws: bool,
    pub(crate) frame: StackFrame,
}

/// A call of an async function.
#[repr(C)]
pub(crate) struct AsyncCall {
    pub(crate) link: [usize; 2],
    /// What settles its promise.
    pub(crate) resolving: [JSValue; 2],
    pub(crate) is_active: bool,
    pub(crate) state: Coroutine,
}

/// A promise, and what waits for it to be fulfilled or rejected.
#[repr(C)]
pub(crate) struct Promised {
    pub(crate) state: i32,
    pub(crate) reactions: [List; 2],
    pub(crate) is_handled: bool,
    pub(crate) result: JSValue,
}

/// What waits for a promise, and what settles the promise that is made of it.
#[repr(C)]
pub(crate) struct Reaction {
    pub(crate) link: List,
    pub(crate) resolving: [JSValue; 2],
    pub(crate) handler: JSValue,
}

/// Of a function that settles a promise.
#[repr(C)]
pub(crate) struct Resolving {
    pub(crate) promise: JSValue,
    pub(crate) resolved: *const Resolved,
}

/// What the two functions share that settle a promise.
#[repr(C)]
pub(crate) struct Resolved {
    pub(crate) references: i32,
    /// Whether one of them was called.
    pub(crate) is_used: bool,
}

/// A promise job that waits. Its values come last.
#[repr(C)]
pub(crate) struct Job {
    pub(crate) link: List,
    pub(crate) context: *const c_void,
    pub(crate) function: *const c_void,
    pub(crate) count: i32,
    pub(crate) values: [JSValue; 0],
}

/// Of a function that is bound.
#[repr(C)]
pub(crate) struct Bound {
    pub(crate) function: JSValue,
    pub(crate) this: JSValue,
}

/// Of a native that has values of its own, which come last.
#[repr(C)]
pub(crate) struct DataFunction {
    pub(crate) function: *const c_void,
    pub(crate) length: u8,
    pub(crate) count: u8,
    pub(crate) magic: u16,
    pub(crate) data: [JSValue; 0],
}

/// A function that was made by code. Other objects have something else after `weak`, and are as long.
#[repr(C)]
pub(crate) struct FunctionObject {
    pub(crate) link: [usize; 2],
    pub(crate) flags: [u8; 2],
    pub(crate) class: u16,
    pub(crate) shape: *const c_void,
    pub(crate) properties: *const c_void,
    pub(crate) weak: *const c_void,
    pub(crate) code: *const Code,
    pub(crate) references: *const *const Reference,
    pub(crate) home: *const c_void,
}

/// The class of arrays.
pub(crate) const ARRAY: qjs::JSClassID = 2;

/// An array, or a plain object, which has nothing after `weak`.
#[repr(C)]
pub(crate) struct ArrayObject {
    pub(crate) link: [usize; 2],
    pub(crate) flags: [u8; 2],
    pub(crate) class: u16,
    pub(crate) shape: *const Shape,
    pub(crate) properties: *const c_void,
    pub(crate) weak: *const c_void,
    pub(crate) room: usize,
    pub(crate) values: *const JSValue,
    pub(crate) count: u32,
}

impl ArrayObject {
    /// In its first byte of flags: its elements are `values`, without a gap.
    pub(crate) const DENSE: u8 = 1 << 4;
    /// See [`Self::DENSE`]: it may have properties that its shape does not name.
    pub(crate) const EXOTIC: u8 = 1 << 3;
}

/// What a native of the engine leads to.
pub(crate) type NativeFunction =
    unsafe extern "C" fn(*mut qjs::JSContext, JSValue, i32, *mut JSValue) -> JSValue;

/// A native.
#[repr(C)]
pub(crate) struct NativeObject {
    pub(crate) link: [usize; 2],
    pub(crate) flags: [u8; 2],
    pub(crate) class: u16,
    pub(crate) shape: *const Shape,
    pub(crate) properties: *const c_void,
    pub(crate) weak: *const c_void,
    pub(crate) realm: *const c_void,
    pub(crate) function: NativeFunction,
}

/// The names of an object's properties. Behind it stand `mask` and one more words, and then the properties.
#[repr(C)]
pub(crate) struct Shape {
    pub(crate) link: [usize; 2],
    pub(crate) is_hashed: u8,
    pub(crate) hash: u32,
    pub(crate) mask: u32,
    pub(crate) room: i32,
    pub(crate) count: i32,
    pub(crate) deleted: i32,
    pub(crate) next: *const Shape,
    pub(crate) prototype: *const c_void,
}

impl Shape {
    /// Where its properties begin.
    ///
    /// # Safety
    ///
    /// It is alive.
    #[inline]
    pub(crate) unsafe fn properties(shape: *const Self) -> *const ShapeProperty {
        // SAFETY: the caller's.
        unsafe { shape.add(1).cast::<u32>().add((*shape).mask as usize + 1).cast() }
    }

    /// Where the property of that name is; nothing if there is none.
    ///
    /// # Safety
    ///
    /// It is alive.
    #[inline]
    pub(crate) unsafe fn place(shape: *const Self, name: u32) -> Option<usize> {
        // SAFETY: the caller's. Every word behind it is 0, or the number of a property, counted from one: the first of
        // those whose names share the word.
        unsafe {
            let mask = u64::from((*shape).mask);
            let word = u64::from(name).wrapping_mul(SPREAD) >> (1 + (mask + 1).leading_zeros());
            let mut number = *shape.add(1).cast::<u32>().add((mask - word) as usize);
            while number != 0 {
                let at = number as usize - 1;
                let property = Self::properties(shape).add(at);
                if (*property).name == name {
                    return Some(at);
                }
                number = (*property).bits & ShapeProperty::NEXT;
            }
        }
        None
    }
}

/// What names are multiplied with to spread them.
const SPREAD: u64 = 0x61c8_8646_80b5_83eb;

/// A property of a shape.
#[repr(C)]
pub(crate) struct ShapeProperty {
    pub(crate) bits: u32,
    pub(crate) name: u32,
}

impl ShapeProperty {
    const SHIFT: u32 = 26;
    /// In its bits: the number of the next one.
    const NEXT: u32 = (1 << Self::SHIFT) - 1;
    /// In its bits.
    pub(crate) const ENUMERABLE: u32 = qjs::JS_PROP_ENUMERABLE << Self::SHIFT;
    /// A property that is a value.
    pub(crate) const VALUE: u32 = 0;

    /// Of what kind a property with these bits is.
    #[inline]
    pub(crate) fn kind(bits: u32) -> u32 {
        (bits >> Self::SHIFT) & qjs::JS_PROP_TMASK
    }
}

/// The head of a text; the characters follow.
#[repr(C)]
pub(crate) struct Text {
    /// And in the highest bit, whether it is wide.
    pub(crate) length: u32,
    pub(crate) bits: u32,
    pub(crate) next: u32,
    pub(crate) weak: *const c_void,
}

impl Text {
    pub(crate) const WIDE: u32 = 1 << 31;
    /// Kinds: its characters follow; they are part of another text; there stands where they are.
    pub(crate) const WHOLE: u32 = 0;
    pub(crate) const SLICE: u32 = 1;
    pub(crate) const INDIRECT: u32 = 2;

    pub(crate) fn kind(&self) -> u32 {
        (self.bits >> 28) & 3
    }
}

/// Where a runtime has the address of the innermost frame, in bytes.
pub(crate) const INNERMOST: usize = 1264;
/// How many words after the address of the innermost frame the runtime has its list of promise jobs.
pub(crate) const JOBS_AFTER_FRAME: usize = 8;
/// How many words before it the runtime has the address of its classes.
pub(crate) const CLASSES_BEFORE_FRAME: usize = 17;

/// Where a context has its count of steps, in bytes.
pub(crate) const COUNTER: usize = 548;
/// Where it has the function that evaluates text.
pub(crate) const EVALUATE: usize = 576;
/// From what it counts.
pub(crate) const STEPS: i32 = 10_000;

/// The code of a function.
#[repr(C)]
pub(crate) struct Code {
    pub(crate) link: [usize; 2],
    pub(crate) flags: [u8; 2],
    pub(crate) bytes: *const u8,
    pub(crate) length: i32,
    pub(crate) name: u32,
    pub(crate) variables: *const Variable,
    pub(crate) captured: *const Captured,
    pub(crate) argument_count: u16,
    pub(crate) variable_count: u16,
    pub(crate) defined_argument_count: u16,
    pub(crate) stack_size: u16,
    pub(crate) reference_count: u16,
    pub(crate) captured_count: u16,
    pub(crate) constant_count: i32,
    pub(crate) realm: *const c_void,
    pub(crate) constants: *const JSValue,
    pub(crate) file: u32,
    pub(crate) line: i32,
    pub(crate) column: i32,
    pub(crate) source_length: i32,
    pub(crate) places_length: i32,
    pub(crate) places: *const u8,
}

impl Code {
    pub(crate) fn is_strict(&self) -> bool {
        self.flags[0] & 1 != 0
    }

    pub(crate) fn is_generator(&self) -> bool {
        self.flags[0] & (1 << 5) != 0
    }

    pub(crate) fn is_async(&self) -> bool {
        self.flags[0] & (1 << 6) != 0
    }
}

/// In the table of places, a byte other than 0 tells how many lines come next, from this number on.
pub(crate) const FEWEST_LINES: i32 = -1;
/// See [`FEWEST_LINES`]: so many numbers of lines are told by a byte.
pub(crate) const NUMBERS_OF_LINES: i32 = 5;

/// A parameter or variable of a function.
#[repr(C)]
pub(crate) struct Variable {
    pub(crate) name: u32,
    pub(crate) scope: i32,
    pub(crate) next: i32,
    pub(crate) flags: u8,
    pub(crate) reference: u16,
    pub(crate) pool: i32,
}

/// A variable of a function around it that a function uses.
#[repr(C)]
pub(crate) struct Captured {
    pub(crate) flags: [u8; 2],
    pub(crate) index: u16,
    pub(crate) name: u32,
}

/// What functions share of a variable.
#[repr(C)]
pub(crate) struct Reference {
    pub(crate) link: [usize; 2],
    pub(crate) flags: [u8; 4],
    pub(crate) value: *mut JSValue,
}

/// Neighbours in a list of the engine.
#[repr(C)]
pub(crate) struct List {
    pub(crate) previous: *mut List,
    pub(crate) next: *mut List,
}

/// An entry of a map or set; its list goes through `link`.
#[repr(C)]
pub(crate) struct Record {
    pub(crate) references: i32,
    pub(crate) is_deleted: bool,
    pub(crate) map: *const c_void,
    pub(crate) link: List,
    pub(crate) hash_link: List,
    pub(crate) key: qjs::JSValue,
    pub(crate) value: qjs::JSValue,
}

/// A map or set, as far as it is read here.
#[repr(C)]
pub(crate) struct Entries {
    pub(crate) is_weak: bool,
    pub(crate) records: List,
}

/// An iterator over a map or set: what is left of it comes after `current`.
#[repr(C)]
pub(crate) struct Position {
    pub(crate) collection: qjs::JSValue,
    pub(crate) kind: u32,
    pub(crate) current: *const Record,
}

pub(crate) const KEYS: u32 = 0;
pub(crate) const PAIRS: u32 = 2;

/// What the engine knows of a class.
#[repr(C)]
pub(crate) struct Class {
    pub(crate) id: u32,
    pub(crate) name: u32,
    pub(crate) finalizer: qjs::JSClassFinalizer,
    pub(crate) mark: qjs::JSClassGCMark,
    pub(crate) call: qjs::JSClassCall,
    pub(crate) exotic: *const c_void,
}

/// Kinds of things that can be collected.
pub(crate) const OBJECT: u8 = 0;
pub(crate) const ASYNC_CALL: u8 = 4;
pub(crate) const CONTEXT: u8 = 5;

/// How many bytes before a thing that can be collected its kind stands.
const KIND_BEFORE: usize = 5;

/// Of what kind a thing is that can be collected: it stands in the word before it.
///
/// # Safety
///
/// It is such a thing, and alive.
pub(crate) unsafe fn kind(thing: *const u8) -> u8 {
    // SAFETY: the caller's.
    unsafe { *thing.sub(KIND_BEFORE) & 0x7f }
}
