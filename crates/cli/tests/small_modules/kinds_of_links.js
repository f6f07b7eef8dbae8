// What kind of link is wanted matters on Windows only. Of strings the three kinds are taken; of other values any, as
// when a callback is passed on to a function that takes none.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kinds-'));
const nobody = () => console.log('never called');
const kinds = ['dir', 'file', 'junction', 'soft', '', undefined, null, true, 0, 5, {}, [], nobody, Symbol('kind')];

(async () => {
  for (const [at, kind] of kinds.entries()) {
    const show = (how, error) => console.log(how, typeof kind === 'string' ? `'${kind}'` : typeof kind, error?.code ?? 'made', error?.message ?? '');
    const name = path.join(folder, `link${at}`);
    try {
      fs.symlinkSync('nowhere', `${name}a`, kind);
      show('symlinkSync', undefined);
    } catch (error) {
      show('symlinkSync', error);
    }
    await fs.promises.symlink('nowhere', `${name}b`, kind).then(() => show('promises.symlink', undefined), (error) => show('promises.symlink', error));
  }
  for (const name of fs.readdirSync(folder)) console.log(name, fs.readlinkSync(path.join(folder, name)));
  fs.rmSync(folder, { recursive: true });
})();
