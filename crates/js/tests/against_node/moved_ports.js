// Ports that go to a context of vm: what they are, what they receive and what they refuse.
const { BlockList } = require('net');
const { promises: { open } } = require('fs');
const vm = require('vm');
const { MessageChannel, MessagePort, moveMessagePortToContext, receiveMessageOnPort } = require('worker_threads');

const context = vm.createContext({ told: console.log });
const told = (name, f) => {
  try {
    console.log(name, f());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};

function pair() {
  const { port1, port2 } = new MessageChannel();
  return [moveMessagePortToContext(port1, context), port2];
}

async function main() {
  for (const bad of [undefined, null, 1, {}, 'context', globalThis]) {
    const { port1 } = new MessageChannel();
    told(String(bad), () => moveMessagePortToContext(port1, bad));
    port1.close();
  }
  told('no port', () => moveMessagePortToContext({}, context));
  {
    const [moved, other] = pair();
    console.log(moved instanceof MessagePort, moved instanceof EventTarget, Object.keys(moved), moved.onmessage, moved.hasRef());
    told('new', () => new moved.constructor());
    told('start', () => moved.start.call({}));
    told('nothing', () => moved.postMessage());
    told('function', () => moved.postMessage(() => 1));
    told('itself', () => moved.postMessage(moved, [moved]));
    told('context', () => vm.runInContext('(port) => port.postMessage(globalThis)', context)(moved));
    told('unref', () => [moved.unref(), moved.hasRef(), moved.ref(), moved.hasRef()]);
    other.postMessage({ at: 'once' });
    console.log(receiveMessageOnPort(moved), receiveMessageOnPort(moved));
    await new Promise((resolve) => { moved.close(resolve); });
  }
  {
    const [moved, other] = pair();
    const file = await open(__filename);
    const { port1, port2 } = new MessageChannel();
    vm.runInContext(`(function(port) {
      const tell = function(event) {
        told(event.type, this === port, event.target === port, Object.keys(event), event instanceof Object, event.constructor.name);
        told(event.data instanceof Error ? [event.data.code, event.data.message] : event.data, event.ports.length);
        if (event.data.port !== undefined) {
          event.data.port.onmessage = (event) => event.target.postMessage(event.data + 1);
          event.data.port.start();
        }
        if (event.data === 'end') port.close();
      };
      port.onmessage = tell;
      port.onmessageerror = tell;
      port.start();
    })`, context)(moved);
    other.postMessage([1, new Map([['a', { b: 1n }]])]);
    other.postMessage(new BlockList());
    other.postMessage({ file }, [file]);
    console.log(file.fd);
    const answered = new Promise((resolve) => {
      port2.on('message', (answer) => {
        console.log('answer', answer);
        port2.close();
        resolve();
      });
    });
    other.postMessage({ port: port1, list: [port1] }, [port1]);
    port2.postMessage(1);
    await answered;
    other.postMessage('end');
    await new Promise((resolve) => { other.on('close', resolve); });
  }
  {
    // And back.
    const [moved, other] = pair();
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(moved, [moved]);
    const back = await new Promise((resolve) => { port2.once('message', resolve); });
    console.log(back instanceof MessagePort);
    other.postMessage('here');
    console.log(await new Promise((resolve) => { back.once('message', resolve); }));
    back.close();
    port2.close();
  }
}
main();
