export const createElement = (...all: any[]) => ['createElement', ...all.map((x) => (typeof x === 'function' ? x.name : x))];
