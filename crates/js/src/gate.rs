//! What a program asks of the world, and what the world answers, as values.
//!
//! The machine carries them, a recording can keep them, and no type of the engine is in them.

use crate::bridge;
use crate::bytes;
use crate::host::Callback;
use hemiola_machine::{Class, Group, Operation};
use rquickjs::{
    Array, ArrayBuffer, Ctx, Exception, Function, IntoJs, Object, Persistent, Result, TypedArray,
    Value,
};

/// A value that crosses the gate.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// Nothing.
    Undefined,
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// An array.
    List(Vec<Datum>),
    /// An object with its own properties, in their order.
    Record(Vec<(String, Datum)>),
}

/// An operation: its kind and its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What is to be done, such as `signal` or `input.read`.
    pub kind: String,
    /// With what.
    pub arguments: Vec<Datum>,
}

/// Why an operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The system's name for it, such as `ENOENT`.
    pub code: String,
    /// In words.
    pub message: String,
}

/// What became of an operation.
pub type Answer = std::result::Result<Datum, Fault>;

impl Datum {
    /// The number that this is.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn from_js(ctx: &Ctx<'_>, value: &Value<'_>) -> Result<Self> {
        if value.is_undefined() {
            return Ok(Self::Undefined);
        }
        if value.is_null() {
            return Ok(Self::Null);
        }
        if let Some(flag) = value.as_bool() {
            return Ok(Self::Bool(flag));
        }
        if let Some(number) = value.as_number() {
            return Ok(Self::Number(number));
        }
        if let Some(text) = value.as_string() {
            return Ok(Self::Text(text.to_string()?));
        }
        if let Some(list) = value.as_array() {
            let items = list.iter::<Value<'_>>().map(|item| Self::from_js(ctx, &item?));
            return items.collect::<Result<_>>().map(Self::List);
        }
        let Some(object) = value.as_object() else {
            return Err(Exception::throw_type(ctx, "this value cannot leave the program"));
        };
        if let Ok(array) = TypedArray::<u8>::from_object(object.clone()) {
            return Ok(Self::Bytes(bytes::copy(&array, 0, usize::MAX)));
        }
        let fields = object.props::<String, Value<'_>>();
        let fields = fields.map(|field| {
            let (name, value) = field?;
            Ok((name, Self::from_js(ctx, &value)?))
        });
        fields.collect::<Result<_>>().map(Self::Record)
    }

    fn into_js<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        match self {
            Self::Undefined => Ok(Value::new_undefined(ctx.clone())),
            Self::Null => Ok(Value::new_null(ctx.clone())),
            Self::Bool(flag) => Ok(Value::new_bool(ctx.clone(), flag)),
            Self::Number(number) => Ok(Value::new_number(ctx.clone(), number)),
            Self::Text(text) => text.into_js(ctx),
            Self::Bytes(bytes) => {
                let buffer = ArrayBuffer::new(ctx.clone(), bytes)?;
                TypedArray::<u8>::from_arraybuffer(buffer).map(|bytes| bytes.into_value())
            }
            Self::List(items) => {
                let list = Array::new(ctx.clone())?;
                for (at, item) in items.into_iter().enumerate() {
                    list.set(at, item.into_js(ctx)?)?;
                }
                Ok(list.into_value())
            }
            Self::Record(fields) => {
                let record = Object::new(ctx.clone())?;
                for (name, value) in fields {
                    record.set(name, value.into_js(ctx)?)?;
                }
                Ok(record.into_value())
            }
        }
    }
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "request" => Function::new(ctx.clone(), request),
        "referOperation" => Function::new(ctx.clone(), refer),
        "giveUpOperation" => Function::new(ctx.clone(), give_up),
        _ => return None,
    })
}

/// `request(kind, arguments, callback)`: asks the world; `callback(fault, value)` runs when it has
/// answered, `fault` being null or `{code, message}`. Gives the number of the operation.
fn request<'js>(
    ctx: Ctx<'js>,
    kind: String,
    arguments: Value<'js>,
    callback: Function<'js>,
) -> Result<f64> {
    let arguments = match Datum::from_js(&ctx, &arguments)? {
        Datum::List(arguments) => arguments,
        one => vec![one],
    };
    let callback = Callback::Answered(Persistent::save(&ctx, callback));
    let request = Request { kind, arguments };
    let operation =
        bridge::with(|context| context.request(Class::Io, Group::default(), request, callback));
    Ok(operation.0 as f64)
}

/// `referOperation(number, referenced)`: whether it keeps the program alive.
fn refer(number: f64, referenced: bool) {
    bridge::with(|context| context.refer(Operation(number as u64), referenced));
}

/// `giveUpOperation(number)`: its callback will not run.
fn give_up(number: f64) {
    bridge::with(|context| context.give_up(Operation(number as u64)));
}

/// Calls back with an answer.
pub(crate) fn answer<'js>(ctx: &Ctx<'js>, callback: &Function<'js>, answer: Answer) -> Result<()> {
    match answer {
        Ok(value) => callback.call((rquickjs::Null, value.into_js(ctx)?)),
        Err(Fault { code, message }) => {
            let fault = Object::new(ctx.clone())?;
            fault.set("code", code)?;
            fault.set("message", message)?;
            callback.call((fault,))
        }
    }
}
