declare const require: any, module: any;
import 'fs';
export const told = require.main === module;
