('');function w(){(d)
l as e=m}(0,e)(()=>t)('',()=>(``))