const{b:{}}=s
async function﻿w(){}('',()=>(``))