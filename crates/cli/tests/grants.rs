//! What a program with `--permission` tries in order to get out: live and simulated, and through what it starts.

use crate::common::{HEMIOLA, Scratch, hemiola};
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// What programs tell of each try: what it gave, or the code, the permission and the resource.
const TELL: &str = "
    const fs = require('fs'), os = require('os'), path = require('path');
    async function tell(attempt) {
      try { return `allowed ${await attempt()}`; } catch (error) {
        return `${error.code} ${error.permission ?? ''} ${error.resource ?? ''}`.trim();
      }
    }
    async function show(...attempts) {
      for (const attempt of attempts) console.log(await tell(attempt));
    }
    const told = (call) => new Promise((resolve, reject) =>
      call((error, value) => (error ? reject(error) : resolve(value))));
";

/// A folder with a part that the program may use, and one that it may not.
fn place(name: &str) -> Scratch {
    let mut scratch = Scratch::new(name);
    // Permissions are for paths without links.
    scratch.0 = scratch.0.canonicalize().expect("it is there");
    for folder in ["inside", "outside/folder"] {
        fs::create_dir_all(scratch.0.join(folder)).expect("a directory can be made");
    }
    for file in ["inside/file", "outside/file", "outside/.env"] {
        fs::write(scratch.0.join(file), "A=B").expect("a file can be written");
    }
    for (target, link) in [
        ("../outside", "inside/link"),
        ("../outside/file", "inside/there"),
        ("../outside/missing", "inside/gone"),
    ] {
        symlink(target, scratch.0.join(link)).expect("a link can be made");
    }
    scratch
}

/// What a program prints, in that world.
fn shown(place: &Path, words: &[&str], flags: &[&str], program: &str) -> String {
    fs::write(place.join("main.js"), format!("{TELL}(async () => {{ {program} }})();"))
        .expect("a program can be written");
    let mut command = hemiola(place);
    command.args(words).arg("--permission").args(flags).arg("main.js").stdin(Stdio::null());
    let output = command.output().expect("hemiola can be run");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    String::from_utf8_lossy(&output.stdout).replace(&*place.to_string_lossy(), "PLACE")
}

const WORLDS: [&[&str]; 3] = [&["run"], &["simulate"], &["simulate", "--write-through"]];
const INSIDE: [&str; 2] = ["--allow-read=inside,main.js", "--allow-write=inside"];

#[test]
fn descriptors_opened_for_reading_change_nothing() {
    let place = place("reading-descriptors");
    let program = "
      const fd = fs.openSync('outside/file');
      const file = await fs.promises.open('outside/file');
      const number = (text) => text.replace(/\\d+$/, 'FD');
      for (const attempt of [
        () => fs.fchmodSync(fd, 0o600), () => told((done) => fs.fchmod(fd, 0o600, done)), () => file.chmod(0o600),
        () => fs.fchownSync(fd, 7, 7), () => told((done) => fs.fchown(fd, 7, 7, done)), () => file.chown(7, 7),
        () => fs.futimesSync(fd, 7, 7), () => told((done) => fs.futimes(fd, 7, 7, done)), () => file.utimes(7, 7),
        () => fs.fchmodSync(1, 0o600),
      ]) console.log(number(await tell(attempt)));
      for (const attempt of [() => fs.ftruncateSync(fd), () => fs.writeSync(fd, 'x'), () => file.truncate()]) {
        console.log((await tell(attempt)).startsWith('allowed'));
      }
      await file.close();
      const own = fs.openSync('inside/file', 'r+');
      await show(() => fs.fchmodSync(own, 0o600), () => fs.futimesSync(own, 7, 7), () => fs.statSync('inside/file').mode & 0o777);
    ";
    let before = fs::metadata(place.0.join("outside/file")).expect("it is there");
    for world in WORLDS {
        let shown = shown(&place.0, world, &["--allow-read=*", "--allow-write=inside"], program);
        let mut lines: Vec<&str> = shown.lines().collect();
        // The streams of a simulated process are no files.
        let given = lines.remove(9);
        let is_refused = given == "ERR_ACCESS_DENIED FileSystemWrite FD" || given == "EBADF";
        assert!(is_refused, "{world:?}: {given}");
        let refused = ["ERR_ACCESS_DENIED FileSystemWrite FD"; 9];
        assert_eq!(lines[..9], refused, "{world:?}");
        let rest =
            ["false", "false", "false", "allowed undefined", "allowed undefined", "allowed 384"];
        assert_eq!(lines[9..], rest, "{world:?}");
        let after = fs::metadata(place.0.join("outside/file")).expect("it is there");
        let known =
            |found: &fs::Metadata| (found.mode(), found.uid(), found.mtime(), found.ctime());
        assert_eq!(known(&after), known(&before), "{world:?}");
    }
}

#[test]
fn a_link_with_a_slash_is_what_it_leads_to() {
    let place = place("slashes");
    let program = "
      for (const end of ['/', '/.', '//', '/./', '/..']) {
        const link = `inside/link${end}`;
        await show(
          () => fs.lstatSync(link), () => fs.promises.lstat(link), () => fs.lchownSync(link, 7, 7),
          () => told((done) => fs.lutimes(link, 7, 7, done)), () => fs.readlinkSync(link), () => fs.readdirSync(link));
      }
      await show(
        () => fs.linkSync('outside/file', 'inside/hard'), () => fs.linkSync('inside/link/file', 'inside/hard'),
        () => fs.renameSync('outside/file', 'inside/hard'), () => fs.copyFileSync('inside/there', 'inside/hard'),
        () => fs.cpSync('inside/link/', 'inside/copy', { recursive: true }));
      console.log(fs.readdirSync('inside', { recursive: true }).join());
      console.log((await fs.promises.readdir('inside', { recursive: true, withFileTypes: true })).map((one) => one.name).join());
      const found = [];
      for await (const one of await fs.promises.opendir('inside', { recursive: true })) found.push(one.name);
      console.log(found.sort().join());
    ";
    for world in WORLDS {
        let shown = shown(&place.0, world, &INSIDE, program);
        let lines: Vec<&str> = shown.lines().collect();
        for (end, lines) in ["/", "/.", "//", "/./", "/.."].iter().zip(lines.chunks(6)) {
            let refused =
                |what| format!("ERR_ACCESS_DENIED FileSystem{what} PLACE/inside/link{end}");
            let expected = ["Read", "Read", "Write", "Write", "Read", "Read"].map(refused);
            assert_eq!(lines, expected, "{world:?}");
        }
        for line in &lines[30..35] {
            assert!(line.starts_with("ERR_ACCESS_DENIED FileSystem"), "{world:?}: {line}");
        }
        assert_eq!(lines[35..], ["file,gone,link,there"; 3], "{world:?}");
    }
}

#[test]
fn nobody_is_told_what_exists_outside() {
    let place = place("what-exists");
    // Each try is made of what is there and of what is not, directly and over links.
    let program = "
      const { createRequire } = require('module');
      const outside = path.resolve('outside');
      const attempts = {
        'require.resolve': (name) => require.resolve(name),
        'require': (name) => require(name),
        'import': (name) => import(name),
        'createRequire': (name) => createRequire(path.join(outside, 'x.js')).resolve(name),
        'paths': (name) => require.resolve(name, { paths: [outside] }),
        'chdir': (name) => process.chdir(name),
        'loadEnvFile': (name) => process.loadEnvFile(name),
        'existsSync': (name) => { if (fs.existsSync(name)) throw new Error('it exists'); },
        'accessSync': (name) => fs.accessSync(name),
        'realpathSync': (name) => fs.realpathSync(name),
        'realpath': (name) => told((done) => fs.realpath.native(name, done)),
        'statSync': (name) => fs.statSync(name, { throwIfNoEntry: false }),
        'opendirSync': (name) => fs.opendirSync(name),
        'watch': (name) => fs.watch(name),
        'cp': (name) => fs.promises.cp(name, 'inside/copy', { recursive: true }),
        'rm': (name) => fs.promises.rm(name, { force: true }),
        'mkdir': (name) => fs.promises.mkdir(name, { recursive: true }),
        'glob': async (name) => { const found = []; if (!fs.promises.glob) throw { code: 'none' }; for await (const one of fs.promises.glob(name)) found.push(one); return found.length; },
      };
      const inside = path.resolve('inside');
      const pairs = [
        [`${outside}/file`, `${outside}/missing`], [`${outside}/folder`, `${outside}/missing/deep`],
        [`${inside}/link/file`, `${inside}/link/missing`], [`${inside}/link/folder`, `${inside}/link/file/no`],
        [`${inside}/link/folder/`, `${inside}/link/missing/`], ['/', '/missing'],
        [`${outside}/folder/..`, `${outside}/missing/..`],
      ];
      for (const [name, attempt] of Object.entries(attempts)) {
        const odd = [];
        for (const [one, other] of pairs) {
          const both = await Promise.all([one, other].map((file) => tell(() => attempt(file)).then((text) => text.replaceAll(file, 'FILE').replaceAll(path.resolve(file), 'FILE'))));
          if (both[0] !== both[1]) odd.push(both);
          else if (!/^ERR_ACCESS_DENIED FileSystem|^allowed (undefined|0)$|^none$/.test(both[0])) odd.push([one, both[0]]);
        }
        console.log(name, JSON.stringify(odd));
      }
      // A link of its own tells nothing either.
      for (const name of ['require.resolve', 'import', 'chdir', 'loadEnvFile']) {
        const both = await Promise.all(['there', 'gone'].map((link) => {
          const file = `${inside}/${link}`;
          return tell(() => attempts[name](file)).then((text) => text.replaceAll(file, 'FILE'));
        }));
        console.log(both[0] === both[1], both[0]);
      }
      // Packages are looked for only where they may be found.
      const from = createRequire(`${outside}/x.js`);
      console.log(await tell(() => from.resolve('known')), await tell(() => from.resolve('unknown')));
      console.log(process.cwd() === path.dirname(inside));
      await show(() => process.chdir('inside'), () => process.chdir('..'), () => require.resolve('./missing'));
    ";
    let package = place.0.join("outside/node_modules/known");
    fs::create_dir_all(&package).expect("a directory can be made");
    fs::write(package.join("index.js"), "").expect("a file can be written");
    for world in &WORLDS[..2] {
        let shown = shown(&place.0, world, &INSIDE, program);
        let mut lines: Vec<&str> = shown.lines().collect();
        let rest = lines.split_off(18);
        for line in lines {
            assert!(line.ends_with(" []"), "{world:?}: {line}");
        }
        let refused = "true ERR_ACCESS_DENIED FileSystemRead FILE";
        assert_eq!(rest[..4], [refused; 4], "{world:?}");
        let expected = [
            "MODULE_NOT_FOUND MODULE_NOT_FOUND",
            "true",
            "allowed undefined",
            "ERR_ACCESS_DENIED FileSystemRead PLACE",
            "ERR_ACCESS_DENIED FileSystemRead PLACE/missing",
        ];
        assert_eq!(rest[4..], expected, "{world:?}");
    }
}

#[test]
fn other_processes_are_left_alone() {
    let place = place("processes");
    let program = "
      const { spawn } = require('child_process');
      const others = [process.ppid || 7, 0x3fffffff, -1, 0];
      for (const pid of others) {
        const text = await tell(() => process.kill(pid, 0));
        console.log(text === `ERR_ACCESS_DENIED ChildProcess ${pid}` ? 'refused' : text);
      }
      for (const pid of others.slice(0, 3)) {
        for (const attempt of [() => os.getPriority(pid), () => os.setPriority(pid, 19)]) {
          const text = await tell(attempt);
          console.log(text === `ERR_ACCESS_DENIED ChildProcess ${pid}` ? 'refused' : text);
        }
      }
      await show(
        () => process.kill(process.pid, 0), () => os.getPriority(), () => os.getPriority(process.pid) === os.getPriority(0),
        () => os.setPriority(os.getPriority()), () => os.setPriority(process.pid, os.getPriority()));
      process.on('SIGUSR2', () => {}).kill(process.pid, 'SIGUSR2');
    ";
    for world in &WORLDS[..2] {
        let shown = shown(&place.0, world, &INSIDE, program);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[..10], ["refused"; 10], "{world:?}");
        assert_eq!(lines[10], "allowed true", "{world:?}");
        assert!(lines[11].starts_with("allowed "), "{world:?}: {}", lines[11]);
        assert_eq!(lines[12..], ["allowed true", "allowed undefined", "allowed undefined"]);
    }
    // Its own children are its business, as long as they live.
    let program = "
      const { spawn } = require('child_process'), { once } = require('events');
      const child = spawn('cat');
      await show(() => process.kill(child.pid, 0), () => os.setPriority(child.pid, 19).pid, () => process.kill(child.pid, 'SIGTERM'));
      console.log(await once(child, 'exit'));
      console.log((await tell(() => process.kill(child.pid, 0))).replace(/\\d+$/, 'PID'));
    ";
    let flags = ["--allow-read=main.js", "--allow-run=cat", "--allow-env=PATH"];
    let shown = shown(&place.0, &["run"], &flags, program);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "allowed true");
    assert!(lines[1].starts_with("ERR_ACCESS_DENIED ChildProcess "), "{}", lines[1]);
    let rest = ["allowed true", "[ null, 'SIGTERM' ]", "ERR_ACCESS_DENIED ChildProcess PID"];
    assert_eq!(lines[2..], rest);
}

/// A program of ours that tells what it may do, and tries it.
const CHILD: &str = "
    const fs = require('fs');
    let seen;
    try { seen = fs.readFileSync(process.argv[2], 'utf8'); } catch (error) { seen = error.code; }
    const has = (scope) => process.permission?.has(scope) ?? 'all';
    console.log(['fs.read', 'fs.write', 'net', 'child', 'env', 'worker'].map(has).join(), seen);
";

#[test]
fn programs_of_ours_inherit_what_their_parent_may_do() {
    let place = place("inherited");
    fs::write(place.0.join("inside/child.js"), CHILD).expect("a program can be written");
    let program = "
      const { fork, spawnSync, execFileSync } = require('child_process'), { once } = require('events');
      const child = path.resolve('inside/child.js'), secret = path.resolve('outside/file');
      async function forked(options) {
        const started = fork(child, [secret], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'], ...options });
        let text = '';
        started.stdout.on('data', (part) => { text += part; });
        await once(started, 'close');
        console.log(text.trim() || 'nothing');
      }
      const widened = { PATH: process.env.PATH, HEMIOLA_PERMISSION: 'read=* write=* env=* net=* run=* worker=*' };
      await forked({});
      await forked({ execArgv: [] });
      await forked({ execArgv: ['--permission', '--allow-read=*', '--allow-net'] });
      await forked({ execArgv: [], env: widened });
      await forked({ execArgv: ['--inherited-permission=read=* write=* env=* net=* run=* worker=*'] });
      const refused = ({ code, permission, resource }) => console.log(code, permission, path.basename(resource));
      await forked({ cwd: path.resolve('outside') }).catch(refused);
      await forked({ execArgv: [], env: { ...widened, NODE_OPTIONS: '--experimental-permission --allow-fs-read=*' } });
      const run = (words, env = process.env) => {
        const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
        console.log(status, stdout.trim(), stderr.split('\\n')[0]);
      };
      run(['run', '--permission', '--allow-read=*', child, secret]);
      run(['simulate', child, secret], widened);
      run(['-e', `require('child_process').spawnSync(process.execPath, ['run', ${JSON.stringify(child)}, ${JSON.stringify(secret)}], { stdio: 'inherit', env: {} })`]);
      run(['run', '--trace', 'inside/../outside/trace', child, secret]);
      run(['run', '--record', child, secret], { ...process.env, HEMIOLA_RUNS: path.resolve('outside/runs') });
      run(['run', child, secret], { ...process.env, HEMIOLA_RECORD: 'always', HEMIOLA_RUNS: path.resolve('outside/runs') });
      run(['run', '--profile', '--profile-out', 'outside/profile', child, secret]);
      run(['trace', 'show', secret]);
      run(['runs', 'list']);
      run(['--version']);
    ";
    let ours = format!("--allow-run={HEMIOLA}");
    let flags = ["--allow-read=inside,main.js", "--allow-write=inside", &ours, "--allow-env"];
    let shown = shown(&place.0, &["run"], &flags, program);
    let limited = "false,false,false,false,true,false ERR_ACCESS_DENIED";
    let lines: Vec<&str> = shown.lines().collect();
    let less = limited.replace("true", "false");
    // Where it says less itself, it has less; and where nothing may be read, nothing is started.
    let elsewhere = "ERR_ACCESS_DENIED FileSystemRead outside";
    assert_eq!(
        lines[..7],
        [limited, limited, &*less, limited, limited, elsewhere, limited],
        "{shown}"
    );
    assert_eq!(lines[7], format!("0 {less} "), "{shown}");
    assert_eq!(lines[8..10], [&*format!("0 {limited} "), &*format!("0 {limited} ")], "{shown}");
    assert_eq!(
        lines[10],
        "2  error: --trace would write a file, and who started this may not do that"
    );
    assert_eq!(
        lines[11],
        "2  error: --record would write a file, and who started this may not do that"
    );
    assert_eq!(lines[12], format!("0 {limited} "));
    assert!(lines[13].starts_with("2  error: --profile-out would write a file"), "{}", lines[13]);
    assert_eq!(lines[14], "2  error: a program with --permission cannot start `hemiola trace`");
    assert_eq!(lines[15], "2  error: a program with --permission cannot start `hemiola runs`");
    assert!(lines[16].starts_with("0 hemiola "), "{}", lines[16]);
    let mut left: Vec<_> = fs::read_dir(place.0.join("outside"))
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").file_name())
        .collect();
    left.sort_unstable();
    assert_eq!(left, [".env", "file", "folder"]);
}

#[test]
fn workers_have_the_permissions_of_their_parent() {
    let place = place("inherited-by-workers");
    fs::write(place.0.join("inside/child.js"), CHILD).expect("a program can be written");
    let program = "
      const { Worker } = require('worker_threads'), { once } = require('events');
      const child = path.resolve('inside/child.js'), argv = [path.resolve('outside/file')];
      async function worker(options) {
        const started = new Worker(child, { argv, stdout: true, ...options });
        let text = '';
        started.stdout.on('data', (part) => { text += part; });
        await once(started, 'exit');
        return text.trim();
      }
      const env = { NODE_OPTIONS: '--allow-fs-read=*', HEMIOLA_PERMISSION: 'read=*' };
      await show(
        () => worker({}), () => worker({ env }), () => worker({ execArgv: [] }),
        () => worker({ execArgv: ['--allow-read=*'] }), () => worker({ execArgv: ['--inherited-permission=read=*'] }));
    ";
    let flags = ["--allow-read=inside,main.js", "--allow-worker"];
    for world in &WORLDS[..2] {
        let shown = shown(&place.0, world, &flags, program);
        let limited = "allowed false,false,false,false,false,true ERR_ACCESS_DENIED";
        let refused = "ERR_WORKER_INVALID_EXEC_ARGV";
        let expected = [limited, limited, limited, refused, refused];
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected, "{world:?}");
    }
}

#[test]
fn a_recording_of_a_program_that_inherited_permissions_is_replayed_with_them() {
    let place = place("inherited-replay");
    fs::write(place.0.join("inside/child.js"), CHILD).expect("a program can be written");
    let run = |words: &[&str], inherited: Option<&str>| {
        let mut command = hemiola(&place.0);
        command.env_remove("HEMIOLA_RECORD").env("HEMIOLA_RUNS", place.0.join("runs"));
        command.envs(inherited.map(|inherited| ("HEMIOLA_PERMISSION", inherited)));
        let output = command.args(words).stdin(Stdio::null()).output().expect("it can be run");
        assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let read = format!("write=* read={}", place.0.join("inside").display());
    let words = ["run", "--record", "inside/child.js", "outside/file"];
    let recorded = run(&words, Some(&read));
    assert_eq!(recorded, "false,true,false,false,false,false ERR_ACCESS_DENIED\n");
    assert_eq!(run(&["replay"], None), recorded);
}

#[test]
fn stores_stay_inside() {
    let place = place("stores");
    let program = "
      const { initialize, stop } = require('hemiola:scheduler');
      const open = async (store) => { await initialize([['a', '0 3 * * *', () => {}]], { store, log: false }); await stop(); };
      await show(() => open('outside/tasks.db'), () => open('inside/link/tasks.db'), () => open('inside/tasks.db'));
    ";
    for world in &WORLDS[..2] {
        let shown = shown(&place.0, world, &INSIDE, program);
        let expected = [
            "ERR_ACCESS_DENIED FileSystemRead PLACE/outside/tasks.db",
            "ERR_ACCESS_DENIED FileSystemRead PLACE/inside/link/tasks.db",
            "allowed undefined",
        ];
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected, "{world:?}");
        let outside = fs::read_dir(place.0.join("outside")).expect("it is there");
        assert_eq!(outside.count(), 3, "{world:?}: nothing is new there");
    }
}

/// All that can be known of the files below a folder, by their paths.
fn known(folder: &Path) -> Vec<String> {
    let mut known = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let found = fs::symlink_metadata(&path).expect("it is there");
        let content = match found.is_file() {
            true => fs::read(&path).expect("it can be read"),
            false => Vec::new(),
        };
        known.push(format!(
            "{} {:o} {} {} {} {}.{} {} {content:?}",
            path.display(),
            found.mode(),
            found.uid(),
            found.nlink(),
            found.ino(),
            found.mtime(),
            found.mtime_nsec(),
            found.ctime_nsec(),
        ));
        if found.is_dir() {
            let entries = fs::read_dir(&path).expect("it can be listed");
            waiting.extend(entries.map(|entry| entry.expect("it can be listed").path()));
        }
    }
    known.sort_unstable();
    known
}

/// The last line of what a program printed, which is JSON.
fn told(output: &std::process::Output) -> serde_json::Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|_| {
        panic!("{}\n{}", last, String::from_utf8_lossy(&output.stderr));
    })
}

/// A folder with secrets, for programs that are told how to recognise them.
fn secrets(folder: &Path) {
    const SIZE: usize = 31_337;
    fs::create_dir_all(folder.join("deep")).expect("a directory can be made");
    for name in ["file", "secret", "deep/file", "deep/hidden-name"] {
        let mut content = b"SECRET ".to_vec();
        content.resize(SIZE, b'.');
        fs::write(folder.join(name), content).expect("a file can be written");
    }
    symlink("deep/hidden-name", folder.join("link")).expect("a link can be made");
}

/// A process that nothing must happen to; it ends with the test, also where that fails.
struct Victim(Child);

impl Victim {
    fn new() -> Victim {
        let mut command = Command::new("sleep");
        command.arg("600").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Victim(command.spawn().expect("a process can be started"))
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

#[test]
fn no_function_of_the_library_reaches_outside_without_a_grant() {
    let scratch = Scratch::new("surface");
    let canary = scratch.0.canonicalize().expect("it is there").join("canary");
    secrets(&canary);
    let before = known(&canary);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it has an address").port();
    let datagrams = UdpSocket::bind(("127.0.0.1", port)).expect("the port is free for datagrams");
    let mut victim = Victim::new();
    let priority = || {
        let stat =
            fs::read_to_string(format!("/proc/{}/stat", victim.0.id())).expect("it is there");
        let fields = stat.rsplit(')').next().unwrap_or_default().to_owned();
        fields.split_whitespace().nth(16).map(str::to_owned)
    };
    let priority_before = priority();
    let source = include_str!("grants/surface.js");
    for world in ["run", "simulate"] {
        let mut command = hemiola(&scratch.0);
        command.args([world, "--permission", "-e", source]).arg(&canary);
        command.args([port.to_string(), victim.0.id().to_string()]).args(["SECRET", "31337"]);
        let output = command.stdin(Stdio::null()).output().expect("hemiola can be run");
        let told = told(&output);
        println!("{world}: {told}");
        assert_eq!(told["seen"], serde_json::json!([]), "{world}");
        for (count, least) in [("modules", 60), ("functions", 1_000), ("refused", 1_000)] {
            assert!(told[count].as_u64() >= Some(least), "{world}: {told}");
        }
        assert_eq!(known(&canary), before, "{world}");
    }
    assert_eq!(priority(), priority_before);
    assert!(victim.0.try_wait().expect("it can be asked").is_none(), "nobody has ended it");
    listener.set_nonblocking(true).expect("it can be asked at once");
    datagrams.set_nonblocking(true).expect("it can be asked at once");
    assert!(listener.accept().is_err(), "nobody has connected");
    assert!(datagrams.recv(&mut [0; 16]).is_err(), "nobody has sent anything");
}

/// Renames what leads out over what does not and back, until it is told to stop.
fn rename_links(inside: &Path, stop: &AtomicBool) {
    let at = |name: &str| inside.join(name);
    let _ = fs::create_dir_all(at("aside"));
    let _ = fs::write(at("aside/file"), "inside");
    while !stop.load(Ordering::Relaxed) {
        for target in ["deep", "../outside"] {
            let _ = symlink(target, at("next"));
            let _ = fs::rename(at("next"), at("way"));
        }
        // A directory that becomes a link, and one again.
        let _ = fs::rename(at("aside"), at("road"));
        let _ = fs::rename(at("road"), at("aside"));
        let _ = symlink("../outside", at("road"));
        let _ = fs::remove_file(at("road"));
    }
}

/// One run of the program that tries to get out.
fn attack(place: &Path, world: &str, seed: u64, tries: usize, races: usize) -> serde_json::Value {
    let mut command = hemiola(place);
    command.args([world, "--permission", "--allow-read=inside,readable,attack.js"]);
    command.args(["--allow-write=inside,writable", "attack.js"]);
    command.args([seed.to_string(), tries.to_string(), races.to_string()]);
    let stop = AtomicBool::new(false);
    let output = std::thread::scope(|scope| {
        if races > 0 && world == "run" {
            scope.spawn(|| rename_links(&place.join("inside"), &stop));
        }
        let output = command.stdin(Stdio::null()).output().expect("hemiola can be run");
        stop.store(true, Ordering::Relaxed);
        output
    });
    told(&output)
}

/// `HEMIOLA_TRIES` says how many, and `HEMIOLA_SEED` with which numbers they begin.
#[test]
fn seeded_tries_do_not_get_out() {
    let number = |name: &str, otherwise: u64| {
        let given = std::env::var(name).ok().and_then(|text| text.parse().ok());
        given.unwrap_or(otherwise)
    };
    let (tries, seed) = (number("HEMIOLA_TRIES", 200) as usize, number("HEMIOLA_SEED", 1));
    // One of 25 is a race, and a part is made in the simulated world.
    let (races, simulated) = (tries.div_ceil(25), tries / 4);
    const BATCH: usize = 250;
    let scratch = Scratch::new("attack");
    let place = scratch.0.canonicalize().expect("it is there");
    fs::write(place.join("attack.js"), include_str!("grants/attack.js"))
        .expect("it can be written");
    let mut made = std::collections::BTreeMap::<String, u64>::new();
    let plan =
        [("run", tries - races - simulated, 0), ("run", 0, races), ("simulate", simulated, 0)];
    for (at, (world, tries, races)) in (0..).zip(plan) {
        for batch in 0..tries.max(races).div_ceil(BATCH) {
            for folder in ["inside", "readable", "writable", "outside"] {
                let _ = fs::remove_dir_all(place.join(folder));
                fs::create_dir_all(place.join(folder).join("deep")).expect("it can be made");
                fs::write(place.join(folder).join("file"), folder).expect("it can be written");
            }
            secrets(&place.join("outside"));
            fs::write(place.join("writable/secret"), "SECRET").expect("it can be written");
            let parts = ["outside", "readable"].map(|folder| place.join(folder));
            let before = parts.each_ref().map(|part| known(part));
            let part = |all: usize| all.saturating_sub(batch * BATCH).min(BATCH);
            let seed = seed + 1_000 * at + batch as u64;
            let told = attack(&place, world, seed, part(tries), part(races));
            assert_eq!(told["escapes"], serde_json::json!([]), "{world}, seed {seed}: {told}");
            assert_eq!(parts.each_ref().map(|part| known(part)), before, "{world}, seed {seed}");
            for (name, count) in told.as_object().into_iter().flatten() {
                *made.entry(name.clone()).or_default() += count.as_u64().unwrap_or(0);
            }
        }
    }
    let all = made["tries"] + made["races"];
    println!(
        "{all} tries, {} of them races: {} calls, {} done, {} refused, {} failed, no escape",
        made["races"], made["calls"], made["done"], made["refused"], made["failed"],
    );
    assert_eq!(all as usize, tries);
    assert!(made["refused"] > all / 2, "most of what it tries is not allowed: {made:?}");
}
