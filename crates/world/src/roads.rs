//! What is between the computers of a simulated network: how long things take, what is lost (rule FLEET-3), and who
//! is cut off (rule FLEET-4).
//!
//! All of it is known before a run begins, so that when something arrives, if ever, is known when it is sent.

use hemiola_machine::{Chooser, Delay, Instant, Seeded};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

/// How long something is under way within a computer, at least and at most, if nobody says otherwise.
pub(crate) const LATENCY: (Delay, Delay) = (Delay::from_micros(1), Delay::from_micros(500));

/// How long something is under way this time.
pub(crate) fn drawn((least, most): (Delay, Delay), random: &mut Seeded) -> Delay {
    let spread = most.as_micros().saturating_sub(least.as_micros()).saturating_add(1);
    let more = random.choose(usize::try_from(spread).unwrap_or(usize::MAX));
    Delay::from_micros(least.as_micros() + more as u64)
}

/// The number of a computer. A run without others is on [`Computer::ONLY`]; those of a fleet count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Computer(pub u16);

/// Where the number of a computer is in the number of a machine, and that of a process on it.
const COMPUTER_SHIFT: u32 = 48;
const PROCESS_SHIFT: u32 = 24;

impl Computer {
    /// The computer of a run that knows no others.
    pub const ONLY: Self = Self(0);

    /// The number of the first machine of a process; its workers have the numbers after it.
    pub fn first_machine(self, process: u32) -> u64 {
        (u64::from(self.0) << COMPUTER_SHIFT) | (u64::from(process) << PROCESS_SHIFT)
    }

    /// Where a machine runs.
    pub(crate) fn of(machine: u64) -> Self {
        Self((machine >> COMPUTER_SHIFT) as u16)
    }

    /// Its address on the network, if there is one.
    pub fn address(self) -> Option<Ipv4Addr> {
        let [high, low] = self.0.to_be_bytes();
        (self != Self::ONLY).then(|| Ipv4Addr::new(10, 0, high, low))
    }

    /// The address that it has for who goes there from it.
    pub(crate) fn near(self, to: IpAddr) -> IpAddr {
        match (self.address(), to) {
            (None, _) => loopback(to),
            (Some(_), to) if to.to_canonical().is_loopback() || to.is_unspecified() => loopback(to),
            (Some(own), IpAddr::V4(_)) => own.into(),
            (Some(own), IpAddr::V6(_)) => own.to_ipv6_mapped().into(),
        }
    }

    /// Whether an address is one of its own, or any is meant.
    pub(crate) fn has(self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_loopback()
            || address.is_unspecified()
            || self.address().is_some_and(|own| address == IpAddr::V4(own))
    }
}

/// The address by which a computer reaches itself.
pub(crate) fn loopback(like: IpAddr) -> IpAddr {
    match like {
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    }
}

/// The process that a machine belongs to.
pub(crate) fn process_of(machine: u64) -> u64 {
    machine >> PROCESS_SHIFT
}

/// The number that a process has among all of a fleet, by the number of one of its machines.
pub(crate) fn number_of_process(machine: u64) -> u32 {
    const OF_ONE_COMPUTER: u64 = (1 << (COMPUTER_SHIFT - PROCESS_SHIFT)) - 1;
    (process_of(machine) & OF_ONE_COMPUTER) as u32
}

/// Whether a machine is not the first of its process.
pub(crate) fn is_worker(machine: u64) -> bool {
    machine & ((1 << PROCESS_SHIFT) - 1) != 0
}

/// The first machine of a process.
pub(crate) fn first_machine_of(process: u64) -> u64 {
    process << PROCESS_SHIFT
}

/// What one direction between two computers is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// How long something is under way at least and at most.
    pub latency: (Delay, Delay),
    /// Which share of packets is lost.
    pub loss: f64,
    /// Which share of datagrams arrives twice.
    pub doubled: f64,
    /// How many bytes go through in a second, if that is limited.
    pub bandwidth: Option<u64>,
}

impl Default for Link {
    /// A local network.
    fn default() -> Self {
        let latency = (Delay::from_micros(200), Delay::from_micros(1_000));
        Self { latency, loss: 0.0, doubled: 0.0, bandwidth: None }
    }
}

impl Link {
    /// One that takes as long as this takes at least, and on which nothing is lost.
    pub(crate) fn even(self) -> Self {
        Self { latency: (self.latency.0, self.latency.0), loss: 0.0, doubled: 0.0, ..self }
    }
}

/// Some computers are cut off from others for a while; nobody is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Those on one side. Everybody else is on the other.
    pub side: Vec<Computer>,
    /// From when on.
    pub from: Instant,
    /// Until when.
    pub until: Instant,
}

/// The computers of a network and what is between them; its copies are one.
#[derive(Clone, Debug, Default)]
pub struct Roads(Arc<Map>);

#[derive(Debug, Default)]
struct Map {
    /// The names of the computers, from number 1 on.
    names: Vec<String>,
    default: Link,
    links: BTreeMap<(Computer, Computer), Link>,
    cuts: Vec<Cut>,
}

impl Roads {
    /// Roads between computers of those names, which count from 1; `links` are those that differ from `default`.
    pub fn new(
        names: Vec<String>,
        default: Link,
        links: BTreeMap<(Computer, Computer), Link>,
        cuts: Vec<Cut>,
    ) -> Self {
        Self(Arc::new(Map { names, default, links, cuts }))
    }

    /// The computer of that name.
    pub(crate) fn named(&self, name: &str) -> Option<Computer> {
        let at = self.0.names.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        u16::try_from(at + 1).ok().map(Computer)
    }

    /// What a computer is called.
    pub(crate) fn name(&self, computer: Computer) -> Option<&str> {
        let at = usize::from(computer.0).checked_sub(1)?;
        self.0.names.get(at).map(String::as_str)
    }

    /// Where somebody gets who goes to an address from a computer.
    pub(crate) fn leads_to(&self, from: Computer, address: IpAddr) -> Option<Computer> {
        if from == Computer::ONLY || from.has(address) {
            return Some(from);
        }
        let IpAddr::V4(address) = address.to_canonical() else { return None };
        let [ten, zero, high, low] = address.octets();
        let computer = Computer(u16::from_be_bytes([high, low]));
        (ten == 10 && zero == 0 && self.name(computer).is_some()).then_some(computer)
    }

    /// All computers but that one.
    pub(crate) fn others(&self, than: Computer) -> Vec<Computer> {
        let all = (1..=self.0.names.len()).filter_map(|number| u16::try_from(number).ok());
        all.map(Computer).filter(|&one| one != than).collect()
    }

    fn link(&self, from: Computer, to: Computer) -> Link {
        self.0.links.get(&(from, to)).copied().unwrap_or(self.0.default)
    }

    /// From when on two are apart at the earliest, of what is not over by then.
    pub(crate) fn apart_after(&self, way: (Computer, Computer), at: Instant) -> Option<Instant> {
        let concerns =
            |cut: &&Cut| cut.until > at && cut.side.contains(&way.0) != cut.side.contains(&way.1);
        self.0.cuts.iter().filter(concerns).map(|cut| cut.from).min()
    }

    /// When a question is answered that is asked then, if nobody is cut off meanwhile: in as little time as the links
    /// take.
    pub(crate) fn answered(
        &self,
        at: Instant,
        (near, far): (Computer, Computer),
    ) -> Option<Instant> {
        let there = at + self.link(near, far).latency.0;
        let back = there + self.link(far, near).latency.0;
        let apart = |at| self.are_apart(near, far, at);
        (!apart(at) && !apart(there) && !apart(back)).then_some(back)
    }

    fn are_apart(&self, a: Computer, b: Computer, at: Instant) -> bool {
        self.0.cuts.iter().any(|cut| {
            (cut.from..cut.until).contains(&at) && cut.side.contains(&a) != cut.side.contains(&b)
        })
    }
}

/// How a protocol tries again.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// How long it waits for an answer at first; each time twice as long.
    first: Delay,
    longest: Delay,
    /// After how long it gives up.
    end: Delay,
}

/// Bytes of a connection, and the request for one, as Linux tries them.
const BYTES: Patience = Patience {
    first: Delay::from_millis(200),
    longest: Delay::from_millis(120_000),
    end: Delay::from_millis(924_600),
};
const CONNECT: Patience = Patience {
    first: Delay::from_millis(1_000),
    longest: Delay::from_millis(64_000),
    end: Delay::from_millis(127_000),
};

/// What becomes of what is sent over a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trip {
    /// It arrives then.
    Arrives(Instant),
    /// Nobody answers, and who sent it gives up then.
    GivenUp(Instant),
}

/// What travels, drawn by a seed.
pub(crate) struct Traffic {
    roads: Roads,
    random: Seeded,
    /// Until when a direction is busy with what was sent before.
    busy: BTreeMap<(Computer, Computer), Instant>,
}

impl Traffic {
    pub(crate) fn new(roads: Roads, seed: u64) -> Self {
        Self { roads, random: Seeded::new(seed), busy: BTreeMap::new() }
    }

    pub(crate) fn roads(&self) -> &Roads {
        &self.roads
    }

    /// When so many bytes of a connection arrive.
    pub(crate) fn bytes(&mut self, now: Instant, way: (Computer, Computer), count: usize) -> Trip {
        let sent = self.sent(now, way, count);
        self.tried(sent, way, BYTES)
    }

    /// When the request for a connection arrives.
    pub(crate) fn request(&mut self, now: Instant, way: (Computer, Computer)) -> Trip {
        self.tried(now, way, CONNECT)
    }

    /// When a datagram arrives, once or twice, if it does.
    pub(crate) fn datagram(
        &mut self,
        now: Instant,
        way: (Computer, Computer),
        count: usize,
    ) -> Vec<Instant> {
        let link = self.roads.link(way.0, way.1);
        let sent = self.sent(now, way, count);
        let mut arrivals = Vec::new();
        if !self.happens(link.loss) {
            arrivals.extend(self.straight(sent, way));
        }
        if self.happens(link.doubled) {
            arrivals.extend(self.straight(sent, way));
        }
        arrivals
    }

    /// When the last of so many bytes is on its way, behind all that was sent before.
    fn sent(&mut self, now: Instant, way: (Computer, Computer), count: usize) -> Instant {
        let Some(bandwidth) = self.roads.link(way.0, way.1).bandwidth.filter(|&rate| rate > 0)
        else {
            return now;
        };
        let busy = self.busy.entry(way).or_insert(now);
        let micros = (count as u128 * 1_000_000).div_ceil(bandwidth.into());
        *busy = (*busy).max(now) + Delay::from_micros(micros.try_into().unwrap_or(u64::MAX / 4));
        *busy
    }

    /// When something arrives that is sent once; nothing if somebody is cut off meanwhile.
    fn straight(&mut self, sent: Instant, way: (Computer, Computer)) -> Option<Instant> {
        let (least, most) = self.roads.link(way.0, way.1).latency;
        let spread = most.as_micros().saturating_sub(least.as_micros());
        let spread = usize::try_from(spread.saturating_add(1)).unwrap_or(usize::MAX);
        let latency = least.as_micros() + self.random.choose(spread) as u64;
        let arrives = sent + Delay::from_micros(latency.max(1));
        let apart = |at| self.roads.are_apart(way.0, way.1, at);
        (!apart(sent) && !apart(arrives)).then_some(arrives)
    }

    fn tried(&mut self, sent: Instant, way: (Computer, Computer), patience: Patience) -> Trip {
        let loss = self.roads.link(way.0, way.1).loss;
        let end = sent + patience.end;
        let (mut at, mut wait) = (sent, patience.first);
        while at < end {
            let is_lost = self.happens(loss);
            if let Some(arrives) = self.straight(at, way)
                && !is_lost
            {
                return Trip::Arrives(arrives);
            }
            at = at + wait;
            wait = Delay::from_micros(2 * wait.as_micros()).min(patience.longest);
        }
        Trip::GivenUp(end)
    }

    /// Whether something happens that has that probability.
    fn happens(&mut self, share: f64) -> bool {
        const PARTS: usize = 1_000_000;
        share > 0.0 && self.random.choose(PARTS) < (share * PARTS as f64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Computer = Computer(1);
    const B: Computer = Computer(2);

    fn at(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    fn traffic(link: Link, cuts: Vec<Cut>) -> Traffic {
        let names = vec!["a".into(), "b".into()];
        Traffic::new(Roads::new(names, link, BTreeMap::new(), cuts), 7)
    }

    fn fixed(millis: u64) -> Link {
        let latency = Delay::from_millis(millis);
        Link { latency: (latency, latency), ..Link::default() }
    }

    #[test]
    fn bytes_wait_until_a_cut_heals() {
        let cut = Cut { side: vec![A], from: at(100), until: at(1_000) };
        let mut traffic = traffic(fixed(10), vec![cut]);
        assert_eq!(traffic.bytes(at(50), (A, B), 1), Trip::Arrives(at(60)));
        // Tried at 95, 295, 695 and 1495.
        assert_eq!(traffic.bytes(at(95), (A, B), 1), Trip::Arrives(at(1_505)));
    }

    #[test]
    fn who_waits_for_too_long_gives_up() {
        let cut = Cut { side: vec![B], from: at(0), until: at(10_000_000) };
        let mut traffic = traffic(fixed(10), vec![cut]);
        assert_eq!(traffic.request(at(5), (A, B)), Trip::GivenUp(at(127_005)));
        assert_eq!(traffic.bytes(at(5), (A, B), 1), Trip::GivenUp(at(924_605)));
        assert!(traffic.datagram(at(5), (A, B), 1).is_empty());
    }

    #[test]
    fn a_narrow_link_takes_its_time() {
        let mut traffic = traffic(Link { bandwidth: Some(1_000), ..fixed(10) }, Vec::new());
        assert_eq!(traffic.bytes(at(0), (A, B), 500), Trip::Arrives(at(510)));
        assert_eq!(traffic.bytes(at(100), (A, B), 500), Trip::Arrives(at(1_010)));
        assert_eq!(traffic.bytes(at(100), (B, A), 500), Trip::Arrives(at(610)));
    }

    #[test]
    fn about_as_many_datagrams_are_lost_and_doubled_as_the_link_says() {
        let mut traffic = traffic(Link { loss: 0.3, doubled: 0.1, ..fixed(10) }, Vec::new());
        let arrived: Vec<usize> =
            (0..10_000).map(|_| traffic.datagram(at(0), (A, B), 1).len()).collect();
        let total: usize = arrived.iter().sum();
        assert!((7_800..8_200).contains(&total), "{total}");
        let lost = arrived.iter().filter(|&&count| count == 0).count();
        assert!((2_550..2_850).contains(&lost), "{lost}");
    }

    #[test]
    fn addresses_lead_to_computers() {
        let traffic = traffic(Link::default(), Vec::new());
        let roads = traffic.roads();
        let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
        assert_eq!(roads.leads_to(A, ip("10.0.0.2")), Some(B));
        assert_eq!(roads.leads_to(A, ip("::ffff:10.0.0.2")), Some(B));
        assert_eq!(roads.leads_to(A, ip("127.0.0.1")), Some(A));
        assert_eq!(roads.leads_to(A, ip("10.0.0.3")), None);
        assert_eq!(roads.leads_to(A, ip("93.184.215.14")), None);
        assert_eq!(roads.leads_to(Computer::ONLY, ip("10.0.0.3")), Some(Computer::ONLY));
        assert_eq!(roads.named("B"), Some(B));
        assert_eq!(Computer::of(B.first_machine(3) + 5), B);
    }
}
