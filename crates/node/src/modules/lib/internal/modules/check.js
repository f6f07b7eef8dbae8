// The syntax of a program, and nothing else of it: `--check`.
// Uses binding.entry, checkModule, compileFunction, fileFormat, readModule.
'use strict';

/// Throws what is wrong. `findFile` finds the file that a name means.
exports.check = function check(findFile) {
  const { file, text, name, type } = binding.entry;
  if (text !== undefined) {
    checkText(text, name, type);
    return;
  }
  const found = findFile(file);
  const format = binding.fileFormat(found);
  if (format === 'json') return;
  checkText(binding.readModule(found), found, format === 'ambiguous' ? 'detect' : format);
};

function checkText(text, name, type) {
  const isModule = type === 'module' || binding.compileFunction(text, name, type === 'commonjs' ? type : 'detect') === undefined;
  if (isModule) binding.checkModule(text, name);
}
