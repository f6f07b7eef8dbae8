// Whatever happens.
export default () => {};
