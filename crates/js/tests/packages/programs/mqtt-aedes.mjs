// packages: mqtt@5.16.0 aedes@1.2.0
import { Aedes } from 'aedes';
import mqtt from 'mqtt';
import net from 'node:net';
import { once } from 'node:events';

const broker = await Aedes.createBroker({ id: 'broker' });
const server = net.createServer(broker.handle);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `mqtt://127.0.0.1:${server.address().port}`;
broker.authenticate = (client, user, password, done) => {
  const error = user === 'bad' ? Object.assign(new Error('no'), { returnCode: 4 }) : null;
  done(error, error === null);
};
broker.on('clientDisconnect', (client) => console.log('broker: gone', client.id));

const watcher = await mqtt.connectAsync(url, { clientId: 'watcher', reconnectPeriod: 0 });
console.log(await watcher.subscribeAsync(['room/+/temperature', '$SYS/nothing'], { qos: 1 }));
const seen = [];
watcher.on('message', (topic, payload, packet) => seen.push([topic, payload.toString(), packet.qos, packet.retain]));

const sensor = await mqtt.connectAsync(url, { clientId: 'sensor', reconnectPeriod: 0, will: { topic: 'room/1/temperature', payload: 'lost', qos: 1 } });
for (const [room, celsius] of [[1, 20.5], [2, 19], [1, 21]]) {
  await sensor.publishAsync(`room/${room}/temperature`, String(celsius), { qos: 1, retain: room === 2 });
}
await sensor.publishAsync('elsewhere', 'unheard', { qos: 2 });
await sensor.publishAsync('room/3/temperature', Buffer.alloc(100_000, 'x'), { qos: 2 });
while (seen.length < 4) await once(watcher, 'message');
console.log(seen.map(([topic, payload, ...rest]) => [topic, payload.length > 10 ? payload.length : payload, ...rest]));

const late = await mqtt.connectAsync(url, { clientId: 'late', reconnectPeriod: 0 });
const retained = once(late, 'message');
await late.subscribeAsync('room/#');
const [topic, payload, packet] = await retained;
console.log('retained', topic, payload.toString(), packet.retain);
await late.endAsync();

sensor.stream.destroy();
while (seen.length < 5) await once(watcher, 'message');
console.log('will', seen[4]);
try {
  await mqtt.connectAsync(url, { username: 'bad', password: 'bad', reconnectPeriod: 0 });
} catch (error) {
  console.log(error.message, error.code);
}
await watcher.unsubscribeAsync('room/+/temperature');
await watcher.endAsync();
await sensor.endAsync(true);
broker.close(() => server.close(() => console.log('closed')));
