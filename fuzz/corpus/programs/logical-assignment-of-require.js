('')
const{}=require??=('')