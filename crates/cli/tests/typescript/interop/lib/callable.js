module.exports = Object.assign(() => 'called', ...['part'].map((name) => ({ [name]: `its ${name}` })));
