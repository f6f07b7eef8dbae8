//! Faults on request in a simulated world: they reach a program as errors of the system would, and a
//! seed decides which come. And files that a simulation writes through to the disk.

use crate::common::{Scratch, isolated, programs};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

/// Runs the command with the mask of permissions that the expected outputs were made with.
fn hemiola(directory: &Path, words: &[&str]) -> Output {
    isolated("sh")
        .args(["-c", "umask 022; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_hemiola")])
        .args(words)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .expect("hemiola can be run")
}

/// What a program prints with faults, by seed.
fn with_faults(faults: &str, seeds: std::ops::Range<u32>, program: &str) -> Vec<String> {
    let scratch = Scratch::new(&format!("faults-{faults}"));
    let run = |seed: u32| {
        let seed = seed.to_string();
        let words = ["simulate", "--seed", &seed, "--faults", faults, "-e", program];
        let output = hemiola(&scratch.0, &words);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "with seed {seed}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    seeds.map(run).collect()
}

/// Calls everything again and again, waiting and not, and says what kinds of errors came. An error has
/// what Node's have: the number that belongs to its code, and a message made of code, words, call and paths.
const FILES: &str = r#"
const fs = require('fs');
const map = require('util').getSystemErrorMap();
const seen = new Set();
function check(name, error) {
  if (!error || error.code === 'ENOENT' && name === 'unlink') return;
  const [code, words] = map.get(error.errno) ?? [];
  let message = `${code}: ${words}, ${error.syscall}`;
  if (error.path !== undefined) message += ` '${error.path}'`;
  if (error.dest !== undefined) message += ` -> '${error.dest}'`;
  if (!(error instanceof Error) || code !== error.code || message !== error.message) {
    console.log('not as in Node:', name, error);
  }
  seen.add(`${name} ${error.syscall} ${error.code}`);
}
const calls = {
  readFile: ['a'], writeFile: ['b', 'some text'], stat: ['a'], lstat: ['a'], readdir: ['.'], access: ['a'],
  mkdir: ['d', { recursive: true }], copyFile: ['a', 'c'], rename: ['c', 'b'], chmod: ['a', 0o600],
  symlink: ['a', 'l'], readlink: ['l'], link: ['a', 'k'], utimes: ['a', 1, 2], truncate: ['b', 1],
  appendFile: ['b', 'more'], unlink: ['l'],
};
function prepare() {
  for (const [name, text] of [['a', 'text of a'], ['b', ''], ['c', '']]) {
    for (let tries = 0; tries < 20; tries++) try { fs.writeFileSync(name, text); break; } catch { }
  }
  for (const name of ['l', 'k']) try { fs.unlinkSync(name); } catch { }
}
(async () => {
  for (let round = 0; round < 12; round++) {
    prepare();
    for (const [name, args] of Object.entries(calls)) {
      try { fs[name + 'Sync'](...args); } catch (error) { check(name, error); }
      if (name === 'symlink' || name === 'link') try { fs.unlinkSync(args[1]); } catch { }
      await new Promise((done) => fs[name](...args, (error) => { check(name, error); done(); }));
    }
  }
  console.log([...seen].sort().join('\n'));
})();
"#;

#[test]
fn faults_of_files_are_the_system_s() {
    let all: BTreeSet<String> = with_faults("fs", 0..6, FILES)
        .iter()
        .flat_map(|shown| shown.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(all.iter().all(|line| !line.starts_with("not as in Node")), "{all:#?}");
    for expected in [
        "readFile open EACCES",
        "readFile open EMFILE",
        "readFile read EIO",
        "writeFile open ENOSPC",
        "writeFile write ENOSPC",
        "writeFile write EIO",
        "writeFile close EIO",
        "stat stat EACCES",
        "readdir scandir EACCES",
        "access access EACCES",
        "symlink symlink EACCES",
        "readlink readlink EIO",
        "utimes utime EPERM",
    ] {
        assert!(all.contains(expected), "{expected} is missing in {all:#?}");
    }
}

#[test]
fn a_seed_decides_what_goes_wrong() {
    let first = with_faults("fs,net", 0..3, FILES);
    assert_eq!(first, with_faults("fs,net", 0..3, FILES));
    assert!(first.iter().any(|shown| *shown != first[0]), "other seeds, other faults");
}

/// Clients and a server that say what they hear. All sockets are closed in the end, whatever happens.
const NET: &str = r#"
const net = require('net');
const dns = require('dns');
const seen = new Set();
const note = (who) => (error) => {
  const { code, errno, syscall, address, port, hostname } = error;
  const where = address === undefined ? '' : ` ${address}:${port === to ? 'PORT' : port}`;
  const name = hostname === undefined ? '' : ` ${hostname}`;
  if (error.message !== `${syscall} ${code}${where.replace('PORT', to)}${name}`) console.log('not as in Node:', error);
  const known = require('util').getSystemErrorName(errno).replace('EAI_NONAME', 'ENOTFOUND');
  if (known !== code) console.log('not as in Node:', error);
  seen.add(`${who} ${syscall} ${code}${where}${name}`);
};
let to;
const server = net.createServer((socket) => {
  socket.on('error', note('server')).on('data', (bytes) => socket.write(bytes)).on('end', () => socket.end());
});
server.listen(0, '127.0.0.1', async () => {
  to = server.address().port;
  for (let round = 0; round < 40; round++) {
    await new Promise((closed) => {
      const client = net.connect(to, '127.0.0.1');
      let heard = '';
      client.on('error', note('client')).on('close', closed);
      client.on('data', (bytes) => {
        heard += bytes;
        if (!'hello, world'.startsWith(heard)) console.log('heard', heard);
        if (heard === 'hello, world') client.end();
      });
      client.write('hello, ');
      setImmediate(() => { if (!client.destroyed) client.write('world'); });
    });
    await new Promise((done) => dns.lookup('localhost', (error) => { if (error) note('lookup')(error); done(); }));
  }
  server.close(() => console.log([...seen].sort().join('\n')));
});
"#;

#[test]
fn faults_of_connections_are_the_system_s() {
    let all: BTreeSet<String> = with_faults("net", 0..4, NET)
        .iter()
        .flat_map(|shown| shown.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let expected = [
        "client connect ECONNREFUSED 127.0.0.1:PORT",
        "client connect ETIMEDOUT 127.0.0.1:PORT",
        "client read ECONNRESET",
        "client write EPIPE",
        "lookup getaddrinfo EAI_AGAIN localhost",
        "lookup getaddrinfo ENOTFOUND localhost",
        "server read ECONNRESET",
        "server write EPIPE",
    ];
    assert_eq!(all, expected.iter().map(|&line| line.to_owned()).collect());
}

/// All that is in a directory: modes, and contents or where links lead.
fn tree(root: &Path) -> BTreeMap<PathBuf, (u32, String)> {
    let mut found = BTreeMap::new();
    let mut left = vec![root.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(&directory).expect("a directory can be listed") {
            let path = entry.expect("an entry can be read").path();
            let data = fs::symlink_metadata(&path).expect("it is there");
            let content = if data.is_symlink() {
                fs::read_link(&path).expect("it is a link").display().to_string()
            } else if data.is_dir() {
                left.push(path.clone());
                String::new()
            } else {
                String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned()
            };
            let mut name = path.strip_prefix(root).expect("it is in there").to_owned();
            // The rest of such a name is random.
            if name.to_str().is_some_and(|name| name.starts_with("tmp-") || name.starts_with("t-"))
            {
                name = "tmp-".into();
            }
            found.insert(
                name,
                (data.permissions().mode(), content.replace(root.to_str().expect("text"), "ROOT")),
            );
        }
    }
    found
}

#[test]
fn what_is_written_through_is_what_a_run_writes() {
    for program in programs("files") {
        let expected = fs::read_to_string(program.with_extension("out")).unwrap_or_default();
        let name = program.file_stem().expect("a program has a name").to_string_lossy();
        let path = program.to_str().expect("the path is text");
        let live = Scratch::new(&format!("live-{name}"));
        let through = Scratch::new(&format!("through-{name}"));
        hemiola(&live.0, &["run", path]);
        let output = hemiola(&through.0, &["simulate", "--write-through", path]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{name}");
        assert_eq!(tree(&through.0), tree(&live.0), "{name}");
    }
}

/// What stays on the disk after a program that leaves a lot behind.
const LEAVES: &str = r#"
const fs = require('fs');
fs.mkdirSync('made/deep/er', { recursive: true });
fs.writeFileSync('made/deep/er/file', 'one');
fs.appendFileSync('made/deep/er/file', ' and two');
fs.renameSync('there', 'moved');
console.log(fs.readFileSync('moved/inside/old', 'utf8'), fs.readdirSync('moved/inside'));
fs.writeFileSync('moved/inside/new', 'x');
fs.linkSync('moved/inside/old', 'hard');
fs.unlinkSync('moved/inside/old');
console.log(fs.readFileSync('hard', 'utf8'));
fs.symlinkSync('hard', 'soft');
fs.chmodSync('hard', 0o640);
const fd = fs.openSync('hard', 'r+');
fs.writeSync(fd, 'OLD', 0);
fs.ftruncateSync(fd, 3);
fs.fchmodSync(fd, 0o600);
fs.closeSync(fd);
fs.rmSync('gone', { recursive: true });
fs.copyFileSync('soft', 'copy');
const stream = fs.createWriteStream('stream');
for (let i = 0; i < 5; i++) stream.write(`line ${i}\n`);
stream.end(() => console.log(fs.readFileSync('stream', 'utf8').length));
"#;

#[test]
fn the_disk_changes_as_the_program_does_only_if_it_is_told_so() {
    let fill = |root: &Path| {
        for directory in ["there/inside", "gone/with"] {
            fs::create_dir_all(root.join(directory)).expect("a directory can be made");
        }
        fs::write(root.join("there/inside/old"), "old text").expect("a file can be written");
        fs::write(root.join("gone/with/it"), "").expect("a file can be written");
    };
    let run = |name: &str, words: &[&str]| {
        let scratch = Scratch::new(name);
        fill(&scratch.0);
        let before = tree(&scratch.0);
        let output = hemiola(&scratch.0, &[words, &["-e", LEAVES]].concat());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
        (String::from_utf8_lossy(&output.stdout).into_owned(), before, tree(&scratch.0))
    };
    let (live, _, after_live) = run("leaves-live", &["run"]);
    let (through, _, after) = run("leaves-through", &["simulate", "--write-through"]);
    assert_eq!(through, live);
    assert_eq!(after, after_live);
    let (simulated, before, after) = run("leaves-nothing", &["simulate"]);
    assert_eq!(simulated, live);
    assert_eq!(after, before);
}

#[test]
fn what_the_disk_refuses_does_not_happen() {
    let scratch = Scratch::new("refused");
    fs::create_dir(scratch.0.join("d")).expect("a directory can be made");
    // Something else took the place after the program looked.
    let program = "const fs = require('fs');
        console.log(fs.existsSync('d/x'));
        try { fs.rmdirSync('/proc/self'); } catch (error) { console.log(error.code === 'EPERM' || error.code === 'EACCES' || error.code); }
        try { fs.writeFileSync('/proc/version', 'x'); } catch (error) { console.log(error.syscall); }
        console.log(fs.existsSync('/proc/version'));";
    let output = hemiola(&scratch.0, &["simulate", "--write-through", "-e", program]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 4);
}
