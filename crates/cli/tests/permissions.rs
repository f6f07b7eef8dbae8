//! What a program may do outside when it was started with `--permission`: hosts, programs, variables.

use crate::common::{HEMIOLA, isolated};
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
