//! Programs that may use only a part of a tree, and links that change between the check and the use.

use hemiola_gate::files::{Tree, open, perform};
use hemiola_gate::{
    Answer, Aside, Datum, Fault, FilePath, FileRef, FsCall, Grant, Known, Permissions, Request,
    Trailing,
};
use std::path::{Path, PathBuf};

/// A tree with a part that the program may use, `inside`, and one that it may not.
struct Place<'a> {
    tree: &'a dyn Tree,
    root: PathBuf,
}

const NEW: i32 = open::WRITE | open::CREATE | open::TRUNCATE;

impl Place<'_> {
    fn at(&self, name: &str) -> FilePath {
        FilePath::from(self.root.join(name).as_path())
    }

    /// Does something as whoever may do everything.
    fn free(&self, call: FsCall) -> Datum {
        perform(self.tree, &call).unwrap_or_else(|fault| panic!("{call:?}: {fault:?}"))
    }

    fn write(&self, name: &str, text: &str) {
        let (file, bytes) = (FileRef::Path(self.at(name)), text.into());
        self.free(FsCall::WriteFile {
            file,
            flags: NEW,
            mode: 0o644,
            bytes,
            flush: false,
            for_promise: Aside(false),
        });
    }

    fn read(&self, name: &str) -> Datum {
        self.free(read(self.at(name)))
    }

    fn mkdir(&self, name: &str) {
        self.free(FsCall::Mkdirs { path: self.at(name), mode: 0o755 });
    }

    fn link(&self, target: &str, name: &str) {
        self.free(FsCall::Symlink { target: self.at(target), path: self.at(name) });
    }

    fn rename(&self, from: &str, to: &str) {
        self.free(FsCall::Rename { from: self.at(from), to: self.at(to) });
    }

    /// The call, as it goes to a world once it was checked.
    fn check(&self, call: FsCall) -> Result<FsCall, Fault> {
        let inside = || Grant::Under(vec![self.root.join("inside")]);
        let permissions = Permissions { read: inside(), write: inside(), ..Permissions::default() };
        let mut ask = |asked: hemiola_gate::Checked| match asked.into_request() {
            Request::Fs(call) => perform(self.tree, &call),
            other => panic!("{} is not about files", other.name()),
        };
        let checked = permissions.check(&Known::default(), call.into(), &mut ask)?;
        let Request::Fs(call) = checked.into_request() else { panic!("it is about files") };
        Ok(call)
    }

    /// Checks a call and does it.
    fn ask(&self, call: FsCall) -> Answer {
        self.check(call).and_then(|call| perform(self.tree, &call))
    }
}

fn read(path: FilePath) -> FsCall {
    FsCall::ReadFile { file: FileRef::Path(path), flags: Trailing(None) }
}

fn bytes(text: &str) -> Datum {
    Datum::Bytes(text.into())
}

/// Every call about a path.
fn calls(path: &FilePath, other: &FilePath) -> Vec<FsCall> {
    let (path, other) = (|| path.clone(), || other.clone());
    let file = || FileRef::Path(path());
    vec![
        FsCall::Open { path: path(), flags: 0, mode: 0 },
        FsCall::Open { path: path(), flags: NEW, mode: 0o644 },
        FsCall::Open { path: path(), flags: NEW | open::EXCLUSIVE, mode: 0o644 },
        FsCall::Open { path: path(), flags: open::NOT_A_LINK, mode: 0 },
        read(path()),
        FsCall::WriteFile {
            file: file(),
            flags: NEW,
            mode: 0o644,
            bytes: vec![1],
            flush: true,
            for_promise: Aside(false),
        },
        FsCall::Stat { path: path() },
        FsCall::Lstat { path: path() },
        FsCall::Statfs { path: path() },
        FsCall::Scandir { path: path() },
        FsCall::Opendir { path: path() },
        FsCall::ScanAll { path: path(), names_only: Trailing(Some(true)) },
        FsCall::Mkdir { path: path(), mode: 0o755 },
        FsCall::Mkdirs { path: path(), mode: 0o755 },
        FsCall::Mkdtemp { path: path() },
        FsCall::Rmdir { path: path() },
        FsCall::Unlink { path: path() },
        FsCall::Remove { path: path(), looks: Aside(false) },
        FsCall::Rename { from: path(), to: other() },
        FsCall::Rename { from: other(), to: path() },
        FsCall::Link { from: path(), to: other() },
        FsCall::Link { from: other(), to: path() },
        FsCall::Symlink { target: other(), path: path() },
        FsCall::Copyfile { from: path(), to: other(), mode: 0 },
        FsCall::Copyfile { from: other(), to: path(), mode: 0 },
        FsCall::Readlink { path: path(), for_check: Trailing(None) },
        FsCall::Realpath { path: path(), native: true },
        FsCall::Realpath { path: path(), native: false },
        FsCall::Chmod { path: path(), mode: 0o600 },
        FsCall::Chown { path: path(), owner: -1, group: -1 },
        FsCall::Lchown { path: path(), owner: -1, group: -1 },
        FsCall::Utime { path: path(), read: 1.0, written: 1.0 },
        FsCall::Lutime { path: path(), read: 1.0, written: 1.0 },
        FsCall::Truncate { path: path(), size: 0 },
        FsCall::Access { path: path(), mode: 4 },
        FsCall::Watch { path: path() },
    ]
}

/// A directory on the way becomes a link after the check: the call is refused, and nothing has happened.
fn a_new_link_on_the_way_leads_nowhere(place: &Place<'_>) {
    place.write("outside/file", "outside");
    place.write("inside/other", "other");
    for path in [place.at("inside/way/file"), place.at("inside/way/file/")] {
        for call in calls(&path, &place.at("inside/other")) {
            place.mkdir("inside/way");
            place.write("inside/way/file", "inside");
            let checked = place.check(call).expect("it is inside");
            place.rename("inside/way", "inside/moved");
            place.link("outside", "inside/way");
            let seen = perform(place.tree, &checked);
            let fault = seen.expect_err("it would lead out");
            // With a slash after its name, a file is refused before anybody looks where it is.
            let is_slash = path.as_path().as_os_str().as_encoded_bytes().ends_with(b"/");
            if !(is_slash && &*fault.code != "ERR_ACCESS_DENIED") {
                assert_eq!(&*fault.code, "ERR_ACCESS_DENIED", "{checked:?}");
                let resource = fault.path.expect("it is said which");
                let given = path.as_path().as_os_str().as_encoded_bytes();
                assert_eq!(&*resource, given, "{checked:?}");
            }
            place.free(FsCall::Unlink { path: place.at("inside/way") });
            place.free(FsCall::Remove { path: place.at("inside/moved"), looks: Aside(false) });
            assert_eq!(place.read("outside/file"), bytes("outside"), "{checked:?}");
            assert_eq!(place.read("inside/other"), bytes("other"), "{checked:?}");
            let listed = place.free(FsCall::Scandir { path: place.at("outside") });
            let Datum::List(names) = listed else { panic!("names are a list") };
            assert_eq!(names[0], Datum::Text("file".into()));
            assert_eq!(names.len(), 2, "{checked:?}");
        }
    }
}

/// A link that led inside when it was checked is not asked again where it leads.
fn a_link_is_followed_once(place: &Place<'_>) {
    place.write("inside/file", "inside");
    place.link("inside/file", "inside/link");
    let checked = place.check(read(place.at("inside/link"))).expect("it leads inside");
    place.link("outside/file", "inside/next");
    place.rename("inside/next", "inside/link");
    assert_eq!(perform(place.tree, &checked), Ok(bytes("inside")));
    let fault = place.ask(read(place.at("inside/link"))).expect_err("now it leads out");
    assert_eq!(&*fault.code, "ERR_ACCESS_DENIED");

    // The link itself may be looked at, but not what a slash after it means.
    let stat = place.ask(FsCall::Lstat { path: place.at("inside/link") });
    assert!(stat.is_ok(), "{stat:?}");
    place.link("outside", "inside/out");
    for name in ["inside/out/", "inside/out/.", "inside/out/..", "inside/out//./"] {
        let fault = place.ask(FsCall::Lstat { path: place.at(name) }).expect_err(name);
        assert_eq!(&*fault.code, "ERR_ACCESS_DENIED", "{name}");
    }
    // Whoever does not want to follow links hears of one as without permissions.
    let flags = open::NOT_A_LINK;
    let open = FsCall::Open { path: place.at("inside/link"), flags, mode: 0 };
    assert_eq!(place.ask(open), Err(Fault::system(40, "open").at(place.root.join("inside/link"))));
    let flags = NEW | open::EXCLUSIVE;
    let open = FsCall::Open { path: place.at("inside/link"), flags, mode: 0o644 };
    assert_eq!(place.ask(open), Err(Fault::system(17, "open").at(place.root.join("inside/link"))));
}

/// Calls about a link itself follow it if a slash or a dot comes after it.
fn a_slash_after_a_link_leads_out(place: &Place<'_>) {
    for name in ["inside/out/", "inside/out/.", "inside/out//", "inside/out/./"] {
        let path = || place.at(name);
        for call in [
            FsCall::Lstat { path: path() },
            FsCall::Lchown { path: path(), owner: 0, group: 0 },
            FsCall::Lutime { path: path(), read: 1.0, written: 1.0 },
            FsCall::Readlink { path: path(), for_check: Trailing(None) },
            FsCall::Link { from: path(), to: place.at("inside/hard") },
        ] {
            let fault = place.ask(call.clone()).expect_err(name);
            assert_eq!(&*fault.code, "ERR_ACCESS_DENIED", "{call:?}");
        }
    }
    let link = FsCall::Link { from: place.at("outside/file"), to: place.at("inside/hard") };
    assert_eq!(&*place.ask(link).expect_err("it is outside").code, "ERR_ACCESS_DENIED");
    let inside = place.free(FsCall::Scandir { path: place.at("inside") });
    assert!(!format!("{inside:?}").contains("hard"), "{inside:?}");
}

/// What may only be read, or is another file by then, is not changed through its descriptor.
fn only_what_was_opened_to_be_written_is_changed(place: &Place<'_>) {
    place.write("inside/mode", "");
    place.free(FsCall::Chmod { path: place.at("inside/mode"), mode: 0o640 });
    let before = place.free(FsCall::Stat { path: place.at("inside/mode") });
    let open = |flags: i32| {
        let opened = place.ask(FsCall::Open { path: place.at("inside/mode"), flags, mode: 0 });
        opened.expect("it is inside").as_number().expect("a descriptor") as i32
    };
    let changes = |fd: i32| {
        [
            FsCall::Fchmod { fd: fd.into(), mode: 0o777 },
            FsCall::Fchown { fd: fd.into(), owner: 7, group: 7 },
            FsCall::Futime { fd: fd.into(), read: 7.0, written: 7.0 },
        ]
    };
    let close = |fd: i32| place.free(FsCall::Close { fd });
    let refused = |fd: i32, answer: Answer| {
        let fault = answer.expect_err("it was opened to be read");
        let told = (&*fault.code, &*fault.syscall, fault.path.as_deref());
        let number = fd.to_string();
        assert_eq!(told, ("ERR_ACCESS_DENIED", "FileSystemWrite", Some(number.as_bytes())));
    };
    let reading = open(0);
    for change in changes(reading) {
        refused(reading, place.ask(change));
    }
    close(reading);
    for change in changes(open(open::WRITE)) {
        let (FsCall::Fchmod { fd, .. } | FsCall::Fchown { fd, .. } | FsCall::Futime { fd, .. }) =
            &change
        else {
            panic!("it is about an open file")
        };
        let fd = fd.number();
        let checked = place.check(change).expect("something may be written");
        close(fd);
        let again = open(0);
        assert_eq!(again, fd, "the lowest number that is free is the next");
        refused(fd, perform(place.tree, &checked));
        close(again);
        assert_eq!(open(open::WRITE), fd);
    }
    assert_eq!(place.free(FsCall::Stat { path: place.at("inside/mode") }), before);
    let writing = open(open::BOTH);
    assert_eq!(place.ask(FsCall::Fchmod { fd: writing.into(), mode: 0o600 }), Ok(Datum::Undefined));
    close(writing);
    for given in 0..3 {
        let answer = place.ask(FsCall::Fchmod { fd: given.into(), mode: 0o600 });
        assert!(answer.is_err(), "what the process was given was not opened by the program");
    }
}

/// A walk enters links that lead to what it may see, and no others.
fn walks_stay_inside(place: &Place<'_>) {
    place.mkdir("inside/tree/here");
    place.mkdir("inside/near");
    place.write("inside/near/found", "");
    place.link("inside/near", "inside/tree/in");
    place.link("outside", "inside/tree/out");
    let walk = FsCall::ScanAll { path: place.at("inside/tree"), names_only: Trailing(Some(true)) };
    let Ok(Datum::List(found)) = place.ask(walk) else { panic!("it is inside") };
    let names: Vec<&Datum> = found.chunks(3).map(|entry| &entry[1]).collect();
    let expected = ["here", "in", "out", "found"].map(|name| Datum::Text(name.into()));
    assert_eq!(names, expected.iter().collect::<Vec<_>>());
}

/// What is answered is named as the program named it.
fn answers_name_what_was_given(place: &Place<'_>) {
    place.link("inside/near", "inside/link to near");
    let path = place.at("inside/link to near/a/b");
    let made = place.ask(FsCall::Mkdirs { path, mode: 0o755 });
    let first = place.root.join("inside/link to near/a");
    assert_eq!(made, Ok(Datum::Text(first.to_str().expect("it is text").into())));
    let path = place.at("inside/link to near/missing");
    let fault = place.ask(FsCall::Stat { path: path.clone() }).expect_err("nothing is there");
    assert_eq!(fault, Fault::system(2, "stat").at(path.as_path().to_owned()));
    for (name, errno) in [("inside/file/", 20), ("inside/missing/", 2)] {
        let fault = place.ask(FsCall::Stat { path: place.at(name) }).expect_err(name);
        assert_eq!(fault.errno, errno, "{name}");
    }
}

/// All of that on a tree, below a directory that has no links in its path.
pub fn check(tree: &dyn Tree, root: &Path) {
    let place = Place { tree, root: root.to_owned() };
    place.mkdir("inside");
    place.mkdir("outside");
    a_new_link_on_the_way_leads_nowhere(&place);
    a_link_is_followed_once(&place);
    a_slash_after_a_link_leads_out(&place);
    only_what_was_opened_to_be_written_is_changed(&place);
    walks_stay_inside(&place);
    answers_name_what_was_given(&place);
}
