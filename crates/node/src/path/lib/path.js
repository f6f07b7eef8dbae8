// node:path. Hemiola runs on POSIX systems, so the module itself is the POSIX half.
'use strict';

const posix = require('internal/path/posix');
const win32 = require('internal/path/win32');

posix.win32 = win32.win32 = win32;
posix.posix = win32.posix = posix;

// Deprecated alias that Node still carries, and last in the order of its keys.
posix._makeLong = posix.toNamespacedPath;
win32._makeLong = win32.toNamespacedPath;

module.exports = posix;
