// The standard streams of workers: through the parent, or kept by it.
const { Worker } = require('worker_threads');
const text = (stream) => new Promise((resolve) => {
  let all = '';
  stream.setEncoding('utf8').on('data', (chunk) => { all += chunk; }).on('end', () => resolve(all));
});
(async () => {
  const worker = new Worker(`
    process.stdin.setEncoding('utf8');
    let all = '';
    process.stdin.on('data', (chunk) => { all += chunk; });
    process.stdin.on('end', () => {
      console.log('read', JSON.stringify(all));
      process.stdout.write(Buffer.from([0xe2, 0x82]));
      process.stdout.write(Buffer.from([0xac, 10]));
      process.stdout.write('caf\\u00e9\\n', 'latin1');
      console.error('to stderr');
      console.table([{ a: 1 }]);
      process.stdout.write('done', () => process.exit(3));
    });
  `, { eval: true, stdin: true, stdout: true, stderr: true });
  console.log(worker.stdin !== null, worker.stdout.constructor.name, worker.stdin.constructor.name);
  worker.stdin.write('first ');
  worker.stdin.end('second €');
  const [out, err] = await Promise.all([text(worker.stdout), text(worker.stderr)]);
  console.log(JSON.stringify(out), JSON.stringify(err));

  const plain = new Worker(`
    console.log('one'); console.log('two', { three: 3 });
    process.stdout.write('four\\n');
    process.stdin.on('end', () => console.log('nothing to read')).resume();
    console.log(process.stdout.isTTY, process.stdout.fd, process.stdin.fd);
    setTimeout(() => { for (let i = 0; i < 5; ++i) console.log('late', i); process.exit(0); }, 5);
  `, { eval: true });
  console.log(plain.stdin);
  await new Promise((resolve) => plain.on('exit', (code) => { console.log('exit', code); resolve(); }));

  const many = new Worker(`for (let i = 0; i < 2000; ++i) process.stdout.write('line ' + i + '\\n');`, { eval: true, stdout: true });
  const lines = (await text(many.stdout)).split('\n');
  console.log(lines.length, lines[0], lines[1999]);

  const direct = new Worker(`require('fs').writeSync(1, 'straight to the descriptor\\n')`, { eval: true, stdout: true });
  console.log(JSON.stringify(await text(direct.stdout)));
})();
