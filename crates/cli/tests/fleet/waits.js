// Waits for somebody who never comes.
require('node:net').createServer().listen(9000);
