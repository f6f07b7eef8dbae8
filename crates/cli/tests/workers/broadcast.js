// Broadcast channels between machines.
const { Worker, BroadcastChannel } = require('worker_threads');
const source = (name) => `
  const { parentPort, threadId } = require('worker_threads');
  const channel = new BroadcastChannel('news');
  const other = new BroadcastChannel('other');
  const log = [];
  other.onmessage = ({ data }) => log.push('other ' + data);
  channel.onmessage = ({ data, target }) => {
    log.push(data.text ?? data);
    if (data === 'end') {
      parentPort.postMessage(['${name}', log.filter((one) => one !== 'hello from ${name}').sort(), target === channel]);
      channel.close();
      other.close();
    }
  };
  parentPort.once('message', () => { channel.postMessage({ text: 'hello from ${name}' }); parentPort.postMessage('said'); });
  parentPort.postMessage('ready');
`;
const channel = new BroadcastChannel('news');
const local = new BroadcastChannel('news');
const heard = [[], []];
channel.onmessage = ({ data }) => heard[0].push(data.text ?? data);
local.onmessage = ({ data }) => heard[1].push(data.text ?? data);
const workers = ['a', 'b'].map((name) => new Worker(source(name), { eval: true }));
const state = { ready: 0, said: 0, results: [] };
for (const worker of workers) {
  worker.on('message', (message) => {
    if (message === 'ready' && ++state.ready === 2) workers.forEach((one) => one.postMessage('go'));
    else if (message === 'said' && ++state.said === 2) setTimeout(() => channel.postMessage('end'), 50);
    else if (Array.isArray(message) && state.results.push(message) === 2) {
      console.log(state.results.sort());
      console.log(heard.map((list) => list.sort()));
      channel.close();
      local.close();
    }
  });
}
