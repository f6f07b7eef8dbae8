'use strict';

module.exports = require('internal/streams/passthrough');
