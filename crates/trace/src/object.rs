//! How the fields of an object are written, whoever they are of.

use serde::Serialize;

/// Takes the fields of an object one by one, in their order.
pub(crate) trait Object {
    /// The field `ev`, which every object begins with.
    fn begin(&mut self, event: &'static str);
    /// A field whose value is a word of the format.
    fn word(&mut self, name: &'static str, word: &'static str);
    fn put<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T);
}

/// Appends fields to an object: `put!(object, "name": value, …)`, and for the first ones
/// `put!(object, event "name", "name": value, …)`.
macro_rules! put {
    ($object:expr, event $event:literal $(, $name:literal: $value:expr)* $(,)?) => {{
        $object.begin($event);
        $($object.put($name, &$value);)*
    }};
    ($object:expr, $($name:literal: $value:expr),+ $(,)?) => {{
        $($object.put($name, &$value);)+
    }};
}
pub(crate) use put;
