export const one: string = 'lib/one';
