//! Damage to stores: what is opened holds what it held, and what is refused is left as it is.

use super::schema::{APPLICATION, make};
use super::{LINKED, Store, Stores};
use hemiola_gate::files::Links;
use hemiola_gate::{Datum, StoreCall};
use rusqlite::{Connection, params};
use std::fs;
use std::path::{Path, PathBuf};

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("it can be made");
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}

fn words<const N: usize>(words: [&str; N]) -> Datum {
    Datum::List(words.map(|word| Datum::Text(word.to_owned())).into())
}

/// The commits of a scheduler with many tasks.
fn fill(store: &mut Store, numbers: &mut Numbers) {
    for round in 0..8 {
        let mut changes = Vec::new();
        for task in 0..30 {
            let id = format!("task {task}");
            let state = format!("{{\"since\":{},\"round\":{round}}}", numbers.below(1 << 40));
            changes.push(words(["task", &id, &state]));
            let (start, end) = (Datum::Number(1e12 + task as f64), Datum::Number(1.1e12));
            let error =
                if task % 3 == 0 { Datum::Text("it failed".into()) } else { Datum::Undefined };
            let run = vec![
                Datum::Text("run".into()),
                Datum::Text(id),
                start,
                end,
                error,
                Datum::Undefined,
            ];
            changes.push(Datum::List(run));
        }
        changes.push(words(["forget", &format!("task {}", 20 + round % 3)]));
        store.commit(&changes, 5.0).expect("it can be written");
    }
}

/// What a store holds, or the code of why it is refused.
fn content(path: &Path) -> Result<Vec<Datum>, String> {
    let (store, tasks) =
        Store::open(text(path), Links::Followed).map_err(|fault| fault.code.to_string())?;
    let runs = (0..30).map(|task| store.runs(&format!("task {task}"), 1e9).expect("it is read"));
    Ok([Datum::List(tasks)].into_iter().chain(runs).collect())
}

/// Changes something somewhere.
fn damage(bytes: &mut Vec<u8>, numbers: &mut Numbers) -> String {
    let at = match numbers.below(4) {
        // The header has more to say than any other place.
        0 => numbers.below(bytes.len().min(100)),
        _ => numbers.below(bytes.len()),
    };
    match numbers.below(8) {
        0 => {
            let length = 1 + numbers.below(64).min(bytes.len() - at - 1);
            bytes[at..at + length].iter_mut().for_each(|byte| *byte = numbers.below(256) as u8);
            format!("{length} bytes at {at}")
        }
        1 => {
            let page = at / 4096 * 4096;
            let end = (page + 4096).min(bytes.len());
            bytes[page..end].fill(0);
            format!("no page at {page}")
        }
        2 => {
            bytes.truncate(at.max(1));
            format!("cut at {at}")
        }
        3 => {
            let other = numbers.below(bytes.len()) / 4096 * 4096;
            let page = at / 4096 * 4096;
            for offset in 0..4096.min(bytes.len() - page.max(other)) {
                bytes.swap(page + offset, other + offset);
            }
            format!("pages at {page} and {other}")
        }
        _ => {
            bytes[at] ^= 1 << numbers.below(8);
            format!("a bit at {at}")
        }
    }
}

#[test]
fn damaged_stores_are_opened_with_what_they_held_or_refused_and_left_as_they_are() {
    let folder = folder("damaged-stores");
    let path = folder.join("tasks.db");
    let mut numbers = Numbers(0x5704_ed00);
    fill(&mut Store::open(text(&path), Links::Followed).expect("a new store").0, &mut numbers);
    let whole = fs::read(&path).expect("it is there");
    let held = content(&path).expect("it is whole");
    let (mut refused, mut opened) = (0, 0);
    for number in 0..600 {
        let mut bytes = whole.clone();
        let what = damage(&mut bytes, &mut numbers);
        fs::write(&path, &bytes).expect("it can be written");
        match content(&path) {
            Ok(found) => {
                opened += 1;
                assert_eq!(found, held, "{number}: {what}");
            }
            Err(code) => {
                refused += 1;
                assert!(code.starts_with("ERR_STORE_"), "{number}: {what}: {code}");
                assert!(fs::read(&path).expect("it is there") == bytes, "{number}: {what}");
                let files = fs::read_dir(&folder).expect("it is there").count();
                assert_eq!(files, 1, "{number}: {what}: something is beside it");
            }
        }
        for beside in ["tasks.db-wal", "tasks.db-shm", "tasks.db-journal"] {
            let _ = fs::remove_file(folder.join(beside));
        }
    }
    assert!(refused > 300 && opened > 20, "{refused} refused, {opened} opened");
}

#[test]
fn damaged_logs_of_killed_processes_are_refused_and_left_as_they_are() {
    let folder = folder("damaged-logs");
    let (path, log) = (folder.join("tasks.db"), folder.join("tasks.db-wal"));
    let mut numbers = Numbers(0x5704_ed01);
    let mut store = Store::open(text(&path), Links::Followed).expect("a new store").0;
    fill(&mut store, &mut numbers);
    // What a process leaves that is killed now.
    let (whole, whole_log) = (fs::read(&path).expect("a file"), fs::read(&log).expect("a log"));
    drop(store);
    let put = |bytes: &[u8], log_bytes: &[u8]| {
        fs::write(&path, bytes).expect("it can be written");
        fs::write(&log, log_bytes).expect("it can be written");
    };
    put(&whole, &whole_log);
    let held = content(&path).expect("it is whole");
    let mut refused = 0;
    for number in 0..200 {
        let mut bytes = whole_log.clone();
        let at = numbers.below(bytes.len());
        bytes[at] ^= 1 << numbers.below(8);
        put(&whole, &bytes);
        match content(&path) {
            Ok(found) => assert_eq!(found, held, "{number}: a bit at {at}"),
            Err(code) => {
                refused += 1;
                assert_eq!(code, "ERR_STORE_DAMAGED", "{number}: a bit at {at}");
                assert!(fs::read(&path).expect("it is there") == whole, "{number}: {at}");
                assert!(fs::read(&log).expect("it is there") == bytes, "{number}: {at}");
            }
        }
    }
    assert!(refused > 150, "{refused} refused");
    // The torn end of a commit that nobody was told of is none.
    put(&whole, &whole_log[..whole_log.len() - 5000]);
    let found = content(&path).expect("it is used up to its last whole commit");
    assert_ne!(found, held);
    // Nor is a commit whose page was not written any more, over what an earlier log has left.
    let frame = 24 + u32::from_be_bytes(whole_log[8..12].try_into().expect("four bytes")) as usize;
    let (last, mut earlier) = (whole_log.len() - frame, whole_log[32..32 + frame].to_vec());
    earlier[8..16].fill(0xab);
    let mut torn = whole_log[..last + 24].to_vec();
    torn.resize(whole_log.len(), 0);
    torn.extend(&earlier);
    put(&whole, &torn);
    assert_eq!(content(&path).expect("it is used up to its last whole commit"), found);
    // But behind it there is none that was durable.
    torn.splice(last.., [&vec![0; frame], &whole_log[last..]].concat());
    torn[last..last + 24].copy_from_slice(&whole_log[last..last + 24]);
    put(&whole, &torn);
    assert_eq!(content(&path), Err("ERR_STORE_DAMAGED".into()));
}

/// A store from before rows had sums.
fn old(path: &Path) -> Connection {
    let connection = Connection::open(path).expect("a database");
    connection.pragma_update(None, "journal_mode", "WAL").expect("it has a log");
    make(&connection, 1).expect("tables");
    connection.pragma_update(None, "application_id", APPLICATION).expect("a store");
    connection.pragma_update(None, "user_version", 1).expect("a version");
    connection.execute("INSERT INTO tasks VALUES ('a', '{}')", ()).expect("a row");
    let run = "INSERT INTO runs (task, start, end, error) VALUES ('a', 1, 2, ?1)";
    connection.execute(run, params!["it failed"]).expect("a row");
    connection
}

#[test]
fn older_stores_are_migrated_with_the_first_commit_and_not_before() {
    let path = folder("older-stores").join("tasks.db");
    drop(old(&path));
    let before = fs::read(&path).expect("it is there");
    let (store, tasks) = Store::open(text(&path), Links::Followed).expect("an older store");
    assert_eq!((tasks, store.version), (vec![words(["a", "{}"])], 1));
    drop(store);
    assert!(fs::read(&path).expect("it is there") == before, "it was only read");
    let (mut store, _) = Store::open(text(&path), Links::Followed).expect("an older store");
    store.commit(&[words(["task", "b", "{}"])], 5.0).expect("it can be written");
    drop(store);
    let (store, tasks) =
        Store::open(text(&path), Links::Followed).expect("a store of this version");
    assert_eq!((tasks, store.version), (vec![words(["a", "{}"]), words(["b", "{}"])], 3));
    let error = Datum::Text("it failed".into());
    let run = [Datum::Number(1.0), Datum::Number(2.0), error, Datum::Undefined];
    let runs = Datum::List(vec![Datum::List(run.into())]);
    assert_eq!(store.runs("a", 9.0), Ok(runs));
}

#[test]
fn who_holds_a_store_is_told_from_damage_and_a_store_of_nobody_is_a_new_one() {
    let folder = folder("held-stores");
    let path = folder.join("tasks.db");
    let (store, _) = Store::open(text(&path), Links::Followed).expect("a new store");
    assert_eq!(content(&path), Err("ERR_STORE_LOCKED".into()));
    drop(store);
    // A process that was killed while it made one.
    let blank = folder.join("blank.db");
    let connection = Connection::open(&blank).expect("a database");
    connection.pragma_update(None, "journal_mode", "WAL").expect("it has a log");
    drop(connection);
    assert!(fs::metadata(&blank).expect("it is there").len() > 0);
    assert!(Store::open(text(&blank), Links::Followed).is_ok());
    // A database of others is left with what is beside it.
    let foreign = folder.join("foreign.db");
    let connection = Connection::open(&foreign).expect("a database");
    connection.execute_batch("CREATE TABLE t (x)").expect("a table");
    drop(connection);
    let before = fs::read(&foreign).expect("it is there");
    assert_eq!(content(&foreign), Err("ERR_STORE_FOREIGN".into()));
    assert!(fs::read(&foreign).expect("it is there") == before);
    let stores = Stores::default();
    assert!(stores.perform(&StoreCall::Close { store: 7 }).is_ok());
}

#[test]
fn a_store_is_not_opened_over_a_link_where_none_may_be_followed() {
    let folder = folder("linked-stores").canonicalize().expect("it is there");
    fs::create_dir_all(folder.join("way")).expect("a directory can be made");
    for (target, link) in [("way", "link"), ("way/tasks.db", "last")] {
        std::os::unix::fs::symlink(target, folder.join(link)).expect("a link can be made");
    }
    for linked in ["link/tasks.db", "last"] {
        let opened = Store::open(text(&folder.join(linked)), Links::Refused);
        let fault = opened.err().expect("a link is in the way");
        assert_eq!(&*fault.code, LINKED, "{linked}");
        assert!(!folder.join("way/tasks.db").exists(), "nothing was made there");
    }
    let opened = Store::open(text(&folder.join("way/tasks.db")), Links::Refused);
    assert!(opened.is_ok(), "no link is in the way");
    drop(opened);
    assert!(
        Store::open(text(&folder.join("last")), Links::Followed).is_ok(),
        "links may be followed"
    );
}
