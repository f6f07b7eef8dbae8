console.log('its dependency', globalThis.als.getStore());
