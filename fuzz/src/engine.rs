//! Programs that read inputs: many of them in one engine, in a simulated world.

use hemiola_gate::{Member, Permissions, Stop};
use hemiola_js::{Ending, Entry, InputType, Instrument, Options, Tests, TimerMeaning};
use hemiola_live::{SystemTree, stack_room};
use hemiola_machine::{First, Named, Silent, Stream};
use hemiola_world::{Overlay, Secure, Virtual};
use std::sync::Arc;

/// How a program is run: without anything of this computer but its files.
pub fn options(entry: Entry) -> Options {
    Options {
        argv: vec!["/usr/bin/hemiola".into()],
        argv0: "hemiola".into(),
        exec_argv: Vec::new(),
        flags_of_variable: 0,
        flags: Vec::new(),
        cwd: "/".into(),
        env: Arc::default(),
        zone: "UTC".into(),
        memory_limit: 0,
        stack_limit: stack_room(),
        strategy: Named::NodePhases,
        before_trips: false,
        born: hemiola_machine::Instant::ZERO,
        on_variable: None,
        max_action: None,
        stop: Stop::default(),
        timers: TimerMeaning::Labelled,
        entry,
        input_type: InputType::Detect,
        contexts: true,
        awaits: false,
        promises: false,
        scattered: false,
        sites: false,
        accounts: None,
        names_requests: false,
        transfers: false,
        instrument: Instrument::Off,
        sampling: None,
        disk: Arc::new(Overlay::new(Arc::new(SystemTree::default()))),
        permissions: Permissions::default(),
        member: Member::alone(),
        tests: Tests::All,
        debug: None,
        desk: None,
    }
}

/// Lets a program in `fuzz/programs` read inputs, one after the other; `began` is told before each, with its number
/// among them.
///
/// The program writes a line for each: `@3` before the fourth, `!` and what is wrong, `.` after the last.
///
/// # Errors
///
/// What the program says is wrong.
pub fn read(program: &str, inputs: &[Vec<u8>], mut began: impl FnMut(usize)) -> Result<(), String> {
    let path = format!("{}/programs/{program}", env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for input in inputs {
        all.extend((input.len() as u32).to_le_bytes());
        all.extend_from_slice(input);
    }
    let mut said = String::new();
    let mut wrong = None;
    let mut is_over = false;
    let write = |_: Stream, bytes: &[u8]| {
        said.push_str(&String::from_utf8_lossy(bytes));
        while let Some(end) = said.find('\n') {
            let line: String = said.drain(..=end).collect();
            match line.split_at_checked(1) {
                Some(("@", number)) => began(number.trim().parse().unwrap_or_default()),
                Some(("!", what)) => drop(wrong.get_or_insert_with(|| what.trim().to_owned())),
                Some((".", _)) => is_over = true,
                // Warnings.
                _ => {}
            }
        }
        Ok(())
    };
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let options = Options { disk: files.clone(), ..options(Entry::File(path)) };
    let mut world = Virtual::new(1, files, write).input(Box::new(move || Ok(all)));
    let mut world = Secure::new(&mut world);
    let code = hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut Silent);
    let code = code.map_err(|error| error.to_string())?;
    match wrong {
        Some(wrong) => Err(wrong),
        None if !is_over => Err(format!(
            "the program ended early, with exit status {code}: something is never settled"
        )),
        None if code != 0 => Err(format!("the program ended with exit status {code}")),
        None => Ok(()),
    }
}
