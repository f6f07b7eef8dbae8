//! The functions that instrumented code calls. Each tells of an access and gives an argument back.
#![expect(unsafe_code, reason = "these are called by the engine")]

use super::table::{NOWHERE, Numbers, Table, Words};
use super::{Accesses, CURRENT};
use crate::call::Call;
use crate::native;
use crate::raw::{self, Native, Owned};
use crate::state::state;
use hemiola_machine::Access::{Read, Write};
use hemiola_transform::{Mode, Site, Target};
use rquickjs::qjs::{self, JSContext, JSValue};
use rquickjs::{Ctx, Function, Result, Value};

/// The function of this file that goes by that name on `binding`; there is none in a run that tells
/// nothing.
pub fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    let (native, length): (Native, i32) = match name {
        "tellProperty" => (native!(property), 3),
        "tellObject" => (native!(pending), 2),
        "tellKey" => (native!(key), 2),
        "tellVariable" => (native!(variable), 3),
        "tellWhole" => (native!(whole), 2),
        "tellChanged" => (native!(changed), 2),
        "tellLate" => (native!(late), 4),
        "tellCall" => (native!(called), 2),
        "tellCalling" => (native!(calling), 2),
        "tellListeners" => (native!(listeners), 3),
        "numberScope" => (native!(number_scope), 1),
        "firstOf" => (native!(first), 1),
        "secondOf" => (native!(second), 2),
        "startAccesses" => (native!(start), 5),
        _ => return None,
    };
    state(ctx).accesses.as_ref()?;
    Some(
        raw::function(ctx, c"", length, 0, native)
            .and_then(|value: Value<'js>| Function::from_value(value)),
    )
}

/// Gives the table to `act`, with the site that the call is about, if there is one.
///
/// # Safety
///
/// The engine calls with a living context.
unsafe fn with(act: impl FnOnce(&mut Table)) {
    let Some(state) = CURRENT.get() else { return };
    // SAFETY: the host keeps the state while the engine runs, and takes the pointer away afterwards.
    let state = unsafe { state.as_ref() };
    if let Some(Accesses { table, .. }) = state.accesses.as_deref()
        && let Ok(mut table) = table.try_borrow_mut()
    {
        table.enter(state.run.job.get());
        act(&mut table);
    }
}

/// An argument; the engine has filled up those that were not given.
unsafe fn argument(args: *mut JSValue, index: usize) -> JSValue {
    // SAFETY: the caller asks for no more than the function takes.
    unsafe { *args.add(index) }
}

unsafe fn number(args: *mut JSValue, index: usize) -> u32 {
    // SAFETY: as above.
    unsafe {
        let value = argument(args, index);
        if qjs::JS_IsInt(value) { qjs::JS_VALUE_GET_INT(value) as u32 } else { u32::MAX }
    }
}

/// Tells what a site tells about an object; `key` is the key or the first argument, where it is known.
unsafe fn tell(
    ctx: *mut JSContext,
    table: &mut Table,
    object: JSValue,
    number: u32,
    key: Option<JSValue>,
) {
    // SAFETY: the engine's values are alive; atoms that are made here are kept or given back.
    unsafe {
        let Some((text, index)) = table.site(number) else { return };
        let Some(subject) = table.subject(ctx, object, number) else { return };
        let Site { target, mode, name, .. } = &text.sites()[index];
        match target {
            Target::Property if *mode == Mode::Call && !name.is_empty() => {
                let atom = table.atom(ctx, number);
                table.call(subject, atom, name, key);
            }
            Target::Property if !name.is_empty() => {
                let atom = table.atom(ctx, number);
                table.property(subject, atom, name, *mode);
            }
            Target::Property => {
                let Some(key) = key else { return };
                let is_plain =
                    qjs::JS_IsString(key) || qjs::JS_IsSymbol(key) || qjs::JS_IsNumber(key);
                if !is_plain {
                    // To make a name of it would run code.
                    let access = if matches!(mode, Mode::Read | Mode::Call) { Read } else { Write };
                    table.whole(subject, access);
                    return;
                }
                let atom = qjs::JS_ValueToAtom(ctx, key);
                let part = super::table::Key::Property(atom);
                table.keep_atom(ctx, subject.number, part, atom);
                let name = if is_length(ctx, key) { "length" } else { "" };
                table.property(subject, atom, name, *mode);
            }
            Target::Keys => table.keys(subject),
            Target::Whole | Target::Deep => {
                table.whole(subject, if *mode == Mode::Read { Read } else { Write });
            }
            Target::Pattern(names, all) => {
                if *all {
                    table.whole(subject, Read);
                }
                for name in names {
                    let atom = qjs::JS_NewAtomLen(ctx, name.as_ptr().cast(), name.len() as _);
                    let part = super::table::Key::Property(atom);
                    table.keep_atom(ctx, subject.number, part, atom);
                    table.property(subject, atom, name, Mode::Read);
                }
            }
            Target::Root(_) | Target::Variable(_) | Target::Global | Target::Promise => {}
        }
    }
}

/// Whether a key is the text `length`.
unsafe fn is_length(ctx: *mut JSContext, key: JSValue) -> bool {
    // SAFETY: the key is alive; the text is given back.
    unsafe {
        if !qjs::JS_IsString(key) {
            return false;
        }
        let text = qjs::JS_ToCString(ctx, key);
        if text.is_null() {
            return false;
        }
        let is = std::ffi::CStr::from_ptr(text) == c"length";
        qjs::JS_FreeCString(ctx, text);
        is
    }
}

/// `p(object, site, key)`: a property of an object is accessed.
fn property(call: &Call<'_>) -> JSValue {
    let Call { ctx, count, args, .. } = *call;
    // SAFETY: the engine passes at least as many arguments as the function takes.
    unsafe {
        let object = argument(args, 0);
        if qjs::JS_IsObject(object) {
            let key = (count > 2).then(|| argument(args, 2));
            with(|table| tell(ctx, table, object, number(args, 1), key));
        }
        qjs::JS_DupValue(ctx, object)
    }
}

/// `q(object, site)`: the key of the property comes next.
fn pending(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let object = argument(args, 0);
        with(|table| table.pending.push((number(args, 1), Owned::new(ctx, object))));
        qjs::JS_DupValue(ctx, object)
    }
}

/// `k(key, site)`: the key of the property whose object came before.
fn key(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above; the object is kept until it is told of.
    unsafe {
        let (key, site) = (argument(args, 0), number(args, 1));
        with(|table| {
            // What an error left behind is dropped.
            let found = table.pending.iter().rposition(|(pending, _)| *pending == site);
            if let Some(at) = found {
                let (_, object) = table.pending.swap_remove(at);
                table.pending.truncate(at);
                tell(ctx, table, object.as_raw(), site, Some(key));
            }
        });
        qjs::JS_DupValue(ctx, key)
    }
}

/// `v(value, site, scope)`: a variable was accessed.
fn variable(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let mut site = number(args, 1);
        with(|table| {
            let Some((text, index)) = table.site(site) else { return };
            let Site { target, mode, name, .. } = &text.sites()[index];
            let (location, words) = match target {
                Target::Root(number) => (table.root(site, *number), Words::Variable(name)),
                Target::Variable(offset) => {
                    let scope = number(args, 2);
                    if scope == u32::MAX {
                        return;
                    }
                    (scope + offset, Words::Variable(name))
                }
                Target::Promise => {
                    // Who calls is known only if it is instrumented code.
                    if table.last_site != NOWHERE {
                        site = table.last_site;
                    }
                    (number(args, 2), Words::Promise)
                }
                Target::Global => {
                    let global = qjs::JS_GetGlobalObject(ctx);
                    let subject = table.subject(ctx, global, site);
                    let atom = table.atom(ctx, site);
                    if let Some(subject) = subject {
                        // It has been written by now, so that it is there says nothing.
                        let mode = if *mode == Mode::Write { Mode::Write } else { *mode };
                        table.property(subject, atom, name, mode);
                    }
                    qjs::JS_FreeValue(ctx, global);
                    return;
                }
                _ => return,
            };
            if *mode != Mode::Write {
                table.tell(ctx, location, Read, site, &words);
            }
            if *mode != Mode::Read {
                table.tell(ctx, location, Write, site, &words);
            }
        });
        qjs::JS_DupValue(ctx, argument(args, 0))
    }
}

/// `c(function, site)`: a function of the runtime is going to be called.
fn calling(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        with(|table| {
            table.last_site = number(args, 1);
        });
        qjs::JS_DupValue(ctx, argument(args, 0))
    }
}

/// `i(object, site)`: all of an object is read, or what the site says.
fn whole(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let object = argument(args, 0);
        if qjs::JS_IsObject(object) {
            with(|table| tell(ctx, table, object, number(args, 1), None));
        }
        qjs::JS_DupValue(ctx, object)
    }
}

/// `w(object, site)`: a function of the engine has changed an object.
fn changed(call: &Call<'_>) -> JSValue {
    whole(call)
}

/// `j(value, site, object, key)`: a value is going to be put into an object.
fn late(call: &Call<'_>) -> JSValue {
    let Call { ctx, count, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let object = argument(args, 2);
        let key = (count > 3).then(|| argument(args, 3));
        with(|table| tell(ctx, table, object, number(args, 1), key));
        qjs::JS_DupValue(ctx, argument(args, 0))
    }
}

/// `z(object, site)`: a method is going to be called, whose arguments are evaluated. Gives no more of
/// them.
fn called(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        with(|table| tell(ctx, table, argument(args, 0), number(args, 1), None));
        qjs::JS_NewArray(ctx)
    }
}

/// `tellListeners(object, event, changes)`: for the library, whose own code tells nothing.
fn listeners(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let (object, event) = (argument(args, 0), argument(args, 1));
        let changes = argument(args, 2);
        let changes = qjs::JS_IsBool(changes) && qjs::JS_VALUE_GET_BOOL(changes);
        with(|table| {
            let site = table.last_site;
            if let Some(subject) = table.subject(ctx, object, site) {
                table.listeners_of(subject, event, if changes { Write } else { Read });
            }
        });
        qjs::JS_UNDEFINED
    }
}

/// `n(count)`: the number of a scope with so many variables.
fn number_scope(call: &Call<'_>) -> JSValue {
    let Call { args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let mut first = u32::MAX;
        with(|table| first = table.new_locations(number(args, 0)));
        qjs::JS_MKVAL(qjs::JS_TAG_INT, first as i32)
    }
}

/// `o(value)`: the value.
fn first(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe { qjs::JS_DupValue(ctx, argument(args, 0)) }
}

/// `b(nothing, value)`: the value.
fn second(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe { qjs::JS_DupValue(ctx, argument(args, 1)) }
}

/// `startAccesses(map, get, set, mapHas, setHas)`: functions of the engine, before a program can replace
/// them.
fn start(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let owned = |index| Owned::new(ctx, argument(args, index));
        with(|table| {
            table.numbers = Some(Numbers {
                map: owned(0),
                get: owned(1),
                set: owned(2),
                map_has: owned(3),
                set_has: owned(4),
            });
        });
        qjs::JS_UNDEFINED
    }
}
