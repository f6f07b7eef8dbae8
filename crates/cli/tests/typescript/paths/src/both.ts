export const both = 'both.ts';
