// The global `navigator`, as Node has it since 21.
'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');
const process = require('internal/process');

const key = Symbol('navigator');

class Navigator {
  constructor(given) {
    if (given !== key) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  get hardwareConcurrency() {
    return require('os').availableParallelism();
  }

  get language() {
    return 'en-US';
  }

  get languages() {
    return Object.freeze([this.language]);
  }

  get userAgent() {
    return `Node.js/${process.versions.node.split('.')[0]}`;
  }

  get platform() {
    return process.platform;
  }
}
for (const name of ['hardwareConcurrency', 'language', 'languages', 'userAgent', 'platform']) {
  Object.defineProperty(Navigator.prototype, name, { __proto__: null, enumerable: true });
}

exports.Navigator = Navigator;
exports.navigator = new Navigator(key);
