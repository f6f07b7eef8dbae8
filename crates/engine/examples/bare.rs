//! The engine with nothing around it, for `benches/run`: what promises take here is the least that they can take.
//!
//! `bare FILE` runs a program that has `console.log` and `performance.now` besides the language.
#![expect(
    clippy::disallowed_methods,
    reason = "it reads the file that it is given, and measures real time"
)]

use rquickjs::function::Func;
use rquickjs::{Context, Object, Runtime};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("which program? bare FILE")?;
    let source = std::fs::read(file)?;
    let runtime = Runtime::new()?;
    let start = Instant::now();
    Context::full(&runtime)?.with(|ctx| {
        let performance = Object::new(ctx.clone())?;
        performance.set("now", Func::from(move || start.elapsed().as_secs_f64() * 1e3))?;
        ctx.globals().set("performance", performance)?;
        let console = Object::new(ctx.clone())?;
        console.set("log", Func::from(|text: String| println!("{text}")))?;
        ctx.globals().set("console", console)?;
        ctx.eval::<(), _>(source)
    })?;
    while runtime.execute_pending_job().map_err(|failed| failed.to_string())? {}
    Ok(())
}
