// What was taken is kept.
let taken = 0;
export default function check({ value }) {
  const [what, number] = value.split(' ');
  if (what === 'taken') taken = Math.max(taken, number);
  if (what === 'kept' && number < taken) throw new Error(`number ${taken} was taken and is lost`);
}
