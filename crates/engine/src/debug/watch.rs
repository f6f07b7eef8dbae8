//! Values whose changes are waited for.
#![expect(unsafe_code, reason = "values are looked at where the engine has them")]

use super::engine::Atom;
use super::goal::Watch;
use super::look::Reason;
use super::places;
use super::session::{Here, Session};
use super::values::{self, Property};
use crate::raw::Owned;
use rquickjs::Ctx;
use rquickjs::qjs::{self, JSContext, JSValue};
use std::ptr::NonNull;

/// A value that is watched, as it was last.
pub(super) struct Watched {
    watch: Watch,
    /// Where the variable was, and what was found; nothing for one that has no value yet.
    last: Option<(usize, Option<Found>)>,
}

/// What was found where a watch leads to.
struct Found {
    value: Owned,
    /// What is in an object, one level deep, and the object in words: both may change while it stays the same.
    inside: Option<(Owned, String)>,
}

impl Watched {
    pub(super) fn new(watch: Watch) -> Self {
        Self { watch, last: None }
    }

    /// Looks at the value; tells if it is another than before, or has something else in it.
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
        let value = self.follow(&bindings, root).ok().flatten();
        let (address, before) = self.last.take().unzip();
        let before = before.flatten();
        let is_same_variable = address == Some(at.addr());
        let Some(value) = value else {
            self.last = Some((at.addr(), None));
            return None;
        };
        // SAFETY: both values are alive.
        let is_same =
            |one: &Found| unsafe { qjs::JS_IsSameValue(ctx, one.value.as_raw(), value.as_raw()) };
        let known = before.as_ref().filter(|one| is_same(one));
        let inside = values::inside(
            ctx,
            value.as_raw(),
            known.and_then(|one| one.inside.as_ref()).map(|(list, _)| list),
        );
        let has_changed = match (known, &inside) {
            (None, _) => true,
            (Some(known), Some(list)) => {
                let before = known.inside.as_ref();
                // SAFETY: both are alive; a list that is given back has the same in it.
                before.is_none_or(|(before, _)| unsafe {
                    qjs::JS_VALUE_GET_PTR(before.as_raw()) != qjs::JS_VALUE_GET_PTR(list.as_raw())
                })
            }
            (Some(_), None) => false,
        };
        if !has_changed {
            self.last = Some((at.addr(), before));
            return None;
        }
        let words = |found: &Found| match &found.inside {
            Some((_, words)) => words.clone(),
            None => values::brief(ctx, found.value.as_raw()),
        };
        let inside = inside.map(|list| (list, values::brief(ctx, value.as_raw())));
        let now = Found { value, inside };
        let reason = is_same_variable.then(|| {
            let before = before.as_ref().map_or_else(|| "<uninitialized>".to_owned(), words);
            Reason::Changed(self.watch.clone(), before, words(&now))
        });
        self.last = Some((at.addr(), Some(now)));
        // Another variable of that name, of another call, has not changed, even where the last one was.
        reason
    }

    /// Whether changes can be told, if the variable is seen from here; why not, if they cannot.
    pub(super) fn check(
        &self,
        ctx: *mut JSContext,
        session: &Session,
        here: Option<&Here>,
    ) -> Result<(), String> {
        // SAFETY: whoever asks has a living context.
        let Some(bindings) = NonNull::new(ctx).map(|ctx| unsafe { Ctx::from_raw(ctx) }) else {
            return Ok(());
        };
        let Some(at) = places::watched(&bindings, session, here, &self.watch) else {
            return Ok(());
        };
        // SAFETY: the address is that of a variable which is alive.
        let Some(value) = self.follow(&bindings, unsafe { *at })? else { return Ok(()) };
        // SAFETY: the value is alive.
        if unsafe { qjs::JS_IsProxy(value.as_raw()) } {
            return Err("it is a proxy, and only its traps know what is in it".into());
        }
        match values::is_too_much(ctx, value.as_raw()) {
            true => Err("there is too much in it to look at it after every statement".into()),
            false => Ok(()),
        }
    }

    /// What the path leads to, without running any code of the program; nothing for a variable that has no
    /// value yet. An error says which property would have to run code.
    fn follow(&self, ctx: &Ctx<'_>, root: JSValue) -> Result<Option<Owned>, String> {
        let raw = ctx.as_raw().as_ptr();
        if values::is_uninitialized(root) {
            return Ok(None);
        }
        // SAFETY: the root is alive; each value is kept while its property is looked for.
        unsafe {
            let mut value = Owned::new(raw, root);
            for name in &self.watch.path {
                let found = match name.starts_with('#') {
                    true => match values::private_field(raw, value.as_raw(), name) {
                        Some(field) => Property::Data(field),
                        None => Property::Absent,
                    },
                    false => values::property(raw, value.as_raw(), Atom::new(ctx, name).raw),
                };
                value = match found {
                    Property::Data(value) => value,
                    Property::Absent => Owned::new(raw, qjs::JS_UNDEFINED),
                    Property::Code(_) => {
                        return Err(format!("`{name}` is not stored but computed by code"));
                    }
                };
            }
            Ok(Some(value))
        }
    }
}
