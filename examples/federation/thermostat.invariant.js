// Both heaters are never on at the same logical instant, and what is heard at an instant is in one order.
const switched = { kitchen: [], bath: [] };
let kitchen;

export default ({ host, value }) => {
  const heater = /^(\d+) heater (on|off)/.exec(value);
  if (heater !== null) switched[host].push([Number(heater[1]), heater[2] === 'on']);
  const heard = /^(\d+) (kitchen|bath) /.exec(value);
  if (heard !== null && heard[2] === 'kitchen') kitchen = heard[1];
  if (heard !== null && heard[2] === 'bath' && heard[1] === kitchen) throw new Error(`heard in another order at ${kitchen}`);
  if (host !== 'control' || !value.endsWith(' over')) return;
  const isOn = (room, time) => switched[room].findLast(([at]) => at <= time)?.[1] ?? false;
  for (const [time] of [...switched.kitchen, ...switched.bath]) {
    if (isOn('kitchen', time) && isOn('bath', time)) throw new Error(`both heaters are on at ${time}`);
  }
};
