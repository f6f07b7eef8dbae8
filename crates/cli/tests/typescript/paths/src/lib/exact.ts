export default 'lib/exact';
