// Random numbers that are the same everywhere, and ways to use them.
'use strict';

let state = 20260515;
function next() {
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
  let mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
  mixed ^= mixed >>> 15;
  return mixed >>> 0;
}
exports.below = (limit) => Math.floor(next() / 4294967296 * limit);
exports.pick = (list) => list[exports.below(list.length)];
exports.between = (low, high) => low + Math.floor((next() + next() / 4294967296) / 4294967296 * (high - low));

// Zones that look different: rules for both halves of the earth, half hours, double summer time, changes
// of mind.
exports.zones = [
  'UTC', 'America/New_York', 'Europe/Berlin', 'Europe/London', 'Europe/Dublin', 'Asia/Kolkata', 'Asia/Kathmandu',
  'Australia/Lord_Howe', 'Australia/Sydney', 'America/St_Johns', 'America/Sao_Paulo', 'Europe/Moscow', 'Asia/Tokyo',
  'Pacific/Apia', 'America/Los_Angeles', 'Africa/Cairo', 'Asia/Tehran', 'America/Santiago', 'Pacific/Chatham',
  'Africa/Monrovia', 'Europe/Lisbon', 'Asia/Gaza', 'Pacific/Kiritimati', 'Asia/Pyongyang', 'America/Caracas',
];
exports.attempt = (act) => {
  try {
    return act();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
