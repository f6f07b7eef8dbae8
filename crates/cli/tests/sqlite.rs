//! node:sqlite, which Node 20 does not have: what it does follows the documentation of Node 22.

use crate::common::{directory, hemiola, text};
use std::process::Output;

const PROGRAM: &str = "
    const { DatabaseSync } = require('node:sqlite');
    const attempt = (act) => { try { return act(); } catch (error) { return [error.name, error.code, error.errcode, error.message].join(' | '); } };
    const db = new DatabaseSync('data.db');
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, size REAL, data BLOB)');
    const insert = db.prepare('INSERT INTO t (name, size, data) VALUES (?, ?, ?)');
    console.log(insert.run('a', 1.5, new Uint8Array([1, 2])), insert.run('b', null, null));
    const named = db.prepare('INSERT INTO t (id, name) VALUES ($id, :name)');
    console.log(named.run({ id: 10n, ':name': 'c' }), named.expandedSQL);
    console.log(db.prepare('SELECT * FROM t').all());
    console.log(db.prepare('SELECT name FROM t WHERE id = ?').get(2), db.prepare('SELECT 1 WHERE 0').get());
    const all = db.prepare('SELECT id FROM t');
    all.setReturnArrays(true);
    all.setReadBigInts(true);
    console.log([...all.iterate()], all.sourceSQL);
    console.log(attempt(() => db.exec('nonsense')));
    console.log(attempt(() => db.prepare('INSERT INTO t (id) VALUES (1)').run()));
    console.log(attempt(() => named.run({ other: 1 })));
    console.log(attempt(() => insert.run({})), attempt(() => insert.run(1, 2, 3, 4)));
    console.log(attempt(() => db.prepare('SELECT 9007199254740993 AS big').get()));
    console.log(attempt(() => db.exec(\"ATTACH 'other.db' AS other\")));
    db.exec('BEGIN');
    console.log(db.isTransaction, db.location().endsWith('/data.db'));
    db.exec('ROLLBACK; VACUUM');
    db.close();
    console.log(db.isOpen, attempt(() => db.exec('SELECT 1')), attempt(() => insert.run()));
    const memory = new DatabaseSync(':memory:', { open: false });
    memory.open();
    console.log(memory.location(), memory.prepare('SELECT ?1 + ?2 AS sum').get(), attempt(() => memory.function('f', () => 1)));
";

const EXPECTED: &str = "\
{ lastInsertRowid: 1, changes: 1 } { lastInsertRowid: 2, changes: 1 }
{ lastInsertRowid: 10, changes: 1 } INSERT INTO t (id, name) VALUES (10, 'c')
[
  [Object: null prototype] {
    id: 1,
    name: 'a',
    size: 1.5,
    data: Uint8Array(2) [ 1, 2 ]
  },
  [Object: null prototype] { id: 2, name: 'b', size: null, data: null },
  [Object: null prototype] {
    id: 10,
    name: 'c',
    size: null,
    data: null
  }
]
[Object: null prototype] { name: 'b' } undefined
[ [ 1n ], [ 2n ], [ 10n ] ] SELECT id FROM t
Error | ERR_SQLITE_ERROR | 1 | near \"nonsense\": syntax error
Error | ERR_SQLITE_ERROR | 1555 | UNIQUE constraint failed: t.id
Error | ERR_INVALID_STATE |  | Invalid state: Unknown named parameter 'other'
{ lastInsertRowid: 11, changes: 1 } Error | ERR_SQLITE_ERROR | 25 | column index out of range
RangeError | ERR_OUT_OF_RANGE |  | Value is too large to be represented as a JavaScript number: 9007199254740993
Error | ERR_SQLITE_ERROR | 23 | not authorized
true true
false Error | ERR_INVALID_STATE |  | Invalid state: database is not open Error | ERR_INVALID_STATE |  | Invalid state: statement has been finalized
null [Object: null prototype] { sum: null } Error | ERR_METHOD_NOT_IMPLEMENTED |  | The DatabaseSync.prototype.function() method is not implemented
";

#[test]
fn databases_are_used_and_replayed() {
    let root = directory("sqlite", &[("main.js", PROGRAM)]);
    let ran = |words: &[&str]| -> Output {
        let mut command = hemiola(&root);
        command.env("HEMIOLA_RUNS", root.join("runs")).args(words);
        command.output().expect("the command can be started")
    };
    let output = ran(&["run", "--record", "main.js"]);
    assert_eq!(text(output.stdout), EXPECTED);
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr));
    // What the database holds by now does not matter.
    let output = ran(&["replay"]);
    assert_eq!(text(output.stdout), EXPECTED, "{}", text(output.stderr));
}

#[test]
fn databases_need_permissions_and_the_outside() {
    let root = directory("sqlite-denied", &[]);
    let source = "try { new (require('node:sqlite').DatabaseSync)('data.db'); console.log('opened'); } \
                  catch (error) { console.log(error.code, error.message); }";
    let said = |words: &[&str]| {
        let output = hemiola(&root).args(words).args(["-e", source]).output();
        text(output.expect("the command can be started").stdout)
    };
    assert!(said(&["run", "--permission", "--allow-read=/"]).starts_with("ERR_ACCESS_DENIED "));
    let here = root.canonicalize().expect("it is there").display().to_string();
    let allowed = [format!("--allow-read={here}"), format!("--allow-write={here}")];
    assert_eq!(said(&["run", "--permission", &allowed[0], &allowed[1]]), "opened\n");
    let simulated =
        "ENOSYS databases of node:sqlite are not simulated: use them with hemiola run\n";
    assert_eq!(said(&["simulate"]), simulated);
}
