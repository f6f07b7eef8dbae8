export const special = 'lib/special.x';
