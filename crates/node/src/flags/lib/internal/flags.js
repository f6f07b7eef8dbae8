// The flags that a program was started with, those of NODE_OPTIONS first. A later one wins.
// Uses binding.flags.
'use strict';

/// Whether a flag without a value is given and not taken back.
exports.isOn = (name) => {
  const opposite = name.startsWith('--no-') ? `--${name.slice('--no-'.length)}` : `--no-${name.slice(2)}`;
  return binding.flags.findLast((flag) => flag === name || flag === opposite) === name;
};

/// Whether a flag is taken back that holds by default.
exports.isOff = (name) => exports.isOn(`--no-${name.slice(2)}`);

/// The values of all flags of that name.
exports.valuesOf = (name) => binding.flags.filter((flag) => flag.startsWith(`${name}=`)).map((flag) => flag.slice(name.length + 1));

/// The value of the last of them, or undefined.
exports.valueOf = (name) => exports.valuesOf(name).at(-1);
