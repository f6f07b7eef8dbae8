//! What a program may do outside when it was started with `--permission`: hosts, programs, variables.

use crate::common::{HEMIOLA, Scratch, hemiola, isolated};
use std::fs;
use std::process::{Output, Stdio};

fn run(flags: &[&str], source: &str) -> Output {
    let mut command = isolated(HEMIOLA);
    command.arg("run").args(flags).args(["-e", source]).stdin(Stdio::null());
    command.env("HEMIOLA_ONE", "1").env("HEMIOLA_TWO", "2");
    command.output().expect("hemiola can be run")
}

/// What a program prints that tries each of these, with flags after `--permission`.
fn tries(flags: &[&str], attempts: &[&str]) -> Vec<String> {
    let attempts: Vec<String> = attempts
        .iter()
        .map(|attempt| format!("await tell(() => {{ return {attempt}; }});"))
        .collect();
    let source = format!(
        "const cp = require('child_process'), net = require('net'), dns = require('dns');
        const {{ once }} = require('events');
        async function tell(attempt) {{
          try {{ console.log('allowed', await attempt()); }} catch (error) {{
            const flag = error.message.match(/--allow-[a-z]+(?:=\\S+)?/g)?.at(-1);
            console.log(error.code, error.permission ?? '', error.resource ?? '', flag ?? '');
          }}
        }}
        const listen = async (port, host) => {{ const server = net.createServer().listen(port, host); await once(server, 'listening'); server.close(); return 'listens'; }};
        const connect = async (port, host) => {{ const socket = net.connect(port, host); await once(socket, 'connect'); }};
        (async () => {{ {} }})();",
        attempts.join("\n")
    );
    let output = run(&[&["--permission"], flags].concat(), &source);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{flags:?}");
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn without_a_flag_nothing_is_allowed() {
    let shown = tries(
        &[],
        &[
            "process.env.HEMIOLA_ONE",
            "Object.keys(process.env)",
            "'HEMIOLA_ONE' in process.env",
            "process.env.NEW = '1'",
            "delete process.env.HEMIOLA_ONE",
            "cp.spawnSync('true')",
            "cp.spawn('true')",
            "cp.execSync('true')",
            "cp.fork('x.js')",
            "process.kill(process.ppid, 0)",
            "listen(0, '127.0.0.1')",
            "connect(9, '127.0.0.1')",
            "connect(9, 'localhost')",
            "dns.promises.lookup('localhost')",
            "['fs', 'fs.read', 'fs.write', 'child', 'worker', 'net', 'env'].map((scope) => process.permission.has(scope)).join()",
        ],
    );
    let ours = std::fs::canonicalize(env!("CARGO_BIN_EXE_hemiola")).expect("it is there");
    let fork = format!("ERR_ACCESS_DENIED ChildProcess {0} --allow-run={0}", ours.display());
    let expected = [
        "ERR_ACCESS_DENIED Environment HEMIOLA_ONE --allow-env=HEMIOLA_ONE",
        "ERR_ACCESS_DENIED Environment * --allow-env=*",
        "ERR_ACCESS_DENIED Environment HEMIOLA_ONE --allow-env=HEMIOLA_ONE",
        "ERR_ACCESS_DENIED Environment NEW --allow-env=NEW",
        "ERR_ACCESS_DENIED Environment HEMIOLA_ONE --allow-env=HEMIOLA_ONE",
        "ERR_ACCESS_DENIED ChildProcess true --allow-run=true",
        "ERR_ACCESS_DENIED ChildProcess true --allow-run=true",
        "ERR_ACCESS_DENIED ChildProcess /bin/sh --allow-run=/bin/sh",
        &fork,
    ];
    assert_eq!(shown[..expected.len()], expected);
    assert!(shown[9].starts_with("ERR_ACCESS_DENIED ChildProcess "), "{}", shown[9]);
    let expected = [
        "ERR_ACCESS_DENIED Net 127.0.0.1:0 --allow-net=127.0.0.1:0",
        "ERR_ACCESS_DENIED Net 127.0.0.1:9 --allow-net=127.0.0.1:9",
        "ERR_ACCESS_DENIED Net localhost --allow-net=localhost",
        "ERR_ACCESS_DENIED Net localhost --allow-net=localhost",
        "allowed false,false,false,false,false,false,false",
    ];
    assert_eq!(shown[10..], expected);
}

#[test]
fn variables_are_allowed_by_name() {
    let attempts = [
        "process.env.HEMIOLA_ONE",
        "process.env.HEMIOLA_TWO",
        "process.env.HEMIOLA_ONE = 'changed'",
        "[process.permission.has('env', 'HEMIOLA_ONE'), process.permission.has('env', 'PATH'), process.permission.has('env')].join()",
    ];
    assert_eq!(
        tries(&["--allow-env=HEMIOLA_ONE,OTHER"], &attempts),
        [
            "allowed 1",
            "ERR_ACCESS_DENIED Environment HEMIOLA_TWO --allow-env=HEMIOLA_TWO",
            "allowed changed",
            "allowed true,false,false",
        ]
    );
    let all = tries(&["--allow-env"], &["process.env.HEMIOLA_TWO", "'PATH' in process.env"]);
    assert_eq!(all, ["allowed 2", "allowed true"]);
    // A child knows no more than the program.
    let inherited = tries(
        &["--allow-env=HEMIOLA_ONE", "--allow-run"],
        &["`${cp.execSync('echo $HEMIOLA_ONE $HEMIOLA_TWO x')}`.trim()"],
    );
    assert_eq!(inherited, ["allowed 1 x"]);
}

#[test]
fn programs_are_allowed_by_what_they_are() {
    let attempts = [
        "`${cp.spawnSync('echo', ['a']).stdout}`.trim()",
        "cp.spawnSync('/bin/../bin/echo', ['a']).status",
        "cp.spawnSync('ls').status",
        "cp.spawnSync('echo', [], { shell: true }).status",
        "cp.spawnSync('echo', [], { env: { PATH: '/nowhere' } }).status",
        "cp.spawnSync('echo', [], { env: { PATH: process.env.PATH, LD_PRELOAD: '/x.so' } }).status",
        "[process.permission.has('child', '/bin/echo'), process.permission.has('child', '/bin/ls'), process.permission.has('child')].join()",
    ];
    let shown = tries(&["--allow-env=PATH", "--allow-run=echo,/bin/cat"], &attempts);
    assert_eq!(shown[..2], ["allowed a", "allowed 0"]);
    assert_eq!(shown[2], "ERR_ACCESS_DENIED ChildProcess ls --allow-run=ls");
    assert_eq!(shown[3], "ERR_ACCESS_DENIED ChildProcess /bin/sh --allow-run=/bin/sh");
    assert_eq!(shown[4], "ERR_ACCESS_DENIED ChildProcess echo --allow-run=echo");
    assert!(shown[5].starts_with("ERR_ACCESS_DENIED ChildProcess LD_PRELOAD"), "{}", shown[5]);
    assert_eq!(shown[6], "allowed true,false,false");
    assert_eq!(tries(&["--allow-run"], &["cp.execSync('exit 0').length"]), ["allowed 0"]);
}

#[test]
fn hosts_are_allowed_with_or_without_a_port() {
    let refused = "ECONNREFUSED";
    let attempts = [
        "listen(0, '127.0.0.1')",
        "connect(9, '127.0.0.1')",
        "connect(9, '127.0.0.2')",
        "[process.permission.has('net', '127.0.0.1:9'), process.permission.has('net', 'example.com'), process.permission.has('net')].join()",
    ];
    let shown = tries(&["--allow-net=127.0.0.1"], &attempts);
    assert_eq!(shown[0], "allowed listens");
    assert!(shown[1].starts_with(refused), "{}", shown[1]);
    assert_eq!(shown[2], "ERR_ACCESS_DENIED Net 127.0.0.2:9 --allow-net=127.0.0.2:9");
    assert_eq!(shown[3], "allowed true,false,false");

    let shown = tries(
        &["--allow-net=127.0.0.1:9"],
        &["listen(0, '127.0.0.1')", "connect(9, '127.0.0.1')", "connect(10, '127.0.0.1')"],
    );
    assert_eq!(shown[0], "ERR_ACCESS_DENIED Net 127.0.0.1:0 --allow-net=127.0.0.1:0");
    assert!(shown[1].starts_with(refused), "{}", shown[1]);
    assert_eq!(shown[2], "ERR_ACCESS_DENIED Net 127.0.0.1:10 --allow-net=127.0.0.1:10");

    // A name is allowed with the addresses that it really has, whatever the program says it has.
    let shown = tries(
        &["--allow-net=localhost:9"],
        &[
            "connect(9, '127.0.0.1')",
            "connect({ port: 9, host: 'localhost', family: 4 })",
            "connect(10, 'localhost')",
            "connect({ port: 9, host: 'localhost', lookup: (name, options, done) => done(null, [{ address: '127.0.0.3', family: 4 }]) })",
        ],
    );
    assert_eq!(shown[0], "ERR_ACCESS_DENIED Net 127.0.0.1:9 --allow-net=127.0.0.1:9");
    assert!(shown[1].starts_with(refused), "{}", shown[1]);
    assert!(shown[2].starts_with("ERR_ACCESS_DENIED Net "), "{}", shown[2]);
    assert_eq!(shown[3], "ERR_ACCESS_DENIED Net 127.0.0.3:9 --allow-net=127.0.0.3:9");
    assert_eq!(tries(&["--allow-net"], &["listen(0, '127.0.0.1')"]), ["allowed listens"]);
}

#[test]
fn workers_are_allowed_or_not() {
    let attempt = "new Promise((resolve, reject) => new (require('worker_threads').Worker)(
        'require(\"worker_threads\").parentPort.postMessage(1)', { eval: true }).on('message', resolve).on('error', reject))";
    assert_eq!(tries(&[], &[attempt]), ["ERR_ACCESS_DENIED WorkerThreads  --allow-worker"]);
    assert_eq!(tries(&["--allow-worker"], &[attempt]), ["allowed 1"]);
}

#[test]
fn a_program_without_the_flag_has_all_permissions_and_does_not_ask() {
    let output = run(&[], "console.log(process.permission, 'permission' in process)");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "undefined false\n");
    let output = run(&["--allow-run"], "0");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--permission"));
}

#[test]
fn forked_programs_have_the_permissions_of_the_program() {
    let path = std::env::temp_dir().join(format!("hemiola-{}-child.js", std::process::id()));
    std::fs::write(&path, "try { require('fs').readFileSync('/etc/hosts') } catch (error) { process.send(error.code) }")
        .expect("a program can be written");
    let source = format!(
        "require('child_process').fork({path:?}).on('message', (message) => console.log(message))"
    );
    let read = format!("--allow-read={}", path.display());
    let output = run(&["--permission", "--allow-run", &read], &source);
    let _ = std::fs::remove_file(&path);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ERR_ACCESS_DENIED\n", "{output:?}");
}

/// What programs do that change where a path leads while they wait for a call about it: `attempt(act)`
/// tries it often, with a link that is replaced and with a directory that becomes a link.
const TRIES: &str = "
    const fs = require('fs');
    const { once } = require('events');
    const told = (call) => new Promise((resolve, reject) =>
      call((error, value) => (error ? reject(error) : resolve(value))));
    const swaps = {
      link: () => {
        fs.symlinkSync('file', 'inside/path');
        fs.symlinkSync('../outside/file', 'inside/next');
        return ['inside/path', () => fs.renameSync('inside/next', 'inside/path'), () => fs.unlinkSync('inside/path')];
      },
      directory: () => {
        fs.mkdirSync('inside/way');
        fs.writeFileSync('inside/way/file', 'inside');
        fs.symlinkSync('../outside', 'inside/next');
        const swap = () => { fs.renameSync('inside/way', 'inside/moved'); fs.renameSync('inside/next', 'inside/way'); };
        return ['inside/way/file', swap, () => { fs.unlinkSync('inside/way'); fs.rmSync('inside/moved', { recursive: true }); }];
      },
    };
    async function attempt(name, act) {
      for (const [kind, prepare] of Object.entries(swaps)) {
        const odd = new Set();
        for (let count = 0; count < 100; count++) {
          fs.writeFileSync('inside/file', 'inside');
          const [path, swap, clean] = prepare();
          const done = act(path);
          swap();
          const seen = await done.catch((error) => error.code);
          // Between its two names, the directory has none.
          const fine = ['inside', 'ERR_ACCESS_DENIED', ...(kind === 'directory' ? ['ENOENT'] : [])];
          if (!fine.includes(seen)) odd.add(seen);
          clean();
        }
        console.log(name, kind, [...odd]);
      }
    }
";

/// Runs such a program in every world, recorded and replayed.
fn tries_everywhere(name: &str, flags: &[&str], attempts: &[(&str, &str)]) {
    let scratch = Scratch::new(name);
    let at = |name: &str| scratch.0.join(name);
    let calls: Vec<String> = attempts
        .iter()
        .map(|(name, act)| format!("await attempt('{name}', async (path) => {{ {act} }});"))
        .collect();
    let program = format!("{TRIES}(async () => {{ {} }})();", calls.join("\n"));
    fs::write(at("main.js"), program).expect("a program can be written");
    let expected: String = attempts
        .iter()
        .flat_map(|(name, _)| ["link", "directory"].map(|kind| format!("{name} {kind} []\n")))
        .collect();
    for words in [&["run"][..], &["simulate"], &["simulate", "--seed", "7"]] {
        let _ = fs::remove_dir_all(at("inside"));
        for folder in ["inside", "outside"] {
            fs::create_dir_all(at(folder)).expect("a directory can be made");
        }
        fs::write(at("outside/file"), "outside").expect("a file can be written");
        let mut command = hemiola(&scratch.0);
        command.args(words).arg("--permission").args(flags).arg("main.js").stdin(Stdio::null());
        let output = command.output().expect("hemiola can be run");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{words:?}");
        let outside = fs::read_to_string(at("outside/file")).expect("it is there");
        assert_eq!(outside, "outside", "{words:?}");
    }
    let record = |words: &[&str]| {
        let mut command = hemiola(&scratch.0);
        command.env_remove("HEMIOLA_RECORD").env("HEMIOLA_RUNS", at("runs"));
        let output = command.args(words).stdin(Stdio::null()).output().expect("hemiola can be run");
        assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let _ = fs::remove_dir_all(at("inside"));
    fs::create_dir_all(at("inside")).expect("a directory can be made");
    let words = [&["run", "--record", "--permission"], flags, &["main.js"]].concat();
    let recorded = record(&words);
    fs::remove_dir_all(at("inside")).expect("it is removed");
    assert_eq!(record(&["replay"]), recorded);
    assert_eq!(recorded, expected);
}

#[test]
fn a_link_that_moves_after_the_check_does_not_lead_out_for_who_reads() {
    tries_everywhere(
        "moved-links-read",
        &["--allow-read=inside,main.js", "--allow-write=inside"],
        &[
            ("promises.readFile", "return fs.promises.readFile(path, 'utf8');"),
            ("readFile", "return told((done) => fs.readFile(path, 'utf8', done));"),
            (
                "promises.open",
                "const file = await fs.promises.open(path);
                 try { return await file.readFile('utf8'); } finally { await file.close(); }",
            ),
            (
                "createReadStream",
                "let text = ''; for await (const part of fs.createReadStream(path, 'utf8')) text += part; return text;",
            ),
            (
                "copyFile",
                "await fs.promises.copyFile(path, 'inside/copy'); return fs.readFileSync('inside/copy', 'utf8');",
            ),
        ],
    );
}

#[test]
fn a_link_that_moves_after_the_check_does_not_lead_out_for_who_writes() {
    let seen =
        "return fs.readFileSync('outside/file', 'utf8') === 'outside' ? 'inside' : 'outside';";
    let attempts: Vec<(&str, String)> = [
        ("promises.writeFile", "await fs.promises.writeFile(path, 'changed');"),
        ("writeFile", "await told((done) => fs.writeFile(path, 'changed', done));"),
        ("appendFile", "await fs.promises.appendFile(path, 'changed');"),
        ("truncate", "await fs.promises.truncate(path);"),
        ("copyFile", "await fs.promises.copyFile('inside/file', path);"),
        ("createWriteStream", "await once(fs.createWriteStream(path).end('changed'), 'close');"),
    ]
    .map(|(name, act)| {
        let tried = "if (error.code !== 'ERR_ACCESS_DENIED') throw error;";
        (name, format!("try {{ {act} }} catch (error) {{ {tried} }} {seen}"))
    })
    .into();
    let attempts: Vec<(&str, &str)> =
        attempts.iter().map(|(name, act)| (*name, act.as_str())).collect();
    tries_everywhere("moved-links-write", &["--allow-read=*", "--allow-write=inside"], &attempts);
}

#[test]
fn a_listing_stays_in_what_may_be_read() {
    let scratch = Scratch::new("listing-links");
    for folder in ["inside/tree", "inside/near", "outside"] {
        fs::create_dir_all(scratch.0.join(folder)).expect("a directory can be made");
    }
    fs::write(scratch.0.join("inside/near/found"), "").expect("a file can be written");
    fs::write(scratch.0.join("outside/secret"), "").expect("a file can be written");
    let program = "const fs = require('fs');
        fs.symlinkSync('../near', 'inside/tree/in');
        fs.symlinkSync('../../outside', 'inside/tree/out');
        console.log(fs.readdirSync('inside/tree', { recursive: true }).sort());
        fs.mkdirSync('inside/way');
        fs.symlinkSync('../outside', 'inside/next');
        const listed = fs.promises.readdir('inside/way', { recursive: true });
        fs.rmdirSync('inside/way');
        fs.renameSync('inside/next', 'inside/way');
        listed.then((names) => names.length, (error) => error.permission === 'FileSystemRead' || error.code === 'ENOENT' ? 0 : error)
          .then((count) => console.log(count));";
    // What is on the disk is changed last.
    for command in ["simulate", "run"] {
        let mut hemiola = hemiola(&scratch.0);
        hemiola.args([command, "--permission", "--allow-read=inside", "--allow-write=inside"]);
        let output = hemiola.args(["-e", program]).stdin(Stdio::null()).output();
        let output = output.expect("hemiola can be run");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(shown, "[ 'in', 'in/found', 'out' ]\n0\n", "{command}");
    }
}
