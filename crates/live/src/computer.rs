//! The computer and its users. All of it but its addresses is in files; what a system does not tell there is
//! unknown.

use crate::fleet;
use hemiola_gate::{Account, Computer, Processor, User};
use std::num::NonZeroUsize;
use std::sync::OnceLock;

/// The kernel counts in hundredths of a second, whatever its own clock does.
const TICK_MS: u64 = 10;

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn line(path: &str) -> String {
    read(path).trim_end().to_owned()
}

pub(crate) fn computer() -> Computer {
    let memory = read("/proc/meminfo");
    let kib = |name: &str| 1024 * crate::system::field(&memory, name);
    let numbers = |path: &str| -> Vec<f64> {
        read(path).split_whitespace().map_while(|word| word.parse().ok()).collect()
    };
    let load = numbers("/proc/loadavg");
    let load = |at: usize| load.get(at).copied().unwrap_or(0.0);
    Computer {
        hostname: fleet::hostname()
            .map_or_else(|| line("/proc/sys/kernel/hostname"), str::to_owned),
        release: line("/proc/sys/kernel/osrelease"),
        version: line("/proc/sys/kernel/version"),
        memory_bytes: (kib("MemTotal:"), kib("MemAvailable:")),
        uptime_s: numbers("/proc/uptime").first().copied().unwrap_or(0.0),
        load: [load(0), load(1), load(2)],
        parallelism: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        processors: processors(),
        addresses: fleet::addresses().unwrap_or_else(crate::addresses::addresses),
        libc: LIBC.get_or_init(libc_version).clone(),
    }
}

static LIBC: OnceLock<Option<String>> = OnceLock::new();

/// The version of GNU's library of C: its file, which the process has mapped, tells that in a sentence.
fn libc_version() -> Option<String> {
    let maps = read("/proc/self/maps");
    let mut paths = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    let path = paths.find(|path| path.ends_with("/libc.so.6"))?;
    version_in(&std::fs::read(path).ok()?)
}

fn version_in(library: &[u8]) -> Option<String> {
    const SENTENCE: &[u8] = b"stable release version ";
    let at = memchr::memmem::find(library, SENTENCE)? + SENTENCE.len();
    let version = library[at..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.');
    let version: String = version.map(|&byte| char::from(byte)).collect();
    Some(version.trim_end_matches('.').to_owned())
}

fn processors() -> Vec<Processor> {
    let about = read("/proc/cpuinfo");
    let models = about.lines().filter(|line| line.starts_with("model name"));
    let mut models = models.filter_map(|line| Some(line.split_once(':')?.1.trim().to_owned()));
    let stat = read("/proc/stat");
    let lines = stat.lines().filter_map(|line| line.strip_prefix("cpu"));
    // The first line, without a number, is the sum of all.
    let lines = lines.filter(|line| !line.starts_with(' '));
    let one = |line: &str| {
        let mut words = line.split_whitespace();
        let number = words.next().unwrap_or_default();
        let path = format!("/sys/devices/system/cpu/cpu{number}/cpufreq/scaling_cur_freq");
        let times: Vec<u64> = words.map(|word| word.parse().unwrap_or(0)).collect();
        let time = |at: usize| times.get(at).map_or(0, |ticks| ticks * TICK_MS);
        Processor {
            model: models.next().unwrap_or_else(|| "unknown".into()),
            megahertz: line_number(&path) / 1000,
            times_ms: [time(0), time(1), time(2), time(3), time(5)],
        }
    };
    lines.map(one).collect()
}

fn line_number(path: &str) -> u64 {
    line(path).parse().unwrap_or(0)
}

/// The entry of a user.
pub(crate) fn user(id: u32) -> Option<User> {
    let entries = read("/etc/passwd");
    let mut entries = entries.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let entry =
        entries.find(|fields| fields.get(2).is_some_and(|field| field.parse() == Ok(id)))?;
    let field = |at: usize| entry.get(at).copied().unwrap_or_default().to_owned();
    Some(User { name: field(0), home: field(5), shell: field(6) })
}

/// The number of the user or the group of that name.
pub(crate) fn account(account: Account, name: &str) -> Option<u32> {
    let entries = match account {
        Account::User => read("/etc/passwd"),
        Account::Group => read("/etc/group"),
    };
    let mut entries = entries.lines().map(|line| line.split(':'));
    let mut entry =
        entries.find_map(|mut fields| (fields.next() == Some(name)).then_some(fields))?;
    entry.nth(1)?.parse().ok()
}

/// A group, and all others that a user is in.
pub(crate) fn groups_of(user: &str, one: u32) -> Vec<u32> {
    let entries = read("/etc/group");
    let members = entries.lines().filter_map(|line| {
        let mut fields = line.split(':').skip(2);
        let id: u32 = fields.next()?.parse().ok()?;
        fields.next()?.split(',').any(|member| member == user).then_some(id)
    });
    let mut groups = vec![one];
    groups.extend(members.filter(|&id| id != one));
    groups
}
