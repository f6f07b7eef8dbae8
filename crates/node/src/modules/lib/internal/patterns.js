// Regular expressions with sets (the flag `v`), of which the engine refuses some that are right: letters outside of sets
// are written by their numbers, in a way that nobody else writes them.
// Uses binding.bearablePattern.
'use strict';

const { apply } = require('internal/kept');
const { includes, isWellFormed, replace } = String.prototype;

/// A pattern with sets as the engine takes it.
const bearable = (pattern) => (apply(isWellFormed, pattern, []) ? binding.bearablePattern(`${pattern}`) : pattern);
exports.bearable = bearable;

/// What `source` and `flags` say.
exports.made = (source, flags) => new RegExp(apply(includes, flags, ['v']) ? bearable(source) : source, flags);

/// The pattern as it was written.
exports.written = (pattern) => apply(replace, pattern, [/\\u\{000000(..)\}/g, (_, number) => String.fromCharCode(Number(`0x${number}`))]);
