// One of the two joins, and the other one is refused.
let joined = 0;
export default ({ value }) => {
  if (value === 'joined' && ++joined > 1) throw new Error('both have joined');
};
