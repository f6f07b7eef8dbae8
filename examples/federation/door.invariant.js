// The door does not open before the camera was asked and its answer has arrived.
let isArmed = true;

export default ({ host, value }) => {
  if (host !== 'door') return;
  if (value.endsWith('disarmed')) isArmed = false;
  else if (value.endsWith('armed') && !value.includes('slide')) isArmed = true;
  if (value.endsWith('opens') && isArmed) throw new Error(`opens with an armed slide: ${value}`);
};
