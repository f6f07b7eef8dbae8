// A program of a host that starts another, and starts it again when it is gone.
const { fork } = require('child_process');
const { hostname } = require('os');
if (process.argv[2] === 'child') {
  const fs = require('fs');
  let count = fs.existsSync('count') ? Number(fs.readFileSync('count', 'utf8')) : 0;
  console.log('child begins with', count, 'on', hostname(), process.pid, process.ppid);
  setInterval(() => {
    fs.writeFileSync('count', String(++count));
    obs(`${hostname()} ${count}`);
    process.send?.(count);
  }, 1000);
  process.on('message', (message) => { console.log('asked to', message); process.exit(0); });
  process.on('disconnect', () => console.log('the parent is gone'));
} else {
  const start = () => {
    const child = fork(__filename, ['child']);
    child.on('message', (count) => { console.log('heard', count); if (count % 3 === 0) child.send('leave'); });
    child.on('exit', (code, signal) => { console.log('child ended', code, signal); start(); });
  };
  start();
}
