const { AsyncLocalStorage } = require('async_hooks');
module.exports = globalThis.als = new AsyncLocalStorage();
