console.log('b', globalThis.als.getStore());
