export const both = 'both.js';
