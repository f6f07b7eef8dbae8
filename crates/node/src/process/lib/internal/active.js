// What the program has open that may keep it alive: for process.getActiveResourcesInfo, and for tools that look
// for what a program still waits for. What waits in the host is counted there.
// Uses binding.activeRequests, activeTimers.
'use strict';

// Who it belongs to, and a function that gives Node's name for it, or undefined while it keeps nothing alive.
const open = new Map();

exports.opened = (key, name, owner = key) => {
  open.set(key, { name, owner });
};

exports.closed = (key) => {
  open.delete(key);
};

function* handles() {
  for (const [key, { name, owner }] of open) {
    const told = name(key);
    if (told !== undefined) yield { name: told, owner };
  }
}

exports.getActiveResourcesInfo = function getActiveResourcesInfo() {
  const [timers, immediates] = binding.activeTimers();
  return [
    ...binding.activeRequests(), ...Array.from(handles(), ({ name }) => name),
    ...Array(timers).fill('Timeout'), ...Array(immediates).fill('Immediate'),
  ];
};

/// Requests are known by their names only.
exports._getActiveRequests = () => binding.activeRequests().map((name) => new { [name]: class {} }[name]());
exports._getActiveHandles = () => Array.from(handles(), ({ owner }) => owner);
