// Files of somebody else, in the working directory.
const fs = require('fs');

const show = (error) => {
  const { name, code, errno, syscall, message } = error;
  return [name, code, errno, syscall, message.replaceAll(process.cwd(), '.'), ...['path', 'dest'].filter((key) => key in error)].join(' | ');
};
const calls = [
  ['readFile', 'secret'], ['readFile', 'shut/file'], ['writeFile', 'secret', 'x'], ['writeFile', 'new', 'x'], ['appendFile', 'secret', 'x'],
  ['open', 'secret', 'r+'], ['access', 'secret', fs.constants.R_OK], ['access', 'secret', fs.constants.W_OK], ['access', 'secret'],
  ['stat', 'shut/file'], ['lstat', 'shut/file'], ['readdir', 'shut'], ['opendir', 'shut'], ['mkdir', 'new'],
  ['mkdtemp', 'new-'], ['unlink', 'secret'], ['rmdir', 'shut'], ['rm', 'secret'], ['rm', 'shut', { recursive: true, force: true }],
  ['rename', 'secret', 'other'], ['link', 'open', 'other'], ['symlink', 'open', 'other'], ['copyFile', 'secret', 'other'],
  ['copyFile', 'open', 'other'], ['chmod', 'open', 0o777], ['chown', 'open', 0, 0], ['utimes', 'open', 1, 1], ['truncate', 'secret'],
  ['realpath', 'shut/file'], ['cp', 'secret', 'other'],
];

(async () => {
  console.log(process.getuid() !== 0, fs.readFileSync('open', 'utf8'));
  for (const [name, ...args] of calls) {
    const forms = [
      () => fs[`${name}Sync`](...args),
      () => new Promise((resolve, reject) => fs[name](...args, (error, value) => (error ? reject(error) : resolve(value)))),
      () => fs.promises[name](...args),
    ];
    const results = new Set();
    for (const form of forms) {
      try {
        await form();
        results.add('fine');
      } catch (error) {
        results.add(show(error).replace(/new-\w{6}\b/, 'new-??????'));
      }
    }
    console.log(name, args.join(' '));
    for (const result of results) console.log('  ', result);
  }
  for (const stream of [fs.createReadStream('secret'), fs.createWriteStream('secret'), fs.createWriteStream('new')]) {
    await new Promise((resolve) => stream.on('error', (error) => console.log(show(error))).on('close', resolve));
  }
})();
