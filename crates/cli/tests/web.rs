//! fetch and WebSocket: one suite for both worlds, whose expected output is what Node prints; and where
//! the standard counts, since Node 20 has no WebSocket but as an experiment.

use crate::common::{HEMIOLA, isolated};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

const WORLDS: [&str; 2] = ["run", "simulate"];

fn hemiola(words: &[&str]) -> Output {
    let mut command = isolated(HEMIOLA);
    command.args(words).stdin(Stdio::null()).output().expect("hemiola can be run")
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web").join(name).with_extension("mjs")
}

/// What a program of the suite prints is what Node prints.
fn behaves_as_under_node(name: &str) {
    let program = program(name);
    let expected = fs::read_to_string(program.with_extension("out")).expect("it is there");
    for world in WORLDS {
        let output = hemiola(&[world, program.to_str().expect("the path is text")]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{world}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{world}");
    }
}

#[test]
fn servers_see_the_requests_that_node_sends() {
    behaves_as_under_node("requests");
}

#[test]
fn redirects_are_followed() {
    behaves_as_under_node("redirects");
}

#[test]
fn bodies_are_decoded_and_streamed() {
    behaves_as_under_node("bodies");
}

#[test]
fn servers_that_misbehave_and_requests_that_are_given_up_end_well() {
    behaves_as_under_node("faults");
}

#[test]
fn fetches_leave_entries_of_their_time_and_sizes() {
    behaves_as_under_node("resources");
}

#[test]
fn requests_say_what_programs_may_say() {
    behaves_as_under_node("wishes");
}

#[test]
fn websockets_speak_to_a_server() {
    behaves_as_under_node("websocket");
}

#[test]
fn both_go_over_tls() {
    behaves_as_under_node("secure");
}

/// What a program prints, in both worlds.
fn shows(source: &str, expected: &str) {
    for world in WORLDS {
        let output = hemiola(&[world, "--input-type=module", "-e", source]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{world}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{world}");
    }
}

#[test]
fn a_websocket_that_cannot_be_opened_is_closed() {
    let program = "
import http from 'node:http';
const server = http.createServer((request, response) => response.end('no'));
server.on('upgrade', (request, socket) => {
  const heads = {
    '/accept': 'Upgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: wrong\\r\\n',
    '/upgrade': 'Upgrade: other\\r\\nConnection: Upgrade\\r\\n',
    '/end': undefined,
  };
  const head = heads[request.url];
  socket.end(head === undefined ? 'HTTP/1.1 404 No\\r\\n\\r\\n' : `HTTP/1.1 101 Switching Protocols\\r\\n${head}\\r\\n`);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `ws://127.0.0.1:${server.address().port}`;
const open = (url, action) => new Promise((resolve) => {
  const socket = new WebSocket(url);
  socket.onerror = ({ message }) => console.log(message);
  socket.onclose = ({ code, wasClean }) => resolve(console.log(code, wasClean, socket.readyState));
  action?.(socket);
});
for (const path of ['/accept', '/upgrade', '/end']) await open(base + path);
await open('ws://127.0.0.1:9/');
await open(base, (socket) => { socket.close(); console.log(socket.readyState); });
server.close();
";
    let expected = "Incorrect hash received in Sec-WebSocket-Accept header.
1006 false 3
Server did not set Upgrade header to \"websocket\".
1006 false 3
Received network error or non-101 status code.
1006 false 3
Received network error or non-101 status code.
1006 false 3
2
Connection was closed before it was established.
1006 false 3
";
    shows(program, expected);
}

#[test]
fn a_program_may_bring_a_dispatcher() {
    let program = "
const seen = [];
const dispatcher = {
  dispatch({ origin, path, method, headers }, handler) {
    seen.push(`${method} ${origin}${path} ${headers.a}`);
    handler.onConnect(() => {});
    handler.onHeaders(201, [Buffer.from('X-Y'), Buffer.from('z')], () => {}, 'Made');
    handler.onData(Buffer.from('from nowhere'));
    handler.onComplete([]);
    return true;
  },
};
const response = await fetch('http://h/p?q', { dispatcher, headers: { a: 'b' } });
console.log(seen, response.status, response.statusText, response.headers.get('x-y'), await response.text());
globalThis[Symbol.for('undici.globalDispatcher.1')] = dispatcher;
console.log(await (await fetch('http://other/')).text(), seen.length);
";
    let expected = "[ 'GET http://h/p?q b' ] 201 Made z from nowhere\nfrom nowhere 2\n";
    shows(program, expected);
}

#[test]
fn the_globals_are_there_as_in_node() {
    let program = "
for (const name of ['fetch', 'Headers', 'Request', 'Response', 'FormData', 'WebSocket', 'CloseEvent', 'MessageEvent']) {
  const { enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
  console.log(name, typeof globalThis[name], globalThis[name].length, globalThis[name].name, enumerable, configurable);
}
console.log(typeof EventSource, typeof navigator, fetch);
console.log(new CloseEvent('x', { code: 70000, reason: 5, wasClean: 1 }).code);
";
    let expected = "fetch function 1 fetch true true
Headers function 0 Headers false true
Request function 1 Request false true
Response function 0 Response false true
FormData function 1 FormData false true
WebSocket function 1 WebSocket false true
CloseEvent function 1 CloseEvent false true
MessageEvent function 1 MessageEvent false true
undefined object [Function: fetch]
4464
";
    shows(program, expected);
}

/// By the standard; Node 20 makes empty objects of these, and lets blobs be listed.
#[test]
fn what_is_not_serializable_is_not_copied_and_blobs_are_not_transferred() {
    let program = "
import { MessageChannel } from 'node:worker_threads';
const attempt = (name, act) => {
  try { console.log(name, act()); } catch (error) { console.log(name, error.name, error.code, error.message); }
};
for (const value of [new Response(), new Request('http://a/'), new Headers(), new FormData()]) {
  attempt('copy', () => structuredClone({ list: [value] }));
  attempt('send', () => new MessageChannel().port1.postMessage(value));
}
for (const value of [new Blob(['text']), new File(['text'], 'name')]) {
  attempt('copy', () => structuredClone(value).size);
  attempt('transfer', () => structuredClone(value, { transfer: [value] }));
  attempt('send', () => new MessageChannel().port1.postMessage(value, [value]));
}
";
    let expected = "copy DataCloneError 25 #<Response> could not be cloned.
send DataCloneError 25 #<Response> could not be cloned.
copy DataCloneError 25 #<Request> could not be cloned.
send DataCloneError 25 #<Request> could not be cloned.
copy DataCloneError 25 #<Headers> could not be cloned.
send DataCloneError 25 #<Headers> could not be cloned.
copy DataCloneError 25 #<FormData> could not be cloned.
send DataCloneError 25 #<FormData> could not be cloned.
copy 4
transfer DataCloneError 25 Found invalid object in transferList
send DataCloneError 25 Found invalid object in transferList
copy 4
transfer DataCloneError 25 Found invalid object in transferList
send DataCloneError 25 Found invalid object in transferList
";
    shows(program, expected);
}
