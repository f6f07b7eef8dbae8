console.log('a', globalThis.als.getStore());
