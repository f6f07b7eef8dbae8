//! When resources are gone that do not say themselves that they have ended: promises, above all.
//!
//! Each has an object of a class of ours that nothing else refers to, so the engine frees it with the resource. What
//! is gone is told later: the engine frees wherever it is, and nobody can be called there.
#![expect(unsafe_code, reason = "objects are made and put into properties of the engine's")]

use crate::opaque::{self, Opaque};
use crate::opaque_functions;
use rquickjs::qjs::{self, JSClassID, JSContext, JSRuntime, JSValue};
use std::cell::{Cell, RefCell};
use std::ffi::CStr;
use std::rc::Rc;

/// So many are gone before somebody is called for it, unless the program collects garbage.
const MUCH: usize = 256;
/// With so many gone a tail that goes on for long is left for it, lest they fill the memory.
const MANY: usize = 16_384;

/// The resources that are gone, until hooks hear of them.
#[derive(Default)]
pub(super) struct Endings {
    class: Option<JSClassID>,
    gone: Rc<RefCell<Vec<u64>>>,
    /// Whether hooks hear of ends.
    pub(super) are_heard: Cell<bool>,
    /// How many had gone when somebody was last called for it.
    called_at: Cell<usize>,
}

/// What is freed with a resource.
struct Ending {
    id: u64,
    gone: Rc<RefCell<Vec<u64>>>,
}

impl Opaque for Ending {
    fn values(&self, _: impl FnMut(JSValue)) {}

    fn freed(self, _: *mut JSRuntime) {
        self.gone.borrow_mut().push(self.id);
    }

    fn is_plain(&self) -> bool {
        false
    }
}

opaque_functions!(Ending);

impl Endings {
    /// Those of a context, which is alive.
    pub(super) unsafe fn new(ctx: *mut JSContext) -> Self {
        // SAFETY: the caller's; the functions are those of what the objects own.
        let class = unsafe { opaque::define(ctx, c"Ending", finalize, mark, None) };
        Self { class, ..Self::default() }
    }

    /// Notes when a resource is gone, in a property of that name.
    ///
    /// # Safety
    ///
    /// The resource is an object of the context.
    pub(super) unsafe fn watch(
        &self,
        ctx: *mut JSContext,
        resource: JSValue,
        name: qjs::JSAtom,
        id: u64,
    ) {
        let Some(class) = self.class else { return };
        let ending = Ending { id, gone: Rc::clone(&self.gone) };
        // SAFETY: the caller's; the class is one of the context's runtime.
        let make = || unsafe { qjs::JS_NewObjectProtoClass(ctx, qjs::JS_NULL, class) };
        // SAFETY: the caller's; the object is new, and the property takes it over. A resource that took no properties
        // would count as gone at once, but who is watched is new; without memory the program ends anyhow.
        unsafe {
            let object = opaque::put(ctx, ending, make);
            if !qjs::JS_IsException(object) {
                qjs::JS_DefinePropertyValue(ctx, resource, name, object, 0);
            }
        }
    }

    /// The function of the library that is to be called because so much is gone: once before the next immediate, and once
    /// in the tail.
    pub(super) fn wants(&self) -> Option<&'static CStr> {
        let count = self.gone.borrow().len();
        let before = self.called_at.get();
        let wanted = match count {
            MANY.. if before < MANY => c"tellInTail",
            MUCH.. if before < MUCH => c"tellGoneSoon",
            _ => return None,
        };
        self.called_at.set(count);
        Some(wanted)
    }

    /// The numbers of those that are gone, in the order in which they were made.
    pub(super) fn take(&self) -> Vec<u64> {
        self.called_at.set(0);
        let mut gone = self.gone.take();
        gone.sort_unstable();
        gone
    }
}
