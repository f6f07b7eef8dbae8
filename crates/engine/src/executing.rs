//! The code of functions that run, and which of its instructions they execute.
#![expect(unsafe_code, reason = "it reads structs of the engine")]

use crate::debug::{Activation, Layout, text_of};
use crate::interrupts::Interrupts;
use crate::mirror::instructions::*;
use crate::mirror::{CODE, Code, FunctionObject, RESOLVE};
use hemiola_transform::{Act, Spot};
use rquickjs::Ctx;
use rquickjs::qjs::{self, JSContext, JSValue};
use std::sync::OnceLock;

/// Where everything is in the engine; the same for all engines of a process.
static LAYOUT: OnceLock<Option<Layout>> = OnceLock::new();

/// The same, for an engine with these interrupts.
pub(crate) fn layout(ctx: &Ctx<'_>, interrupts: &Interrupts) -> Option<Layout> {
    // Which of the runs of a process looks first must not show.
    *LAYOUT.get_or_init(|| interrupts.uncounted(0, || Layout::find(ctx)))
}

/// The instruction that an activation is executing; nothing if that is none that a text could explain.
pub(crate) fn executed(ctx: *mut JSContext, activation: &Activation) -> Option<Spot> {
    let program = Program::of(activation)?;
    program.spot(ctx, activation.code(), program.executing(activation)?)
}

/// Whether a function may look at what it is called on. It is only known of some that they do not: arrow functions, all
/// others whose text has no `this`, and those that settle a promise.
///
/// # Safety
///
/// It is an object that is alive.
pub(crate) unsafe fn looks_at_this(function: JSValue) -> bool {
    // SAFETY: the caller's; a function has its code as long as itself.
    unsafe {
        let function: *const FunctionObject = qjs::JS_VALUE_GET_PTR(function).cast();
        match (*function).class {
            CODE => Program::new(&*(*function).code).is_none_or(|program| program.keeps_this()),
            class => !(RESOLVE..=RESOLVE + 1).contains(&class.into()),
        }
    }
}

/// The code of a function.
pub(crate) struct Program<'c> {
    pub(crate) bytes: &'c [u8],
}

impl Program<'_> {
    pub(crate) fn of(activation: &Activation) -> Option<Self> {
        // SAFETY: the code is kept by the function that runs.
        unsafe { Self::new(activation.code()) }
    }

    /// The code that is described so.
    ///
    /// # Safety
    ///
    /// It lives as long as this is used.
    pub(crate) unsafe fn new(code: &Code) -> Option<Self> {
        let length = usize::try_from(code.length).ok()?;
        // SAFETY: the caller's; the code is that long.
        let bytes = unsafe { std::slice::from_raw_parts(code.bytes, length) };
        Some(Self { bytes })
    }

    /// Whether it begins with putting what it was called on into a variable, as all code does that uses it anywhere.
    /// Before that, only objects that the engine makes for the call are put into others.
    fn keeps_this(&self) -> bool {
        let mut at = 0;
        while let Some(&number) = self.bytes.get(at) {
            match number {
                SPECIAL_OBJECT | PUT_LOC | PUT_LOC8 | PUT_LOC0 | PUT_LOC1 | PUT_LOC2 | PUT_LOC3 => {
                    at += usize::from(INSTRUCTIONS[usize::from(number)].length);
                }
                number => return number == PUSH_THIS,
            }
        }
        false
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
    pub(crate) fn executing(&self, activation: &Activation) -> Option<usize> {
        self.start_of(activation.executing()?)
    }

    /// Where the instruction begins that has this byte.
    pub(crate) fn start_of(&self, byte: usize) -> Option<usize> {
        self.starts().take_while(|&start| start <= byte).last()
    }

    /// An instruction as a text tells it from others.
    pub(crate) fn spot(&self, ctx: *mut JSContext, code: &Code, at: usize) -> Option<Spot> {
        let act = self.act(ctx, at)?;
        let (noted_at, noted) = code.noted(at);
        let is_like = |&one: &usize| one >= noted_at && self.is_like(ctx, one, at);
        let before = self.starts().take_while(|&one| one < at).filter(is_like).count();
        Some(Spot { noted, function: code.begins(), act, before: before as u32 })
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
