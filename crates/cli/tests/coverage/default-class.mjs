export default class { constructor() {} m() {} a = 1; }
new (class X { static m() {} })();
