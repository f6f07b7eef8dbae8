export const index = 'deep/dir/index';
