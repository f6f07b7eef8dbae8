//! A whole program: an engine on a machine, from its first line to its exit code.

use crate::host::{Callback, Js, Options, StartError};
use hemiola_machine::{Chooser, Machine, Sink, Step, Strategy, World};

/// Runs a program to its end and gives its exit code.
///
/// For the one program of a process: its memory is given back when the process ends.
pub fn run(
    options: Options,
    strategy: &impl Strategy,
    world: &mut impl World<Js>,
    chooser: &mut impl Chooser,
    sink: &mut impl Sink,
) -> Result<i32, StartError> {
    let mut host = Js::new(options)?;
    let mut machine = Machine::new(Callback::Main);
    let mut told = false;
    loop {
        match machine.step(&mut host, strategy, world, chooser, sink) {
            Step::Halted => break,
            // Told that it is about to end, a program may go on; if it does not, it ends.
            Step::Finished if told => {
                machine.go_on(Callback::Exit);
                machine.step(&mut host, strategy, world, chooser, sink);
                break;
            }
            Step::Finished => {
                told = true;
                machine.go_on(Callback::BeforeExit);
                if machine.step(&mut host, strategy, world, chooser, sink) == Step::Halted {
                    break;
                }
            }
            Step::Moved => told = false,
        }
    }
    let code = host.exit_code().unwrap_or(0);
    // The process ends with the program: to take a heap apart, object by object, only delays that.
    std::mem::forget((machine, host));
    Ok(code)
}
