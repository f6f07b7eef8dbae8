import one = require('@lib/one');
import js = require('../plain.js');
export = { old: 'deep/old', one: one.one, js: js.plain };
