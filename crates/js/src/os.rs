//! The computer that a program runs on, as `os` shows it.

use crate::host::state;
use crate::system;
use rquickjs::{Array, Ctx, Function, Object, Result};

/// What a program can know about its computer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computer {
    /// Its name in the network.
    pub hostname: String,
    /// Release and version of its system.
    pub release: String,
    /// The version of its system, in words.
    pub version: String,
    /// All memory, and what of it is free.
    pub memory_bytes: (u64, u64),
    /// Seconds since it was started.
    pub uptime_s: f64,
    /// How many processes wanted to run: over one, five and fifteen minutes.
    pub load: [f64; 3],
    /// How many processors the program may use.
    pub parallelism: usize,
    /// Its processors.
    pub processors: Vec<Processor>,
}

/// A processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    /// What it is called.
    pub model: String,
    /// How fast it runs; 0 if nobody knows.
    pub megahertz: u64,
    /// Milliseconds that it has spent: for programs, for patient ones, in the system, idle, in interrupts.
    pub times_ms: [u64; 5],
}

/// A user of the computer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// What the user is called.
    pub name: String,
    /// Where the user's files are.
    pub home: String,
    /// The program that reads the user's commands.
    pub shell: String,
}

impl Computer {
    /// A computer that is always the same: what programs see in a simulated world.
    pub(crate) fn fixed() -> Self {
        const MIB: u64 = 1024 * 1024;
        let processor = Processor { model: "virtual".into(), ..Processor::default() };
        Self {
            hostname: "localhost".into(),
            release: "6.0.0".into(),
            version: "#1".into(),
            memory_bytes: (2048 * MIB, 1024 * MIB),
            parallelism: 1,
            processors: vec![processor],
            ..Self::default()
        }
    }
}

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    binding.set("computer", Function::new(ctx.clone(), computer)?)?;
    binding.set("user", Function::new(ctx.clone(), user)?)?;
    binding.set("priority", Function::new(ctx.clone(), priority)?)?;
    binding.set("setPriority", Function::new(ctx.clone(), set_priority)?)
}

/// `computer()`: the fields of [`Computer`].
fn computer<'js>(ctx: Ctx<'js>) -> Result<Object<'js>> {
    let computer = state(&ctx).options.system.computer();
    let shown = Object::new(ctx.clone())?;
    shown.set("hostname", computer.hostname)?;
    shown.set("release", computer.release)?;
    shown.set("version", computer.version)?;
    shown.set("memory", computer.memory_bytes.0 as f64)?;
    shown.set("free", computer.memory_bytes.1 as f64)?;
    shown.set("uptime", computer.uptime_s)?;
    shown.set("load", computer.load.to_vec())?;
    shown.set("parallelism", computer.parallelism)?;
    let processors = Array::new(ctx.clone())?;
    for (at, processor) in computer.processors.into_iter().enumerate() {
        let one = Object::new(ctx.clone())?;
        one.set("model", processor.model)?;
        one.set("speed", processor.megahertz as f64)?;
        one.set("times", processor.times_ms.map(|time| time as f64).to_vec())?;
        processors.set(at, one)?;
    }
    shown.set("processors", processors)?;
    Ok(shown)
}

/// `user()`: name, home and shell of who runs the program, or undefined for a user without an entry.
fn user(ctx: Ctx<'_>) -> Option<Vec<String>> {
    let user = state(&ctx).options.system.user()?;
    Some(vec![user.name, user.home, user.shell])
}

/// `priority(pid)`: `[0, priority]`, or the number of the error.
fn priority(ctx: Ctx<'_>, pid: i32) -> Vec<i32> {
    match state(&ctx).options.system.priority(pid) {
        Ok(priority) => vec![0, priority],
        Err(error) => vec![system::errno(Err(error))],
    }
}

/// `setPriority(pid, priority)`: 0, or the number of the error.
fn set_priority(ctx: Ctx<'_>, pid: i32, priority: i32) -> i32 {
    system::errno(state(&ctx).options.system.set_priority(pid, priority))
}
