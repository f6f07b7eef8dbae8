//! Properties of objects where the engine has them.
//!
//! What a server does for each request begins with two dozen looks at properties. By way of bytecode each of
//! them costs as much as the work that it stands for; here they are read where they are. Nobody is called for
//! them: where somebody would have to be, nothing is found.
//!
//! Names are those of another object, at places that are known of it: the engine keeps them alive with it.
#![expect(unsafe_code, reason = "it reads objects as the engine has them")]

use crate::call::{Arg, Call};
use crate::json::{Characters, characters};
use crate::mirror::{ARRAY, ArrayObject, PLAIN, Shape, ShapeProperty};
use rquickjs::qjs::{self, JSAtom, JSValue};
use rquickjs::{Error, Result};
use std::marker::PhantomData;

/// An object that is looked at. What is found there is there until something of the engine runs.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    object: *const ArrayObject,
    kept: PhantomData<&'a JSValue>,
}

impl<'a> Seen<'a> {
    /// An object; nothing if the value is none.
    #[inline]
    pub fn of(value: Arg<'a>) -> Option<Self> {
        // SAFETY: the functions look at the value's tag.
        let object = unsafe {
            if !qjs::JS_IsObject(value.as_raw()) {
                return None;
            }
            qjs::JS_VALUE_GET_PTR(value.as_raw()).cast::<ArrayObject>().cast_const()
        };
        Some(Self { object, kept: PhantomData })
    }

    /// Whether it is that value.
    #[inline]
    pub fn is(self, value: Arg<'_>) -> bool {
        Seen::of(value).is_some_and(|other| other.object == self.object)
    }

    /// Whether two objects have the same prototype and properties of the same names, in the same order. False says
    /// nothing.
    ///
    /// Whoever knows that one of them has nothing but what it was made with knows it of the other.
    #[inline]
    pub fn same_layout(self, other: Seen<'_>) -> bool {
        // SAFETY: both objects are alive.
        unsafe { (*self.object).shape == (*other.object).shape }
    }

    #[inline]
    fn shape(self) -> *const Shape {
        // SAFETY: the object is alive.
        unsafe { (*self.object).shape }
    }

    /// How many properties it has of its own, with those that were deleted.
    #[inline]
    fn count(self) -> usize {
        // SAFETY: the shape is alive with the object.
        unsafe { (*self.shape()).count as usize }
    }

    /// Name and value of one of its own properties, by its place; nothing if it is no value.
    #[inline]
    fn own(self, at: usize) -> Option<(JSAtom, Arg<'a>)> {
        if at >= self.count() {
            return None;
        }
        // SAFETY: the shape is alive with the object, and has so many properties.
        let (bits, name) = unsafe {
            let property = Shape::properties(self.shape()).add(at);
            ((*property).bits, (*property).name)
        };
        let is_value = ShapeProperty::kind(bits) == ShapeProperty::VALUE;
        // SAFETY: there is a value for each property that is one.
        (is_value && name != qjs::JS_ATOM_NULL).then(|| (name, unsafe { self.value(at) }))
    }

    /// # Safety
    ///
    /// It has a property at that place, which is a value.
    #[inline]
    unsafe fn value(self, at: usize) -> Arg<'a> {
        // SAFETY: the caller's.
        Arg::kept(unsafe { *(*self.object).properties.cast::<JSValue>().add(at) })
    }

    /// The object at a place among its own properties.
    #[inline]
    pub fn part(self, at: usize) -> Option<Seen<'a>> {
        self.own(at).and_then(|(_, value)| Seen::of(value))
    }

    /// The objects that its first properties are; nothing if they are not that.
    pub fn parts<const N: usize>(self) -> Option<[Seen<'a>; N]> {
        let mut parts = [self; N];
        for (at, part) in parts.iter_mut().enumerate() {
            *part = self.part(at)?;
        }
        Some(parts)
    }

    /// The value of a property, of its own or of what it inherits from: the one that has the name of the property at
    /// a place of `names`. Undefined if there is no such property.
    pub fn get(self, names: Seen<'_>, at: usize) -> Option<Arg<'a>> {
        self.named(names.own(at)?.0)
    }

    fn named(mut self, name: JSAtom) -> Option<Arg<'a>> {
        // SAFETY: the object is alive, and so are its shape and the objects that it inherits from.
        unsafe {
            loop {
                if let Some(at) = Shape::place(self.shape(), name) {
                    let ShapeProperty { bits, .. } = *Shape::properties(self.shape()).add(at);
                    let is_value = ShapeProperty::kind(bits) == ShapeProperty::VALUE;
                    return is_value.then(|| self.value(at));
                }
                if self.is_exotic() {
                    return None;
                }
                self.object = (*self.shape()).prototype.cast();
                if self.object.is_null() {
                    return Some(Arg::UNDEFINED);
                }
            }
        }
    }

    #[inline]
    fn is_exotic(self) -> bool {
        // SAFETY: the object is alive.
        unsafe { (*self.object).flags[0] & ArrayObject::EXOTIC != 0 }
    }

    /// Whether it has each property that `expected` has of its own, itself or from what it inherits from, with the same
    /// value. False says nothing.
    pub fn agrees(self, expected: Seen<'_>) -> bool {
        (0..expected.count()).all(|at| {
            expected.own(at).is_some_and(|(name, value)| {
                self.named(name).is_some_and(|found| found.is_same(value))
            })
        })
    }

    /// Sets a property as a program does: the one that has the name of the property at a place of `names`.
    pub fn set(self, call: &Call<'_>, names: Seen<'_>, at: usize, value: Set<'_>) -> Result<()> {
        let (name, _) = names.own(at).expect("names are known");
        // SAFETY: object, name and value are alive and belong to the context; the engine takes over a new reference.
        let is_set = unsafe {
            let value = match value {
                Set::Truth(true) => qjs::JS_TRUE,
                Set::Truth(false) => qjs::JS_FALSE,
                Set::Number(number) => qjs::JS_NewNumber(call.ctx, number),
                Set::Ascii(text) => {
                    qjs::JS_NewStringLen(call.ctx, text.as_ptr().cast(), text.len() as _)
                }
            };
            if qjs::JS_IsException(value) {
                return Err(Error::Exception);
            }
            let object = qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, self.object.cast_mut().cast());
            qjs::JS_SetProperty(call.ctx, object, name, value)
        };
        if is_set < 0 { Err(Error::Exception) } else { Ok(()) }
    }

    /// Gives `act` the names and values of its own properties that can be enumerated, in their order, as long as that
    /// says true. False if it did not, or if this is no plain object of values with names in Latin-1.
    pub fn each(self, call: &Call<'_>, mut act: impl FnMut(&[u8], Arg<'a>) -> bool) -> bool {
        // SAFETY: the object is alive.
        if u32::from(unsafe { (*self.object).class }) != PLAIN {
            return false;
        }
        (0..self.count()).all(|at| {
            // SAFETY: the shape is alive with the object, has so many properties, and keeps their names alive.
            unsafe {
                let ShapeProperty { bits, name } = *Shape::properties(self.shape()).add(at);
                // One was deleted, or has another place for who enumerates them.
                if name == qjs::JS_ATOM_NULL || name & NUMBER != 0 {
                    return false;
                }
                let key = qjs::JS_AtomToValue(call.ctx, name);
                qjs::JS_FreeValue(call.ctx, key);
                match characters(key) {
                    Some(Characters::Narrow(key))
                        if ShapeProperty::kind(bits) == ShapeProperty::VALUE
                            && bits & ShapeProperty::ENUMERABLE != 0 =>
                    {
                        act(key, self.value(at))
                    }
                    _ => false,
                }
            }
        })
    }

    /// The element of an array without gaps.
    pub fn element(self, at: usize) -> Option<Arg<'a>> {
        // SAFETY: the object is alive; a dense array has so many values.
        unsafe {
            let ArrayObject { flags, class, values, count, .. } = *self.object;
            let is_dense = u32::from(class) == ARRAY && flags[0] & ArrayObject::DENSE != 0;
            (is_dense && at < count as usize).then(|| Arg::kept(*values.add(at)))
        }
    }
}

/// In a name: it is a number.
const NUMBER: JSAtom = 1 << 31;

/// What a property is set to.
#[derive(Clone, Copy)]
pub enum Set<'a> {
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(f64),
    /// A text of nothing but ASCII.
    Ascii(&'a [u8]),
}

#[cfg(test)]
mod tests {
    use super::*;
    use rquickjs::{Array, Context, Runtime, Value};

    fn with(source: &str, act: impl FnOnce(&dyn Fn(usize) -> Seen<'static>)) {
        let runtime = Runtime::new().expect("there is memory");
        let context = Context::full(&runtime).expect("there is memory");
        context.with(|ctx| {
            let values: Array<'_> = ctx.eval(source).expect("it is an array");
            act(&|at| {
                let value: Value<'_> = values.get(at).expect("it is there");
                // The array keeps it.
                Seen::of(Arg::kept(value.as_raw())).expect("it is an object")
            });
        });
    }

    #[test]
    fn properties_are_found_where_the_engine_finds_them() {
        let source = "const many = {}, names = {};
            for (let at = 0; at < 300; at++) { names['name' + at] = at; if (at % 3) many['name' + at] = at; }
            for (let at = 1; at < 300; at += 3) delete many['name' + at];
            [Object.create(many), names]";
        with(source, |part| {
            let (heir, names) = (part(0), part(1));
            for at in 0..300 {
                let found = heir.get(names, at).expect("all are values");
                assert_eq!(found.number(), (at % 3 == 2).then_some(at as f64));
            }
            assert!(heir.get(names, 300).is_none());
        });
    }

    #[test]
    fn what_somebody_would_be_called_for_is_not_found() {
        let source = "[{ get a() { return 1; } }, new Proxy({ a: 1 }, {}), { a: 1 }, Object.create(new Proxy({}, {}))]";
        with(source, |part| {
            let names = part(2);
            assert!(names.get(names, 0).is_some());
            for at in [0, 1, 3] {
                assert!(part(at).get(names, 0).is_none());
                assert!(!part(at).agrees(names));
            }
        });
    }

    #[test]
    fn objects_agree_in_what_is_expected() {
        let source = "const key = Symbol(), f = () => 1;
            const full = Object.create({ f, no: undefined, [key]: null });
            Object.assign(full, { zero: 0, yes: true, text: 'text', other: 1 });
            [full, { f, [key]: null, zero: 0, yes: true, text: 'text', no: undefined, missing: undefined },
              { f: () => 1 }, { zero: 1 }, { zero: false }, { text: 'tex' + 't'.repeat(2) }, { [key]: undefined }]";
        with(source, |part| {
            assert!(part(0).agrees(part(1)));
            for at in 2..7 {
                assert!(!part(0).agrees(part(at)), "{at}");
            }
        });
    }
}
