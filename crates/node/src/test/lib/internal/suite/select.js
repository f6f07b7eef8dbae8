// Which tests of a file run.
'use strict';

const { Suite } = require('internal/suite/tree');

/// A function that says whether a test is wanted. Tests outside of what is marked `only` are marked, too.
function selection(settings, root) {
  const { grep, names, only, wanted } = settings;
  const pattern = grep === undefined ? null : new RegExp(grep);
  const isMarked = markOnly(root, false);
  settings.only = only === true || isMarked;
  const among = names === undefined ? null : new Set(names.map((name) => JSON.stringify(name)));
  return (test) => {
    if (wanted !== undefined) return test.place.join('.') === wanted.join('.');
    if (among !== null && !among.has(JSON.stringify(test.path))) return false;
    return pattern === null || pattern.test(test.fullName);
  };
}

// Within a suite that is marked, all run unless some of them are marked themselves.
function markOnly(suite, isInside) {
  const hasOnly = (node) => node.mode === 'only' || (node instanceof Suite && node.children.some(hasOnly));
  let found = false;
  for (const child of suite.children) {
    if (child instanceof Suite) {
      const inner = child.children.some(hasOnly);
      const runsAll = (child.mode === 'only' || isInside) && !inner;
      if (markOnly(child, runsAll) || child.mode === 'only') found = true;
    } else if (child.mode === 'only' || isInside) {
      child.isOnly = true;
      found ||= child.mode === 'only';
    }
  }
  return found;
}

module.exports = { selection };
