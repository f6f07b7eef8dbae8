// Looks whether a directory is there and makes it then: of two values that belong there one is not stored.
// published: https://github.com/rolandstarke/node-cache-manager-fs-hash/issues/6
// buggy: cache-manager-fs-hash@0.0.8
// repaired: cache-manager-fs-hash@0.0.9
// race: src/index.js:72 src/index.js:73
const store = require(process.argv[2]).create({ path: 'cache', subdirs: true });

const set = (value) => store.set('animal', value).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
set('donkey');
setTimeout(set, 5, 'mule');
