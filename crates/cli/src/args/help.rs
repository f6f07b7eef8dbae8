//! What the help says beyond the list of flags.

pub(super) const EXIT_CODES: &str = "\
Exit codes:
    0  done; the property holds
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  the property is violated
  102  nothing found, but the search stopped early";

pub(super) const REPLAY_ABOUT: &str = "\
Run a recorded run again, exactly

The program gets the same answers at the same places: files, sockets, time, random numbers. Nothing
outside is touched; only what it prints is printed again. Its source is the recorded one.";

pub(super) const REPLAY_EXAMPLES: &str = "\
Examples:
  hemiola run --record app.js
  hemiola replay
  hemiola replay 7f3a
  hemiola replay --trace trace.jsonl

Exit codes:
    the program's own
  101  the program asked for something else than was recorded
  103  the recording is damaged, or of a newer version";

pub(super) const RUN_ABOUT: &str = "\
Run a JavaScript program

Runs an ES module or a CommonJS module on the machine, in real time, in the order of Node's event loop.
In the program's own modules the third argument of setTimeout and setInterval names a logical clock.";

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  hemiola run app.js --port 80
  hemiola run -e \"setInterval(() => console.log('tick'), 1000, 'A')\"

Exit codes:
    0  the program ended; otherwise its own code, as in Node
    2  the command line is wrong
   70  a bug in hemiola
  101  a bug in hemiola that --paranoid has found";

pub(super) const SIMULATE_ABOUT: &str = "\
Run a JavaScript program in virtual time, without waiting

Time jumps to whatever is due next. Wall clocks start with the year 2024, and random numbers follow
from the seed: two runs with the same seed show the same.";

pub(super) const SIMULATE_EXAMPLES: &str = "\
Examples:
  hemiola simulate app.js
  hemiola simulate --until 1h --seed 7 app.js
  hemiola simulate --faults fs,net --seed 7 app.js

Exit codes:
    0  the program ended, or the time was up; otherwise its own code, as in Node
    2  the command line is wrong
   70  a bug in hemiola
  101  a bug in hemiola that --paranoid has found";

pub(super) const EXPLORE_ABOUT: &str = "\
Run a JavaScript program in every order that the event loop allows

The program is run again and again in a world of its own: answers of files and connections may come in
any order, and time may pass before any of them. First come the schedules with few deviations from the
default order; when the budget is spent, random ones. The outcomes are listed, each with a schedule
that leads to it. A run that ends with an error or another exit code than 0 has failed: its schedule is
made as small as possible, and told in words.";

pub(super) const RACES_ABOUT: &str = "\
Find accesses of a JavaScript program that come in either order

A race is two accesses to one variable, property, collection, list of listeners or file, of which one
writes, that nothing orders: not who registered whom, not what the event loop promises. Each one is
shown with both places, and who led there. The program is run in many orders, and a race is called
harmful if it ends or shows something else when the two come the other way round; else it is benign.";

pub(super) const RACES_EXAMPLES: &str = "\
Examples:
  hemiola races app.js
  hemiola races --skip '**/node_modules/**' app.js
  hemiola races --format json app.js

Exit codes:
    0  no race does harm
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  a race does harm
  102  none does in the schedules that were tried, but the search stopped early";

pub(super) const EXPLORE_EXAMPLES: &str = "\
Examples:
  hemiola explore app.js
  hemiola explore --deviations 2 --time 60s app.js
  hemiola explore --faults fs --format json app.js
  hemiola explore --crashes --until 10m tasks.js

Exit codes:
    0  no schedule fails, of all or of those with --deviations; no crash does
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  a schedule fails, or what comes after a crash
  102  none that was tried fails, but the search stopped early";

pub(super) const MACHINE_ABOUT: &str = "\
List everything that a program in L can show

Follows every execution of the program, up to the bounds, and lists the observation sequences of
those that end (traces), that a bound cuts (cut) and that cannot go on (stuck), and the callbacks
that starve in a queue before a cut.";

pub(super) const MACHINE_EXAMPLES: &str = "\
Examples:
  hemiola machine nt.l
  hemiola machine nt.l --mode lexical --values d,e --external click=2
  hemiola machine nt.l --schedule 2:1
  echo 'obs(a); obs(b)' | hemiola machine - --format json

Exit codes:
    0  done
    2  the command line or the input is wrong
   70  a bug in hemiola
  102  --max-states or --max-traces left something out";

pub(super) const LASYNC_ABOUT: &str = "\
List everything that a program in λasync can show

Follows every execution that the strategy allows, up to the bounds, and lists the observation
sequences of those that end (traces) and that a bound cuts (cut), and the callbacks that starve in a
queue before a cut.";

pub(super) const LASYNC_EXAMPLES: &str = "\
Examples:
  hemiola lasync order.la
  hemiola lasync order.la --strategy all --max-callbacks 20
  hemiola lasync order.la --schedule 0:1
  echo 'immediate f { log b }; log a' | hemiola lasync - --format json

Exit codes:
    0  done
    2  the command line or the input is wrong
   70  a bug in hemiola
  102  --max-states or --max-traces left something out";

pub(super) const CHECK_ABOUT: &str = "\
Hold every execution of a program to a property

The property is a regular expression over observations: `e f`, `e | f`, `e*`, `e+`, `e?`, `(e)`, `.`
for any observation, `^x` to bind x to one, `\"a text\"` in quotes. A run conforms as long as it can
still become a word of the language; a `$` at the end demands whole words.

The extension of the file decides the language. A violation is shown as the shortest execution, with
the command that runs it again.";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  hemiola check nt.l --spec 'a (b c | c b)'
  hemiola check order.la --spec '(open ^file close file)* $' --strategy node
  hemiola check nt.l --spec 'a .* $' --format json

Exit codes:
    0  every execution conforms, up to the bounds that were given
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  an execution violates the property
  102  no violation found, but --max-states or a default bound cut the search";

pub(super) const VERIFY_ABOUT: &str = "\
Hold a trace of a scheduler to its theory

Says of every axiom whether the trace violates it, whether it holds, or what it still waits for, and
whose fault the first violation is. The theory is that of declarative schedulers, unless --theory names
another; docs/scheduler.md describes it and the form of traces. What run --trace writes is a trace, too;
those of processes that followed each other are joined.";

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  hemiola verify trace.json
  hemiola verify trace.json --b 500 --format json
  hemiola verify trace.json --theory my.theory
  hemiola verify before.jsonl after.jsonl

Exit codes:
    0  nothing is violated
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  an axiom is violated";

pub(super) const CRON_ABOUT: &str = "\
Say when a cron expression is due

An expression has five fields: minute, hour, day of the month, month, day of the week, each `*`, a
number, a range, or a list of these, perhaps with a step. When both days are restricted, one of them is
enough. The clock is that of a time zone of the bundled database.";

pub(super) const CRON_EXAMPLES: &str = "\
Examples:
  hemiola cron next '0 3 * * *'
  hemiola cron next '30 2 * * *' --zone America/New_York --from 2024-03-09 -n 3 --dst once
  hemiola cron explain '0 9-17 * * mon-fri'";
