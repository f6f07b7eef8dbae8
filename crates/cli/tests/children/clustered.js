// cluster: workers that serve together, and how they come and go. Rule CLUSTER-10.
const cluster = require('cluster');
const http = require('http');
const net = require('net');

if (cluster.isPrimary) {
  primary();
} else {
  const { worker } = cluster;
  const server = http.createServer((request, response) => response.end(`worker ${worker.id}`));
  const lines = net.createServer((socket) => socket.end(`line of ${worker.id}`));
  process.on('message', (message, handle) => {
    if (message === 'listen') {
      server.listen(0, '127.0.0.1', () => lines.listen(0, '127.0.0.1', () => worker.send({ http: server.address().port, lines: lines.address().port })));
    } else if (message === 'facts') {
      worker.send([cluster.isWorker, cluster.isPrimary, cluster.isMaster, worker.id, worker === cluster.worker, process.env.NODE_UNIQUE_ID, worker.isConnected(), worker.isDead(), typeof cluster.fork, process.argv.slice(2), handle]);
    } else if (message === 'leave') {
      worker.disconnect();
    } else if (message === 'exit') {
      process.exit(3);
    } else if (message === 'taken') {
      const again = net.createServer().on('error', (error) => worker.send([error.code, error.syscall, error.message.replace(/\d+$/, 'N')]));
      again.listen(Number(process.env.TAKEN), '127.0.0.1');
    }
  });
}

function ask(port) {
  return new Promise((resolve) => http.get({ port, host: '127.0.0.1', agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk) => { text += chunk; }).on('end', () => resolve(text));
  }));
}
function line(port) {
  return new Promise((resolve) => {
    let text = '';
    net.connect(port, '127.0.0.1').setEncoding('utf8').on('data', (chunk) => { text += chunk; }).on('close', () => resolve(text));
  });
}

async function primary() {
  const event = (name, emitter = cluster) => new Promise((resolve) => emitter.once(name, (...args) => resolve(args)));
  const heard = [];
  for (const name of ['fork', 'online', 'listening', 'disconnect', 'exit']) {
    cluster.on(name, ({ id }, ...rest) => heard.push([name, id, ...rest.map((value) => (typeof value === 'object' && value ? { ...value, port: typeof value.port } : value))]));
  }
  console.log(cluster.isMaster, cluster.isWorker, cluster.worker, cluster.workers, cluster.settings, cluster.schedulingPolicy, cluster.SCHED_NONE, cluster.SCHED_RR);
  const taken = net.createServer().listen(0, '127.0.0.1');
  await event('listening', taken);
  // CLUSTER-1 and CLUSTER-2.
  cluster.setupPrimary({ args: ['an', 'argument'] });
  const workers = [cluster.fork(), cluster.fork({ TAKEN: taken.address().port })];
  console.log(workers.map(({ id, state, exitedAfterDisconnect }) => [id, state, exitedAfterDisconnect]), Object.keys(cluster.workers));
  await Promise.all(workers.map((worker) => event('online', worker)));

  workers[0].send('facts');
  console.log((await event('message', workers[0]))[0]);
  const ports = [];
  for (const worker of workers) {
    worker.send('listen');
    ports.push((await event('message', worker))[0]);
  }
  console.log(ports[0].http === ports[1].http, ports[0].lines === ports[1].lines, ports[0].http !== ports[0].lines);
  // CLUSTER-3 and CLUSTER-4.
  console.log(workers.map(({ state }) => state), workers[0].isConnected(), workers[0].isDead());

  // Each gets its share: CLUSTER-9.
  const served = { };
  for (let at = 0; at < 10; at++) {
    const text = await ask(ports[0].http);
    served[text] = (served[text] ?? 0) + 1;
  }
  console.log(Object.entries(served).sort());
  console.log((await Promise.all(Array.from({ length: 20 }, () => line(ports[0].lines)))).every((text) => /^line of [12]$/.test(text)));

  workers[1].send('taken');
  console.log((await event('message', workers[1]))[0]);

  // CLUSTER-5 and CLUSTER-6.
  workers[0].send('leave');
  console.log((await event('exit'))[1], workers[0].exitedAfterDisconnect, Object.keys(cluster.workers));
  console.log(await ask(ports[0].http), await line(ports[0].lines));

  workers[1].send('exit');
  console.log((await event('exit')).slice(1), workers[1].exitedAfterDisconnect, workers[1].isDead());

  const third = cluster.fork();
  await event('online', third);
  // CLUSTER-7.
  third.kill();
  console.log((await event('exit')).slice(1), third.exitedAfterDisconnect);

  const more = [cluster.fork(), cluster.fork()];
  await Promise.all(more.map((worker) => event('online', worker)));
  // CLUSTER-8.
  const gone = more.map((worker) => event('exit', worker));
  await new Promise((resolve) => cluster.disconnect(resolve));
  console.log(Object.keys(cluster.workers));
  await Promise.all(gone);
  await order();
  taken.close();
  process.on('exit', () => {
    for (const name of ['fork', 'online', 'listening', 'disconnect', 'exit']) console.log(heard.filter(([other]) => other === name).sort((one, other) => one[1] - other[1]));
  });
}

// CLUSTER-3 to CLUSTER-5, CLUSTER-8: what comes when.
async function order() {
  const log = [];
  const say = (...words) => log.push(words.join(' '));
  for (const name of ['setup', 'fork', 'online', 'message', 'disconnect', 'exit']) {
    cluster.on(name, (worker, ...rest) => say(name, worker.state, worker.exitedAfterDisconnect, JSON.stringify(rest)));
  }
  await new Promise((resolve) => {
    cluster.disconnect(() => {
      say('nobody was left');
      resolve();
    });
    say('after the call');
  });
  const worker = cluster.fork();
  say('forked', worker.state, worker.isDead(), worker.isConnected());
  worker.on('online', () => {
    say('own online');
    worker.send('facts');
  });
  worker.on('message', () => {
    say('own message');
    cluster.disconnect(() => say('all left', Object.keys(cluster.workers).length, worker.state));
    say('after the call', Object.keys(cluster.workers).length, worker.exitedAfterDisconnect, worker.isConnected());
  });
  worker.on('disconnect', () => say('own disconnect'));
  await new Promise((resolve) => worker.on('exit', () => setImmediate(resolve)));
  console.log(log);
  const { Worker } = cluster;
  console.log(new Worker().state, Worker({ id: '7', state: 'x' }).id, Worker(5).id, new Worker({ process: worker.process }).isDead());
}
