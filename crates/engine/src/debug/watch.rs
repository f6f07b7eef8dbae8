//! Values whose changes are waited for.
#![expect(unsafe_code, reason = "values are looked at where the engine has them")]

use super::engine::Atom;
use super::goal::Watch;
use super::look::Reason;
use super::places;
use super::session::{Here, Session};
use super::values;
use crate::raw::Owned;
use rquickjs::Ctx;
use rquickjs::qjs::{self, JSContext, JSValue};
use std::ptr::NonNull;

/// A value that is watched, as it was last.
pub(super) struct Watched {
    watch: Watch,
    /// Where the variable was, and what was found; nothing for one that has no value yet.
    last: Option<(usize, Option<Owned>)>,
}

impl Watched {
    pub(super) fn new(watch: Watch) -> Self {
        Self { watch, last: None }
    }

    /// Looks at the value; tells if it is another than before.
    pub(super) fn look(
        &mut self,
        ctx: *mut JSContext,
        session: &Session,
        here: Option<&Here>,
    ) -> Option<Reason> {
        // SAFETY: the engine calls with a living context.
        let bindings = unsafe { Ctx::from_raw(NonNull::new(ctx)?) };
        let at = places::watched(&bindings, session, here, &self.watch)?;
        // SAFETY: the address is that of a variable which is alive.
        let root = unsafe { *at };
        let found = self.follow(&bindings, root);
        let before = self.last.replace((at.addr(), found));
        let (address, before) = before?;
        let (_, now) = self.last.as_ref()?;
        let same = match (&before, now) {
            (None, None) => true,
            // SAFETY: both values are alive.
            (Some(one), Some(two)) => unsafe {
                qjs::JS_IsSameValue(ctx, one.as_raw(), two.as_raw())
            },
            _ => false,
        };
        // Another variable of that name, of another call, has not changed, even where the last one was.
        if same || now.is_none() || address != at.addr() {
            return None;
        }
        let words = |value: &Option<Owned>| match value {
            None => "<uninitialized>".to_owned(),
            Some(value) => values::brief(ctx, value.as_raw()),
        };
        Some(Reason::Changed(self.watch.clone(), words(&before), words(now)))
    }

    /// What the path leads to, without running any code of the program.
    fn follow(&self, ctx: &Ctx<'_>, root: JSValue) -> Option<Owned> {
        let raw = ctx.as_raw().as_ptr();
        if values::is_uninitialized(root) {
            return None;
        }
        // SAFETY: the root is alive; each value is kept while its property is looked for.
        unsafe {
            let mut value = Owned::new(raw, root);
            for name in &self.watch.path {
                value = values::data_property(raw, value.as_raw(), Atom::new(ctx, name).raw)?;
            }
            Some(value)
        }
    }
}
