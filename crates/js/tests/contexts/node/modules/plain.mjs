console.log('module', globalThis.als.getStore());
