console.log('stands in for convert:', process.argv.slice(2));
if (process.argv.includes('fails')) process.exit(3);
