// `vitest/config`: what configuration files call around their data.
'use strict';

const configDefaults = {
  exclude: ['**/node_modules/**', '**/.git/**', '**/dist/**'],
  include: ['**/*.{test,spec}.?(c|m)[jt]s?(x)'],
};
const same = (config) => config;

function mergeConfig(one, other) {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isObject(one) || !isObject(other)) return other === undefined ? one : other;
  const merged = { ...one };
  for (const [key, value] of Object.entries(other)) merged[key] = key in one ? mergeConfig(one[key], value) : value;
  return merged;
}

module.exports = { configDefaults, coverageConfigDefaults: {}, defineConfig: same, defineProject: same, defineWorkspace: same, loadEnv: () => ({}), mergeConfig };
