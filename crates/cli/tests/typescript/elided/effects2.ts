console.log('imported for its effects');
export {};
