//! What an engine's objects own outside of its memory.
//!
//! Functions and classes of ours, and bytes that came in through the gate, are in our memory; the engine
//! gives them back when it frees their objects. An engine that is put back to an earlier moment frees
//! nothing: what its newer objects own is given back here, and what its older ones own stays until the
//! engine ends, whatever a program does to them.
//!
//! This reads the engine's list of all objects and its table of classes. They are those of the one
//! version that the manifest allows; [`Foreign::new`] looks whether they are what they should be, and
//! gives up if not.
#![expect(unsafe_code, reason = "it reads structs of the engine")]

use crate::arena::{Arena, Region};
use crate::contexts;
use crate::mirror::{ARRAY_BUFFER, CONTEXT, Class, List, OBJECT, SHARED_ARRAY_BUFFER, kind};
use crate::task::{self, Classes, Immediate, Kind, Started, Timer};
use rquickjs::allocator::Allocator;
use rquickjs::{Ctx, Function, qjs};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::rc::Rc;

/// The engine's two classes of buffers.
const BUFFERS: [u32; 2] = [ARRAY_BUFFER, SHARED_ARRAY_BUFFER];

/// What the objects of one engine own.
pub struct Foreign {
    context: *mut qjs::JSContext,
    region: Rc<Region>,
    /// The newest object at that moment.
    mark: qjs::JSValue,
    /// Set once the engine has looked for cycles, which puts its objects into another order.
    reordered: Box<Cell<bool>>,
    /// Where the runtime has the address of its classes.
    classes: usize,
    /// The first class that is not the engine's own.
    first: u32,
    /// Objects that own something, each with a reference from here.
    older: FxHashSet<usize>,
}

impl Foreign {
    /// Notes what there is. Nothing if an object owns what could not be put back with it, or if the
    /// engine is not the one that this file knows.
    pub fn new(ctx: &Ctx<'_>, region: Rc<Region>) -> Option<Self> {
        Self::after(ctx, region, None)
    }

    /// The same at a later moment than that one. Objects that have come since are put back with the engine's
    /// memory, and may own nothing else.
    pub fn after(ctx: &Ctx<'_>, region: Rc<Region>, before: Option<&Self>) -> Option<Self> {
        let context = ctx.as_raw().as_ptr();
        let ours = Function::new(ctx.clone(), || {}).ok()?;
        let classes = Classes::of(ctx.into());
        let reordered = Box::new(Cell::new(false));
        // SAFETY: the context is alive, and with it its runtime. The function's class is the second of
        // three that the bindings make one after the other.
        let mut foreign = unsafe {
            let first = qjs::JS_GetClassID(ours.as_raw()) - 1;
            drop(ours);
            let runtime = qjs::JS_GetRuntime(context);
            let found = find_classes(runtime, &region, classes)?;
            let mark = make_mark(context, &reordered)?;
            Self {
                context,
                region,
                mark,
                reordered,
                classes: found,
                first,
                older: FxHashSet::default(),
            }
        };
        // SAFETY: as above; what is in the list is alive.
        unsafe {
            let link: *mut List = qjs::JS_VALUE_GET_PTR(foreign.mark).cast();
            let looks_right = kind(link.cast()) == OBJECT
                && kind(context.cast()) == CONTEXT
                && (*(*link).previous).next == link
                && (*(*link).next).previous == link
                && foreign.is_head((*link).next)
                && BUFFERS.iter().all(|&class| foreign.class(class).id == class);
            if !looks_right {
                return None;
            }
            let mut older = Vec::new();
            let mut is_all_kept = true;
            foreign.each(true, |foreign, value, class| {
                if class < foreign.first {
                    is_all_kept = false;
                } else if before.is_none_or(|before| before.knows(value)) {
                    older.push(value);
                } else {
                    is_all_kept &= task::is_plain(ctx, value) || contexts::is_plain(ctx, value);
                }
            });
            if !is_all_kept {
                return None;
            }
            for value in older {
                qjs::JS_DupValue(context, value);
                foreign.older.insert(qjs::JS_VALUE_GET_PTR(value).addr());
            }
        }
        Some(foreign)
    }

    /// Whether what has come since is put back with the engine's memory, and owns nothing else.
    pub fn is_plain(&self, ctx: &Ctx<'_>) -> bool {
        let mut is_plain = true;
        // SAFETY: the context is alive, and nothing of it runs meanwhile.
        unsafe {
            self.each(self.reordered.get(), |foreign, value, class| {
                is_plain &= foreign.knows(value)
                    || class >= foreign.first
                        && (task::is_plain(ctx, value) || contexts::is_plain(ctx, value));
            });
        }
        is_plain
    }

    /// Whether the engine has put its objects into another order since.
    pub fn is_reordered(&self) -> bool {
        self.reordered.get()
    }

    /// Says whether it has, of an engine that was put back.
    pub fn set_reordered(&self, is_reordered: bool) {
        self.reordered.set(is_reordered);
    }

    /// Whether an object was there at that moment, or marks it.
    fn knows(&self, object: qjs::JSValue) -> bool {
        // SAFETY: the values are objects; their addresses are only compared.
        let [object, mark] =
            [object, self.mark].map(|value| unsafe { qjs::JS_VALUE_GET_PTR(value).addr() });
        object == mark || self.older.contains(&object)
    }

    /// Gives back what newer objects own. The engine is of no use afterwards until it is put back.
    pub fn give_back(&self) {
        let mut newer = Vec::new();
        // SAFETY: the context is alive, and what is in the list is, too. Whatever is dropped with what an
        // object owns may free others: those of the list get a reference, so that none of them is.
        unsafe {
            self.each(self.reordered.replace(false), |foreign, value, class| {
                let address = qjs::JS_VALUE_GET_PTR(value).addr();
                if class < foreign.first || !foreign.older.contains(&address) {
                    newer.push((value, class));
                }
            });
            for &(value, _) in &newer {
                qjs::JS_DupValue(self.context, value);
            }
            // Buffers last: nobody looks at what they hold by then.
            newer.sort_by_key(|&(_, class)| class < self.first);
            let runtime = qjs::JS_GetRuntime(self.context);
            for (value, class) in newer {
                if let Some(finalizer) = self.class(class).finalizer {
                    finalizer(runtime, value);
                }
            }
        }
    }

    /// Lets older objects end as others do: their engine is going to. It is as it was at that moment.
    pub fn let_go(self) {
        // SAFETY: the context is alive; each reference is given back once.
        unsafe {
            for &address in &self.older {
                let object = std::ptr::with_exposed_provenance_mut(address);
                qjs::JS_FreeValue(self.context, qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, object));
            }
            qjs::JS_FreeValue(self.context, self.mark);
        }
    }

    /// Every object that may own something, with its class: all of them, or those after the mark.
    ///
    /// # Safety
    ///
    /// The context is alive, and nothing of it runs meanwhile.
    unsafe fn each(&self, all: bool, mut act: impl FnMut(&Self, qjs::JSValue, u32)) {
        // SAFETY: links lead from one thing to the next, and back to the head.
        unsafe {
            let mark: *mut List = qjs::JS_VALUE_GET_PTR(self.mark).cast();
            let mut link = (*mark).next;
            while link != mark {
                if self.is_head(link) {
                    if !all {
                        break;
                    }
                } else if kind(link.cast()) == OBJECT {
                    let value = qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, link.cast());
                    let class = qjs::JS_GetClassID(value);
                    if class >= self.first || (BUFFERS.contains(&class) && self.is_outside(value)) {
                        act(self, value, class);
                    }
                }
                link = (*link).next;
            }
        }
    }

    /// Whether a buffer's bytes are not in the engine's memory.
    ///
    /// # Safety
    ///
    /// The value is a buffer that is alive.
    unsafe fn is_outside(&self, buffer: qjs::JSValue) -> bool {
        let mut size = 0;
        // SAFETY: the caller's. A buffer that was detached has no bytes, and an error says so.
        unsafe {
            let bytes = qjs::JS_GetArrayBuffer(self.context, &mut size, buffer);
            if bytes.is_null() {
                qjs::JS_FreeValue(self.context, qjs::JS_GetException(self.context));
            }
            !bytes.is_null() && !self.region.contains(bytes)
        }
    }

    /// Whether a link is the head of the list, which is in the runtime.
    unsafe fn is_head(&self, link: *mut List) -> bool {
        // SAFETY: the runtime is a block of the engine's allocator.
        unsafe {
            let runtime = qjs::JS_GetRuntime(self.context);
            let size = Arena::usable_size(runtime.cast());
            link.addr().wrapping_sub(runtime.addr()) < size
        }
    }

    /// What the engine knows of a class that there is.
    unsafe fn class(&self, class: u32) -> &Class {
        // SAFETY: the place was looked at when this was made.
        unsafe {
            let runtime: *const u8 = qjs::JS_GetRuntime(self.context).cast();
            &*(*runtime.add(self.classes).cast::<*const Class>()).add(class as usize)
        }
    }
}

/// Where in the runtime the address of its classes is: the only place that leads to ours.
///
/// # Safety
///
/// The runtime is alive, and its memory is that region.
unsafe fn find_classes(
    runtime: *mut qjs::JSRuntime,
    region: &Region,
    classes: Classes,
) -> Option<usize> {
    // SAFETY: the runtime is a block of the engine's allocator; whatever stands in it is only taken for an
    // address if all that would be read there is within the region, where anything may be read.
    unsafe {
        let size = Arena::usable_size(runtime.cast());
        (0..size - size_of::<usize>()).step_by(size_of::<usize>()).find(|&offset| {
            let table = *runtime.cast::<u8>().add(offset).cast::<*const Class>();
            let holds = |class: u32, kind: Kind| {
                let entry = table.wrapping_add(class as usize);
                region.contains(entry.cast())
                    && region.contains(entry.wrapping_add(1).cast())
                    && (*entry).id == class
                    && task::is_class(kind, &(*entry).finalizer, &(*entry).mark)
            };
            table.is_aligned()
                && holds(classes.timeout, Timer::KIND)
                && holds(classes.immediate, Immediate::KIND)
        })
    }
}

/// Makes an object that notes when the engine looks for cycles.
///
/// # Safety
///
/// The context is alive, and the cell outlives it.
unsafe fn make_mark(context: *mut qjs::JSContext, reordered: &Cell<bool>) -> Option<qjs::JSValue> {
    let definition = qjs::JSClassDef {
        class_name: c"Mark".as_ptr(),
        finalizer: None,
        gc_mark: Some(note),
        call: None,
        exotic: std::ptr::null_mut(),
    };
    let mut class = 0;
    // SAFETY: the caller's; the engine copies the definition.
    unsafe {
        let runtime = qjs::JS_GetRuntime(context);
        qjs::JS_NewClassID(runtime, &mut class);
        if qjs::JS_NewClass(runtime, class, &definition) != 0 {
            return None;
        }
        let mark = qjs::JS_NewObjectProtoClass(context, qjs::JS_NULL, class);
        if qjs::JS_IsException(mark) {
            return None;
        }
        qjs::JS_SetOpaque(mark, std::ptr::from_ref(reordered).cast_mut().cast());
        Some(mark)
    }
}

unsafe extern "C" fn note(_: *mut qjs::JSRuntime, mark: qjs::JSValue, _: qjs::JS_MarkFunc) {
    let mut class = 0;
    // SAFETY: the object was made with the address of a cell that outlives it, or none yet.
    unsafe {
        if let Some(cell) = qjs::JS_GetAnyOpaque(mark, &mut class).cast::<Cell<bool>>().as_ref() {
            cell.set(true);
        }
    }
}
