//! Code that was compiled when Hemiola was built.
#![expect(unsafe_code, reason = "loading bytecode trusts it; ours comes from a build script")]

use rquickjs::{Ctx, Error, Result, Value, qjs};

/// The value of a script that this very engine compiled, in a build script. Other bytes are not to be
/// given here: the engine does not check them.
pub fn evaluate<'js>(ctx: &Ctx<'js>, bytecode: &'static [u8]) -> Result<Value<'js>> {
    // SAFETY: the bytes are bytecode that a build script wrote with this very engine, and they live as
    // long as the program; evaluating takes over the one reference to what was read, and gives a new one.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        let flags = qjs::JS_READ_OBJ_BYTECODE as i32;
        let script = qjs::JS_ReadObject(raw, bytecode.as_ptr(), bytecode.len() as _, flags);
        let value = qjs::JS_EvalFunction(raw, script);
        if qjs::JS_IsException(value) {
            return Err(Error::Exception);
        }
        Ok(Value::from_raw(ctx.clone(), value))
    }
}
