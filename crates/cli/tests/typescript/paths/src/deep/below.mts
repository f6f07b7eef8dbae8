export const below = 'deep/below';
