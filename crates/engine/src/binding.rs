//! What is made when it is first asked for: natives on an object, and globals. A start that made all of
//! them would take half as long again.
#![expect(
    unsafe_code,
    reason = "the engine's exotic objects and accessors are made without the bindings"
)]

use crate::part;
use crate::raw;
use crate::state::state;
use rquickjs::{Ctx, Error, Function, Object, Result, Value, qjs};
use std::ffi::{CStr, c_char};
use std::ptr::NonNull;
use std::rc::Rc;

/// Makes the native of a name, if there is one.
pub type Find = for<'js> fn(&Ctx<'js>, &str) -> Option<Result<Function<'js>>>;

/// A new `binding`: what it is asked for and does not have, it gets from there.
pub fn binding<'js>(ctx: &Ctx<'js>, find: Find) -> Result<Object<'js>> {
    part::store(ctx, &Rc::new(find));
    let definition = qjs::JSClassDef {
        class_name: c"Binding".as_ptr(),
        finalizer: None,
        gc_mark: None,
        call: None,
        exotic: (&raw const METHODS.0).cast_mut(),
    };
    let object = Object::new(ctx.clone())?;
    let mut class = 0;
    // SAFETY: the engine copies the definition and never writes to the methods, which are static; the
    // new reference to the prototype is taken over by the value.
    let prototype = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let runtime = qjs::JS_GetRuntime(raw);
        qjs::JS_NewClassID(runtime, &mut class);
        if qjs::JS_NewClass(runtime, class, &definition) != 0 {
            return Err(Error::Allocation);
        }
        raw::take(ctx, qjs::JS_NewObjectProtoClass(raw, qjs::JS_NULL, class))?
    };
    object.set_prototype(prototype.as_object())?;
    Ok(object)
}

struct Methods(qjs::JSClassExoticMethods);

// SAFETY: they are pointers to functions.
unsafe impl Sync for Methods {}

static METHODS: Methods = Methods(qjs::JSClassExoticMethods {
    get_own_property: None,
    get_own_property_names: None,
    delete_property: None,
    define_own_property: None,
    has_property: None,
    get_property: Some(get_native),
    set_property: None,
});

/// `binding` has no property of that name: it gets one if there is such a function.
unsafe extern "C" fn get_native(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    atom: qjs::JSAtom,
    binding: qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the engine passes a living context, an atom and the object that was asked, and takes over
    // the reference that is given back; the name is copied before it is freed.
    unsafe {
        let bindings = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let text = qjs::JS_AtomToCStringLen(ctx, std::ptr::null_mut(), atom);
        if text.is_null() {
            return qjs::JS_EXCEPTION;
        }
        let found = CStr::from_ptr(text).to_str().ok().and_then(|name| {
            let function = (*part::of::<Find>(&bindings))(&bindings, name)?
                .and_then(|function| function.with_name(name));
            state(&bindings).registered.compiled.note_native(name);
            Some(function)
        });
        qjs::JS_FreeCString(ctx, text);
        // What there is not is not looked for again: the library asks often whether somebody has put it there.
        let function = match found {
            None => Value::new_undefined(bindings.clone()),
            Some(Err(_)) => return qjs::JS_EXCEPTION,
            Some(Ok(function)) => function.into_value(),
        };
        let flags = qjs::JS_PROP_C_W_E as i32;
        let kept = qjs::JS_DupValue(ctx, function.as_raw());
        if qjs::JS_DefinePropertyValue(ctx, binding, atom, kept, flags) < 0 {
            return qjs::JS_EXCEPTION;
        }
        raw::give(Ok(function))
    }
}

/// Gives an object a property that is computed by natives, which get the number.
pub fn define_accessor<'js>(
    ctx: &Ctx<'js>,
    object: &Object<'js>,
    name: &str,
    shown: bool,
    magic: i32,
    get: raw::Native,
    set: raw::Native,
) -> Result<()> {
    let get = raw::function(ctx, c"", 0, magic, get)?;
    let set = raw::function(ctx, c"", 1, magic, set)?;
    let shown = if shown { qjs::JS_PROP_ENUMERABLE } else { 0 };
    let flags = (qjs::JS_PROP_CONFIGURABLE | shown) as i32;
    // SAFETY: all values belong to the context; the engine takes over a reference to each function.
    let defined = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let atom = qjs::JS_NewAtomLen(raw, name.as_ptr().cast::<c_char>(), name.len() as _);
        let get = qjs::JS_DupValue(raw, get.as_raw());
        let set = qjs::JS_DupValue(raw, set.as_raw());
        let defined = qjs::JS_DefinePropertyGetSet(raw, object.as_raw(), atom, get, set, flags);
        qjs::JS_FreeAtom(raw, atom);
        defined
    };
    if defined < 0 { Err(Error::Exception) } else { Ok(()) }
}

/// Makes a global an ordinary property. Whether it shows among the keys stays as it is by now.
pub fn settle<'js>(ctx: &Ctx<'js>, name: &str, value: &Value<'js>) -> Result<()> {
    let writable = qjs::JS_PROP_HAS_WRITABLE | qjs::JS_PROP_WRITABLE;
    let flags = (qjs::JS_PROP_HAS_VALUE | writable | qjs::JS_PROP_THROW) as i32;
    let globals = ctx.globals();
    // SAFETY: all values belong to the context and are alive; defining makes references of its own.
    let defined = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let atom = qjs::JS_NewAtomLen(raw, name.as_ptr().cast::<c_char>(), name.len() as _);
        let none = qjs::JS_UNDEFINED;
        let object = globals.as_raw();
        let defined = qjs::JS_DefineProperty(raw, object, atom, value.as_raw(), none, none, flags);
        qjs::JS_FreeAtom(raw, atom);
        defined
    };
    if defined < 0 { Err(Error::Exception) } else { Ok(()) }
}
