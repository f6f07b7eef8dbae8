// Nobody writes with an older number than somebody before.
let highest = 0;
export default function check({ value }) {
  if (value < highest) throw new Error(`number ${value} writes after ${highest}`);
  highest = value;
}
