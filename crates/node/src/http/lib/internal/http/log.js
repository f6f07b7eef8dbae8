// What NODE_DEBUG=http shows of clients and servers.
'use strict';

const { debuglog } = require('internal/util/debuglog');

exports.note = debuglog('http', (print) => { exports.note = print; });
