// A file as a blob can be read as long as it is what it was.
const fs = require('fs');
(async () => {
  fs.writeFileSync('file', '0123456789');
  const blob = await fs.openAsBlob('file', { type: 'text/plain' });
  const part = blob.slice(2, 5);
  console.log(blob.size, blob.type, await blob.text(), await part.text());
  const failed = async (name, act) => {
    try {
      console.log(name, await act());
    } catch (error) {
      console.log(name, error.constructor.name, error.name, error.message);
    }
  };
  const all = async () => {
    await failed('text', () => blob.text());
    await failed('bytes', () => blob.arrayBuffer());
    await failed('slice', () => part.text());
    await failed('stream', async () => { for await (const bytes of blob.stream()) console.log(bytes.length); });
  };
  await failed('clone', () => structuredClone(blob));
  fs.writeFileSync('file', 'changed');
  await all();
  fs.unlinkSync('file');
  await all();
  console.log(blob.size);
  try {
    await fs.openAsBlob('file');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
})();
