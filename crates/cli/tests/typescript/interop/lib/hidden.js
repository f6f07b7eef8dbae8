for (const name of ['first', 'second', 'third']) exports[name] = () => name;
