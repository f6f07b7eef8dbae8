//! Who a process is run by, where a program changes that.

use crate::request::arguments::Rest;
use crate::value::Datum;
use std::io;

/// What has names and numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// Somebody.
    User,
    /// Several.
    Group,
}

impl Account {
    /// Node's word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Group => "Group",
        }
    }
}

/// What a process is to become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// That user's, for good where it was root's.
    User(u32),
    /// That user's in what it does from now on.
    EffectiveUser(u32),
    /// That group's.
    Group(u32),
    /// That group's in what it does from now on.
    EffectiveGroup(u32),
    /// One of these groups, too.
    Groups(Vec<u32>),
    /// One of all groups that a user is in, by the user's name, and of one more.
    GroupsOf(String, u32),
}

/// Users and groups of a computer, and whose a process is.
pub trait Accounts {
    /// The number of the user or the group of that name.
    fn account(&self, account: Account, name: &str) -> Option<u32>;
    /// The name of the user of that number.
    fn user_name(&self, id: u32) -> Option<String>;
    /// Makes the process another user's or another group's.
    fn take_identity(&self, identity: &Identity) -> io::Result<()>;
}

/// Why it does not become that.
pub(crate) enum Refusal {
    /// There is no such user or group.
    Unknown(Account, String),
    /// The system said no, or the question makes no sense.
    System(io::Error),
}

/// No number of anybody: for the system it means "leave it".
const NOBODY: u32 = u32::MAX;
/// An argument that is none.
const EINVAL: i32 = 22;

/// Changes who the process is run by, as that call of Node's does.
pub(crate) fn change(
    accounts: &(impl Accounts + ?Sized),
    what: &str,
    ids: &Rest,
) -> Result<(), Refusal> {
    let identity = identity(accounts, what, &ids.0)?;
    accounts.take_identity(&identity).map_err(Refusal::System)
}

fn identity(
    accounts: &(impl Accounts + ?Sized),
    what: &str,
    ids: &[Datum],
) -> Result<Identity, Refusal> {
    let nonsense = || Refusal::System(io::Error::from_raw_os_error(EINVAL));
    let at = |place: usize| ids.get(place).ok_or_else(nonsense);
    let one = |account: Account| number(accounts, account, at(0)?);
    // The first one that is unknown is named.
    Ok(match what {
        "setuid" => Identity::User(one(Account::User)?),
        "seteuid" => Identity::EffectiveUser(one(Account::User)?),
        "setgid" => Identity::Group(one(Account::Group)?),
        "setegid" => Identity::EffectiveGroup(one(Account::Group)?),
        "setgroups" => {
            let groups = ids.iter().map(|id| number(accounts, Account::Group, id));
            Identity::Groups(groups.collect::<Result<_, _>>()?)
        }
        "initgroups" => {
            let name = match at(0)? {
                // A name need not be known: such a user is in no group.
                Datum::Text(name) => name.clone(),
                id => {
                    let id = number(accounts, Account::User, id)?;
                    let unknown = || Refusal::Unknown(Account::User, id.to_string());
                    accounts.user_name(id).ok_or_else(unknown)?
                }
            };
            let more = number(accounts, Account::Group, at(1)?)?;
            Identity::GroupsOf(name, more)
        }
        _ => return Err(nonsense()),
    })
}

/// The number that is meant, be it given as such or by a name.
fn number(
    accounts: &(impl Accounts + ?Sized),
    account: Account,
    id: &Datum,
) -> Result<u32, Refusal> {
    let (found, name) = match id {
        Datum::Text(name) => (accounts.account(account, name), name.clone()),
        Datum::Number(number) => (Some(*number as u32), (*number as u32).to_string()),
        _ => return Err(Refusal::System(io::Error::from_raw_os_error(EINVAL))),
    };
    found.filter(|&id| id != NOBODY).ok_or(Refusal::Unknown(account, name))
}
