//! Small things about globals, as Node 20 has them.

use crate::common::{HEMIOLA, isolated};

fn shown(source: &str) -> String {
    let mut command = isolated(HEMIOLA);
    let output = command.args(["run", "-e", source]).output().expect("the command can be started");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).expect("output is text")
}

#[test]
fn promise_any_says_that_all_were_rejected() {
    let program = "
Promise.any([Promise.reject(1), Promise.reject(2)]).catch((e) => console.log(e.message, e.errors, e.stack));
Promise.any([]).catch((e) => console.log(e.constructor.name, e.message));
Promise.any([Promise.reject(1), 'value']).then(console.log);
class Own extends Promise { }
console.log(Promise.any.name, Promise.any.length, Own.any([1]) instanceof Own);";
    let expected = "any 1 true
AggregateError All promises were rejected
All promises were rejected [ 1, 2 ] AggregateError: All promises were rejected
value
";
    assert_eq!(shown(program), expected);
}

#[test]
fn the_origin_of_time_stands_still() {
    let program = "const first = performance.timeOrigin;
        for (let i = 0; i < 1e4; i++) if (performance.timeOrigin !== first) throw new Error('it moved');
        console.log(performance.toJSON().timeOrigin === first);";
    assert_eq!(shown(program), "true\n");
}

#[test]
fn a_proxy_cannot_be_cloned() {
    let program = "try { structuredClone([new Proxy({}, {})]); } catch (e) { console.log(e.name, e.message); }";
    assert_eq!(shown(program), "DataCloneError #<Object> could not be cloned.\n");
}

#[test]
fn errors_are_reported_and_told_by_events() {
    let program = "process.on('uncaughtException', (error) => console.log('uncaught', error));
        reportError('this');
        console.log('goes on', Object.keys(globalThis).includes('reportError'));
        const event = new ErrorEvent('error', { message: 'why', lineno: 3, error: 'it' });
        console.log(event instanceof Event, event.message, event.lineno, event.error);
        try { reportError(); } catch (error) { console.log(error.code); }";
    let expected = "goes on false\ntrue why 3 it\nERR_MISSING_ARGS\nuncaught this\n";
    assert_eq!(shown(program), expected);
}
