//! What inspection sees of values without touching them.

use crate::common::{HEMIOLA, isolated};

fn shown(source: &str) -> String {
    let output = isolated(HEMIOLA).args(["run", "-e", source]).output();
    let output = output.expect("the command can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

/// The engine's structs are read for this: it fails when a new version has changed them.
#[test]
fn iterators_are_shown_and_not_taken() {
    let program = "const map = new Map([['a', 1], ['b', 2], ['c', 3], ['d', 4]]);
        const left = map.entries();
        left.next();
        map.delete('b');
        map.set('e', 5);
        console.log(left, map.keys(), map.values());
        console.log(left.next().value, left);
        console.log(new Set([1, 'x']).values(), new Set([1]).entries(), new Map().keys());
        const over = map.keys();
        for (const _ of over);
        console.log(over);";
    let expected = "[Map Entries] { [ 'c', 3 ], [ 'd', 4 ], [ 'e', 5 ] } [Map Iterator] { 'a', 'c', 'd', 'e' } \
        [Map Iterator] { 1, 3, 4, 5 }\n\
        [ 'c', 3 ] [Map Entries] { [ 'd', 4 ], [ 'e', 5 ] }\n\
        [Set Iterator] { 1, 'x' } [Set Entries] { [ 1, 1 ] } [Map Iterator] {  }\n\
        [Map Iterator] {  }\n";
    assert_eq!(shown(program), expected);
}

#[test]
fn weak_collections_are_shown_on_request() {
    let program = "const { inspect } = require('util');
        const key = { k: 1 };
        const map = new WeakMap([[key, [1]], [{ gone: 1 }, 2]]);
        console.log(map, inspect(map, { showHidden: true, depth: 0 }), inspect(new WeakSet([key]), { showHidden: true }));";
    let expected =
        "WeakMap { <items unknown> } WeakMap { [Object] => [Array] } WeakSet { { k: 1 } }\n";
    assert_eq!(shown(program), expected);
}

/// The text of each level is as long as all below it: whoever copies it on each takes minutes.
#[test]
fn what_lies_deep_is_not_copied_on_each_level() {
    let program = "const { inspect } = require('util');
        const first = {};
        let last = first;
        for (let i = 0; i < 2000; i++) last = last.next = { i };
        last.next = first;
        const start = process.cpuUsage().user;
        const text = inspect(first, { depth: Infinity });
        console.log(text.length, text.slice(0, 10), process.cpuUsage().user - start < 20e6);";
    assert_eq!(shown(program), "12050924 <ref *1> { true\n");
}

#[test]
fn proxies_are_seen_through_and_never_asked() {
    let program = "const { inspect, types } = require('util');
        const touchy = new Proxy({ a: 1 }, new Proxy({}, { get() { throw new Error('touched'); } }));
        console.log(touchy, types.isProxy(touchy), types.isProxy({}), inspect(new Proxy([1], {}), { showProxy: true }));
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        console.log(proxy);
        try { null.x; } catch (error) { console.log(error instanceof TypeError); }";
    assert_eq!(shown(program), "{ a: 1 } true false Proxy [ [ 1 ], {} ]\n<Revoked Proxy>\ntrue\n");
}

#[test]
fn the_class_of_an_object_is_no_matter_of_its_prototype() {
    let program = "const { types } = require('util');
        const map = Object.setPrototypeOf(new Map([[1, 2]]), null);
        class Own { get [Symbol.toStringTag]() { return 'Map'; } }
        console.log(map, types.isMap(map), types.isMap(new Own()), new Own());
        console.log(types.isDate(Object.create(Date.prototype)), Object(1n), types.isArgumentsObject((function () { return arguments; })()));
        import('node:path').then((ns) => console.log(types.isModuleNamespaceObject(ns)));";
    let expected = "[Map(1): null prototype] { 1 => 2 } true false Own [Map] {}\nfalse [BigInt: 1n] true\ntrue\n";
    assert_eq!(shown(program), expected);
}

#[test]
fn buffers_search_and_decode_as_in_node() {
    let program = "const text = Buffer.from('abcabcab\\ud800');
        console.log(text.indexOf('cab'), text.lastIndexOf('ab'), text.indexOf('ab', 4), text.lastIndexOf('abc', 2), text.indexOf('zz'));
        console.log(text.toString(), Buffer.from('0aG1', 'hex'), Buffer.from('-_8=x', 'base64'), Buffer.byteLength('é😀\\udc00'));
        console.log(Object.assign(Buffer.from('a'), { extra: 1 }));";
    let expected =
        "2 6 6 0 -1\nabcabcab\u{FFFD} <Buffer 0a> <Buffer fb ff> 9\n<Buffer 61, extra: 1>\n";
    assert_eq!(shown(program), expected);
}
