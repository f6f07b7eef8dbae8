// Methods of an open file, called on something else.
(async () => {
  const handle = await require('fs').promises.open(__filename);
  for (const name of ['stat', 'read', 'readFile', 'write', 'writeFile', 'appendFile', 'chmod', 'readv', 'sync', 'truncate', 'utimes']) {
    await handle[name].call({}, Buffer.alloc(1)).catch((error) => console.log(name, error.code, error.message.split('\n')[0]));
  }
  await handle.close();
})();
