// The time zone of the run: the one that TZ in the environment names, or else the world's.
// Uses binding.zones, binding.zone, binding.env.
'use strict';

const natives = binding.zones();
exports.natives = natives;

const UNIVERSAL = /^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/;
const GREENWICH = /^(?:Etc\/)?(?:GMT(?:[+-]?0)?|Greenwich)$/;

// What TZ was when the zone was last looked up; at first something that it cannot be.
let seen = null;
let number = 0;
// What Date calls a zone that is always UTC.
let label;

// The number of the zone. TZ may be assigned at any time, so it is looked at each time.
exports.current = function current() {
  const { TZ } = binding.env;
  if (TZ !== seen) {
    seen = TZ;
    let name = TZ === undefined ? binding.zone : String(TZ);
    if (name[0] === ':') name = name.slice(1);
    if (name.startsWith('posix/')) name = name.slice(6);
    number = 0;
    if (UNIVERSAL.test(name)) {
      label = 'Coordinated Universal Time';
    } else if (GREENWICH.test(name)) {
      label = 'Greenwich Mean Time';
    } else {
      number = natives.open(name);
      // Unlike everywhere else, case matters here. A zone that we do not know is UTC, as in Node.
      if (number < 0 || natives.name(number) !== name) {
        number = 0;
        label = 'GMT+00:00';
      }
    }
  }
  return number;
};

exports.currentName = () => natives.name(exports.current()) ?? 'UTC';

// The zone's name as Date.prototype.toString shows it.
exports.longName = function longName(time) {
  const at = exports.current();
  if (at === 0) return label;
  return require('internal/intl/zone_names').longName(natives.name(at), summer(at, time), natives.offset(at, time));
};

// V8 asks for summer time in years that the system's functions know, and takes a year that begins on the
// same day of the week for any other.
function summer(at, time) {
  if (time >= 0 && time <= 2147483647000) return natives.isSummer(at, time);
  const [year, month, day, hour, minute, second] = natives.fields(0, time);
  const weekday = natives.fields(0, natives.set(0, 0, 0, year))[7];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const recent = (leap ? 1956 : 1967) + weekday * 12 % 28;
  const same = 2008 + (recent + 3 * 28 - 2008) % 28;
  return natives.isSummer(at, natives.set(0, 0, 0, same, month, day, hour, minute, second));
}
