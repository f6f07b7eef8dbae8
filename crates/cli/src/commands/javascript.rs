//! `hemiola run` and `hemiola simulate`: programs in JavaScript.

use super::held::Held;
use super::profile::Profile;
use super::watch::{self, Watch};
use super::{Done, recordings, workers};
use crate::args::{Chains, Given, JavaScript, PermissionFlags, RunArgs, SimulateArgs, Timers};
use crate::input::Source;
use crate::report::Failure;
use hemiola_gate::{Disk, Grant, MAIN, Member, Names, Permissions, Stop};
use hemiola_js::{
    Ending, Entry, InputType, Instrument, Instrumentation, Options, Tests, TimerMeaning,
};
use hemiola_live::runs::{Manifest, Run, RunError};
use hemiola_live::{
    Files, Live, SystemTree, end_by, environment, signal_of, stack_room, time_zone, whole_input,
};
use hemiola_machine::{First, Silent, Stream, World};
use hemiola_world::Secure;
use hemiola_world::recording::{
    Entry as Input, Recorded, RecordedModules, Recorder, RecordingModules,
};
use hemiola_world::{Overlay, Virtual};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

pub(super) fn run(args: &RunArgs, given: &Given) -> Result<Done, Failure> {
    let mut watch = Watch::new(args.program.trace.as_deref(), args.program.paranoid)?;
    let profile = Profile::begin(&args.profile, &mut watch);
    let held = Held::begin(args.verify, &mut watch);
    let (stop, world) = world(&args.program)?;
    let surroundings = Surroundings::of_process(&args.program)?;
    let recording = recordings::begin(args, &surroundings)?;
    let disk: Arc<dyn Disk> = match &recording {
        Some(recording) => Arc::new(RecordingModules::new(Arc::new(Files), recording.tape())),
        None => Arc::new(Files),
    };
    let mut options = options(&args.program, surroundings, disk, stop)?;
    options.exec_argv = flags(given);
    // What a worker says is recorded, not what it is told; so its modules are its own business.
    options.member = workers::live(Options { disk: Arc::new(Files), ..options.clone() });
    Profile::facts(&args.profile).ask(&mut options);
    let mut world = world.member(options.member.clone());
    let stop = options.stop.clone();
    let (done, recording) = match recording {
        None => {
            let done = finish(options, &mut Secure::new(&mut world), &mut watch)?;
            (written(world.flush(), done)?, None)
        }
        Some(recording) => {
            // What was said is recorded, not what went over the wire: that never is the same again.
            let mut recorder = Recorder::new(Secure::new(&mut world), recording.tape());
            let done = finish(options, &mut recorder, &mut watch)?;
            (written(world.flush(), done)?, Some(recording))
        }
    };
    let done = watch.close(done)?;
    if let Some(profile) = profile {
        profile.show(&args.profile)?;
    }
    let done = match held {
        None => done,
        Some(held) => held.end(done),
    };
    let signal = stop.asked().and_then(signal_of);
    // A program that somebody ended has not failed.
    let done = match recording {
        Some(recording) if args.program.paranoid => {
            recordings::end_compared(recording, done, args, &stop, watch.second())?
        }
        Some(recording) => recordings::end(recording, done, signal.is_none()),
        None => done,
    };
    // Who started us sees that it was a signal; a shell makes the exit code of it that we would give.
    if let Some(signal) = signal {
        end_by(signal);
    }
    Ok(done)
}

/// Runs a program again as it was recorded, and writes its trace if that is wanted. `stacks` says what
/// stands below stacks now, if that is to be something else than then.
pub(super) fn run_again(
    run: &Run,
    trace: Option<&Path>,
    stacks: Option<Chains>,
) -> Result<Done, Failure> {
    let mut watch = Watch::new(trace, false)?;
    let (args, _) = crate::args::recorded_run(&run.manifest.words)?;
    let (stop, mut live) = world(&args.program)?;
    let write = |stream, bytes: &[u8]| live.write(stream, bytes);
    let again = match run.inputs() {
        Ok(entries) => {
            let ask = |options: &mut Options| {
                if let Some(stacks) = stacks {
                    options.exec_argv.retain(|word| !word.starts_with("--stacks="));
                    options.exec_argv.push(stacks.flag().to_owned());
                }
            };
            follow_entries(run, entries, ask, stop, write, &mut watch)?
        }
        Err(error) => Again::Refused(recordings::unreadable(&error)),
    };
    let (Again::Ended(done) | Again::Cut(done) | Again::Refused(done)) = again;
    watch.close(written(live.flush(), done)?)
}

/// What became of a recorded run.
pub(super) enum Again {
    /// It ended as the program did.
    Ended(Done),
    /// It was stopped from outside, and followed as far as it was recorded.
    Cut(Done),
    /// It could not be followed, or not to its end.
    Refused(Done),
}

/// Runs a program as it was recorded: with the words and the surroundings of then.
pub(super) fn follow(
    run: &Run,
    stop: Stop,
    write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
    watch: &mut Watch,
) -> Result<Again, Failure> {
    match run.inputs() {
        Ok(entries) => follow_entries(run, entries, |_| {}, stop, write, watch),
        Err(error) => Ok(Again::Refused(recordings::unreadable(&error))),
    }
}

/// The same for a recording whose inputs have been read, with facts in the trace that cost something.
pub(super) fn follow_entries(
    run: &Run,
    entries: Vec<Input>,
    ask: impl FnOnce(&mut Options),
    stop: Stop,
    write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
    watch: &mut Watch,
) -> Result<Again, Failure> {
    let manifest = &run.manifest;
    let (args, given) = crate::args::recorded_run(&manifest.words)?;
    if args.program.strategy.name() != manifest.strategy {
        let strategy = &manifest.strategy;
        let reason = format!("its words do not ask for the strategy `{strategy}`");
        let error = RunError::Damaged(run.path.clone(), reason);
        return Ok(Again::Refused(recordings::unreadable(&error)));
    }
    let changed = recordings::changed(&entries);
    let mut world = Recorded::new(entries, stop.clone(), write);
    let disk = Arc::new(RecordedModules::of(&world));
    let surroundings = Surroundings::of_recording(manifest);
    let mut options = options(&args.program, surroundings, disk, stop)?;
    options.exec_argv = flags(&given);
    ask(&mut options);
    options.member = workers::live(options.clone());
    let asked = options.stop.clone();
    let done = finish(options, &mut world, watch)?;
    // Who is stopped has not asked for everything.
    let divergence = match asked.asked() {
        Some(_) => world.divergence(),
        None => world.divergence_at_end(),
    };
    Ok(match divergence {
        None => Again::Ended(Done { notes: changed + &done.notes, ..done }),
        Some(divergence) => {
            let done = recordings::left(manifest, &divergence, world.shares_memory());
            match recordings::was_cut(manifest, &divergence) {
                true => Again::Cut(done),
                false => Again::Refused(done),
            }
        }
    })
}

pub(super) fn simulate(args: &SimulateArgs, given: &Given) -> Result<Done, Failure> {
    let mut watch = Watch::new(args.program.trace.as_deref(), args.program.paranoid)?;
    let profile = Profile::begin(&args.profile, &mut watch);
    let held = Held::begin(args.verify, &mut watch);
    let (stop, live) = world(&args.program)?;
    let live = Arc::new(Mutex::new(live));
    // Whoever runs it twice gives it the same input twice.
    let input = Arc::new(OnceLock::new());
    let outputs = [watch::Output::default(), watch::Output::default()]
        .map(|output| Arc::new(Mutex::new(output)));
    let output = Arc::clone(&live);
    let noted = args.program.paranoid.then(|| Arc::clone(&outputs[0]));
    let write = move |stream: Stream, bytes: &[u8]| {
        if let Some(noted) = &noted {
            lock(noted).note(stream, bytes);
        }
        lock(&output).write(stream, bytes)
    };
    let (done, rest) = simulate_once(args, given, &stop, Box::new(write), &input, &mut watch)?;
    let done = watch.close(written(lock(&live).flush(), done)?)?;
    if let Some(profile) = profile {
        profile.show(&args.profile)?;
    }
    let done = match held {
        None => done,
        Some(held) => {
            rest.into_iter().for_each(|at| held.rest(at));
            held.end(done)
        }
    };
    if !args.program.paranoid {
        return Ok(done);
    }
    if stop.asked().is_some() {
        return Ok(watch::not_compared(done));
    }
    let mut second = watch.second();
    let noted = Arc::clone(&outputs[1]);
    let write = move |stream: Stream, bytes: &[u8]| {
        lock(&noted).note(stream, bytes);
        Ok(())
    };
    let (again, _) = simulate_once(args, given, &stop, Box::new(write), &input, &mut second)?;
    if stop.asked().is_some() {
        return Ok(watch::not_compared(done));
    }
    let outputs = outputs.each_ref().map(|output| lock(output).clone());
    let help = "this is a bug in hemiola: please report it, with the program";
    Ok(second.verdict([done.code, again.code], &outputs, help).unwrap_or(done))
}

/// Runs a program once; says also when it came to rest, in milliseconds since 1970, if it did.
fn simulate_once(
    args: &SimulateArgs,
    given: &Given,
    stop: &Stop,
    write: workers::Write,
    input: &Arc<OnceLock<Vec<u8>>>,
    watch: &mut Watch,
) -> Result<(Done, Option<i64>), Failure> {
    let output: workers::Output = Arc::new(Mutex::new(write));
    let disk = Arc::new(SystemTree::default());
    let mut files = Overlay::new(Arc::clone(&disk) as _);
    if args.write_through {
        files = files.write_through(disk);
    }
    let files = Arc::new(files);
    let write = workers::write_to(Arc::clone(&output));
    let input = Arc::clone(input);
    let read = move || match input.get() {
        Some(bytes) => Ok(bytes.clone()),
        None => whole_input().inspect(|bytes| input.set(bytes.clone()).unwrap_or_default()),
    };
    let world = Virtual::new(args.seed, Arc::clone(&files), write).faults(args.faults);
    let mut world = world.input(Box::new(read));
    if let Some(until) = args.until {
        world = world.until(until);
    }
    // Neither the process nor the zone is the machine's: a simulation shows the same everywhere.
    let surroundings =
        Surroundings { zone: "UTC".into(), ..Surroundings::of_process(&args.program)? };
    let disk = Arc::clone(&files);
    let mut options = options(&args.program, surroundings, disk, stop.clone())?;
    options.exec_argv = flags(given);
    let (seat, member) = workers::simulated(
        options.clone(),
        files,
        args.seed,
        args.until,
        args.faults,
        output,
        world.network(),
    );
    options.member = member.clone();
    let mut world = world.seated(seat, member.clone());
    Profile::facts(&args.profile).ask(&mut options);
    let done = finish(options, &mut Secure::new(&mut world), watch)?;
    let rest = world.rests_at().map(|micros| (micros / 1000) as i64);
    member.hub.ended(MAIN, 0);
    if let Some(seat) = world.stand_up() {
        seat.finish();
    }
    Ok((done, rest))
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The flags that a program was started with, for whatever it starts with `process.execPath`.
fn flags(given: &Given) -> Vec<String> {
    given.whole_words(&[
        "eval",
        "print",
        "color",
        "record",
        "trace",
        "paranoid",
        "profile",
        "profile-out",
        "verify",
    ])
}

/// The end of a program, unless it was well and its output could not be written. A reader that wants
/// no more of it, as `head` does, is no failure.
pub(super) fn written(result: io::Result<()>, done: Done) -> Result<Done, Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe && done.code == 0 => {
            let reason = crate::input::reason(&error);
            Err(Failure::new(format!("cannot write what the program printed: {reason}"))
                .help("make room where standard output goes, or send it elsewhere"))
        }
        _ => Ok(done),
    }
}

/// The world of the system, and what its signals and its clock ask for.
pub(super) fn world(program: &JavaScript) -> Result<(Stop, Live), Failure> {
    let stop = Stop::default();
    let live = Live::new(stop.clone()).map_err(|error| {
        Failure::new(format!("cannot listen to the system: {error}"))
            .help("raise the number of files that may be open: ulimit -n")
    })?;
    if let Some(limit) = program.timeout {
        live.stop_after(limit);
    }
    Ok((stop, live))
}

/// Runs a program to its end in a world.
fn finish(
    options: Options,
    world: &mut impl World<hemiola_js::JavaScript>,
    watch: &mut Watch,
) -> Result<Done, Failure> {
    let stop = options.stop.clone();
    let ran = if watch.is_idle() {
        hemiola_js::run(options, Ending::WithProcess, world, &mut First, &mut Silent)
    } else {
        hemiola_js::run(options, Ending::WithProcess, world, &mut First, watch)
    };
    // Who is stopped before the first line has nothing to say.
    let code = ran.or_else(|error| match stop.asked() {
        Some(reason) => Ok(reason.exit_code()),
        None => Err(Failure::new(error.to_string()).help("give it more memory")),
    })?;
    // The system keeps the low byte of an exit code.
    Ok(Done { output: String::new(), notes: String::new(), code: code as u8 })
}

/// What a program has from its process, and not from its words.
pub(super) struct Surroundings {
    pub(super) cwd: String,
    pub(super) executable: String,
    pub(super) argv0: String,
    pub(super) env: Vec<(String, String)>,
    pub(super) zone: String,
    pub(super) stack_limit: usize,
    /// The program, if it comes from standard input.
    pub(super) text: Option<String>,
}

impl Surroundings {
    pub(super) fn of_process(program: &JavaScript) -> Result<Self, Failure> {
        let is_text = program.eval.is_none()
            && program.print.is_none()
            && program.words.first().is_some_and(|file| file == "-");
        Ok(Self {
            cwd: std::env::current_dir().unwrap_or_default().display().to_string(),
            executable: std::env::current_exe().unwrap_or_default().display().to_string(),
            argv0: std::env::args().next().unwrap_or_default(),
            env: environment(),
            zone: time_zone(),
            stack_limit: stack_room(),
            text: if is_text { Some(Source::read(Path::new("-"))?.text) } else { None },
        })
    }

    fn of_recording(manifest: &Manifest) -> Self {
        Self {
            cwd: manifest.cwd.clone(),
            executable: manifest.executable.0.clone(),
            argv0: manifest.executable.1.clone(),
            env: manifest.env.clone(),
            zone: manifest.zone.clone(),
            stack_limit: usize::try_from(manifest.stack_limit).unwrap_or(usize::MAX),
            text: manifest.text.clone(),
        }
    }
}

pub(super) fn options(
    program: &JavaScript,
    surroundings: Surroundings,
    disk: Arc<dyn Disk>,
    stop: Stop,
) -> Result<Options, Failure> {
    let Surroundings { cwd, executable, argv0, env, zone, stack_limit, text: piped } = surroundings;
    let words: Vec<String> =
        program.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let text = |source: String, name: &str| Entry::Text { source, name: name.into() };
    // What a text is worth is known to who evaluates it once more, in the same place.
    let printing = program.print.as_ref().map(|code| {
        let code = serde_json::to_string(code).expect("a text can be written");
        format!("console.log((0, eval)({code}))")
    });
    let given = program.eval.as_ref().or(printing.as_ref());
    let (entry, arguments) = match (given, words.as_slice()) {
        (Some(code), arguments) => (text(code.clone(), "[eval]"), arguments),
        (None, [file, arguments @ ..]) if file == "-" => {
            (text(piped.unwrap_or_default(), "[stdin]"), arguments)
        }
        (None, [flag, ..]) if flag.starts_with('-') => {
            return Err(Failure::new(format!("there is no flag `{flag}`")).help(format!(
                "see --help; a file of that name is ./{flag}, and a program's own flags come after it"
            )));
        }
        (None, [file, arguments @ ..]) => (Entry::File(file.clone()), arguments),
        (None, []) => unreachable!("the arguments ask for a file or a text"),
    };
    let mut argv = vec![executable];
    match &entry {
        Entry::File(file) => argv.push(absolute(&cwd, file)),
        Entry::Text { .. } if given.is_none() => argv.push("-".into()),
        Entry::Text { .. } => {}
    }
    argv.extend_from_slice(arguments);
    Ok(Options {
        argv,
        argv0,
        exec_argv: Vec::new(),
        cwd,
        env,
        zone,
        memory_limit: program.memory_limit as usize * 1024 * 1024,
        stack_limit,
        strategy: program.strategy,
        timers: match program.timers {
            Timers::Hemiola => TimerMeaning::Labelled,
            Timers::Node => TimerMeaning::Node,
        },
        stop,
        entry,
        input_type: program.input_type.map_or(InputType::Detect, InputType::from),
        contexts: !program.no_context,
        promises: false,
        sites: false,
        accounts: None,
        instrument: instrument(program),
        disk,
        permissions: permissions(&program.permissions),
        member: Member::alone(),
        tests: Tests::All,
        debug: None,
    })
}

/// Whether the program tells of its accesses. Nobody listens here: tests compare what it does.
fn instrument(program: &JavaScript) -> Instrument {
    match program.instrument {
        true => Instrument::Accesses(Arc::new(Instrumentation::new(Vec::new(), true))),
        false => Instrument::Off,
    }
}

/// What the flags allow.
fn permissions(flags: &PermissionFlags) -> Permissions {
    if !flags.permission {
        return Permissions::default();
    }
    let grant = |paths: &[PathBuf]| {
        if paths.iter().any(|path| path.as_os_str() == "*") {
            return Grant::All;
        }
        let real = |path: &PathBuf| {
            // All that is in a directory may be written with a star.
            let path = if path.ends_with("*") { path.parent().unwrap_or(path) } else { path };
            std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).ok()
        };
        Grant::Under(paths.iter().filter_map(real).collect())
    };
    let names = |given: &Option<Vec<String>>| match given {
        None => Names::NONE,
        Some(names) if names.is_empty() || names.iter().any(|name| name == "*") => Names::All,
        Some(names) => Names::Only(names.clone()),
    };
    let run = match names(&flags.allow_run) {
        Names::All => Names::All,
        Names::Only(files) => Names::Only(files.iter().filter_map(|file| program(file)).collect()),
    };
    Permissions {
        read: grant(&flags.allow_read),
        write: grant(&flags.allow_write),
        net: names(&flags.allow_net),
        run,
        env: names(&flags.allow_env),
        worker: if flags.allow_worker { Names::All } else { Names::NONE },
    }
}

/// The program that a name or a path means here and now.
fn program(file: &str) -> Option<String> {
    let real = |path: &Path| std::fs::canonicalize(path).ok()?.into_os_string().into_string().ok();
    if file.contains('/') {
        return real(Path::new(file));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).find_map(|directory| real(&directory.join(file)))
}

/// A path from the root, without `.` and `..`.
fn absolute(cwd: &str, path: &str) -> String {
    let mut found = PathBuf::new();
    for part in Path::new(cwd).join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                found.pop();
            }
            part => found.push(part),
        }
    }
    found.display().to_string()
}
