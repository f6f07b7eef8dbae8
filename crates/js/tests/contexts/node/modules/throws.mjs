throw new Error(`thrown in ${globalThis.als.getStore()}`);
