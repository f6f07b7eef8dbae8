//! What a loss of power leaves of files (rule FLEET-5).

use crate::empty::Empty;
use hemiola_gate::files::{At, Errno, Stat, Tree, open};
use hemiola_world::Overlay;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Files over nothing but a root.
fn disk() -> Overlay {
    Overlay::new(Arc::new(Empty)).mortal()
}

fn at(path: &str) -> At<'_> {
    At::anywhere(Path::new(path))
}

const NEW: i32 = open::CREATE | open::WRITE;

fn content(disk: &Overlay, path: &str) -> Option<String> {
    let fd = match disk.open(at(path), 0, 0) {
        Err(Errno::NOENT) => return None,
        opened => opened.expect("it can be opened"),
    };
    let bytes = disk.read(fd, 1000, None).expect("it can be read");
    disk.close(fd).expect("it can be closed");
    Some(String::from_utf8(bytes).expect("text"))
}

/// All that can be left of a file by a hundred seeds.
fn left(path: &str, act: impl Fn(&Overlay)) -> BTreeSet<Option<String>> {
    (0..100)
        .map(|seed| {
            let disk = disk();
            act(&disk);
            disk.lose_power(seed);
            let first = content(&disk, path);
            disk.lose_power(seed + 1);
            assert_eq!(content(&disk, path), first, "what is left lasts");
            first
        })
        .collect()
}

fn some(texts: &[&str]) -> BTreeSet<Option<String>> {
    texts.iter().map(|text| Some((*text).to_owned())).collect()
}

#[test]
fn what_was_synced_lasts_and_of_the_rest_a_prefix() {
    let synced = left("/a", |disk| {
        let fd = disk.open(at("/a"), NEW, 0o644).expect("a file");
        disk.write(fd, b"one", None).expect("it is written");
        disk.sync(fd, true).expect("it is synced");
    });
    assert_eq!(synced, some(&["one"]));
    let half = left("/a", |disk| {
        let fd = disk.open(at("/a"), NEW, 0o644).expect("a file");
        disk.write(fd, b"one", None).expect("it is written");
        disk.sync(fd, false).expect("it is synced");
        disk.write(fd, b"ab", None).expect("it is written");
        disk.write(fd, b"X", Some(0)).expect("it is written");
    });
    assert_eq!(half, some(&["one", "onea", "oneab", "Xneab"]));
    let flagged = left("/a", |disk| {
        let fd = disk.open(at("/a"), NEW | open::DATA_SYNC, 0o644).expect("a file");
        disk.write(fd, b"one", None).expect("it is written");
    });
    assert_eq!(flagged, some(&["one"]));
    let truncated = left("/a", |disk| {
        let fd = disk.open(at("/a"), NEW, 0o644).expect("a file");
        disk.write(fd, b"old", None).expect("it is written");
        disk.sync(fd, false).expect("it is synced");
        disk.open(at("/a"), NEW | open::TRUNCATE, 0o644).expect("a file");
        disk.write(fd, b"n", Some(0)).expect("it is written");
    });
    assert_eq!(truncated, some(&["old", "", "n"]));
}

#[test]
fn names_last_if_they_were_synced() {
    let new = left("/a", |disk| {
        disk.open(at("/a"), NEW, 0o644).expect("a file");
    });
    assert_eq!(new, BTreeSet::from([None, Some(String::new())]));
    let replace = |disk: &Overlay, syncs_directory: bool| {
        let fd = disk.open(at("/a"), NEW, 0o644).expect("a file");
        disk.write(fd, b"old", None).expect("it is written");
        disk.sync(fd, false).expect("it is synced");
        let fd = disk.open(at("/b"), NEW, 0o644).expect("a file");
        disk.write(fd, b"new", None).expect("it is written");
        disk.sync(fd, false).expect("it is synced");
        disk.rename(at("/b"), at("/a")).expect("it is renamed");
        if syncs_directory {
            let root = disk.open(at("/"), 0, 0).expect("the root");
            disk.sync(root, false).expect("it is synced");
        }
    };
    assert_eq!(left("/a", |disk| replace(disk, false)), some(&["old", "new"]));
    assert_eq!(left("/a", |disk| replace(disk, true)), some(&["new"]));
    let deep = left("/d/e/a", |disk| {
        disk.mkdir(at("/d"), 0o755).expect("a directory");
        disk.mkdir(at("/d/e"), 0o755).expect("a directory");
        let fd = disk.open(at("/d/e/a"), NEW, 0o644).expect("a file");
        disk.sync(fd, false).expect("it is synced");
    });
    assert_eq!(deep, some(&[""]));
    let unlinked = left("/a", |disk| {
        let fd = disk.open(at("/a"), NEW, 0o644).expect("a file");
        disk.write(fd, b"old", None).expect("it is written");
        disk.sync(fd, false).expect("it is synced");
        disk.close(fd).expect("it is closed");
        disk.unlink(at("/a")).expect("it is unlinked");
    });
    assert_eq!(unlinked, BTreeSet::from([None, Some("old".into())]));
}

#[test]
fn links_are_counted_again() {
    let disk = disk();
    let fd = disk.open(at("/a"), NEW, 0o644).expect("a file");
    disk.sync(fd, false).expect("it is synced");
    for seed in 0..20 {
        disk.link(at("/a"), at("/b")).expect("it is linked");
        disk.lose_power(seed);
        let count = if content(&disk, "/b").is_some() { 2 } else { 1 };
        let Stat { links, .. } = disk.stat(at("/a"), true).expect("it is there");
        assert_eq!(links, count);
        if count == 2 {
            disk.unlink(at("/b")).expect("it is unlinked");
            let root = disk.open(at("/"), 0, 0).expect("the root");
            disk.sync(root, false).expect("it is synced");
        }
    }
}
