// process.versions takes what programs add, as those do that play another platform; its own do not change.
'use strict';
const { versions } = process;
console.log(Object.isExtensible(versions), Object.getOwnPropertyDescriptor(versions, 'node').configurable);
versions.electron = '1.2.3';
console.log(versions.electron, delete versions.electron, versions.electron);
try { versions.node = '0'; } catch (error) { console.log(error.name); }
console.log(versions.node.split('.')[0]);
