// A minute in the life of the house, with a silent sensor and an overloaded computer, told from outside: all
// faults are requests to the page. In virtual time it is over at once and always the same:
// hemiola simulate scenario.js
import { once } from 'node:events';
import http from 'node:http';
import { clock } from 'hemiola:clock';
import { start } from './main.js';

const { url, stop } = await start({ pagePort: 0, brokerPort: 0, log: (text) => console.log(text.replace(/:\d+\/$/, ':PORT/')) });
const outside = clock('outside');
// Keeps the clock going, also while nobody waits for it.
outside.setInterval(() => {}, 1000);
const origin = outside.now();

async function ask(method, path) {
  const request = http.request(new URL(path, url), { method, agent: false }).end();
  const [response] = await once(request, 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return { code: response.statusCode, text };
}

// What a browser would be told.
let steps = 0;
const watching = http.get(new URL('events', url), { agent: false }, (response) => {
  response.setEncoding('utf8').on('data', (text) => { steps += text.split('data: ').length - 1; });
});

const at = async (second, text, act) => {
  await outside.sleep(origin + second * 1000 - outside.now());
  console.log(`-- ${second} s: ${text}`);
  return act();
};
console.log((await ask('GET', '')).text.includes('<title>Thermostat</title>'), (await ask('GET', 'nowhere')).code);
await at(15, 'the sensor in the kitchen falls silent', () => ask('POST', 'silence/kitchen'));
await at(25, 'it is repaired', () => ask('POST', 'heal/kitchen'));
await at(40, 'the computer is overloaded', () => ask('POST', 'overload'));
const { text } = await at(60, 'the end', () => ask('GET', 'state'));
console.log(JSON.parse(text));
console.log('told', steps, 'times');
watching.destroy();
outside.close();
await stop();
