// The computer that os shows, as far as it stays the same between two runs.
const os = require('node:os');
const same = [
  'arch', 'availableParallelism', 'endianness', 'homedir', 'hostname', 'platform', 'release', 'tmpdir', 'totalmem', 'type',
  'userInfo', 'version', 'machine', 'getPriority', 'networkInterfaces',
];
console.log(Object.keys(os).join());
for (const name of same) console.log(name, os[name]());
console.log(`${os.hostname} ${os.arch} ${+os.totalmem}`, os.constants);
const [cpu] = os.cpus();
console.log(os.cpus().length, cpu.model, Object.entries(cpu.times).map(([name, time]) => [name, typeof time]));
console.log(os.loadavg().length, os.uptime() > 1, os.freemem() < os.totalmem());
for (const call of [
  () => os.userInfo({ encoding: 'buffer' }), () => os.getPriority('x'), () => os.getPriority(99999999), () => os.setPriority(1),
  () => os.getPriority(), () => os.setPriority(0, 50), () => os.setPriority(99999999, 1), () => os.setPriority('a'),
]) {
  try { console.log(call()); } catch (error) { console.log(error.name, error.code, error.message, error.info); }
}
for (const name of ['constants', 'EOL', 'arch']) console.log({ ...Object.getOwnPropertyDescriptor(os, name), value: 0 });
process.env.HOME = '/x/';
process.env.TMPDIR = '/t/';
console.log(os.homedir(), os.tmpdir());
