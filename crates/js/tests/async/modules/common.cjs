exports.named = 'named';
exports.lazily = () => import('./quick.mjs');
