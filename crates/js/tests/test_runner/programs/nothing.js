// Hooks without tests.
const { after, before } = require('node:test');
before(() => console.log('before'));
after(() => console.log('after'));
