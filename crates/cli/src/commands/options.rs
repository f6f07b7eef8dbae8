//! How a program in JavaScript is started: its words and flags, and what it has from its process.

use crate::args::{Given, INHERITED_FLAG, JavaScript, PermissionFlags, ProfileFlags, Timers};
use crate::input;
use crate::report::Failure;
use hemiola_gate::{Disk, Grant, Member, Names, Permissions, Stop};
use hemiola_js::{Entry, InputType, Instrument, Instrumentation, Options, Tests, TimerMeaning};
use hemiola_live::runs::{Manifest, Variables};
use hemiola_live::{environment, stack_room, time_zone};
use hemiola_machine::{Delay, Instant};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Where programs of a simulated host find the runtime.
pub(super) const OF_HOST: &str = "/usr/bin/hemiola";

/// What a program has from its process, and not from its words.
pub(super) struct Surroundings {
    pub(super) cwd: String,
    pub(super) executable: String,
    pub(super) argv0: String,
    pub(super) env: Vec<(String, String)>,
    pub(super) zone: String,
    /// Whether it was recorded when file operations were one trip each.
    pub(super) before_trips: bool,
    /// When its process began, by its own clock.
    pub(super) born: Instant,
    pub(super) stack_limit: usize,
    /// The program, if it comes from standard input.
    pub(super) text: Option<String>,
}

impl Surroundings {
    pub(super) fn of_process(program: &JavaScript) -> Result<Self, Failure> {
        Ok(Self {
            cwd: std::env::current_dir().unwrap_or_default().display().to_string(),
            executable: std::env::current_exe().unwrap_or_default().display().to_string(),
            argv0: std::env::args().next().unwrap_or_default(),
            env: environment(),
            zone: time_zone(),
            before_trips: false,
            born: Instant::ZERO,
            stack_limit: stack_room(),
            text: if program.is_input() {
                Some(input::read_of(Path::new("-"), "a program")?.text)
            } else {
                None
            },
        })
    }

    /// What a program has that is simulated: neither its computer nor its zone is the machine's, so that a
    /// simulation shows the same everywhere.
    pub(super) fn of_simulation(program: &JavaScript) -> Result<Self, Failure> {
        Ok(Self { zone: "UTC".into(), ..Self::of_process(program)? })
    }

    /// What a process of a simulated host has: nothing but what it is given.
    pub(super) fn of_host(cwd: &Path, env: Vec<(String, String)>) -> Self {
        Self::of_child(cwd.display().to_string(), (OF_HOST.into(), "hemiola".into()), env)
    }

    /// What a process has that a simulated program starts, by the path and the name that it is started by.
    pub(super) fn of_child(
        cwd: String,
        (executable, argv0): (String, String),
        env: Vec<(String, String)>,
    ) -> Self {
        Self {
            cwd,
            executable,
            argv0,
            env,
            zone: "UTC".into(),
            before_trips: false,
            born: Instant::ZERO,
            stack_limit: stack_room(),
            text: None,
        }
    }

    /// The same of a process that begins then, by its own clock.
    pub(super) fn born(self, born: Instant) -> Self {
        Self { born, ..self }
    }

    /// What a program had that was recorded, with the variables that are known of it.
    pub(super) fn of_recording(manifest: &Manifest, variables: Variables) -> Self {
        Self {
            cwd: manifest.cwd.clone(),
            executable: manifest.executable.0.clone(),
            argv0: manifest.executable.1.clone(),
            env: if manifest.env.is_empty() { variables.all } else { manifest.env.clone() },
            zone: manifest.zone.clone(),
            before_trips: manifest.before_trips,
            born: Instant::from_micros(manifest.born_us),
            // As far as there is one: who overflows it elsewhere must not overflow ours.
            stack_limit: usize::try_from(manifest.stack_limit)
                .unwrap_or(usize::MAX)
                .min(stack_room()),
            text: manifest.text.clone(),
        }
    }
}

/// How a program is started that tells nothing but what every program tells, and starts no workers.
pub(super) fn options(
    program: &JavaScript,
    surroundings: Surroundings,
    disk: Arc<dyn Disk>,
    stop: Stop,
) -> Result<Options, Failure> {
    let (entry, argv) = entry(program, &surroundings)?;
    let Surroundings { cwd, argv0, env, zone, before_trips, born, stack_limit, .. } = surroundings;
    Ok(Options {
        argv,
        argv0,
        exec_argv: Vec::new(),
        flags_of_variable: 0,
        flags: Vec::new(),
        cwd,
        env: Arc::new(env),
        on_variable: None,
        zone,
        memory_limit: memory_limit(program),
        stack_limit,
        strategy: program.strategy,
        before_trips,
        born,
        timers: match program.timers {
            Timers::Hemiola => TimerMeaning::Labelled,
            Timers::Node => TimerMeaning::Node,
        },
        max_action: program.max_action.map(|millis| Delay::from_millis(millis.into())),
        stop,
        entry,
        input_type: program.input_type.map_or(InputType::Detect, InputType::from),
        contexts: !program.no_context,
        promises: false,
        awaits: false,
        scattered: false,
        sites: false,
        names_requests: false,
        transfers: false,
        accounts: None,
        instrument: instrument(program),
        sampling: None,
        disk,
        permissions: permissions(&program.permissions),
        member: Member::alone(),
        tests: Tests::All,
        debug: None,
        desk: None,
    })
}

/// How many bytes of memory a program may use.
pub(super) fn memory_limit(program: &JavaScript) -> usize {
    program.memory_limit as usize * 1024 * 1024
}

/// What is run first, and what the program finds in `process.argv`.
fn entry(program: &JavaScript, process: &Surroundings) -> Result<(Entry, Vec<String>), Failure> {
    let words: Vec<String> =
        program.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let piped = process.text.clone().unwrap_or_default();
    let text = |source: String, name: &str| match &program.print {
        Some(_) => Entry::Printed { source, name: name.into() },
        None => Entry::Text { source, name: name.into() },
    };
    let (entry, name, arguments) = match (program.code(), words.as_slice()) {
        (Some(code), arguments) => (text(code.clone(), "[eval]"), None, arguments),
        (None, arguments) if program.stdin => (text(piped, "[stdin]"), None, arguments),
        (None, [file, arguments @ ..]) if file == "-" => {
            (text(piped, "[stdin]"), Some("-".to_owned()), arguments)
        }
        (None, [flag, ..]) if flag.starts_with('-') => {
            return Err(Failure::new(format!("there is no flag `{flag}`")).help(format!(
                "see --help; a file of that name is ./{flag}, and a program's own flags come after it"
            )));
        }
        (None, [file, arguments @ ..]) => {
            (Entry::File(file.clone()), Some(absolute(&process.cwd, file)), arguments)
        }
        (None, []) => unreachable!("the arguments ask for a file or a text"),
    };
    let first = [process.executable.clone()].into_iter().chain(name);
    Ok((entry, first.chain(arguments.iter().cloned()).collect()))
}

/// Whether the program tells of its accesses. Nobody listens here: tests compare what it does.
fn instrument(program: &JavaScript) -> Instrument {
    match program.instrument {
        true => Instrument::Accesses(Arc::new(Instrumentation::new(Vec::new(), true))),
        false => Instrument::Off,
    }
}

/// Refuses to write what the flags name, if whoever started us may not write everywhere.
pub(super) fn refuse_to_write(program: &JavaScript, profile: &ProfileFlags) -> Result<(), Failure> {
    let written = [
        ("--trace", program.trace.is_some()),
        ("--profile-out", profile.profile_out.is_some()),
        ("--paranoid", program.paranoid),
    ];
    let wanted = written.into_iter().filter(|(_, is_wanted)| *is_wanted);
    wanted.map(|(flag, _)| flag).try_for_each(|flag| program.permissions.refuse_to_write(flag))
}

/// What the flags allow.
fn permissions(flags: &PermissionFlags) -> Permissions {
    let given = if flags.permission { granted(flags) } else { Permissions::default() };
    let narrow = |given: Permissions, inherited: &Permissions| given.narrowed_by(inherited);
    flags.inherited_permission.iter().fold(given, narrow)
}

fn granted(flags: &PermissionFlags) -> Permissions {
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

/// What is no business of whatever a program starts with `process.execPath`.
const OURS: [&str; 13] = [
    INHERITED_FLAG,
    "eval",
    "print",
    "stdin",
    "color",
    "record",
    "record-secrets",
    "trace",
    "paranoid",
    "profile",
    "profile-out",
    "verify",
    "view",
];

/// Tells a program the flags that it was started with: the library reads them, and so does whatever it starts with
/// `process.execPath`.
pub(super) fn tell(options: &mut Options, given: &Given) {
    tell_without(options, given, &OURS);
}

/// The same for a program in a simulation, which is the same for one seed and for many.
pub(super) fn tell_simulated(options: &mut Options, given: &Given, ours: &[&str]) {
    tell_without(options, given, &[&OURS[..], ours].concat());
}

/// The same without those flags.
pub(super) fn tell_without(options: &mut Options, given: &Given, without: &[&str]) {
    options.exec_argv = given.written_words(without);
    options.flags = given.node.inherited.clone();
    options.flags_of_variable = options.flags.len();
    options.flags.extend(given.whole_words(without));
}
