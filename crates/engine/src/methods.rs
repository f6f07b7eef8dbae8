//! Tables of functions that the engine makes when they are first used.
#![expect(unsafe_code, reason = "the engine keeps pointers into the tables")]

use crate::raw::Native;
use rquickjs::{Ctx, Error, Object, Result, qjs};
use std::ffi::CStr;

/// A table that the engine keeps pointers into.
pub struct Methods<const N: usize>([qjs::JSCFunctionListEntry; N]);

// SAFETY: the entries point to static text and to functions, and nobody writes to them.
unsafe impl<const N: usize> Sync for Methods<N> {}

impl<const N: usize> Methods<N> {
    /// Methods that are one native, which tells them apart by their number: names, lengths, numbers.
    pub const fn new(native: Native, methods: [(&'static CStr, u8, i16); N]) -> Self {
        let mut entries = [entry(native, methods[0]); N];
        let mut at = 1;
        while at < N {
            entries[at] = entry(native, methods[at]);
            at += 1;
        }
        Self(entries)
    }

    /// Gives an object these methods.
    pub fn add_to(&'static self, ctx: &Ctx<'_>, object: &Object<'_>) -> Result<()> {
        // SAFETY: the object belongs to the context, and the table lives as long as the program.
        let added = unsafe {
            let raw = ctx.as_raw().as_ptr();
            qjs::JS_SetPropertyFunctionList(raw, object.as_raw(), self.0.as_ptr(), N as _)
        };
        if added < 0 { Err(Error::Exception) } else { Ok(()) }
    }
}

const fn entry(
    native: Native,
    (name, length, magic): (&'static CStr, u8, i16),
) -> qjs::JSCFunctionListEntry {
    qjs::JSCFunctionListEntry {
        name: name.as_ptr(),
        prop_flags: qjs::JS_PROP_C_W_E as u8,
        def_type: qjs::JS_DEF_CFUNC as u8,
        magic,
        u: qjs::JSCFunctionListEntry__bindgen_ty_1 {
            func: qjs::JSCFunctionListEntry__bindgen_ty_1__bindgen_ty_1 {
                length,
                cproto: qjs::JSCFunctionEnum_JS_CFUNC_generic_magic as u8,
                cfunc: qjs::JSCFunctionType { generic_magic: Some(native) },
            },
        },
    }
}
