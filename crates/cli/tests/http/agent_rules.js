// The rules AGENT-1 to AGENT-10 of docs/library/http.md, one by one.
const http = require('http');
const net = require('net');

const attempt = (act) => {
  try {
    return act();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
const sizes = (lists) => Object.values(lists).map((list) => list.length).join('+') || '0';
const state = (agent) => `busy ${sizes(agent.sockets)} free ${sizes(agent.freeSockets)} waiting ${sizes(agent.requests)} in all ${agent.totalSocketCount}`;

let heldBack = [];
const serve = (request, response) => {
  const send = () => response.end(request.url);
  if (request.url.startsWith('/hold')) heldBack.push(send);
  else send();
};
const letGo = () => { heldBack.splice(0).forEach((send) => send()); };
const servers = [http.createServer(serve), http.createServer(serve)];

/// Asks, and says when the connection is free again.
function ask(agent, path, options = {}) {
  const { server = 0, ...rest } = options;
  const request = http.get({ agent, path, host: '127.0.0.1', port: servers[server].address().port, ...rest });
  const done = new Promise((resolve) => {
    request.on('response', (response) => response.resume());
    request.on('error', (error) => resolve(`${path} ${error.code ?? error.message}`));
    request.on('close', () => setTimeout(resolve, 2, `${path} ${request.reusedSocket ? 'again' : 'new'}`));
  });
  return { request, done };
}

async function settings() {
  // AGENT-1: what it is told.
  for (const options of [undefined, { keepAlive: true, keepAliveMsecs: 5, maxSockets: 3, maxFreeSockets: 2, scheduling: 'fifo', maxTotalSockets: 4, timeout: 7 }]) {
    const agent = new http.Agent(options);
    console.log('AGENT-1', agent.defaultPort, agent.protocol, agent.keepAlive, agent.keepAliveMsecs, agent.maxSockets, agent.maxFreeSockets,
      agent.scheduling, agent.maxTotalSockets, agent.totalSocketCount, JSON.stringify(agent.options), agent.sockets, agent.freeSockets, agent.requests);
  }
  for (const options of [{ scheduling: 'x' }, { maxTotalSockets: 0 }, { maxTotalSockets: 'x' }, { maxTotalSockets: -1 }, { scheduling: null }]) {
    console.log('AGENT-1', attempt(() => String(new http.Agent(options) instanceof http.Agent)));
  }
  console.log('AGENT-1', http.Agent() instanceof http.Agent, Object.keys(http.Agent.prototype).join());
  // AGENT-2: connections with one name are alike.
  const agent = new http.Agent();
  for (const options of [undefined, {}, { host: 'h' }, { port: 1 }, { localAddress: 'l' }, { family: 4 }, { family: 6 }, { family: 5 },
    { socketPath: '/s' }, { host: 'h', port: 1, localAddress: 'l', family: 6, socketPath: '/s' }]) {
    console.log('AGENT-2', agent.getName(options));
  }
}

async function reuse() {
  // AGENT-3: a free connection is taken first; the order is the scheduling.
  for (const scheduling of ['lifo', 'fifo']) {
    const agent = new http.Agent({ keepAlive: true, scheduling });
    const both = [ask(agent, '/hold1'), ask(agent, '/hold2')];
    while (heldBack.length < 2) await turn();
    heldBack.shift()();
    const first = await Promise.race(both.map(({ done }) => done));
    letGo();
    await Promise.all(both.map(({ done }) => done));
    const [older, newer] = Object.values(agent.freeSockets)[0];
    const { request, done } = ask(agent, '/3');
    console.log('AGENT-3', scheduling, first.length, state(agent), request.reusedSocket);
    await turn();
    await done;
    const free = Object.values(agent.freeSockets)[0];
    console.log('AGENT-3', scheduling, free.length, free.at(-1) === (scheduling === 'lifo' ? newer : older), state(agent));
    // One that has gone is not taken.
    newer.destroyed || newer.destroy();
    older.destroyed || older.destroy();
    console.log('AGENT-3', await ask(agent, '/4').done);
    agent.destroy();
    await turn();
    console.log('AGENT-3', state(agent));
  }
  // AGENT-4: who does not get one waits in line.
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const all = [ask(agent, '/hold1'), ask(agent, '/2'), ask(agent, '/3'), ask(agent, '/4', { server: 1 })];
  console.log('AGENT-4', state(agent));
  while (heldBack.length < 1) await turn();
  console.log('AGENT-4', await all[3].done, state(agent));
  letGo();
  console.log('AGENT-4', (await Promise.all(all.map(({ done }) => done))).join(), state(agent));
  agent.destroy();
  await turn();
  // One that gives up while it waits is passed over.
  const giving = [ask(agent, '/hold1'), ask(agent, '/2'), ask(agent, '/3')];
  giving[1].request.destroy();
  console.log('AGENT-4', await Promise.race([giving[1].done, turn()]), state(agent));
  while (heldBack.length < 1) await turn();
  letGo();
  console.log('AGENT-4', (await Promise.all(giving.map(({ done }) => done))).join(), state(agent));
  agent.destroy();
}

async function keeping() {
  // AGENT-5: what is kept.
  const plain = new http.Agent();
  console.log('AGENT-5', await ask(plain, '/1').done, state(plain));
  const few = new http.Agent({ keepAlive: true, maxFreeSockets: 1 });
  const two = [ask(few, '/hold1'), ask(few, '/hold2')];
  while (heldBack.length < 2) await turn();
  letGo();
  await Promise.all(two.map(({ done }) => done));
  await turn();
  console.log('AGENT-5', state(few));
  few.destroy();
  const none = new http.Agent({ keepAlive: true });
  none.keepSocketAlive = (socket) => { console.log('AGENT-5 asked', socket instanceof net.Socket); return false; };
  console.log('AGENT-5', await ask(none, '/1').done);
  await turn();
  console.log('AGENT-5', state(none));
  const closing = new http.Agent({ keepAlive: true });
  console.log('AGENT-5', await ask(closing, '/1', { headers: { connection: 'close' } }).done, state(closing));
  const events = new http.Agent({ keepAlive: true });
  events.on('free', (socket, { port, host, _agentKey }) => console.log('AGENT-5 free', typeof port, host, _agentKey === events.getName({ port, host }), socket._httpMessage));
  const { request, done } = ask(events, '/1');
  const [socket] = await require('events').once(request, 'socket');
  await done;
  console.log('AGENT-5', socket._httpMessage, socket.timeout, ['free', 'close', 'timeout', 'agentRemove', 'error'].map((name) => socket.listenerCount(name)).join());
  // AGENT-6: one that breaks while it is free goes quietly.
  socket.emit('error', new Error('broken'));
  await turn();
  console.log('AGENT-6', state(events), socket.destroyed);
  // One that is given away is not the agent's any more.
  const given = new http.Agent({ keepAlive: true });
  const asked = ask(given, '/hold1');
  const [away] = await require('events').once(asked.request, 'socket');
  away.emit('agentRemove');
  console.log('AGENT-6', state(given), ['free', 'close', 'timeout', 'agentRemove'].map((name) => away.listenerCount(name)).join());
  away.destroy();
  await asked.done;
  heldBack = [];
  console.log('AGENT-6', given.totalSocketCount);
}

async function limits() {
  // AGENT-7: a limit for all names.
  const agent = new http.Agent({ keepAlive: true, maxTotalSockets: 1 });
  const all = [ask(agent, '/hold1'), ask(agent, '/2', { server: 1 }), ask(agent, '/3')];
  console.log('AGENT-7', state(agent));
  while (heldBack.length < 1) await turn();
  letGo();
  console.log('AGENT-7', (await Promise.all(all.map(({ done }) => done))).join());
  agent.destroy();
  await turn();
  console.log('AGENT-7', state(agent));
  // A connection that goes makes room.
  const plain = new http.Agent({ maxSockets: 1 });
  const three = [ask(plain, '/1'), ask(plain, '/2'), ask(plain, '/3')];
  console.log('AGENT-7', state(plain));
  console.log('AGENT-7', (await Promise.all(three.map(({ done }) => done))).join());
  plain.destroy();
  await turn();
  console.log('AGENT-7', state(plain));
}

async function makers() {
  // AGENT-8: connections are made by createConnection, at once or later.
  const agent = new http.Agent();
  agent.createConnection = (options, callback) => {
    console.log('AGENT-8', typeof options.port, options.host, options.path, options.servername, options.encoding, options._agentKey === agent.getName(options), typeof callback);
    setTimeout(() => callback(null, net.connect(options)), 1);
  };
  console.log('AGENT-8', await ask(agent, '/1').done);
  console.log('AGENT-8', await ask(agent, '/1', { headers: { Host: 'example.com:1' } }).done);
  console.log('AGENT-8', await ask(agent, '/1', { headers: { Host: '[::1]:1' } }).done);
  console.log('AGENT-8', await ask(agent, '/1', { headers: { Host: '[::x]:1' } }).done);
  agent.createConnection = (options, callback) => { setTimeout(callback, 1, new Error('later')); };
  console.log('AGENT-8', await ask(agent, '/1').done, state(agent));
  agent.createConnection = (options, callback) => { const socket = net.connect(options); callback(null, socket); callback(new Error('twice')); return socket; };
  console.log('AGENT-8', await ask(agent, '/1').done);
  agent.createConnection = () => { throw new Error('thrown'); };
  console.log('AGENT-8', attempt(() => String(ask(agent, '/1'))), state(agent));
}

async function timeouts() {
  // AGENT-9: how long it is kept.
  const hint = (value) => ({ _httpMessage: { res: { headers: { 'keep-alive': value } } }, timeout: 0, calls: [],
    setKeepAlive(...args) { this.calls.push('keep', ...args); }, unref() { this.calls.push('unref'); },
    setTimeout(ms) { this.calls.push('timeout', ms); this.timeout = ms; } });
  for (const timeout of [undefined, 3000]) {
    const agent = new http.Agent({ keepAlive: true, timeout });
    for (const value of [undefined, 'timeout=2', 'timeout=5', 'timeout=0', 'timeout=1', 'timeout=4', 'timeout=3', 'max=3, timeout=2', 'timeout=x']) {
      const socket = hint(value);
      console.log('AGENT-9', timeout, value, agent.keepSocketAlive(socket), socket.calls.join());
    }
    const socket = { calls: [], ref() { this.calls.push('ref'); }, removeListener(name) { this.calls.push(name); } };
    const request = {};
    agent.reuseSocket(socket, request);
    console.log('AGENT-9', request, socket.calls.join());
  }
  const agent = new http.Agent({ keepAlive: true, timeout: 30 });
  const { request, done } = ask(agent, '/1');
  const [socket] = await require('events').once(request, 'socket');
  await done;
  console.log('AGENT-9', socket.timeout, state(agent));
  await new Promise((resolve) => socket.on('close', resolve));
  console.log('AGENT-9', state(agent));
  console.log('AGENT-9', await ask(agent, '/2', { timeout: 50 }).done);
  agent.destroy();
  await turn();
}

async function legacy() {
  // AGENT-10: requests of any make, and other forms of arguments.
  const agent = new http.Agent({ maxSockets: 1 });
  const sockets = [];
  const like = { getHeader: () => undefined, onSocket(socket, error) { sockets.push(socket ?? error.message); } };
  agent.createConnection = () => new net.Socket();
  agent.addRequest(like, 'host', 80, 'local');
  agent.addRequest(like, { host: 'host', port: 80, localAddress: 'local' });
  console.log('AGENT-10', Object.keys(agent.sockets).join(), Object.keys(agent.requests).join(), state(agent));
  await turn();
  console.log('AGENT-10', sockets.length, sockets[0] instanceof net.Socket);
  sockets[0].destroy();
  await turn();
  console.log('AGENT-10', sockets.length, state(agent));
  agent.destroy();
  // keylog comes from every connection.
  const logging = new http.Agent();
  logging.createConnection = agent.createConnection;
  logging.on('keylog', (line, origin) => console.log('AGENT-10', line, origin === sockets.at(-1)));
  logging.addRequest(like, { host: 'other' });
  await turn();
  sockets.at(-1).emit('keylog', 'a');
  logging.destroy();
}

servers[0].listen(0, '127.0.0.1', () => servers[1].listen(0, '127.0.0.1', async () => {
  await settings();
  await reuse();
  await keeping();
  await limits();
  await makers();
  await timeouts();
  await legacy();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
}));
