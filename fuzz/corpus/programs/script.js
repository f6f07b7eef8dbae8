#!/usr/bin/env node
'use strict'
const { a, b: { c } = {} } = require('./x'), f = function f() { return arguments.length }
exports.a = 1; module.exports = { ...require('y'), get d() { return 2 } }
Object.defineProperty(exports, '__esModule', { value: true })
setTimeout(() => { with_ = 1 }, 10, 'A')
var with_, i = 0; do { i++ } while (i < 3)
if (a) b; else c
for (const k in a) for (k of b) ;
x = y ? z : w, void 0, typeof a, delete a.b, a ? b : c => d
throw new Error(`x ${f(1, 2)}`)
