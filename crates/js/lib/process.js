// node:process
'use strict';

module.exports = require('internal/process');
