//! Files: one suite for both worlds (rule GATE-4), whose expected output is what Node prints; and what
//! only one of the worlds promises.

use crate::common::{HEMIOLA, Scratch, isolated, programs};
use std::fs;
use std::path::Path;
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

#[test]
fn programs_do_the_same_in_both_worlds() {
    // How often operations pass the poll phase is of interest to no other suite, and takes long to count.
    for program in [programs("files"), programs("trips")].concat() {
        let expected = fs::read_to_string(program.with_extension("out")).unwrap_or_default();
        for command in ["run", "simulate"] {
            let name = program.file_stem().expect("a program has a name").to_string_lossy();
            let scratch = Scratch::new(&format!("{command}-{name}"));
            let output =
                hemiola(&scratch.0, &[command, program.to_str().expect("the path is text")]);
            let shown = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(errors, "", "{command} {name}");
            assert_eq!(shown, expected, "{command} {name}");
        }
    }
}

#[test]
fn a_simulation_leaves_the_disk_alone() {
    // Rule GATE-3.
    let scratch = Scratch::new("untouched");
    fs::write(scratch.0.join("old"), "before").expect("a file can be written");
    let program = "const fs = require('fs'); fs.writeFileSync('old', 'after'); fs.writeFileSync('new', '1');
        fs.renameSync('old', 'moved'); console.log(fs.readFileSync('moved', 'utf8'), fs.readdirSync('.'));";
    let output = hemiola(&scratch.0, &["simulate", "-e", program]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "after [ 'moved', 'new' ]\n");
    assert_eq!(fs::read_to_string(scratch.0.join("old")).expect("it is there"), "before");
    assert_eq!(fs::read_dir(&scratch.0).expect("it is there").count(), 1);
}

#[test]
fn a_simulation_sees_the_disk_and_loads_what_it_wrote() {
    let scratch = Scratch::new("sees");
    fs::write(scratch.0.join("there.txt"), "on disk").expect("a file can be written");
    let program = "const fs = require('fs'); fs.writeFileSync('./made.js', 'module.exports = 42');
        console.log(fs.readFileSync('there.txt', 'utf8'), require('./made.js'));";
    let output = hemiola(&scratch.0, &["simulate", "-e", program]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "on disk 42\n");
}

#[test]
fn the_seed_decides_which_answer_comes_first() {
    let scratch = Scratch::new("files-seeds");
    let program = "const fs = require('fs'); let order = ''; for (const name of 'abcd') \
        fs.writeFile(name, name, () => { order += name; if (order.length === 4) console.log(order); });";
    let run = |seed: u32| {
        let output = hemiola(&scratch.0, &["simulate", "--seed", &seed.to_string(), "-e", program]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let orders: Vec<String> = (0..8).map(run).collect();
    assert_eq!(orders, (0..8).map(run).collect::<Vec<_>>(), "a seed decides everything");
    assert!(
        orders.iter().any(|order| order != &orders[0]),
        "other seeds, other orders: {orders:?}"
    );
}

#[test]
fn standard_input_is_read_at_once() {
    use std::io::Write;
    let mut child = isolated(HEMIOLA)
        .args(["run", "-e", "console.log(require('fs').readFileSync(0, 'utf8').length)"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("hemiola can be run");
    let mut input = child.stdin.take().expect("its input is ours");
    input.write_all(&[b'x'; 100_000]).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "100000\n");
}

#[test]
fn a_pipe_is_read_once_somebody_writes_to_it() {
    let scratch = Scratch::new("pipes");
    let made = std::process::Command::new("mkfifo").arg(scratch.0.join("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe can be made");
    // It is opened by both together: neither may come and go alone.
    let program = "const fs = require('fs'); const order = [];
        const read = (next) => fs.readFile('pipe', 'utf8', (error, text) => { order.push(error ?? text); next(); });
        const write = (text) => fs.writeFile('pipe', text, (error) => { if (error) order.push(error); });
        read(() => { write('reader later'); setTimeout(() => { order.push('waited'); read(() => console.log(order)); }, 50); });
        setTimeout(() => { order.push('waited'); write('writer later'); }, 50);";
    let output = hemiola(&scratch.0, &["run", "--timeout", "60s", "-e", program]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let expected = "[ 'waited', 'writer later', 'waited', 'reader later' ]\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn what_is_written_to_a_descriptor_keeps_its_place() {
    let scratch = Scratch::new("places");
    let program = "const fs = require('fs'); console.log('a'); fs.writeSync(1, 'b\\n'); \
        process.stdout.write('c\\n'); fs.write(1, 'd\\n', () => console.log('f')); console.log('e');";
    for command in ["run", "simulate"] {
        let output = hemiola(&scratch.0, &[command, "-e", program]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "a\nb\nc\nd\ne\nf\n", "{command}");
    }
}

#[test]
fn what_is_not_allowed_is_refused() {
    let scratch = Scratch::new("permissions");
    let at = |name: &str| scratch.0.join(name);
    fs::create_dir(at("open")).expect("a directory can be made");
    fs::write(at("open/a"), "a").expect("a file can be written");
    fs::write(at("secret"), "s").expect("a file can be written");
    std::os::unix::fs::symlink(at("secret"), at("open/link")).expect("a link can be made");
    let program = "const fs = require('fs');
        const attempt = (name, act) => { try { console.log(name, act()); }
          catch (error) { console.log(name, error.code, error.permission, error.message.includes('--allow-')); } };
        attempt('read', () => fs.readFileSync('open/a', 'utf8'));
        attempt('outside', () => fs.readFileSync('secret', 'utf8'));
        attempt('dots', () => fs.readFileSync('open/../secret', 'utf8'));
        attempt('link', () => fs.readFileSync('open/link', 'utf8'));
        attempt('write', () => fs.writeFileSync('open/b', ''));
        attempt('rename', () => fs.renameSync('open/a', 'open/b'));
        attempt('exists', () => fs.existsSync('secret'));
        fs.readFile('secret', (error) => console.log('later', error.code));
        const told = (error) => console.log('path', error.code, error.permission);
        fs.stat(`${process.cwd()}/secret`, told);
        fs.writeFile(`${process.cwd()}/open/b`, '', told);
        fs.promises.readFile('secret').catch((error) => console.log('promise', error.code));";
    let expected = "read a\n\
        outside ERR_ACCESS_DENIED FileSystemRead true\n\
        dots ERR_ACCESS_DENIED FileSystemRead true\n\
        link ERR_ACCESS_DENIED FileSystemRead true\n\
        write ERR_ACCESS_DENIED FileSystemWrite true\n\
        rename ERR_ACCESS_DENIED FileSystemWrite true\n\
        exists false\n\
        later ERR_ACCESS_DENIED\n\
        path ERR_ACCESS_DENIED FileSystemRead\n\
        path ERR_ACCESS_DENIED FileSystemWrite\n\
        promise ERR_ACCESS_DENIED\n";
    for command in ["run", "simulate"] {
        let words = [command, "--permission", "--allow-read=open", "-e", program];
        let output = hemiola(&scratch.0, &words);
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{command}");
    }
}

#[test]
fn a_link_to_nothing_does_not_lead_out() {
    let scratch = Scratch::new("dangling");
    fs::create_dir(scratch.0.join("open")).expect("a directory can be made");
    let program = "const fs = require('fs'); fs.symlinkSync('../made', 'open/link');
        try { fs.writeFileSync('open/link', 'x'); } catch (error) { console.log(error.code); }
        fs.writeFileSync('open/fine', 'x'); console.log(fs.readdirSync('open'));";
    let words = ["run", "--permission", "--allow-read=*", "--allow-write=open", "-e", program];
    let output = hemiola(&scratch.0, &words);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(shown, "ERR_ACCESS_DENIED\n[ 'fine', 'link' ]\n");
    assert!(!scratch.0.join("made").exists());
}

#[test]
fn modules_need_to_be_readable() {
    let scratch = Scratch::new("modules");
    fs::write(scratch.0.join("main.js"), "console.log('ran')").expect("a file can be written");
    let denied = hemiola(&scratch.0, &["run", "--permission", "main.js"]);
    let errors = String::from_utf8_lossy(&denied.stderr).into_owned();
    assert!(errors.contains("ERR_ACCESS_DENIED") && errors.contains("--allow-read"), "{errors}");
    let allowed = hemiola(&scratch.0, &["run", "--permission", "--allow-read=main.js", "main.js"]);
    assert_eq!(String::from_utf8_lossy(&allowed.stdout), "ran\n");
}

#[test]
fn a_file_may_be_too_large() {
    let scratch = Scratch::new("large");
    let program = "const fs = require('fs'); fs.writeFileSync('f', ''); let step = 'truncate';
        try { fs.truncateSync('f', 2 ** 41); step = 'read'; fs.readFileSync('f'); }
        catch (error) { console.log(step, error.name, error.code); }";
    let shown = |command| {
        let output = hemiola(&scratch.0, &[command, "-e", program]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(shown("run"), "read RangeError ERR_FS_FILE_TOO_LARGE\n");
    assert_eq!(shown("simulate"), "truncate Error EFBIG\n", "all of it is in memory");
}

#[test]
fn watchers_see_what_changes() {
    let scratch = Scratch::new("watch");
    let program = "const fs = require('fs');
        fs.mkdirSync('d');
        fs.writeFileSync('d/a', '1');
        const watcher = fs.watch('d', (kind, name) => console.log(kind, name));
        watcher.on('close', () => console.log('closed'));
        setTimeout(() => { fs.writeFileSync('d/a', '12'); fs.writeFileSync('d/b', ''); }, 50);
        setTimeout(() => watcher.close(), 200);
        fs.watchFile('d/a', { interval: 30 }, (now, before) => {
          console.log(before.size, now.size);
          fs.unwatchFile('d/a');
        });
        (async () => {
          const controller = new AbortController();
          try {
            for await (const event of fs.promises.watch('.', { signal: controller.signal })) {
              console.log(event);
              controller.abort();
            }
          } catch (error) {
            console.log(error.name);
          }
        })();
        setTimeout(() => fs.writeFileSync('e', ''), 300);";
    let output = hemiola(&scratch.0, &["simulate", "-e", program]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let mut lines: Vec<&str> = shown.lines().collect();
    lines.sort_unstable();
    let expected = [
        "1 2",
        "AbortError",
        "change a",
        "closed",
        "rename b",
        "{ eventType: 'rename', filename: 'e' }",
    ];
    assert_eq!(lines, expected);
}
