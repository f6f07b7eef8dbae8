//! What a proxy says of a property. The engine reads a handler's answer as it reads what a program wants to define,
//! which is not marked as an accessor: so who asked got a value, `undefined`, in the place of getter and setter. The
//! engine's function is one of a table that its class of proxies refers to, and this puts another table there, which
//! has the mark made.
#![expect(unsafe_code, reason = "it replaces a function of the engine")]

use crate::mirror::{CLASSES_BEFORE_FRAME, Class, INNERMOST, PROXY};
use rquickjs::{Ctx, qjs};
use std::ffi::c_int;
use std::sync::OnceLock;

type Ask = unsafe extern "C" fn(
    ctx: *mut qjs::JSContext,
    answer: *mut qjs::JSPropertyDescriptor,
    proxy: qjs::JSValue,
    name: qjs::JSAtom,
) -> c_int;

/// The engine's own function, the same in all runtimes.
static OWN: OnceLock<Ask> = OnceLock::new();

struct Methods(qjs::JSClassExoticMethods);

// SAFETY: they are pointers to functions.
unsafe impl Sync for Methods {}
// SAFETY: as above.
unsafe impl Send for Methods {}

static METHODS: OnceLock<Methods> = OnceLock::new();

/// Has proxies tell of accessors. Once for each runtime.
pub fn install(ctx: &Ctx<'_>) {
    // SAFETY: the context is alive and new, and in the engine that the manifest allows its runtime has its classes there,
    // of which the class of proxies has its functions in a table that nobody writes to.
    unsafe {
        let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr()).cast::<u8>();
        let place = INNERMOST - CLASSES_BEFORE_FRAME * size_of::<usize>();
        let class = runtime.add(place).cast::<*mut Class>().read().add(PROXY as usize);
        let Some(table) = (*class).exotic.cast::<qjs::JSClassExoticMethods>().as_ref() else {
            return;
        };
        let Some(own) = table.get_own_property else { return };
        OWN.get_or_init(|| own);
        let methods = METHODS.get_or_init(|| {
            Methods(qjs::JSClassExoticMethods { get_own_property: Some(ask), ..*table })
        });
        (*class).exotic = (&raw const methods.0).cast();
    }
}

unsafe extern "C" fn ask(
    ctx: *mut qjs::JSContext,
    answer: *mut qjs::JSPropertyDescriptor,
    proxy: qjs::JSValue,
    name: qjs::JSAtom,
) -> c_int {
    let own = OWN.get().expect("it was kept before this took its place");
    // SAFETY: the arguments are the engine's, and where it wants no answer there is no place for one.
    unsafe {
        let found = own(ctx, answer, proxy, name);
        if found > 0
            && let Some(answer) = answer.as_mut()
        {
            let accessor = (qjs::JS_PROP_HAS_GET | qjs::JS_PROP_HAS_SET) as c_int;
            if answer.flags & accessor != 0 {
                answer.flags |= qjs::JS_PROP_GETSET as c_int;
            }
        }
        found
    }
}
