//! Sockets: one suite for both worlds (rule GATE-4), whose expected output is what Node prints; and what
//! only one of the worlds promises.

use crate::common::{HEMIOLA, Scratch, isolated, programs};
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

fn hemiola(directory: &Path, words: &[&str]) -> Output {
    isolated(HEMIOLA)
        .args(words)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .expect("hemiola can be run")
}

fn shown(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn programs_do_the_same_in_both_worlds() {
    for program in programs("sockets") {
        let expected = fs::read_to_string(program.with_extension("out")).unwrap_or_default();
        let name = program.file_stem().expect("a program has a name").to_string_lossy();
        let path = program.to_str().expect("the path is text");
        for (at, words) in
            [&["run", path][..], &["simulate", path], &["simulate", "--seed", "7", path]]
                .into_iter()
                .enumerate()
        {
            let scratch = Scratch::new(&format!("{at}-{name}"));
            assert_eq!(shown(&hemiola(&scratch.0, words)), expected, "{words:?}");
        }
    }
}

/// Connects a few clients at once, and says in which order they are served.
const RACE: &str = "const net = require('net'); let order = '';
    const server = net.createServer((socket) => socket.on('data', (data) => { order += data; socket.end(); }));
    server.listen(0, '127.0.0.1', () => { let open = 4; for (const name of 'abcd')
      net.connect(server.address().port, '127.0.0.1').on('close', () => {
        if (--open === 0) server.close(() => console.log(order, server.address()));
      }).resume().write(name); });";

#[test]
fn the_seed_decides_who_is_served_first() {
    let scratch = Scratch::new("sockets-seeds");
    let run = |seed: u32| {
        shown(&hemiola(&scratch.0, &["simulate", "--seed", &seed.to_string(), "-e", RACE]))
    };
    let orders: Vec<String> = (0..8).map(run).collect();
    assert_eq!(orders, (0..8).map(run).collect::<Vec<_>>(), "a seed decides everything");
    assert!(
        orders.iter().any(|order| order != &orders[0]),
        "other seeds, other orders: {orders:?}"
    );
}

#[test]
fn a_simulation_reaches_nobody_outside() {
    // Rule GATE-3.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    let program = format!(
        "require('net').connect({port}, '127.0.0.1').on('error', (error) => console.log(error.code))"
    );
    let scratch = Scratch::new("outside");
    assert_eq!(shown(&hemiola(&scratch.0, &["simulate", "-e", &program])), "ECONNREFUSED\n");
}

#[test]
fn a_simulated_server_that_nobody_visits_ends() {
    let scratch = Scratch::new("lonely");
    let program = "require('net').createServer().listen(0, () => console.log('listening'))";
    assert_eq!(shown(&hemiola(&scratch.0, &["simulate", "-e", program])), "listening\n");
}

#[test]
fn descriptors_are_given_back() {
    let program = "const net = require('net'); const fs = require('fs');
        const count = () => fs.readdirSync('/proc/self/fd').length;
        const server = net.createServer((socket) => { if (seen++ % 3 === 0) socket.resetAndDestroy(); else socket.end('x'); socket.on('error', () => {}).resume(); });
        let seen = 0;
        server.listen(0, '127.0.0.1', async () => {
          const one = () => new Promise((resolve) => net.connect(server.address().port, '127.0.0.1')
            .on('error', () => {}).on('close', resolve).resume());
          await one();
          await new Promise((resolve) => setTimeout(resolve, 20));
          const before = count();
          for (let round = 0; round < 50; round++) await Promise.all(Array.from({ length: 20 }, one));
          // Some are given up on the way.
          for (let i = 0; i < 100; i++) net.connect(server.address().port, '127.0.0.1').on('error', () => {}).destroy();
          await new Promise((resolve) => setTimeout(resolve, 50));
          for (let tries = 0; count() > before && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
          console.log(count() - before);
          server.close();
        });";
    let scratch = Scratch::new("descriptors");
    assert_eq!(shown(&hemiola(&scratch.0, &["run", "-e", program])), "0\n");
}

#[test]
fn a_server_without_descriptors_keeps_serving() {
    // Connections that there is no descriptor for are closed, as by Node; later ones are served.
    let program = "const net = require('net');
        const open = []; let served = 0; let turned = 0; let over = false;
        const server = net.createServer((socket) => { served++; socket.on('error', () => {}).end('hello'); });
        server.on('error', (error) => console.log('server', error.code));
        server.listen(0, '127.0.0.1', async () => {
          const { port } = server.address();
          const one = () => new Promise((resolve) => {
            let text = '';
            const socket = net.connect(port, '127.0.0.1').on('data', (data) => { text += data; })
              .on('error', (error) => resolve(error.code)).on('end', () => resolve(text === '' ? 'nothing' : text));
          });
          const answers = await Promise.all(Array.from({ length: 60 }, one));
          const kinds = new Set(answers);
          console.log( [...kinds].every((kind) => ['hello', 'nothing', 'EMFILE', 'ECONNRESET'].includes(kind)) || [...kinds]);
          await new Promise((resolve) => setTimeout(resolve, 20));
          console.log(await one(), await one());
          server.close();
        });";
    let scratch = Scratch::new("emfile");
    let script = "ulimit -n 40; exec \"$0\" run -e \"$1\"";
    let output = isolated("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_hemiola"), program])
        .current_dir(&scratch.0)
        .stdin(Stdio::null())
        .output()
        .expect("hemiola can be run");
    assert_eq!(shown(&output), "true\nhello hello\n");
}

/// A program that always has something to do hears of its sockets, and its timers keep their turn.
#[test]
fn a_busy_program_hears_of_its_sockets() {
    let program = "const net = require('net');
        let busy = true;
        (function again() { if (busy) setImmediate(again); })();
        let ticks = 0;
        const ticking = setInterval(() => { ticks++; }, 1);
        const server = net.createServer((socket) => socket.pipe(socket));
        server.listen(0, '127.0.0.1', () => {
          const client = net.connect(server.address().port, '127.0.0.1');
          let echoes = 0;
          client.on('data', () => {
            echoes++;
            if (echoes < 20 || ticks < 2) return client.write('x');
            busy = false;
            clearInterval(ticking);
            client.end();
            server.close(() => console.log('heard'));
          });
          client.write('x');
        });";
    let scratch = Scratch::new("sockets-busy");
    for world in ["run", "simulate"] {
        assert_eq!(shown(&hemiola(&scratch.0, &[world, "-e", program])), "heard\n", "{world}");
    }
}

#[test]
fn sockets_have_no_thread_of_their_own() {
    let program = "const net = require('net'), fs = require('fs');
        const threads = () => fs.readdirSync('/proc/self/task').length;
        const before = threads();
        const server = net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', () => {
          net.connect(server.address().port, '127.0.0.1').on('close', () => {
            server.close(); console.log(threads() - before);
          }).resume();
        });";
    let scratch = Scratch::new("sockets-threads");
    assert_eq!(shown(&hemiola(&scratch.0, &["run", "-e", program])), "0\n");
}

#[test]
fn a_slow_reader_keeps_memory_bounded() {
    // The writer respects `write`'s answer; what the system does not take stays with the writer.
    let program = "const net = require('net');
        const size = () => Number(/VmRSS:\\s+(\\d+)/.exec(require('fs').readFileSync('/proc/self/status', 'utf8'))[1]);
        let before;
        const server = net.createServer((socket) => {
          let got = 0;
          socket.on('data', (data) => { got += data.length; socket.pause(); setImmediate(() => socket.resume()); });
          socket.on('end', () => { console.log(got, size() - before < 60_000 || size() - before); server.close(); });
        }).listen(0, '127.0.0.1', () => {
          before = size();
          const client = net.connect(server.address().port, '127.0.0.1');
          const piece = Buffer.alloc(1 << 16); let left = 1600;
          const go = () => { while (left-- > 0) if (!client.write(piece)) return client.once('drain', go); client.end(); };
          go();
        });";
    let scratch = Scratch::new("memory");
    assert_eq!(shown(&hemiola(&scratch.0, &["run", "-e", program])), "104857600 true\n");
}
