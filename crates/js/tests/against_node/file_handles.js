// Methods of an open file, called on something else.
(async () => {
  const handle = await require('fs').promises.open(__filename);
  for (const name of ['stat', 'read', 'readFile', 'write', 'writeFile', 'appendFile', 'chmod', 'readv', 'sync', 'truncate', 'utimes']) {
    await handle[name].call({}, Buffer.alloc(1)).catch((error) => console.log(name, error.code, error.message.split('\n')[0]));
  }
  await handle.close();
})();

// Who closes a handle, or gives it away, while calls use it.
(async () => {
  const { promises: fs } = require('fs');
  const { MessageChannel } = require('worker_threads');
  const handle = await fs.open(__filename);
  const events = [];
  const noted = (name, promise) => promise.then(() => events.push(name), (error) => events.push(`${name}: ${error.message}`));
  handle.on('close', () => events.push('event'));
  const read = noted('read', handle.readFile());
  const { port1 } = new MessageChannel();
  try {
    port1.postMessage(handle, [handle]);
  } catch (error) {
    events.push(`${error.name}: ${error.message}`);
  }
  const ends = [noted('closed', handle.close()), noted('closed again', handle.close())];
  events.push(handle.fd === -1);
  await Promise.all([read, ...ends]);
  events.push(handle.fd);
  await noted('stat', handle.stat());
  console.log(events);
})();
