// packages: mqtt@5.16.0
// needs: mosquitto
// worlds: live
import mqtt from 'mqtt';
import net from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

// A port that was free a moment ago.
const probe = net.createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
await once(probe, 'close');

const path = `${process.env.PATH}:/usr/sbin`;
const broker = spawn('mosquitto', ['-p', String(port)], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH: path } });
broker.stderr.setEncoding('utf8');
let said = '';
while (!said.includes('running')) said += (await once(broker.stderr, 'data'))[0];

const url = `mqtt://127.0.0.1:${port}`;
const client = await mqtt.connectAsync(url, { clientId: 'one', protocolVersion: 5, properties: { sessionExpiryInterval: 60 } });
const seen = [];
const arrived = (count) => new Promise((resolve) => {
  const check = () => (seen.length >= count ? resolve(seen.splice(0).sort()) : client.once('message', () => setImmediate(check)));
  check();
});
client.on('message', (topic, payload, packet) => seen.push(`${topic} ${payload} qos ${packet.qos} ${packet.properties?.contentType ?? ''}`));
console.log((await client.subscribeAsync({ 'plant/#': { qos: 2 }, other: { qos: 0 } })).map(({ topic, qos }) => `${topic} ${qos}`));
for (const qos of [0, 1, 2]) await client.publishAsync('plant/boiler', String(qos), { qos, properties: { contentType: 'text/plain' } });
console.log(await arrived(3));
await client.publishAsync('plant/retained', 'kept', { retain: true, qos: 1 });
console.log(await arrived(1));
const second = await mqtt.connectAsync(url, { clientId: 'two' });
const message = once(second, 'message');
await second.subscribeAsync('plant/retained');
const [topic, payload, { retain }] = await message;
console.log(topic, payload.toString(), retain);
await second.endAsync();
await Promise.all(Array.from({ length: 500 }, (_, at) => client.publishAsync('plant/many', String(at), { qos: 1 })));
console.log((await arrived(500)).length);

// The broker dies: the client notices.
const offline = new Promise((resolve) => client.once('offline', resolve));
client.on('error', () => {});
broker.kill();
console.log(await once(broker, 'exit'));
await offline;
console.log('offline', client.connected);
await client.endAsync(true);
