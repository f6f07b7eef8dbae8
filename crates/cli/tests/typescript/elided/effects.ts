console.log('only types were imported: this does not run');
export default interface OnlyType {}
export interface Effect {}
