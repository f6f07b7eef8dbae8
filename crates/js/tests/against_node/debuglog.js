// What NODE_DEBUG shows, with and without colours.
const { spawnSync } = require('child_process');
const util = require('util');

if (process.argv[2] === 'child') {
  util.debuglog('some')('a %s %j', { a: 1 }, { b: 2 }, 'text', /x/, 5);
  util.debuglog('other')('not shown');
} else {
  for (const env of [{}, { FORCE_COLOR: '1' }, { FORCE_COLOR: '0' }, { FORCE_COLOR: 'true', NO_COLOR: '1' }]) {
    const { stderr, pid } = spawnSync(process.execPath, ['--no-warnings', __filename, 'child'], { env: { PATH: process.env.PATH, ...env, NODE_DEBUG: 'some,x*' } });
    console.log(JSON.stringify(String(stderr).replaceAll(String(pid), 'PID')));
  }
}
