''
const{b:{}}=s/i
async function w(){}('',()=>(``))