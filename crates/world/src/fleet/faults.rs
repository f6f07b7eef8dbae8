//! What goes wrong in a fleet: given in words, or drawn by a seed from rates.

use hemiola_machine::{Chooser, Delay, Instant, Seeded};
use std::fmt::{self, Display};

/// Something that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// When it begins.
    pub at: Instant,
    /// What it is.
    pub kind: Kind,
}

/// What goes wrong. Hosts and programs are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A program is killed, or all of a host; it is started again after a while.
    Crash {
        /// Where.
        host: usize,
        /// Which, if not all.
        program: Option<usize>,
        /// For how long it is down.
        down: Delay,
    },
    /// A host has no power for a while.
    Power {
        /// Which.
        host: usize,
        /// For how long.
        down: Delay,
    },
    /// A program is stopped for a while, or all of a host (rule FLEET-6).
    Pause {
        /// Where.
        host: usize,
        /// Which, if not all.
        program: Option<usize>,
        /// For how long.
        length: Delay,
    },
    /// Some hosts are cut off from all others.
    Cut {
        /// Those on one side.
        side: Vec<usize>,
        /// For how long.
        length: Delay,
    },
    /// Somebody sets a host's clock on the wall.
    Clock {
        /// Which.
        host: usize,
        /// By how many microseconds.
        by: i64,
    },
    /// A host's disk fails for a while.
    Disk {
        /// Which.
        host: usize,
        /// For how long.
        length: Delay,
    },
    /// Something is the matter with the databases that hosts share.
    Database {
        /// What.
        trouble: Trouble,
        /// For how long.
        length: Delay,
    },
    /// Somebody sets the clock of the databases.
    DatabaseClock {
        /// By how many microseconds.
        by: i64,
    },
}

/// What can be the matter with a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It does not answer, and then is there again with all that was committed.
    Restart,
    /// Connections are lost: some before a question arrives, some before its answer does.
    Drop,
    /// Answers take a while.
    Slow,
    /// Nobody hears what others have changed.
    Deaf,
}

impl Trouble {
    const ALL: [Self; 4] = [Self::Restart, Self::Drop, Self::Slow, Self::Deaf];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Restart => "restart",
            Self::Drop => "drop",
            Self::Slow => "slow",
            Self::Deaf => "deaf",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trouble| trouble.name() == name)
    }
}

/// How the databases are called in faults, unless a host has that name.
const DATABASE: &str = "database";

/// What is no fault: what is wrong with the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}

/// A length of time as people write it.
struct Length(u64);

impl Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            micros if micros % 1_000_000 == 0 => write!(f, "{}s", micros / 1_000_000),
            micros if micros % 1_000 == 0 => write!(f, "{}ms", micros / 1_000),
            micros => write!(f, "{micros}us"),
        }
    }
}

/// Reads a length of time, in microseconds: `250ms`, `1.5s`, `2m`, `1h`, `3us`.
///
/// # Errors
///
/// When it is none.
pub fn length(text: &str) -> Result<Delay, Unreadable> {
    const UNITS: [(&str, f64); 8] = [
        ("us", 1.0),
        ("µs", 1.0),
        ("ms", 1e3),
        ("min", 6e7),
        ("s", 1e6),
        ("m", 6e7),
        ("h", 3.6e9),
        ("d", 8.64e10),
    ];
    let bad = || Unreadable(format!("`{text}` is no length of time: write 250ms, 1.5s, 2m or 1h"));
    let (unit, micros) =
        UNITS.iter().find(|(unit, _)| text.ends_with(unit)).copied().ok_or_else(bad)?;
    let number: f64 = text[..text.len() - unit.len()].trim().parse().map_err(|_| bad())?;
    let micros = number * micros;
    if !(micros.is_finite() && (0.0..9e15).contains(&micros)) {
        return Err(bad());
    }
    Ok(Delay::from_micros(micros.round() as u64))
}

/// Reads how often something happens in an hour: `2/h`, `1/min`, `0.5/s`.
///
/// # Errors
///
/// When it is no rate.
pub fn hourly(text: &str) -> Result<f64, Unreadable> {
    let bad = || Unreadable(format!("`{text}` is no rate: write 2/h, 1/min or 0.5/s"));
    let (number, unit) = text.split_once('/').ok_or_else(bad)?;
    let number: f64 = number.trim().parse().map_err(|_| bad())?;
    let times = match unit.trim() {
        "h" | "hour" => 1.0,
        "min" | "m" => 60.0,
        "s" => 3_600.0,
        "d" | "day" => 1.0 / 24.0,
        _ => return Err(bad()),
    };
    let rate = number * times;
    if (0.0..=3.6e6).contains(&rate) { Ok(rate) } else { Err(bad()) }
}

impl Fault {
    /// How it is written: `crash b at 12s for 2s`.
    pub fn written(&self, hosts: &[String]) -> String {
        let at = Length(self.at.as_micros());
        let name = |host: usize| hosts.get(host).map_or("?", String::as_str);
        let which = |host: usize, program: Option<usize>| match program {
            None => name(host).to_owned(),
            Some(program) => format!("{}/{}", name(host), program + 1),
        };
        let lasting = |word: &str, who: String, length: Delay| {
            format!("{word} {who} at {at} for {}", Length(length.as_micros()))
        };
        match &self.kind {
            Kind::Crash { host, program, down } => lasting("crash", which(*host, *program), *down),
            Kind::Power { host, down } => lasting("power", name(*host).into(), *down),
            Kind::Pause { host, program, length } => {
                lasting("pause", which(*host, *program), *length)
            }
            Kind::Cut { side, length } => {
                let names: Vec<&str> = side.iter().map(|&host| name(host)).collect();
                lasting("cut", names.join(" "), *length)
            }
            Kind::Clock { host, by } => {
                let sign = if *by < 0 { "-" } else { "+" };
                format!("clock {} at {at} by {sign}{}", name(*host), Length(by.unsigned_abs()))
            }
            Kind::Disk { host, length } => lasting("disk", name(*host).into(), *length),
            Kind::Database { trouble, length } => lasting(trouble.name(), DATABASE.into(), *length),
            Kind::DatabaseClock { by } => {
                let sign = if *by < 0 { "-" } else { "+" };
                format!("clock {DATABASE} at {at} by {sign}{}", Length(by.unsigned_abs()))
            }
        }
    }

    /// Reads what [`Fault::written`] writes.
    ///
    /// # Errors
    ///
    /// When it is no fault, or names a host that is not there.
    pub fn read(text: &str, hosts: &[String], programs: &[usize]) -> Result<Self, Unreadable> {
        let bad = |what: String| Unreadable(format!("`{text}`: {what}"));
        let words: Vec<&str> = text.split_whitespace().collect();
        let unlike = || bad("write it like `crash b at 12s for 2s`".into());
        let (kind, rest) = words.split_first().ok_or_else(unlike)?;
        // A host may be called so, too.
        let at = rest.iter().rposition(|&word| word == "at").ok_or_else(unlike)?;
        let who = &rest[..at];
        let (when, last, amount) = match rest[at + 1..] {
            [when] => (when, None, ""),
            [when, last, amount] => (when, Some(last), amount),
            _ => return Err(unlike()),
        };
        let begins = Instant::ZERO + length(when)?;
        let host = |name: &str| {
            hosts.iter().position(|host| host == name).ok_or_else(|| {
                bad(format!("there is no host `{name}`: there are {}", hosts.join(", ")))
            })
        };
        let single = || match who {
            [one] => Ok(*one),
            _ => Err(bad(format!("`{kind}` is about one host"))),
        };
        let one = || host(single()?);
        let which = || {
            let name = single()?;
            let Some((name, number)) = name.split_once('/') else { return Ok((host(name)?, None)) };
            let host = host(name)?;
            let count = programs.get(host).copied().unwrap_or(0);
            let number = number.parse().ok().filter(|number| (1..=count).contains(number));
            match number {
                Some(number) => Ok((host, Some(number - 1))),
                None => Err(bad(format!("`{name}` has {count} programs, which count from 1"))),
            }
        };
        let lasts = || match last {
            Some("for") => length(amount),
            None => Ok(Delay::from_millis(1_000)),
            Some(_) => Err(bad("say how long it lasts: for 2s".into())),
        };
        let kind = match *kind {
            "crash" => {
                let (host, program) = which()?;
                Kind::Crash { host, program, down: lasts()? }
            }
            "power" => Kind::Power { host: one()?, down: lasts()? },
            "pause" => {
                let (host, program) = which()?;
                Kind::Pause { host, program, length: lasts()? }
            }
            "cut" if who.is_empty() => return Err(bad("say who is cut off".into())),
            "cut" => {
                let side = who.iter().map(|name| host(name)).collect::<Result<_, _>>()?;
                Kind::Cut { side, length: lasts()? }
            }
            "clock" => {
                let by = match (last, amount.strip_prefix('-')) {
                    (Some("by"), Some(back)) => -(length(back)?.as_micros() as i64),
                    (Some("by"), None) => {
                        length(amount.trim_start_matches('+'))?.as_micros() as i64
                    }
                    _ => return Err(bad("say by how much: by -30s".into())),
                };
                match who {
                    [DATABASE] if host(DATABASE).is_err() => Kind::DatabaseClock { by },
                    _ => Kind::Clock { host: one()?, by },
                }
            }
            "disk" => Kind::Disk { host: one()?, length: lasts()? },
            other if Trouble::named(other).is_some() && *who != [DATABASE] => {
                return Err(bad(format!(
                    "`{other}` is about the databases: {other} {DATABASE} at 3s"
                )));
            }
            other => {
                if let Some(trouble) = Trouble::named(other) {
                    let kind = Kind::Database { trouble, length: lasts()? };
                    return Ok(Self { at: begins, kind });
                }
                let known = Rates::NAMES.join(", ");
                return Err(bad(format!("there are no faults `{other}`: there are {known}")));
            }
        };
        Ok(Self { at: begins, kind })
    }

    /// The same fault in a fleet without some hosts; nothing if it is about those alone. `kept` has the new number of
    /// each host that stays.
    pub fn without(&self, kept: &[Option<usize>]) -> Option<Self> {
        let new = |host: usize| kept.get(host).copied().flatten();
        let kind = match &self.kind {
            Kind::Crash { host, program, down } => {
                Kind::Crash { host: new(*host)?, program: *program, down: *down }
            }
            Kind::Power { host, down } => Kind::Power { host: new(*host)?, down: *down },
            Kind::Pause { host, program, length } => {
                Kind::Pause { host: new(*host)?, program: *program, length: *length }
            }
            Kind::Cut { side, length } => {
                let side: Vec<usize> = side.iter().filter_map(|&host| new(host)).collect();
                if side.is_empty() {
                    return None;
                }
                Kind::Cut { side, length: *length }
            }
            Kind::Clock { host, by } => Kind::Clock { host: new(*host)?, by: *by },
            Kind::Disk { host, length } => Kind::Disk { host: new(*host)?, length: *length },
            Kind::Database { trouble, length } => {
                Kind::Database { trouble: *trouble, length: *length }
            }
            Kind::DatabaseClock { by } => Kind::DatabaseClock { by: *by },
        };
        Some(Self { at: self.at, kind })
    }
}

/// How often each kind of fault happens, in an hour: on each host, and cuts and what is the matter with databases in the
/// whole fleet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Programs are killed.
    pub crash: f64,
    /// Hosts lose their power.
    pub power: f64,
    /// Programs are stopped for a while.
    pub pause: f64,
    /// Hosts are cut off.
    pub cut: f64,
    /// Clocks are set.
    pub clock: f64,
    /// Disks fail.
    pub disk: f64,
    /// Databases are restarted.
    pub restart: f64,
    /// Connections to them are lost.
    pub drop: f64,
    /// They are slow.
    pub slow: f64,
    /// Nobody hears of changes in them.
    pub deaf: f64,
}

impl Rates {
    /// The kinds by name.
    pub const NAMES: [&str; 10] =
        ["crash", "power", "pause", "cut", "clock", "disk", "restart", "drop", "slow", "deaf"];

    /// Sets the rate of a kind; false if there is none of that name.
    pub fn set(&mut self, name: &str, rate: f64) -> bool {
        let field = match name {
            "crash" => &mut self.crash,
            "power" => &mut self.power,
            "pause" => &mut self.pause,
            "cut" => &mut self.cut,
            "clock" => &mut self.clock,
            "disk" => &mut self.disk,
            "restart" => &mut self.restart,
            "drop" => &mut self.drop,
            "slow" => &mut self.slow,
            "deaf" => &mut self.deaf,
            _ => return false,
        };
        *field = rate;
        true
    }

    /// About how many faults these are with so many hosts until an end.
    pub fn expected(&self, hosts: usize, until: Delay) -> f64 {
        const HOUR_MICROS: f64 = 3.6e9;
        let Self { crash, power, pause, cut, clock, disk, restart, drop, slow, deaf } = *self;
        let on_each = crash + power + pause + clock + disk;
        let in_all = cut + restart + drop + slow + deaf;
        (on_each * hosts as f64 + in_all) * (until.as_micros() as f64 / HOUR_MICROS)
    }

    /// What goes wrong in any case and what a seed lets go wrong, in order.
    pub fn beside(&self, given: &[Fault], seed: u64, hosts: usize, until: Delay) -> Vec<Fault> {
        let mut faults = given.to_vec();
        faults.extend(self.draw(seed, hosts, until));
        faults.sort_by_key(|fault| fault.at);
        faults
    }

    /// What a seed lets go wrong with so many hosts until an end, in order.
    pub fn draw(&self, seed: u64, hosts: usize, until: Delay) -> Vec<Fault> {
        const SEED: u64 = 0x6661_756c_7473_2121;
        let mut random = Seeded::new(seed ^ SEED);
        let mut faults = Vec::new();
        for host in 0..hosts {
            let crash = |down| Kind::Crash { host, program: None, down };
            draw(&mut random, self.crash, until, &mut faults, |random| crash(lasting(random)));
            draw(&mut random, self.power, until, &mut faults, |random| Kind::Power {
                host,
                down: lasting(random),
            });
            draw(&mut random, self.pause, until, &mut faults, |random| Kind::Pause {
                host,
                program: None,
                length: lasting(random),
            });
            draw(&mut random, self.clock, until, &mut faults, |random| {
                let by = lasting(random).as_micros() as i64;
                Kind::Clock { host, by: if random.choose(2) == 0 { by } else { -by } }
            });
            draw(&mut random, self.disk, until, &mut faults, |random| Kind::Disk {
                host,
                length: lasting(random),
            });
        }
        if hosts > 1 {
            draw(&mut random, self.cut, until, &mut faults, |random| {
                let mut side: Vec<usize> = (0..hosts).filter(|_| random.choose(2) == 0).collect();
                if side.is_empty() || side.len() == hosts {
                    side = vec![random.choose(hosts)];
                }
                Kind::Cut { side, length: lasting(random) }
            });
        }
        for trouble in Trouble::ALL {
            let rate = match trouble {
                Trouble::Restart => self.restart,
                Trouble::Drop => self.drop,
                Trouble::Slow => self.slow,
                Trouble::Deaf => self.deaf,
            };
            draw(&mut random, rate, until, &mut faults, |random| Kind::Database {
                trouble,
                length: lasting(random),
            });
        }
        faults.sort_by_key(|fault| fault.at);
        faults
    }
}

/// From a tenth of a second to half a minute; short ones are as likely as long ones.
fn lasting(random: &mut Seeded) -> Delay {
    const LENGTHS_MS: [usize; 6] = [100, 500, 1_000, 3_000, 10_000, 30_000];
    let longest = LENGTHS_MS[random.choose(LENGTHS_MS.len())];
    Delay::from_millis(50 + random.choose(longest) as u64)
}

/// Draws when something happens so often in an hour on average.
fn draw(
    random: &mut Seeded,
    rate: f64,
    until: Delay,
    faults: &mut Vec<Fault>,
    mut kind: impl FnMut(&mut Seeded) -> Kind,
) {
    const HOUR_MS: f64 = 3_600_000.0;
    const PARTS: usize = 1 << 24;
    if rate <= 0.0 || rate.is_nan() {
        return;
    }
    let mut at_ms = 0.0;
    loop {
        let share = (random.choose(PARTS) + 1) as f64 / PARTS as f64;
        at_ms += -share.ln() * HOUR_MS / rate;
        // Whole milliseconds, so that a run on another computer rounds alike.
        let at = Instant::from_millis(at_ms.round() as u64);
        if at >= Instant::ZERO + until {
            return;
        }
        let kind = kind(random);
        faults.push(Fault { at, kind });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["a", "b", "c"].map(str::to_owned).to_vec()
    }

    #[test]
    fn faults_are_read_as_they_are_written() {
        for text in [
            "crash b at 12s for 2s",
            "crash b/2 at 1500ms for 20ms",
            "power a at 0s for 3s",
            "pause c at 7us for 1s",
            "cut a c at 3s for 10s",
            "clock b at 5s by -30s",
            "clock b at 5s by +1500ms",
            "disk a at 4s for 1s",
            "restart database at 4s for 1s",
            "drop database at 4s for 1s",
            "slow database at 4s for 1s",
            "deaf database at 4s for 1s",
            "clock database at 4s by -1s",
        ] {
            let fault = Fault::read(text, &names(), &[1, 2, 1]).expect(text);
            assert_eq!(fault.written(&names()), text);
        }
        assert_eq!(
            Fault::read("crash b at 1.5m", &names(), &[1, 1, 1]).map(|one| one.written(&names())),
            Ok("crash b at 90s for 1s".into())
        );
        let at = ["at".to_owned()];
        let text = "crash at at 3s for 1s";
        assert_eq!(Fault::read(text, &at, &[1]).map(|one| one.written(&at)), Ok(text.into()));
    }

    #[test]
    fn what_is_no_fault_is_refused_with_a_reason() {
        for (text, why) in [
            ("", "write it like"),
            ("at", "write it like"),
            ("at 3s", "write it like"),
            ("crash", "write it like"),
            ("crash at 3s", "`crash` is about one host"),
            ("crash d at 3s", "there is no host `d`: there are a, b, c"),
            ("crash b/3 at 3s", "`b` has 2 programs"),
            ("melt b at 3s", "there are no faults `melt`"),
            ("clock b at 3s for 2s", "say by how much"),
            ("cut at 3s", "say who is cut off"),
            ("restart a at 3s", "`restart` is about the databases"),
            ("power a at soon", "`soon` is no length of time"),
            ("power a at -1s", "no length of time"),
        ] {
            let error = Fault::read(text, &names(), &[1, 2, 1]).expect_err(text);
            assert!(error.0.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn rates_are_kept_on_average_and_a_seed_repeats_them() {
        let rates = Rates { crash: 6.0, cut: 12.0, ..Rates::default() };
        let hours = Delay::from_millis(10 * 3_600_000);
        let (mut crashes, mut cuts) = (0, 0);
        for seed in 0..50 {
            let faults = rates.draw(seed, 3, hours);
            assert_eq!(faults, rates.draw(seed, 3, hours));
            crashes += faults.iter().filter(|one| matches!(one.kind, Kind::Crash { .. })).count();
            cuts += faults.iter().filter(|one| matches!(one.kind, Kind::Cut { .. })).count();
        }
        assert!((8_500..9_500).contains(&crashes), "{crashes}");
        assert!((5_600..6_400).contains(&cuts), "{cuts}");
    }
}
