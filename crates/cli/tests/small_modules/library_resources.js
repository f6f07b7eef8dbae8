// Watchers of files and questions for names are resources that hooks hear of.
'use strict';
const dns = require('dns');
const fs = require('fs');
const { createHook, executionAsyncId } = require('async_hooks');

const wanted = ['STATWATCHER', 'GETNAMEINFOREQWRAP'];
const kept = new Map();
createHook({
  init(id, type) { if (wanted.includes(type)) kept.set(id, [type]); },
  before(id) { kept.get(id)?.push('before'); },
  after(id) { kept.get(id)?.push('after'); },
  destroy(id) { kept.get(id)?.push('destroy'); },
}).enable();

fs.watchFile('/there/is/none', { interval: 20 }, () => {
  console.log('watcher', kept.get(executionAsyncId())?.[0]);
  fs.unwatchFile('/there/is/none');
  dns.lookupService('127.0.0.1', 1, () => {
    console.log('service', kept.get(executionAsyncId())?.[0]);
    setTimeout(() => {
      for (const events of kept.values()) console.log(events.join());
    }, 100);
  });
});
