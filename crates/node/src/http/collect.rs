//! Fields as JavaScript wants them.

use super::latin1;
use rquickjs::{Array, Atom, Ctx, Object, Result, Value};

/// What becomes of fields with one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The first wins where a second makes no sense, others are joined.
    Usual,
    /// All are joined.
    Joined,
    /// Each name has a list.
    Lists,
}

/// Fields of which there is one.
const SINGLE: &[&str] = &[
    "age",
    "authorization",
    "content-length",
    "content-type",
    "etag",
    "expires",
    "from",
    "host",
    "if-modified-since",
    "if-unmodified-since",
    "last-modified",
    "location",
    "max-forwards",
    "proxy-authorization",
    "referer",
    "retry-after",
    "server",
    "user-agent",
];

type Pair<'a> = (&'a [u8], &'a [u8]);

/// Names and values in turn.
pub(crate) fn flat<'a, 'js>(
    ctx: &Ctx<'js>,
    pairs: impl Iterator<Item = Pair<'a>>,
) -> Result<Value<'js>> {
    let list = Array::new(ctx.clone())?;
    for (at, (name, value)) in pairs.enumerate() {
        list.set(2 * at, latin1(ctx, name)?)?;
        list.set(2 * at + 1, latin1(ctx, value)?)?;
    }
    Ok(list.into_value())
}

/// An object with a property for each name, in lower case.
pub(crate) fn object<'a, 'js>(
    ctx: &Ctx<'js>,
    pairs: impl Iterator<Item = Pair<'a>>,
    shape: Shape,
) -> Result<Value<'js>> {
    let object = Object::new(ctx.clone())?;
    if shape == Shape::Lists {
        object.set_prototype(None)?;
    }
    // What has come so far, where it may have to be found again; most heads have few fields.
    let mut seen: Vec<(String, Vec<u8>)> = Vec::new();
    for (name, value) in pairs {
        let mut name = String::from_utf8_lossy(name).into_owned();
        name.make_ascii_lowercase();
        let place = seen.iter().position(|(other, _)| *other == name);
        if shape == Shape::Lists || name == "set-cookie" {
            let text = latin1(ctx, value)?;
            if place.is_some() {
                let list: Array<'js> = object.get(&*name)?;
                list.set(list.len(), text)?;
            } else {
                let list = Array::new(ctx.clone())?;
                list.set(0, text)?;
                object.set(&*name, list)?;
                seen.push((name, Vec::new()));
            }
            continue;
        }
        // A plain object has that already, and it is no place for a text.
        if name == "__proto__" {
            continue;
        }
        match place {
            None => {
                let atom = Atom::from_str(ctx.clone(), &name)?;
                object.set(atom, latin1(ctx, value)?)?;
                seen.push((name, value.to_vec()));
            }
            Some(place) => {
                if shape == Shape::Usual && SINGLE.contains(&name.as_str()) {
                    continue;
                }
                let whole = &mut seen[place].1;
                whole.extend_from_slice(if name == "cookie" { b"; " } else { b", " });
                whole.extend_from_slice(value);
                object.set(&*name, latin1(ctx, whole)?)?;
            }
        }
    }
    Ok(object.into_value())
}
