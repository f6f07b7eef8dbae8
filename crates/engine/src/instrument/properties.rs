//! What an access to an object is an access to.
#![expect(unsafe_code, reason = "objects are looked at without running code of theirs")]

use super::table::{Key, NEAR, Table};
use crate::mirror::PLAIN;
use hemiola_machine::Access::{self, Read, Write};
use hemiola_transform::Mode;
use rquickjs::qjs::{self, JSAtom, JSContext, JSValue};

/// What kind of object it is, as far as its parts are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Array,
    Typed,
    Map,
    Set,
    /// A map or set that keeps nothing alive.
    Weak,
    /// Looking at it would run code.
    Proxy,
    Other,
}

/// # Safety
///
/// The value is alive.
pub(super) unsafe fn kind(value: JSValue) -> Kind {
    // SAFETY: the caller's.
    unsafe {
        if qjs::JS_GetClassID(value) == PLAIN {
            Kind::Plain
        } else if qjs::JS_IsArray(value) {
            Kind::Array
        } else if qjs::JS_IsMap(value) {
            Kind::Map
        } else if qjs::JS_IsSet(value) {
            Kind::Set
        } else if qjs::JS_IsProxy(value) {
            Kind::Proxy
        } else if qjs::JS_GetTypedArrayType(value) >= 0 {
            Kind::Typed
        } else {
            Kind::Other
        }
    }
}

/// An object that is accessed somewhere.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    pub(super) ctx: *mut JSContext,
    pub(super) value: JSValue,
    pub(super) number: u32,
    pub(super) kind: Kind,
    pub(super) site: u32,
}

const INDEX: u32 = 1 << 31;

fn index(atom: JSAtom) -> Option<i64> {
    (atom & INDEX != 0).then_some(i64::from(atom & !INDEX))
}

/// The part of a list that an index means.
fn element_key(atom: JSAtom) -> Key {
    match index(atom) {
        Some(index) if index >> NEAR > 0 => Key::Elements((index >> NEAR) as u32),
        _ => Key::Property(atom),
    }
}

impl Table {
    /// The subject that a value is; nothing for one that is no object.
    ///
    /// # Safety
    ///
    /// The value belongs to the context, and both are alive.
    pub(super) unsafe fn subject(
        &mut self,
        ctx: *mut JSContext,
        value: JSValue,
        site: u32,
    ) -> Option<Subject> {
        // SAFETY: the caller's.
        unsafe {
            if !qjs::JS_IsObject(value) {
                return None;
            }
            let number = self.object(ctx, value);
            let mut kind = kind(value);
            if kind == Kind::Other && self.numbers.as_ref().is_some_and(|one| one.is_weak(value)) {
                kind = Kind::Weak;
            }
            Some(Subject { ctx, value, number, kind, site })
        }
    }

    fn told(&mut self, subject: Subject, key: Key, access: Access) {
        self.tell_part(subject.ctx, subject.number, key, access, subject.site);
    }

    /// A property or element is accessed; `name` is its name where the text has it.
    pub(super) fn property(&mut self, subject: Subject, atom: JSAtom, name: &str, mode: Mode) {
        match (mode, subject.kind, name) {
            (Mode::Read | Mode::Call, Kind::Array | Kind::Typed, "length")
            | (Mode::Read, Kind::Map | Kind::Set, "size") => self.told(subject, Key::Order, Read),
            (Mode::Write | Mode::Update, Kind::Array, "length") => self.whole(subject, Write),
            _ => {
                if matches!(mode, Mode::Read | Mode::Update | Mode::Call) {
                    self.element(subject, atom, Read);
                }
                match mode {
                    Mode::Write | Mode::Update => self.element(subject, atom, Write),
                    Mode::Delete => {
                        self.told(subject, Key::Order, Write);
                        self.element(subject, atom, Write);
                    }
                    Mode::Read | Mode::Call => {}
                }
            }
        }
    }

    fn element(&mut self, subject: Subject, atom: JSAtom, access: Access) {
        let is_list = matches!(subject.kind, Kind::Array | Kind::Typed);
        if is_list && let Some(index) = index(atom) {
            self.told(subject, Key::Epoch, Read);
            if subject.kind == Kind::Array && index >= length(subject) {
                self.told(subject, Key::Order, access);
            }
        } else if subject.kind != Kind::Proxy {
            match access {
                Write if !has_own(subject, subject.value, atom) => {
                    self.told(subject, Key::Order, Write);
                }
                Read if subject.kind == Kind::Plain && !has_own(subject, subject.value, atom) => {
                    self.inherited(subject, atom);
                }
                _ => {}
            }
        }
        let key = if is_list { element_key(atom) } else { Key::Property(atom) };
        self.told(subject, key, access);
    }

    /// A property that an object may have from another one.
    fn inherited(&mut self, subject: Subject, atom: JSAtom) {
        const FAR: usize = 16;
        // SAFETY: the object is alive, and each prototype is kept until the next is known. None of them
        // is a proxy, so no code runs.
        unsafe {
            let mut at = qjs::JS_GetPrototype(subject.ctx, subject.value);
            for _ in 0..FAR {
                if !qjs::JS_IsObject(at) || qjs::JS_IsProxy(at) {
                    break;
                }
                let next = qjs::JS_GetPrototype(subject.ctx, at);
                // What all objects have at their end is the engine's.
                let is_end = !qjs::JS_IsObject(next);
                if !is_end && has_own(subject, at, atom) {
                    let holder = self.object(subject.ctx, at);
                    self.told(Subject { number: holder, ..subject }, Key::Property(atom), Read);
                    qjs::JS_FreeValue(subject.ctx, next);
                    break;
                }
                qjs::JS_FreeValue(subject.ctx, at);
                at = next;
            }
            qjs::JS_FreeValue(subject.ctx, at);
        }
    }

    /// All that is in an object is read, or may have changed.
    pub(super) fn whole(&mut self, subject: Subject, access: Access) {
        self.told(subject, Key::Order, access);
        if matches!(subject.kind, Kind::Array | Kind::Typed | Kind::Map | Kind::Set) {
            self.told(subject, Key::Epoch, access);
        }
        self.told(subject, Key::All, access);
        if access == Write && subject.kind == Kind::Plain {
            for atom in own_keys(subject) {
                let key = Key::Property(atom);
                self.told(subject, key, Write);
                // SAFETY: the list has a reference to each atom.
                unsafe { self.keep_atom(subject.ctx, subject.number, key, atom) }
            }
        }
        let written = self.objects[subject.number as usize].written.clone();
        for (_, key) in written {
            self.told(subject, key, access);
        }
        if access == Read {
            self.objects[subject.number as usize].is_coarse = true;
        }
    }

    /// The keys of an object are read.
    pub(super) fn keys(&mut self, subject: Subject) {
        self.told(subject, Key::Order, Read);
        if subject.kind == Kind::Array {
            self.told(subject, Key::Epoch, Read);
        }
    }

    /// A method is called, on an object that may be a collection. The first argument is given if it is
    /// known.
    pub(super) fn call(
        &mut self,
        subject: Subject,
        atom: JSAtom,
        name: &str,
        argument: Option<JSValue>,
    ) {
        match (subject.kind, name) {
            (Kind::Array, "push") => {
                let index = u32::try_from(length(subject)).unwrap_or_default();
                self.told(subject, Key::Order, Write);
                self.told(subject, element_key(index | INDEX), Write);
            }
            (Kind::Array, "pop") => {
                let index = u32::try_from(length(subject) - 1).unwrap_or_default();
                self.told(subject, Key::Order, Read);
                self.told(subject, Key::Order, Write);
                self.told(subject, element_key(index | INDEX), Write);
            }
            (Kind::Array, "shift" | "unshift" | "splice")
            | (Kind::Array | Kind::Typed, "sort" | "reverse" | "fill" | "copyWithin")
            | (Kind::Typed, "set" | "write") => {
                self.told(subject, Key::Order, Read);
                self.whole(subject, Write);
            }
            (Kind::Map | Kind::Set, "clear") => self.whole(subject, Write),
            (Kind::Weak, "get" | "has" | "set" | "add" | "delete") => {
                if let Some(key) = argument.and_then(|key| self.entry(subject, key)) {
                    let reads = matches!(name, "get" | "has");
                    self.told(subject, key, if reads { Read } else { Write });
                } else {
                    self.whole(subject, Write);
                }
            }
            (Kind::Map, "get" | "has") | (Kind::Set, "has") => {
                match argument.and_then(|key| self.entry(subject, key)) {
                    Some(key) => {
                        self.told(subject, Key::Epoch, Read);
                        self.told(subject, key, Read);
                    }
                    None => self.whole(subject, Read),
                }
            }
            (Kind::Map, "set" | "delete") | (Kind::Set, "add" | "delete") => {
                let known = argument.and_then(|key| Some((key, self.entry(subject, key)?)));
                match known {
                    Some((value, key)) => {
                        self.told(subject, Key::Epoch, Read);
                        if self.has_entry(subject, value) == (name == "delete") {
                            self.told(subject, Key::Order, Write);
                        }
                        if name == "delete" || name == "add" {
                            // Whether it was there shows.
                            self.told(subject, key, Read);
                        }
                        self.told(subject, key, Write);
                    }
                    None => self.whole(subject, Write),
                }
            }
            (
                Kind::Plain | Kind::Other,
                "on"
                | "once"
                | "off"
                | "addListener"
                | "prependListener"
                | "prependOnceListener"
                | "removeListener"
                | "removeAllListeners"
                | "addEventListener"
                | "removeEventListener",
            ) => {
                self.property(subject, atom, name, Mode::Call);
                if let Some(event) = argument {
                    self.listeners_of(subject, event, Write);
                }
            }
            (Kind::Array | Kind::Typed | Kind::Map | Kind::Set, _)
                if !has_own(subject, subject.value, atom) =>
            {
                self.whole(subject, Read);
            }
            _ => self.property(subject, atom, name, Mode::Call),
        }
    }

    /// The part that a key of a map or set means.
    fn entry(&mut self, subject: Subject, key: JSValue) -> Option<Key> {
        // SAFETY: the key is alive, and a text, a symbol or a number becomes an atom without running
        // code; the table keeps the reference to the atom or gives it back.
        unsafe {
            let tag = qjs::JS_VALUE_GET_NORM_TAG(key);
            if qjs::JS_IsObject(key) {
                return Some(Key::Object(self.object(subject.ctx, key)));
            }
            if qjs::JS_IsString(key) || qjs::JS_IsSymbol(key) {
                let atom = qjs::JS_ValueToAtom(subject.ctx, key);
                // A text of digits is another key than the number.
                let part = Key::Entry(atom);
                if atom & INDEX != 0 {
                    qjs::JS_FreeAtom(subject.ctx, atom);
                    return Some(Key::Number(u64::from(atom) << 32));
                }
                let object = subject.number;
                self.keep_atom(subject.ctx, object, part, atom);
                self.part(object, part);
                return Some(part);
            }
            match tag {
                qjs::JS_TAG_INT => {
                    Some(Key::Number(f64::from(qjs::JS_VALUE_GET_INT(key)).to_bits()))
                }
                qjs::JS_TAG_FLOAT64 => {
                    let number = qjs::JS_VALUE_GET_FLOAT64(key);
                    Some(Key::Number(if number == 0.0 { 0 } else { number.to_bits() }))
                }
                qjs::JS_TAG_BOOL => Some(Key::Constant(i32::from(qjs::JS_VALUE_GET_BOOL(key)))),
                qjs::JS_TAG_NULL => Some(Key::Constant(2)),
                qjs::JS_TAG_UNDEFINED => Some(Key::Constant(3)),
                _ => None,
            }
        }
    }

    fn has_entry(&self, subject: Subject, key: JSValue) -> bool {
        let Some(numbers) = &self.numbers else { return false };
        let has = if subject.kind == Kind::Map { &numbers.map_has } else { &numbers.set_has };
        // SAFETY: all are alive; the engine's own function runs no code of the program.
        unsafe {
            let mut arguments = [key];
            let found =
                qjs::JS_Call(subject.ctx, has.as_raw(), subject.value, 1, arguments.as_mut_ptr());
            qjs::JS_IsBool(found) && qjs::JS_VALUE_GET_BOOL(found)
        }
    }

    /// The listeners of an event are looked at or changed.
    pub(super) fn listeners_of(&mut self, subject: Subject, event: JSValue, access: Access) {
        // SAFETY: the event is alive, and becomes an atom without running code; the table keeps the
        // reference to the atom or gives it back.
        unsafe {
            if !qjs::JS_IsString(event) && !qjs::JS_IsSymbol(event) {
                return;
            }
            let atom = qjs::JS_ValueToAtom(subject.ctx, event);
            let key = Key::Listeners(atom);
            self.keep_atom(subject.ctx, subject.number, key, atom);
            self.told(subject, key, access);
        }
    }
}

/// Whether an object that is no proxy has a property of its own.
fn has_own(subject: Subject, value: JSValue, atom: JSAtom) -> bool {
    // SAFETY: both are alive; what an object that fails throws is dropped.
    unsafe {
        let found = qjs::JS_GetOwnProperty(subject.ctx, std::ptr::null_mut(), value, atom);
        if found < 0 {
            qjs::JS_FreeValue(subject.ctx, qjs::JS_GetException(subject.ctx));
        }
        found > 0
    }
}

/// The length of an array.
fn length(subject: Subject) -> i64 {
    let mut length = 0;
    // SAFETY: it is an array, whose length is a number of its own.
    unsafe {
        if qjs::JS_GetLength(subject.ctx, subject.value, &mut length) < 0 {
            qjs::JS_FreeValue(subject.ctx, qjs::JS_GetException(subject.ctx));
        }
    }
    length
}

/// The names of an object's own properties, as new references.
fn own_keys(subject: Subject) -> Vec<JSAtom> {
    // SAFETY: the object is no proxy; the list is copied, with a reference to each atom, and given back.
    unsafe {
        let (mut list, mut count) = (std::ptr::null_mut(), 0);
        let flags = qjs::JS_GPN_STRING_MASK as i32;
        if qjs::JS_GetOwnPropertyNames(subject.ctx, &mut list, &mut count, subject.value, flags) < 0
        {
            qjs::JS_FreeValue(subject.ctx, qjs::JS_GetException(subject.ctx));
            return Vec::new();
        }
        let atoms = (0..count as usize)
            .map(|index| qjs::JS_DupAtom(subject.ctx, (*list.add(index)).atom))
            .collect();
        qjs::JS_FreePropertyEnum(subject.ctx, list, count);
        atoms
    }
}
