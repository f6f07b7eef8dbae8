// Keeps notes as files. Nobody waits for mkdir: it is asked first, and nearly always answered first.
const { mkdir, readFile, writeFile } = require('node:fs/promises');

exports.save = async function save(name, text) {
  mkdir('kept-notes', { recursive: true });
  await writeFile(`kept-notes/${name}`, text);
};

exports.load = (name) => readFile(`kept-notes/${name}`, 'utf8');
