//! The table of all calls.

use super::{
    Argument, Aside, Descriptor, Expected, FilePath, FileRef, Mishaps, Nullable, Pieces, Position,
    Program, Record, Resource, Rest, Secret, Touches, Trailing, calls, malformed, no_such,
};
use crate::need::Access::{Read, Write};
use crate::need::Last::{Followed, Link, Name};
use crate::need::Need::{self, *};
use crate::sockets::{Connect, Listen};
use crate::value::{Datum, Fault};

/// Whoever has a descriptor was allowed the file when it was opened.
const OPENED: &str = "the file was allowed when it was opened";
/// Whoever has a stream was allowed its peer when it was made.
const CONNECTED: &str = "the peer was allowed when the connection was made";
/// The same for datagrams.
const BOUND: &str = "the place was allowed when the socket was bound";
/// A child is only known to who was allowed to start it.
const STARTED: &str = "the program was allowed when it was started";
/// A channel comes from whoever started the process.
const CHANNEL: &str = "the channel was given to the process";
/// What workers exchange does not leave the program.
const WITHIN: &str = "it stays within the program";
/// What anybody may know, or do to oneself.
const OWN: &str = "it is about the process itself";
/// Why who the process is run by is not limited.
const SYSTEM: &str =
    "the system decides whose a process may become; what it is allowed here stays the same";
/// TLS is computed; what it says goes over a stream.
const COMPUTED: &str = "it is computed, and goes over a stream that was allowed";
/// A store is only known to who was allowed its file.
const STORE: &str = "the store's file was allowed when it was opened";

/// A database is only known to who was allowed its file, and statements open no other.
const DATABASE: &str = "the database's file was allowed when it was opened";

/// A server is only known to who was allowed to connect to it.
const DATABASE_SERVER: &str = "the server was allowed when the connection was made";

calls! {
    /// Files, and what is known of them.
    Fs(FsCall) {
        /// Opens a file and gives its descriptor.
        Open { path: FilePath, flags: i32, mode: u32 } = "fs.open",
            needs: Need::to_open(path, *flags), resource: File, touches: Files, mishaps: Files;
        /// Closes a descriptor.
        Close { fd: i32 } = "fs.close",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: Files;
        /// Leaves a descriptor to another worker of the program.
        Give { fd: i32 } = "fs.give",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: Files;
        /// Reads some bytes.
        Read { fd: i32, length: u64, position: Position } = "fs.read",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: PartOfFile;
        /// Writes some bytes.
        Write { fd: i32, bytes: Vec<u8>, position: Position } = "fs.write",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: PartOfFile;
        /// Tells later what a standard stream has taken already.
        Written { count: f64 } = "fs.written",
            needs: [Nothing(OWN)], resource: File, touches: Files, mishaps: Files;
        /// Reads a whole file.
        ReadFile { file: FileRef, flags: Trailing<i32> } = "fs.readFile",
            needs: Need::to_open_file(file, flags.0.unwrap_or(0)),
            resource: File, touches: Files, mishaps: WholeFile;
        /// Writes a whole file; for a promise piece by piece, as far as the loop can tell.
        WriteFile {
            file: FileRef, flags: i32, mode: u32, bytes: Vec<u8>, flush: bool, for_promise: Aside,
        } = "fs.writeFile",
            needs: Need::to_open_file(file, *flags), resource: File, touches: Files, mishaps: Files;
        /// What is known of a file.
        Stat { path: FilePath } = "fs.stat",
            needs: [File(Read, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// What is known of a link.
        Lstat { path: FilePath } = "fs.lstat",
            needs: [File(Read, Link, path)], resource: File, touches: Files, mishaps: Files;
        /// What is known of an open file.
        Fstat { fd: i32 } = "fs.fstat",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: Files;
        /// What is known of a file system.
        Statfs { path: FilePath } = "fs.statfs",
            needs: [File(Read, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// The names in a directory.
        Scandir { path: FilePath } = "fs.scandir",
            needs: [File(Read, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// The same, for who takes them one by one.
        Opendir { path: FilePath } = "fs.opendir",
            needs: [File(Read, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// The names in a directory and all below.
        ScanAll { path: FilePath, names_only: Trailing<bool> } = "fs.scanAll",
            needs: [File(Read, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// Makes a directory.
        Mkdir { path: FilePath, mode: u32 } = "fs.mkdir",
            needs: [File(Write, Name, path)], resource: File, touches: Files, mishaps: Files;
        /// Makes a directory and those above.
        Mkdirs { path: FilePath, mode: u32 } = "fs.mkdirs",
            needs: [File(Write, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// Makes a directory that nobody else may enter.
        Mkdtemp { path: FilePath } = "fs.mkdtemp",
            needs: [File(Write, Name, path)], resource: File, touches: Files, mishaps: Files;
        /// Removes an empty directory.
        Rmdir { path: FilePath } = "fs.rmdir",
            needs: [File(Write, Name, path)], resource: File, touches: Files, mishaps: Files;
        /// Removes a name of a file.
        Unlink { path: FilePath } = "fs.unlink",
            needs: [File(Write, Name, path)], resource: File, touches: Files, mishaps: Files;
        /// Removes whatever is there, perhaps after a look at it.
        Remove { path: FilePath, looks: Aside } = "fs.remove",
            needs: [File(Write, Name, path)], resource: File, touches: Files, mishaps: Files;
        /// Gives something another name.
        Rename { from: FilePath, to: FilePath } = "fs.rename",
            needs: [File(Read, Name, from), File(Write, Name, from), File(Write, Name, to)],
            resource: File, touches: Files, mishaps: Files;
        /// Gives a file a further name, which would open another way to it.
        Link { from: FilePath, to: FilePath } = "fs.link",
            needs: [File(Read, Link, from), File(Write, Link, from), File(Write, Name, to)],
            resource: File, touches: Files, mishaps: Files;
        /// Makes a link. Wherever it leads is looked at when it is followed.
        Symlink { target: FilePath, path: FilePath } = "fs.symlink",
            needs: [File(Write, Name, path)], resource: File, touches: Files, mishaps: Files;
        /// Copies a file.
        Copyfile { from: FilePath, to: FilePath, mode: i32 } = "fs.copyfile",
            needs: [File(Read, Followed, from), File(Write, Followed, to)], resource: File, touches: Files, mishaps: Files;
        /// Where a link leads. What follows is written where permissions are checked.
        Readlink { path: FilePath, for_check: Trailing<bool> } = "fs.readlink",
            needs: [File(Read, Link, path)], resource: File, touches: Files, mishaps: Files;
        /// The path without links.
        Realpath { path: FilePath, native: bool } = "fs.realpath",
            needs: [File(Read, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// Says who may do what.
        Chmod { path: FilePath, mode: u32 } = "fs.chmod",
            needs: [File(Write, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// The same for an open file.
        Fchmod { fd: Descriptor, mode: u32 } = "fs.fchmod",
            needs: [OpenFile(fd)], resource: File, touches: Files, mishaps: Files;
        /// Sets owner and group.
        Chown { path: FilePath, owner: i64, group: i64 } = "fs.chown",
            needs: [File(Write, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// The same for a link.
        Lchown { path: FilePath, owner: i64, group: i64 } = "fs.lchown",
            needs: [File(Write, Link, path)], resource: File, touches: Files, mishaps: Files;
        /// The same for an open file.
        Fchown { fd: Descriptor, owner: i64, group: i64 } = "fs.fchown",
            needs: [OpenFile(fd)], resource: File, touches: Files, mishaps: Files;
        /// Sets when it was last read and written, in seconds.
        Utime { path: FilePath, read: f64, written: f64 } = "fs.utime",
            needs: [File(Write, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// The same for a link.
        Lutime { path: FilePath, read: f64, written: f64 } = "fs.lutime",
            needs: [File(Write, Link, path)], resource: File, touches: Files, mishaps: Files;
        /// The same for an open file.
        Futime { fd: Descriptor, read: f64, written: f64 } = "fs.futime",
            needs: [OpenFile(fd)], resource: File, touches: Files, mishaps: Files;
        /// Cuts a file, or fills it up.
        Truncate { path: FilePath, size: i64 } = "fs.truncate",
            needs: [File(Write, Followed, path)], resource: File, touches: Files, mishaps: WholeFile;
        /// The same for an open file.
        Ftruncate { fd: i32, size: i64 } = "fs.ftruncate",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: Files;
        /// Waits until what was written would survive a crash.
        Fsync { fd: i32 } = "fs.fsync",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: Files;
        /// The same, as far as the content goes.
        Fdatasync { fd: i32 } = "fs.fdatasync",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: Files;
        /// Whether something may be done with a file.
        Access { path: FilePath, mode: u32 } = "fs.access",
            needs: [File(Read, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// Says which permissions new files do not get.
        Umask { mask: u32 } = "fs.umask",
            needs: [Nothing(OWN)], resource: File, touches: Files, mishaps: Files;
        /// Begins to watch a file.
        Watch { path: FilePath } = "fs.watch",
            needs: [File(Read, Followed, path)], resource: File, touches: Files, mishaps: Files;
        /// Ends it.
        Unwatch { watch: i32 } = "fs.unwatch",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: Files;
        /// What has changed.
        Changes = "fs.changes",
            needs: [Nothing(OPENED)], resource: File, touches: Files, mishaps: Files;
        /// Waits until something has, unless it is known that something has.
        AwaitChanges { at_once: Trailing<bool> } = "fs.awaitChanges",
            needs: [Nothing(OPENED)], resource: Watch, touches: Files, mishaps: Files;
    }

    /// Places to listen at, and connections.
    Net(NetCall) {
        /// Listens at a place.
        Listen { place: Record } = "net.listen",
            needs: [Place(place)],
            resource: Tcp, touches: Door(Listen::place(place)), mishaps: None;
        /// Waits for somebody to connect.
        Accept { listener: u64 } = "net.accept",
            needs: [Nothing("the place was allowed when it was listened at")],
            resource: Tcp, touches: Nothing, mishaps: None;
        /// Connects to a place.
        Connect { place: Record } = "net.connect",
            needs: [Place(place)],
            resource: Tcp, touches: Knock(Connect::place(place)), mishaps: Connect;
        /// Ends listening.
        Close { listener: u64 } = "net.close",
            needs: [Nothing("the place was allowed when it was listened at")],
            resource: Tcp, touches: OwnDoor(*listener), mishaps: None;
        /// Makes a stream of a descriptor.
        Open { fd: i32 } = "net.open",
            needs: [Nothing("what was given to the process was given to the program")],
            resource: Tcp, touches: Nothing, mishaps: None;
    }

    /// What goes over connections.
    Stream(StreamCall) {
        /// Waits for bytes.
        Read { stream: u64 } = "stream.read",
            needs: [Nothing(CONNECTED)], resource: Stream, touches: Nothing, mishaps: Read(*stream);
        /// Sends bytes.
        Write { stream: u64, bytes: Pieces } = "stream.write",
            needs: [Nothing(CONNECTED)],
            resource: Stream, touches: Pipe(*stream), mishaps: Write(*stream);
        /// Sends as many as are taken at once.
        TryWrite { stream: u64, bytes: Pieces } = "stream.tryWrite",
            needs: [Nothing(CONNECTED)],
            resource: Stream, touches: Pipe(*stream), mishaps: WriteAtOnce(*stream, bytes.len());
        /// Says that nothing more will come.
        Shutdown { stream: u64 } = "stream.shutdown",
            needs: [Nothing(CONNECTED)], resource: Stream, touches: Pipe(*stream), mishaps: None;
        /// The same, if that can be said at once.
        TryShutdown { stream: u64 } = "stream.tryShutdown",
            needs: [Nothing(CONNECTED)], resource: Stream, touches: Pipe(*stream), mishaps: None;
        /// Takes back a read, unless bytes are on their way.
        Recall { stream: u64 } = "stream.recall",
            needs: [Nothing(CONNECTED)], resource: Stream, touches: Nothing, mishaps: None;
        /// Changes settings.
        Set { stream: u64, settings: Record } = "stream.set",
            needs: [Nothing(CONNECTED)], resource: Stream, touches: Nothing, mishaps: None;
        /// Closes it, perhaps so that the peer sees an error.
        Close { stream: u64, reset: Trailing<bool> } = "stream.close",
            needs: [Nothing(CONNECTED)], resource: Stream, touches: BothEnds(*stream), mishaps: None;
    }

    /// Datagrams.
    Udp(UdpCall) {
        /// Opens a socket.
        Bind { address: String, port: u16, options: Record } = "udp.bind",
            needs: [Need::to_bind(address, *port, options)],
            resource: Udp, touches: ReceiversWritten, mishaps: None;
        /// Makes a socket of a descriptor, which others may have, too.
        Open { fd: i32 } = "udp.open",
            needs: [Nothing("what was given to the process was given to the program")],
            resource: Udp, touches: Nothing, mishaps: None;
        /// Connects it to a peer, or to nobody any more.
        Connect { socket: u64, peer: Trailing<(String, u16)> } = "udp.connect",
            needs: [Need::to_reach(peer.0.as_ref().map(|(host, port)| (host.as_str(), *port)))],
            resource: Udp, touches: ReceiversWritten, mishaps: None;
        /// Its address, or its peer's.
        Address { socket: u64, of_peer: bool } = "udp.address",
            needs: [Nothing(BOUND)], resource: Udp, touches: Nothing, mishaps: None;
        /// Changes a setting.
        Set { socket: u64, name: String, values: Rest } = "udp.set",
            needs: [Nothing(BOUND)], resource: Udp, touches: ReceiversWritten, mishaps: None;
        /// Sends a datagram.
        Send { socket: u64, bytes: Vec<u8>, address: Nullable<String>, port: Nullable<u16> } = "udp.send",
            needs: [Need::to_reach(address.0.as_deref().zip(port.0))],
            resource: Udp, touches: ReceiversRead, mishaps: Datagram(bytes.len());
        /// Waits for one.
        Receive { socket: u64 } = "udp.receive",
            needs: [Nothing(BOUND)], resource: Udp, touches: Nothing, mishaps: None;
        /// Closes it.
        Close { socket: u64 } = "udp.close",
            needs: [Nothing(BOUND)], resource: Udp, touches: ReceiversWritten, mishaps: None;
    }

    /// Names of computers.
    Names(NamesCall) {
        /// The addresses of a name.
        Lookup { name: String, family: i32, hints: u32 } = "dns.lookup",
            needs: [Host(name, None)], resource: Name, touches: Nothing, mishaps: Lookup;
        /// The names of an address and a port.
        LookupService { address: String, port: u16 } = "dns.lookupService",
            needs: [Host(address, None)], resource: Service, touches: Nothing, mishaps: None;
        /// Who is asked for names.
        Servers = "dns.servers",
            needs: [Nothing("it says whom to ask, who must be allowed then")],
            resource: Name, touches: Nothing, mishaps: None;
        /// The names that this computer has for an address.
        Hosts { address: String } = "dns.hosts",
            needs: [Host(address, None)],
            resource: Name, touches: Nothing, mishaps: None;
    }

    /// Other processes.
    Child(ChildCall) {
        /// Starts a program.
        Spawn { program: Program } = "process.spawn",
            needs: [Program(program)], resource: Process, touches: Nothing, mishaps: None;
        /// Starts a program and waits for its end.
        Run { program: Program } = "process.run",
            needs: [Program(program)], resource: Process, touches: Nothing, mishaps: None;
        /// Waits for its end.
        Wait { child: u64 } = "process.wait",
            needs: [Nothing(STARTED)], resource: Process, touches: Nothing, mishaps: None;
        /// Sends it a signal.
        Kill { child: u64, signal: i32 } = "process.kill",
            needs: [Nothing(STARTED)], resource: Process, touches: Nothing, mishaps: None;
        /// Nobody asks about it any more.
        Forget { child: u64 } = "process.forget",
            needs: [Nothing(STARTED)], resource: Process, touches: Nothing, mishaps: None;
        /// Ends this process by a signal.
        Raise { signal: i32 } = "process.raise",
            needs: [Nothing(OWN)], resource: Process, touches: Nothing, mishaps: None;
        /// Waits until all is heard that children had said by now.
        Settle = "process.settle",
            needs: [Nothing(STARTED)], resource: Process, touches: Nothing, mishaps: None;
    }

    /// Channels to children, and to whoever started this process.
    Channel(ChannelCall) {
        /// Opens the one to whoever started this process.
        Open = "channel.open",
            needs: [Nothing(CHANNEL)], resource: Operation, touches: Nothing, mishaps: None;
        /// Waits for bytes.
        Read { channel: u64 } = "channel.read",
            needs: [Nothing(CHANNEL)], resource: Operation, touches: Nothing, mishaps: None;
        /// Sends bytes, and perhaps a socket, which may be one of datagrams.
        Write { channel: u64, bytes: Vec<u8>, socket: Trailing<u64>, of_datagrams: Aside } = "channel.write",
            needs: [Nothing(CHANNEL)], resource: Operation, touches: Nothing, mishaps: None;
        /// Sends as many as are taken at once.
        TryWrite { channel: u64, bytes: Vec<u8>, socket: Trailing<u64>, of_datagrams: Aside } = "channel.tryWrite",
            needs: [Nothing(CHANNEL)], resource: Operation, touches: Nothing, mishaps: None;
        /// The next socket that came.
        Take { channel: u64 } = "channel.take",
            needs: [Nothing(CHANNEL)], resource: Operation, touches: Nothing, mishaps: None;
        /// It has been opened, or is not wanted.
        Taken { fd: i32 } = "channel.taken",
            needs: [Nothing(CHANNEL)], resource: Operation, touches: Nothing, mishaps: None;
        /// Closes it.
        Close { channel: u64 } = "channel.close",
            needs: [Nothing(CHANNEL)], resource: Operation, touches: Nothing, mishaps: None;
    }

    /// The scheduler's stores.
    Store(StoreCall) {
        /// Opens a store, and gives what it holds.
        Open { path: FilePath } = "store.open",
            needs: [File(Read, Followed, path), File(Write, Followed, path)], resource: Operation, touches: Stores, mishaps: None;
        /// Makes changes durable.
        Commit { store: u64, changes: Vec<Datum>, keep: f64 } = "store.commit",
            needs: [Nothing(STORE)], resource: Operation, touches: Stores, mishaps: Commit;
        /// The newest runs of a task.
        Runs { store: u64, task: String, limit: f64 } = "store.runs",
            needs: [Nothing(STORE)], resource: Operation, touches: Stores, mishaps: None;
        /// Closes it.
        Close { store: u64 } = "store.close",
            needs: [Nothing(STORE)], resource: Operation, touches: Stores, mishaps: None;
    }

    /// Schedulers of several nodes, in a database that they share.
    Cluster(ClusterCall) {
        /// Connects to the database, and makes its tables if they are not there.
        Open { place: Record, options: Record, password: Secret } = "cluster.open",
            needs: [Place(place)], resource: Operation, touches: Stores, mishaps: None;
        /// One transaction: what is asked is a decision in the scheduler's words.
        Ask { cluster: u64, question: String } = "cluster.ask",
            needs: [Nothing(DATABASE_SERVER)], resource: Operation, touches: Stores, mishaps: None;
        /// Waits until another node has changed something.
        Listen { cluster: u64 } = "cluster.listen",
            needs: [Nothing(DATABASE_SERVER)], resource: Operation, touches: Nothing, mishaps: None;
        /// Closes the connections.
        Close { cluster: u64 } = "cluster.close",
            needs: [Nothing(DATABASE_SERVER)], resource: Operation, touches: Stores, mishaps: None;
    }

    /// Databases of `node:sqlite`.
    Sql(SqlCall) {
        /// Opens a database in a file.
        Open { path: FilePath, options: Record } = "sql.open",
            needs: [File(Read, Followed, path), File(Write, Followed, path)], resource: Operation, touches: Nothing, mishaps: None;
        /// Makes one in memory.
        Memory { options: Record } = "sql.memory",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Runs statements, and gives nothing of theirs.
        Exec { database: u64, sql: String } = "sql.exec",
            needs: [Nothing(DATABASE)], resource: Operation, touches: Nothing, mishaps: None;
        /// Looks whether a statement can run; whether it has rows.
        Prepare { database: u64, sql: String } = "sql.prepare",
            needs: [Nothing(DATABASE)], resource: Operation, touches: Nothing, mishaps: None;
        /// Runs a statement with parameters, and gives its rows.
        Query { database: u64, sql: String, named: Record, given: Vec<Datum>, options: Record } = "sql.query",
            needs: [Nothing(DATABASE)], resource: Operation, touches: Nothing, mishaps: None;
        /// Closes it.
        Close { database: u64 } = "sql.close",
            needs: [Nothing(DATABASE)], resource: Operation, touches: Nothing, mishaps: None;
    }

    /// Ports between workers.
    Port(PortCall) {
        /// Makes a channel, and gives its ends.
        Open = "port.open",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Makes a member of a group.
        Join { group: String } = "port.join",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Sends a message, with ports and memory.
        Post { port: u64, bytes: Vec<u8>, ports: Vec<u64>, memory: Vec<u64> } = "port.post",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Gives back a message that was taken.
        Return { port: u64, bytes: Vec<u8>, ports: Vec<u64>, memory: Vec<u64> } = "port.return",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Takes the next message.
        Take { port: u64 } = "port.take",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Waits for one.
        Receive { port: u64 } = "port.receive",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Sleeps until there is one, or the other end is gone.
        Await { port: u64 } = "port.await",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Closes it.
        Close { port: u64 } = "port.close",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
    }

    /// Workers.
    Worker(WorkerCall) {
        /// Starts one, whose port that is.
        Start { record: Record, port: u64 } = "worker.start",
            needs: [Workers], resource: Operation, touches: Nothing, mishaps: None;
        /// Asks it to stop.
        Stop { worker: u64 } = "worker.stop",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Waits for its end.
        Wait { worker: u64 } = "worker.wait",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Tells how its loop turns.
        Loop { worker: u64 } = "worker.loop",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
    }

    /// Memory that workers share.
    Memory(MemoryCall) {
        /// Sleeps on a word of it, for so many milliseconds at most.
        Wait { memory: u64, offset: u64, wide: bool, value: Expected, limit: Nullable<f64> } = "memory.wait",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Wakes so many who sleep there.
        Notify { memory: u64, offset: u64, count: u64 } = "memory.notify",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
    }

    /// Environments that workers share.
    Env(EnvCall) {
        /// Makes one.
        Open { variables: Record } = "env.open",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// A variable.
        Get { env: u64, name: String } = "env.get",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Sets one.
        Set { env: u64, name: String, value: String } = "env.set",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Removes one.
        Delete { env: u64, name: String } = "env.delete",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
        /// All names.
        Names { env: u64 } = "env.names",
            needs: [Nothing(WITHIN)], resource: Operation, touches: Nothing, mishaps: None;
    }

    /// The process and its computer.
    System(SystemCall) {
        /// What does not change.
        Facts = "system.facts",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
        /// The size of a terminal.
        Window { fd: u64 } = "system.window",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
        /// What the process has used.
        Usage = "system.usage",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
        /// When the loop began, and how long it has waited since.
        Loop = "system.loop",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
        /// What only the program knows; it says so, to hear it again when it is run again.
        Heap { sizes: Rest } = "system.heap",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
        /// How the terminal gives keys.
        SetRaw { raw: bool } = "system.setRaw",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Sends a signal to any process.
        Kill { pid: i32, signal: i32 } = "system.kill",
            needs: [Process(*pid)], resource: Operation, touches: Nothing, mishaps: None;
        /// The computer.
        Computer = "system.computer",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
        /// Who runs the process.
        User = "system.user",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
        /// How urgent a process is.
        Priority { pid: i32 } = "system.priority",
            needs: [Need::to_rank(*pid)],
            resource: Operation, touches: Nothing, mishaps: None;
        /// Makes it more or less urgent.
        SetPriority { pid: i32, priority: i32 } = "system.setPriority",
            needs: [Need::to_rank(*pid)],
            resource: Operation, touches: Nothing, mishaps: None;
        /// Makes the process another user's or another group's.
        Identity { what: String, ids: Rest } = "system.identity",
            needs: [Nothing(SYSTEM)], resource: Operation, touches: Nothing, mishaps: None;
        /// What lists of processes show of it.
        Title { title: String } = "system.title",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
    }

    /// Standard input.
    Input(InputCall) {
        /// Waits for bytes.
        Read = "input.read",
            needs: [Nothing("it was given to the process")],
            resource: Operation, touches: Input, mishaps: None;
    }

    /// Signals, and what else the system tells of itself.
    Signal(SignalCall) {
        /// Waits for one.
        Listen { signal: i32 } = "signal",
            needs: [Nothing(OWN)], resource: Signal, touches: Nothing, mishaps: None;
        /// Waits until somebody sets the clock on the wall.
        ClockSet = "signal.clock",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
    }

    /// What takes long and asks nobody.
    Compute(ComputeCall) {
        /// A turn of its own.
        Turn = "compute",
            needs: [Nothing(OWN)], resource: Operation, touches: Nothing, mishaps: None;
    }

    /// TLS, over streams.
    Tls(TlsCall) {
        /// Makes a context.
        Context { options: Record } = "tls.context",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// Nobody uses it any more.
        Forget { context: u64 } = "tls.forget",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// Its certificate.
        Certificate { context: u64 } = "tls.certificate",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// Makes a stream that has the program beneath it.
        Attach = "tls.attach",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// Gives it what came.
        Feed { stream: u64, bytes: Vec<u8> } = "tls.feed",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// Waits for what it has to send.
        Drain { stream: u64 } = "tls.drain",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// Hears what a client says first.
        Hello { stream: u64, options: Record } = "tls.hello",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// Agrees with the peer.
        Start { stream: u64, options: Record } = "tls.start",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// Waits for sessions to go on with.
        Session { stream: u64 } = "tls.session",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// The program trusts the peer.
        Believe { stream: u64 } = "tls.believe",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
        /// A secret that both sides can make.
        Export { stream: u64, length: u64, label: String, context: Option<Vec<u8>> } = "tls.export",
            needs: [Nothing(COMPUTED)], resource: Operation, touches: Nothing, mishaps: None;
    }
}
