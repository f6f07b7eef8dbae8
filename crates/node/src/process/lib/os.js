// node:os. In virtual time the computer is always the same.
// Uses binding.install, computer, user, priority, setPriority, facts, env.
'use strict';

const { codes: { ERR_SYSTEM_ERROR } } = require('internal/errors');
const { validateInt32 } = require('internal/validators');
const numbers = require('internal/numbers');
const { arch } = require('internal/process');

binding.install('os', binding);

const LOWEST = 19;
const HIGHEST = -20;

function fail(errno, syscall) {
  const uv = require('internal/uv_errors');
  throw new ERR_SYSTEM_ERROR({ errno: -errno, code: uv.errname(-errno), message: uv.errtext(-errno), syscall });
}

/// What the gate is asked for; throws the error for what is not allowed.
const allowed = (ask) => require('internal/process/permission').allowed(ask);

// A text without its last slash, unless that is all.
const withoutSlash = (path) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

const functions = {
  arch: () => arch,
  availableParallelism: () => binding.computer().parallelism,
  cpus() {
    return binding.computer().processors.map(({ model, speed, times: [user, nice, sys, idle, irq] }) =>
      ({ model, speed, times: { user, nice, sys, idle, irq } }));
  },
  endianness: () => 'LE',
  freemem: () => binding.computer().free,
  getPriority(pid) {
    if (pid === undefined) pid = 0;
    else validateInt32(pid, 'pid');
    const [errno, priority] = allowed(() => binding.priority(pid));
    if (errno !== 0) fail(errno, 'uv_os_getpriority');
    return priority;
  },
  homedir: () => binding.env.HOME ?? binding.user()?.[1] ?? fail(2, 'uv_os_homedir'),
  hostname: () => binding.computer().hostname,
  loadavg: () => binding.computer().load,
  networkInterfaces() {
    const interfaces = {};
    // Recordings from before there were any have none.
    for (const { interface: name, address, netmask, isV6, prefix, mac, internal, scope } of binding.computer().addresses ?? []) {
      const facts = { address, netmask, family: isV6 ? 'IPv6' : 'IPv4', mac, internal, cidr: `${address}/${prefix}` };
      if (isV6) facts.scopeid = scope;
      (interfaces[name] ??= []).push(facts);
    }
    return interfaces;
  },
  platform: () => 'linux',
  release: () => binding.computer().release,
  setPriority(pid, priority) {
    if (priority === undefined) [pid, priority] = [0, pid];
    validateInt32(pid, 'pid');
    validateInt32(priority, 'priority', HIGHEST, LOWEST);
    const errno = allowed(() => binding.setPriority(pid, priority));
    if (errno !== 0) fail(errno, 'uv_os_setpriority');
  },
  tmpdir: () => withoutSlash(binding.env.TMPDIR || binding.env.TMP || binding.env.TEMP || '/tmp'),
  totalmem: () => binding.computer().memory,
  type: () => 'Linux',
  userInfo(options) {
    const { euid: uid, egid: gid } = binding.facts();
    const [username, homedir, shell] = binding.user() ?? fail(2, 'uv_os_get_passwd');
    const texts = { username, homedir, shell };
    if (options?.encoding === 'buffer') {
      const { Buffer } = require('buffer');
      for (const name of Object.keys(texts)) texts[name] = Buffer.from(texts[name]);
    }
    return Object.assign(Object.create(null), { uid, gid, ...texts });
  },
  uptime: () => binding.computer().uptime,
  version: () => binding.computer().version,
  machine: () => 'x86_64',
};

// Used as texts and numbers, these are what they give.
for (const name of [
  'availableParallelism', 'arch', 'endianness', 'freemem', 'homedir', 'hostname', 'platform', 'release', 'tmpdir', 'totalmem',
  'type', 'uptime', 'version', 'machine',
]) {
  functions[name][Symbol.toPrimitive] = functions[name];
}

// The flat table of node:constants, by what its names begin with.
const those = (pattern) => Object.fromEntries(Object.entries(numbers).filter(([name]) => pattern.test(name)));
const bare = (object) => Object.assign(Object.create(null), object);
const fixed = (object) => Object.freeze(bare(object));
const constants = Object.create(null, { UV_UDP_REUSEADDR: { __proto__: null, enumerable: true, value: 4 } });
Object.assign(constants, {
  dlopen: fixed(those(/^RTLD_/)),
  errno: fixed(those(/^E[A-Z\d]+$/)),
  signals: fixed(require('internal/signals')),
  priority: fixed(those(/^PRIORITY_/)),
});

Object.assign(exports, functions);
for (const [name, value] of Object.entries({ constants, EOL: '\n', devNull: '/dev/null' })) {
  Object.defineProperty(exports, name, { __proto__: null, configurable: name !== 'constants', enumerable: true, writable: false, value });
}
