//! Which instruction of a function has failed, and what it was given.
//!
//! The engine tells of an error only the place that it noted last. Its frame says which instruction was
//! executed, and that lies still as long as the error is being described.
#![expect(unsafe_code, reason = "it reads structs of the engine")]

use crate::debug::{Activation, Layout, text_of};
use crate::mirror::Code;
use crate::mirror::instructions::*;
use crate::raw;
use crate::state::state;
use hemiola_transform::{Act, Spot};
use rquickjs::qjs::{self, JSContext, JSValue};
use rquickjs::{Ctx, Result, Value};
use std::sync::OnceLock;

/// What has failed.
pub struct Failing<'js> {
    /// The text that it is in.
    pub file: String,
    /// Which instruction.
    pub spot: Spot,
    /// What it was given, as far as that is safe to look at.
    pub operands: Vec<Value<'js>>,
}

/// Where everything is in the engine; the same for all engines of a process.
static LAYOUT: OnceLock<Option<Layout>> = OnceLock::new();

pub(crate) fn layout(ctx: &Ctx<'_>) -> Option<Layout> {
    // Which of the runs of a process looks first must not show.
    *LAYOUT.get_or_init(|| state(ctx).interrupts.uncounted(0, || Layout::find(ctx)))
}

/// What the innermost activation of a function is doing; nothing if that cannot fail in a way that a text
/// could explain.
pub fn failing<'js>(ctx: &Ctx<'js>, function: &Value<'js>) -> Result<Option<Failing<'js>>> {
    let Some(layout) = layout(ctx) else { return Ok(None) };
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: only the address is taken.
    let address = |value: JSValue| unsafe { qjs::JS_VALUE_GET_PTR(value).addr() };
    let wanted = address(function.as_raw());
    let is_it = |activation: &Activation| address(activation.function()) == wanted;
    let Some(activation) = layout.activations(raw).find(is_it) else { return Ok(None) };
    let Some(program) = Program::of(&activation) else { return Ok(None) };
    let Some(at) = program.executing(&activation) else { return Ok(None) };
    let Some(act) = program.act(raw, at) else { return Ok(None) };
    let (noted_at, noted) = activation.noted();
    let is_like = |&one: &usize| one >= noted_at && program.is_like(raw, one, at);
    let before = program.starts().take_while(|&one| one < at).filter(is_like).count();
    let function = activation.begins();
    let spot = Spot { noted, function, act, before: before as u32 };
    let operands = operands(ctx, &activation, &program, at)?;
    Ok(Some(Failing { file: text_of(raw, activation.file()), spot, operands }))
}

/// The arguments that the innermost activation of a native was called with.
pub fn arguments<'js>(ctx: &Ctx<'js>, function: &Value<'js>) -> Result<Vec<Value<'js>>> {
    let Some(layout) = layout(ctx) else { return Ok(Vec::new()) };
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the engine keeps the arguments of a call until it has returned.
    unsafe {
        let arguments = layout.arguments_of(raw, function.as_raw());
        arguments.iter().map(|&value| raw::take(ctx, qjs::JS_DupValue(raw, value))).collect()
    }
}

/// What the instruction takes, where the engine leaves that alone when it fails.
fn operands<'js>(
    ctx: &Ctx<'js>,
    activation: &Activation,
    program: &Program<'_>,
    at: usize,
) -> Result<Vec<Value<'js>>> {
    let takes = program.takes(at);
    // Others have given back what they took by then.
    let is_left_alone = matches!(
        program.bytes[at],
        IN | INSTANCEOF
            | PRIVATE_IN
            | TO_OBJECT
            | FOR_OF_START
            | FOR_AWAIT_OF_START
            | APPEND
            | DELETE
    );
    let first = program.depth(at).and_then(|depth| depth.checked_sub(takes));
    let Some(first) = first.filter(|_| is_left_alone) else { return Ok(Vec::new()) };
    let raw = ctx.as_raw().as_ptr();
    let value = |index: usize| {
        // SAFETY: the function has so much on its stack where it is.
        unsafe {
            let value = *activation.stack().add(index);
            let is_value =
                i64::from(qjs::JS_VALUE_GET_TAG(value)) != i64::from(qjs::JS_TAG_UNINITIALIZED);
            let value = if is_value { value } else { qjs::JS_UNDEFINED };
            raw::take(ctx, qjs::JS_DupValue(raw, value))
        }
    };
    (first..first + takes).map(value).collect()
}

/// The code of a function.
pub(crate) struct Program<'c> {
    pub(crate) bytes: &'c [u8],
}

impl Program<'_> {
    pub(crate) fn of(activation: &Activation) -> Option<Self> {
        let code: &Code = activation.code();
        let length = usize::try_from(code.length).ok()?;
        // SAFETY: the code is that long, and kept by the function that runs.
        let bytes = unsafe { std::slice::from_raw_parts(code.bytes, length) };
        Some(Self { bytes })
    }

    /// Where instructions begin.
    fn starts(&self) -> impl Iterator<Item = usize> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let at = next;
            next += usize::from(INSTRUCTIONS.get(usize::from(*self.bytes.get(at)?))?.length);
            Some(at)
        })
    }

    /// Where the instruction begins that an activation is executing.
    fn executing(&self, activation: &Activation) -> Option<usize> {
        let at = activation.executing()?;
        self.starts().take_while(|&start| start <= at).last()
    }

    fn instruction(&self, at: usize) -> Option<Instruction> {
        INSTRUCTIONS.get(usize::from(*self.bytes.get(at)?)).copied()
    }

    fn word<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..at + N)?.try_into().ok()
    }

    fn atom(&self, at: usize) -> Option<u32> {
        self.word(at + 1).map(u32::from_ne_bytes)
    }

    /// What an instruction does.
    fn act(&self, ctx: *mut JSContext, at: usize) -> Option<Act> {
        let name = || Some(text_of(ctx, self.atom(at)?).into_boxed_str());
        Some(match *self.bytes.get(at)? {
            CALL | CALL0 | CALL1 | CALL2 | CALL3 | TAIL_CALL | CALL_METHOD | TAIL_CALL_METHOD
            | EVAL | APPLY_EVAL => Act::Call,
            CALL_CONSTRUCTOR => Act::New,
            APPLY if self.bytes.get(at + 1) == Some(&0) => Act::Call,
            APPLY => Act::New,
            GET_FIELD | GET_FIELD2 => Act::Get(name()?),
            GET_LENGTH => Act::Get("length".into()),
            GET_ARRAY_EL | GET_ARRAY_EL2 => Act::GetElement,
            PUT_FIELD => Act::Put(name()?),
            PUT_ARRAY_EL => Act::PutElement,
            GET_PRIVATE_FIELD | PUT_PRIVATE_FIELD | CHECK_BRAND => Act::Private,
            PRIVATE_IN => Act::PrivateIn,
            FOR_OF_START => Act::Iterate,
            FOR_AWAIT_OF_START => Act::IterateAsync,
            APPEND => Act::Spread,
            IN => Act::In,
            INSTANCEOF => Act::InstanceOf,
            MUL | DIV | MOD | ADD | SUB | SHL | SAR | SHR | AND | XOR | OR | POW | LT | LTE
            | GT | GTE | ADD_LOC => Act::Binary,
            NEG | PLUS | NOT | INC | DEC | POST_INC | POST_DEC | INC_LOC | DEC_LOC => Act::Unary,
            DELETE => Act::Delete,
            TO_OBJECT => Act::TakeApart,
            THROW_ERROR => Act::Assign(name()?),
            DEFINE_CLASS | DEFINE_CLASS_COMPUTED => Act::Extend,
            _ => return None,
        })
    }

    /// Whether two instructions do the same.
    fn is_like(&self, ctx: *mut JSContext, one: usize, other: usize) -> bool {
        // Names are read only where they could be the same.
        let by_name = |at: usize| matches!(self.bytes[at], GET_FIELD | GET_FIELD2 | PUT_FIELD);
        match (by_name(one), by_name(other)) {
            (true, true) => {
                let puts = |at: usize| self.bytes[at] == PUT_FIELD;
                puts(one) == puts(other) && self.atom(one) == self.atom(other)
            }
            _ => {
                let act = self.act(ctx, one);
                act.is_some() && act == self.act(ctx, other)
            }
        }
    }

    /// How many values an instruction takes from the stack.
    pub(crate) fn takes(&self, at: usize) -> usize {
        let Some(instruction) = self.instruction(at) else { return 0 };
        let arguments = match instruction.format {
            Format::Arguments => self.word(at + 1).map_or(0, u16::from_ne_bytes),
            Format::ShortArguments => u16::from(self.bytes[at] - CALL0),
            Format::Plain | Format::Atom | Format::Jump(_) | Format::AtomJump => 0,
        };
        usize::from(instruction.takes) + usize::from(arguments)
    }

    /// How much is on the stack before an instruction; nothing where that cannot be told.
    pub(crate) fn depth(&self, wanted: usize) -> Option<usize> {
        let mut depths: Vec<Option<usize>> = vec![None; self.bytes.len()];
        let mut open = vec![(0, 0)];
        while let Some((at, depth)) = open.pop() {
            if at == wanted {
                return Some(depth);
            }
            match depths.get_mut(at) {
                Some(known @ None) => *known = Some(depth),
                _ => continue,
            }
            let instruction = self.instruction(at)?;
            let after = depth.checked_sub(self.takes(at))? + usize::from(instruction.leaves);
            let number = self.bytes[at];
            let target = self.target(at, instruction.format);
            if let Some(target) = target {
                // A call of a `finally` block leaves there where it came from.
                open.push((target, after + usize::from(number == GOSUB)));
            }
            let ends = matches!(
                number,
                GOTO | GOTO8
                    | GOTO16
                    | TAIL_CALL
                    | TAIL_CALL_METHOD
                    | RETURN
                    | RETURN_UNDEF
                    | RETURN_ASYNC
                    | THROW
                    | THROW_ERROR
                    | RET
            );
            // What these leave depends on more than is followed here.
            if !ends && !matches!(number, NIP_CATCH) && instruction.format != Format::AtomJump {
                open.push((at + usize::from(instruction.length), after));
            }
        }
        None
    }

    /// Where an instruction jumps.
    fn target(&self, at: usize, format: Format) -> Option<usize> {
        let distance = match format {
            Format::Jump(1) => i32::from(self.word(at + 1).map(i8::from_ne_bytes)?),
            Format::Jump(2) => i32::from(self.word(at + 1).map(i16::from_ne_bytes)?),
            Format::Jump(_) => self.word(at + 1).map(i32::from_ne_bytes)?,
            Format::Plain
            | Format::Atom
            | Format::Arguments
            | Format::ShortArguments
            | Format::AtomJump => {
                return None;
            }
        };
        (at + 1).checked_add_signed(distance as isize)
    }
}
