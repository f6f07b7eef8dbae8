const show = (x: any) => (typeof x === 'function' ? x.name : x);
export const jsx = (type: any, props: any, ...key: any[]) => ['jsx', show(type), props, ...key];
export const jsxs = (type: any, props: any, ...key: any[]) => ['jsxs', show(type), props, ...key];
export const Fragment = 'fragment';
