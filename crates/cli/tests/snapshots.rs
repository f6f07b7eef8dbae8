//! Help, errors and results, word by word.

use crate::common::session;

/// Two operations, answered in either order.
const TWO: (&str, &str) =
    ("two.l", "let f = \\. obs(b), g = \\. obs(c) in\nobs(a); call(read, f); call(write, g)\n");

/// A callback that never lets another one run.
const LOOP: (&str, &str) =
    ("loop.l", "let f = \\. obs(x); nexttick(f), g = \\. obs(never) in\nsetimmediate(g); f()\n");

/// Draws values, and gets stuck on one of them.
const DRAW: (&str, &str) = ("draw.l", "let f = \\x. obs(x); obs(x + 1) in\nobs(start); f(any)\n");

/// Waits for an event from outside.
const CLICK: (&str, &str) = ("click.l", "let f = \\. obs(hit) in reg(click, [f])\n");

/// The order that everybody asks about.
const ORDER: (&str, &str) = (
    "order.la",
    "log main\ntimeout 0 t { log timeout }\nimmediate i { log immediate }\nnextTick n { log tick }\n",
);

/// Turns without end.
const TURNS: (&str, &str) = ("turns.la", "def f { log \"a turn\"; immediate f }\ncall f\n");

#[test]
fn help() {
    session(
        "help",
        &[],
        &[
            "hemiola",
            "hemiola -h",
            "hemiola --help",
            "hemiola --version",
            "hemiola machine -h",
            "hemiola machine --help",
            "hemiola lasync -h",
            "hemiola lasync --help",
            "hemiola check -h",
            "hemiola check --help",
        ],
    );
}

#[test]
fn usage() {
    session(
        "usage",
        &[TWO, ORDER],
        &[
            "hemiola machin two.l",
            "hemiola machine",
            "hemiola machine two.l --max-observations 5",
            "hemiola machine two.l --max-obs",
            "hemiola machine two.l --max-obs 0",
            "hemiola machine two.l --max-calls -1",
            "hemiola machine two.l --max-dispatch 10001",
            "hemiola machine two.l --starve-window many",
            "hemiola machine two.l --max-states 100000001",
            "hemiola machine two.l --max-traces 1000001",
            "hemiola machine two.l --mode lexcial",
            "hemiola machine two.l --values ''",
            "hemiola machine two.l --values d,,e",
            "hemiola machine two.l --values d,7,07",
            "hemiola machine two.l --values a-b",
            "hemiola machine two.l --external click",
            "hemiola machine two.l --external 1=1",
            "hemiola machine two.l --external click=0",
            "hemiola machine two.l --external click=1 --external click=2",
            "hemiola machine two.l --schedule 1:0",
            "hemiola machine two.l --format xml",
            "hemiola machine two.l --color mauve",
            "hemiola machine two.l --strategy node",
            "hemiola lasync order.la --strategy nodes",
            "hemiola lasync order.la --strategy machine",
            "hemiola lasync order.la --max-ticks 0",
            "hemiola check two.l",
            "hemiola check two.l --spec a --strategy node",
            "hemiola check two.l --spec a --max-logs 5",
            "hemiola check order.la --spec a --max-obs 5",
            "hemiola check order.la --spec a --external click=1",
            "hemiola check two.l --spec a --schedule 0:1",
            "hemiola check two.txt --spec a",
            "hemiola check two --spec a",
            "hemiola check - --spec a",
        ],
    );
}

#[test]
fn sources() {
    session(
        "sources",
        &[
            ORDER,
            ("broken.l", "# λ is one column\nlet λ = 1 in obs(λ\n"),
            ("typo.l", "let first = \\. obs(a) in\n\tnexttick(frist)\n"),
            ("typo.la", "log a\nimmedate f { log b }\n"),
            ("empty.l", ""),
            TWO,
        ],
        &[
            "hemiola machine broken.l",
            "hemiola machine typo.l",
            "hemiola machine typo.l --format json",
            "hemiola lasync typo.la",
            "hemiola check typo.la --spec 'a b'",
            "hemiola lasync order.la --strategy edge",
            "hemiola check two.l --spec 'a ((b | c)'",
            "hemiola check two.l --spec 'a $ b'",
            "hemiola check two.l --spec ''",
            "hemiola machine empty.l",
            "hemiola machine nothing.l",
            "hemiola machine .",
            "printf 'obs(\\377)' | hemiola machine -",
            "printf 'obs(' | hemiola machine -",
            "hemiola machine /dev/zero",
        ],
    );
}

#[test]
fn listings() {
    session(
        "listings",
        &[TWO, LOOP, DRAW, CLICK, ORDER, TURNS],
        &[
            "hemiola machine two.l",
            "hemiola machine two.l --format json",
            "hemiola machine two.l --max-obs 2",
            "hemiola machine two.l --max-obs 2 --format json",
            "hemiola machine two.l --max-traces 1",
            "hemiola machine two.l --max-traces 1 --format json",
            "hemiola machine two.l --max-states 3",
            "hemiola machine loop.l --max-dispatch 9",
            "hemiola machine loop.l --max-dispatch 9 --format json",
            "hemiola machine loop.l --max-dispatch 9 --starve-window 10",
            "hemiola machine loop.l --format json",
            "hemiola machine loop.l",
            "hemiola machine loop.l --max-obs 99",
            "hemiola machine draw.l --values d,1,-1",
            "hemiola machine draw.l --values=-1,d --format json",
            "hemiola machine click.l --external click=2",
            "hemiola lasync order.la",
            "hemiola lasync order.la --format json",
            "hemiola lasync order.la --strategy all",
            "hemiola lasync turns.la --max-logs 2",
            "hemiola lasync turns.la --max-ticks 3 --format json",
            "echo 'nextTick f { log b }; log 1' | hemiola lasync -",
            "echo 'obs(1)' | hemiola machine - --format json",
        ],
    );
}

#[test]
fn schedules() {
    session(
        "schedules",
        &[TWO, LOOP, DRAW, ORDER],
        &[
            "hemiola machine two.l --schedule default",
            "hemiola machine two.l --schedule 0:1",
            "hemiola machine two.l --schedule 0:1 --format json",
            "hemiola machine two.l --schedule 0:2",
            "hemiola machine two.l --schedule 0:1,7:1",
            "hemiola machine loop.l --schedule default --max-dispatch 1",
            "hemiola machine loop.l --schedule default --max-dispatch 1 --format json",
            "hemiola machine draw.l --schedule default --format json",
            "hemiola machine draw.l --schedule default",
            "hemiola lasync order.la --schedule default",
        ],
    );
}

#[test]
fn verdicts() {
    session(
        "verdicts",
        &[TWO, LOOP, DRAW, ORDER, ("it's two.l", TWO.1), ("-dash.l", TWO.1)],
        &[
            "hemiola check two.l --spec 'a (b c | c b)'",
            "hemiola check two.l --spec 'a (b c | c b)' --format json",
            "hemiola check two.l --spec 'a b c'",
            "hemiola check two.l --spec 'a b c' --format json",
            "hemiola check two.l --spec 'a ^x x'",
            "hemiola check two.l --spec 'a . . . $'",
            "hemiola check two.l --spec '' --max-calls 7",
            "hemiola check \"it's two.l\" --spec 'a b c' --values \"d,x'\" --max-obs 5 --max-calls 99",
            "hemiola check --spec 'a b c' -- -dash.l",
            "hemiola check two.l --spec 'a b' --max-obs 2 --max-states 50",
            "hemiola check loop.l --spec 'x*'",
            "hemiola check loop.l --spec 'x*' --format json",
            "hemiola check loop.l --spec 'x*' --max-obs 99",
            "hemiola check loop.l --spec 'x*' --max-states 5",
            "hemiola check loop.l --spec 'x x' --max-states 5 --max-dispatch 4",
            "hemiola check draw.l --spec 'start d $'",
            "hemiola check draw.l --spec '-3 4'",
            "hemiola check order.la --spec 'main tick timeout immediate'",
            "hemiola check order.la --spec 'main tick . . $' --strategy node",
            "hemiola check order.la --spec 'main tick timeout immediate' --strategy node --format json",
        ],
    );
}
