//! No call escapes: what is written is read again, and what is not granted is refused.

pub(crate) mod page;

use super::{
    Aside, Descriptor, Expected, FilePath, FileRef, Nullable, Pieces, Position, Program, Record,
    Request, Rest, Secret, Trailing,
};
use crate::files::Links;
use crate::grant::Grant;
use crate::need::{Access, Need};
use crate::permissions::{Known, Names, Permissions};
use crate::value::{Datum, Fault};
use proptest::prelude::*;

/// One of so many.
pub(crate) type Draw<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Something to call with.
pub(crate) trait Sample {
    fn sample(draw: Draw<'_>) -> Self;
}

const TEXTS: [&str; 6] = ["", "/", "/tmp/a b", "localhost", "127.0.0.1", "\u{fc}\u{1f600}"];

impl Sample for String {
    fn sample(draw: Draw<'_>) -> Self {
        TEXTS[draw(TEXTS.len())].into()
    }
}

impl Sample for Vec<u8> {
    fn sample(draw: Draw<'_>) -> Self {
        (0..draw(4)).map(|_| draw(256) as u8).collect()
    }
}

impl Sample for FilePath {
    fn sample(draw: Draw<'_>) -> Self {
        if draw(2) == 0 { String::sample(draw).into() } else { Vec::<u8>::sample(draw).into() }
    }
}

impl Sample for FileRef {
    fn sample(draw: Draw<'_>) -> Self {
        if draw(2) == 0 {
            Self::Path(Sample::sample(draw))
        } else {
            Self::Descriptor(Sample::sample(draw))
        }
    }
}

impl Sample for Descriptor {
    fn sample(draw: Draw<'_>) -> Self {
        i32::sample(draw).into()
    }
}

impl Sample for Position {
    fn sample(draw: Draw<'_>) -> Self {
        Self(Sample::sample(draw))
    }
}

impl Sample for Pieces {
    fn sample(draw: Draw<'_>) -> Self {
        match draw(2) {
            0 => Self::One(Sample::sample(draw)),
            _ => Self::Many((0..draw(3)).map(|_| Sample::sample(draw)).collect()),
        }
    }
}

impl Sample for Datum {
    fn sample(draw: Draw<'_>) -> Self {
        match draw(7) {
            0 => Self::Undefined,
            1 => Self::Null,
            2 => Self::Bool(Sample::sample(draw)),
            3 => Self::Number(Sample::sample(draw)),
            4 => Self::Text(Sample::sample(draw)),
            5 => Self::Bytes(Sample::sample(draw)),
            _ => Self::List(vec![Self::Text(Sample::sample(draw))]),
        }
    }
}

impl Sample for Vec<Datum> {
    fn sample(draw: Draw<'_>) -> Self {
        (0..draw(3)).map(|_| Sample::sample(draw)).collect()
    }
}

impl Sample for Vec<u64> {
    fn sample(draw: Draw<'_>) -> Self {
        (0..draw(3)).map(|_| Sample::sample(draw)).collect()
    }
}

impl Sample for Record {
    fn sample(draw: Draw<'_>) -> Self {
        const NAMES: [&str; 7] = ["path", "host", "address", "port", "file", "env", "implicit"];
        let field = |_| (NAMES[draw(NAMES.len())].to_owned(), Sample::sample(draw));
        Self::new((0..3).map(field).collect())
    }
}

impl Sample for Program {
    fn sample(draw: Draw<'_>) -> Self {
        Datum::clone(&Record::sample(draw)).into()
    }
}

impl Sample for Rest {
    fn sample(draw: Draw<'_>) -> Self {
        Self(Sample::sample(draw))
    }
}

impl Sample for Expected {
    fn sample(draw: Draw<'_>) -> Self {
        if draw(2) == 0 {
            Self::Narrow(Sample::sample(draw))
        } else {
            Self::Wide(Sample::sample(draw))
        }
    }
}

impl<T: Sample> Sample for Option<T> {
    fn sample(draw: Draw<'_>) -> Self {
        (draw(2) == 1).then(|| T::sample(draw))
    }
}

impl Sample for Aside {
    /// What is not written down is not there when it is read.
    fn sample(_: Draw<'_>) -> Self {
        Self(false)
    }
}

impl Sample for Secret {
    /// What is not written down is not there when it is read.
    fn sample(_: Draw<'_>) -> Self {
        Self(None)
    }
}

impl<T: Sample> Sample for Trailing<T> {
    fn sample(draw: Draw<'_>) -> Self {
        Self(Sample::sample(draw))
    }
}

impl<T: Sample> Sample for Nullable<T> {
    fn sample(draw: Draw<'_>) -> Self {
        Self(Sample::sample(draw))
    }
}

impl<A: Sample, B: Sample> Sample for (A, B) {
    fn sample(draw: Draw<'_>) -> Self {
        (A::sample(draw), B::sample(draw))
    }
}

impl Sample for bool {
    fn sample(draw: Draw<'_>) -> Self {
        draw(2) == 1
    }
}

impl Sample for f64 {
    fn sample(draw: Draw<'_>) -> Self {
        [0.0, -1.0, 1.5, 1e15][draw(4)]
    }
}

macro_rules! whole {
    ($($type:ty)*) => {
        $(impl Sample for $type {
            fn sample(draw: Draw<'_>) -> Self {
                [0, 1, 2, 7, 65, 577, 1000][draw(7)]
            }
        })*
    };
}

whole! { i32 i64 u16 u32 u64 }

/// One of every call, as the numbers decide.
fn calls(numbers: &[usize]) -> Vec<Request> {
    let mut numbers = numbers.iter().cycle();
    Request::one_of_each(&mut |count| numbers.next().map_or(0, |number| number % count))
}

fn names() -> impl Strategy<Value = Names> {
    let some = proptest::sample::subsequence(TEXTS.to_vec(), 0..3);
    prop_oneof![
        Just(Names::All),
        some.prop_map(|names| Names::Only(names.into_iter().map(Into::into).collect()))
    ]
}

fn grant() -> impl Strategy<Value = Grant> {
    let some = proptest::sample::subsequence(vec!["/", "/tmp", "/etc"], 0..2);
    prop_oneof![
        Just(Grant::All),
        some.prop_map(|paths| Grant::Under(paths.into_iter().map(Into::into).collect()))
    ]
}

fn permissions() -> impl Strategy<Value = Permissions> {
    (grant(), grant(), names(), names(), names(), names()).prop_map(
        |(read, write, net, run, env, worker)| Permissions { read, write, net, run, env, worker },
    )
}

/// A world in which every path is real.
fn check(permissions: &Permissions, request: &Request) -> Result<(), Fault> {
    let mut ask = |asked: crate::Checked| {
        Ok(asked.request().to_wire().into_iter().next().unwrap_or(Datum::Undefined))
    };
    let checked = permissions.check(&Known::default(), request.clone(), &mut ask)?;
    assert_eq!(
        (checked.request().name(), checked.request().to_wire()),
        (request.name(), request.to_wire()),
        "what is checked is what is asked"
    );
    for need in checked.request().needs() {
        if let Need::OpenFile(fd) = need {
            let is_looked_at = fd.opened().only_to_write;
            assert!(permissions.write == Grant::All || is_looked_at, "what is used is looked at");
        }
        let Need::File(access, _, path) = need else { continue };
        let grant = match access {
            Access::Read => &permissions.read,
            Access::Write => &permissions.write,
        };
        let is_used = path.at().links == Links::Refused && grant.covers(path.at().path);
        assert!(*grant == Grant::All || is_used, "what is checked is what is used");
    }
    Ok(())
}

/// Whether a set of permissions meets a need, by itself: written down once more, without the world.
fn is_granted(permissions: &Permissions, need: Need<'_>) -> bool {
    let has = |names: &Names| *names != Names::NONE;
    match need {
        Need::File(Access::Read, ..) => permissions.read != Grant::Under(Vec::new()),
        Need::File(Access::Write, ..) | Need::OpenFile(_) => {
            permissions.write != Grant::Under(Vec::new())
        }
        Need::Place(_) | Need::Host(..) | Need::AnyHost(..) => has(&permissions.net),
        Need::Program(_) => has(&permissions.run),
        Need::Process(_) => permissions.run == Names::All,
        Need::Workers => permissions.worker == Names::All,
        Need::Nothing(_) => true,
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(numbers in prop::collection::vec(0..10_000_usize, 1..64)) {
        for request in calls(&numbers) {
            let again = Request::from_wire(request.name(), request.to_wire());
            prop_assert_eq!(again, Ok(request));
        }
    }

    #[test]
    fn what_is_not_granted_is_refused(
        numbers in prop::collection::vec(0..10_000_usize, 1..64),
        permissions in permissions(),
    ) {
        for request in calls(&numbers) {
            let may = request.needs().into_iter().all(|need| is_granted(&permissions, need));
            let checked = check(&permissions, &request);
            if !may {
                prop_assert!(checked.is_err(), "{} needs more than {:?}", request.name(), permissions);
            }
            if permissions == Permissions::default() {
                prop_assert_eq!(checked, Ok(()));
            }
        }
    }

    #[test]
    fn without_permissions_only_what_needs_nothing_is_done(
        numbers in prop::collection::vec(0..10_000_usize, 1..64),
    ) {
        let (files, names) = (|| Grant::Under(Vec::new()), || Names::NONE);
        let nothing = Permissions {
            read: files(),
            write: files(),
            net: names(),
            run: names(),
            env: names(),
            worker: names(),
        };
        for request in calls(&numbers) {
            let needs = request.needs();
            prop_assert!(!needs.is_empty(), "{} must say what it needs", request.name());
            let is_free = |need: &Need<'_>| matches!(need, Need::Nothing(why) if !why.is_empty());
            let is_free = needs.iter().all(is_free);
            prop_assert_eq!(check(&nothing, &request).is_ok(), is_free, "{}", request.name());
        }
    }
}

#[test]
fn whoever_has_a_stream_needs_no_permission() {
    for request in calls(&[0]) {
        if let Request::Stream(call) = &request {
            let is_free = call.needs().iter().all(|need| matches!(need, Need::Nothing(_)));
            assert!(is_free, "{} is done without a check", call.name());
        }
    }
}

#[test]
fn only_what_needs_nothing_is_free() {
    for request in calls(&[0]) {
        let is_free = request.needs().iter().all(|need| matches!(need, Need::Nothing(_)));
        assert_eq!(crate::Checked::free(request.clone()).is_ok(), is_free, "{}", request.name());
    }
}

#[test]
fn every_name_is_one_call() {
    let mut names: Vec<_> = calls(&[0]).iter().map(Request::name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn what_nobody_knows_is_denied() {
    let fault = Request::from_wire("fs.format", vec![]).expect_err("there is no such request");
    assert_eq!(&*fault.code, "ENOSYS");
    assert_eq!(&*fault.message, "there is no request \"fs.format\"");
}

#[test]
fn arguments_that_make_no_sense_are_denied() {
    let path = || Datum::Text("/a".into());
    for (kind, arguments) in [
        ("fs.open", vec![]),
        ("fs.open", vec![path()]),
        ("fs.open", vec![path(), path(), path()]),
        ("fs.stat", vec![path(), path()]),
        ("fs.stat", vec![Datum::Undefined]),
        ("stream.write", vec![Datum::Number(1.0), Datum::List(vec![path()])]),
        ("net.listen", vec![path()]),
        ("input.read", vec![Datum::Null]),
    ] {
        let fault = Request::from_wire(kind, arguments).expect_err("it makes no sense");
        assert_eq!(&*fault.code, "EINVAL");
    }
}
