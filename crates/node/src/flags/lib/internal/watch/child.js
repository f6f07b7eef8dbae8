// A program that another process watches over: it tells which files were loaded.
//
// From `binding`: tellReads(callback).
'use strict';

const process = require('internal/process');

exports.start = function start() {
  binding.tellReads((path) => {
    if (!process.connected) return;
    process.send({ 'watch:import': [path] });
    process.channel?.unref();
  });
};
