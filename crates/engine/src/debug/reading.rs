//! Conditions that are decided in the program itself, because they only read.
//!
//! To evaluate any other expression takes a copy of the process. Here, whatever would run code of the program,
//! a getter, a trap of a proxy, a method that is not the engine's own, leaves open what the value is.
#![expect(unsafe_code, reason = "values are looked at where the engine has them")]

use super::engine::{self, Atom};
use super::look::Stopped;
use super::places::Sight;
use super::readers::Reader;
use super::values::{self, Property};
use crate::raw;
use hemiola_transform::{Operator, Reading};
use rquickjs::qjs::{self, JSValue};
use rquickjs::{Ctx, Value};
use std::collections::BTreeMap;

/// A condition that only reads.
pub struct Condition(Reading);

impl Condition {
    /// Reads one; nothing for an expression that may do more.
    pub fn read(text: &str) -> Option<Self> {
        Reading::read(text).map(Self)
    }
}

/// Why there is no value.
enum Open {
    /// Only code that may do anything can tell.
    Unclear,
    /// What the optional chain begins with is not there.
    Short,
}

type Found<'js> = Result<Value<'js>, Open>;

impl Stopped<'_> {
    /// Whether a condition holds where it stands; nothing if that is not clear without running code of the
    /// program. It changes nothing.
    pub fn holds(&self, condition: &Condition) -> Option<bool> {
        let here = self.here?;
        let place = (here.statement.line, here.statement.column);
        let activation = here.activation?;
        let sight = Sight { session: self.session, text: &here.text, activation, place };
        let (ctx, readers) = (self.bindings(), self.session.readers.borrow());
        let evaluation = Evaluation { ctx: &ctx, sight: &sight, readers: &readers };
        evaluation.value(&condition.0).ok().and_then(|value| is_true(&value))
    }
}

struct Evaluation<'a, 'js> {
    ctx: &'a Ctx<'js>,
    sight: &'a Sight<'a>,
    readers: &'a BTreeMap<usize, Reader>,
}

impl<'js> Evaluation<'_, 'js> {
    fn value(&self, of: &Reading) -> Found<'js> {
        let boolean = |value: bool| Ok(Value::new_bool(self.ctx.clone(), value));
        match of {
            Reading::Null => Ok(Value::new_null(self.ctx.clone())),
            Reading::Boolean(value) => boolean(*value),
            Reading::Number(value) => self.number(*value),
            Reading::String(value) => self.string(value),
            Reading::Name(name) => self.name(name),
            Reading::This => {
                let at = self.sight.this(self.ctx).ok_or(Open::Unclear)?;
                self.read(at)
            }
            Reading::Member(object, name, optional) => {
                let object = self.object(object, *optional)?;
                self.property(&object, name)
            }
            Reading::Index(object, index, optional) => {
                let object = self.object(object, *optional)?;
                self.property(&object, &self.key(index)?)
            }
            Reading::Chain(inner) => match self.value(inner) {
                Err(Open::Short) => Ok(Value::new_undefined(self.ctx.clone())),
                found => found,
            },
            Reading::Call(callee, arguments) => self.call(callee, arguments),
            Reading::Not(inner) => boolean(!self.truth(inner)?),
            Reading::Minus(inner) => {
                let number = self.value(inner)?.as_number().ok_or(Open::Unclear)?;
                self.number(-number)
            }
            Reading::Typeof(inner) => {
                let value = self.value(inner)?;
                self.string(kind(&value).ok_or(Open::Unclear)?)
            }
            Reading::And(left, right) => {
                let left = self.value(left)?;
                if is_true(&left).ok_or(Open::Unclear)? { self.value(right) } else { Ok(left) }
            }
            Reading::Or(left, right) => {
                let left = self.value(left)?;
                if is_true(&left).ok_or(Open::Unclear)? { Ok(left) } else { self.value(right) }
            }
            Reading::Else(left, right) => {
                let left = self.value(left)?;
                if is_nothing(&left) { self.value(right) } else { Ok(left) }
            }
            Reading::If(test, then, other) => {
                if self.truth(test)? {
                    self.value(then)
                } else {
                    self.value(other)
                }
            }
            Reading::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.binary(*operator, &left, &right)
            }
        }
    }

    fn truth(&self, of: &Reading) -> Result<bool, Open> {
        is_true(&self.value(of)?).ok_or(Open::Unclear)
    }

    fn number(&self, value: f64) -> Found<'js> {
        Ok(Value::new_number(self.ctx.clone(), value))
    }

    fn string(&self, value: &str) -> Found<'js> {
        let string = rquickjs::String::from_str(self.ctx.clone(), value);
        string.map(rquickjs::String::into_value).map_err(|_| Open::Unclear)
    }

    fn read(&self, at: *mut JSValue) -> Found<'js> {
        // SAFETY: the variable is alive while its function stands still.
        unsafe { engine::read(self.ctx, at) }.ok().flatten().ok_or(Open::Unclear)
    }

    fn name(&self, name: &str) -> Found<'js> {
        match self.sight.find(self.ctx, name) {
            Some(at) => self.read(at.ok_or(Open::Unclear)?),
            None => match self.data(self.ctx.globals().as_value(), name) {
                Property::Data(value) => self.bound(value.as_raw()),
                Property::Absent | Property::Code(_) => Err(Open::Unclear),
            },
        }
    }

    /// What something is asked of.
    fn object(&self, of: &Reading, optional: bool) -> Found<'js> {
        let object = self.value(of)?;
        match is_nothing(&object) {
            true if optional => Err(Open::Short),
            true => Err(Open::Unclear),
            false => Ok(object),
        }
    }

    fn key(&self, of: &Reading) -> Result<String, Open> {
        let key = self.value(of)?;
        match key.as_number() {
            Some(index) if (0.0..4e9).contains(&index) && index.fract() == 0.0 => {
                Ok((index as u64).to_string())
            }
            Some(_) => Err(Open::Unclear),
            None => key.as_string().and_then(|key| key.to_string().ok()).ok_or(Open::Unclear),
        }
    }

    fn bound(&self, value: JSValue) -> Found<'js> {
        // SAFETY: the value is alive.
        Ok(unsafe { raw::copy(self.ctx, value) })
    }

    fn data(&self, object: &Value<'js>, name: &str) -> Property {
        let raw = self.ctx.as_raw().as_ptr();
        // SAFETY: all of them are alive.
        unsafe { values::property(raw, object.as_raw(), Atom::new(self.ctx, name).raw) }
    }

    fn property(&self, object: &Value<'js>, name: &str) -> Found<'js> {
        if let Some(string) = object.as_string() {
            let string = string.to_string().map_err(|_| Open::Unclear)?;
            if name == "length" {
                return self.number(string.encode_utf16().count() as f64);
            }
            let class = self.name("String")?;
            let prototype = self.property(&class, "prototype")?;
            return self.property(&prototype, name);
        }
        if !object.is_object() {
            return Err(Open::Unclear);
        }
        if name.starts_with('#') {
            let raw = self.ctx.as_raw().as_ptr();
            // SAFETY: both are alive.
            let found = unsafe { values::private_field(raw, object.as_raw(), name) };
            return found.map_or(Err(Open::Unclear), |value| self.bound(value.as_raw()));
        }
        match self.data(object, name) {
            Property::Data(value) => self.bound(value.as_raw()),
            Property::Absent => Ok(Value::new_undefined(self.ctx.clone())),
            Property::Code(Some(getter)) => {
                let getter = self.bound(getter.as_raw())?;
                match self.reader(&getter) {
                    Some(Reader::OfObject) => self.run(&getter, object, &[]),
                    _ => Err(Open::Unclear),
                }
            }
            Property::Code(None) => Err(Open::Unclear),
        }
    }

    fn reader(&self, function: &Value<'js>) -> Option<Reader> {
        function.as_object()?;
        // SAFETY: it is an object; the address is only compared.
        let address = unsafe { qjs::JS_VALUE_GET_PTR(function.as_raw()).addr() };
        self.readers.get(&address).copied()
    }

    fn call(&self, callee: &Reading, arguments: &[Reading]) -> Found<'js> {
        let (this, function) = match callee {
            Reading::Member(object, name, optional) => {
                let object = self.object(object, *optional)?;
                let function = self.property(&object, name)?;
                (object, function)
            }
            callee => (Value::new_undefined(self.ctx.clone()), self.value(callee)?),
        };
        let reader = self.reader(&function).ok_or(Open::Unclear)?;
        let arguments: Result<Vec<_>, _> = arguments.iter().map(|one| self.value(one)).collect();
        let arguments = arguments?;
        let are_plain = !arguments.iter().any(|one| one.is_object() || one.is_symbol());
        let fits = match reader {
            Reader::OfObject => this.is_object(),
            Reader::OfString => this.is_string() && are_plain,
            Reader::OfArray => this.is_array(),
            Reader::Plain => are_plain,
        };
        if fits { self.run(&function, &this, &arguments) } else { Err(Open::Unclear) }
    }

    fn run(
        &self,
        function: &Value<'js>,
        this: &Value<'js>,
        arguments: &[Value<'js>],
    ) -> Found<'js> {
        let mut arguments: Vec<JSValue> = arguments.iter().map(Value::as_raw).collect();
        let raw = self.ctx.as_raw().as_ptr();
        // SAFETY: all values are alive; what comes of the call is a new reference, which is taken over.
        let result = unsafe {
            let count = arguments.len() as i32;
            let result =
                qjs::JS_Call(raw, function.as_raw(), this.as_raw(), count, arguments.as_mut_ptr());
            crate::raw::take(self.ctx, result)
        };
        result.map_err(|_| {
            self.ctx.catch();
            Open::Unclear
        })
    }

    fn binary(&self, operator: Operator, left: &Value<'js>, right: &Value<'js>) -> Found<'js> {
        let boolean = |value: bool| Ok(Value::new_bool(self.ctx.clone(), value));
        match operator {
            Operator::StrictlyEqual => return boolean(self.same(left, right)),
            Operator::StrictlyUnequal => return boolean(!self.same(left, right)),
            Operator::Equal => return boolean(self.alike(left, right)?),
            Operator::Unequal => return boolean(!self.alike(left, right)?),
            _ => {}
        }
        if let (Some(left), Some(right)) = (left.as_number(), right.as_number()) {
            return match operator {
                Operator::Less => boolean(left < right),
                Operator::LessOrEqual => boolean(left <= right),
                Operator::Greater => boolean(left > right),
                Operator::GreaterOrEqual => boolean(left >= right),
                Operator::Plus => self.number(left + right),
                Operator::Minus => self.number(left - right),
                Operator::Times => self.number(left * right),
                Operator::Over => self.number(left / right),
                // As JavaScript has it: the sign is that of the dividend.
                Operator::Modulo => self.number(left % right),
                Operator::Equal
                | Operator::Unequal
                | Operator::StrictlyEqual
                | Operator::StrictlyUnequal => Err(Open::Unclear),
            };
        }
        let text = |value: &Value<'js>| value.as_string()?.to_string().ok();
        let (left, right) = (text(left).ok_or(Open::Unclear)?, text(right).ok_or(Open::Unclear)?);
        let order = left.encode_utf16().cmp(right.encode_utf16());
        match operator {
            Operator::Less => boolean(order.is_lt()),
            Operator::LessOrEqual => boolean(order.is_le()),
            Operator::Greater => boolean(order.is_gt()),
            Operator::GreaterOrEqual => boolean(order.is_ge()),
            Operator::Plus => self.string(&(left + &right)),
            _ => Err(Open::Unclear),
        }
    }

    fn same(&self, left: &Value<'js>, right: &Value<'js>) -> bool {
        let raw = self.ctx.as_raw().as_ptr();
        // SAFETY: both are alive; strict equality runs no code.
        unsafe { qjs::JS_IsStrictEqual(raw, left.as_raw(), right.as_raw()) }
    }

    /// `==` where it converts nothing.
    fn alike(&self, left: &Value<'js>, right: &Value<'js>) -> Result<bool, Open> {
        if is_nothing(left) || is_nothing(right) {
            return Ok(is_nothing(left) && is_nothing(right));
        }
        let (one, other) = (kind(left).ok_or(Open::Unclear)?, kind(right).ok_or(Open::Unclear)?);
        let are_objects = left.is_object() && right.is_object();
        if one == other || are_objects { Ok(self.same(left, right)) } else { Err(Open::Unclear) }
    }
}

fn is_nothing(value: &Value<'_>) -> bool {
    value.is_null() || value.is_undefined()
}

/// What `typeof` says; nothing for what is not known here.
fn kind(value: &Value<'_>) -> Option<&'static str> {
    if value.is_undefined() {
        Some("undefined")
    } else if value.is_null() {
        Some("object")
    } else if value.is_bool() {
        Some("boolean")
    } else if value.is_number() {
        Some("number")
    } else if value.is_string() {
        Some("string")
    } else if value.is_function() {
        Some("function")
    } else if value.is_object() {
        Some("object")
    } else {
        None
    }
}

fn is_true(value: &Value<'_>) -> Option<bool> {
    if let Some(value) = value.as_bool() {
        return Some(value);
    }
    if let Some(number) = value.as_number() {
        return Some(number != 0.0 && !number.is_nan());
    }
    if let Some(string) = value.as_string() {
        return string.to_string().ok().map(|string| !string.is_empty());
    }
    match value {
        value if is_nothing(value) => Some(false),
        value if value.is_object() => Some(true),
        _ => None,
    }
}
