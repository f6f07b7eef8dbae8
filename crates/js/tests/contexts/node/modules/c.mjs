console.log('c', globalThis.als.getStore());
