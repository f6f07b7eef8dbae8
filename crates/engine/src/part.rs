//! Parts of what a run has: where natives find them, and how they let go of the engine.
#![expect(unsafe_code, reason = "a type without a lifetime of the engine has any")]

use rquickjs::{Ctx, JsLifetime};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A part as a context keeps it.
struct Stored<T>(Rc<T>);

// SAFETY: what it keeps of the engine is persistent, and let go of before the engine ends.
unsafe impl<T: 'static> JsLifetime<'_> for Stored<T> {
    type Changed<'to> = Stored<T>;
}

/// Lets natives of a context find a part, in the place of another of its type.
pub fn store<T: 'static>(ctx: &Ctx<'_>, part: &Rc<T>) {
    let _ = ctx.store_userdata(Stored(Rc::clone(part)));
}

/// The part of that type that belongs to a context.
///
/// # Panics
///
/// When none was [stored](store).
pub fn of<T: 'static>(ctx: &Ctx<'_>) -> Rc<T> {
    let stored = ctx.userdata::<Stored<T>>().expect("the host stored its parts at the start");
    Rc::clone(&stored.0)
}

/// What may hold values of the engine, none of which may outlive it.
pub trait LetGo {
    /// Lets go of them: it is as if it were new.
    fn let_go(&self);
}

impl<T: Default> LetGo for Cell<T> {
    fn let_go(&self) {
        self.take();
    }
}

impl<T: Default> LetGo for RefCell<T> {
    fn let_go(&self) {
        // What is dropped may run parts of the engine: not while the cell is borrowed.
        drop(self.take());
    }
}

impl<T: LetGo> LetGo for Option<Rc<T>> {
    fn let_go(&self) {
        if let Some(part) = self {
            part.let_go();
        }
    }
}

/// Makes a struct that [lets go](LetGo) of each of its fields: none can be forgotten.
#[macro_export]
macro_rules! held {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        $visibility struct $name {
            $($(#[$field_meta])* $field_visibility $field: $type,)*
        }

        impl $crate::part::LetGo for $name {
            fn let_go(&self) {
                $($crate::part::LetGo::let_go(&self.$field);)*
            }
        }
    };
}
