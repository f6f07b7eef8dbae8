//! Levels that callbacks inherit from whoever attached them (rule PRIO-2), and what `scheduler` makes of them.

use crate::common::{directory, hemiola, text};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/contexts")
}

/// What a command prints; it must print nothing else.
fn shown(words: &[&str]) -> String {
    let output = hemiola(&folder()).args(words).output().expect("the command can be started");
    assert_eq!(text(output.stderr), "", "{words:?}");
    text(output.stdout)
}

/// The example of the paper's section 6: not the cause counts, but the link. What is awaited at a higher level
/// is promoted, and so the file of the first example is read for who waits for it.
#[test]
fn prio_2_a_reaction_has_the_level_of_its_link() {
    let example = |name: &str, link: &str, cause: &str| {
        format!(
            "{name}: resolved at {cause}\n{name}: then at {link}\n{name}: await at {link}\n\
             {name}: its immediate at {link}\n{name}: its operation at {link}\n"
        )
    };
    let expected = example("as printed", "high", "high")
        + &example("the other way round", "background", "high")
        + &example("only the cause", "low", "high");
    for mode in ["run", "simulate"] {
        assert_eq!(
            shown(&[mode, "--strategy", "priority", "levels/paper-6.js"]),
            expected,
            "{mode}"
        );
    }
}

/// Every callback of random programs has the level that it was given by hand.
#[test]
fn prio_2_levels_never_leak() {
    for strategy in ["priority", "node-phases", "micro"] {
        for chains in ["", "chains"] {
            let words = ["simulate", "--strategy", strategy, "levels.cjs", "1", "60", chains];
            let looked = shown(&words);
            assert!(looked.starts_with("looked "), "{strategy} {chains}: {looked}");
            assert_eq!(shown(&words), looked, "{strategy} {chains}");
        }
    }
    let looked = shown(&["run", "--strategy", "priority", "levels.cjs", "61", "60"]);
    assert!(looked.starts_with("looked "), "{looked}");
}

/// What `yield` inherits goes through promise jobs, but not through timers.
#[test]
fn a_task_goes_on_with_what_it_was_posted_with() {
    let source = "
        const { currentLevel } = require('hemiola:tasks');
        const controller = new TaskController({ priority: 'background' });
        const log = (text) => console.log(text, currentLevel());
        scheduler.postTask(async () => {
          await null;
          await new Promise((resolve) => setTimeout(resolve, 1));
          controller.setPriority('user-blocking');
          setTimeout(() => scheduler.yield().then(() => log('of a timer')), 1);
          scheduler.postTask(() => log('posted before'), { priority: 'user-visible' });
          await scheduler.yield();
          log('went on');
          await new Promise((resolve) => setTimeout(resolve, 5));
          controller.abort('enough');
          await scheduler.yield();
        }, { signal: controller.signal }).catch((reason) => console.log(reason));";
    let expected = "went on background\nposted before low\nof a timer background\nenough\n";
    assert_eq!(shown(&["simulate", "--strategy", "priority", "-e", source]), expected);
}

/// What the web platform refuses, in the words that its users know.
#[test]
fn bad_input_of_the_scheduler() {
    let source = "
        const nothing = () => {};
        const controller = new TaskController();
        controller.signal.onprioritychange = () => {
          try { controller.setPriority('background'); } catch (error) { console.log(error.name, error.message); }
        };
        for (const bad of [
          () => new TaskController({ priority: 'top' }), () => new TaskController({ priority: null }), () => new TaskController(5),
          () => controller.setPriority('top'), () => controller.setPriority(), () => controller.setPriority('user-blocking'),
          () => TaskSignal.any(), () => TaskSignal.any([1]), () => TaskSignal.any([], { priority: 'top' }),
          () => new TaskPriorityChangeEvent('x'), () => new TaskPriorityChangeEvent('x', {}),
          () => new TaskPriorityChangeEvent('x', { previousPriority: 'top' }), () => new scheduler.constructor(),
        ]) try { bad(); console.log('accepted'); } catch (error) { console.log(error.name, error.message); }
        const tries = [[5], [nothing, 5], [nothing, { priority: 'top' }], [nothing, { priority: null }], [nothing, { signal: {} }],
          [nothing, { signal: null }], [nothing, { delay: -1 }], [nothing, { delay: NaN }], [nothing, { delay: Infinity }],
          [nothing, { delay: 2 ** 60 }], [nothing, { signal: AbortSignal.abort('why') }], [nothing, { delay: '1.5' }], [nothing, null]];
        (async () => {
          for (const words of tries) await scheduler.postTask(...words).then(() => console.log('done'), (error) => console.log(error.message ?? error));
        })();";
    let value = |text: &str| {
        format!(
            "The provided value '{text}' is not a valid enum value of type TaskPriority \
             (user-blocking, user-visible or background)."
        )
    };
    let (top, null) = (value("top"), value("null"));
    let controller = "TypeError Failed to construct 'TaskController': ";
    let read = "Failed to read the 'priority' property from 'TaskControllerInit': ";
    let set = "TypeError Failed to execute 'setPriority' on 'TaskController': ";
    let any = "TypeError Failed to execute 'any' on 'TaskSignal': ";
    let event = "TypeError Failed to construct 'TaskPriorityChangeEvent': ";
    let previous =
        "Failed to read the 'previousPriority' property from 'TaskPriorityChangeEventInit': ";
    let post = "Failed to execute 'postTask' on 'Scheduler': ";
    let option = |name: &str| {
        format!("{post}Failed to read the '{name}' property from 'SchedulerPostTaskOptions': ")
    };
    let expected = [
        format!("{controller}{read}{top}"),
        format!("{controller}{read}{null}"),
        format!("{controller}The provided value is not of type 'TaskControllerInit'."),
        format!("{set}{top}"),
        format!("{set}1 argument required, but only 0 present."),
        "NotAllowedError Cannot change priority when a prioritychange event is in progress.".into(),
        "accepted".into(),
        format!("{any}The provided value cannot be converted to a sequence."),
        format!("{any}Failed to convert value to 'AbortSignal'."),
        format!("{any}Failed to read the 'priority' property from 'TaskSignalAnyInit': {top}"),
        format!("{event}2 arguments required, but only 1 present."),
        format!("{event}{previous}Required member is undefined."),
        format!("{event}{previous}{top}"),
        "TypeError Illegal constructor".into(),
        format!("{post}parameter 1 is not of type 'Function'."),
        format!("{post}The provided value is not of type 'SchedulerPostTaskOptions'."),
        format!("{}{top}", option("priority")),
        format!("{}{null}", option("priority")),
        format!("{}Failed to convert value to 'AbortSignal'.", option("signal")),
        format!("{}Failed to convert value to 'AbortSignal'.", option("signal")),
        format!("{}Value is outside the 'unsigned long long' value range.", option("delay")),
        format!("{}Value is not of type 'unsigned long long'.", option("delay")),
        format!("{}Value is infinite and not of type 'unsigned long long'.", option("delay")),
        format!("{}Value is outside the 'unsigned long long' value range.", option("delay")),
        "why".into(),
        "done".into(),
        "done".into(),
    ];
    let shown = shown(&["simulate", "--strategy", "priority", "-e", source]);
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

/// What a program in a file of that name prints live, in virtual time, recorded and replayed: always the same.
fn everywhere(name: &str, strategy: &str, source: &str) -> String {
    let place = directory(&format!("levels-{name}"), &[("program.js", source)]);
    let shown = |words: &[&str]| {
        let mut command = hemiola(&place);
        command.env_remove("HEMIOLA_RECORD").env("HEMIOLA_RUNS", place.join("runs"));
        let output = command.args(words).output().expect("the command can be started");
        assert!(output.status.success(), "{name}: {words:?}: {}", text(output.stderr));
        text(output.stdout)
    };
    let simulated = shown(&["simulate", "--strategy", strategy, "program.js"]);
    let live = shown(&["run", "--strategy", strategy, "--record", "program.js"]);
    assert_eq!(live, simulated, "{name}: live and simulated");
    assert_eq!(shown(&["replay"]), live, "{name}: replayed");
    simulated
}

const CALLS: &str = "
    const fs = require('fs');
    const { spend } = require('hemiola:clock');
    const { currentLevel, withLevel } = require('hemiola:tasks');
    const log = (name) => () => console.log(name, currentLevel());
";

/// Programs whose operations have all been answered when the first choice is made.
#[test]
fn prio_2_calls_of_files_take_a_level() {
    let callbacks = format!(
        "{CALLS}
        fs.stat('.', {{ priority: 'background' }}, log('options'));
        fs.stat('.', log('main'));
        fs.access('.', log('behind the callback'), 'high');
        spend(200);"
    );
    assert_eq!(
        everywhere("callbacks", "priority", &callbacks),
        "behind the callback high\nmain low\noptions background\n"
    );
    let promises = format!(
        "{CALLS}
        // The level of the operation orders; what is attached to the promise has that of its link.
        for (const priority of ['background', undefined, 'high'])
          fs.promises.stat('.', {{ priority }}).then(log(priority ?? 'main'));
        spend(200);"
    );
    assert_eq!(
        everywhere("promises", "priority", &promises),
        "high low\nmain low\nbackground low\n"
    );
}

#[test]
fn prio_2_every_form_of_a_call_has_its_level() {
    let source = format!(
        "{CALLS}
        const done = [];
        const seen = (name) => {{ done.push(name + ' ' + currentLevel()); }};
        fs.writeFileSync('data', 'x');
        fs.readFile('data', () => seen('readFile'), 'high');
        fs.readFile('data', 'utf8', () => seen('readFile with an encoding'), 'background');
        fs.readFile('data', {{ priority: 'high', encoding: 'utf8' }}, () => seen('readFile with options'));
        fs.readFile('data', {{ priority: 'background' }}, () => setImmediate(() => seen('an immediate of readFile')));
        fs.writeFile('out', 'x', () => seen('writeFile'), 'high');
        fs.writeFile('out2', 'x', {{ signal: new AbortController().signal, priority: 'high' }}, () => seen('writeFile with a signal'));
        fs.exists('data', () => seen('exists'), 'background');
        fs.open('data', (error, fd) => {{ seen('open'); fs.closeSync(fd); }}, 'high');
        fs.readdir('.', {{ priority: 'background' }}, () => seen('readdir'));
        fs.mkdtemp('made-', () => seen('mkdtemp'), 'background');
        fs.rm('nothing', () => seen('rm'), 'high');
        fs.promises.readFile('data', {{ priority: 'background' }}).then(() => seen('a promise'));
        withLevel('background', () => fs.promises.lstat('.').then(() => seen('within')));
        const timers = require('timers/promises');
        timers.setTimeout(1, 0, {{ priority: 'high' }}).then(() => seen('a timer'));
        fs.createReadStream('data', {{ priority: 'background' }}).on('open', () => seen('a stream'));
        // To Node these mean nothing, and so they do here.
        fs.readFile('data', {{ priority: 5 }}, () => seen('a number'));
        fs.stat('data', () => seen('another word'), 'urgent');
        process.on('exit', () => console.log(done.sort().join('\\n')));"
    );
    let expected = "a number low\na promise low\na stream background\na timer low\n\
        an immediate of readFile background\nanother word low\nexists background\nmkdtemp background\n\
        open high\nreadFile high\nreadFile with an encoding background\nreadFile with options high\n\
        readdir background\nrm high\nwithin background\nwriteFile high\nwriteFile with a signal high\n";
    for strategy in ["priority", "node-phases"] {
        assert_eq!(everywhere(&format!("forms-{strategy}"), strategy, &source), expected);
    }
}

#[test]
fn prio_2_open_files_names_and_sockets_take_a_level() {
    let source = format!(
        "{CALLS}
        const dns = require('dns'), dgram = require('dgram');
        const done = [];
        const seen = (name) => {{ done.push(name + ' ' + currentLevel()); }};
        // What is attached within the call has its level, and what is attached to its promise that of its link.
        const inside = (name) => ({{ async *[Symbol.asyncIterator]() {{ yield 'x'; seen(name); }} }});
        fs.writeFileSync('data', 'x');
        fs.promises.open('data', 'r+').then(async (handle) => {{
          await handle.appendFile(inside('appendFile'), {{ priority: 'high' }});
          await handle.writeFile(inside('writeFile'), {{ priority: 'background' }});
          const options = {{ priority: 'background' }};
          await Promise.all([
            handle.stat(options), handle.read(Buffer.alloc(1), {{ position: 0, ...options }}), handle.read({{ position: 0, ...options }}),
            handle.write(Buffer.from('y'), {{ position: 0, ...options }}), handle.readv([Buffer.alloc(1)], 0, options), handle.sync(options),
            handle.datasync(options), handle.truncate(1, options), handle.utimes(1, 1, options), handle.chmod(0o600, options),
            handle.writev([Buffer.from('z')], 0, options),
          ]);
          await handle.readFile({{ encoding: 'utf8', ...options }});
          seen('readFile');
          handle.createReadStream({{ start: 0, ...options }}).on('data', () => seen('stream')).on('error', console.log);
        }});
        dns.lookup('localhost', {{ priority: 'high', family: 4 }}, () => seen('lookup'));
        dns.promises.lookup('localhost', {{ priority: 'high', family: 4 }}).then(() => seen('promised lookup'));
        const one = dgram.createSocket({{ type: 'udp4', priority: 'background' }}, () => {{ seen('message'); one.close(); }});
        const two = dgram.createSocket('udp4', () => {{ seen('bound'); two.close(); other.close(); }});
        const other = dgram.createSocket('udp4');
        one.bind(0, '127.0.0.1', () => two.bind({{ port: 0, address: '127.0.0.1', priority: 'high' }}, () => {{
          other.send('x', one.address().port, '127.0.0.1', () => other.send('x', two.address().port, '127.0.0.1'));
        }}));
        process.on('exit', () => console.log(done.sort().join('\\n')));"
    );
    let expected = "appendFile high\nbound high\nlookup high\nmessage background\npromised lookup low\n\
        readFile low\nstream background\nwriteFile background\n";
    assert_eq!(everywhere("handles", "priority", &source), expected);
}

/// Children are of the live world alone.
#[test]
fn prio_2_children_take_a_level() {
    let source = "
        const { exec, execFile, spawn, fork } = require('child_process');
        const { currentLevel } = require('hemiola:tasks');
        if (process.argv[2] === 'child') process.send('x');
        else {
          const done = [];
          const seen = (name) => { done.push(name + ' ' + currentLevel()); };
          execFile('echo', ['x'], { priority: 'high' }, () => seen('execFile'));
          exec('echo x', { priority: 'background' }, () => seen('exec'));
          exec('echo x', () => seen('without'));
          spawn('echo', ['x'], { priority: 'high' }).on('spawn', () => seen('spawn')).on('exit', () => seen('exit'))
            .stdout.on('data', () => seen('data'));
          fork(__filename, ['child'], { priority: 'background' }).on('message', () => seen('message'));
          process.on('exit', () => console.log(done.sort().join('\\n')));
        }";
    let place = directory("levels-children", &[("program.js", source)]);
    let shown = |words: &[&str]| {
        let mut command = hemiola(&place);
        command.env_remove("HEMIOLA_RECORD").env("HEMIOLA_RUNS", place.join("runs"));
        let output = command.args(words).output().expect("the command can be started");
        assert!(output.status.success(), "{words:?}: {}", text(output.stderr));
        text(output.stdout)
    };
    let expected = "data high\nexec background\nexecFile high\nexit high\nmessage background\nspawn high\nwithout low\n";
    assert_eq!(shown(&["run", "--strategy", "priority", "--record", "program.js"]), expected);
    assert_eq!(shown(&["replay"]), expected);
}

/// A connection that is used again belongs to whoever uses it.
#[test]
fn prio_2_requests_have_a_level_on_both_sides() {
    let source = "
        const http = require('http');
        const { currentLevel, runTask } = require('hemiola:tasks');
        const server = http.createServer({ priority: 'high' }, (request, response) => {
          console.log('server', currentLevel());
          response.end('x');
        });
        server.listen(0, () => {
          console.log('listening', currentLevel());
          const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
          const { port } = server.address();
          const get = (options, then) => {
            http.get({ port, agent, ...options }, (response) => {
              console.log('response', currentLevel(), response.req.reusedSocket);
              response.on('data', () => {}).on('end', () => { console.log('end', currentLevel()); setTimeout(then, 5); });
            });
          };
          get({ priority: 'background' }, () => get({ priority: 'high' }, () =>
            runTask(() => get({}, () => {
              agent.destroy();
              fetch('http://localhost:' + port, { priority: 'background' }).then(async (response) => {
                console.log('fetched', await response.text(), currentLevel());
                const request = new Request('http://localhost:' + port, { priority: 'high' });
                const dispatcher = { dispatch: () => { console.log('asked', currentLevel()); throw new Error('enough'); } };
                for (const [input, init] of [[request], [request.clone(), {}], [request, { priority: 'auto' }],
                  [request, { priority: 'background' }], [new Request(request, { priority: 'background' })]]) {
                  await fetch(input, { ...init, dispatcher }).catch(() => {});
                }
                server.closeAllConnections();
                server.close();
              });
            }), 'low')));
        });";
    let expected = "listening low\nserver high\nresponse background false\nend background\n\
        server high\nresponse high true\nend high\nserver high\nresponse low true\nend low\n\
        server high\nfetched x low\nasked high\nasked high\nasked low\nasked background\nasked background\n";
    assert_eq!(everywhere("requests", "priority", source), expected);
}

#[test]
fn a_word_that_is_no_level_is_told() {
    let source = "
        const fs = require('fs'), http = require('http'), net = require('net'), timers = require('timers/promises');
        const { clock } = require('hemiola:clock');
        const { withLevel } = require('hemiola:tasks');
        const priority = 'urgent', nothing = () => {};
        (async () => {
          for (const bad of [
            () => fs.readFile('x', { priority }, nothing), () => fs.stat('x', { priority }, nothing),
            () => fs.createReadStream('x', { priority }), () => fs.promises.readFile('x', { priority }),
            () => http.get({ priority }), () => http.createServer({ priority }), () => net.connect({ port: 1, priority }),
            () => net.createServer().listen({ port: 0, priority }), () => fetch('http://localhost', { priority }),
            () => timers.setTimeout(1, 0, { priority }), () => timers.setImmediate(0, { priority }),
            () => new Request('http://localhost', { priority }), () => require('dns').lookup('x', { priority }, nothing),
            () => require('dns').promises.resolve4('x', { priority }), () => require('child_process').spawn('x', { priority }),
            () => require('dgram').createSocket({ type: 'udp4', priority }), async () => (await fs.promises.open('.')).stat({ priority }),
            () => clock('A').sleep(1, { priority }), () => clock('A').ticks(1, { priority }), () => withLevel(priority, nothing),
          ]) {
            try { await bad(); console.log('accepted'); } catch (error) { console.log(error.code, error.message.slice(0, 60)); }
          }
        })();";
    let shown = everywhere("refused", "priority", source);
    assert_eq!(shown.lines().count(), 20, "{shown}");
    for line in shown.lines() {
        assert!(line.starts_with("ERR_INVALID_ARG_VALUE The "), "{line}");
    }
}

#[test]
fn under_node_timers_nothing_is_a_level() {
    let source = "
        const fs = require('fs');
        const { currentLevel } = require('hemiola:tasks');
        fs.stat('.', () => console.log(currentLevel()), 'high');
        fs.stat('.', { priority: 'urgent' }, () => console.log(currentLevel()));
        require('timers/promises').setTimeout(1, 0, { priority: 'urgent' }).then(() => console.log('fine'));";
    let words = ["simulate", "--timers", "node", "--strategy", "priority", "-e", source];
    let mut lines: Vec<String> = shown(&words).lines().map(str::to_owned).collect();
    lines.sort_unstable();
    assert_eq!(lines, ["fine", "low", "low"]);
}

/// Levels are kept and handed on under every strategy; only `priority` orders by them.
#[test]
fn other_strategies_keep_levels_and_nodes_order() {
    let source = "
        const { currentLevel, withLevel } = require('hemiola:tasks');
        for (const level of ['background', 'low', 'high'])
          withLevel(level, () => setImmediate(() => console.log(level, currentLevel())));";
    let in_order = "background background\nlow low\nhigh high\n";
    for strategy in ["node-phases", "all", "micro"] {
        assert_eq!(everywhere(&format!("kept-{strategy}"), strategy, source), in_order);
    }
    let ranked = "high high\nlow low\nbackground background\n";
    assert_eq!(everywhere("kept-priority", "priority", source), ranked);
}

#[test]
fn prio_2_a_promoted_task_stays_promoted_with_all_that_it_causes() {
    let source = "
        const fs = require('fs');
        const { spend } = require('hemiola:clock');
        const { runBackground, runTask, currentLevel } = require('hemiola:tasks');
        const log = (name) => console.log(name, currentLevel());
        runBackground(async () => {
          log('begins');
          await fs.promises.stat('.');
          log('goes on');
          await new Promise((resolve) => setImmediate(resolve));
          log('still');
          runTask(() => log('a task of the background'), 'background');
        }, 5);
        runTask(() => setTimeout(() => log('another'), 30), 'background');
        spend(20);";
    let expected = "begins high\ngoes on high\nstill high\na task of the background high\nanother background\n";
    assert_eq!(everywhere("promoted", "priority", source), expected);
    // The deadline passes when the task has begun.
    let source = "
        const { runBackground, currentLevel } = require('hemiola:tasks');
        const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
        runBackground(async () => {
          console.log(currentLevel());
          await sleep(400);
          console.log(currentLevel());
        }, 300);";
    assert_eq!(everywhere("promoted-later", "priority", source), "background\nhigh\n");
}

/// What somebody more urgent awaits becomes as urgent, whatever is between the two.
#[test]
fn prio_2_what_is_awaited_is_promoted() {
    let forms = [
        ("an async function", "work()"),
        (
            "a promise",
            "new Promise((resolve) => setTimeout(() => { log('works'); resolve(); }, 100))",
        ),
        ("a chain", "work().then(() => {}).then(() => {})"),
        ("all", "Promise.all([1, work()])"),
        ("a function that returns a promise", "(async () => { await null; return work(); })()"),
        ("a posted task", "scheduler.postTask(work, { priority: 'background' })"),
        (
            "a call with a level",
            "timers.setTimeout(100, 0, { priority: 'background' }).then(() => log('works'))",
        ),
    ];
    for (at, (name, form)) in forms.into_iter().enumerate() {
        for level in ["high", "low", "background"] {
            let source = format!(
                "const {{ runTask, currentLevel }} = require('hemiola:tasks');
                const timers = require('timers/promises');
                const log = (name) => console.log(name, currentLevel());
                async function work() {{
                  await timers.setTimeout(100);
                  await new Promise((resolve) => setImmediate(resolve));
                  log('works');
                }}
                runTask(() => {{
                  const awaited = {form};
                  runTask(async () => {{ await awaited; log('goes on'); }}, '{level}');
                }}, 'background');"
            );
            let shown = everywhere(&format!("awaited-{at}-{level}"), "priority", &source);
            assert_eq!(
                shown,
                format!("works {level}\ngoes on {level}\n"),
                "{name}, awaited at {level}"
            );
        }
    }
}

/// Who is `high` and awaits a task of its own does not wait for all that is more urgent than that; a level given by
/// others stays.
#[test]
fn prio_2_a_task_of_ones_own_is_promoted_by_who_is_high() {
    for (level, expected) in [("high", "high"), ("low", "background"), ("background", "background")]
    {
        let source = format!(
            "const {{ runTask, currentLevel }} = require('hemiola:tasks');
            runTask(async () => {{
              await new Promise((resolve) => runTask(() => {{ console.log('task', currentLevel()); resolve(); }}, 'background'));
              await scheduler.postTask(() => console.log('posted', currentLevel()), {{ priority: 'background' }});
              scheduler.postTask(() => console.log('not awaited', currentLevel()), {{ priority: 'background' }});
              console.log('goes on', currentLevel());
            }}, '{level}');"
        );
        let shown = everywhere(&format!("own-{level}"), "priority", &source);
        let goes_on = format!(
            "task {expected}\nposted {expected}\ngoes on {level}\nnot awaited background\n"
        );
        assert_eq!(shown, goes_on, "{level}");
    }
}

#[test]
fn prio_3_a_program_asks_what_its_callbacks_take() {
    let source = "
        const fs = require('fs');
        const { spend } = require('hemiola:clock');
        const { runTask, resourceEstimate } = require('hemiola:tasks');
        fs.writeFileSync('data', Buffer.alloc(1000));
        const read = () => { spend(1); };
        const work = () => { spend(2); fs.readFile('data', read); };
        console.log(resourceEstimate(work));
        runTask(work, 'low');
        setTimeout(() => {
          runTask(() => { spend(3); console.log(resourceEstimate()); }, 'low');
          console.log(JSON.stringify(resourceEstimate(work)), resourceEstimate(read).count);
          try { resourceEstimate(5); } catch (error) { console.log(error.code); }
        }, 50);";
    let shown = shown(&["simulate", "--strategy", "priority", "-e", source]);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "undefined");
    assert!(lines[1].starts_with("{\"count\":1,\"time\":{\"inclusive\":{\"mean\":3,\"stdev\":0},\"exclusive\":{\"mean\":2,\"stdev\":0}}"), "{shown}");
    assert!(lines[1].contains("\"disk\":{\"inclusive\":{\"mean\":1000,"), "{shown}");
    assert_eq!(
        lines[2..],
        ["ERR_INVALID_ARG_TYPE", "undefined"],
        "the running one has not ended yet"
    );
    let other = crate::common::hemiola(&folder())
        .args(["simulate", "-e", "console.log(require('hemiola:tasks').resourceEstimate())"])
        .output()
        .expect("the command can be started");
    assert_eq!(text(other.stdout), "undefined\n");
}
