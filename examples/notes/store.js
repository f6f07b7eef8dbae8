// Keeps notes as files. Nobody waits for mkdir: it is asked first, and nearly always answered first.
const { mkdir, readFile, writeFile } = require('node:fs/promises');

exports.save = async function save(name, text) {
  mkdir('notes', { recursive: true });
  await writeFile(`notes/${name}`, text);
};

exports.load = (name) => readFile(`notes/${name}`, 'utf8');
