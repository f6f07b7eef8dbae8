console.log('a CommonJS module', globalThis.als.getStore());
