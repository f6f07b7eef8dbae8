// A member of a cluster of `liferaft`, over TCP: one connection for each packet and its reply. Arguments: its name, then
// those of the others. Whoever leads adds a command every 500 ms.
const net = require('node:net');
const Raft = require('liferaft');
const Log = require('liferaft/log');
const memdown = require('memdown');

const PORT = 7000;
const [name, ...others] = process.argv.slice(2);

class Member extends Raft {
  initialize() {
    net.createServer({ allowHalfOpen: true }, (socket) => {
      let said = '';
      socket.setEncoding('utf8').on('data', (text) => { said += text; }).on('error', () => {});
      socket.on('end', () => {
        // A reply may be a promise of a packet.
        this.emit('data', JSON.parse(said), async (packet) => {
          const reply = await packet;
          socket.end(reply === undefined ? '' : JSON.stringify(reply));
        });
      });
    }).listen(PORT);
  }

  write(packet, done) {
    let said = '';
    const socket = net.connect(PORT, this.address).setEncoding('utf8');
    const once = (error, reply) => {
      socket.destroy();
      done(error, reply);
      done = () => {};
    };
    socket.setTimeout(1000, () => once(new Error('nobody answers')));
    socket.on('error', once).on('data', (text) => { said += text; });
    socket.on('end', () => once(undefined, said === '' ? undefined : JSON.parse(said)));
    socket.end(JSON.stringify(packet));
  }
}

obs('begins');

// Names are addresses; the log is in memory, as the library's own state is.
const raft = new Member(name, {
  Log, adapter: memdown, path: name, 'election min': '500 ms', 'election max': '1000 ms', heartbeat: '100 ms',
});
for (const other of others) raft.join(other);
raft.on('error', () => {});
raft.on('leader', () => obs(`leader ${raft.term}`));
raft.on('commit', ({ command }) => obs(`commit ${command}`));

let count = 0;
setInterval(async () => {
  if (raft.state !== Raft.LEADER) return;
  count += 1;
  await raft.command({ command: `${name}-${count}` });
}, 500);
