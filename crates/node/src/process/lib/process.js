// node:process: the global object, with all it has among its keys.
'use strict';

module.exports = require('internal/process');
module.exports._settleAll();
