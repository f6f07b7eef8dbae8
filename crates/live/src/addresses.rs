//! The addresses of the computer, as the kernel tells them over a socket of its own (rtnetlink).

use hemiola_gate::NetworkAddress;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use std::collections::BTreeMap;
use std::net::IpAddr;

// Numbers of rtnetlink.
const DONE: u16 = 3;
const NEW_ADDRESS: u16 = 20;
const GET_ADDRESS: u16 = 22;
/// A request for all there are.
const DUMP: u16 = 0x301;
const FAMILY_V4: u8 = 2;
const FAMILY_V6: u8 = 10;
const ADDRESS: u16 = 1;
const LOCAL: u16 = 2;

/// Sizes of what stands before a message, before what it tells of an address, and before each fact.
const HEADER: usize = 16;
const ABOUT: usize = 8;
const FACT: usize = 4;

// Flags of an interface.
const UP: u32 = 0x1;
const LOOPBACK: u32 = 0x8;
const RUNNING: u32 = 0x40;

/// The kernel answers in pieces of at most so many bytes.
const PIECE: usize = 32 * 1024;

/// An interface of the computer.
struct Interface {
    name: String,
    mac: String,
    is_loopback: bool,
}

/// What the kernel says of an address.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    interface: u32,
    address: IpAddr,
    prefix_bits: u8,
}

/// All addresses of interfaces that run; none if the kernel does not tell.
pub(crate) fn addresses() -> Vec<NetworkAddress> {
    let interfaces = interfaces();
    let told = ask().unwrap_or_default();
    let known = told.into_iter().filter_map(|told| {
        let Interface { name, mac, is_loopback } = interfaces.get(&told.interface)?;
        let is_of_link = matches!(told.address, IpAddr::V6(v6) if v6.is_unicast_link_local());
        Some(NetworkAddress {
            interface: name.clone(),
            address: told.address,
            prefix_bits: told.prefix_bits,
            mac: mac.clone(),
            is_internal: *is_loopback,
            scope: if is_of_link { told.interface } else { 0 },
        })
    });
    known.collect()
}

/// The interfaces that run, by their numbers.
fn interfaces() -> BTreeMap<u32, Interface> {
    let folder = std::fs::read_dir("/sys/class/net").into_iter().flatten().flatten();
    let one = |entry: std::fs::DirEntry| {
        let read = |name: &str| std::fs::read_to_string(entry.path().join(name)).ok();
        let number = read("ifindex")?.trim().parse().ok()?;
        let flags = read("flags")?;
        let flags = u32::from_str_radix(flags.trim().trim_start_matches("0x"), 16).ok()?;
        // Some have no hardware.
        let mac = read("address").map(|mac| mac.trim().to_owned()).filter(|mac| mac.len() == 17);
        let interface = Interface {
            name: entry.file_name().into_string().ok()?,
            mac: mac.unwrap_or_else(|| "00:00:00:00:00:00".into()),
            is_loopback: flags & LOOPBACK != 0,
        };
        // The file does not say whether it runs, but whether there is a carrier does.
        let runs = flags & RUNNING != 0 || read("carrier").is_some_and(|text| text.trim() == "1");
        (flags & UP != 0 && runs).then_some((number, interface))
    };
    folder.filter_map(one).collect()
}

fn ask() -> rustix::io::Result<Vec<Told>> {
    let kind = SocketType::RAW;
    let socket = rustix::net::socket_with(
        AddressFamily::NETLINK,
        kind,
        SocketFlags::CLOEXEC,
        // The first of its protocols is the one of addresses and routes.
        None,
    )?;
    let kernel = SocketAddrNetlink::new(0, 0);
    rustix::net::sendto(&socket, &request(), SendFlags::empty(), &kernel)?;
    let mut told = Vec::new();
    let mut piece = vec![0; PIECE];
    loop {
        let (length, _) = rustix::net::recv(&socket, &mut piece[..], RecvFlags::empty())?;
        if length == 0 || !take(&piece[..length], &mut told) {
            return Ok(told);
        }
    }
}

/// Asks for all addresses of all families.
fn request() -> Vec<u8> {
    let length = (HEADER + ABOUT) as u32;
    let mut bytes = length.to_ne_bytes().to_vec();
    bytes.extend_from_slice(&GET_ADDRESS.to_ne_bytes());
    bytes.extend_from_slice(&DUMP.to_ne_bytes());
    bytes.resize(HEADER + ABOUT, 0);
    bytes
}

fn number16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn number32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Things in a message begin at multiples of four.
fn aligned(length: usize) -> usize {
    length.next_multiple_of(4)
}

/// Takes the messages of one piece. Whether more pieces follow.
fn take(mut bytes: &[u8], told: &mut Vec<Told>) -> bool {
    while let (Some(length), Some(kind)) = (number32(bytes, 0), number16(bytes, 4)) {
        let length = length as usize;
        if kind == NEW_ADDRESS {
            told.extend(bytes.get(HEADER..length).and_then(read));
        } else if kind <= DONE {
            return false;
        }
        match bytes.get(aligned(length)..) {
            Some(rest) if length >= HEADER && !rest.is_empty() => bytes = rest,
            Some(_) => return length >= HEADER,
            None => return true,
        }
    }
    false
}

/// What a message tells of one address.
fn read(message: &[u8]) -> Option<Told> {
    let (family, prefix_bits) = (*message.first()?, *message.get(1)?);
    let interface = number32(message, 4)?;
    let (mut address, mut local) = (None, None);
    let mut facts = message.get(ABOUT..)?;
    while let (Some(length), Some(kind)) = (number16(facts, 0), number16(facts, 2)) {
        let length = usize::from(length);
        let value = facts.get(FACT..length)?;
        match kind {
            ADDRESS => address = ip(family, value),
            LOCAL => local = ip(family, value),
            _ => {}
        }
        facts = facts.get(aligned(length)..).unwrap_or_default();
    }
    // Where two computers are connected directly, the other fact is the peer's address.
    Some(Told { interface, address: local.or(address)?, prefix_bits })
}

fn ip(family: u8, bytes: &[u8]) -> Option<IpAddr> {
    match family {
        FAMILY_V4 => Some(IpAddr::from(<[u8; 4]>::try_from(bytes).ok()?)),
        FAMILY_V6 => Some(IpAddr::from(<[u8; 16]>::try_from(bytes).ok()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_computer_can_be_reached_from_itself() {
        let all = addresses();
        let own = all.iter().find(|one| one.address == IpAddr::from([127, 0, 0, 1]));
        let own = own.expect("there is a loopback interface");
        assert_eq!((own.prefix_bits, own.is_internal, own.scope), (8, true, 0));
        assert_eq!(own.mac, "00:00:00:00:00:00");
    }

    #[test]
    fn damaged_answers_tell_less_and_end() {
        let mut whole = request();
        whole[4..6].copy_from_slice(&NEW_ADDRESS.to_ne_bytes());
        whole[HEADER] = FAMILY_V4;
        whole.extend_from_slice(&[8, 0, 2, 0, 10, 0, 0, 1]);
        let length = whole.len() as u32;
        whole[..4].copy_from_slice(&length.to_ne_bytes());
        let mut told = Vec::new();
        assert!(take(&whole, &mut told));
        assert_eq!(
            told,
            [Told { interface: 0, address: IpAddr::from([10, 0, 0, 1]), prefix_bits: 0 }]
        );
        for at in 0..whole.len() {
            take(&whole[..at], &mut Vec::new());
            for value in [0, 1, 255] {
                let mut damaged = whole.clone();
                damaged[at] = value;
                take(&damaged, &mut Vec::new());
            }
        }
    }
}
