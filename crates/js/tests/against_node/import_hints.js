// What an import of what is not there says.
const fs = require('fs');
const path = require('path');

// Imports of what is not there say what may have been meant.
const importing = async () => {
  const directory = fs.mkdtempSync(`${require('os').tmpdir()}/findings-`);
  const packages = `${directory}/node_modules`;
  for (const name of ['p/one.js', 'p/in dir#%25/index.js', 'lone.js']) {
    fs.mkdirSync(path.dirname(`${packages}/${name}`), { recursive: true });
    fs.writeFileSync(`${packages}/${name}`, '');
  }
  fs.mkdirSync(`${directory}/a b#`);
  fs.writeFileSync(`${directory}/a b#/index.js`, '');
  const { href } = require('url').pathToFileURL(directory);
  const wanted = [
    './a%20b%23', 'p/one', 'p/in dir#%25', 'lone', 'lone.js', 'none', `${href}/node_modules/lone`, `${directory}/node_modules/p/one`,
    `${href}/node_modules/p`,
  ];
  fs.writeFileSync(`${directory}/main.mjs`, 'export const load = (name) => import(name);');
  const { load } = await import(`${href}/main.mjs`);
  for (const name of wanted) {
    await load(name).then(() => console.log(name, 'is there'), ({ code, message }) => {
      console.log(name.replace(directory, ''), code, message.replaceAll(directory, ''));
    });
  }
  fs.rmSync(directory, { recursive: true });
};

importing();
